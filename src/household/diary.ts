// The events of one account on one day.

import type { CalendarEvent } from '../bank/ledger/calendar.js'
import { cardDescription } from '../bank/ledger/transactions.js'
import type { Cents } from '../bank/money.js'
import { partsOf, startOfDay, type Day } from '../determinism/day.js'
import { hash, type Stream } from '../determinism/random.js'
import type { HabitAccount } from './habits.js'

/** Collects the events of one account on one day. */
export class Diary {
  readonly events: CalendarEvent[] = []
  readonly date: number
  readonly month: number
  readonly weekday: number
  #atMs = 0
  #purchases = 0

  constructor(
    readonly account: HabitAccount,
    readonly day: Day,
    readonly chance: Stream,
  ) {
    const parts = partsOf(day)
    this.date = parts.date
    this.month = parts.month
    this.weekday = parts.weekday
  }

  at(hour: number, minute: number): this {
    this.#atMs = startOfDay(this.day) + (hour * 60 + minute) * 60_000
    return this
  }

  /** A time of day between two hours. */
  during(from: number, to: number): this {
    return this.at(from, this.chance.between(0, (to - from) * 60 - 1))
  }

  add(event: WithoutTime<CalendarEvent>): void {
    this.events.push({ ...event, atMs: this.#atMs })
  }

  entry(
    direction: 'DEBIT' | 'CREDIT',
    cents: Cents,
    transactionType: string,
    description: string,
    ifCovered = direction === 'DEBIT' && transactionType !== 'FeesAndInterest',
  ): void {
    const { accountId } = this.account
    this.add({ kind: 'entry', accountId, direction, cents, transactionType, description, ifCovered })
  }

  purchase(cents: Cents, shop: Shop): void {
    const { accountId, cardNumbers } = this.account
    if (cardNumbers.length === 0) return
    const cardNumber = this.chance.pick(cardNumbers)
    const reference = referenceOf(this.account.accountId, this.day, this.#purchases++)
    const merchant = { name: shop.name, city: shop.city, countryCode: 'ZA', categoryCode: shop.categoryCode }
    const description = cardDescription(merchant.name, merchant.city, merchant.countryCode)
    this.add({ kind: 'purchase', accountId, cardNumber, cents, description, reference, merchant })
  }

  /** How often an event that happens `perMonth` times a month happens today. */
  times(perMonth: number): number {
    const permille = Math.round((perMonth * 1000) / 30)
    return Math.floor(permille / 1000) + (this.chance.chance(permille % 1000) ? 1 : 0)
  }
}

/**
 * The 8 digits of a calendar purchase: unique on one account, because day and position in the day go through a
 * one-to-one map. They begin with 1 to 4; those of live card transactions begin with 5 to 9.
 */
function referenceOf(accountId: string, day: Day, place: number): string {
  const own = hash(accountId)
  const digits = ((day * 100 + place) * 7_654_321 + own) % 10_000_000
  return `${(own % 4) + 1}${String(digits).padStart(7, '0')}`
}

type WithoutTime<E> = E extends unknown ? Omit<E, 'atMs'> : never

export interface Shop {
  readonly name: string
  readonly city: string
  /** Merchant category, four digits. */
  readonly categoryCode: string
}
