// Scheduled events of a day of the bank: salaries, debit orders, purchases, interest. The calendar is a pure function
// of the day. The history is the calendar run over past days, and it continues as the clock moves.

import type { Day } from '../../determinism/day.js'
import type { Direction } from './ledger.js'
import type { Cents } from '../money.js'

/** Where a card is used, as the control API describes it. */
export interface MerchantDetails {
  readonly name: string
  readonly city: string
  /** ISO 3166-1 alpha-2, upper case. */
  readonly countryCode: string
  /** Four digits. */
  readonly categoryCode: string
}

/** One thing that happens at an instant (epoch ms). */
export type CalendarEvent = { readonly atMs: number } & (
  | {
      /** Money enters or leaves the bank and is posted at once. */
      readonly kind: 'entry'
      readonly accountId: string
      readonly direction: Direction
      readonly cents: Cents
      readonly transactionType: string | null
      readonly description: string
      /** A debit that fails when the account lacks the money; the bank's own charges happen anyway. */
      readonly ifCovered: boolean
    }
  | {
      /**
       * A card purchase: declined when the account lacks the money, else pending, and posted after the settlement
       * time.
       */
      readonly kind: 'purchase'
      readonly accountId: string
      readonly cardNumber: string
      readonly cents: Cents
      readonly description: string
      /** 8 digits, unique among the calendar's purchases. */
      readonly reference: string
      /** Omitted when only the text of the row is known. */
      readonly merchant?: MerchantDetails | undefined
    }
  | {
      /** Between two accounts of the client, when the first has the money; never more than the loan owes. */
      readonly kind: 'standing-order'
      readonly fromId: string
      readonly toId: string
      readonly cents: Cents
      readonly transactionType: string
      readonly fromDescription: string
      readonly toDescription: string
    }
  | {
      /** To a beneficiary who has been paid before, when the account has the money. */
      readonly kind: 'payment'
      readonly accountId: string
      readonly beneficiaryId: string
      readonly cents: Cents
      readonly description: string
    }
  | {
      /** One account's interest for the month that ends on this day. */
      readonly kind: 'interest'
      readonly accountId: string
    }
)

/** The events of each day, in the order of their instants. The same day always has the same events. */
export interface Calendar {
  eventsOn(day: Day): readonly CalendarEvent[]
}
