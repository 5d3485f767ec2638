// Card code: saving and publishing versions of main.js, simulation, executions, variables, and the toggle.

import { usualPurchase } from '../bank/cards/card-transactions.js'
import { country, merchantCategory } from '../bank/reference.js'
import {
  CodeRecord,
  Execution,
  type Card,
  ListedExecution,
  maxVariableLength,
  variablesBounds,
  VariablesRecord,
} from '../bank/cards/card-records.js'
import { maxCodeLength } from '../bank/cards/cards.js'
import { observedExecution } from '../bank/cards/observed-executions.js'
import type { Purchase } from '../bank/cards/hook-argument.js'
import { maxCents } from '../bank/money.js'
import { codeErrorOf } from '../card-code/syntax-fault.js'
import { defineEndpoint, type Ask } from '../endpoint/endpoint.js'
import { executionOnWire } from '../hooks/execution-record.js'
import { hookProblems, simulate } from '../hooks/hooks.js'
import { warnOfFindings } from '../hooks/lint-warnings.js'
import { invalid, Problem, type InputError } from '../protocol/problem.js'
import { listOf, record, type FromSchema, type Schema } from '../protocol/schema.js'
import { cardOf } from './cards.js'

const codeResult = record('CodeResult', 'A version of main.js.', { result: CodeRecord })
const variablesResult = record('VariablesResult', 'The variables.', { result: VariablesRecord })
const source = { type: 'string', maxLength: maxCodeLength } as const
const ofCard = ['unknown-card', 'account-refused', 'not-programmable'] as const

const PublishBody = {
  title: 'PublishRequest',
  type: 'object',
  properties: {
    codeid: {
      type: 'string',
      maxLength: 100,
      description: 'The codeId of a saved version, which may be an old one; default: the latest.',
    },
    codeId: { type: 'string', maxLength: 100, description: 'Another spelling of codeId.' },
    code: {
      type: 'string',
      maxLength: maxCodeLength,
      description: 'Ignored; the saved version is published.',
    },
  },
  additionalProperties: false,
} as const

const VariablesBody = {
  title: 'VariablesRequest',
  type: 'object',
  properties: {
    variables: {
      type: 'object',
      description: 'All variables, replacing the former ones. Numbers and booleans become text.',
      ...variablesBounds,
      additionalProperties: { type: ['string', 'number', 'boolean'], maxLength: maxVariableLength },
    },
  },
  additionalProperties: false,
} as const

const Simulation = {
  title: 'Simulation',
  type: 'object',
  properties: {
    simulationcode: { ...source, description: 'The main.js to run.' },
    centsAmount: {
      type: ['string', 'integer'],
      pattern: '^[0-9]{1,12}$',
      minimum: 0,
      maximum: maxCents,
      description: 'An amount in cents, in digits. Default 10000.',
    },
    currencyCode: {
      type: 'string',
      pattern: '^[A-Za-z]{3}$',
      description: 'A currency code of three letters. Default zar.',
    },
    merchantCode: {
      type: ['string', 'integer'],
      pattern: '^[0-9]{1,4}$',
      minimum: 0,
      maximum: 9999,
      description: 'A merchant category code of up to four digits. Default 5462.',
    },
    merchantName: { type: 'string', maxLength: 200, description: 'Default Sandbox Merchant.' },
    merchantCity: { type: 'string', maxLength: 200, description: 'Default Cape Town.' },
    countryCode: {
      type: 'string',
      pattern: '^[A-Za-z]{2}$',
      description: 'A country code of two letters. Default ZA.',
    },
  },
  required: ['simulationcode'],
  additionalProperties: false,
} as const satisfies Schema

/** The purchase that a simulation describes; the default is a loaf of bread. */
function purchaseOf(body: FromSchema<typeof Simulation>): Purchase {
  const { centsAmount = 10_000, currencyCode = 'zar', countryCode = usualPurchase.countryCode } = body
  const { merchantName = usualPurchase.name, merchantCity = usualPurchase.city } = body
  const { merchantCode = usualPurchase.categoryCode } = body
  const found = country(countryCode)
  const errors: InputError[] = []
  if (!found) errors.push({ path: '/countryCode', message: 'is not in GET /za/v1/cards/countries' })
  if (Number(centsAmount) > maxCents) errors.push({ path: '/centsAmount', message: `must be <= ${maxCents}` })
  if (!found || errors.length > 0) throw invalid(errors)
  return {
    centsAmount: Number(centsAmount),
    currencyCode,
    merchant: {
      name: merchantName,
      city: merchantCity,
      country: found,
      category: merchantCategory(merchantCode),
    },
  }
}

const enabled = {
  Enabled: { type: 'boolean', description: 'Whether published code runs for the card.' },
} as const

/** Some clients read `Enabled`, others `data.result.Enabled`. */
const Toggle = record('Toggle', 'Whether code runs, for both kinds of clients.', {
  ...enabled,
  data: record('ToggleData', 'The same in an envelope.', {
    result: record('ToggleResult', 'Whether code runs.', enabled),
  }),
  links: record('ToggleLinks', 'As in every envelope.', {
    self: { type: 'null', description: 'Always null.' },
  }),
  meta: record('ToggleMeta', 'As in every envelope.', {
    totalPages: { type: 'integer', description: 'Always 1.' },
  }),
})

const exampleCode = `const beforeTransaction = async (authorization) => authorization.centsAmount <= 50000
const afterTransaction = async (transaction) => console.log(transaction)
`

/** Saves the example on the first programmable card. */
async function savedId(ask: Ask): Promise<string> {
  const { cards } = await ask<{ cards: Card[] }>('GET', '/za/v1/cards')
  const { CardKey } = cards.find(({ IsProgrammable }) => IsProgrammable)!
  const saved = await ask<{ result: CodeRecord }>('POST', `/za/v1/cards/${CardKey}/code`, {
    code: exampleCode,
  })
  return saved.result.codeId
}

async function publishSaved(ask: Ask): Promise<void> {
  const codeid = await savedId(ask)
  const { cards } = await ask<{ cards: Card[] }>('GET', '/za/v1/cards')
  const { CardKey } = cards.find(({ IsProgrammable }) => IsProgrammable)!
  await ask('POST', `/za/v1/cards/${CardKey}/publish`, { codeid, code: '' })
}

export const cardCode = [
  defineEndpoint({
    method: 'GET',
    path: '/za/v1/cards/{cardkey}/code',
    name: 'getCode',
    summary: 'The saved code',
    auth: 'token',
    permission: 'cards',
    response: codeResult,
    envelope: 'no-links',
    problems: ofCard,
    handle: ({ bank, grant, params: { cardkey } }) => {
      cardOf(bank, grant.apiKey, cardkey)
      return { result: bank.cards.savedCode(cardkey) }
    },
  }),
  defineEndpoint({
    method: 'GET',
    path: '/za/v1/cards/{cardkey}/publishedcode',
    name: 'getPublishedCode',
    summary: "The published code: what runs on the card's transactions",
    auth: 'token',
    permission: 'cards',
    response: codeResult,
    envelope: 'no-links',
    problems: [...ofCard, 'nothing-published'],
    example: async (ask) => {
      await publishSaved(ask)
      return {}
    },
    handle: ({ bank, grant, params: { cardkey } }) => {
      cardOf(bank, grant.apiKey, cardkey)
      const result = bank.cards.publishedCode(cardkey)
      if (result) return { result }
      const how = `POST /za/v1/cards/${cardkey}/publish publishes saved code.`
      throw new Problem('nothing-published', `No code is published on card ${cardkey}; ${how}`)
    },
  }),
  defineEndpoint({
    method: 'POST',
    path: '/za/v1/cards/{cardkey}/code',
    name: 'saveCode',
    summary: 'Saves code as a new version, without publishing it',
    auth: 'token',
    permission: 'cards',
    body: {
      title: 'SaveRequest',
      type: 'object',
      properties: { code: { ...source, description: 'main.js.' } },
      required: ['code'],
      additionalProperties: false,
    },
    response: codeResult,
    envelope: 'no-links',
    problems: [...ofCard, 'invalid-request'],
    example: { body: { code: exampleCode } },
    handle: async (context) => {
      const { bank, grant, params, body } = context
      cardOf(bank, grant.apiKey, params.cardkey)
      const result = bank.cards.saveCode(params.cardkey, body.code, codeErrorOf(body.code))
      await warnOfFindings(context, body.code)
      return { result }
    },
  }),
  defineEndpoint({
    method: 'POST',
    path: '/za/v1/cards/{cardkey}/publish',
    name: 'publishCode',
    summary: 'Publishes a saved version',
    auth: 'token',
    permission: 'cards',
    body: PublishBody,
    allowsEmptyBody: true,
    response: codeResult,
    envelope: 'no-links',
    problems: [...ofCard, 'invalid-request', 'unknown-code'],
    example: async (ask) => ({ body: { codeid: await savedId(ask), code: ' ' } }),
    handle: ({ bank, grant, params: { cardkey }, body: { codeid, codeId = codeid } }) => {
      cardOf(bank, grant.apiKey, cardkey)
      return { result: bank.cards.publish(cardkey, codeId ?? bank.cards.savedCode(cardkey).codeId) }
    },
  }),
  defineEndpoint({
    method: 'POST',
    path: '/za/v1/cards/{cardkey}/code/execute',
    name: 'simulate',
    aliases: ['/za/v1/cards/{cardkey}/execute'],
    summary: 'Simulates a transaction against code; nothing moves',
    auth: 'token',
    permission: 'cards',
    body: Simulation,
    response: record('SimulationResult', 'The executions, in the order in which they ran.', {
      result: { ...listOf(Execution), description: 'The runs of the hooks, in their order.' },
    }),
    envelope: 'no-links',
    problems: [...ofCard, 'invalid-request', ...hookProblems],
    example: {
      body: {
        simulationcode: exampleCode,
        centsAmount: '10100',
        currencyCode: 'zar',
        merchantCode: 7996,
        merchantCity: 'Durban',
        countryCode: 'ZA',
      },
    },
    handle: async (context) => {
      const {
        bank,
        grant,
        params: { cardkey },
        body,
      } = context
      const { card } = cardOf(bank, grant.apiKey, cardkey)
      bank.cards.programmable(cardkey)
      const executions = await simulate(context, card, body.simulationcode, purchaseOf(body))
      const shown = bank.settings.behaviour === 'observed' ? observedExecution : executionOnWire
      return { result: executions.map(shown) }
    },
  }),
  defineEndpoint({
    method: 'GET',
    path: '/za/v1/cards/{cardkey}/code/executions',
    name: 'listExecutions',
    summary: 'The latest executions of simulations and transactions, newest first',
    auth: 'token',
    permission: 'cards',
    response: record('ExecutionList', 'Executions, newest first.', {
      result: record('ExecutionListResult', 'Executions, newest first.', {
        executionItems: {
          ...listOf({
            description: 'Without `Error`; with it under the setting `behaviour: observed`.',
            anyOf: [ListedExecution, Execution],
          }),
          description: 'Simulated and real runs, newest first.',
        },
        error: { type: 'null', description: 'Always null.' },
      }),
    }),
    envelope: 'no-links',
    problems: ofCard,
    handle: ({ bank, grant, params: { cardkey } }) => {
      cardOf(bank, grant.apiKey, cardkey)
      const { executions } = bank.cards.programmable(cardkey)
      const shown =
        bank.settings.behaviour === 'observed'
          ? executions.map(observedExecution)
          : executions.map(({ execution }) => execution)
      return { result: { executionItems: shown.reverse(), error: null } }
    },
  }),
  defineEndpoint({
    method: 'GET',
    path: '/za/v1/cards/{cardkey}/environmentvariables',
    name: 'getVariables',
    summary: 'The variables that code reads as process.env',
    auth: 'token',
    permission: 'cards',
    response: variablesResult,
    envelope: 'no-links',
    problems: ofCard,
    handle: ({ bank, grant, params: { cardkey } }) => {
      cardOf(bank, grant.apiKey, cardkey)
      return { result: bank.cards.programmable(cardkey).variables }
    },
  }),
  defineEndpoint({
    method: 'POST',
    path: '/za/v1/cards/{cardkey}/environmentvariables',
    name: 'setVariables',
    summary: 'Replaces the whole set of variables',
    auth: 'token',
    permission: 'cards',
    body: VariablesBody,
    response: variablesResult,
    envelope: 'no-links',
    problems: [...ofCard, 'invalid-request'],
    example: { body: { variables: { LIMIT_CENTS: '50000' } } },
    handle: ({ bank, grant, params: { cardkey }, body: { variables = {} } }) => {
      cardOf(bank, grant.apiKey, cardkey)
      const texts = Object.fromEntries(
        Object.entries(variables).map(([name, value]) => [name, String(value)]),
      )
      return { result: bank.cards.setVariables(cardkey, texts) }
    },
  }),
  defineEndpoint({
    method: 'POST',
    path: '/za/v1/cards/{cardkey}/toggle-programmable-feature',
    name: 'toggleProgrammable',
    summary: "Switches published code on or off for the card's transactions",
    auth: 'token',
    permission: 'cards',
    body: {
      title: 'ToggleRequest',
      type: 'object',
      properties: {
        Enabled: { type: 'boolean', description: 'Whether card code runs for the card from now on.' },
      },
      required: ['Enabled'],
      additionalProperties: false,
    },
    response: Toggle,
    envelope: 'bare',
    problems: [...ofCard, 'invalid-request'],
    example: { body: { Enabled: true } },
    handle: ({ bank, grant, params: { cardkey }, body: { Enabled } }) => {
      cardOf(bank, grant.apiKey, cardkey)
      bank.cards.setEnabled(cardkey, Enabled)
      return { Enabled, data: { result: { Enabled } }, links: { self: null }, meta: { totalPages: 1 } }
    },
  }),
]
