// Deviations of a request from the declarations that the sandbox accepts, and lint findings in card code that it
// saves.

import { listOf, record } from './schema.js'

/** The kinds of deviation, and `card-lint`: a finding in saved card code, which is never refused. */
const warningCodes = [
  'unknown-field',
  'field-case',
  'null-field',
  'value-form',
  'empty-parameter',
  'path-form',
  'unknown-parameter',
  'card-lint',
] as const
export type WarningCode = (typeof warningCodes)[number]

/** One deviation: a JSON pointer into the part that was sent, and what the declaration says. */
export interface Warning {
  /** What kind of deviation it is. */
  readonly code: WarningCode
  /** Where, as a JSON pointer into the part that was sent. */
  readonly path: string
  /** What was sent, and what would be right. */
  readonly message: string
}

/** The warnings of a call as the journal shows them. */
export const Warnings = {
  ...listOf(
    record('Warning', 'A deviation from the declarations that was accepted.', {
      code: { enum: warningCodes, description: 'What kind of deviation it is.' },
      path: { type: 'string', description: 'JSON pointer into the part that was sent.' },
      message: { type: 'string', description: 'What was sent, and what would be right.' },
    }),
  ),
  description:
    'Deviations that were accepted (the setting `strict` refuses them), and lint findings in saved card code (it does not).',
} as const
