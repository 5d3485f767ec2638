// What a workspace decides by and its owner may change at any time: page size, settlement time, rate limit and so on.
// On the wire durations are ISO 8601 and what is off is null; inside they are milliseconds.

import { behaviours, defaultSettings, type BankSettings } from '../bank/client-records.js'
import {
  cardSettings,
  cardSettingsChange,
  changeHooks,
  defaultCardSettings,
  type CardSettings,
} from './card-settings.js'
import { formatMs, parseMs } from '../determinism/duration.js'
import { invalid, type InputError } from '../protocol/problem.js'
import { record, type FromSchema } from '../protocol/schema.js'

/** So many requests with one token within a time, ms of the sandbox's clock. */
export interface RateLimit {
  readonly requests: number
  readonly perMs: number
}

/** The settings of one workspace. */
export interface Settings extends BankSettings, CardSettings {
  /** Whether a request that deviates from the declarations is refused, instead of accepted with a warning. */
  readonly strict: boolean
  /** Null: no limit. */
  readonly rateLimit: RateLimit | null
}

export const standardSettings: Settings = {
  ...defaultSettings,
  ...defaultCardSettings,
  strict: false,
  rateLimit: null,
}

const duration = (description: string) =>
  ({ type: 'string', maxLength: 60, description, examples: ['PT1M'] }) as const

const members = {
  strict: {
    type: 'boolean',
    description:
      'True refuses a request that the service takes although it deviates from the declarations, such as an unknown field; false accepts it with a warning.',
  },
  behaviour: {
    enum: behaviours,
    description:
      "Where the service's document and the live service disagree: `documented` follows the document, `observed` the live service (docs/fidelity.md lists the differences).",
  },
  settlement: duration('How long a card purchase stays pending: an ISO 8601 duration of days or less.'),
  pageSize: {
    type: 'integer',
    minimum: 0,
    maximum: 100_000,
    description: 'Rows on a page of transactions; 0 answers all at once.',
  },
  rateLimit: {
    anyOf: [
      record('RateLimit', 'So many requests with one token within a time.', {
        requests: { type: 'integer', minimum: 1, maximum: 1_000_000 },
        per: duration('An ISO 8601 duration of days or less.'),
      }),
      { type: 'null' },
    ],
    description: 'Null: no limit.',
  },
} as const

/** `GET /_sandbox/settings`. */
export const SettingsOnWire = record('Settings', 'What the workspace decides by.', {
  ...members,
  ...cardSettings,
})
export type SettingsOnWire = FromSchema<typeof SettingsOnWire>

/** `PUT /_sandbox/settings`: what is left out stays as it is. */
export const SettingsChange = {
  title: 'SettingsChange',
  description: 'Settings to change; what is left out stays as it is.',
  type: 'object',
  properties: { ...members, ...cardSettingsChange },
  additionalProperties: false,
} as const
export type SettingsChange = FromSchema<typeof SettingsChange>

export const settingsOnWire = ({
  strict,
  behaviour,
  settlementMs,
  pageSize,
  rateLimit,
  hooks,
  outbound,
  ownAddresses,
}: Settings): SettingsOnWire => ({
  strict,
  behaviour,
  settlement: formatMs(settlementMs),
  pageSize,
  rateLimit: rateLimit && { requests: rateLimit.requests, per: formatMs(rateLimit.perMs) },
  hooks,
  outbound,
  ownAddresses: [...ownAddresses],
})

/** Settings with a checked change made to them. Throws `invalid-request`, with paths after `at`, for a duration that is none. */
export function changeSettings(settings: Settings, change: SettingsChange, at = ''): Settings {
  const { strict, behaviour, settlement, pageSize, rateLimit, hooks, outbound, ownAddresses } = change
  const faults: InputError[] = []
  const ms = (path: string, text: string, least: number): number => {
    const value = parseMs(text)
    if (value !== undefined && value >= least && value <= maxMs) return value
    const message = `must be an ISO 8601 duration of ${least === 0 ? '' : 'more than nothing and '}at most 366 days, such as P2D or PT1M`
    faults.push({ path: at + path, message })
    return least
  }
  const changed: Settings = {
    ...settings,
    ...(strict !== undefined && { strict }),
    ...(behaviour !== undefined && { behaviour }),
    ...(settlement !== undefined && { settlementMs: ms('/settlement', settlement, 0) }),
    ...(pageSize !== undefined && { pageSize }),
    ...(rateLimit !== undefined && {
      rateLimit: rateLimit && { requests: rateLimit.requests, perMs: ms('/rateLimit/per', rateLimit.per, 1) },
    }),
    ...(hooks && { hooks: changeHooks(settings.hooks, hooks) }),
    ...(outbound !== undefined && { outbound }),
    ...(ownAddresses && { ownAddresses }),
  }
  if (faults.length > 0) throw invalid(faults)
  return changed
}

const maxMs = 366 * 86_400_000
