// States a figure: prints it, and `npm run bench` puts it into the table of README.md.

import { appendFileSync } from 'node:fs'
import path from 'node:path'

const name = path.basename(process.argv[1], '.mjs')

/** A number with its significant digits: 12,345, 123, 12.3, 1.23. */
export const shown = (number) =>
  number >= 100 ? Math.round(number).toLocaleString('en') : number.toFixed(number >= 10 ? 1 : 2)

/**
 * States a figure. `ours` is in `unit`; `node` and `express` are the same of a bare server beside it. The promise,
 * `atMost` or `atLeast`, is about `ratio` where there is one, else about `ours`. A broken promise sets the exit code to
 * 1.
 */
export function figure(what, ours, { unit = '', node, express, ratio, atMost, atLeast } = {}) {
  const judged = ratio ?? ours
  const isMet = judged <= (atMost ?? Infinity) && judged >= (atLeast ?? -Infinity)
  const judgedUnit = ratio === undefined ? unit : ''
  const promise =
    atMost === undefined && atLeast === undefined
      ? ''
      : `${atMost === undefined ? '≥' : '≤'} ${(atMost ?? atLeast).toLocaleString('en')} ${judgedUnit}`.trim()
  const row = {
    what,
    ours: `${shown(ours)} ${unit}`.trim(),
    node: node === undefined ? '' : shown(node),
    express: express === undefined ? '' : shown(express),
    ratio: ratio === undefined ? '' : ratio.toFixed(2),
    promise: isMet ? promise : `${promise}, **not met**`,
    command: name,
  }
  const beside = [
    row.node && `node:http ${row.node}`,
    row.express && `Express ${row.express}`,
    row.ratio && `ratio ${row.ratio}`,
  ]
  console.log(
    [row.what.padEnd(60), row.ours.padStart(14), ...beside.filter(Boolean), row.promise && `(${row.promise})`]
      .filter(Boolean)
      .join('   '),
  )
  if (process.env.FIGURES) appendFileSync(process.env.FIGURES, `${JSON.stringify(row)}\n`)
  if (!isMet) process.exitCode = 1
}

export const median = (numbers) => quantile(numbers, 0.5)

export const quantile = (numbers, part) =>
  numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * part))]
