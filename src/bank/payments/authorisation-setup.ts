// Who must agree before money leaves an account, and how long a payment waits for them.

import type { InputError } from '../../protocol/problem.js'
import type { AuthorisationSetup } from '../records.js'

/** What the service shows for an account whose payments need no authorisation. */
export const noAuthorisation: AuthorisationSetup = {
  numberOfAuthorisationRequired: '0',
  period: null,
  authorisersListA: null,
  authorisersListB: null,
}

/** The periods of a setup that names none: `0 Current Day`, `1 Working day`, `2 Working days` to `10 Working days`. */
export const standardPeriods = Array.from({ length: 11 }, (_, days) => ({
  id: String(days + 1),
  description: days === 0 ? '0 Current Day' : `${days} Working day${days === 1 ? '' : 's'}`,
}))

/** How many people must agree: 0 to 2. */
export const authorisersNeeded = (setup: AuthorisationSetup | null): number =>
  Number(setup?.numberOfAuthorisationRequired ?? 0)

const unitMs = { hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000, month: 30 * 86_400_000 } as const

/**
 * The length of a period (ms) from its description: `12 hours`, `2 days`, `1 week`, `10 Working days`. A month has 30
 * days, working days count as days, and `0 Current Day` as one.
 */
function readPeriod(description: string): number | undefined {
  if (/\bcurrent day\b/i.test(description)) return unitMs.day
  const match = /(\d{1,4})\s*(?:working )?(hour|day|week|month)/i.exec(description)
  return match ? Number(match[1]) * unitMs[match[2]!.toLowerCase() as keyof typeof unitMs] : undefined
}

/**
 * How long a payment waits, in ms; a week when the description names no time, which happens in the state of another
 * bank.
 */
export const periodMs = (description: string): number => readPeriod(description) ?? unitMs.week

/** What is wrong with a setup: nobody could ever authorise, or a period has no known length. */
export function setupErrors(setup: AuthorisationSetup): InputError[] {
  const errors: InputError[] = []
  const needed = setup.numberOfAuthorisationRequired
  if (!/^[012]$/.test(needed))
    errors.push({ path: '/numberOfAuthorisationRequired', message: 'must be "0", "1" or "2"' })
  if (/^[12]$/.test(needed) && !setup.authorisersListA?.length)
    errors.push({ path: '/authorisersListA', message: 'must name somebody' })
  if (needed === '2' && !setup.authorisersListB?.length)
    errors.push({ path: '/authorisersListB', message: 'must name somebody' })
  for (const [index, { description }] of (setup.period ?? []).entries())
    if (readPeriod(description) === undefined)
      errors.push({
        path: `/period/${index}/description`,
        message: 'must say how many hours, days, weeks or months, such as "24 hours"',
      })
  return errors
}

/** Who must authorise, by name. */
interface NamedAuthorisers {
  /** How many people must agree. */
  readonly required: number
  readonly listA: readonly string[]
  /** Omitted unless two people must agree. */
  readonly listB?: readonly string[] | undefined
}

/** The setup for a number of authorisers and their names; the ids are counted. */
export function setupOf({ required, listA, listB }: NamedAuthorisers): AuthorisationSetup {
  const list = (names: readonly string[], first: number) =>
    names.map((name, index) => ({ authoriserId: String(10_170_000_000_001 + first + index), name }))
  return {
    numberOfAuthorisationRequired: String(required),
    period: [...standardPeriods],
    authorisersListA: list(listA, 0),
    authorisersListB: listB ? list(listB, 100) : null,
  }
}
