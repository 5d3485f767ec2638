// The bank of one workspace: who the client is, the books of the accounts, and what happens as time passes. One public
// method for each thing that can happen; each checks first and then changes everything in one step.

import { Problem } from '../problem.js'
import type { Calendar, CalendarEvent } from './calendar.js'
import type { Clock } from './clock.js'
import { dayOf, startOfDay, type Day } from './day.js'
import { Book, type Entry, type Hold, type InterestRates, type Posting } from './ledger.js'
import { toRand, type Cents } from './money.js'
import type { Random } from './random.js'
import type {
  Account,
  AuthorisationSetup,
  Balance,
  Beneficiary,
  BeneficiaryCategory,
  Profile,
} from './records.js'

/** A profile, and the limits that the client has set for it in online banking (cents; absent: none). */
export interface ProfileRecord extends Profile {
  readonly limits?: { readonly paymentCents?: number; readonly dayCents?: number } | undefined
}

/** An account as the bank keeps it: the fields of the wire and what the service never shows. */
export interface AccountRecord extends Omit<Account, 'profileName'> {
  readonly currency: string
  /** Savings and loan accounts carry no transaction types. */
  readonly kind: 'current' | 'savings' | 'loan'
  readonly overdraftCents: Cents
  readonly interest: InterestRates
  /** Null where payments need nobody's authorisation. */
  readonly authorisation: AuthorisationSetup | null
}

/** A beneficiary; approved public ones may be paid, but lists leave them out. */
export interface BeneficiaryRecord extends Beneficiary {
  readonly approvedPublic?: boolean | undefined
}

export interface CategoryRecord extends BeneficiaryCategory {
  readonly profileId: string
}

/** A card as the bank keeps it. */
export interface CardRecord {
  readonly cardKey: string
  /** The full number, 16 digits: only the encrypted card detail shows it. */
  readonly pan: string
  readonly expiry: string
  readonly cvv: string
  readonly embossedName: string
  readonly embossedName2: string
  readonly programmable: boolean
  readonly virtual: boolean
  readonly status: string
  readonly cardTypeCode: string
  readonly accountId: string
}

/** Who the client is: what the fixtures or a scenario hold. */
export interface BankData {
  readonly profiles: readonly ProfileRecord[]
  readonly accounts: readonly AccountRecord[]
  readonly categories: readonly CategoryRecord[]
  readonly beneficiaries: readonly BeneficiaryRecord[]
  readonly cards: readonly CardRecord[]
}

/** What the bank decides by, beyond what the client is. */
export interface BankSettings {
  /** How long a card purchase stays pending, ms of the sandbox's clock. */
  readonly settlementMs: number
  /** Rows on a page of transactions; 0 answers all at once. */
  readonly pageSize: number
}

export const defaultSettings: BankSettings = { settlementMs: 2 * 86_400_000, pageSize: 0 }

/** Something that happened in the bank, for whoever watches; `type` names it, the rest depends on it. */
export interface BankEvent {
  readonly type: string
  /** Epoch ms of the sandbox's clock. */
  readonly atMs: number
  readonly [detail: string]: unknown
}

/** An account and its book. */
interface Holding {
  record: AccountRecord
  readonly book: Book
}

/** The bank of one workspace. Amounts are cents, times epoch ms. */
export class Bank {
  readonly clock: Clock
  readonly random: Random
  readonly settings: BankSettings
  readonly calendar: Calendar
  /** Told of everything that happens; not set while a history is made. */
  watcher: ((event: BankEvent) => void) | undefined
  readonly #profiles = new Map<string, ProfileRecord>()
  readonly #holdings = new Map<string, Holding>()
  readonly #beneficiaries = new Map<string, BeneficiaryRecord>()
  readonly #cards = new Map<string, CardRecord>()
  #categories: readonly CategoryRecord[]
  #revision = 0
  /** How far the calendar has come: a day, and the events of it that have happened. */
  #day: Day
  #happened = 0
  #events: readonly CalendarEvent[] | undefined
  /** Before this instant nothing happens by itself. */
  #nextMs = 0

  /**
   * @param data who the client is
   * @param options `since` is the first day of the calendar: the bank's history begins there
   */
  constructor(
    data: BankData,
    options: { clock: Clock; random: Random; calendar: Calendar; settings?: BankSettings; since: Day },
  ) {
    this.clock = options.clock
    this.random = options.random
    this.calendar = options.calendar
    this.settings = options.settings ?? defaultSettings
    this.#day = options.since
    this.#categories = data.categories
    for (const profile of data.profiles) this.#profiles.set(profile.profileId, profile)
    for (const record of data.accounts) this.#holdings.set(record.accountId, { record, book: new Book() })
    for (const each of data.beneficiaries) this.#beneficiaries.set(each.beneficiaryId, each)
    for (const card of data.cards) this.#cards.set(card.cardKey, card)
  }

  /** A bank that holds the same and goes its own way from here; histories are shared until they differ. */
  fork(clock: Clock, random: Random): Bank {
    const { calendar, settings } = this
    const fork = new Bank(
      {
        profiles: this.profiles,
        accounts: [],
        categories: this.#categories,
        beneficiaries: [...this.#beneficiaries.values()],
        cards: this.cards,
      },
      { clock, random, calendar, settings, since: this.#day },
    )
    for (const [id, { record, book }] of this.#holdings) fork.#holdings.set(id, { record, book: book.fork() })
    fork.#happened = this.#happened
    fork.#events = this.#events
    fork.#nextMs = this.#nextMs
    return fork
  }

  /** Rises whenever a record (not a balance) changes, so that written-out lists can be kept until then. */
  get revision(): number {
    return this.#revision
  }

  get profiles(): ProfileRecord[] {
    return [...this.#profiles.values()]
  }

  get accounts(): AccountRecord[] {
    return Array.from(this.#holdings.values(), ({ record }) => record)
  }

  get cards(): CardRecord[] {
    return [...this.#cards.values()]
  }

  /** The beneficiary categories of a profile. */
  categories(profileId: string): BeneficiaryCategory[] {
    const ofProfile = this.#categories.filter((category) => category.profileId === profileId)
    return ofProfile.map(({ CategoryId, DefaultCategory, CategoryName }) => ({
      CategoryId,
      DefaultCategory,
      CategoryName,
    }))
  }

  /** Throws `unknown-profile`. */
  profile(profileId: string): ProfileRecord {
    const profile = this.#profiles.get(profileId)
    if (profile) return profile
    throw new Problem('unknown-profile', `No profile ${quote(profileId)}; GET /za/pb/v1/profiles lists them.`)
  }

  /** Throws `unknown-account`. */
  account(accountId: string): AccountRecord {
    return this.#holding(accountId).record
  }

  /** The book of an account, to read; only the bank's own methods write into it. Throws `unknown-account`. */
  book(accountId: string): Book {
    return this.#holding(accountId).book
  }

  /** The account as the service shows it. */
  accountOnWire(record: AccountRecord): Account {
    const { accountId, accountNumber, accountName, referenceName, productName, kycCompliant, profileId } =
      record
    const { profileName } = this.profile(profileId)
    return {
      accountId,
      accountNumber,
      accountName,
      referenceName,
      productName,
      kycCompliant,
      profileId,
      profileName,
    }
  }

  /** Current balance plus overdraft less the debits on hold. */
  availableCents(accountId: string): Cents {
    const { record, book } = this.#holding(accountId)
    return book.balanceCents + record.overdraftCents - book.heldCents
  }

  /** Resources, "Balance", in rand. */
  balance(accountId: string): Balance {
    const current = toRand(this.book(accountId).balanceCents)
    const available = toRand(this.availableCents(accountId))
    return {
      accountId,
      currentBalance: current,
      availableBalance: available,
      budgetBalance: 0,
      straightBalance: current,
      cashBalance: available,
      currency: this.account(accountId).currency,
    }
  }

  /** The beneficiaries of a profile, or of all profiles; approved public ones are left out. */
  beneficiaries(profileId?: string): Beneficiary[] {
    const shown: Beneficiary[] = []
    for (const { approvedPublic, ...beneficiary } of this.#beneficiaries.values())
      if (!approvedPublic && (profileId === undefined || beneficiary.profileId === profileId))
        shown.push(beneficiary)
    return shown
  }

  /** The day of the bank now. */
  today(): Day {
    return dayOf(this.clock.now())
  }

  /** Money enters or leaves the bank: one entry on one account, today. */
  enter(accountId: string, posting: Posting): Entry {
    return this.#post(accountId, posting, this.today())
  }

  /**
   * Lets everything happen that is due by now, in the order of its instants; each entry carries the day on which it
   * was due. Costs one comparison when nothing is.
   */
  catchUp(): void {
    const now = this.clock.now()
    if (now < this.#nextMs) return
    for (;;) {
      this.#events ??= this.calendar.eventsOn(this.#day)
      const event = this.#events[this.#happened]
      const eventMs = event?.atMs ?? startOfDay(this.#day + 1)
      const hold = this.#nextHold()
      this.#nextMs = Math.min(eventMs, hold?.settlesMs ?? Infinity)
      if (this.#nextMs > now) return
      // A hold settles before the calendar goes on at the same instant, so that the order never depends on chance.
      if (hold && hold.settlesMs <= eventMs) this.#settle(hold, dayOf(hold.settlesMs))
      else if (event) {
        this.#happened++
        this.#happen(event, this.#day)
      } else {
        this.#day++
        this.#happened = 0
        this.#events = undefined
      }
    }
  }

  #happen(event: CalendarEvent, day: Day): void {
    switch (event.kind) {
      case 'entry':
        this.#post(event.accountId, event, day)
        break
      case 'purchase':
        this.#place({
          id: event.reference,
          accountId: event.accountId,
          direction: 'DEBIT',
          cents: event.cents,
          transactionType: 'CardPurchases',
          description: event.description,
          cardNumber: event.cardNumber,
          transactionDay: day,
          settlesMs: event.atMs + this.settings.settlementMs,
        })
        break
      case 'standing-order':
        this.#standingOrder(event, day)
        break
      case 'interest':
        this.#interest(event.accountId, day)
        break
    }
  }

  #standingOrder(event: Extract<CalendarEvent, { kind: 'standing-order' }>, day: Day): void {
    const target = this.#holding(event.toId)
    const cents =
      target.record.kind === 'loan' ? Math.min(event.cents, -target.book.balanceCents) : event.cents
    if (cents <= 0) return
    const { transactionType, fromDescription, toDescription } = event
    this.#post(
      event.fromId,
      { direction: 'DEBIT', cents, transactionType, description: fromDescription },
      day,
    )
    this.#post(event.toId, { direction: 'CREDIT', cents, transactionType, description: toDescription }, day)
  }

  #interest(accountId: string, day: Day): void {
    const { record, book } = this.#holding(accountId)
    const { earned, owed } = book.interest(day, record.interest)
    const transactionType = 'FeesAndInterest'
    if (earned > 0)
      this.#post(
        accountId,
        { direction: 'CREDIT', cents: earned, transactionType, description: 'CREDIT INTEREST' },
        day,
      )
    if (owed > 0)
      this.#post(
        accountId,
        { direction: 'DEBIT', cents: owed, transactionType, description: 'DEBIT INTEREST' },
        day,
      )
  }

  #post(accountId: string, posting: Posting, day: Day): Entry {
    const { record, book } = this.#holding(accountId)
    const transactionType = record.kind === 'current' ? posting.transactionType : null
    return book.post({ ...posting, transactionType }, day)
  }

  #place(hold: Hold): void {
    this.#holding(hold.accountId).book.place(hold)
    this.#nextMs = Math.min(this.#nextMs, hold.settlesMs)
  }

  #settle(hold: Hold, day: Day): Entry {
    const { book } = this.#holding(hold.accountId)
    book.release(hold.id)
    return this.#post(
      hold.accountId,
      { ...hold, reference: hold.id, actionDay: day, valueDay: hold.transactionDay },
      day,
    )
  }

  #nextHold(): Hold | undefined {
    let next: Hold | undefined
    for (const { book } of this.#holdings.values()) {
      const hold = book.nextHold
      if (hold && (!next || hold.settlesMs < next.settlesMs)) next = hold
    }
    return next
  }

  #holding(accountId: string): Holding {
    const holding = this.#holdings.get(accountId)
    if (holding) return holding
    throw new Problem('unknown-account', `No account ${quote(accountId)}; GET /za/pb/v1/accounts lists them.`)
  }
}

/** A client's text in a sentence: bounded, in quotes, control characters escaped. */
const quote = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
