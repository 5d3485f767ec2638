// Small programs, run in the guest and in plain Node of the same version: the same result and the same logs.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createRunner } from './host/runner.js'
import { programs } from '../../test/fidelity-programs.js'

interface Result {
  value?: string
  error?: string
  at?: string
  logs: string[]
}

const payload = {
  accountNumber: '10011001100',
  centsAmount: 12345,
  currencyCode: 'zar',
  merchant: { name: 'X' },
}
const runner = createRunner({ maxWorkers: 2 })
let expected: Result[] = []

beforeAll(async () => {
  const input = JSON.stringify({ programs: programs.map(([, source]) => source), payload })
  expected = JSON.parse(await plainNode(input)) as Result[]
})
afterAll(() => runner.close())

const plainNode = async (input: string): Promise<string> => {
  const options = { env: { ...process.env, TZ: 'UTC' }, maxBuffer: 1 << 26 }
  const running = promisify(execFile)(process.execPath, ['test/plain-node.mjs'], options)
  running.child.stdin!.end(input)
  return (await running).stdout
}

const inTheBox = async (source: string): Promise<Result> => {
  const { settled } = await runner.run({
    hook: 'hook',
    source,
    variables: { LIMIT: '100' },
    payload,
    windowMs: 5_000,
    time: { nowMs: Date.now(), frozen: false },
    seed: 7,
    policy: 'loopback',
  })
  const { end, value, error, logs } = await settled
  const written = logs.map(({ level, content }) => `${level}: ${content}`)
  if (end === 'returned')
    return { value: value === undefined ? 'undefined' : JSON.stringify(value), logs: written }
  const at = /main\.js:\d+/.exec(error?.stack ?? '')?.[0] ?? ''
  return { error: `${error?.name}: ${error?.message}`, at, logs: written }
}

test.each(programs.map(([title, source], index) => ({ title, source, index })))(
  'as in Node: $title',
  async ({ source, index }) => {
    expect(await inTheBox(source)).toEqual(expected[index])
  },
)
