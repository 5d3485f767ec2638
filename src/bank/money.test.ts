import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  formatRand,
  fromRand,
  maxCents,
  parseRand,
  parseSignedRand,
  parseTypedRand,
  proportion,
  toRand,
} from './money.js'

const amounts = fc.integer({ min: 1, max: maxCents })

test('an amount that is written in rand is read as the same cents, as text and as a number', () => {
  fc.assert(
    fc.property(amounts, (cents) => {
      expect(parseRand((cents / 100).toFixed(2))).toBe(cents)
      expect(parseRand(formatRand(cents).replaceAll(',', ''))).toBe(cents)
      expect(parseRand(toRand(cents))).toBe(cents)
      expect(parseRand(JSON.parse(JSON.stringify(toRand(cents))) as number)).toBe(cents)
    }),
  )
})

test.each<readonly [string | number, number]>([
  ['0.01', 1],
  ['10', 1000],
  ['10.1', 1010],
  ['10.12', 1012],
  ['010.12', 1012],
  [10.1, 1010],
  [0.07, 7],
  [1e9, maxCents],
  ['1000000000.00', maxCents],
])('%p is %d cents', (amount, cents) => {
  expect(parseRand(amount)).toBe(cents)
})

test.each([
  '',
  ' ',
  '0',
  '0.00',
  '-1',
  '+1',
  '1.',
  '.5',
  '1.234',
  '1,000.00',
  '1 000',
  '1e3',
  '0x10',
  '10.12 ',
  '10.12\n',
  'R10',
  'NaN',
  'Infinity',
  '\u0661\u0662',
  '1000000000.01',
  '9'.repeat(400),
  0,
  -0.01,
  0.001,
  10.123,
  0.1 + 0.2,
  1e21,
  1e-7,
  NaN,
  Infinity,
])('%p is not an amount', (amount) => {
  expect(parseRand(amount)).toBeUndefined()
})

test.each<readonly [string, number | undefined]>([
  ['600', 60_000],
  ['84,95', 8_495],
  ['84.9', 8_490],
  ['84,', 8_400],
  ['R 1\u00a0234,50', 123_450],
  ['600 r', 60_000],
  ['0', undefined],
  ['-5', undefined],
  ['1,000.00', undefined],
  ['five', undefined],
  ['', undefined],
])('the typed amount %p is %p cents', (text, cents) => {
  expect(parseTypedRand(text)).toBe(cents)
})

test('thousands have commas and debts a minus sign', () => {
  expect([0, 1, 99, 100, 123_456, 200_000, 1_234_567_890, -5, -200_000].map(formatRand)).toEqual([
    '0.00',
    '0.01',
    '0.99',
    '1.00',
    '1,234.56',
    '2,000.00',
    '12,345,678.90',
    '-0.05',
    '-2,000.00',
  ])
})

test('rand on the wire has two decimals at most', () => {
  fc.assert(
    fc.property(fc.integer({ min: -maxCents * 100, max: maxCents * 100 }), (cents) => {
      expect(JSON.stringify(toRand(cents))).toMatch(/^-?\d+(\.\d{1,2})?$/)
      expect(fromRand(toRand(cents))).toBe(cents)
    }),
  )
})

test('a proportion is exact, rounds half away from zero, and has the sign of the amount', () => {
  expect(proportion(1, 1, 2)).toBe(1)
  expect(proportion(-1, 1, 2)).toBe(-1)
  expect(proportion(1, 1, 3)).toBe(0)
  expect(proportion(0, 1075, 3_650_000)).toBe(0)
  fc.assert(
    fc.property(
      fc.integer(),
      fc.integer({ min: 0, max: 10_000 }),
      fc.integer({ min: 1 }),
      (cents, top, bottom) => {
        const exact = BigInt(cents) * BigInt(top)
        const off = BigInt(proportion(cents, top, bottom)) * BigInt(bottom) - exact
        expect((off < 0n ? -off : off) * 2n <= BigInt(bottom)).toBe(true)
        expect(proportion(-cents, top, bottom) + proportion(cents, top, bottom)).toBe(0)
        expect(proportion(cents, bottom, bottom) === cents).toBe(true)
      },
    ),
  )
})

test('signed rand are read in whole cents, and anything finer is refused', () => {
  fc.assert(
    fc.property(fc.integer({ min: -maxCents, max: maxCents }), (cents) => {
      expect(parseSignedRand(toRand(cents))).toBe(cents)
    }),
  )
  expect(parseSignedRand('-0.00')).toBe(0)
  for (const amount of ['--1', '-', '- 1', 0.005, -1e-7, 1_000_000_000.01, -1_000_000_000.01, 0.1 + 0.2])
    expect(parseSignedRand(amount)).toBeUndefined()
})
