// Cards to look at: what is stored against them, their transactions, and everything that happened in one of them.

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

/** A card with what the page and a test need at a glance. */
const CardSummary = record('CardSummary', 'A card, its account and the state of its code.', {
  ...Card.properties,
  accountName: { type: 'string', description: 'What the owner calls the account.' },
  availableCents: { type: 'integer', description: 'What the account has, in rand cents.' },
  enabled: { type: 'boolean', description: 'Whether published code runs on its transactions.' },
  publishedVersion: {
    type: ['integer', 'null'],
    description: 'The number of the published version; null when none is.',
  },
})

/** One run of a hook with the calls that it made. */
export const ExecutionWithCalls = record('ExecutionWithCalls', 'One run of a hook, and the calls it made.', {
  ...Execution.properties,
  outbound: listOf(OutboundCallRecord),
})

export const executionWithCalls = (each: ExecutionRecord) => ({
  ...executionOnWire(each),
  outbound: each.outbound,
})

/** The number of a version of a card's code: 1 for the oldest that is kept. */
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

/** The entries of a card transaction: it cannot have posted before the day on which it was made. */
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
    response: record('CardSummaryList', 'Cards.', { cards: listOf(CardSummary) }),
    envelope: 'bare',
    problems: [],
    handle: ({ bank }) => ({
      cards: bank.cards.records.map(({ cardKey }) => cardSummary(bank, bank.cards.get(cardKey))),
    }),
  }),
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/cards/{cardkey}/transactions',
    summary: 'What a card was used for over the control API, declined transactions too, newest first',
    auth: 'control',
    query: {
      type: 'object',
      properties: {
        limit: {
          type: 'string',
          pattern: '^[1-9][0-9]{0,3}$',
          description: 'A number from 1 to 9999: the newest so many; 200 when it is left out.',
        },
      },
    },
    response: record('CardTransactionList', 'Card transactions, newest first.', {
      transactions: listOf(CardTransactionOnWire),
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
      cardStatus: { type: 'string', description: 'Of the card, now.' },
      availableCents: { type: 'integer', description: 'What the account has now, in rand cents.' },
      executions: {
        ...listOf(ExecutionWithCalls),
        description: 'In the order in which they ran, as far as they are kept.',
      },
      pending: { anyOf: [{ type: 'null' }, PendingById] },
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
