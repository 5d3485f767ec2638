// Card transactions, and the bank's own decision about them. Card code runs between `refusal` and `approve`, and the
// bank changes meanwhile: so `approve` checks everything again and places the hold in the same step.

import { invalid, Problem } from '../../protocol/problem.js'
import type { CardTransaction, Reason, CardTransactionType } from './card-transaction-records.js'
import { authorizationOf, type Authorization, type Purchase } from './hook-argument.js'
import type { Bank } from '../bank.js'
import type { CardRecord } from '../client-records.js'
import type { Changed } from '../ledger/books.js'
import { startOfDay } from '../../determinism/day.js'
import type { Entry } from '../ledger/ledger.js'
import { maxCents, type Cents } from '../money.js'
import { country, currency, merchantCategory, toRandCents } from '../reference.js'
import { cardTexts, maskPan } from '../ledger/transactions.js'

/** The use of a card: a request whose codes all exist. */
export interface Attempt {
  readonly card: CardRecord
  readonly type: CardTransactionType
  readonly purchase: Purchase
  readonly randCents: Cents
}

/** What the control API takes. */
export interface TransactionRequest {
  readonly centsAmount: number
  readonly currencyCode?: string | undefined
  readonly type?: CardTransactionType | undefined
  readonly merchant?:
    | {
        readonly name?: string | undefined
        readonly city?: string | undefined
        readonly countryCode?: string | undefined
        readonly categoryCode?: string | number | undefined
      }
    | undefined
}

/** The default place of a purchase, for transactions and simulations: a bakery. */
export const usualPurchase = {
  name: 'Sandbox Merchant',
  city: 'Cape Town',
  countryCode: 'ZA',
  categoryCode: '5462',
} as const

/** Reads a request; reports all codes that do not exist at once. */
export function readAttempt(card: CardRecord, request: TransactionRequest): Attempt {
  const { centsAmount, currencyCode = 'ZAR', type = 'purchase', merchant = {} } = request
  const atm = type === 'atm'
  const { name = atm ? 'ATM' : usualPurchase.name } = merchant
  const { city = usualPurchase.city, countryCode = usualPurchase.countryCode } = merchant
  const knownCurrency = currency(currencyCode)
  const knownCountry = country(countryCode)
  const randCents = knownCurrency && inRand(centsAmount, knownCurrency.code)
  const errors = []
  if (!knownCurrency)
    errors.push({ path: '/currencyCode', message: 'is not the code of a currency that cards may be used in' })
  else if (randCents === undefined)
    errors.push({ path: '/centsAmount', message: `must be at most ${maxCents} rand cents` })
  if (!knownCountry) errors.push({ path: '/merchant/countryCode', message: 'is not the code of a country' })
  if (!knownCurrency || !knownCountry || randCents === undefined) throw invalid(errors)
  const category = merchantCategory(merchant.categoryCode ?? (atm ? '6011' : usualPurchase.categoryCode))
  const where = { name, city, country: knownCountry, category }
  return {
    card,
    type,
    purchase: { centsAmount, currencyCode: knownCurrency.code, merchant: where },
    randCents,
  }
}

/**
 * The amount in rand cents: at least one cent, unless the amount is 0; undefined when it is more than the bank
 * counts.
 */
function inRand(centsAmount: Cents, currencyCode: string): Cents | undefined {
  if (centsAmount === 0) return 0
  if (centsAmount > maxCents) return undefined
  const cents = Math.max(1, toRandCents(centsAmount, currencyCode))
  return cents <= maxCents ? cents : undefined
}

/** Why the bank itself refuses the transaction now; undefined when it does not. */
export function refusal(bank: Bank, { card, type, randCents }: Attempt): Reason | undefined {
  if (bank.cards.get(card.cardKey).card.status !== 'Active') return 'card-disabled'
  // A refund brings money in, and a card check (amount 0) takes none.
  if (type !== 'refund' && randCents > 0 && randCents > bank.availableCents(card.accountId))
    return 'insufficient-funds'
  return undefined
}

/** The identity of a transaction before it is decided. */
export interface Identity {
  readonly id: string
  readonly dateTime: string
  readonly rootCodeFunctionId: string
}

/** Approves and places the hold (none for an amount of 0), unless the bank now refuses: all in one step. */
export function approve(bank: Bank, attempt: Attempt, identity: Identity): CardTransaction {
  const reason = refusal(bank, attempt)
  if (reason) return decline(bank, attempt, identity, reason)
  const { card, type, purchase, randCents } = attempt
  const { name, city, country } = purchase.merchant
  if (randCents > 0)
    bank.books.hold({
      id: identity.id,
      accountId: card.accountId,
      cents: randCents,
      direction: type === 'refund' ? 'CREDIT' : 'DEBIT',
      transactionType: type === 'atm' ? 'ATMWithdrawals' : 'CardPurchases',
      ...cardTexts(name, city, country.code),
      cardNumber: maskPan(card.pan, 'x'),
    })
  return keep(bank, attempt, identity, 'approved')
}

/** Declines: no money moves; the transaction is stored. */
export function decline(bank: Bank, attempt: Attempt, identity: Identity, reason: Reason): CardTransaction {
  return keep(bank, attempt, identity, reason)
}

function keep(bank: Bank, attempt: Attempt, identity: Identity, reason: Reason): CardTransaction {
  const { card, type, purchase, randCents } = attempt
  const { name, city, country, category } = purchase.merchant
  const transaction: CardTransaction = {
    ...identity,
    cardKey: card.cardKey,
    accountId: card.accountId,
    type,
    decision: reason === 'approved' ? 'approved' : 'declined',
    reason,
    centsAmount: purchase.centsAmount,
    currencyCode: purchase.currencyCode,
    randCents,
    merchant: { name, city, countryCode: country.code, categoryCode: category.code },
    reversed: false,
  }
  bank.cards.keep(transaction, transaction.decision)
  return transaction
}

/**
 * Reverses a transaction: releases a pending one, posts a correction for a settled one; one with amount 0 is only
 * marked. Throws `unknown-transaction`, `declined-transaction` and `already-reversed`.
 */
export function reverse(bank: Bank, id: string): CardTransaction {
  if (!bank.cards.hasTransaction(id)) {
    const done = bank.books.reverse(id)
    return fromBooks(bank, id, done, done.status === 'pending' ? done.hold.cents : done.entry.cents, true)
  }
  const transaction = approved(bank, id)
  if (transaction.randCents > 0) bank.books.reverse(id)
  const reversed = { ...transaction, reversed: true }
  bank.cards.keep(reversed, 'reversed')
  return reversed
}

/**
 * Changes the amount of a transaction, in its own currency. The card network has decided, so balances are not
 * checked. Throws like {@link reverse}.
 */
export function adjust(bank: Bank, id: string, centsAmount: Cents): CardTransaction {
  if (!bank.cards.hasTransaction(id))
    return fromBooks(bank, id, bank.books.adjust(id, centsAmount), centsAmount, false)
  const transaction = approved(bank, id)
  if (transaction.randCents === 0)
    throw invalid([
      {
        path: '/centsAmount',
        message: 'cannot change a transaction of 0; use the card for the amount instead',
      },
    ])
  const randCents = inRand(centsAmount, transaction.currencyCode)
  if (randCents === undefined)
    throw invalid([{ path: '/centsAmount', message: `must be at most ${maxCents} rand cents` }])
  bank.books.adjust(id, randCents)
  const adjusted = { ...transaction, centsAmount, randCents }
  bank.cards.keep(adjusted, 'adjusted')
  return adjusted
}

/** A household purchase that was changed: the amount is in rand, and fields that the books do not know are empty. */
function fromBooks(bank: Bank, id: string, done: Changed, cents: Cents, reversed: boolean): CardTransaction {
  const [accountId, row] =
    done.status === 'pending' ? [done.hold.accountId, done.hold] : [done.accountId, done.entry]
  const card = bank.cards.records.find(
    (each) => each.accountId === accountId && maskPan(each.pan, 'x') === row.cardNumber,
  )
  return {
    id,
    cardKey: card?.cardKey ?? '',
    accountId,
    type: row.transactionType === 'ATMWithdrawals' ? 'atm' : 'purchase',
    decision: 'approved',
    reason: 'approved',
    centsAmount: cents,
    currencyCode: 'ZAR',
    randCents: cents,
    merchant: { name: row.description, city: '', countryCode: 'ZA', categoryCode: '0000' },
    dateTime: new Date(startOfDay(row.transactionDay)).toISOString(),
    rootCodeFunctionId: '',
    reversed,
  }
}

/** Posts a pending transaction today. Throws `unknown-transaction`, `declined-transaction`, `already-reversed` and `not-pending`. */
export function settle(bank: Bank, id: string): { accountId: string; entry: Entry } {
  if (bank.cards.hasTransaction(id) && approved(bank, id).randCents === 0)
    throw new Problem(
      'not-pending',
      `Transaction ${id} has an amount of 0: nothing is on hold, and nothing posts.`,
    )
  const accountId = bank.books.pending(id)?.accountId
  const entry = bank.books.settle(id)
  return { accountId: accountId!, entry }
}

function approved(bank: Bank, id: string): CardTransaction {
  const transaction = bank.cards.transaction(id)
  if (transaction.decision === 'declined')
    throw new Problem('declined-transaction', `Transaction ${id} was declined (${transaction.reason}).`)
  if (transaction.reversed) throw new Problem('already-reversed', `Transaction ${id} has been reversed.`)
  return transaction
}

/** The transaction with its state from the books. */
export function cardTransactionOnWire(bank: Bank, transaction: CardTransaction) {
  const { reversed, ...shown } = transaction
  const { id, decision } = transaction
  const live = bank.books.pending(id) ? 'pending' : 'settled'
  const status = decision === 'declined' ? 'declined' : reversed ? 'reversed' : live
  return { ...shown, status }
}

/** The hook argument of an attempt, or of a transaction known by its reference. */
export function authorizationFor(
  bank: Bank,
  card: CardRecord,
  purchase: Purchase,
  { id, dateTime }: Pick<Identity, 'id' | 'dateTime'>,
): Authorization {
  return authorizationOf(purchase, {
    accountNumber: bank.account(card.accountId).accountNumber,
    dateTime,
    reference: id,
    card: { id: card.cardKey, display: maskPan(card.pan, 'X') },
  })
}

/** The purchase of a stored transaction, or of one that `cardPurchases` lists. */
export function purchaseOf({
  centsAmount,
  currencyCode,
  merchant,
}: Pick<CardTransaction, 'centsAmount' | 'currencyCode' | 'merchant'>): Purchase {
  const { name, city, countryCode, categoryCode } = merchant
  const where = { name, city, country: country(countryCode)!, category: merchantCategory(categoryCode) }
  return { centsAmount, currencyCode, merchant: where }
}
