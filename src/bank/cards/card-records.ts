// The card records as they go over the wire: one JSON Schema each, and the type made from it. The fields are those of
// service-interface "Resources and their fields" and the ones that the service sends beyond the document.

import { listOf, record, timestamp, type FromSchema } from '../../protocol/schema.js'

const text = { type: 'string' } as const
const count = { type: 'integer', description: 'Always 0: the sandbox sends none.' } as const

/** Resources, "Card". */
export const Card = record('Card', 'A card of an account that the API key may access.', {
  CardKey: { type: 'string', description: '6 or 7 digits: `{cardkey}` in paths.' },
  CardNumber: { type: 'string', description: 'Masked: 402167XXXXXX1111.' },
  IsProgrammable: { type: 'boolean' },
  Status: { type: 'string', description: 'Active, or why not.' },
  CardTypeCode: text,
  AccountNumber: text,
  AccountId: text,
  EmbossedName: text,
  IsVirtualCard: { type: 'boolean' },
})
export type Card = FromSchema<typeof Card>

const ExtendedDetails = {
  ...record(
    'ExtendedCardDetails',
    "What only the card holder may read: each RSA-OAEP (SHA-1) with the client's key, in base64.",
    {
      CardNumber: { type: 'string', description: '16 digits, encrypted.' },
      ExpiryDate: { type: 'string', description: 'yyyy-MM, encrypted.' },
      CVV2: { type: 'string', description: '3 digits, encrypted.' },
    },
  ),
  type: ['object', 'null'],
} as const

/** `result` of `GET /za/v1/cards/{cardkey}`. */
export const CardDetail = record('CardDetail', 'One card.', {
  CardKeyHash: { type: 'string', description: 'SHA-256 of the card key, in hexadecimal.' },
  MaskedCardNumber: text,
  EmbossName: text,
  EmbossName2: text,
  Status: text,
  AccountNumber: text,
  IsVirtualCard: { type: 'boolean' },
  ExtendedDetails,
})

/** `result` of `POST /za/v1/cards`. */
export const NewCard = record('NewCard', 'A virtual card that was created.', {
  CardKey: text,
  IsVirtualCard: { const: true },
  EmbossName: text,
  EmbossName2: text,
})

const timestampOrNull = { ...timestamp, type: ['string', 'null'] } as const

/** Resources, "Code record". */
export const CodeRecord = record('CodeRecord', 'A saved version of main.js.', {
  codeId: { type: 'string', description: 'An upper-case UUID, new at every save.' },
  code: { type: 'string', description: 'main.js.' },
  createdAt: timestamp,
  updatedAt: timestamp,
  publishedAt: { ...timestampOrNull, description: 'Null until the version is published for the first time.' },
  error: { type: 'null' },
})
export type CodeRecord = FromSchema<typeof CodeRecord>

/** Names and values that a card's variables may have. */
export const variablesBounds = {
  propertyNames: { type: 'string', minLength: 1, maxLength: 128 },
  maxProperties: 200,
} as const
/** The largest value of a variable, in characters. */
export const maxVariableLength = 32_768

/** Resources, "Environment variables record". */
export const VariablesRecord = record('VariablesRecord', "A card's variables: process.env of its code.", {
  variables: { type: 'object', additionalProperties: text },
  createdAt: timestamp,
  updatedAt: timestamp,
  error: { type: 'null' },
})
export type VariablesRecord = FromSchema<typeof VariablesRecord>

/** Why a hook did not do what it should. */
export const ExecutionError = record('ExecutionError', 'What went wrong with a hook, where, and when.', {
  code: {
    enum: [
      'threw',
      'timed-out',
      'missing-hook',
      'syntax-error',
      'out-of-memory',
      'crashed',
      'non-boolean',
      'not-run',
    ],
    description:
      '`crashed`: the engine broke down; `not-run`: no thread could be had; `non-boolean`: what it returned decides nothing.',
  },
  name: { type: 'string', description: 'The name of the error: TypeError.' },
  message: text,
  stack: { type: 'string', description: 'With the lines of main.js.' },
  line: { type: ['integer', 'null'], description: 'The line of main.js, where it is known.' },
  afterMs: { type: 'integer', description: 'Milliseconds from the call of the hook.' },
})
export type ExecutionError = FromSchema<typeof ExecutionError>

export const executionTypes = [
  'before_transaction',
  'after_transaction',
  'after_decline',
  'after_reversal',
  'after_adjustment',
] as const
export type ExecutionType = (typeof executionTypes)[number]

const LogItem = record('LogItem', 'One call of console.log and its kin.', {
  createdAt: timestamp,
  level: { enum: ['info', 'warn', 'error', 'debug'] },
  content: { type: 'string', description: 'An object that was logged is compact JSON.' },
})

const execution = {
  executionId: { type: 'string', description: 'An upper-case UUID.' },
  rootCodeFunctionId: { type: 'string', description: 'Shared by the executions of one transaction.' },
  sandbox: { type: 'boolean', description: 'True for a simulation.' },
  type: { enum: executionTypes },
  authorizationApproved: {
    type: ['boolean', 'null'],
    description: 'What was decided, in before_transaction; null in all others.',
  },
  logs: listOf(LogItem),
  smsCount: count,
  emailCount: count,
  pushNotificationCount: count,
  createdAt: timestamp,
  startedAt: timestamp,
  completedAt: timestamp,
  updatedAt: timestamp,
} as const

/** Resources, "Execution", as the list of executions has it: without `Error`. */
export const ListedExecution = record('ListedExecution', 'One run of a hook.', execution)
export type ListedExecution = FromSchema<typeof ListedExecution>

/** Resources, "Execution", as simulations and card transactions answer it. */
export const Execution = record('Execution', 'One run of a hook.', {
  ...execution,
  Error: { anyOf: [{ type: 'null' }, ExecutionError] },
})
export type Execution = FromSchema<typeof Execution>

/** A call that card code made. What may be a secret is masked in headers and in the address. */
export const OutboundCallRecord = record('OutboundCall', 'A call that card code made.', {
  executionId: text,
  cardKey: text,
  type: { enum: executionTypes },
  sandbox: { type: 'boolean', description: 'True when a simulation made it.' },
  sentAt: timestamp,
  method: text,
  url: {
    type: 'string',
    description: 'Without its fragment; what may be a secret in the query reads `***`.',
  },
  status: { type: ['integer', 'null'], description: 'Null when no answer came.' },
  error: { type: ['string', 'null'], description: 'Why no answer came.' },
  ms: { type: 'integer' },
  requestHeaders: {
    ...listOf(listOf({ type: 'string' })),
    description:
      'Pairs of name and value; values of all but harmless names (`content-type`) read `redacted`.',
  },
  requestBytes: { type: 'integer' },
  responseBytes: { type: 'integer' },
})
export type OutboundCallRecord = FromSchema<typeof OutboundCallRecord>
