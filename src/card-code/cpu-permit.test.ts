import { availableParallelism } from 'node:os'
import { afterEach, expect, test } from '@jest/globals'
import { createRunner, type Run, type Runner } from './host/runner.js'
import { createHolding, createTurns, giveBack } from './cpu-permit.js'

let runner: Runner | undefined
afterEach(async () => runner?.close())

const run = (body: string, windowMs: number): Run => ({
  hook: 'beforeTransaction',
  source: `const beforeTransaction = async () => { ${body} }`,
  variables: {},
  payload: null,
  windowMs,
  time: { nowMs: 0, frozen: false },
  seed: 1,
  policy: 'deny',
})

const compute = 'let sum = 0; for (let i = 0; i < 2e6; i++) sum += i; return sum'

test('hooks that spin are all stopped when their windows close, and one that computes comes to its end beside them', async () => {
  runner = createRunner()
  const spinning = Array.from({ length: 8 }, () => runner!.run(run('while (true) {}', 3_000)))
  const { outcome } = await runner.run(run(compute, 15_000))
  expect(outcome.value).toBe(1_999_999_000_000)
  for (const { outcome } of await Promise.all(spinning)) expect(outcome.end).toBe('timed-out')
})

test('a thread that is ended with its turn in hand takes none from the others', async () => {
  runner = createRunner()
  const unstoppable = 'for (let i = 0; i < 1e5; i++); [].indexOf.call({ length: 2 ** 53 - 1 }, 1)'
  for (let i = 0; i <= availableParallelism(); i++)
    expect((await runner.run(run(unstoppable, 200))).outcome.end).toBe('timed-out')
  expect((await runner.run(run(compute, 15_000))).outcome.end).toBe('returned')
})

test('a turn is given back once, however often it is asked', () => {
  const turns = createTurns()
  const holding = createHolding()
  const free = turns[0]!
  expect(free).toBeGreaterThan(0)
  giveBack(turns, holding)
  expect(turns[0]).toBe(free)
  holding[0] = 1
  giveBack(turns, holding)
  giveBack(turns, holding)
  expect([turns[0], holding[0]]).toEqual([free + 1, 0])
})
