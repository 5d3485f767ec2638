// Amounts and days in the bodies of the control API.

import { parseRand, type Cents } from '../bank/money.js'
import { parseDay, type Day } from '../determinism/day.js'
import type { InputError } from '../protocol/problem.js'

/** As in the service's own bodies: text, or a JSON number. */
export const amount = {
  type: ['string', 'number'],
  maxLength: 40,
  description: 'Rand: positive, with two decimals at most.',
  examples: ['250.00'],
} as const

/** The cents of an amount; reports an error and returns 0 when it is invalid. */
export function readCents(given: string | number, path: string, errors: InputError[]): Cents {
  const cents = parseRand(given)
  if (cents === undefined)
    errors.push({ path, message: 'must be a positive amount in rand with two decimals at most' })
  return cents ?? 0
}

/** The day of a date from 1970 until today, by default today; reports an error when it is another. */
export function readPastDay(date: string | undefined, today: Day, path: string, errors: InputError[]): Day {
  const day = date === undefined ? today : parseDay(date)!
  if (day > today) errors.push({ path, message: "must not be after the sandbox's today" })
  if (day < 0) errors.push({ path, message: 'must not be before 1970-01-01' })
  return day
}
