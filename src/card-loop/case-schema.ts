// The schema of a test file, for editors and for the parser.

import { behaviours } from '../protocol/behaviour.js'
import { OutboundMatch, OutboundStub } from '../faults/outbound-stubs.js'
import type { FromSchema } from '../protocol/schema.js'

const text = (description: string) => ({ type: 'string', minLength: 1, maxLength: 200, description }) as const
const number = (description: string) => ({ type: ['number', 'string'], description }) as const

const purchaseProperties = {
  rand: number('Amount in rand: 600 or 84.95.'),
  cents: number('Amount in cents: 60000.'),
  category: { type: ['string', 'integer'], description: "Merchant category code of four digits: '5812'." },
  merchant: text("The merchant's name."),
  city: text("The merchant's city."),
  country: text('Country code of two letters: ZA.'),
  currency: text('Currency code of three letters: ZAR.'),
  type: { enum: ['purchase', 'atm', 'refund'], description: 'Default purchase.' },
} as const

const CallExpectation = {
  title: 'CallExpectation',
  description: 'A call that card code makes.',
  type: 'object',
  properties: {
    match: OutboundMatch,
    times: { type: 'integer', minimum: 0, maximum: 10_000, description: 'How often; default 1.' },
    body: {
      description:
        'The body of each such call: a text that the body contains, or JSON whose fields the body contains.',
    },
  },
  additionalProperties: false,
} as const

const ExpectationFields = {
  title: 'Expectation',
  description: 'The expected result of a purchase; omitted fields are not checked.',
  type: 'object',
  properties: {
    decision: { enum: ['approved', 'declined'], description: 'The decision.' },
    reason: text('The reason: declined-by-code, insufficient-funds, code-timeout and so on.'),
    log: {
      anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
      description: 'Texts that the log lines of the hooks contain.',
    },
    calls: {
      anyOf: [
        { type: 'integer', minimum: 0, maximum: 10_000 },
        { type: 'array', items: CallExpectation, maxItems: 100 },
      ],
      description: 'How many calls the hooks make, or which ones.',
    },
    withinMs: {
      type: 'integer',
      minimum: 0,
      maximum: 15_000,
      description: 'How long beforeTransaction may take.',
    },
    available: { type: 'number', description: 'The available balance of the account afterwards, in rand.' },
    held: { type: 'number', description: 'The amount on hold for the purchase, in rand: 0 when declined.' },
    failure: {
      type: ['string', 'boolean'],
      description:
        'How the code fails: timed-out, threw, non-boolean and so on; false (the default) when it does not fail.',
    },
  },
  additionalProperties: false,
} as const

const Expectation = {
  anyOf: [{ enum: ['approved', 'declined'] }, ExpectationFields],
  description: 'approved, declined, or a detailed expectation.',
} as const

const Swipe = {
  title: 'Swipe',
  description: 'A purchase; the default is a loaf of bread for R 100.',
  type: 'object',
  properties: purchaseProperties,
  additionalProperties: false,
} as const

const Step = {
  title: 'Step',
  description: 'A purchase of a sequence, or a step between two purchases.',
  type: 'object',
  properties: {
    ...purchaseProperties,
    expect: Expectation,
    advance: text('Moves the clock before the purchase, by an ISO 8601 duration: P1D.'),
    then: {
      anyOf: [
        { enum: ['reverse', 'settle'] },
        {
          type: 'object',
          properties: {
            adjust: { type: 'number', exclusiveMinimum: 0, description: 'The new amount in rand.' },
          },
          required: ['adjust'],
          additionalProperties: false,
        },
      ],
      description: 'What happens to an approved purchase afterwards.',
    },
  },
  additionalProperties: false,
} as const

const Row = {
  title: 'Row',
  description: 'A row of a table: the differences from `swipe`.',
  type: 'object',
  properties: { ...purchaseProperties, name: text('The name of the row.'), expect: Expectation },
  additionalProperties: false,
} as const

const variables = {
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean'] },
  description: 'Variables by name.',
} as const

const now = text('The time at which the clock is frozen: 2026-03-25T08:00:00Z.')
const stubs = {
  type: 'array',
  items: OutboundStub,
  maxItems: 1_000,
  description: 'Answers to calls; the first that matches wins.',
} as const

const Case = {
  title: 'Case',
  description: 'A purchase, or several, on a fresh bank.',
  type: 'object',
  properties: {
    swipe: Swipe,
    swipes: {
      type: 'array',
      items: Step,
      minItems: 1,
      maxItems: 1_000,
      description: 'Several purchases on one bank.',
    },
    each: {
      type: 'array',
      items: Row,
      minItems: 1,
      maxItems: 10_000,
      description: 'Rows of a table, each a case.',
    },
    expect: Expectation,
    stubs: { ...stubs, description: 'Answers that take precedence over those of the file.' },
    env: { ...variables, description: 'Variables that replace those of the file.' },
    now,
  },
  additionalProperties: false,
} as const

/** A test file. */
export const CaseFileSchema = {
  title: 'CardTests',
  description: 'Cases for card code: card.test.yaml.',
  type: 'object',
  properties: {
    $schema: { type: 'string', description: 'The place of the schema, for editors.' },
    code: text('The code, beside this file. Default main.js.'),
    env: {
      anyOf: [{ type: 'string' }, variables],
      description: 'The variables: a file, or the variables themselves. Default env.json, if it exists.',
    },
    now,
    scenario: text('A shipped scenario, or the path of a file. Default default.'),
    seed: { type: 'integer', minimum: 0, maximum: 4_294_967_295, description: 'Default 1.' },
    behaviour: { enum: behaviours, description: `Default ${behaviours[0]}.` },
    card: text('Key of the card. Default: the first programmable one.'),
    network: {
      enum: ['allow', 'loopback', 'deny'],
      description: 'Where card code may call besides stubs. Default deny.',
    },
    stubs,
    cases: {
      type: 'object',
      additionalProperties: Case,
      minProperties: 1,
      maxProperties: 10_000,
      description: 'Cases by name.',
    },
  },
  required: ['cases'],
  additionalProperties: false,
} as const

export type CaseFileBody = FromSchema<typeof CaseFileSchema>
export type CaseBody = FromSchema<typeof Case>
export type ExpectationBody = FromSchema<typeof Expectation>
export type ExpectedFields = FromSchema<typeof ExpectationFields>
export type StepBody = FromSchema<typeof Step>
export type CallExpectationBody = FromSchema<typeof CallExpectation>
