// Short runs of the scripts in test/soak, so that they keep working; the workflow `soak` runs them at length.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('soak/', import.meta.url))

test.each([
  ['ledger', ['--operations', '2000'], /^ledger: 2000 operations, .* 0 balances that differ from the model$/],
  ['fuzz', ['--requests', '600'], /^fuzz: 600 requests, \d+ refused, .* 0 of 5xx, 0 deaths/],
  ['kill', ['--kills', '2'], /^kill: 2 kills, \d+ acknowledged transfers, .* 0 broken files$/],
  ['kill', ['--kills', '2', '--always', '1'], /^kill: 2 kills, \d+ acknowledged transfers, 0 lost/],
  ['linear', [], /^linear: \d+ calls, twice the text took at most [12]\.\d\d times the work/],
  ['soak', ['--seconds', '4', '--megabytes', '1000'], /^soak: 4 s, \d+ calls of 4 clients, 0 of 5xx/],
])(
  '%s %j ends with one line of figures',
  async (name, flags, figures) => {
    const { stdout } = await run(process.execPath, [`${folder}${name}.mjs`, ...flags])
    expect(stdout.trim()).toMatch(figures)
  },
  120_000,
)
