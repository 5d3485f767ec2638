// The bank of one workspace: its client, the books of the accounts, and what happens as time passes. One public
// method for each operation; each checks first and then changes everything in one step.

import { quoted } from '../protocol/quote.js'
import { invalid, Problem } from '../protocol/problem.js'
import type { Calendar, CalendarEvent } from './ledger/calendar.js'
import type { Clock } from '../determinism/clock.js'
import { Books } from './ledger/books.js'
import { Cards } from './cards/cards.js'
import { dayOf, startOfDay, type Day } from '../determinism/day.js'
import { interestTexts, type Book, type Entry, type Posting } from './ledger/ledger.js'
import { cardTexts } from './ledger/transactions.js'
import { toRand, type Cents } from './money.js'
import {
  isNeverPaid,
  lastPayment,
  newBeneficiary,
  type BeneficiaryRecord,
  type BeneficiaryRequest,
} from './payments/beneficiaries.js'
import { Payments } from './payments/payments.js'
import type { Random } from '../determinism/random.js'
import type { Account, Balance, Beneficiary, BeneficiaryCategory } from './records.js'
import { accountNumbers, productOf } from './products.js'
import { bankStateErrors, type BankFrame, type BankState } from './bank-state.js'
import {
  defaultSettings,
  newAccount,
  type AccountChange,
  type AccountRecord,
  type AccountRequest,
  type BankData,
  type BankEvent,
  type BankSettings,
  type CategoryRecord,
  type ProfileRecord,
} from './client-records.js'

/** The bank of one workspace. Amounts are cents, times epoch ms. */
export class Bank {
  readonly clock: Clock
  readonly random: Random
  settings: BankSettings
  readonly calendar: Calendar
  /** The books of the accounts, and the operations on holds. */
  readonly books: Books
  /** Transfers, payments, and those that wait for authorisation. */
  readonly payments: Payments
  /** The cards, their stored code, and their transactions. */
  readonly cards: Cards
  /** Called for every event; not set while the history is generated. */
  watcher: ((event: BankEvent) => void) | undefined
  readonly #profiles = new Map<string, ProfileRecord>()
  readonly #accounts = new Map<string, AccountRecord>()
  readonly #beneficiaries = new Map<string, BeneficiaryRecord>()
  #categories: readonly CategoryRecord[]
  #revision = 0
  /** How far the calendar has run: a day, and how many of its events have happened. */
  #day: Day
  #happened = 0
  #events: readonly CalendarEvent[] | undefined
  /** Before this instant nothing happens by itself. */
  #nextMs = 0

  /**
   * @param data the client
   * @param options `since` is the first day of the calendar: the bank's history begins there
   */
  constructor(
    data: BankData,
    options: {
      clock: Clock
      random: Random
      calendar: Calendar
      settings?: BankSettings
      since: Day
      /** The bank that this one was forked from. */
      origin?: Bank
    },
  ) {
    this.clock = options.clock
    this.random = options.random
    this.calendar = options.calendar
    this.settings = options.settings ?? defaultSettings
    this.#day = options.since
    this.#categories = data.categories
    for (const profile of data.profiles) this.#profiles.set(profile.profileId, profile)
    for (const account of data.accounts) this.#accounts.set(account.accountId, account)
    this.books = options.origin?.books.fork(this) ?? new Books(this)
    this.payments = options.origin?.payments.fork(this) ?? new Payments(this)
    if (!options.origin) for (const accountId of this.#accounts.keys()) this.books.open(accountId)
    for (const each of data.beneficiaries) this.#beneficiaries.set(each.beneficiaryId, each)
    this.cards = options.origin?.cards.fork(this) ?? Cards.of(this, data.cards, options.since)
  }

  /** A bank with the same content that changes independently from now on; histories are shared until they differ. */
  fork(clock: Clock, random: Random): Bank {
    const { calendar, settings } = this
    const fork = new Bank(
      {
        profiles: this.profiles,
        accounts: this.accounts,
        categories: this.#categories,
        beneficiaries: [...this.#beneficiaries.values()],
        cards: [],
      },
      { clock, random, calendar, settings, since: this.#day, origin: this },
    )
    fork.#happened = this.#happened
    fork.#events = this.#events
    fork.#nextMs = this.#nextMs
    return fork
  }

  /** The whole state of the bank, JSON-able; the workspace exports clock and chance. */
  get state(): BankState {
    const { payments, ...before } = this.frame
    return { ...before, books: this.books.state, payments }
  }

  /** The same without its books, which are the long part. */
  get frame(): BankFrame {
    return {
      day: this.#day,
      happened: this.#happened,
      profiles: this.profiles,
      accounts: this.accounts,
      categories: [...this.#categories],
      beneficiaries: [...this.#beneficiaries.values()],
      cards: this.cards.state,
      payments: this.payments.state,
    }
  }

  /**
   * Loads an exported state that matches its schema. Throws `invalid-request`, and changes nothing, when its parts
   * are inconsistent; `path` is put before the paths of the errors.
   */
  restore(state: BankState, path = ''): void {
    const errors = bankStateErrors(state, path)
    if (errors.length > 0) throw invalid(errors)
    this.load(state)
  }

  /** Like {@link restore}, for a state that was checked before, such as that of a scenario. */
  load({ books, ...frame }: BankState): void {
    this.books.restore(books)
    this.loadFrame(frame)
  }

  /** Loads a state except its books, which have been loaded before. */
  loadFrame(state: BankFrame): void {
    this.#day = state.day
    this.#happened = state.happened
    this.#events = undefined
    this.#nextMs = 0
    this.#categories = state.categories
    refill(this.#profiles, state.profiles, ({ profileId }) => profileId)
    refill(this.#accounts, state.accounts, ({ accountId }) => accountId)
    refill(this.#beneficiaries, state.beneficiaries, ({ beneficiaryId }) => beneficiaryId)
    this.payments.restore(state.payments)
    this.cards.restore(state.cards)
    this.#revision++
  }

  /** Rises whenever a record (not a balance) changes, so that serialised lists can be cached until then. */
  get revision(): number {
    return this.#revision
  }

  get profiles(): ProfileRecord[] {
    return [...this.#profiles.values()]
  }

  get accounts(): AccountRecord[] {
    return [...this.#accounts.values()]
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
    throw new Problem('unknown-profile', `No profile ${quoted(profileId)}.`)
  }

  /** The profile that is used when none is named. */
  get defaultProfile(): ProfileRecord {
    return this.profiles.find((profile) => profile.defaultProfile)!
  }

  /** Replaces the record of a profile. Throws `unknown-profile`. */
  setProfile(profile: ProfileRecord): void {
    this.profile(profile.profileId)
    this.#profiles.set(profile.profileId, profile)
    this.#revision++
  }

  /** Throws `unknown-account`. */
  account(accountId: string): AccountRecord {
    const account = this.#accounts.get(accountId)
    if (account) return account
    throw new Problem('unknown-account', `No account ${quoted(accountId)}.`)
  }

  /** Adds an account with an empty book, or replaces the record of the account with the same id. */
  setAccount(account: AccountRecord): void {
    if (!this.#accounts.has(account.accountId)) this.books.open(account.accountId)
    this.#accounts.set(account.accountId, account)
    this.#revision++
  }

  /**
   * Opens an account without money; its id and number are drawn. The profile defaults to the default profile, the
   * owner's name to the profile's name. Throws `unknown-profile`.
   */
  openAccount({ profileId = this.defaultProfile.profileId, ...given }: AccountRequest): AccountRecord {
    const { profileName: accountName } = this.profile(profileId)
    const stream = this.random.stream('accounts')
    const accounts = this.accounts
    const { digits, beginning } = accountNumbers[productOf(given.productName).kind]
    const accountId = undrawn(
      () => stream.digits(25),
      (id) => this.#accounts.has(id),
    )
    const accountNumber = undrawn(
      () => beginning + stream.characters('0123456789', digits - beginning.length),
      (number) => accounts.some((each) => each.accountNumber === number),
    )
    const account = newAccount({ accountName, ...defined(given), accountId, accountNumber, profileId })
    this.setAccount(account)
    this.tell('account', { accountId, change: 'opened' })
    return account
  }

  /** Changes the names or the overdraft of an account; omitted members stay. Throws `unknown-account`. */
  changeAccount(accountId: string, change: AccountChange): AccountRecord {
    const account = { ...this.account(accountId), ...defined(change) }
    this.setAccount(account)
    this.tell('account', { accountId, change: 'changed' })
    return account
  }

  /** The book of an account, read-only. Throws `unknown-account`. */
  book(accountId: string): Book {
    return this.books.of(accountId)
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

  /** Current balance plus overdraft minus the debits on hold. */
  availableCents(accountId: string): Cents {
    const { balanceCents, heldCents } = this.book(accountId)
    return balanceCents + this.account(accountId).overdraftCents - heldCents
  }

  /** The balance as the service shows it, in rand. */
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

  /** The beneficiaries of a profile, or of all profiles, without approved public ones. */
  beneficiaries(profileId?: string): Beneficiary[] {
    const shown: Beneficiary[] = []
    for (const { approvedPublic, ...beneficiary } of this.#beneficiaries.values())
      if (!approvedPublic && (profileId === undefined || beneficiary.profileId === profileId))
        shown.push(beneficiary)
    return shown
  }

  /** The beneficiary with this id, including approved public ones. */
  beneficiary(beneficiaryId: string): BeneficiaryRecord | undefined {
    return this.#beneficiaries.get(beneficiaryId)
  }

  /** Adds a beneficiary, or replaces the one with the same id. */
  setBeneficiary(beneficiary: BeneficiaryRecord): void {
    this.#beneficiaries.set(beneficiary.beneficiaryId, beneficiary)
    this.#revision++
  }

  /**
   * Adds a beneficiary with a drawn id. `paid`: it has been paid in online banking, so that the API may pay it.
   * Throws `unknown-profile`.
   */
  addBeneficiary({ paid = false, ...given }: BeneficiaryRequest): BeneficiaryRecord {
    const { profileId = this.defaultProfile.profileId } = given
    this.profile(profileId)
    const stream = this.random.stream('beneficiaries')
    const beneficiaryId = undrawn(
      () => Buffer.from(stream.digits(14)).toString('base64'),
      (id) => this.#beneficiaries.has(id),
    )
    const category = this.categories(profileId).find(({ DefaultCategory }) => DefaultCategory === 'true')
    const categoryId = category?.CategoryId ?? ''
    const beneficiary: BeneficiaryRecord = {
      ...newBeneficiary({ ...given, beneficiaryId, profileId, categoryId }),
      ...(paid && lastPayment(100, this.today())),
    }
    this.setBeneficiary(beneficiary)
    this.tell('beneficiary', { beneficiaryId, change: 'added' })
    return beneficiary
  }

  /** Marks a beneficiary as paid in online banking; no money moves. Throws `unknown-beneficiary`. */
  markPaid(beneficiaryId: string, cents: Cents, day: Day): BeneficiaryRecord {
    const beneficiary = { ...this.#knownBeneficiary(beneficiaryId), ...lastPayment(cents, day) }
    this.setBeneficiary(beneficiary)
    this.tell('beneficiary', { beneficiaryId, change: 'paid' })
    return beneficiary
  }

  /** Throws `unknown-beneficiary`. */
  removeBeneficiary(beneficiaryId: string): void {
    this.#knownBeneficiary(beneficiaryId)
    this.#beneficiaries.delete(beneficiaryId)
    this.#revision++
    this.tell('beneficiary', { beneficiaryId, change: 'removed' })
  }

  #knownBeneficiary(beneficiaryId: string): BeneficiaryRecord {
    const beneficiary = this.#beneficiaries.get(beneficiaryId)
    if (beneficiary) return beneficiary
    throw new Problem('unknown-beneficiary', `No beneficiary ${quoted(beneficiaryId)}.`)
  }

  /** The bank's current day. */
  today(): Day {
    return dayOf(this.clock.now())
  }

  /** Reports an event to the listener; `atMs` defaults to the clock's time. */
  tell(type: string, detail: Omit<BankEvent, 'type' | 'atMs'>, atMs = this.clock.now()): void {
    this.watcher?.({ type, atMs, ...detail })
  }

  /** Money enters or leaves the bank: one entry on one account, today. */
  enter(accountId: string, posting: Posting): Entry {
    return this.books.post(accountId, posting, this.today())
  }

  /**
   * Runs everything that is due by now, in the order of its instants; each entry gets the day on which it was due.
   * Costs three comparisons when nothing is due. `now` may be earlier than the clock's time.
   */
  catchUp(now = this.clock.now()): void {
    this.payments.lapse(now)
    if (now < this.#nextMs && now < this.books.dueMs) return
    const pieces = this.catchingUp(now)
    while (!pieces.next().done);
  }

  /** Like {@link catchUp}, in pieces of one day each: years take long, and others wait meanwhile. */
  *catchingUp(now: number): Generator<void> {
    this.payments.lapse(now)
    for (;;) {
      this.#events ??= this.calendar.eventsOn(this.#day)
      const event = this.#events[this.#happened]
      const eventMs = event?.atMs ?? startOfDay(this.#day + 1)
      const hold = this.books.findNext()
      this.#nextMs = eventMs
      if (Math.min(eventMs, this.books.dueMs) > now) return
      // At the same instant a hold settles before the calendar goes on, so that the order never depends on chance.
      if (hold && hold.settlesMs <= eventMs) this.books.settleDue(hold)
      else if (event) {
        this.#happened++
        this.#happen(event, this.#day)
      } else {
        this.#day++
        this.#happened = 0
        this.#events = undefined
        yield
      }
    }
  }

  #happen(event: CalendarEvent, day: Day): void {
    const { atMs } = event
    switch (event.kind) {
      case 'entry':
        if (!event.ifCovered || this.#covers(event.accountId, event, atMs))
          this.books.postDue([event], day, atMs)
        break
      case 'purchase':
        if (this.#covers(event.accountId, event, atMs)) {
          const { merchant, reference: id } = event
          const texts = merchant && cardTexts(merchant.name, merchant.city, merchant.countryCode)
          this.books.hold({ ...event, ...texts, id }, atMs)
        }
        break
      case 'standing-order':
        this.#standingOrder(event, day)
        break
      case 'payment':
        this.#payment(event, day)
        break
      case 'interest':
        this.#interest(event, day)
        break
    }
  }

  /** Whether the account has the money for an event of the calendar; if not, the listener is told. */
  #covers(
    accountId: string,
    { cents, description }: { cents: Cents; description: string },
    atMs: number,
  ): boolean {
    const covered = cents <= this.availableCents(accountId)
    if (!covered) this.tell('unpaid', { accountId, cents, description }, atMs)
    return covered
  }

  #standingOrder(event: Extract<CalendarEvent, { kind: 'standing-order' }>, day: Day): void {
    const { atMs, fromId, toId, transactionType, fromDescription, toDescription } = event
    const owed = -this.book(toId).balanceCents
    const cents = this.account(toId).kind === 'loan' ? Math.min(event.cents, owed) : event.cents
    if (cents <= 0 || !this.#covers(fromId, { cents, description: fromDescription }, atMs)) return
    const both = { cents, transactionType }
    const debit = { ...both, accountId: fromId, direction: 'DEBIT', description: fromDescription } as const
    const credit = { ...both, accountId: toId, direction: 'CREDIT', description: toDescription } as const
    this.books.postDue([debit, credit], day, atMs)
  }

  #payment(event: Extract<CalendarEvent, { kind: 'payment' }>, day: Day): void {
    const { atMs, accountId, beneficiaryId, cents, description } = event
    const beneficiary = this.#beneficiaries.get(beneficiaryId)
    if (!beneficiary || isNeverPaid(beneficiary) || !this.#covers(accountId, event, atMs)) return
    const transactionType = 'OnlineBankingPayments'
    const debit = { accountId, direction: 'DEBIT', cents, transactionType, description } as const
    if (this.books.postDue([debit], day, atMs).length > 0)
      this.setBeneficiary({ ...beneficiary, ...lastPayment(cents, day) })
  }

  #interest({ accountId, atMs }: CalendarEvent & { kind: 'interest' }, day: Day): void {
    const { earned, owed } = this.book(accountId).interest(day, this.account(accountId).interest)
    const row = { accountId, transactionType: 'FeesAndInterest' }
    const credit = { ...row, direction: 'CREDIT', cents: earned, description: interestTexts.earned } as const
    const debit = { ...row, direction: 'DEBIT', cents: owed, description: interestTexts.owed } as const
    this.books.postDue(
      [credit, debit].filter(({ cents }) => cents > 0),
      day,
      atMs,
    )
  }
}

/** Draws until the result is not in use yet. */
function undrawn(draw: () => string, isTaken: (drawn: string) => boolean): string {
  let drawn: string
  do drawn = draw()
  while (isTaken(drawn))
  return drawn
}

/** The members that have a value: an undefined one must not replace another. */
const defined = <T extends object>(members: T) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

function refill<T>(map: Map<string, T>, records: readonly T[], key: (record: T) => string): void {
  map.clear()
  for (const each of records) map.set(key(each), each)
}
