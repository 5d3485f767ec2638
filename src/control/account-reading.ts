// Reads accounts: with their balances, and their entries in windows, newest first.

import type { Bank } from '../bank/bank.js'
import type { AccountRecord } from '../bank/client-records.js'
import type { Entry } from '../bank/ledger/ledger.js'
import { Account } from '../bank/records.js'
import { formatDay } from '../determinism/day.js'
import { defineEndpoint } from '../endpoint/endpoint.js'
import { isoDate, listOf, record, type FromSchema } from '../protocol/schema.js'

/** An account with its balances. Amounts are rand cents. */
const AccountWithBalances = record('AccountWithBalances', 'An account and its balances, in rand cents.', {
  ...Account.properties,
  kind: { enum: ['current', 'savings', 'loan'], description: 'What the product is.' },
  balanceCents: { type: 'integer', description: 'The sum of its entries.' },
  availableCents: { type: 'integer', description: 'With the overdraft, less the debits on hold.' },
  heldCents: { type: 'integer', description: 'The debits on hold.' },
  overdraftCents: { type: 'integer', description: 'How far the balance may go below zero, in cents.' },
  entries: { type: 'integer', description: 'How many entries it has.' },
  pending: { type: 'integer', description: 'How many transactions have not settled.' },
})

/** A posted entry. Amounts are rand cents. */
export const LedgerEntry = record('LedgerEntry', 'A posted entry of an account, in rand cents.', {
  postedOrder: { type: 'integer', description: '1 for the first entry of the account.' },
  postingDate: { ...isoDate, description: 'The day on which it was posted, such as 2026-03-25.' },
  transactionDate: { ...isoDate, description: 'The day on which it was made, such as 2026-03-25.' },
  cents: { type: 'integer', description: 'Negative for a debit.' },
  balanceCents: { type: 'integer', description: "The account's balance after the entry." },
  transactionType: { type: ['string', 'null'], description: 'The category of the row, or null.' },
  description: { type: 'string', description: 'The text of the row.' },
  cardNumber: { type: 'string', description: 'Masked; empty when no card was used.' },
  reference: {
    type: 'string',
    description: 'A payment reference, or the id of a card transaction; may be empty.',
  },
})

export const ledgerEntry = (entry: Entry): FromSchema<typeof LedgerEntry> => ({
  postedOrder: entry.postedOrder,
  postingDate: formatDay(entry.postingDay),
  transactionDate: formatDay(entry.transactionDay),
  cents: entry.direction === 'CREDIT' ? entry.cents : -entry.cents,
  balanceCents: entry.balanceCents,
  transactionType: entry.transactionType,
  description: entry.description,
  cardNumber: entry.cardNumber,
  reference: entry.reference,
})

function withBalances(bank: Bank, account: AccountRecord): FromSchema<typeof AccountWithBalances> {
  const { accountId, kind, overdraftCents } = account
  const { balanceCents, heldCents, entries, holds } = bank.book(accountId)
  return {
    ...bank.accountOnWire(account),
    kind,
    balanceCents,
    availableCents: bank.availableCents(accountId),
    heldCents,
    overdraftCents,
    entries: entries.length,
    pending: holds.length,
  }
}

const windowSize = 100

export const accountReading = [
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/accounts',
    summary: 'The accounts with their balances, in rand cents',
    auth: 'control',
    response: record('AccountsWithBalances', 'Accounts.', {
      accounts: { ...listOf(AccountWithBalances), description: 'Every account of the workspace.' },
    }),
    envelope: 'bare',
    problems: [],
    handle: ({ bank }) => ({ accounts: bank.accounts.map((account) => withBalances(bank, account)) }),
  }),
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/accounts/{accountId}/entries',
    summary: 'A window of the entries of an account, newest first, without pending transactions',
    auth: 'control',
    query: {
      type: 'object',
      properties: {
        before: {
          type: 'string',
          pattern: '^[0-9]{1,15}$',
          description: 'A postedOrder: only entries before it; by default the newest.',
        },
        limit: {
          type: 'string',
          pattern: '^([1-9][0-9]{0,3}|10000)$',
          description: 'The largest number of entries, 1 to 10000; default 100.',
        },
      },
    },
    response: record('EntryWindow', 'Entries, newest first.', {
      entries: { ...listOf(LedgerEntry), description: 'The entries of the window, newest first.' },
      total: { type: 'integer', description: 'How many entries the account has.' },
      before: {
        type: ['integer', 'null'],
        description:
          'The value of `before` for the next window; null when this one contains the first entry.',
      },
    }),
    envelope: 'bare',
    problems: ['unknown-account', 'invalid-request'],
    handle: ({ bank, params: { accountId }, query: { before, limit = String(windowSize) } }) => {
      const { entries } = bank.book(accountId)
      const total = entries.length
      const end = before === undefined ? total : Math.min(total, Math.max(0, Number(before) - 1))
      const first = Math.max(0, end - Number(limit))
      const window = entries.slice(first, end).reverse().map(ledgerEntry)
      return { entries: window, total, before: first > 0 ? first + 1 : null }
    },
  }),
]
