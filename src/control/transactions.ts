// Pending transactions by id, so that a test need not wait for the clock until they post.

import { settle } from '../bank/cards/card-transactions.js'
import { formatDay } from '../determinism/day.js'
import type { Hold } from '../bank/ledger/ledger.js'
import { toRand } from '../bank/money.js'
import { Transaction, type Account } from '../bank/records.js'
import { postedRow } from '../bank/ledger/transactions.js'
import { defineEndpoint } from '../endpoint/endpoint.js'
import { isoDate, listOf, record, timestamp, type FromSchema } from '../protocol/schema.js'

/** A pending transaction as the control API shows it: as the service shows it, plus the id by which it is settled. */
export const PendingById = record('PendingById', 'A transaction that has not settled, with its id.', {
  id: { type: 'string', description: '8 digits: the reference of the card transaction.' },
  accountId: { type: 'string', description: 'The id of the account, 25 digits.' },
  type: { enum: ['DEBIT', 'CREDIT'], description: 'Whether money will leave (DEBIT) or come (CREDIT).' },
  transactionType: { type: ['string', 'null'], description: 'The category of the row, or null.' },
  description: { type: 'string', description: 'The text of the row.' },
  cardNumber: { type: 'string', description: 'Masked.' },
  transactionDate: { ...isoDate, description: 'When the card was used, such as 2026-03-25.' },
  amount: { type: 'number', description: 'Rand, positive.' },
  settlesAt: { ...timestamp, description: "When it posts by itself, by the sandbox's clock." },
})
export type PendingById = FromSchema<typeof PendingById>

export const pendingById = (hold: Hold): PendingById => ({
  id: hold.id,
  accountId: hold.accountId,
  type: hold.direction,
  transactionType: hold.transactionType,
  description: hold.description,
  cardNumber: hold.cardNumber,
  transactionDate: formatDay(hold.transactionDay),
  amount: toRand(hold.cents),
  settlesAt: new Date(hold.settlesMs).toISOString(),
})

export const transactions = [
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/accounts/{accountId}/pending',
    summary: 'The transactions of an account that have not settled, with their ids',
    auth: 'control',
    response: record('PendingByIdList', 'Pending transactions, oldest first.', {
      transactions: { ...listOf(PendingById), description: 'Pending transactions.' },
    }),
    envelope: 'bare',
    problems: ['unknown-account'],
    handle: ({ bank, params }) => ({ transactions: bank.book(params.accountId).holds.map(pendingById) }),
  }),
  defineEndpoint({
    method: 'POST',
    path: '/_sandbox/transactions/{id}/settle',
    summary: 'Post a pending transaction today, without waiting for its settlement time',
    auth: 'control',
    response: Transaction,
    envelope: 'bare',
    problems: ['unknown-transaction', 'declined-transaction', 'already-reversed', 'not-pending'],
    example: async (ask) => {
      const { accounts } = await ask<{ accounts: Account[] }>('GET', '/za/pb/v1/accounts')
      const path = `/_sandbox/accounts/${accounts[0]!.accountId}/pending`
      const { transactions } = await ask<{ transactions: PendingById[] }>('GET', path)
      return { params: { id: transactions[0]!.id } }
    },
    handle: ({ bank, params: { id } }) => {
      const { accountId, entry } = settle(bank, id)
      return postedRow(accountId, entry)
    },
  }),
]
