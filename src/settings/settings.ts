// The settings of a workspace, one table row each. A row holds the schema, the default, and the conversions to and
// from the wire. Scenarios, the control API and exported states read this table.

import { defaultSettings, type BankSettings } from '../bank/client-records.js'
import { behaviours } from '../protocol/behaviour.js'
import { formatMs, parseMs } from '../determinism/duration.js'
import { invalid, type InputError } from '../protocol/problem.js'
import { record, type FromSchema, type Schema } from '../protocol/schema.js'
import { hookPolicies, outboundPolicy, ownAddresses } from './card-settings.js'
import { plain, type NoteError, type Setting } from './setting.js'

/** The largest number of requests with one token within a time, in ms of the sandbox's clock. */
export interface RateLimit {
  readonly requests: number
  readonly perMs: number
}

const duration = (description: string) =>
  ({ type: 'string', maxLength: 60, description, examples: ['PT1M'] }) as const

const maxMs = 366 * 86_400_000

/** The milliseconds of a duration from `least` to 366 days. */
function msOf(text: string, path: string, least: number, refuse: NoteError): number {
  const ms = parseMs(text)
  if (ms !== undefined && ms >= least && ms <= maxMs) return ms
  const range = `${least === 0 ? '' : 'more than zero and '}at most 366 days`
  refuse(path, `must be an ISO 8601 duration of ${range}, such as P2D or PT1M`)
  return least
}

const settlementSchema = duration(
  'How long a card purchase stays pending: an ISO 8601 duration in days or smaller units.',
)
const rateLimitSchema = {
  anyOf: [
    record('RateLimit', 'The number of requests that one token may make within a time.', {
      requests: {
        type: 'integer',
        minimum: 1,
        maximum: 1_000_000,
        description: 'How many calls a token may make in each window.',
      },
      per: duration('An ISO 8601 duration in days or smaller units.'),
    }),
    { type: 'null' },
  ],
  description: 'Null: no limit.',
} as const

const settlement: Setting<typeof settlementSchema, typeof settlementSchema, number> = {
  schema: settlementSchema,
  change: settlementSchema,
  initial: defaultSettings.settlement,
  toWire: formatMs,
  fromWire: (text, _, refuse) => msOf(text, '', 0, refuse),
}

const rateLimit: Setting<typeof rateLimitSchema, typeof rateLimitSchema, RateLimit | null> = {
  schema: rateLimitSchema,
  change: rateLimitSchema,
  initial: null,
  toWire: (limit) => limit && { requests: limit.requests, per: formatMs(limit.perMs) },
  fromWire: (limit, _, refuse) =>
    limit && { requests: limit.requests, perMs: msOf(limit.per, '/per', 1, refuse) },
}

/** All settings by name. A new setting is one more row. */
const table = {
  strict: plain(
    {
      type: 'boolean',
      description:
        'True refuses requests that deviate from the declarations although the service accepts them, such as an unknown field; false accepts them with a warning.',
    },
    false,
  ),
  behaviour: plain(
    {
      enum: behaviours,
      description:
        "Which one to follow where they disagree: `documented` is the service's document, `observed` the live service (docs/fidelity.md lists the differences).",
    },
    defaultSettings.behaviour,
  ),
  settlement,
  pageSize: plain(
    {
      type: 'integer',
      minimum: 0,
      maximum: 100_000,
      description: 'Rows on a page of transactions; 0 returns all at once.',
    },
    defaultSettings.pageSize,
  ),
  rateLimit,
  hooks: hookPolicies,
  outbound: plain(outboundPolicy, 'allow'),
  ownAddresses: plain(ownAddresses, ['*']),
}
type Table = typeof table
type Name = keyof Table

/** The settings of one workspace. `settlement` is in ms of the sandbox's clock. */
export type Settings = BankSettings & { readonly [K in Name]: Table[K]['initial'] }

const names = Object.keys(table) as Name[]

const column = <C extends keyof Table[Name]>(name: C) =>
  Object.fromEntries(names.map((each) => [each, table[each][name]])) as { [K in Name]: Table[K][C] }

/** The default settings of a workspace. */
export const standardSettings: Settings = column('initial')

/** `GET /_sandbox/settings`. */
export const SettingsOnWire = record('Settings', 'The settings of the workspace.', column('schema'))
export type SettingsOnWire = FromSchema<typeof SettingsOnWire>

/** `PUT /_sandbox/settings`: omitted settings stay. */
export const SettingsChange = {
  title: 'SettingsChange',
  description: 'Settings to change; omitted ones stay.',
  type: 'object',
  properties: column('change'),
  additionalProperties: false,
} as const
export type SettingsChange = FromSchema<typeof SettingsChange>

/** A row without its types. */
type AnySetting = Setting<Schema, Schema, unknown>

/** The settings as the control API shows them. */
export const settingsOnWire = (settings: Settings): SettingsOnWire =>
  Object.fromEntries(
    names.map((name) => [name, (table[name] as unknown as AnySetting).toWire(settings[name])]),
  ) as SettingsOnWire

/**
 * The settings after a change that matches its schema, and the errors that the schema cannot see; paths begin with
 * `at`.
 */
export function applyChange(
  settings: Settings,
  change: SettingsChange,
  at = '',
): { readonly settings: Settings; readonly errors: readonly InputError[] } {
  const errors: InputError[] = []
  const changed: Record<string, unknown> = { ...settings }
  for (const name of names) {
    const given = change[name]
    if (given === undefined) continue
    const refuse: NoteError = (path, message) => errors.push({ path: `${at}/${name}${path}`, message })
    changed[name] = (table[name] as unknown as AnySetting).fromWire(given, settings[name], refuse)
  }
  return { settings: errors.length === 0 ? (changed as unknown as Settings) : settings, errors }
}

/** The settings after a change that matches its schema. Throws `invalid-request`, with paths after `at`. */
export function changeSettings(settings: Settings, change: SettingsChange, at = ''): Settings {
  const { settings: changed, errors } = applyChange(settings, change, at)
  if (errors.length > 0) throw invalid(errors)
  return changed
}
