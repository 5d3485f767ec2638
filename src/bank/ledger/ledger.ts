// The ledger: for each account an append-only book of entries, each with the balance after it, and the holds that are
// not posted yet. Everything is integer cents. Postings that belong together are prepared first and written in one
// step that cannot fail, so that nobody ever sees half of them.

import { Log } from './log.js'
import { partsOf, type Day } from '../../determinism/day.js'
import { proportion, type Cents } from '../money.js'

export type Direction = 'DEBIT' | 'CREDIT'

/** One posted movement on one account. Never changed once written. */
export interface Entry {
  /** Rises with every entry of an account; 1 for the first entry of a generated history. */
  readonly postedOrder: number
  readonly direction: Direction
  /** The service's category; null on savings and loan accounts. */
  readonly transactionType: string | null
  readonly description: string
  /** Masked; empty when no card is involved. */
  readonly cardNumber: string
  readonly postingDay: Day
  readonly valueDay: Day
  readonly actionDay: Day
  readonly transactionDay: Day
  /** Positive; the sign is in `direction`. */
  readonly cents: Cents
  /** The account's balance after this entry. */
  readonly balanceCents: Cents
  /** Links the entry to its cause: a payment reference, or the id of the card transaction; may be empty. */
  readonly reference: string
}

/** A posting; the book adds order, days and balance. */
export interface Posting {
  readonly direction: Direction
  readonly transactionType: string | null
  readonly description: string
  readonly cents: Cents
  readonly cardNumber?: string | undefined
  readonly reference?: string | undefined
  /** Defaults to the posting day. */
  readonly valueDay?: Day | undefined
  readonly actionDay?: Day | undefined
  readonly transactionDay?: Day | undefined
  /** Defaults to one more than the last entry's. */
  readonly postedOrder?: number | undefined
}

/** Money that is on hold and not posted: shown as a PENDING row; a debit reduces the available balance. */
export interface Hold {
  /** 8 digits: the reference of the card transaction. */
  readonly id: string
  readonly accountId: string
  readonly direction: Direction
  readonly cents: Cents
  readonly transactionType: string | null
  /** The text of the row once it is posted. */
  readonly description: string
  /** The text while it is pending, if different: in columns, see `cardTexts`. */
  readonly pendingDescription?: string | undefined
  readonly cardNumber: string
  readonly transactionDay: Day
  /** The instant (epoch ms) at which it posts by itself. */
  readonly settlesMs: number
}

/** The exported state of a book; order and balance follow from the entries before. */
export interface BookState {
  /** Where a truncated history starts: the balance before the first entry, and the last `postedOrder`. */
  readonly opening?: BookOpening | undefined
  readonly entries: readonly EntryState[]
  readonly holds: readonly Omit<Hold, 'accountId'>[]
}

/** The start of a book whose earlier entries are not known. */
export interface BookOpening {
  readonly cents: Cents
  readonly postedOrder: number
}

/** An entry without its derived members; an omitted day is the day of posting. */
export interface EntryState {
  readonly day: Day
  /** Negative for a debit. */
  readonly cents: Cents
  readonly transactionType: string | null
  readonly description: string
  readonly cardNumber?: string | undefined
  readonly reference?: string | undefined
  readonly valueDay?: Day | undefined
  readonly actionDay?: Day | undefined
  readonly transactionDay?: Day | undefined
  /** Omitted when it is one more than that of the entry before. */
  readonly postedOrder?: number | undefined
}

const emptyOpening: BookOpening = { cents: 0, postedOrder: 0 }

/** The book of one account. */
export class Book {
  readonly entries: Log<Entry>
  #opening: BookOpening
  #balanceCents: Cents
  #heldCents: Cents
  readonly #holds: Map<string, Hold>
  /** Sorted by settlement time; a hold that was released or replaced stays until it reaches the front. */
  #queue: Hold[] = []

  constructor(entries: Entry[] = [], holds: readonly Hold[] = [], opening = emptyOpening) {
    this.entries = new Log(entries)
    this.#opening = opening
    this.#balanceCents = this.entries.last?.balanceCents ?? opening.cents
    this.#holds = new Map(holds.map((hold) => [hold.id, hold]))
    this.#heldCents = holds.reduce((sum, hold) => sum + debited(hold), 0)
    for (const hold of holds) this.#enqueue(hold)
  }

  /** The book of an exported state; the same postings give the same entries and balances. */
  static from(accountId: string, { opening, entries, holds }: BookState): Book {
    const book = new Book(
      [],
      holds.map((hold) => ({ ...hold, accountId })),
      opening,
    )
    for (const state of entries) book.#take(state)
    return book
  }

  get state(): BookState {
    return {
      ...(this.opening && { opening: this.opening }),
      entries: this.entryStates(),
      holds: Array.from(this.#holds.values(), holdState),
    }
  }

  /** Balance and order before the first entry that is known; undefined when the book is complete. */
  get opening(): BookOpening | undefined {
    return this.#opening === emptyOpening ? undefined : this.#opening
  }

  /** The exported entries from one index to another, the second not included. */
  entryStates(from = 0, to = this.entries.length): EntryState[] {
    let last = (this.entries.at(from - 1) ?? this.#opening).postedOrder
    return this.entries.slice(from, to).map((entry) => {
      const { postedOrder } = entry
      const state = entryState(entry)
      const isNext = postedOrder === last + 1
      last = postedOrder
      return isNext ? state : { ...state, postedOrder }
    })
  }

  /** The entries of another book, which it shares, then those of an exported state, with the holds of that state. */
  static after(origin: Book, accountId: string, { entries, holds }: BookState): Book {
    const book = origin.fork()
    book.#holds.clear()
    book.#queue = []
    book.#heldCents = 0
    for (const hold of holds) book.place({ ...hold, accountId })
    for (const state of entries) book.#take(state)
    return book
  }

  /** A book with the same content that changes independently. */
  fork(): Book {
    const fork = new Book()
    Object.assign(fork, { entries: this.entries.fork() })
    fork.#opening = this.#opening
    fork.#balanceCents = this.#balanceCents
    fork.#heldCents = this.#heldCents
    for (const [id, hold] of this.#holds) fork.#holds.set(id, hold)
    fork.#queue = [...this.#queue]
    return fork
  }

  /** The sum of all entries: what the service calls the current balance. */
  get balanceCents(): Cents {
    return this.#balanceCents
  }

  /** The sum of the debits on hold. */
  get heldCents(): Cents {
    return this.#heldCents
  }

  /** Oldest first. */
  get holds(): Hold[] {
    return [...this.#holds.values()]
  }

  hold(id: string): Hold | undefined {
    return this.#holds.get(id)
  }

  /** Adds a hold to the account, or replaces the one with the same id. */
  place(hold: Hold): void {
    this.release(hold.id)
    this.#holds.set(hold.id, hold)
    this.#heldCents += debited(hold)
    this.#enqueue(hold)
  }

  /** The hold that settles first, if any; drops those that were released from the head of the queue. */
  findNextHold(): Hold | undefined {
    for (let hold; (hold = this.#queue[0]); this.#queue.shift())
      if (this.#holds.get(hold.id) === hold) return hold
    return undefined
  }

  /** Releases a hold; undefined when there is none with this id. */
  release(id: string): Hold | undefined {
    const hold = this.#holds.get(id)
    if (!hold) return undefined
    this.#holds.delete(id)
    this.#heldCents -= debited(hold)
    return hold
  }

  #enqueue(hold: Hold): void {
    let index = this.#queue.length
    while (index > 0 && this.#queue[index - 1]!.settlesMs > hold.settlesMs) index--
    this.#queue.splice(index, 0, hold)
  }

  /** Appends one entry on `day`, or on the day of the last entry when the clock has been set back before it. */
  post(posting: Posting, day: Day): Entry {
    return this.#write(posting, posting.direction, posting.cents, day)
  }

  #take(state: EntryState): void {
    this.#write(state, state.cents > 0 ? 'CREDIT' : 'DEBIT', Math.abs(state.cents), state.day)
  }

  /** Appends one entry with its order, days and balance. */
  #write(posting: Omit<Posting, 'direction' | 'cents'>, direction: Direction, cents: Cents, day: Day): Entry {
    const postingDay = Math.max(day, this.entries.last?.postingDay ?? day)
    const entry: Entry = {
      postedOrder: posting.postedOrder ?? (this.entries.last ?? this.#opening).postedOrder + 1,
      direction,
      transactionType: posting.transactionType,
      description: posting.description,
      cardNumber: posting.cardNumber ?? '',
      postingDay,
      valueDay: posting.valueDay ?? postingDay,
      actionDay: posting.actionDay ?? postingDay,
      transactionDay: posting.transactionDay ?? postingDay,
      cents,
      balanceCents: this.#balanceCents + (direction === 'CREDIT' ? cents : -cents),
      reference: posting.reference ?? '',
    }
    this.entries.append(entry)
    this.#balanceCents = entry.balanceCents
    return entry
  }

  /** The range of entries posted from day `from` to day `to`, both included; found by bisection. */
  range(from: Day, to: Day): { first: number; end: number } {
    const first = this.entries.search((entry) => entry.postingDay >= from)
    return {
      first,
      end: Math.max(
        first,
        this.entries.search((entry) => entry.postingDay > to),
      ),
    }
  }

  /** The entries posted from day `from` to day `to`, both included, oldest first. */
  between(from: Day, to: Day): Entry[] {
    const { first, end } = this.range(from, to)
    return this.entries.slice(first, end)
  }

  /** The balance at the end of `day`. */
  balanceAt(day: Day): Cents {
    const last = this.entries.at(this.entries.search((entry) => entry.postingDay > day) - 1)
    return last?.balanceCents ?? this.#opening.cents
  }

  /**
   * Interest from the first of the month to `day`, from the balance at the end of each day, at yearly rates in basis
   * points (1 % is 100): earned on positive balances and owed on negative ones, in cents.
   */
  interest(day: Day, rates: InterestRates): { earned: Cents; owed: Cents } {
    const first = day - partsOf(day).date + 1
    let positive = 0
    let negative = 0
    let index = this.entries.search((entry) => entry.postingDay >= first)
    let balance = this.entries.at(index - 1)?.balanceCents ?? this.#opening.cents
    for (let each = first; each <= day; each++) {
      for (let entry; (entry = this.entries.at(index)) && entry.postingDay <= each; index++)
        balance = entry.balanceCents
      if (balance > 0) positive += balance
      else negative -= balance
    }
    const year = 365 * 10_000
    return {
      earned: proportion(positive, rates.creditBasisPoints, year),
      owed: proportion(negative, rates.debitBasisPoints, year),
    }
  }
}

/** The descriptions of interest rows. */
export const interestTexts = { earned: 'CREDIT INTEREST', owed: 'DEBIT INTEREST' } as const

/** Yearly interest rates in basis points. */
export interface InterestRates {
  readonly creditBasisPoints: number
  readonly debitBasisPoints: number
}

const debited = (hold: Hold): Cents => (hold.direction === 'DEBIT' ? hold.cents : 0)

/** A hold as an export writes it. */
export function holdState(hold: Hold): Omit<Hold, 'accountId'> {
  const { id, direction, cents, transactionType, description, pendingDescription } = hold
  const { cardNumber, transactionDay, settlesMs } = hold
  return {
    id,
    direction,
    cents,
    transactionType,
    description,
    ...(pendingDescription !== undefined && { pendingDescription }),
    cardNumber,
    transactionDay,
    settlesMs,
  }
}

function entryState(entry: Entry): EntryState {
  const { postingDay: day, direction, cents, transactionType, description } = entry
  const { cardNumber, reference, valueDay, actionDay, transactionDay } = entry
  return {
    day,
    cents: direction === 'CREDIT' ? cents : -cents,
    transactionType,
    description,
    ...(cardNumber !== '' && { cardNumber }),
    ...(reference !== '' && { reference }),
    ...(valueDay !== day && { valueDay }),
    ...(actionDay !== day && { actionDay }),
    ...(transactionDay !== day && { transactionDay }),
  }
}
