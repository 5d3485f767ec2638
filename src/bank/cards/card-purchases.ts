// The card purchases in the books with their merchants, as card code is tested against them: those of the household,
// and those made over the control API.

import type { Bank } from '../bank.js'
import { startOfDay, type Day } from '../../determinism/day.js'
import type { Entry, Hold } from '../ledger/ledger.js'
import type { CalendarEvent, MerchantDetails } from '../ledger/calendar.js'
import { maskPan } from '../ledger/transactions.js'
import { country } from '../reference.js'

/** A card purchase that is pending or posted. */
export interface CardPurchase {
  /** 8 digits: the reference that hooks see. */
  readonly id: string
  readonly cardKey: string
  readonly accountId: string
  /** When the card was used: an ISO 8601 instant in UTC. */
  readonly dateTime: string
  /** In the currency of the purchase. */
  readonly centsAmount: number
  /** ISO 4217, upper case. */
  readonly currencyCode: string
  /** What the account was charged. */
  readonly randCents: number
  readonly merchant: MerchantDetails
  readonly status: 'pending' | 'posted'
}

/** Selects purchases. Days are those on which the card was used, both included. */
export interface CardPurchaseQuery {
  readonly cardKey?: string | undefined
  readonly from?: Day | undefined
  readonly to?: Day | undefined
}

/**
 * Card purchases with their merchants, oldest first, without refunds, withdrawals and declined purchases. When only
 * the row is known, its text is the merchant's name, the category is `0000`, and the time is the start of the day.
 * Throws `unknown-card`.
 */
export function cardPurchases(
  bank: Bank,
  { cardKey, from = -Infinity, to = Infinity }: CardPurchaseQuery = {},
): CardPurchase[] {
  const cards = cardKey === undefined ? bank.cards.records : [bank.cards.get(cardKey).card]
  const byNumber = new Map(cards.map((card) => [`${card.accountId}/${maskPan(card.pan, 'x')}`, card.cardKey]))
  const planned = plannedPurchases(bank)
  const purchases = new Map<string, CardPurchase>()
  for (const accountId of new Set(cards.map((card) => card.accountId))) {
    const book = bank.book(accountId)
    const take = (row: Entry | Hold, id: string, status: CardPurchase['status']): void => {
      if (row.direction !== 'DEBIT' || row.transactionType !== 'CardPurchases') return
      if (row.transactionDay < from || row.transactionDay > to || purchases.has(id)) return
      const card = byNumber.get(`${accountId}/${row.cardNumber}`)
      if (card === undefined) return
      const details = detailsOf(bank, planned, { accountId, id, row })
      purchases.set(id, { id, cardKey: card, accountId, randCents: row.cents, ...details, status })
    }
    // A purchase is posted on its own day or later.
    const first = from === -Infinity ? 0 : book.range(from, Infinity).first
    for (const entry of book.entries.slice(first)) take(entry, entry.reference, 'posted')
    for (const hold of book.holds) take(hold, hold.id, 'pending')
  }
  return [...purchases.values()].sort(
    (a, b) => Number(a.dateTime > b.dateTime) - Number(a.dateTime < b.dateTime) || (a.id < b.id ? -1 : 1),
  )
}

type PlannedPurchase = Extract<CalendarEvent, { kind: 'purchase' }>

type Details = Pick<CardPurchase, 'dateTime' | 'centsAmount' | 'currencyCode' | 'merchant'>

/** When, where and in which currency. The card keeps a terminal's purchase; the calendar plans the household's. */
function detailsOf(
  bank: Bank,
  planned: (day: Day) => ReadonlyMap<string, PlannedPurchase>,
  { accountId, id, row }: { accountId: string; id: string; row: Entry | Hold },
): Details {
  if (bank.cards.hasTransaction(id)) {
    const { dateTime, centsAmount, currencyCode, merchant } = bank.cards.transaction(id)
    return { dateTime, centsAmount, currencyCode, merchant }
  }
  const event = planned(row.transactionDay).get(`${accountId}/${id}`)
  const dateTime = new Date(event?.atMs ?? startOfDay(row.transactionDay)).toISOString()
  const merchant = event?.merchant ?? merchantOf(row.description)
  return { dateTime, centsAmount: row.cents, currencyCode: 'ZAR', merchant }
}

/**
 * The merchant that a row's text names: the country at its end, `FRESH PRODUCE KURUMAN ZA`, and the rest as the name.
 */
function merchantOf(description: string): MerchantDetails {
  const code = /\s([A-Z]{2})$/.exec(description)?.[1]
  const place = code === undefined ? undefined : country(code)
  const name = place ? description.slice(0, -3).trim() : description
  return { name, city: '', countryCode: place?.code ?? 'ZA', categoryCode: '0000' }
}

/** The purchases that the calendar plans for a day, by account and reference; each day is computed once. */
function plannedPurchases({ calendar }: Bank): (day: Day) => ReadonlyMap<string, PlannedPurchase> {
  const days = new Map<Day, ReadonlyMap<string, PlannedPurchase>>()
  return (day) => {
    let purchases = days.get(day)
    if (!purchases) {
      const events = calendar.eventsOn(day).filter((event) => event.kind === 'purchase')
      purchases = new Map(events.map((event) => [`${event.accountId}/${event.reference}`, event]))
      days.set(day, purchases)
    }
    return purchases
  }
}
