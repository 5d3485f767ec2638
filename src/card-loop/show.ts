// How the commands print amounts, times, hooks and findings.

import type { Finding } from '../card-code/lint/rules.js'
import { merchantCategory } from '../bank/reference.js'
import { amount, grouped } from './amounts.js'
import type { CardFile } from './card-file.js'
import { type Decision, type Failure, hasFailed, type HookRun } from './decision.js'
import type { PurchaseRequest } from './purchase.js'

export const milliseconds = (ms: number): string => `${grouped(ms)} ms`

/** A count with its noun: `1 file`, `3 files`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${grouped(count)} ${count === 1 ? noun : plural}`

/** `restaurants (5812)`: the name of a category, and its code. */
export function categoryName(code: string): string {
  const { key, code: known } = merchantCategory(code)
  return `${key.replaceAll('_', ' ')} (${known})`
}

/** A foreign text in one line, without characters that control a terminal. */
export const printable = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd')

/** A decision as `card run` prints it. */
export function decisionLines(decision: Decision, purchase: PurchaseRequest, card: CardFile): string[] {
  const { merchant, centsAmount, currencyCode } = purchase
  const [before] = decision.hooks
  const about = [
    decision.decision.toUpperCase(),
    printable(merchant.name ?? 'Sandbox Merchant'),
    amount(centsAmount, currencyCode),
    categoryName(merchant.categoryCode ?? '5462'),
  ].join('  ')
  const lines = [`${about}   ${before?.hook === 'beforeTransaction' ? outcome(before) : decision.reason}`]
  for (const hook of decision.hooks) {
    if (hook !== before || hook.hook !== 'beforeTransaction') {
      if (hook.failure && !hasFailed(hook)) continue
      lines.push(`${hook.hook}  ${outcome(hook)}`)
    }
    lines.push(...happenings(hook))
    if (hook.failure) lines.push(...failureLines(hook.failure, card))
  }
  return lines
}

function outcome({ hook, returned, usedMs, windowMs, failure }: HookRun): string {
  const time = `in ${grouped(usedMs)} of ${grouped(windowMs)} ms`
  if (failure) return `${failure.code} ${time}`
  return hook === 'beforeTransaction' ? `${String(returned)} ${time}` : `ok ${time}`
}

/** Logs and calls of a hook, in the order of their times. */
export function happenings({ logs, calls }: HookRun): string[] {
  const level = { info: 'log', warn: 'warn', error: 'error', debug: 'debug' } as const
  const items = [
    ...logs.map((log) => ({
      atMs: log.atMs,
      text: `${level[log.level]}   ${indented(printable(log.text))}`,
    })),
    ...calls.map(({ atMs, method, url, status, ms, error, answeredBy }) => ({
      atMs,
      text: `${method} ${printable(url)}  ${status ?? printable(error ?? 'no answer')}  ${milliseconds(ms)}${answeredBy === 'network' ? '' : `  ${answeredBy}`}`,
    })),
  ]
  return items
    .sort((a, b) => a.atMs - b.atMs)
    .map(({ atMs, text }) => `${grouped(atMs).padStart(6)}  ${text}`)
}

const indented = (text: string): string => text.replaceAll('\n', '\n              ')

/** An error with its source line and a caret below it. */
export function failureLines({ name, message, line, column }: Failure, card: CardFile): string[] {
  const title = `${name}: ${printable(message)}`
  if (line === null) return [`  ${title}`]
  const place = card.place(line, column)
  const at = `${place.file}:${place.line}${place.column === null ? '' : `:${place.column}`}`
  const number = String(place.line).padStart(4)
  // A bundle's line may be very long.
  const shift = place.column !== null && place.column > 100 ? place.column - 60 : 0
  const text = place.text.slice(shift, shift + 120).replaceAll('\t', ' ')
  const lines = [`  ${title}`, `  at ${at}`, `  ${number} | ${printable(text)}`]
  if (place.column !== null) lines.push(`  ${' '.repeat(4)} | ${' '.repeat(place.column - 1 - shift)}^`)
  return lines
}

/** `main.js:3:10  error  unknown-property  The argument …` */
export const findingLine = (file: string, { line, column, severity, rule, message }: Finding): string =>
  `${file}:${line}:${column}  ${severity}  ${message}  ${rule}`
