import { expect, test } from '@jest/globals'
import { addDuration, formatMs, parseDuration, parseMs } from './duration.js'

const after = (from: string, duration: string): string =>
  new Date(addDuration(Date.parse(from), parseDuration(duration)!)).toISOString()

test('a duration moves an instant by the calendar of the bank', () => {
  expect(after('2026-03-25T08:00:00Z', 'P1D')).toBe('2026-03-26T08:00:00.000Z')
  expect(after('2026-03-25T08:00:00Z', 'P1M')).toBe('2026-04-25T08:00:00.000Z')
  expect(after('2026-01-31T08:00:00Z', 'P1M')).toBe('2026-02-28T08:00:00.000Z')
  expect(after('2024-02-29T08:00:00Z', 'P1Y')).toBe('2025-02-28T08:00:00.000Z')
  expect(after('2026-11-30T08:00:00Z', 'P3M')).toBe('2027-02-28T08:00:00.000Z')
  expect(after('2026-03-25T08:00:00Z', 'P1Y2M3DT4H5M6.7S')).toBe('2027-05-28T12:05:06.700Z')
  expect(after('2026-03-25T08:00:00Z', 'P2W')).toBe('2026-04-08T08:00:00.000Z')
  // 23:30 in UTC on 31 January is already February in South Africa.
  expect(after('2026-01-31T23:30:00Z', 'P1M')).toBe('2026-02-28T23:30:00.000Z')
})

test('a text that is not a duration is refused', () => {
  for (const text of [
    '',
    'P',
    'PT',
    'P1',
    '1D',
    'P1DT',
    '-P1D',
    'P-1D',
    'P1.5D',
    'PT1H1D',
    'p1d',
    ' P1D',
    'P1D ',
  ])
    expect(parseDuration(text)).toBeUndefined()
})

test('a number of milliseconds is written in the form in which it is read', () => {
  for (const [ms, text] of [
    [0, 'PT0S'],
    [1500, 'PT1.5S'],
    [172_800_000, 'P2D'],
    [90_061_001, 'P1DT1H1M1.001S'],
  ] as const) {
    expect(formatMs(ms)).toBe(text)
    expect(parseMs(text)).toBe(ms)
  }
  expect(parseMs('P1M')).toBeUndefined()
})
