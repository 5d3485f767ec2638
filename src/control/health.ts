import { defineEndpoint } from '../endpoint/endpoint.js'
import { record } from '../protocol/schema.js'
import { version } from '../protocol/version.js'
import { ClockReading, reading } from './clock.js'

/** `GET /_sandbox/health`. */
const Health = record('Health', 'That the sandbox is up, and what it is.', {
  status: { const: 'ok', description: 'The bank answers.' },
  version: { type: 'string', description: 'The version of this package.' },
  seed: { type: 'integer', description: 'The seed from which its data are made.' },
  scenario: { type: 'string', description: 'The name of the scenario that it began with.' },
  clock: ClockReading,
  stateFile: {
    anyOf: [
      {
        type: 'object',
        required: ['file', 'error'],
        additionalProperties: false,
        properties: {
          file: { type: 'string', description: 'The file of `--state`, symbolic links followed.' },
          error: {
            type: ['string', 'null'],
            description: 'Why the last write failed; it is retried. Null when it succeeded.',
          },
        },
      },
      { type: 'null' },
    ],
    description: 'The file that stores the state; null without `--state`.',
  },
})

export const health = [
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/health',
    summary: 'Whether the sandbox is up: version, seed, scenario and clock',
    auth: 'control',
    needsBank: false,
    response: Health,
    envelope: 'bare',
    problems: [],
    handle: ({ workspace: { random, scenario, clock }, stateFile }) => ({
      status: 'ok',
      version: version(),
      seed: random.seed,
      scenario,
      clock: reading(clock),
      stateFile: stateFile() ?? null,
    }),
  }),
]
