import { expect, test } from '@jest/globals'
import { Clock, wallMs } from './clock.js'

const at = Date.parse('2026-03-15T08:00:00Z')

/** Whether a running clock shows the expected time, within the time that the test itself takes. */
const isNear = (clock: Clock, ms: number) => clock.now() >= ms && clock.now() < ms + 60_000

test('a frozen clock stands still until it is set', () => {
  const clock = Clock.frozenAt(at)
  expect([clock.now(), clock.frozen]).toEqual([at, true])
  clock.set(at + 5)
  expect(clock.now()).toBe(at + 5)
  clock.freeze()
  expect(clock.now()).toBe(at + 5)
})

test('a running clock runs beside the wall clock from wherever it was set', () => {
  const clock = new Clock()
  expect(isNear(clock, wallMs() - 1000)).toBe(true)
  clock.set(at)
  expect([isNear(clock, at), clock.frozen]).toEqual([true, false])
})

test('freezing and resuming lose no time', () => {
  const clock = new Clock()
  clock.set(at)
  clock.freeze()
  const frozen = clock.now()
  expect(frozen).toBe(clock.now())
  expect(frozen - at).toBeLessThan(60_000)
  clock.resume()
  clock.resume()
  expect(isNear(clock, frozen)).toBe(true)
})

test('a clock loads an exported state, frozen or running', () => {
  for (const clock of [Clock.frozenAt(at), new Clock({ frozen: false, ms: -1e10 })]) {
    const other = new Clock()
    other.restore(JSON.parse(JSON.stringify(clock.state)) as typeof clock.state)
    expect(other.state).toEqual(clock.state)
    expect(isNear(other, clock.now() - 1)).toBe(true)
  }
})
