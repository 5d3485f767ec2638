import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { Log } from './log.js'

test('forks share what they have in common and keep the rest to themselves', () => {
  const steps = fc.array(fc.tuple(fc.nat(), fc.constantFrom('append', 'fork')), { maxLength: 60 })
  fc.assert(
    fc.property(steps, (all) => {
      const logs = [new Log<number>([1, 2])]
      const models = [[1, 2]]
      all.forEach(([which, what], value) => {
        const index = which % logs.length
        if (what === 'fork') {
          logs.push(logs[index]!.fork())
          models.push([...models[index]!])
        } else {
          logs[index]!.append(value)
          models[index]!.push(value)
        }
      })
      logs.forEach((log, index) => {
        expect([...log]).toEqual(models[index])
        expect(log.slice()).toEqual(models[index])
        expect([log.length, log.last]).toEqual([models[index]!.length, models[index]!.at(-1)])
      })
    }),
  )
})

test('a fork does not see the items that another fork has appended', () => {
  const log = new Log([1, 2])
  const fork = log.fork()
  log.append(3)
  expect(fork.at(2)).toBeUndefined()
  expect(fork.at(-1)).toBeUndefined()
  expect(fork.slice(0, 9)).toEqual([1, 2])
  expect(fork.search((item) => item >= 3)).toBe(2)
  expect(new Log().last).toBeUndefined()
})

test('a search finds the first item that meets the condition', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 50 })),
      fc.integer({ min: -1, max: 51 }),
      (numbers, limit) => {
        const sorted = numbers.sort((a, b) => a - b)
        const found = sorted.findIndex((each) => each >= limit)
        expect(new Log(sorted).search((each) => each >= limit)).toBe(found < 0 ? sorted.length : found)
      },
    ),
  )
})
