// The routines of a bank that was read from real rows: monthly entries and card spending inferred from them.

import type { Calendar, CalendarEvent } from '../bank/ledger/calendar.js'
import { Stream } from '../determinism/random.js'
import { endOfMonth, partsOf, startOfDay, type Day } from '../determinism/day.js'
import { listOf, record, type FromSchema } from '../protocol/schema.js'

const cents = { type: 'integer', minimum: 1, maximum: 100_000_000_000, description: 'Cents.' } as const
const text = { type: 'string', minLength: 1, maxLength: 200 } as const
const perMonth = {
  type: 'integer',
  minimum: 0,
  maximum: 10_000,
  description: 'How often in 100 months.',
} as const

const MonthlyEntry = record('MonthlyEntry', 'Money that comes or goes on the same day of every month.', {
  date: { type: 'integer', minimum: 1, maximum: 31, description: 'Day of the month, or its last day.' },
  direction: { enum: ['DEBIT', 'CREDIT'], description: 'Whether money leaves (DEBIT) or comes (CREDIT).' },
  cents,
  transactionType: {
    type: ['string', 'null'],
    maxLength: 100,
    description: 'The category of the row, or null.',
  },
  description: { ...text, description: 'The text of the row.' },
})

const CardSpending = record('CardSpending', 'Purchases at one merchant.', {
  perHundredMonths: perMonth,
  lowCents: cents,
  highCents: cents,
  description: { ...text, description: 'The text of the row: the merchant.' },
  cardNumber: { type: 'string', maxLength: 30, description: 'Masked, as rows show it.' },
})

/** The habits of one account, inferred from its rows. */
export const Routine = record('Routine', 'What happens on an account by itself after the start.', {
  accountId: { type: 'string', pattern: '^[0-9]{1,30}$', description: 'An accountId of the bank.' },
  monthly: {
    ...listOf(MonthlyEntry),
    maxItems: 500,
    description: 'What comes or goes on the same day of every month.',
  },
  spending: { ...listOf(CardSpending), maxItems: 5000, description: 'Where its cards are used.' },
})
export type Routine = FromSchema<typeof Routine>

/** A calendar that repeats the routines from `since` on; the same day always has the same events. */
export function createRoutineCalendar(routines: readonly Routine[], seed: number, since: Day): Calendar {
  return {
    eventsOn(day) {
      if (day < since) return []
      const { date } = partsOf(day)
      const isLast = day === endOfMonth(day)
      return routines
        .flatMap(({ accountId, monthly, spending }, place) => {
          const chance = Stream.of(seed, `routine/${accountId}/${day}`)
          return [
            ...monthly
              .filter((entry) => entry.date === date || (isLast && entry.date > date))
              .map((entry) => monthlyEvent(accountId, entry, day)),
            ...spending.flatMap((each, index) => {
              // The daily probability in thousandths; a month has 30.4 days.
              if (!chance.chance(Math.min(1000, Math.round((each.perHundredMonths * 10) / 30.4)))) return []
              const atMs = startOfDay(day) + chance.between(7 * 60, 21 * 60) * 60_000
              const [low, high] = [each.lowCents, Math.max(each.lowCents, each.highCents)]
              const reference = referenceOf(day, place, index)
              const { cardNumber, description } = each
              const amount = chance.between(low, high)
              const event = {
                kind: 'purchase',
                accountId,
                cardNumber,
                cents: amount,
                description,
                reference,
                atMs,
              }
              return [event as CalendarEvent]
            }),
          ]
        })
        .sort((a, b) => a.atMs - b.atMs)
    },
  }
}

function monthlyEvent(accountId: string, entry: Routine['monthly'][number], day: Day): CalendarEvent {
  const { direction, cents, transactionType, description } = entry
  const atMs = startOfDay(day) + 6 * 3_600_000
  const ifCovered = direction === 'DEBIT'
  return { kind: 'entry', accountId, direction, cents, transactionType, description, ifCovered, atMs }
}

/** 8 digits that begin with 1 to 4, as in every calendar; live card transactions begin with 5 to 9. */
const referenceOf = (day: Day, place: number, index: number): string =>
  `${(place % 4) + 1}${String((day * 5003 + index * 7 + place) % 10_000_000).padStart(7, '0')}`
