// Accounts, balances and transactions: the documented rows, and those that the service adds.

import type { Bank } from '../bank/bank.js'
import type { AccountRecord } from '../bank/client-records.js'
import type { ApiKeyRecord } from '../bank/credentials.js'
import { parseDay, type Day } from '../determinism/day.js'
import type { Book, Hold } from '../bank/ledger/ledger.js'
import { Account, Balance, PendingTransaction, Transaction } from '../bank/records.js'
import { observedRow } from '../bank/ledger/observed-rows.js'
import { pendingRow, pendingTransaction, rangeBytes, rowsText } from '../bank/ledger/transactions.js'
import { defineEndpoint } from '../endpoint/endpoint.js'
import { JsonText } from '../protocol/call.js'
import { invalid, Problem } from '../protocol/problem.js'
import { isoDate, listOf, record } from '../protocol/schema.js'

/** The accounts that an API key may access, in one profile or in all. */
export function accountsOf(bank: Bank, { accounts }: ApiKeyRecord, profileId?: string): AccountRecord[] {
  return bank.accounts.filter(
    (account) =>
      (accounts === 'all' || accounts.includes(account.accountId)) &&
      (profileId === undefined || account.profileId === profileId),
  )
}

/** Refuses an account that does not exist or that the API key may not access. */
export function guardAccount(bank: Bank, { accounts, alias }: ApiKeyRecord, accountId: string): void {
  bank.account(accountId)
  if (accounts !== 'all' && !accounts.includes(accountId))
    throw new Problem(
      'account-refused',
      `The API key ${JSON.stringify(alias)} may not access account ${accountId}.`,
    )
}

/** The serialised list of accounts for a bank and a key, cached until a record of the bank changes. */
interface WrittenList {
  readonly revision: number
  readonly text: JsonText
}
const lists = new WeakMap<Bank, Map<ApiKeyRecord, WrittenList>>()

function accountList(bank: Bank, apiKey: ApiKeyRecord): JsonText {
  let ofBank = lists.get(bank)
  if (!ofBank) lists.set(bank, (ofBank = new Map<ApiKeyRecord, WrittenList>()))
  const known = ofBank.get(apiKey)
  if (known?.revision === bank.revision) return known.text
  const accounts = accountsOf(bank, apiKey).map((account) => bank.accountOnWire(account))
  const text = new JsonText(JSON.stringify({ accounts }))
  ofBank.set(apiKey, { revision: bank.revision, text })
  return text
}

/** The last balance of each book as it was written: programs ask for it again and again. */
const balances = new WeakMap<Book, { readonly balance: Balance; readonly text: JsonText }>()

function balanceText(bank: Bank, accountId: string): JsonText {
  const balance = bank.balance(accountId)
  const book = bank.book(accountId)
  const known = balances.get(book)
  if (known && isSame(known.balance, balance)) return known.text
  const text = new JsonText(JSON.stringify(balance))
  balances.set(book, { balance, text })
  return text
}

const isSame = (a: Balance, b: Balance): boolean =>
  (Object.keys(a) as (keyof Balance)[]).every((name) => a[name] === b[name])

/** The default range of transactions: this many days before today. */
const defaultRangeDays = 180

/** The days of a query, both included. When both were given, a first day after the last is refused. */
export function dayRange(today: Day, query: { fromDate?: string | undefined; toDate?: string | undefined }) {
  const from = query.fromDate === undefined ? today - defaultRangeDays : parseDay(query.fromDate)!
  const to = query.toDate === undefined ? today : parseDay(query.toDate)!
  if (from > to && query.fromDate !== undefined)
    throw invalid([
      {
        path: '/fromDate',
        message: `must not be after toDate${query.toDate === undefined ? ', which defaults to today' : ''}`,
      },
    ])
  return { from, to }
}

/** The JSON texts of entries as the live service sends them; they depend on the day of the request. */
function observedText(bank: Bank, accountId: string): typeof rowsText {
  const account = bank.account(accountId)
  const today = bank.today()
  return (_, entries) => entries.map((entry) => JSON.stringify(observedRow(account, entry, today))).join(',')
}

const within =
  (from: Day, to: Day) =>
  ({ transactionDay }: Hold): boolean =>
    transactionDay >= from && transactionDay <= to

export const accounts = [
  defineEndpoint({
    method: 'GET',
    path: '/za/pb/v1/accounts',
    name: 'listAccounts',
    summary: 'The accounts that the API key may access',
    auth: 'token',
    permission: 'accounts',
    response: record('AccountList', 'Accounts.', {
      accounts: { ...listOf(Account), description: 'The accounts that the API key may access.' },
    }),
    envelope: 'links',
    problems: [],
    handle: ({ bank, grant }) => accountList(bank, grant.apiKey),
  }),
  defineEndpoint({
    method: 'GET',
    path: '/za/pb/v1/accounts/{accountId}/balance',
    name: 'getBalance',
    summary: 'Balance of one account',
    auth: 'token',
    permission: 'balances',
    response: Balance,
    envelope: 'links',
    problems: ['unknown-account', 'account-refused'],
    handle: ({ bank, params }) => balanceText(bank, params.accountId),
  }),
  defineEndpoint({
    method: 'GET',
    path: '/za/pb/v1/accounts/{accountId}/transactions',
    name: 'listTransactions',
    summary: 'Transactions of one account, oldest first',
    auth: 'token',
    permission: 'transactions',
    query: {
      type: 'object',
      properties: {
        fromDate: { ...isoDate, description: 'First posting date; 180 days before today when left out.' },
        toDate: { ...isoDate, description: 'Last posting date; today when left out.' },
        transactionType: {
          type: 'string',
          maxLength: 100,
          description: 'Only rows of this transactionType.',
        },
        includePending: { enum: ['true', 'false'], description: 'Also the rows that have not settled.' },
        page: { type: 'string', pattern: '^[1-9][0-9]{0,8}$', description: 'A page number from 1.' },
      },
    },
    response: record('TransactionList', 'Transactions, oldest first.', {
      transactions: {
        ...listOf(Transaction),
        description: 'Rows of the range, oldest first; pending ones come last.',
      },
    }),
    envelope: 'links',
    problems: ['unknown-account', 'account-refused', 'invalid-request'],
    handle: ({ bank, params: { accountId }, query }) => {
      const { from, to } = dayRange(bank.today(), query)
      const { transactionType } = query
      const book = bank.book(accountId)
      const { pageSize, behaviour } = bank.settings
      const isObserved = behaviour === 'observed'
      const page = Number(query.page ?? 1)
      const isAll = transactionType === undefined && query.includePending !== 'true'
      if (isAll && !isObserved && pageSize === 0 && page === 1)
        return new JsonText(rangeBytes(accountId, book, book.range(from, to)))
      const ofType = <T extends { transactionType: string | null }>(rows: T[]): T[] =>
        transactionType === undefined ? rows : rows.filter((row) => row.transactionType === transactionType)
      const postedText = isObserved ? observedText(bank, accountId) : rowsText
      const entries = ofType(book.between(from, to))
      const holds = query.includePending === 'true' ? ofType(book.holds.filter(within(from, to))) : []
      const total = entries.length + holds.length
      // With a page size of 0 everything is one page, and later pages are empty.
      const rows = pageSize === 0 ? total : pageSize
      const first = (page - 1) * rows
      const end = first + rows
      const posted = postedText(accountId, entries.slice(first, end))
      const pending = holds
        .slice(Math.max(0, first - entries.length), Math.max(0, end - entries.length))
        .map((hold) => JSON.stringify(pendingRow(hold, book.balanceCents)))
      const text = [posted, ...pending].filter((part) => part !== '').join(',')
      return new JsonText(`{"transactions":[${text}]}`, Math.max(1, Math.ceil(total / Math.max(1, rows))))
    },
  }),
  defineEndpoint({
    method: 'GET',
    path: '/za/pb/v1/accounts/{accountId}/pending-transactions',
    name: 'listPendingTransactions',
    summary: 'Transactions of one account that have not settled',
    auth: 'token',
    permission: 'transactions',
    response: record('PendingTransactionList', 'Pending transactions.', {
      transactions: { ...listOf(PendingTransaction), description: 'Rows that have not settled.' },
    }),
    envelope: 'links',
    problems: ['unknown-account', 'account-refused'],
    handle: ({ bank, params }) => ({
      transactions: bank.book(params.accountId).holds.map(pendingTransaction),
    }),
  }),
]
