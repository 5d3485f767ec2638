// Transfers between the client's accounts and payments to beneficiaries. A batch is checked as a whole, then carried
// out as a whole, or waits, item by item, when the account's setup asks for authorisers.

import { quoted } from '../../protocol/quote.js'
import { invalid, Problem, type InputError } from '../../protocol/problem.js'
import type { AccountRecord, ProfileRecord } from '../client-records.js'
import { authorisersNeeded, periodMs } from './authorisation-setup.js'
import { isNeverPaid, lastPayment, type BeneficiaryRecord } from './beneficiaries.js'
import { formatDay, formatDaySlashed, type Day } from '../../determinism/day.js'
import type { Clock } from '../../determinism/clock.js'
import type { Random } from '../../determinism/random.js'
import type { Books } from '../ledger/books.js'
import type { Posting } from '../ledger/ledger.js'
import { formatRand, maxCents, parseRand, type Cents } from '../money.js'
import type { PaymentItem, TransferItem, TransferResult } from '../records.js'

/** A record that has not been checked against its schema. */
export type Loose<T> = { readonly [Name in keyof T]?: unknown }

/** A transfer or payment that has been checked. */
interface Order {
  readonly kind: 'transfer' | 'payment'
  readonly accountId: string
  /** The accountId of a transfer's target, or the beneficiaryId of a payment. */
  readonly targetId: string
  readonly targetName: string
  readonly cents: Cents
  readonly myReference: string
  readonly theirReference: string
  readonly faster: boolean
  /** The authorisers that the client named; null when anybody on the list may authorise. */
  readonly authoriserAId: string | null
  readonly authoriserBId: string | null
  /** How long it may wait, ms; null when it needs no authorisation. */
  readonly waitsMs: number | null
}

/** A list that was read once: its orders are valid when there are no errors. */
interface Reading {
  readonly orders: readonly Order[]
  readonly errors: readonly InputError[]
}

/** A transfer or payment that waits, or waited, for authorisation. */
export interface WaitingPayment extends Order {
  /** `UBP` and 10 digits. */
  readonly reference: string
  /** Epoch ms. */
  readonly requestedMs: number
  /** Epoch ms at which it lapses if nobody has authorised it. */
  readonly lapsesMs: number
  readonly status: 'waiting' | 'authorised' | 'declined' | 'lapsed'
}

/** The state of all payments, JSON-able, as `GET /_sandbox/state` writes it. */
export interface PaymentsState {
  /** The digits of the last reference; null before the first. */
  readonly lastReference: number | null
  readonly waiting: readonly WaitingPayment[]
  /** Cents paid and transferred, by profile and day: `10163536465738/2026-03-25`. */
  readonly dayTotals: Readonly<Record<string, Cents>>
}

/** What the payments need from the bank that owns them. */
export interface PaymentsOwner {
  readonly clock: Clock
  readonly random: Random
  readonly books: Books
  readonly accounts: readonly AccountRecord[]
  account(accountId: string): AccountRecord
  profile(profileId: string): ProfileRecord
  beneficiary(beneficiaryId: string): BeneficiaryRecord | undefined
  setBeneficiary(record: BeneficiaryRecord): void
  /** What may be spent, including holds and overdraft. */
  availableCents(accountId: string): Cents
  today(): Day
  tell(type: string, detail: Record<string, unknown>, atMs?: number): void
}

/** The payments of one bank. Amounts are cents, times epoch ms. */
export class Payments {
  readonly #bank: PaymentsOwner
  readonly #waiting = new Map<string, WaitingPayment>()
  /** By profile and day, including past days: when the clock is set back, the sums of that day still count. */
  readonly #dayTotals = new Map<string, Cents>()
  #lastReference: number | null = null
  /** Nothing lapses before this instant. */
  #dueMs = Infinity

  constructor(bank: PaymentsOwner) {
    this.#bank = bank
  }

  fork(bank: PaymentsOwner): Payments {
    const fork = new Payments(bank)
    fork.restore(this.state)
    return fork
  }

  get state(): PaymentsState {
    return {
      lastReference: this.#lastReference,
      waiting: [...this.#waiting.values()],
      dayTotals: Object.fromEntries(this.#dayTotals),
    }
  }

  /** Loads an exported state. */
  restore({ lastReference, waiting, dayTotals }: PaymentsState): void {
    this.#lastReference = lastReference
    this.#waiting.clear()
    for (const payment of waiting) this.#waiting.set(payment.reference, payment)
    this.#dayTotals.clear()
    for (const [key, cents] of Object.entries(dayTotals)) this.#dayTotals.set(key, cents)
    this.#dueMs = 0
  }

  /** Those that wait or waited for authorisation, oldest first. */
  get waiting(): WaitingPayment[] {
    return [...this.#waiting.values()]
  }

  /**
   * `transfermultiple`: moves money to other accounts of the client, all items or none. Throws `invalid-request` with
   * every error. Insufficient funds and exceeded limits are reported in the result's `ErrorMessage`.
   *
   * @param profileId when given, source and targets must belong to this profile
   */
  transfer(accountId: string, transferList: readonly TransferItem[], profileId?: string): TransferResult {
    const source = this.#bank.account(accountId)
    const { orders, errors } = this.#readTransfers(source, transferList, profileId)
    if (errors.length > 0) throw invalid(errors)
    return this.#carryOut(source, orders)
  }

  /**
   * All errors in a list of transfers. The list may break its schema: missing values and values of a wrong type are
   * skipped.
   *
   * @param source the paying account; undefined when there is no such account
   */
  transferErrors(
    source: AccountRecord | undefined,
    transferList: readonly Loose<TransferItem>[],
    profileId?: string,
  ): readonly InputError[] {
    return this.#readTransfers(source, transferList, profileId).errors
  }

  #readTransfers(
    source: AccountRecord | undefined,
    transferList: readonly Loose<TransferItem>[],
    profileId: string | undefined,
  ): Reading {
    const errors = profileErrors(source, profileId)
    const targets = new Map(this.#bank.accounts.map((account) => [account.accountId, account]))
    const orders = transferList.map((item, index): Order => {
      const path = `/transferList/${index}`
      const { beneficiaryAccountId: targetId } = item
      if (typeof targetId === 'string') {
        const target = targets.get(targetId)
        const refuse = (message: string) => errors.push({ path: `${path}/beneficiaryAccountId`, message })
        if (!target) refuse('is not an account of the client')
        else if (target === source) refuse('is the paying account')
        else if (profileId !== undefined && target.profileId !== profileId)
          refuse(`is not an account of profile ${profileId}`)
      }
      const order = readItem(source, item, path, errors)
      return {
        ...order,
        kind: 'transfer',
        targetId: textOf(targetId),
        targetName: order.theirReference,
        faster: false,
      }
    })
    return { orders, errors }
  }

  /**
   * `paymultiple`: pays beneficiaries of the account's profile, all items or none. Throws like {@link transfer}.
   * @param profileId when given, the source must belong to this profile
   */
  pay(accountId: string, paymentList: readonly PaymentItem[], profileId?: string): TransferResult {
    const source = this.#bank.account(accountId)
    const { orders, errors } = this.#readPayments(source, paymentList, profileId)
    if (errors.length > 0) throw invalid(errors)
    return this.#carryOut(source, orders)
  }

  /** All errors in a list of payments, like {@link transferErrors}. */
  paymentErrors(
    source: AccountRecord,
    paymentList: readonly Loose<PaymentItem>[],
    profileId?: string,
  ): readonly InputError[] {
    return this.#readPayments(source, paymentList, profileId).errors
  }

  #readPayments(
    source: AccountRecord,
    paymentList: readonly Loose<PaymentItem>[],
    profileId: string | undefined,
  ): Reading {
    const errors = profileErrors(source, profileId)
    const orders = paymentList.map((item, index): Order => {
      const path = `/paymentList/${index}`
      const { beneficiaryId: targetId, fasterPayment } = item
      const beneficiary = typeof targetId === 'string' ? this.#bank.beneficiary(targetId) : undefined
      if (typeof targetId === 'string') {
        const refuse = (field: string, message: string) => errors.push({ path: `${path}/${field}`, message })
        if (beneficiary?.profileId !== source.profileId)
          refuse('beneficiaryId', `is not a beneficiary of profile ${source.profileId}`)
        else if (isNeverPaid(beneficiary))
          refuse('beneficiaryId', 'has never been paid; a first payment is made in online banking')
        else if (fasterPayment === true && !beneficiary.fasterPaymentAllowed)
          refuse('fasterPayment', 'is not allowed for this beneficiary')
      }
      return {
        ...readItem(source, item, path, errors),
        kind: 'payment',
        targetId: textOf(targetId),
        targetName: beneficiary?.beneficiaryName ?? beneficiary?.name ?? '',
        faster: fasterPayment === true,
      }
    })
    return { orders, errors }
  }

  /**
   * All authorisers agree, and the money moves today. Throws `unknown-payment`, `not-waiting`, and `payment-refused`
   * for insufficient funds or an exceeded limit: the payment then keeps waiting.
   */
  authorise(reference: string): WaitingPayment {
    const payment = this.#waitingOrRefuse(reference)
    const source = this.#bank.account(payment.accountId)
    if (payment.kind === 'transfer') this.#bank.account(payment.targetId)
    else if (!this.#bank.beneficiary(payment.targetId))
      throw new Problem('payment-refused', 'The beneficiary has been removed.')
    const refusal = this.#refusal(source, [payment])
    if (refusal !== undefined) throw new Problem('payment-refused', refusal)
    const authorised: WaitingPayment = { ...payment, status: 'authorised' }
    this.#move(source, [payment], [reference], () => this.#waiting.set(reference, authorised))
    this.#tellOf(authorised)
    return authorised
  }

  /** An authoriser declines. Throws `unknown-payment` and `not-waiting`. */
  decline(reference: string): WaitingPayment {
    const declined = this.#end(this.#waitingOrRefuse(reference), 'declined')
    this.#tellOf(declined)
    return declined
  }

  /** Ends every payment whose time to wait is over by `nowMs`. */
  lapse(nowMs: number): void {
    if (nowMs < this.#dueMs) return
    const lapsed: WaitingPayment[] = []
    this.#dueMs = Infinity
    for (const payment of this.#waiting.values()) {
      if (payment.status !== 'waiting') continue
      if (payment.lapsesMs <= nowMs) lapsed.push(payment)
      else this.#dueMs = Math.min(this.#dueMs, payment.lapsesMs)
    }
    lapsed.sort((a, b) => a.lapsesMs - b.lapsesMs)
    const ended = lapsed.map((payment) => this.#end(payment, 'lapsed'))
    for (const payment of ended) this.#tellOf(payment, payment.lapsesMs)
  }

  /** Nothing changes before the last check passes, and nothing is refused after it. */
  #carryOut(source: AccountRecord, orders: readonly Order[]): TransferResult {
    const date = formatDaySlashed(this.#bank.today())
    const responses = (statusOf: (order: Order) => string, references?: readonly string[]) =>
      orders.map((order, index) => ({
        PaymentReferenceNumber: references?.[index] ?? '',
        PaymentDate: date,
        Status: statusOf(order),
        BeneficiaryName: order.targetName,
        BeneficiaryAccountId: order.targetId,
        AuthorisationRequired: references !== undefined && order.waitsMs !== null,
      }))
    const refusal = this.#refusal(source, orders)
    if (refusal !== undefined) {
      const status = `- Nothing was paid or transferred <BR>- ${refusal}`
      return { TransferResponses: responses(() => status), ErrorMessage: refusal }
    }
    const references = orders.map(() => this.#nextReference())
    if (authorisersNeeded(source.authorisation) > 0) this.#wait(orders, references)
    else this.#move(source, orders, references)
    const status = (order: Order) =>
      order.waitsMs === null
        ? `- No authorisation necessary <BR>- Payment/Transfer effective date ${date}`
        : '- Authorisation required <BR>- Payment/Transfer waits for authorisation'
    return { TransferResponses: responses(status, references), ErrorMessage: null }
  }

  /** Why money may not leave the account now; undefined when it may. */
  #refusal(source: AccountRecord, orders: readonly Order[]): string | undefined {
    const { limits } = this.#bank.profile(source.profileId)
    const { paymentCents = Infinity, dayCents = Infinity } = limits ?? {}
    const largest = orders.reduce((most, { cents }) => Math.max(most, cents), 0)
    if (largest > paymentCents)
      return `Limit exceeded: R ${formatRand(largest)} is more than the R ${formatRand(paymentCents)} that one payment or transfer may have.`
    const total = totalOf(orders)
    const before = this.#paidOn(source.profileId, this.#bank.today())
    if (before + total > dayCents)
      return `Limit exceeded: R ${formatRand(total)} is more than the R ${formatRand(Math.max(dayCents - before, 0))} that is left of today's R ${formatRand(dayCents)}.`
    const received = orders.flatMap(({ kind, targetId: accountId, cents }) =>
      kind === 'transfer' ? [{ ...noText, accountId, cents, direction: 'CREDIT' as const }] : [],
    )
    if (!this.#bank.books.fits(received))
      return 'Limit exceeded: the balance of the receiving account would be too large.'
    const available = this.#bank.availableCents(source.accountId)
    if (total > available)
      return `Insufficient funds: R ${formatRand(total)} is more than the R ${formatRand(available)} that is available.`
    return undefined
  }

  /**
   * Everything changes together with the postings, including `also`: if a posting were refused, nothing would change.
   */
  #move(
    source: AccountRecord,
    orders: readonly Order[],
    references: readonly string[],
    also?: () => void,
  ): void {
    const { accountId, profileId } = source
    const today = this.#bank.today()
    const postings = orders.flatMap((order, index): (Posting & { accountId: string })[] => {
      const { kind, targetId, cents, faster } = order
      const shared = { cents, reference: references[index]! }
      const debit = {
        ...shared,
        accountId,
        direction: 'DEBIT',
        transactionType: faster ? 'FasterPay' : 'OnlineBankingPayments',
        description: order.myReference,
      } as const
      if (kind === 'payment') return [debit]
      const credit = {
        ...shared,
        accountId: targetId,
        direction: 'CREDIT',
        transactionType: 'Deposits',
        description: order.theirReference,
      } as const
      return [debit, credit]
    })
    this.#bank.books.postAll(postings, today, undefined, () => {
      also?.()
      this.#dayTotals.set(totalKey(profileId, today), this.#paidOn(profileId, today) + totalOf(orders))
      for (const { kind, targetId, cents } of orders)
        if (kind === 'payment')
          this.#bank.setBeneficiary({
            ...this.#bank.beneficiary(targetId)!,
            ...lastPayment(cents, today),
          })
    })
    for (const [index, { kind, targetId, cents }] of orders.entries())
      this.#bank.tell(kind, { reference: references[index]!, accountId, targetId, cents })
  }

  #wait(orders: readonly Order[], references: readonly string[]): void {
    const requestedMs = this.#bank.clock.now()
    const added = orders.map((order, index): WaitingPayment => {
      const lapsesMs = requestedMs + (order.waitsMs ?? 0)
      return { ...order, reference: references[index]!, requestedMs, lapsesMs, status: 'waiting' }
    })
    for (const payment of added) {
      this.#waiting.set(payment.reference, payment)
      this.#dueMs = Math.min(this.#dueMs, payment.lapsesMs)
    }
    for (const payment of added) this.#tellOf(payment)
  }

  #end(payment: WaitingPayment, status: WaitingPayment['status']): WaitingPayment {
    const ended = { ...payment, status }
    this.#waiting.set(payment.reference, ended)
    return ended
  }

  #waitingOrRefuse(reference: string): WaitingPayment {
    const payment = this.#waiting.get(reference)
    if (!payment)
      throw new Problem(
        'unknown-payment',
        `No payment that needs authorisation has the reference ${quoted(reference)}.`,
      )
    if (payment.status !== 'waiting')
      throw new Problem('not-waiting', `Payment ${reference} is ${payment.status} already.`)
    return payment
  }

  #tellOf({ reference, kind, accountId, targetId, cents, status }: WaitingPayment, atMs?: number): void {
    this.#bank.tell('authorisation', { reference, kind, accountId, targetId, cents, status }, atMs)
  }

  #paidOn(profileId: string, day: Day): Cents {
    return this.#dayTotals.get(totalKey(profileId, day)) ?? 0
  }

  /** References are consecutive from a first one that the seed decides, so that none is used twice. */
  #nextReference(): string {
    this.#lastReference ??= Number(this.#bank.random.stream('payments').digits(10))
    this.#lastReference = (this.#lastReference + 1) % 10_000_000_000
    return `UBP${String(this.#lastReference).padStart(10, '0')}`
  }
}

const noText = { transactionType: null, description: '' } as const

const totalKey = (profileId: string, day: Day): string => `${profileId}/${formatDay(day)}`

const totalOf = (orders: readonly Order[]): Cents => orders.reduce((total, { cents }) => total + cents, 0)

const profileErrors = (source: AccountRecord | undefined, profileId: string | undefined): InputError[] =>
  source === undefined || profileId === undefined || profileId === source.profileId
    ? []
    : [{ path: '/profileId', message: `is not the profile of account ${source.accountId}` }]

/** Reads what transfers and payments have in common, and adds its errors to `errors`. */
function readItem(
  source: AccountRecord | undefined,
  item: Loose<TransferItem | PaymentItem>,
  path: string,
  errors: InputError[],
): Omit<Order, 'kind' | 'targetId' | 'targetName' | 'faster'> {
  const refuse = (field: string, message: string) => errors.push({ path: `${path}/${field}`, message })
  const { amount } = item
  const cents = typeof amount === 'string' || typeof amount === 'number' ? parseRand(amount) : 0
  if (cents === undefined)
    refuse(
      'amount',
      `must be an amount of rand from 0.01 to ${formatRand(maxCents).replaceAll(',', '')}, with two decimals at most`,
    )
  const { accountId, authorisation } = source ?? { accountId: '', authorisation: null }
  const named = (field: 'authoriserAId' | 'authoriserBId', list: 'authorisersListA' | 'authorisersListB') => {
    const id = given(item[field])
    if (source && id !== null && !authorisation?.[list]?.some(({ authoriserId }) => authoriserId === id))
      refuse(field, `is not in ${list} of account ${accountId}`)
    return id
  }
  const authoriserAId = named('authoriserAId', 'authorisersListA')
  const authoriserBId = named('authoriserBId', 'authorisersListB')
  if (source && authoriserAId !== null && authoriserAId === authoriserBId)
    refuse('authoriserBId', 'must not be the same as authoriserAId')
  const periods = authorisation?.period ?? []
  const periodId = given(item.authPeriodId)
  const period = periodId === null ? periods[0] : periods.find(({ id }) => id === periodId)
  if (source && periodId !== null && !period)
    refuse('authPeriodId', `is not a period of account ${accountId}`)
  return {
    accountId,
    cents: cents ?? 0,
    myReference: textOf(item.myReference),
    theirReference: textOf(item.theirReference),
    authoriserAId,
    authoriserBId,
    waitsMs: authorisersNeeded(authorisation) > 0 ? periodMs(period?.description ?? '') : null,
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** An id that may be omitted; null and blank count as omitted. */
const given = (id: unknown): string | null => (typeof id === 'string' && id !== '' ? id : null)
