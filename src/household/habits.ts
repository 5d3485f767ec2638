// The habits of an account: its regular events. The fixtures contain them, and their JSON Schema is made here.

import { listOf, record, type RecordFrom } from '../protocol/schema.js'

const text = { type: 'string', minLength: 1 } as const
const date = { type: 'integer', minimum: 1, maximum: 28, description: 'Day of the month.' } as const
const cents = { type: 'integer', minimum: 1, description: 'The amount of each payment, in cents.' } as const

const months = {
  ...listOf({ type: 'integer', minimum: 1, maximum: 12 }),
  minItems: 1,
  uniqueItems: true,
  description: 'Months of the year; every month when absent.',
} as const

const standingOrder = record('StandingOrder', 'A payment between two accounts of the client that repeats.', {
  toAccountId: { type: 'string', pattern: '^[0-9]{25}$', description: '25 digits.' },
  cents,
  date,
  months,
  fromDescription: text,
  toDescription: text,
})
const StandingOrder = {
  ...standingOrder,
  required: ['toAccountId', 'cents', 'date', 'fromDescription', 'toDescription'],
} as const

const payment = record('RegularPayment', 'A payment to a beneficiary that repeats.', {
  beneficiaryId: text,
  cents,
  date,
  months,
  description: { type: 'string', minLength: 1, maxLength: 30 },
})
const RegularPayment = { ...payment, required: ['beneficiaryId', 'cents', 'date', 'description'] } as const

const habits = record('Habits', 'What happens on the account by itself.', {
  kind: {
    enum: ['household', 'business', 'quiet'],
    description: 'A quiet account only has its interest and what others pay into it.',
  },
  openingCents: {
    type: 'integer',
    description: 'The balance at the start of the history, in cents; negative on a loan.',
  },
  standingOrders: listOf(StandingOrder),
  payments: listOf(RegularPayment),
  rows: {
    type: 'integer',
    minimum: 0,
    description: 'The number of additional rows, spread over the days before the start.',
  },
})
export const Habits = { ...habits, required: ['kind', 'openingCents'] } as const
export type Habits = RecordFrom<typeof Habits>

/** What the calendar needs to know about an account. */
export interface HabitAccount {
  readonly accountId: string
  readonly habits: Habits
  /** Masked numbers of the cards that spend from the account. */
  readonly cardNumbers: readonly string[]
}
