// The schema of a test file, for editors and for the reader.

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
    times: { type: 'integer', minimum: 0, maximum: 10_000, description: 'How often; 1 by default.' },
    body: {
      description:
        'What each such call sends: a text that is in the body, or JSON of which the body has every field.',
    },
  },
  additionalProperties: false,
} as const

const ExpectationFields = {
  title: 'Expectation',
  description: 'What a purchase comes to; what is left out is not checked.',
  type: 'object',
  properties: {
    decision: { enum: ['approved', 'declined'], description: 'What is decided.' },
    reason: text('Why: declined-by-code, insufficient-funds, code-timeout and so on.'),
    log: {
      anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
      description: 'Texts that are in the log lines of the hooks.',
    },
    calls: {
      anyOf: [
        { type: 'integer', minimum: 0, maximum: 10_000 },
        { type: 'array', items: CallExpectation, maxItems: 100 },
      ],
      description: 'How many calls the hooks make, or which.',
    },
    withinMs: {
      type: 'integer',
      minimum: 0,
      maximum: 15_000,
      description: 'How long beforeTransaction may take.',
    },
    available: { type: 'number', description: 'What the account has available afterwards, in rand.' },
    held: { type: 'number', description: 'What the purchase holds, in rand: 0 for a declined one.' },
    failure: {
      type: ['string', 'boolean'],
      description:
        'How the code fails: timed-out, threw, non-boolean and so on; false, the default, for not at all.',
    },
  },
  additionalProperties: false,
} as const

const Expectation = {
  anyOf: [{ enum: ['approved', 'declined'] }, ExpectationFields],
  description: 'approved, declined, or what else is expected.',
} as const

const Swipe = {
  title: 'Swipe',
  description: 'A purchase; what is left out is a loaf of bread for R 100.',
  type: 'object',
  properties: purchaseProperties,
  additionalProperties: false,
} as const

const Step = {
  title: 'Step',
  description: 'A purchase of a sequence, or what happens between two.',
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
      description: 'What becomes of an approved purchase.',
    },
  },
  additionalProperties: false,
} as const

const Row = {
  title: 'Row',
  description: 'A row of a table: what differs from `swipe`.',
  type: 'object',
  properties: { ...purchaseProperties, name: text('What the row is called.'), expect: Expectation },
  additionalProperties: false,
} as const

const variables = {
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean'] },
  description: 'Variables by name.',
} as const

const now = text('The time at which the clock stands: 2026-03-25T08:00:00Z.')
const stubs = {
  type: 'array',
  items: OutboundStub,
  maxItems: 1_000,
  description: 'Answers to calls; the first that matches wins.',
} as const

const Case = {
  title: 'Case',
  description: 'A fresh bank, and what is bought there.',
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
    stubs: { ...stubs, description: 'Answers that come before those of the file.' },
    env: { ...variables, description: 'Variables in place of those of the file.' },
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
    $schema: { type: 'string', description: 'Where editors find the schema.' },
    code: text('The code, beside this file. Default main.js.'),
    env: {
      anyOf: [{ type: 'string' }, variables],
      description: 'The variables: a file, or the variables themselves. Default env.json, if it is there.',
    },
    now,
    scenario: text('A shipped scenario, or the path of a file. Default default.'),
    seed: { type: 'integer', minimum: 0, maximum: 4_294_967_295, description: 'Default 1.' },
    behaviour: { enum: behaviours, description: `Default ${behaviours[0]}.` },
    card: text('Key of the card. Default the first programmable one.'),
    network: {
      enum: ['allow', 'loopback', 'deny'],
      description: 'What card code may call beside stubs. Default deny.',
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
