// The books of all accounts, and the operations on holds: a card purchase is placed, then settled, reversed or
// adjusted. The caller decides whether the account has the money; the books only keep the accounts consistent.

import { quoted } from '../../protocol/quote.js'
import { invalid, Problem } from '../../protocol/problem.js'
import type { AccountRecord, BankEvent, BankSettings } from '../client-records.js'
import type { Clock } from '../../determinism/clock.js'
import { dayOf, type Day } from '../../determinism/day.js'
import { Book, type BookState, type Direction, type Entry, type Hold, type Posting } from './ledger.js'
import { formatRand, maxBalanceCents, maxCents, type Cents } from '../money.js'
import type { Random } from '../../determinism/random.js'

/** What the books need from the bank that owns them. */
export interface BooksOwner {
  readonly clock: Clock
  readonly random: Random
  readonly settings: BankSettings
  account(accountId: string): AccountRecord
  tell(type: string, detail: Omit<BankEvent, 'type' | 'atMs'>, atMs?: number): void
}

/** Money to put on hold for a card transaction. */
export interface HoldRequest {
  readonly accountId: string
  /** Positive. */
  readonly cents: Cents
  /** The row's text; `cardTexts` writes it as card networks do. */
  readonly description: string
  /** Its text while it is pending, if different. */
  readonly pendingDescription?: string | undefined
  /** Masked as rows show it: `maskPan(pan, 'x')`. */
  readonly cardNumber?: string
  /** `CREDIT` for a refund, which holds nothing until it posts. Default `DEBIT`. */
  readonly direction?: Direction
  /** Default `CardPurchases`. */
  readonly transactionType?: string
  /** 8 digits; `newId` draws one when it is omitted. */
  readonly id?: string
  /** Epoch ms at which it posts by itself; default: after the bank's settlement time. */
  readonly settlesMs?: number
}

/** The result of a reversal or an adjustment: the hold before or after it, or the correcting entry. */
export type Changed =
  | { readonly status: 'pending'; readonly hold: Hold }
  | { readonly status: 'posted'; readonly accountId: string; readonly entry: Entry }

/**
 * One book for each account. Amounts are cents, times epoch ms. Every method makes its whole change, or throws and
 * changes nothing.
 */
export class Books {
  readonly #owner: BooksOwner
  readonly #books = new Map<string, Book>()
  /** Ids that {@link newId} has drawn, so that none is drawn twice. */
  readonly #drawn = new Set<string>()
  /** No hold settles before this instant. */
  #dueMs = Infinity

  constructor(owner: BooksOwner) {
    this.#owner = owner
  }

  /** A copy of the books for another bank; later changes affect only one of the two. */
  fork(owner: BooksOwner): Books {
    const fork = new Books(owner)
    for (const [accountId, book] of this.#books) fork.#books.set(accountId, book.fork())
    for (const id of this.#drawn) fork.#drawn.add(id)
    fork.#dueMs = this.#dueMs
    return fork
  }

  /** Opens the book of an account, empty or with an exported state. */
  open(accountId: string, book = new Book()): void {
    this.#books.set(accountId, book)
    for (const { reference } of book.entries) if (isLive(reference)) this.#drawn.add(reference)
    for (const { id, settlesMs } of book.holds) {
      if (isLive(id)) this.#drawn.add(id)
      this.#dueMs = Math.min(this.#dueMs, settlesMs)
    }
  }

  /** The books by account, JSON-able. */
  get state(): Readonly<Record<string, BookState>> {
    return Object.fromEntries(Array.from(this.#books, ([accountId, book]) => [accountId, book.state]))
  }

  /** Loads exported books. */
  restore(state: Readonly<Record<string, BookState>>): void {
    this.load(Object.entries(state).map(([accountId, book]) => [accountId, Book.from(accountId, book)]))
  }

  /** Replaces its books with these. */
  load(books: Iterable<readonly [accountId: string, book: Book]>): void {
    this.#books.clear()
    this.#drawn.clear()
    this.#dueMs = Infinity
    for (const [accountId, book] of books) this.open(accountId, book)
  }

  /** Every book by its account, read-only. */
  get all(): ReadonlyMap<string, Book> {
    return this.#books
  }

  /** The book of an account, read-only. Throws `unknown-account`. */
  of(accountId: string): Book {
    const book = this.#books.get(this.#owner.account(accountId).accountId)
    if (!book) throw new Error(`Account ${accountId} has no book`)
    return book
  }

  /** Appends one entry on `day`. Savings and loan rows carry no transaction type, whatever the posting says. */
  post(accountId: string, posting: Posting, day: Day, atMs?: number): Entry {
    return this.postAll([{ ...posting, accountId }], day, atMs)[0]!
  }

  /** Whether these entries keep every balance within {@link maxBalanceCents}, the limit of an export. */
  fits(postings: readonly (Posting & { accountId: string })[]): boolean {
    const balances = new Map<string, Cents>()
    for (const { accountId, direction, cents } of postings) {
      const before = balances.get(accountId) ?? this.of(accountId).balanceCents
      balances.set(accountId, before + (direction === 'CREDIT' ? cents : -cents))
    }
    return [...balances.values()].every((cents) => Math.abs(cents) <= maxBalanceCents)
  }

  /**
   * Like {@link postAll}, for events that happen by themselves: when a balance would not fit, it posts nothing and
   * tells the listener.
   */
  postDue(postings: readonly (Posting & { accountId: string })[], day: Day, atMs: number): readonly Entry[] {
    if (this.fits(postings)) return this.postAll(postings, day, atMs)
    for (const { accountId, cents, description } of postings)
      this.#owner.tell('unpaid', { accountId, cents, description }, atMs)
    return []
  }

  /**
   * Appends entries that belong together, and makes the change `also`, which belongs to them and cannot fail. Events
   * are sent after all of it is written, so that nobody sees a part. Throws `invalid-request` when a balance would
   * exceed {@link maxBalanceCents}.
   */
  postAll(
    postings: readonly (Posting & { accountId: string })[],
    day: Day,
    atMs?: number,
    also?: () => void,
  ): Entry[] {
    if (!this.fits(postings))
      throw invalid([
        { path: '/amount', message: `takes the balance beyond ${formatRand(maxBalanceCents)} rand` },
      ])
    const prepared = postings.map((posting) => {
      const { kind } = this.#owner.account(posting.accountId)
      const transactionType = kind === 'current' ? posting.transactionType : null
      return { book: this.of(posting.accountId), posting: { ...posting, transactionType } }
    })
    const entries = prepared.map(({ book, posting }) => book.post(posting, day))
    also?.()
    for (const [index, entry] of entries.entries()) {
      const { accountId } = postings[index]!
      const { direction, cents, balanceCents, description, reference } = entry
      this.#owner.tell('entry', { accountId, direction, cents, balanceCents, description, reference }, atMs)
    }
    return entries
  }

  /** An id for a card transaction: 8 digits, the first 5 to 9 (purchases of the household begin with 1 to 4). */
  newId(): string {
    const stream = this.#owner.random.stream('card-transactions')
    for (;;) {
      const id = stream.characters('56789', 1) + stream.characters('0123456789', 7)
      if (this.#drawn.has(id)) continue
      this.#drawn.add(id)
      return id
    }
  }

  /** The hold with this id, on any account. */
  pending(id: string): Hold | undefined {
    for (const book of this.#books.values()) {
      const hold = book.hold(id)
      if (hold) return hold
    }
    return undefined
  }

  /** Places a hold, whether the account has the money or not: a PENDING row. A refund is a hold of `CREDIT`. */
  hold(request: HoldRequest, atMs = this.#owner.clock.now()): Hold {
    this.of(request.accountId)
    checkCents(request.cents)
    const id = request.id ?? this.newId()
    // The calendar draws its ids at random. When one is taken, the next free one is used, which is the same in every
    // run.
    const free = this.pending(id) ? this.#nextFree(id) : id
    const hold: Hold = {
      id: free,
      accountId: request.accountId,
      direction: request.direction ?? 'DEBIT',
      cents: request.cents,
      transactionType: request.transactionType ?? 'CardPurchases',
      description: request.description,
      ...(request.pendingDescription !== undefined && { pendingDescription: request.pendingDescription }),
      cardNumber: request.cardNumber ?? '',
      transactionDay: dayOf(atMs),
      settlesMs: request.settlesMs ?? atMs + this.#owner.settings.settlement,
    }
    this.#place(hold)
    this.#owner.tell('hold', describe(hold), atMs)
    return hold
  }

  /** Posts a pending transaction today. Throws `unknown-transaction`, and `not-pending` when it is posted. */
  settle(id: string): Entry {
    const hold = this.#pendingOrRefuse(id)
    if (!this.fits([hold])) throw new Problem('not-pending', 'The balance has no room for this transaction.')
    return this.#settle(hold, this.#owner.clock.now())
  }

  /** Releases a pending transaction, as for an authorisation that was never used. Throws like {@link settle}. */
  release(id: string): Hold {
    const hold = this.#pendingOrRefuse(id)
    this.of(hold.accountId).release(id)
    this.#owner.tell('release', describe(hold))
    return hold
  }

  /**
   * Reverses a transaction: releases a pending one; posts a correcting entry today for a posted one. Throws
   * `unknown-transaction`, and `already-reversed`.
   */
  reverse(id: string): Changed {
    if (this.pending(id)) return { status: 'pending', hold: this.release(id) }
    const posted = this.#postedOrRefuse(id)
    return { status: 'posted', accountId: posted.accountId, entry: this.#correct(posted, 0) }
  }

  /**
   * Changes the amount of a transaction: replaces the hold of a pending one; posts the difference today for a posted
   * one. The current amount changes nothing and returns the hold or its last entry. Throws `unknown-transaction`, and
   * `already-reversed`.
   */
  adjust(id: string, cents: Cents): Changed {
    checkCents(cents)
    const before = this.pending(id)
    if (before) {
      const hold = { ...before, cents }
      if (cents !== before.cents) {
        this.#place(hold)
        this.#owner.tell('hold', describe(hold))
      }
      return { status: 'pending', hold }
    }
    const posted = this.#postedOrRefuse(id)
    const { accountId, last, netCents } = posted
    const entry = cents === Math.abs(netCents) ? last : this.#correct(posted, cents * Math.sign(netCents))
    return { status: 'posted', accountId, entry }
  }

  /** Before this instant no hold settles by itself. */
  get dueMs(): number {
    return this.#dueMs
  }

  /** Finds the hold that settles first; `dueMs` becomes its instant. */
  findNext(): Hold | undefined {
    let next: Hold | undefined
    for (const book of this.#books.values()) {
      const hold = book.findNextHold()
      if (hold && (!next || hold.settlesMs < next.settlesMs)) next = hold
    }
    this.#dueMs = next?.settlesMs ?? Infinity
    return next
  }

  /** Posts a hold that is due, at its instant and on its day; releases it when the balance has no room for it. */
  settleDue(hold: Hold): void {
    if (this.fits([hold])) this.#settle(hold, hold.settlesMs)
    else {
      this.of(hold.accountId).release(hold.id)
      this.#owner.tell('release', describe(hold), hold.settlesMs)
    }
  }

  #settle(hold: Hold, atMs: number): Entry {
    const day = dayOf(atMs)
    this.of(hold.accountId).release(hold.id)
    const { direction, cents, transactionType, description, cardNumber, transactionDay } = hold
    const entry = this.post(
      hold.accountId,
      {
        direction,
        cents,
        transactionType,
        description,
        cardNumber,
        reference: hold.id,
        actionDay: day,
        valueDay: transactionDay,
        transactionDay,
      },
      day,
      atMs,
    )
    this.#owner.tell('settlement', { ...describe(hold), postedOrder: entry.postedOrder }, atMs)
    return entry
  }

  #place(hold: Hold): void {
    this.of(hold.accountId).place(hold)
    this.#dueMs = Math.min(this.#dueMs, hold.settlesMs)
  }

  #nextFree(id: string): string {
    let free = id
    do free = String((Number(free) + 1) % 100_000_000).padStart(8, '0')
    while (this.pending(free))
    return free
  }

  #pendingOrRefuse(id: string): Hold {
    const hold = this.pending(id)
    if (hold) return hold
    this.#postedOrRefuse(id)
    throw new Problem('not-pending', `Transaction ${id} is posted already.`)
  }

  /**
   * The sum of the entries of a posted transaction; a correction carries the id of the transaction that it corrects.
   */
  #postedOrRefuse(id: string): Posted {
    if (/^\d{8}$/.test(id))
      for (const [accountId, { entries }] of this.#books) {
        let last: Entry | undefined
        let netCents = 0
        for (const entry of entries)
          if (entry.reference === id) {
            last = entry
            netCents += entry.direction === 'CREDIT' ? entry.cents : -entry.cents
          }
        if (!last) continue
        if (netCents === 0) throw new Problem('already-reversed', `Transaction ${id} has been reversed.`)
        return { accountId, last, netCents }
      }
    throw new Problem('unknown-transaction', `No card transaction has the id ${quoted(id)}.`)
  }

  #correct({ accountId, last, netCents }: Posted, toCents: Cents): Entry {
    const difference = toCents - netCents
    const { transactionType, description, cardNumber, reference } = last
    return this.post(
      accountId,
      {
        direction: difference > 0 ? 'CREDIT' : 'DEBIT',
        cents: Math.abs(difference),
        transactionType,
        description,
        cardNumber,
        reference,
      },
      dayOf(this.#owner.clock.now()),
    )
  }
}

interface Posted {
  readonly accountId: string
  readonly last: Entry
  /** Negative for a purchase. */
  readonly netCents: Cents
}

const isLive = (id: string): boolean => /^[5-9]\d{7}$/.test(id)

const describe = ({ id, accountId, direction, cents, description }: Hold) => ({
  id,
  accountId,
  direction,
  cents,
  description,
})

function checkCents(cents: Cents): void {
  if (!Number.isSafeInteger(cents) || cents <= 0 || cents > maxCents)
    throw new Problem('invalid-request', `An amount is a whole number of cents from 1 to ${maxCents}.`)
}
