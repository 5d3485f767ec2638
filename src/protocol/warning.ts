// What a request does differently from the declarations, and the sandbox accepts all the same.

import { listOf, record } from './schema.js'

/** The kinds of deviation. */
export const warningCodes = [
  'unknown-field',
  'field-case',
  'null-field',
  'value-form',
  'empty-parameter',
  'path-form',
  'unknown-parameter',
] as const
export type WarningCode = (typeof warningCodes)[number]

/** One deviation: where it is, as a JSON pointer into the part that was sent, and what the declaration says. */
export interface Warning {
  readonly code: WarningCode
  readonly path: string
  readonly message: string
}

/** The warnings of a call as the journal shows them. */
export const Warnings = {
  ...listOf(
    record('Warning', 'A deviation from the declarations that was accepted.', {
      code: { enum: warningCodes },
      path: { type: 'string', description: 'JSON pointer into the part that was sent.' },
      message: { type: 'string' },
    }),
  ),
  description: 'Deviations that were accepted; with the setting `strict` they are refused.',
} as const
