// Reads cards: what is stored with them, their transactions, and everything that happened in one of them.

import type { Bank } from '../bank/bank.js'
import { Card, Execution, OutboundCallRecord } from '../bank/cards/card-records.js'
import { cardTransactionOnWire } from '../bank/cards/card-transactions.js'
import { CardTransactionOnWire, type CardTransaction } from '../bank/cards/card-transaction-records.js'
import type { CardState, ExecutionRecord } from '../bank/cards/cards.js'
import { dayOf } from '../determinism/day.js'
import { defineEndpoint } from '../endpoint/endpoint.js'
import { executionOnWire } from '../hooks/execution-record.js'
import { listOf, record } from '../protocol/schema.js'
import { ledgerEntry, LedgerEntry } from './account-reading.js'
import { purchased } from './card-transactions.js'
import { PendingById, pendingById } from './transactions.js'

/** A card with the most important facts for the page and for tests. */
const CardSummary = record('CardSummary', 'A card, its account and the state of its code.', {
  ...Card.properties,
  accountName: { type: 'string', description: 'The name that the owner has given the account.' },
  availableCents: { type: 'integer', description: 'The available balance of the account, in rand cents.' },
  enabled: { type: 'boolean', description: 'Whether published code runs on its transactions.' },
  publishedVersion: {
    type: ['integer', 'null'],
    description: 'The number of the published version; null when none is published.',
  },
})

/** One run of a hook with the calls that it made. */
export const ExecutionWithCalls = record('ExecutionWithCalls', 'One run of a hook, and the calls it made.', {
  ...Execution.properties,
  outbound: { ...listOf(OutboundCallRecord), description: 'The calls that it made, oldest first.' },
})

export const executionWithCalls = (each: ExecutionRecord) => ({
  ...executionOnWire(each),
  outbound: each.outbound,
})

/** The number of a version of a card's code: 1 for the oldest stored version. */
export function versionNumber({ versions }: CardState, codeId: string | null): number | null {
  const index = versions.findIndex((version) => version.codeId === codeId)
  return index < 0 ? null : index + 1
}

function cardSummary(bank: Bank, state: CardState) {
  const { card, enabled, publishedId } = state
  return {
    ...bank.cards.onWire(card),
    accountName: bank.account(card.accountId).referenceName,
    availableCents: bank.availableCents(card.accountId),
    enabled,
    publishedVersion: versionNumber(state, publishedId),
  }
}

/** The entries of a card transaction; they were not posted before the day on which it was made. */
function entriesOf(bank: Bank, { id, accountId, dateTime }: CardTransaction) {
  const book = bank.book(accountId)
  const { first } = book.range(dayOf(Date.parse(dateTime)), Infinity)
  return book.entries.slice(first).filter(({ reference }) => reference === id)
}

export const cardReading = [
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/cards',
    summary: 'The cards, with their account and whether code runs on them',
    auth: 'control',
    response: record('CardSummaryList', 'Cards.', {
      cards: { ...listOf(CardSummary), description: 'Every card of the workspace.' },
    }),
    envelope: 'bare',
    problems: [],
    handle: ({ bank }) => ({
      cards: bank.cards.records.map(({ cardKey }) => cardSummary(bank, bank.cards.get(cardKey))),
    }),
  }),
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/cards/{cardkey}/transactions',
    summary: 'The transactions of a card over the control API, including declined ones, newest first',
    auth: 'control',
    query: {
      type: 'object',
      properties: {
        limit: {
          type: 'string',
          pattern: '^[1-9][0-9]{0,3}$',
          description: 'How many of the newest, 1 to 9999; default 200.',
        },
      },
    },
    response: record('CardTransactionList', 'Card transactions, newest first.', {
      transactions: { ...listOf(CardTransactionOnWire), description: 'Card transactions, newest first.' },
      total: { type: 'integer', description: 'How many are kept; 5000 for all cards together at most.' },
    }),
    envelope: 'bare',
    problems: ['unknown-card', 'invalid-request'],
    handle: ({ bank, params: { cardkey }, query: { limit = '200' } }) => {
      bank.cards.get(cardkey)
      const all = bank.cards.transactionsOf(cardkey)
      const newest = all.slice(-Number(limit)).reverse()
      return {
        transactions: newest.map((each) => cardTransactionOnWire(bank, each)),
        total: all.length,
      }
    },
  }),
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/transactions/{id}',
    summary: 'A card transaction with everything that happened in it: hooks, logs, calls, ledger rows',
    auth: 'control',
    response: record('CardTransactionDetail', 'A card transaction and everything that happened in it.', {
      transaction: CardTransactionOnWire,
      cardStatus: { type: 'string', description: 'The current status of the card.' },
      availableCents: {
        type: 'integer',
        description: 'The current available balance of the account, in rand cents.',
      },
      executions: {
        ...listOf(ExecutionWithCalls),
        description: 'The stored executions, in the order in which they ran.',
      },
      pending: {
        anyOf: [{ type: 'null' }, PendingById],
        description: 'Its pending row, or null once it has settled.',
      },
      entries: { ...listOf(LedgerEntry), description: 'What it has posted, corrections too, oldest first.' },
    }),
    envelope: 'bare',
    problems: ['unknown-transaction'],
    example: async (ask) => ({ params: { id: await purchased(ask) } }),
    handle: ({ bank, params: { id } }) => {
      const transaction = bank.cards.transaction(id)
      const { rootCodeFunctionId, cardKey, accountId } = transaction
      const { card, executions } = bank.cards.get(cardKey)
      const hold = bank.books.pending(id)
      return {
        transaction: cardTransactionOnWire(bank, transaction),
        cardStatus: card.status,
        availableCents: bank.availableCents(accountId),
        executions: executions
          .filter(({ execution }) => execution.rootCodeFunctionId === rootCodeFunctionId)
          .map(executionWithCalls),
        pending: hold ? pendingById(hold) : null,
        entries: entriesOf(bank, transaction).map(ledgerEntry),
      }
    },
  }),
]
