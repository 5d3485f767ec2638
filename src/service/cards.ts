// Cards: the list, one card with the details that only its holder may read, and virtual cards,
// which the service has but does not document.

import type { Bank } from '../bank/bank.js'
import { Card, CardDetail, NewCard } from '../bank/cards/card-records.js'
import type { CardState } from '../bank/cards/cards.js'
import type { ApiKeyRecord } from '../bank/credentials.js'
import { defineEndpoint } from '../endpoint/endpoint.js'
import { invalid, Problem } from '../protocol/problem.js'
import { listOf, maxIdLength, record } from '../protocol/schema.js'
import { encryptFor, exampleKey, readKey } from './card-encryption.js'

/** The card of a path, if its account is one of the API key's. Throws `unknown-card` and `account-refused`. */
export function cardOf(bank: Bank, apiKey: ApiKeyRecord, cardKey: string): CardState {
  const state = bank.cards.get(cardKey)
  guardAccountOfCard(apiKey, state.card.accountId)
  return state
}

function guardAccountOfCard({ accounts, alias }: ApiKeyRecord, accountId: string): void {
  if (accounts !== 'all' && !accounts.includes(accountId))
    throw new Problem(
      'account-refused',
      `The API key ${JSON.stringify(alias)} may not access account ${accountId}.`,
    )
}

const name = {
  type: 'string',
  pattern: '\\S',
  maxLength: 26,
  description: 'A name of 1 to 26 characters.',
} as const

const detail = record('CardDetailResult', 'One card.', { result: CardDetail })

export const cards = [
  defineEndpoint({
    method: 'GET',
    path: '/za/v1/cards',
    name: 'listCards',
    summary: 'The cards of the accounts that the API key may access',
    auth: 'token',
    permission: 'cards',
    response: record('CardList', 'Cards.', {
      cards: { ...listOf(Card), description: 'The cards of the accounts that the API key may access.' },
    }),
    envelope: 'no-links',
    problems: [],
    handle: ({ bank, grant: { apiKey } }) => ({
      cards: bank.cards.records
        .filter(({ accountId }) => apiKey.accounts === 'all' || apiKey.accounts.includes(accountId))
        .map((card) => bank.cards.onWire(card)),
    }),
  }),
  defineEndpoint({
    method: 'POST',
    path: '/za/v1/cards',
    name: 'createVirtualCard',
    summary: 'Creates a virtual card on an account',
    auth: 'token',
    permission: 'cards',
    body: {
      title: 'NewCardRequest',
      type: 'object',
      properties: {
        AccountNumber: {
          type: 'string',
          maxLength: maxIdLength,
          description: 'The number of a current account.',
        },
        EmbossName: { ...name, description: 'The name on the card, at most 26 characters.' },
        EmbossName2: {
          type: ['string', 'null'],
          maxLength: 26,
          description: 'A second line, at most 26 characters, or null.',
        },
      },
      required: ['AccountNumber', 'EmbossName'],
      additionalProperties: false,
    },
    response: record('NewCardResult', 'The new card.', { result: NewCard }),
    envelope: 'no-links',
    problems: ['invalid-request', 'account-refused'],
    example: async (ask) => {
      const { cards } = await ask<{ cards: Card[] }>('GET', '/za/v1/cards')
      return { body: { AccountNumber: cards[0]!.AccountNumber, EmbossName: 'MRS T NAIDOO' } }
    },
    handle: ({ bank, grant, body: { AccountNumber, EmbossName, EmbossName2 } }) => {
      const account = bank.accounts.find(({ accountNumber }) => accountNumber === AccountNumber.trim())
      if (!account) throw invalid([{ path: '/AccountNumber', message: 'is not the number of an account' }])
      guardAccountOfCard(grant.apiKey, account.accountId)
      if (account.kind !== 'current')
        throw invalid([{ path: '/AccountNumber', message: 'must be the number of a current account' }])
      const card = bank.cards.create(account.accountId, EmbossName.trim(), EmbossName2?.trim() ?? '')
      const { cardKey, embossedName, embossedName2 } = card
      const shown = { EmbossName: embossedName, EmbossName2: embossedName2 }
      return { result: { CardKey: cardKey, IsVirtualCard: true, ...shown } }
    },
  }),
  defineEndpoint({
    method: 'GET',
    path: '/za/v1/cards/{cardkey}',
    name: 'getCard',
    summary: 'One card',
    auth: 'token',
    permission: 'cards',
    response: detail,
    envelope: 'no-links',
    problems: ['unknown-card', 'account-refused'],
    handle: ({ bank, grant, params: { cardkey } }) => {
      const { card } = cardOf(bank, grant.apiKey, cardkey)
      return { result: bank.cards.detail(card) }
    },
  }),
  defineEndpoint({
    method: 'POST',
    path: '/za/v1/cards/{cardkey}',
    name: 'getCardDetails',
    summary: "One card; with extended=true also its number, expiry and CVV2, encrypted with the client's key",
    auth: 'token',
    permission: 'cards',
    query: {
      type: 'object',
      properties: {
        extended: { enum: ['true', 'false'], description: 'Whether to send ExtendedDetails. Default false.' },
      },
    },
    body: {
      title: 'CardDetailRequest',
      type: 'object',
      properties: {
        keyId: {
          type: ['string', 'integer'],
          maxLength: 200,
          description: 'An id of the key of your own. It is not looked at.',
        },
        identifier: {
          type: 'string',
          maxLength: 200,
          description: 'An id of the request of your own. It is not looked at.',
        },
        appName: {
          type: 'string',
          maxLength: 200,
          description: 'The name of your application. It is not looked at.',
        },
        modulus: { type: 'string', maxLength: 4096, description: 'Of an RSA key, in hexadecimal.' },
        exponent: { type: 'string', maxLength: 64, description: 'Of the RSA key, in hexadecimal: 010001.' },
      },
      required: ['modulus', 'exponent'],
      additionalProperties: false,
    },
    response: detail,
    envelope: 'no-links',
    problems: ['invalid-request', 'unknown-card', 'account-refused'],
    example: {
      query: { extended: 'true' },
      body: { keyId: '1', identifier: 'example', appName: 'example', ...exampleKey },
    },
    handle: ({ bank, grant, params: { cardkey }, query, body: { modulus, exponent } }) => {
      const { card } = cardOf(bank, grant.apiKey, cardkey)
      const key = readKey(modulus, exponent)
      const result = bank.cards.detail(card)
      if (query.extended !== 'true') return { result }
      const chance = bank.random.stream('card-encryption')
      const { pan, expiry, cvv } = card
      const [CardNumber, ExpiryDate, CVV2] = [pan, expiry, cvv].map((text) => encryptFor(key, text, chance))
      return { result: { ...result, ExtendedDetails: { CardNumber, ExpiryDate, CVV2 } } }
    },
  }),
]
