import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  dayFromParts,
  dayOf,
  endOfMonth,
  formatDay,
  formatDaySlashed,
  parseDay,
  parseInstant,
  partsOf,
  startOfDay,
} from './day.js'

test.each([
  ['2026-03-14T21:59:59.999Z', '2026-03-14'],
  ['2026-03-14T22:00:00.000Z', '2026-03-15'],
  ['2026-03-15T21:59:59.999Z', '2026-03-15'],
  ['2025-12-31T22:00:00.000Z', '2026-01-01'],
  ['2024-02-28T22:00:00.000Z', '2024-02-29'],
  ['1969-12-31T21:59:59.999Z', '1969-12-31'],
])('%s is the day %s of the bank', (instant, day) => {
  expect(formatDay(dayOf(Date.parse(instant)))).toBe(day)
})

test('a day begins at its first millisecond', () => {
  fc.assert(
    fc.property(fc.integer({ min: -100_000, max: 100_000 }), (day) => {
      expect(dayOf(startOfDay(day))).toBe(day)
      expect(dayOf(startOfDay(day) - 1)).toBe(day - 1)
    }),
  )
})

test('a written day is read as the same day', () => {
  const days = fc.integer({ min: parseDay('0000-01-01')!, max: parseDay('9999-12-31')! })
  fc.assert(
    fc.property(days, (day) => {
      expect(parseDay(formatDay(day))).toBe(day)
      const { year, month, date, weekday } = partsOf(day)
      expect(dayFromParts(year, month, date)).toBe(day)
      expect(weekday).toBe((((day + 4) % 7) + 7) % 7)
      expect(formatDaySlashed(day).split('/').reverse().join('-')).toBe(formatDay(day))
    }),
  )
})

test.each(['2024-02-29', '2000-02-29', '0000-02-29', '0001-01-01', '9999-12-31', '1970-01-01'])(
  '%s is a valid day',
  (text) => {
    expect(formatDay(parseDay(text)!)).toBe(text)
  },
)

test.each([
  '2026-02-29',
  '1900-02-29',
  '2026-02-30',
  '2026-04-31',
  '2026-13-01',
  '2026-00-10',
  '2026-01-00',
  '2026-1-1',
  '26-01-01',
  '2026/01/01',
  '20260101',
  '-2026-01-01',
  '+002026-01-01',
  '12026-01-01',
  '2026-01-01T00:00:00Z',
  ' 2026-01-01',
  '2026-01-01\n',
  '\u0662\u0660\u0662\u0666-01-01',
  'today',
  '',
])('%p is not a day', (text) => {
  expect(parseDay(text)).toBeUndefined()
})

test('months end as in the calendar, also in leap years', () => {
  const ends = ['2026-01-15', '2026-02-01', '2024-02-29', '2026-04-30', '2026-12-31', '2100-02-01']
  expect(ends.map((text) => formatDay(endOfMonth(parseDay(text)!)))).toEqual([
    '2026-01-31',
    '2026-02-28',
    '2024-02-29',
    '2026-04-30',
    '2026-12-31',
    '2100-02-28',
  ])
  expect(formatDay(dayFromParts(2026, 3 - 13, 1))).toBe('2025-02-01')
})

test.each([
  ['2026-03-25', '2026-03-25T00:00:00.000Z'],
  ['2026-03-25T08:00Z', '2026-03-25T08:00:00.000Z'],
  ['2026-03-25T10:00:00+02:00', '2026-03-25T08:00:00.000Z'],
  ['2026-03-25T08:00:00.5Z', '2026-03-25T08:00:00.500Z'],
  ['1980-01-01', '1980-01-01T00:00:00.000Z'],
  ['2200-12-31T23:59:59.999Z', '2200-12-31T23:59:59.999Z'],
])('%s is the instant %s', (text, instant) => {
  expect(new Date(parseInstant(text)!).toISOString()).toBe(instant)
})

test.each([
  '1979-12-31',
  '2201-01-01',
  '2026-02-30',
  '2026-02-30T08:00:00Z',
  '2026-03-25T08:00:00',
  '2026-03-25T25:00:00Z',
  '2026-03-25T08:60:00Z',
  '2026-03-25T08:00:00+99:00',
  '2026-03-25 08:00:00Z',
  '2026-03-25T08:00:00.0000Z',
  '1774425600000',
  'now',
  '',
])('%p is not an instant', (text) => {
  expect(parseInstant(text)).toBeUndefined()
})
