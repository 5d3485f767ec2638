// Calendar days. The bank keeps South African time (UTC+2, no daylight saving); a day is a whole number, so that
// ranges compare as integers and no locale or time zone of the host can change a date.

/** Days since 1970-01-01. */
export type Day = number

const dayMs = 86_400_000
const offsetMs = 2 * 3_600_000

/** The bank's day on which an instant (epoch ms) falls. */
export const dayOf = (ms: number): Day => Math.floor((ms + offsetMs) / dayMs)

/** The instant (epoch ms) at which a day of the bank begins. */
export const startOfDay = (day: Day): number => day * dayMs - offsetMs

const texts = new Map<Day, string>()

/** `2026-03-25`. Cached, because the same few hundred days are written again and again. */
export function formatDay(day: Day): string {
  let text = texts.get(day)
  if (text === undefined) {
    text = new Date(day * dayMs).toISOString().slice(0, 10)
    if (texts.size > 20_000) texts.clear()
    texts.set(day, text)
  }
  return text
}

/** `25/03/2026`, the form of payment dates. */
export function formatDaySlashed(day: Day): string {
  const [year, month, date] = formatDay(day).split('-')
  return `${date!}/${month!}/${year!}`
}

/** The day that `yyyy-mm-dd` names; undefined when there is no such day. */
export function parseDay(text: string): Day | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return undefined
  const day = dayFromParts(Number(match[1]), Number(match[2]), Number(match[3]))
  return formatDay(day) === text ? day : undefined
}

/** The time and zone that may follow a date. In a query string the `+` of a zone arrives as a space. */
const timeOfDay = String.raw`(?:[T ]\d{2}(?::?\d{2}(?::?\d{2}(?:[.,]\d{1,9})?)?)?(?:Z|[+\- ]\d{2}(?::?\d{2})?)?)?`
const calendarDate = new RegExp(String.raw`^(\d{4})(-?)(\d{2})\2(\d{2})${timeOfDay}$`, 'i')
const ordinalDate = new RegExp(String.raw`^(\d{4})-?(\d{3})${timeOfDay}$`, 'i')
const weekDate = new RegExp(String.raw`^(\d{4})(-?)W(\d{2})\2([1-7])${timeOfDay}$`, 'i')

/**
 * The date that a text names in any form of ISO 8601, as `yyyy-mm-dd`: a calendar, ordinal or week date, with or
 * without a time. The written date counts, whatever the zone. Undefined when there is no such date.
 */
export function parseIsoDate(text: string): string | undefined {
  if (text.length > 60) return undefined
  const [, year, , month, date] = calendarDate.exec(text) ?? []
  if (year !== undefined) {
    const written = `${year}-${month!}-${date!}`
    return parseDay(written) === undefined ? undefined : written
  }
  const [, ordinalYear, ordinal] = ordinalDate.exec(text) ?? []
  if (ordinalYear !== undefined) {
    const day = dayFromParts(Number(ordinalYear), 1, Number(ordinal))
    return Number(ordinal) > 0 && partsOf(day).year === Number(ordinalYear) ? formatDay(day) : undefined
  }
  const [, weekYear, , week, weekday] = weekDate.exec(text) ?? []
  if (weekYear === undefined) return undefined
  // The week with 4 January is the first; weeks begin on Monday.
  const fourth = dayFromParts(Number(weekYear), 1, 4)
  const monday = fourth - ((partsOf(fourth).weekday + 6) % 7) + (Number(week) - 1) * 7
  const isOfYear = Number(week) > 0 && partsOf(monday + 3).year === Number(weekYear)
  return isOfYear ? formatDay(monday + Number(weekday) - 1) : undefined
}

/**
 * The instant (epoch ms) that a text names: `2026-03-25` (its first instant in UTC), or an instant with its zone,
 * `2026-03-25T08:00:00Z`. From 1980 to 2200; undefined otherwise.
 */
export function parseInstant(text: string): number | undefined {
  const form = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/
  const ms = form.test(text) && parseDay(text.slice(0, 10)) !== undefined ? Date.parse(text) : NaN
  return isInRange(ms) ? ms : undefined
}

/** Whether the sandbox's clock accepts an instant (epoch ms): 1980 to 2200. */
export function isInRange(ms: number): boolean {
  const year = new Date(ms).getUTCFullYear()
  return year >= 1980 && year <= 2200
}

/** Month 1 to 12; days outside the month overflow into the months before and after. */
export function dayFromParts(year: number, month: number, date: number): Day {
  // setUTCFullYear, because Date.UTC reads the years 0 to 99 as 1900 to 1999.
  return Math.floor(new Date(0).setUTCFullYear(year, month - 1, date) / dayMs)
}

/** Year, month (1 to 12), day of the month, and weekday (0 is Sunday). */
export function partsOf(day: Day): { year: number; month: number; date: number; weekday: number } {
  const at = new Date(day * dayMs)
  return {
    year: at.getUTCFullYear(),
    month: at.getUTCMonth() + 1,
    date: at.getUTCDate(),
    weekday: at.getUTCDay(),
  }
}

/** The last day of the month that contains `day`. */
export function endOfMonth(day: Day): Day {
  const { year, month } = partsOf(day)
  return dayFromParts(year, month + 1, 0)
}
