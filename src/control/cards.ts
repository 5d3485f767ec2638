// What the bank and the online profile do with a card: its status, and the rules that need no code.

import { Card } from '../bank/cards/card-records.js'
import type { Account } from '../bank/records.js'
import { CardRuleOnWire, readRule, RuleBody } from '../bank/cards/card-rules.js'
import { defineEndpoint } from '../endpoint/endpoint.js'
import { invalid } from '../protocol/problem.js'
import { record } from '../protocol/schema.js'

const ruleResponse = record('ActiveRule', 'The rule that a card has; null for none.', {
  rule: { anyOf: [{ type: 'null' }, CardRuleOnWire], description: 'The rule in force, or null.' },
})

const setStatus = <const P extends string>(path: P, summary: string, status: string) =>
  defineEndpoint({
    method: 'POST',
    path,
    summary,
    auth: 'control',
    response: Card,
    envelope: 'bare',
    problems: ['unknown-card'],
    handle: ({ bank, params }) => {
      const { cardkey } = params as { cardkey: string }
      bank.cards.setStatus(cardkey, status)
      return bank.cards.onWire(bank.cards.get(cardkey).card)
    },
  })

export const cards = [
  defineEndpoint({
    method: 'POST',
    path: '/_sandbox/cards',
    summary: 'Issue a card on an account, valid for three years',
    auth: 'control',
    body: {
      title: 'CardRequest',
      type: 'object',
      properties: {
        accountId: { type: 'string', maxLength: 40, description: 'The account of the card, 25 digits.' },
        embossedName: { type: 'string', minLength: 1, maxLength: 26, description: 'The name on the card.' },
        embossedName2: { type: 'string', maxLength: 26, description: 'A second line.' },
        virtual: { type: 'boolean', description: 'Default false.' },
        programmable: { type: 'boolean', description: 'Default true.' },
      },
      required: ['accountId', 'embossedName'],
      additionalProperties: false,
    },
    response: Card,
    envelope: 'bare',
    problems: ['unknown-account', 'invalid-request'],
    example: async (ask) => {
      const { accounts } = await ask<{ accounts: Account[] }>('GET', '/za/pb/v1/accounts')
      return { body: { accountId: accounts[0]!.accountId, embossedName: 'L NAIDOO' } }
    },
    handle: ({
      bank,
      body: { accountId, embossedName, embossedName2 = '', virtual = false, programmable = true },
    }) => {
      if (bank.account(accountId).kind !== 'current')
        throw invalid([{ path: '/accountId', message: 'must be a current account; only these have cards' }])
      return bank.cards.onWire(
        bank.cards.create(accountId, embossedName, embossedName2, { virtual, programmable }),
      )
    },
  }),
  setStatus('/_sandbox/cards/{cardkey}/block', 'Block a card: every transaction is declined', 'Blocked'),
  setStatus('/_sandbox/cards/{cardkey}/unblock', 'Unblock a card', 'Active'),
  defineEndpoint({
    method: 'PUT',
    path: '/_sandbox/cards/{cardkey}/status',
    summary: "Set a card's status: with any status other than Active every transaction is declined",
    auth: 'control',
    body: {
      title: 'CardStatusRequest',
      type: 'object',
      properties: {
        status: {
          type: 'string',
          pattern: '^[A-Z][A-Za-z ]{0,29}$',
          description: 'A status such as Blocked: a capital letter, then letters and spaces, 30 at most.',
        },
      },
      required: ['status'],
      additionalProperties: false,
    },
    response: Card,
    envelope: 'bare',
    problems: ['invalid-request', 'unknown-card'],
    example: { body: { status: 'Blocked' } },
    handle: ({ bank, params: { cardkey }, body: { status } }) => {
      bank.cards.setStatus(cardkey, status)
      return bank.cards.onWire(bank.cards.get(cardkey).card)
    },
  }),
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/cards/{cardkey}/rule',
    summary: 'The rule without code of a card',
    auth: 'control',
    response: ruleResponse,
    envelope: 'bare',
    problems: ['unknown-card', 'not-programmable'],
    handle: ({ bank, params: { cardkey } }) => ({ rule: bank.cards.programmable(cardkey).rule }),
  }),
  defineEndpoint({
    method: 'PUT',
    path: '/_sandbox/cards/{cardkey}/rule',
    summary: "Choose a rule: the code that implements it is published and replaces the card's code",
    auth: 'control',
    body: RuleBody,
    response: ruleResponse,
    envelope: 'bare',
    problems: ['invalid-request', 'unknown-card', 'not-programmable'],
    example: { body: { rule: 'transaction-limit', centsAmount: 50_000 } },
    handle: ({ bank, params: { cardkey }, body }) => {
      const read = readRule(body)
      if ('errors' in read) throw invalid(read.errors)
      bank.cards.setRule(cardkey, read.rule)
      return { rule: read.rule }
    },
  }),
  defineEndpoint({
    method: 'DELETE',
    path: '/_sandbox/cards/{cardkey}/rule',
    summary: 'Remove the rule; then no code is published',
    auth: 'control',
    response: ruleResponse,
    envelope: 'bare',
    problems: ['unknown-card', 'not-programmable'],
    handle: ({ bank, params: { cardkey } }) => {
      bank.cards.clearRule(cardkey)
      return { rule: null }
    },
  }),
]
