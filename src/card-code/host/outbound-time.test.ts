// Time that passes for card code while it waits for the network.

import { expect, test } from '@jest/globals'
import { closed, execute, nowMs } from '../../../test/outbound-calls.js'

test('with a frozen clock a timer fires before an answer of the network that comes later', async () => {
  const answered = `fetch(base + '/hang').then(() => 'answered')`
  const { value, completedMs } = await execute(`
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 40)
    const late = await fetch(base + '/hang', { signal: controller.signal }).catch((e) => e.name)
    const raced = await Promise.race([${answered}, new Promise((r) => setTimeout(() => r('timer'), 30))])
    const order = []
    const wait = (ms) => new Promise((r) => setTimeout(r, ms)).then(() => order.push([ms, Date.now() - ${nowMs}]))
    const hang = fetch(base + '/hang', { signal: AbortSignal.timeout(60) }).catch((e) => order.push(e.name))
    await Promise.all([wait(25), wait(15), hang])
    return [late, raced, order]`)
  expect(value).toEqual(['AbortError', 'timer', [[15, 85], [25, 95], 'AbortError']])
  expect(completedMs).toBe(nowMs + 130)
})

test('with a frozen clock an answer of the network that comes in time costs no time', async () => {
  const { value } = await execute(`
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), 1900)
    const order = []
    const note = (name) => () => order.push([name, Date.now() - ${nowMs}])
    const pause = new Promise((r) => setTimeout(r, 1800)).then(note('timer'))
    await fetch(base + '/echo', { signal: controller.signal }).then(note('answer'))
    clearTimeout(timer)
    await pause
    return order`)
  expect(value).toEqual([
    ['answer', 0],
    ['timer', 1800],
  ])
})

test('a request that is not answered ends with the window, on both sides', async () => {
  const { end, outbound } = await execute(`await fetch(base + '/hang')`, { windowMs: 150 })
  expect(end).toBe('timed-out')
  expect(outbound).toMatchObject([{ status: null, error: 'no answer within the window', ms: 150 }])
  await closed
})

test('in frozen time a call without an answer took as long as card code waited for it', async () => {
  const { outbound } = await execute(`
    await new Promise((r) => setTimeout(r, 5))
    await fetch('http://127.0.0.1:1/').catch(() => {})
    await fetch(base + '/hang', { signal: AbortSignal.timeout(70) }).catch(() => {})`)
  expect(outbound.map(({ atMs, ms, status }) => [atMs - nowMs, ms, status])).toEqual([
    [5, 0, null],
    [5, 70, null],
  ])
})
