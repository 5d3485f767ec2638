// The card records on the wire: one JSON Schema each, and the type made from it. They have the
// fields that the service documents, and the ones that it sends besides (docs/fidelity.md).

import { executionTypes } from './hook-names.js'
import { kept, listOf, record, timestamp, type FromSchema } from '../../protocol/schema.js'

const text = { type: 'string' } as const
const count = { type: 'integer', description: 'Always 0: the sandbox sends none.' } as const

/** A card as the list of cards shows it. */
export const Card = record('Card', 'A card of an account that the API key may access.', {
  CardKey: { type: 'string', description: '6 or 7 digits: `{cardkey}` in paths.' },
  CardNumber: { type: 'string', description: 'Masked: 402167XXXXXX1111.' },
  IsProgrammable: { type: 'boolean', description: 'Whether card code runs for it.' },
  Status: { type: 'string', description: 'Active, or why it cannot be used.' },
  CardTypeCode: { ...text, description: 'The kind of card, such as VGC.' },
  AccountNumber: { ...text, description: 'The number of its account.' },
  AccountId: { ...text, description: 'The id of its account, 25 digits.' },
  EmbossedName: { ...text, description: 'The name on the card.' },
  IsVirtualCard: { type: 'boolean', description: 'Whether it is a virtual card, without a physical one.' },
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
  MaskedCardNumber: { ...text, description: 'The number with its middle hidden.' },
  EmbossName: { ...text, description: 'The name on the card.' },
  EmbossName2: { ...text, description: 'The second line, empty where there is none.' },
  Status: { ...text, description: 'Active, or why it cannot be used.' },
  AccountNumber: { ...text, description: 'The number of its account.' },
  IsVirtualCard: { type: 'boolean', description: 'Whether it is a virtual card, without a physical one.' },
  ExtendedDetails,
})

/** `result` of `POST /za/v1/cards`. */
export const NewCard = record('NewCard', 'A virtual card that was created.', {
  CardKey: { ...text, description: 'The key of the new card, which goes into paths.' },
  IsVirtualCard: { const: true, description: 'A new card is virtual.' },
  EmbossName: { ...text, description: 'The name on the card.' },
  EmbossName2: { ...text, description: 'The second line, empty where there is none.' },
})

const timestampOrNull = { ...timestamp, type: ['string', 'null'] } as const

/** Why saved code cannot run. */
const CodeError = record('CodeError', 'Why saved code cannot run.', {
  code: { const: 'syntax-error', description: 'It cannot be parsed.' },
  name: { type: 'string', description: 'The name of the error: SyntaxError.' },
  message: { type: 'string', description: 'What is wrong.' },
  line: { type: 'integer', description: 'The line of main.js, from 1.' },
})
export type CodeError = FromSchema<typeof CodeError>

/** A version of main.js. */
export const CodeRecord = kept(
  record('CodeRecord', 'A saved version of main.js.', {
    codeId: { type: 'string', description: 'An upper-case UUID, new at every save.' },
    code: { type: 'string', description: 'main.js.' },
    createdAt: { ...timestamp, description: 'When this version was saved, in UTC.' },
    updatedAt: { ...timestamp, description: 'When this version was last changed, in UTC.' },
    publishedAt: {
      ...timestampOrNull,
      description: 'Null until the version is published for the first time.',
    },
    error: {
      anyOf: [{ type: 'null' }, CodeError],
      description: 'Null for code that can be parsed. Other code is saved all the same.',
    },
  }),
)
export type CodeRecord = FromSchema<typeof CodeRecord>

/** The variable names and values that a card accepts. */
export const variablesBounds = {
  propertyNames: { type: 'string', minLength: 1, maxLength: 128 },
  maxProperties: 200,
} as const
/** The largest value of a variable, in characters. */
export const maxVariableLength = 32_768

/** The environment variables of a card. */
export const VariablesRecord = kept(
  record('VariablesRecord', "A card's variables: process.env of its code.", {
    variables: {
      type: 'object',
      additionalProperties: text,
      description: 'Each variable by its name: `process.env.NAME` in card code.',
    },
    createdAt: { ...timestamp, description: 'When variables were first set, in UTC.' },
    updatedAt: { ...timestamp, description: 'When they were last set, in UTC.' },
    error: { type: 'null', description: 'Always null.' },
  }),
)
export type VariablesRecord = FromSchema<typeof VariablesRecord>

/** Why a hook failed. */
export const ExecutionError = kept(
  record('ExecutionError', 'What went wrong with a hook, where, and when.', {
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
    message: { ...text, description: 'The message of the error.' },
    stack: { type: 'string', description: 'With the lines of main.js.' },
    line: { type: ['integer', 'null'], description: 'The line of main.js, where it is known.' },
    afterMs: { type: 'integer', description: 'Milliseconds from the call of the hook.' },
  }),
)
export type ExecutionError = FromSchema<typeof ExecutionError>

const LogItem = kept(
  record('LogItem', 'One call of console.log and its kin.', {
    createdAt: { ...timestamp, description: 'When it was written, in UTC.' },
    level: {
      enum: ['info', 'warn', 'error', 'debug'],
      description: 'The method of console: log and info are `info`.',
    },
    content: { type: 'string', description: 'An object that was logged is compact JSON.' },
  }),
)

const execution = {
  executionId: { type: 'string', description: 'An upper-case UUID.' },
  rootCodeFunctionId: { type: 'string', description: 'Shared by the executions of one transaction.' },
  sandbox: { type: 'boolean', description: 'True for a simulation.' },
  type: { enum: executionTypes, description: 'The hook that ran.' },
  authorizationApproved: {
    type: ['boolean', 'null'],
    description: 'The decision, in before_transaction; null in all others.',
  },
  logs: { ...listOf(LogItem), description: 'What it wrote with console, oldest first.' },
  smsCount: count,
  emailCount: count,
  pushNotificationCount: count,
  createdAt: { ...timestamp, description: 'When the run was asked for, in UTC.' },
  startedAt: { ...timestamp, description: 'When it began, in UTC.' },
  completedAt: { ...timestamp, description: 'When it ended, in UTC.' },
  updatedAt: { ...timestamp, description: 'When this record last changed, in UTC.' },
} as const

/** An execution as the list of executions shows it: without `Error`. */
export const ListedExecution = kept(record('ListedExecution', 'One run of a hook.', execution))
export type ListedExecution = FromSchema<typeof ListedExecution>

/** An execution as the answers of simulations and card transactions show it. */
export const Execution = record('Execution', 'One run of a hook.', {
  ...execution,
  Error: { anyOf: [{ type: 'null' }, ExecutionError], description: 'What went wrong, or null.' },
})
export type Execution = FromSchema<typeof Execution>

/** A call that card code made. What may be a secret is masked in headers and in the address. */
export const OutboundCallRecord = kept(
  record('OutboundCall', 'A call that card code made.', {
    executionId: { ...text, description: 'The run that made it.' },
    cardKey: { ...text, description: 'The card whose code made it.' },
    type: { enum: executionTypes, description: 'The hook that made it.' },
    sandbox: { type: 'boolean', description: 'True when a simulation made it.' },
    sentAt: { ...timestamp, description: 'When it was sent, in UTC.' },
    method: { ...text, description: 'The HTTP method.' },
    url: {
      type: 'string',
      description: 'Without its fragment; what may be a secret in the query reads `***`.',
    },
    status: { type: ['integer', 'null'], description: 'Null when no answer came.' },
    error: { type: ['string', 'null'], description: 'Why no answer came.' },
    ms: { type: 'integer', description: 'How long it took, in milliseconds.' },
    requestHeaders: {
      ...listOf(listOf({ type: 'string' })),
      description:
        'Pairs of name and value; values of all but harmless names (`content-type`) read `redacted`.',
    },
    requestBytes: { type: 'integer', description: 'The size of the body that was sent, in bytes.' },
    responseBytes: { type: 'integer', description: 'The size of the body that came back, in bytes.' },
  }),
)
export type OutboundCallRecord = FromSchema<typeof OutboundCallRecord>
