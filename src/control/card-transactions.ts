// Card transactions: what a terminal, an ATM or a shop does with a card, and the result.

import type { Bank } from '../bank/bank.js'
import { Execution, type Card } from '../bank/cards/card-records.js'
import { cardTransactionOnWire, readAttempt } from '../bank/cards/card-transactions.js'
import {
  CardTransactionOnWire,
  reasons,
  cardTransactionTypes,
} from '../bank/cards/card-transaction-records.js'
import { maxCents } from '../bank/money.js'
import { defineEndpoint, type Ask } from '../endpoint/endpoint.js'
import { executionOnWire } from '../hooks/execution-record.js'
import {
  adjustTransaction,
  hookProblems,
  reverseTransaction,
  transact,
  type Decided,
} from '../hooks/hooks.js'
import { listOf, record } from '../protocol/schema.js'

const cents = { type: 'integer', minimum: 1, maximum: maxCents } as const

/** The use of a card. Only the amount is required. */
export const CardTransactionBody = {
  title: 'CardTransactionRequest',
  type: 'object',
  properties: {
    centsAmount: {
      ...cents,
      minimum: 0,
      description: 'In the currency of the transaction. 0 checks the card: hooks run, and no money is held.',
    },
    currencyCode: {
      type: 'string',
      pattern: '^[A-Za-z]{3}$',
      description: 'A currency code of three letters. Default ZAR.',
    },
    type: { enum: cardTransactionTypes, description: 'Default purchase.' },
    merchant: {
      type: 'object',
      description: 'Where the card is used. What is left out has a default.',
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 200, description: 'Default Sandbox Merchant.' },
        city: { type: 'string', maxLength: 200, description: 'Default Cape Town.' },
        countryCode: {
          type: 'string',
          pattern: '^[A-Za-z]{2}$',
          description: 'A country code of two letters. Default ZA.',
        },
        categoryCode: {
          type: ['string', 'integer'],
          pattern: '^[0-9]{1,4}$',
          minimum: 0,
          maximum: 9999,
          description:
            'A merchant category code of up to four digits. Default 5462, a bakery, and at an ATM 6011.',
        },
      },
      additionalProperties: false,
    },
  },
  required: ['centsAmount'],
  additionalProperties: false,
} as const

const changedResponse = record('ChangedCardTransaction', 'The transaction, and the hook that ran for it.', {
  transaction: CardTransactionOnWire,
  executions: { ...listOf(Execution), description: 'The runs of its hooks, in their order.' },
})

const answer = (bank: Bank, { transaction, executions }: Decided) => ({
  transaction: cardTransactionOnWire(bank, transaction),
  executions: executions.map(executionOnWire),
})

const purchase = {
  centsAmount: 8_495,
  currencyCode: 'zar',
  merchant: { name: 'Corner Bakery', city: 'Durban', countryCode: 'ZA', categoryCode: '5462' },
}

/** Makes a purchase and returns its id, for examples. */
export async function purchased(ask: Ask): Promise<string> {
  const { cards } = await ask<{ cards: Card[] }>('GET', '/za/v1/cards')
  const path = `/_sandbox/cards/${cards[0]!.CardKey}/transactions`
  return (await ask<{ transaction: { id: string } }>('POST', path, purchase)).transaction.id
}

export const cardTransactions = [
  defineEndpoint({
    method: 'POST',
    path: '/_sandbox/cards/{cardkey}/transactions',
    summary: 'Use a card: the bank and its published code decide, and money is held',
    auth: 'control',
    body: CardTransactionBody,
    response: record('DecidedCardTransaction', 'What was decided, and the hooks that ran.', {
      decision: { enum: ['approved', 'declined'], description: 'What the bank decided.' },
      reason: { enum: reasons, description: 'Why: `approved`, or what declined it.' },
      transaction: CardTransactionOnWire,
      executions: { ...listOf(Execution), description: 'The runs of its hooks, in their order.' },
    }),
    envelope: 'bare',
    problems: ['invalid-request', 'unknown-card', ...hookProblems],
    example: { body: purchase },
    handle: async (context) => {
      const {
        bank,
        params: { cardkey },
        body,
      } = context
      const attempt = readAttempt(bank.cards.get(cardkey).card, body)
      const decided = await transact(context, attempt)
      const { decision, reason } = decided.transaction
      return { decision, reason, ...answer(bank, decided) }
    },
  }),
  defineEndpoint({
    method: 'POST',
    path: '/_sandbox/transactions/{id}/reverse',
    summary: 'Reverse a card transaction: a pending one is released, a settled one gets a correction',
    auth: 'control',
    response: changedResponse,
    envelope: 'bare',
    problems: ['unknown-transaction', 'declined-transaction', 'already-reversed', ...hookProblems],
    example: async (ask) => ({ params: { id: await purchased(ask) } }),
    handle: async (context) => answer(context.bank, await reverseTransaction(context, context.params.id)),
  }),
  defineEndpoint({
    method: 'POST',
    path: '/_sandbox/transactions/{id}/adjust',
    summary: 'Change the amount of a card transaction',
    auth: 'control',
    body: {
      title: 'AdjustRequest',
      type: 'object',
      properties: { centsAmount: { ...cents, description: 'The new amount, in its currency.' } },
      required: ['centsAmount'],
      additionalProperties: false,
    },
    response: changedResponse,
    envelope: 'bare',
    problems: [
      'invalid-request',
      'unknown-transaction',
      'declined-transaction',
      'already-reversed',
      ...hookProblems,
    ],
    example: async (ask) => ({ params: { id: await purchased(ask) }, body: { centsAmount: 6_250 } }),
    handle: async (context) => {
      const { bank, params, body } = context
      return answer(bank, await adjustTransaction(context, params.id, body.centsAmount))
    },
  }),
]
