import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { FairQueue, type Owner } from './fair-queue.js'

interface Item extends Owner {
  id: number
}
const item = (lane: string, card: string, id: number): Item => ({ lane, card, id })

test('a lane with many jobs waits for its own jobs, and others do not wait for it', () => {
  const queue = new FairQueue<Item>()
  for (let id = 0; id < 4; id++) queue.push(item('a', '1', id))
  queue.push(item('b', '1', 10))
  expect([queue.take(), queue.take(), queue.take()].map((each) => each?.id)).toEqual([0, 10, 1])
  expect(queue.hasIdleLane).toBe(false)
  queue.push(item('c', '1', 20))
  expect(queue.hasIdleLane).toBe(true)
  expect(queue.take()?.id).toBe(20)
})

test('within a lane the card with the fewest jobs running comes first', () => {
  const queue = new FairQueue<Item>()
  for (let id = 0; id < 3; id++) queue.push(item('a', '1', id))
  queue.push(item('a', '2', 10))
  const first = queue.take()!
  expect([first.id, queue.take()?.id]).toEqual([0, 10])
  queue.done(first)
  expect(queue.take()?.id).toBe(1)
})

test('a job that is removed is never taken', () => {
  const queue = new FairQueue<Item>()
  const [one, two] = [item('a', '1', 1), item('a', '1', 2)]
  queue.push(one)
  queue.push(two)
  expect([queue.remove(one), queue.remove(one), queue.size]).toEqual([true, false, 1])
  expect([queue.take(), queue.take()]).toEqual([two, undefined])
})

test('every job is taken once, in the order of its card', () => {
  const owner = fc.record({ lane: fc.constantFrom('a', 'b', 'c'), card: fc.constantFrom('1', '2') })
  fc.assert(
    fc.property(fc.array(owner), (owners) => {
      const queue = new FairQueue<Item>()
      owners.forEach((each, id) => queue.push({ ...each, id }))
      const taken: Item[] = []
      for (let next = queue.take(); next !== undefined; next = queue.take()) taken.push(next)
      expect(taken.map(({ id }) => id).sort((a, b) => a - b)).toEqual(owners.map((_, id) => id))
      for (const { lane, card } of owners) {
        const ids = taken.filter((each) => each.lane === lane && each.card === card).map(({ id }) => id)
        expect(ids).toEqual(ids.toSorted((a, b) => a - b))
      }
      expect(queue.size).toBe(0)
    }),
  )
})
