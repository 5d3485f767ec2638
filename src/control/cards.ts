// What the bank's own people and the online profile do with a card: its status, and the rules that need no code.

import { Card } from '../bank/card-records.js'
import { CardRuleOnWire, readRule, RuleBody } from '../bank/card-rules.js'
import { defineEndpoint } from '../endpoint.js'
import { invalid } from '../problem.js'
import { record } from '../schema.js'

const ruleResponse = record('ActiveRule', 'The rule that a card has; null for none.', {
  rule: { anyOf: [{ type: 'null' }, CardRuleOnWire] },
})

export const cards = [
  defineEndpoint({
    method: 'PUT',
    path: '/_sandbox/cards/{cardkey}/status',
    summary: "Sets a card's status: anything but Active declines every transaction",
    auth: 'control',
    body: {
      title: 'CardStatusRequest',
      type: 'object',
      properties: {
        status: {
          type: 'string',
          pattern: '^[A-Z][A-Za-z ]{0,29}$',
          description: 'A status such as Blocked.',
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
    summary: 'The rule without code that a card has',
    auth: 'control',
    response: ruleResponse,
    envelope: 'bare',
    problems: ['unknown-card', 'not-programmable'],
    handle: ({ bank, params: { cardkey } }) => ({ rule: bank.cards.programmable(cardkey).rule }),
  }),
  defineEndpoint({
    method: 'PUT',
    path: '/_sandbox/cards/{cardkey}/rule',
    summary: 'Chooses a rule: writes and publishes the code that carries it out, in place of what was there',
    auth: 'control',
    body: RuleBody,
    response: ruleResponse,
    envelope: 'bare',
    problems: ['invalid-request', 'unknown-card', 'not-programmable'],
    example: { body: { rule: 'transaction-limit', centsAmount: 50_000 } },
    handle: ({ bank, params: { cardkey }, body }) => {
      const read = readRule(body)
      if ('faults' in read) throw invalid(read.faults)
      bank.cards.setRule(cardkey, read.rule)
      return { rule: read.rule }
    },
  }),
  defineEndpoint({
    method: 'DELETE',
    path: '/_sandbox/cards/{cardkey}/rule',
    summary: 'Takes the rule off: no code is published any more',
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
