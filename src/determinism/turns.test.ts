import { expect, test } from '@jest/globals'
import { setImmediate } from './timers.js'
import { inTurns } from './turns.js'

test('long work lets everything else go on, until nobody wants it any more', async () => {
  let isWanted = true
  let pieces = 0
  setImmediate(() => (isWanted = false))
  const endless = {
    *[Symbol.iterator]() {
      for (;;) yield (pieces += 1)
    },
  }
  await inTurns(endless, () => isWanted)
  expect(pieces).toBeGreaterThan(1)
})

test('short work is over without a turn for others', async () => {
  const done: number[] = []
  const working = inTurns(
    [1, 2, 3].map((number) => done.push(number)),
    () => true,
  )
  expect(done).toEqual([1, 2, 3])
  await working
})
