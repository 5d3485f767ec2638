// ISO 8601 durations, with the arithmetic of the bank's calendar: a month after 31 January is the last day of February.

import { dayFromParts, dayOf, endOfMonth, partsOf, startOfDay } from './day.js'

/** A length of time. Years and months are kept apart from `ms`, because their length varies. */
export interface Duration {
  readonly months: number
  readonly ms: number
}

const form =
  /^P(?=[\dT])(?:(\d{1,6})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})W)?(?:(\d{1,7})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,12})(?:[.,](\d{1,3}))?S)?)?$/

/**
 * The duration that `P1DT12H` describes; undefined when the text is not a duration. Never negative; only seconds may
 * have fractions.
 */
export function parseDuration(text: string): Duration | undefined {
  const match = form.exec(text)
  if (!match) return undefined
  const [years, months, weeks, days, hours, minutes, seconds] = match
    .slice(1, 8)
    .map((part) => Number((part as string | undefined) ?? 0))
  const fraction = Number((match[8] ?? '').padEnd(3, '0'))
  const minutesInAll = ((weeks! * 7 + days!) * 24 + hours!) * 60 + minutes!
  return { months: years! * 12 + months!, ms: minutesInAll * 60_000 + seconds! * 1000 + fraction }
}

/** Adds a duration to an instant (epoch ms). Months are counted in the bank's days. */
export function addDuration(atMs: number, { months, ms }: Duration): number {
  if (months === 0) return atMs + ms
  const day = dayOf(atMs)
  const { year, month, date } = partsOf(day)
  const first = dayFromParts(year, month + months, 1)
  const target = Math.min(first + date - 1, endOfMonth(first))
  return startOfDay(target) + (atMs - startOfDay(day)) + ms
}

/** The milliseconds of a duration without years and months, such as a settlement time; undefined when it has either. */
export function parseMs(text: string): number | undefined {
  const duration = parseDuration(text)
  return duration?.months === 0 ? duration.ms : undefined
}

/** `P2D` or `PT1.5S` for a number of milliseconds. */
export function formatMs(ms: number): string {
  const days = Math.floor(ms / 86_400_000)
  const rest = ms - days * 86_400_000
  const hours = Math.floor(rest / 3_600_000)
  const minutes = Math.floor((rest % 3_600_000) / 60_000)
  const seconds = (rest % 60_000) / 1000
  const parts = [hours > 0 && `${hours}H`, minutes > 0 && `${minutes}M`, seconds > 0 && `${seconds}S`]
  const time = parts.filter((part) => part !== false).join('')
  if (days === 0) return time === '' ? 'PT0S' : `PT${time}`
  return `P${days}D${time === '' ? '' : `T${time}`}`
}
