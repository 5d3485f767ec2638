// Amounts of money in the bodies of the control API.

import { parseRand, type Cents } from '../bank/money.js'
import type { InputError } from '../protocol/problem.js'

/** As in the service's own bodies: text, or a JSON number. */
export const amount = {
  type: ['string', 'number'],
  description: 'Rand: positive, with two decimals at most.',
  examples: ['250.00'],
} as const

/** Cents of an amount; a fault is noted, and 0 is answered, when it is none. */
export function readCents(given: string | number, path: string, faults: InputError[]): Cents {
  const cents = parseRand(given)
  if (cents === undefined)
    faults.push({ path, message: 'must be a positive amount in rand with two decimals at most' })
  return cents ?? 0
}
