import { availableParallelism } from 'node:os'
import { afterEach, expect, test } from '@jest/globals'
import { createRunner, type Run, type Runner } from './host/runner.js'
import { abandon, CpuPermit, createPermits, freePermits, isWaiting, requestStop } from './cpu-permit.js'

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

test('hooks that spin are all stopped when their windows close, and a hook that computes ends beside them', async () => {
  runner = createRunner()
  const spinning = Array.from({ length: 8 }, () => runner!.run(run('while (true) {}', 3_000)))
  const { outcome } = await runner.run(run(compute, 15_000))
  expect(outcome.value).toBe(1_999_999_000_000)
  for (const { outcome } of await Promise.all(spinning)) expect(outcome.end).toBe('timed-out')
})

test('a thread that is ended while it holds a permit takes none from the others', async () => {
  runner = createRunner()
  const unstoppable = 'for (let i = 0; i < 1e5; i++); [].indexOf.call({ length: 2 ** 53 - 1 }, 1)'
  for (let i = 0; i <= availableParallelism(); i++)
    expect((await runner.run(run(unstoppable, 200))).outcome.end).toBe('timed-out')
  expect((await runner.run(run(compute, 15_000))).outcome.end).toBe('returned')
})

test('code that loops and then does not return keeps no permit from others, in any window', async () => {
  runner = createRunner()
  const hostile = 'for (let i = 0; i < 1e5; i++); [].indexOf.call({ length: 2 ** 53 - 1 }, 1)'
  const lost = Array.from({ length: availableParallelism() + 1 }, () => runner!.run(run(hostile, 6_000)))
  for (let i = 0; i < 5; i++) {
    const { outcome } = await runner.run(run(compute, 2_000))
    expect(outcome.end).toBe('returned')
  }
  for (const { outcome } of await Promise.all(lost)) expect(outcome.end).toBe('timed-out')
})

test('hooks that spin in one workspace delay neither another workspace nor another card of their own', async () => {
  runner = createRunner()
  let ended = 0
  const spin = run('while (true) {}', 2_000)
  const spinning = Array.from({ length: 64 }, async () => {
    await runner!.run({ ...spin, owner: { lane: 'a', card: '1' } })
    ended++
  })
  const all = Promise.allSettled(spinning)
  const other = await runner.run({ ...run(compute, 2_000), owner: { lane: 'b', card: '1' } })
  expect([other.outcome.end, ended < 32]).toEqual(['returned', true])
  const ownCard = await runner.run({ ...run(compute, 2_000), owner: { lane: 'a', card: '2' } })
  expect([ownCard.outcome.end, ended < 48]).toEqual(['returned', true])
  await runner.close()
  await all
})

/** A permit of a thread of this test: threads are slots of the same words. */
const permitOf = (permits: Int32Array, slot: number) => {
  const data = { permits, slot, forgiven: new Int32Array(new SharedArrayBuffer(4)) }
  return { data, permit: new CpuPermit(data) }
}

test('a short computation takes no permit', () => {
  const permits = createPermits(1)
  expect(permitOf(permits, 0).permit.goOn(1, 2_000)).toBe(0)
  expect(freePermits(permits)).toBe(1)
})

test('a permit is given back when the thread has nothing to compute, and when it is ended', async () => {
  const permits = createPermits(1)
  const { data, permit } = permitOf(permits, 0)
  permit.goOn(5, 2_000)
  expect(freePermits(permits)).toBe(0)
  await new Promise((resolve) => setImmediate(resolve))
  expect(freePermits(permits)).toBe(1)
  permit.goOn(5, 2_000)
  abandon(data)
  abandon(data)
  expect(freePermits(permits)).toBe(1)
})

test('a permit that is held beyond its slice is taken away, and the wait does not count', () => {
  const permits = createPermits(1)
  const holder = permitOf(permits, 0)
  const victim = permitOf(permits, 1)
  holder.permit.goOn(5, 2_000)
  const waitedMs = victim.permit.goOn(5, 2_000)
  expect(waitedMs).toBeGreaterThan(0)
  expect(victim.data.forgiven[0]).toBe(Math.ceil(waitedMs))
  expect(freePermits(permits)).toBe(0)
  abandon(victim.data)
  expect(freePermits(permits)).toBe(1)
})

test('waiting counts towards the window of code that has computed for long, which gives up when its window closes', () => {
  const permits = createPermits(1)
  permitOf(permits, 0).permit.goOn(5, 2_000)
  const { data, permit } = permitOf(permits, 1)
  expect(permit.goOn(1_500, 0)).toBe(0)
  expect([isWaiting(data), data.forgiven[0], freePermits(permits)]).toEqual([false, 0, 0])
})

test('a run that is asked to stop waits for no permit', () => {
  const permits = createPermits(1)
  permitOf(permits, 0).permit.goOn(5, 2_000)
  const { data, permit } = permitOf(permits, 1)
  requestStop(data, true)
  permit.goOn(5, 60_000)
  expect(permit.stopped).toBe(true)
  requestStop(data, false)
  expect(permit.stopped).toBe(false)
})
