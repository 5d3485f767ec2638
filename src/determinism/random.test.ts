import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { hash, maxSeed, Random, Stream } from './random.js'

const seeds = fc.integer({ min: 0, max: maxSeed })
const draw = (stream: Stream, count = 20) => Array.from({ length: count }, () => stream.uint32())

test('the same seed and label draw the same numbers, on every machine', () => {
  expect(draw(Stream.of(1, 'tokens'), 4)).toEqual([3366110119, 723035543, 3033263509, 2606663300])
  expect(hash('')).toBe(2872998923)
  expect(hash('tokens')).toBe(303129346)
})

test('another seed or label draws other numbers', () => {
  fc.assert(
    fc.property(seeds, seeds, fc.string(), fc.string(), (seed, other, label, another) => {
      fc.pre(seed !== other && label !== another)
      const drawn = [Stream.of(seed, label), Stream.of(other, label), Stream.of(seed, another)]
      expect(new Set(drawn.map((stream) => draw(stream, 4).join())).size).toBe(3)
    }),
  )
})

test('draws from one stream do not change another', () => {
  const random = new Random(5)
  const alone = draw(new Random(5).stream('payments'))
  draw(random.stream('tokens'), 1000)
  expect(draw(random.stream('payments'))).toEqual(alone)
})

test('a stream continues where its export stopped; streams without an export start again', () => {
  const random = new Random(7)
  draw(random.stream('a'), 3)
  const state = JSON.parse(JSON.stringify(random.state)) as typeof random.state
  const next = draw(random.stream('a'))
  const other = new Random(7)
  draw(other.stream('b'), 9)
  other.restore(state)
  expect(draw(other.stream('a'))).toEqual(next)
  expect(draw(other.stream('b'))).toEqual(draw(new Random(7).stream('b')))
  expect(random.state).not.toEqual(state)
})

test('draws stay within their bounds and reach both of them', () => {
  const stream = Stream.of(1, 'bounds')
  const drawn = Array.from({ length: 2000 }, () => stream.between(-2, 2))
  expect([...new Set(drawn)].sort((a, b) => a - b)).toEqual([-2, -1, 0, 1, 2])
  expect(stream.between(3, 3)).toBe(3)
  expect(Array.from({ length: 100 }, () => stream.chance(0))).not.toContain(true)
  expect(Array.from({ length: 100 }, () => stream.chance(1000))).not.toContain(false)
  expect(new Set(Array.from({ length: 200 }, () => stream.pick(['a', 'b', 'c']))).size).toBe(3)
  for (let i = 0; i < 1000; i++) {
    const fraction = stream.fraction()
    expect(fraction >= 0 && fraction < 1).toBe(true)
  }
})

test('texts have the documented form', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const stream = Stream.of(seed, 'texts')
      expect(stream.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(stream.digits(10)).toMatch(/^[1-9]\d{9}$/)
      expect(stream.characters('xy', 8)).toMatch(/^[xy]{8}$/)
      expect(stream.characters('xy', 0)).toBe('')
    }),
  )
})
