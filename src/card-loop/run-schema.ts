// The schema of the output of `card run --json`.

import { listOf, record } from '../protocol/schema.js'

const text = { type: 'string' } as const
const whole = { type: 'integer' } as const
const textOrNull = { type: ['string', 'null'] } as const
const placeOrNull = { type: ['integer', 'null'] } as const

const Log = record('Log', 'A log line of card code.', {
  atMs: { type: 'integer', description: 'Since the hook began.' },
  level: { enum: ['info', 'warn', 'error', 'debug'] },
  text,
})

const Call = record('Call', 'A call that card code made.', {
  atMs: { type: 'integer', description: 'Since the hook began.' },
  method: text,
  url: { type: 'string', description: 'Possible secrets are replaced by `***`.' },
  status: { type: ['integer', 'null'], description: 'Null when no answer came.' },
  ms: whole,
  error: textOrNull,
  answeredBy: { enum: ['stub', 'sandbox', 'network'] },
})

const Failure = record('Failure', 'How a hook failed.', {
  code: text,
  name: text,
  message: text,
  line: { ...placeOrNull, description: 'In the code that ran: for a bundle, the line of the bundle.' },
  column: placeOrNull,
})

const Hook = record('Hook', 'A hook that ran.', {
  hook: text,
  returned: {
    type: ['boolean', 'null'],
    description: 'The decision of beforeTransaction; null for other hooks.',
  },
  usedMs: whole,
  windowMs: whole,
  logs: listOf(Log),
  calls: listOf(Call),
  failure: { anyOf: [{ type: 'null' }, Failure] },
})

const Ledger = record('Ledger', 'The effect of a real purchase on the account.', {
  accountId: text,
  transactionId: text,
  heldCents: whole,
  availableBeforeCents: whole,
  availableAfterCents: whole,
})

export const RunSchema = record('CardRun', 'A purchase and its result.', {
  file: text,
  purchase: {
    type: 'object',
    description: 'The purchase; the bank filled in omitted fields.',
    properties: {
      centsAmount: whole,
      currencyCode: text,
      merchant: {
        type: 'object',
        properties: { name: text, city: text, countryCode: text, categoryCode: text },
      },
    },
    required: ['centsAmount', 'merchant'],
  },
  decision: { enum: ['approved', 'declined'] },
  reason: {
    type: 'string',
    description: 'approved, declined-by-code, insufficient-funds, code-timeout and so on.',
  },
  hooks: listOf(Hook),
  transactionId: { ...textOrNull, description: 'Null for a simulation.' },
  ledger: { anyOf: [{ type: 'null' }, Ledger] },
  warnings: listOf(text),
  expected: {
    type: ['boolean', 'null'],
    description: 'Whether the decision equals --expect; null without it.',
  },
  failed: { type: 'boolean', description: 'Whether the code failed: the bank approves then.' },
})
