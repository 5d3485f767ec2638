// A pulled bank as a scenario: the state of a bank that answers the same.

import type { BankState } from '../bank/bank-state.js'
import type { CardState } from '../bank/cards/cards.js'
import { withCheckDigit } from '../bank/cards/cards.js'
import { defaultMainJs } from '../bank/cards/card-template.js'
import type { AccountRecord } from '../bank/client-records.js'
import type { BookState, EntryState, Hold } from '../bank/ledger/ledger.js'
import { fromRand } from '../bank/money.js'
import type { Transaction } from '../bank/records.js'
import { dayOf, parseDay } from '../determinism/day.js'
import { Stream } from '../determinism/random.js'
import { productOf } from '../bank/products.js'
import type { PulledAccount, PulledBank, PulledCard } from './pulled-bank.js'

/** The state of a bank, and inconsistencies in the pulled rows. */
export interface Assembled {
  readonly state: BankState
  readonly oddities: readonly string[]
}

const settlesAfterMs = 2 * 86_400_000

/** The bank that gives the pulled answers. */
export function bankStateOf(pulled: PulledBank): Assembled {
  const oddities: string[] = []
  const accountIds = new Set(pulled.accounts.map(({ account }) => account.accountId))
  const profiles = pulled.profiles.map((each, index, all) => ({
    ...each,
    defaultProfile: all.some(({ defaultProfile }) => defaultProfile) ? each.defaultProfile : index === 0,
  }))
  const state: BankState = {
    day: dayOf(pulled.nowMs) + 1,
    happened: 0,
    profiles,
    accounts: pulled.accounts.map(accountOf),
    categories: pulled.categories.map(({ CategoryId, DefaultCategory, CategoryName, profileId }) => ({
      CategoryId,
      DefaultCategory,
      CategoryName,
      profileId,
    })),
    beneficiaries: pulled.beneficiaries.filter(({ profileId }) =>
      profiles.some((profile) => profile.profileId === profileId),
    ),
    books: Object.fromEntries(
      pulled.accounts.map((each, index) => [
        each.account.accountId,
        bookOf(each, pulled.nowMs, `account ${index + 1}`, index, oddities),
      ]),
    ),
    payments: { lastReference: null, waiting: [], dayTotals: {} },
    cards: {
      cards: pulled.cards
        .filter(({ card }) => accountIds.has(card.AccountId))
        .map((each) => cardOf(each, pulled.nowMs)),
      transactions: [],
    },
  }
  const unread = pulled.accounts.filter(({ balance }) => balance === undefined).length
  if (unread > 0)
    oddities.push(
      `${unread} of ${pulled.accounts.length} balances were not read: those accounts start at the running balance of their last row, or at 0 without rows.`,
    )
  return { state, oddities }
}

function accountOf({ account, balance, setup, pending }: PulledAccount): AccountRecord {
  const { accountId, accountNumber, accountName, referenceName, productName, kycCompliant, profileId } =
    account
  const held = pending.reduce((sum, row) => sum + (row.type === 'DEBIT' ? fromRand(row.amount) : 0), 0)
  const overdraft = balance ? fromRand(balance.availableBalance) - fromRand(balance.currentBalance) + held : 0
  const needed = Number(setup?.numberOfAuthorisationRequired ?? 0)
  return {
    accountId,
    accountNumber,
    accountName,
    referenceName,
    productName,
    kycCompliant,
    profileId,
    currency: balance?.currency ?? 'ZAR',
    overdraftCents: Math.max(0, overdraft),
    authorisation: setup && needed > 0 ? setup : null,
    ...productOf(productName),
  }
}

function bookOf(
  { account, balance, rows, pending }: PulledAccount,
  nowMs: number,
  where: string,
  place: number,
  oddities: string[],
): BookState {
  const [first] = rows
  const current = balance
    ? fromRand(balance.currentBalance)
    : first
      ? fromRand(rows.at(-1)!.runningBalance)
      : 0
  const opening = first
    ? {
        cents: fromRand(first.runningBalance) - signed(first),
        postedOrder: Math.max(0, first.postedOrder - 1),
      }
    : { cents: current, postedOrder: 0 }
  let { cents, postedOrder } = opening
  let wrong = 0
  const entries: EntryState[] = []
  for (const row of rows) {
    const state = entryOf(row)
    if (!state) {
      wrong++
      continue
    }
    cents += state.cents
    if (cents !== fromRand(row.runningBalance)) wrong++
    entries.push(
      row.postedOrder > postedOrder && row.postedOrder !== postedOrder + 1
        ? { ...state, postedOrder: row.postedOrder }
        : state,
    )
    postedOrder = row.postedOrder > postedOrder ? row.postedOrder : postedOrder + 1
  }
  if (wrong > 0)
    oddities.push(`${where}: ${wrong} rows whose running balance does not follow from the row before.`)
  if (cents !== current)
    oddities.push(`${where}: the last row leaves another balance than the service shows.`)
  const holds = pending.map((row, index) => holdOf(row, nowMs, place * 10_000 + index, account.accountId))
  return { opening, entries, holds }
}

const signed = (row: Transaction): number => (row.type === 'CREDIT' ? 1 : -1) * fromRand(row.amount)

function entryOf(row: Transaction): EntryState | undefined {
  const day = row.postingDate === null ? undefined : parseDay(row.postingDate)
  if (day === undefined || signed(row) === 0) return undefined
  const other = (name: 'valueDate' | 'actionDate' | 'transactionDate') => {
    const given = row[name]
    const at = given === null ? undefined : parseDay(given)
    return at === undefined || at === day ? {} : { [`${name.slice(0, -4)}Day`]: at }
  }
  return {
    day,
    cents: signed(row),
    transactionType: row.transactionType,
    description: row.description,
    ...(row.cardNumber !== null && row.cardNumber !== '' && { cardNumber: row.cardNumber }),
    ...other('valueDate'),
    ...other('actionDate'),
    ...other('transactionDate'),
  }
}

function holdOf(row: Transaction, nowMs: number, place: number, accountId: string): Omit<Hold, 'accountId'> {
  return {
    // Below those of live card transactions, which begin with 5 to 9.
    id: String(10_000_000 + place),
    direction: row.type,
    cents: fromRand(row.amount),
    transactionType: row.transactionType,
    description: row.description,
    cardNumber: row.cardNumber ?? '',
    transactionDay: parseDay(row.transactionDate) ?? dayOf(nowMs),
    settlesMs: nowMs + settlesAfterMs + (Number(accountId.slice(-3)) % 60) * 1000 + (place % 10_000),
  }
}

function cardOf(
  { card, embossedName2, saved, published, variables, executions }: PulledCard,
  nowMs: number,
): CardState {
  const at = new Date(nowMs).toISOString()
  const template = {
    codeId: uuidOf(card.CardKey),
    code: defaultMainJs,
    createdAt: at,
    updatedAt: at,
    publishedAt: null,
    error: null,
  }
  const last = saved ?? published ?? template
  const isSame = published?.codeId === last.codeId
  const older = published && !isSame ? [published] : []
  const newest = isSame ? { ...last, publishedAt: published.publishedAt } : last
  return {
    card: {
      cardKey: card.CardKey,
      pan: panOf(card.CardNumber),
      expiry: '2030-12',
      cvv: '123',
      embossedName: card.EmbossedName,
      embossedName2,
      programmable: card.IsProgrammable,
      virtual: card.IsVirtualCard,
      status: card.Status,
      cardTypeCode: card.CardTypeCode,
      accountId: card.AccountId,
    },
    versions: card.IsProgrammable ? [...older, newest] : [],
    publishedId: published?.codeId ?? null,
    variables: variables.createdAt.startsWith('1970')
      ? { ...variables, createdAt: at, updatedAt: at }
      : variables,
    enabled: card.IsProgrammable,
    rule: null,
    executions: [...executions].reverse().map((execution) => ({ execution, error: null, outbound: [] })),
  }
}

/**
 * A whole card number that is shown as the masked one: the hidden digits are chosen so that its check digit is valid.
 */
function panOf(masked: string): string {
  const digits = masked.replace(/[^0-9]/g, '')
  const front = digits.slice(0, 6).padEnd(6, '4')
  const back = digits.slice(-4).padStart(4, '0')
  for (let middle = 0; middle < 1_000_000; middle++) {
    const pan = front + String(middle).padStart(6, '0') + back
    if (withCheckDigit(pan.slice(0, -1)) === pan) return pan
  }
  return `${front}000000${back}`
}

const uuidOf = (cardKey: string): string =>
  Stream.of(Number(cardKey) >>> 0, 'pulled code')
    .uuid()
    .toUpperCase()
