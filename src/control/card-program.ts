// The program of a card: main.js, its variables, its versions, and a simulation of a draft.

import { CodeRecord } from '../bank/cards/card-records.js'
import { CardRuleOnWire } from '../bank/cards/card-rules.js'
import { readAttempt } from '../bank/cards/card-transactions.js'
import { maxCodeLength, type CardState } from '../bank/cards/cards.js'
import { codeErrorOf } from '../card-code/syntax-fault.js'
import { defineEndpoint } from '../endpoint/endpoint.js'
import { hookProblems, simulate } from '../hooks/hooks.js'
import { warnOfFindings } from '../hooks/lint-warnings.js'
import { listOf, record, type FromSchema } from '../protocol/schema.js'
import { executionWithCalls, ExecutionWithCalls, versionNumber } from './card-reading.js'
import { CardTransactionBody } from './card-transactions.js'

const variables = {
  type: 'object',
  description: 'All variables (process.env of the code), replacing the former ones.',
  propertyNames: { type: 'string', minLength: 1, maxLength: 128 },
  maxProperties: 200,
  additionalProperties: { type: 'string', maxLength: 32_768 },
} as const

const code = { type: 'string', maxLength: maxCodeLength } as const

const CardProgram = record('CardProgram', 'What is stored with a card.', {
  code: { ...code, description: 'The saved main.js.' },
  version: { type: 'integer', description: 'The number of the saved version.' },
  publishedCode: {
    type: ['string', 'null'],
    description: 'The version that runs on transactions; null when nothing is published.',
  },
  publishedVersion: {
    type: ['integer', 'null'],
    description: 'The number of the version that runs, from 1, or null.',
  },
  variables: {
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Each variable of card code by its name.',
  },
  enabled: { type: 'boolean', description: 'Whether published code runs on transactions.' },
  rule: {
    anyOf: [{ type: 'null' }, CardRuleOnWire],
    description: 'The rule that wrote the code, if one did.',
  },
})

const CodeVersion = record('CodeVersion', 'A saved version of main.js.', {
  ...CodeRecord.properties,
  version: { type: 'integer', description: '1 for the oldest stored version.' },
  isPublished: { type: 'boolean', description: 'Whether it is the published version.' },
})

function program(state: CardState): FromSchema<typeof CardProgram> {
  const { versions, publishedId, variables, enabled, rule } = state
  return {
    code: versions.at(-1)!.code,
    version: versions.length,
    publishedCode: versions.find(({ codeId }) => codeId === publishedId)?.code ?? null,
    publishedVersion: versionNumber(state, publishedId),
    variables: variables.variables,
    enabled,
    rule,
  }
}

const exampleCode = 'const beforeTransaction = async (authorization) => authorization.centsAmount <= 50000\n'

const { centsAmount, currencyCode, merchant } = CardTransactionBody.properties

export const cardProgram = [
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/cards/{cardkey}/program',
    summary: 'The code and the variables of a card, and the published version',
    auth: 'control',
    response: CardProgram,
    envelope: 'bare',
    problems: ['unknown-card', 'not-programmable'],
    handle: ({ bank, params: { cardkey } }) => program(bank.cards.programmable(cardkey)),
  }),
  defineEndpoint({
    method: 'PUT',
    path: '/_sandbox/cards/{cardkey}/program',
    summary: 'Save code and variables, publish, and switch code on or off, in one step; omitted fields stay',
    auth: 'control',
    body: {
      title: 'CardProgramChange',
      type: 'object',
      properties: {
        code: { ...code, description: 'Saved as a new version if it differs from the saved one.' },
        codeId: { type: 'string', maxLength: 40, description: 'A version to publish, instead of code.' },
        variables,
        publish: { const: true, description: 'Publishes the saved code, or the version of codeId.' },
        enabled: { type: 'boolean', description: 'Whether published code runs on transactions.' },
      },
      minProperties: 1,
      additionalProperties: false,
    },
    response: CardProgram,
    envelope: 'bare',
    problems: ['invalid-request', 'unknown-card', 'not-programmable', 'unknown-code'],
    example: { body: { code: exampleCode, publish: true } },
    handle: async (context) => {
      const { body } = context
      const { cards } = context.bank
      const { cardkey } = context.params
      const saved = cards.savedCode(cardkey)
      // All checks come first, so that a refusal changes nothing.
      if (body.codeId !== undefined) cards.publish(cardkey, body.codeId)
      if (body.code !== undefined && body.code !== saved.code)
        cards.saveCode(cardkey, body.code, codeErrorOf(body.code))
      if (body.variables) cards.setVariables(cardkey, body.variables)
      if (body.publish && body.codeId === undefined) cards.publish(cardkey, cards.savedCode(cardkey).codeId)
      if (body.enabled !== undefined) cards.setEnabled(cardkey, body.enabled)
      const changed = program(cards.get(cardkey))
      if (body.code !== undefined) await warnOfFindings(context, body.code)
      return changed
    },
  }),
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/cards/{cardkey}/versions',
    summary: 'The saved versions of main.js, newest first',
    auth: 'control',
    response: record('CodeVersionList', 'Versions, newest first.', {
      versions: { ...listOf(CodeVersion), description: 'Every saved version, oldest first.' },
    }),
    envelope: 'bare',
    problems: ['unknown-card', 'not-programmable'],
    handle: ({ bank, params: { cardkey } }) => {
      const { versions, publishedId } = bank.cards.programmable(cardkey)
      return {
        versions: versions
          .map((each, index) => ({ ...each, version: index + 1, isPublished: each.codeId === publishedId }))
          .reverse(),
      }
    },
  }),
  defineEndpoint({
    method: 'POST',
    path: '/_sandbox/cards/{cardkey}/simulate',
    summary: 'Simulate a purchase with a draft of main.js; no money moves, and nothing is saved',
    auth: 'control',
    body: {
      title: 'DraftSimulation',
      type: 'object',
      properties: {
        code: { ...code, description: 'The draft; default: the saved code.' },
        variables: { ...variables, description: "Replaces the card's variables." },
        centsAmount,
        currencyCode,
        merchant,
      },
      required: ['centsAmount'],
      additionalProperties: false,
    },
    response: record('DraftDecision', 'What the draft decided, and how.', {
      decision: { enum: ['approved', 'declined'], description: 'What the bank would decide.' },
      executions: { ...listOf(ExecutionWithCalls), description: 'In the order in which they ran.' },
    }),
    envelope: 'bare',
    problems: ['invalid-request', 'unknown-card', 'not-programmable', ...hookProblems],
    example: { body: { code: exampleCode, centsAmount: 60_000, merchant: { name: 'Ocean Grill' } } },
    handle: async (context) => {
      const { bank, params, body } = context
      const { card } = bank.cards.programmable(params.cardkey)
      const { code: source = bank.cards.savedCode(params.cardkey).code, variables, ...request } = body
      const { purchase } = readAttempt(card, request)
      const executions = await simulate(context, card, source, purchase, variables)
      const isApproved = executions[0]?.execution.authorizationApproved === true
      return {
        decision: isApproved ? 'approved' : 'declined',
        executions: executions.map(executionWithCalls),
      }
    },
  }),
]
