import { expect, test } from '@jest/globals'
import { setImmediate } from './timers.js'
import { inTurns } from './turns.js'

test('long work lets everything else go on, until nobody wants it any more', async () => {
  let isWanted = true
  let pieces = 0
  setImmediate(() => (isWanted = false))
  const endless = function* () {
    for (;;) yield (pieces += 1)
  }
  await inTurns(endless(), () => isWanted)
  expect(pieces).toBeGreaterThan(1)
})

test('short work is over without a turn for others', async () => {
  const done: number[] = []
  const short = function* () {
    for (const number of [1, 2, 3]) yield done.push(number)
  }
  const working = inTurns(short(), () => true)
  expect(done).toEqual([1, 2, 3])
  await working
})
