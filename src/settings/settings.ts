// The settings of a workspace: one row of one table each. A row holds the schema, the default, and how the value goes to
// the wire and back. A scenario, the control API and an exported state all read this table.

import { defaultSettings, type BankSettings } from '../bank/client-records.js'
import { behaviours } from '../protocol/behaviour.js'
import { formatMs, parseMs } from '../determinism/duration.js'
import { invalid, type InputError } from '../protocol/problem.js'
import { record, type FromSchema, type Schema } from '../protocol/schema.js'
import { hookPolicies, outboundPolicy, ownAddresses } from './card-settings.js'
import { plain, type NoteFault, type Setting } from './setting.js'

/** At most this many requests with one token within a time, ms of the sandbox's clock. */
export interface RateLimit {
  readonly requests: number
  readonly perMs: number
}

const duration = (description: string) =>
  ({ type: 'string', maxLength: 60, description, examples: ['PT1M'] }) as const

const maxMs = 366 * 86_400_000

/** The milliseconds of a duration from `least` to 366 days. */
function msOf(text: string, path: string, least: number, fault: NoteFault): number {
  const ms = parseMs(text)
  if (ms !== undefined && ms >= least && ms <= maxMs) return ms
  const range = `${least === 0 ? '' : 'more than zero and '}at most 366 days`
  fault(path, `must be an ISO 8601 duration of ${range}, such as P2D or PT1M`)
  return least
}

const settlementSchema = duration(
  'How long a card purchase stays pending: an ISO 8601 duration in days or smaller units.',
)
const rateLimitSchema = {
  anyOf: [
    record('RateLimit', 'The number of requests that one token may make within a time.', {
      requests: { type: 'integer', minimum: 1, maximum: 1_000_000 },
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
  fromWire: (text, _, fault) => msOf(text, '', 0, fault),
}

const rateLimit: Setting<typeof rateLimitSchema, typeof rateLimitSchema, RateLimit | null> = {
  schema: rateLimitSchema,
  change: rateLimitSchema,
  initial: null,
  toWire: (limit) => limit && { requests: limit.requests, per: formatMs(limit.perMs) },
  fromWire: (limit, _, fault) =>
    limit && { requests: limit.requests, perMs: msOf(limit.per, '/per', 1, fault) },
}

/** All settings by name. A new setting is one more row. */
const table = {
  strict: plain(
    {
      type: 'boolean',
      description:
        'True refuses a request that the service takes although it deviates from the declarations, such as an unknown field; false accepts it with a warning.',
    },
    false,
  ),
  behaviour: plain(
    {
      enum: behaviours,
      description:
        "Where the service's document and the live service disagree: `documented` follows the document, `observed` the live service (docs/fidelity.md lists the differences).",
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

/** The settings of a workspace when nobody has changed any. */
export const standardSettings: Settings = column('initial')

/** `GET /_sandbox/settings`. */
export const SettingsOnWire = record('Settings', 'The settings of the workspace.', column('schema'))
export type SettingsOnWire = FromSchema<typeof SettingsOnWire>

/** `PUT /_sandbox/settings`: what is left out stays as it is. */
export const SettingsChange = {
  title: 'SettingsChange',
  description: 'Settings to change; what is left out stays as it is.',
  type: 'object',
  properties: column('change'),
  additionalProperties: false,
} as const
export type SettingsChange = FromSchema<typeof SettingsChange>

/** A row whose types have done their work. */
type AnySetting = Setting<Schema, Schema, unknown>

/** The settings as the control API shows them. */
export const settingsOnWire = (settings: Settings): SettingsOnWire =>
  Object.fromEntries(
    names.map((name) => [name, (table[name] as unknown as AnySetting).toWire(settings[name])]),
  ) as SettingsOnWire

/** Settings after a change that fits its schema, and what the schema could not see; paths begin with `at`. */
export function applyChange(
  settings: Settings,
  change: SettingsChange,
  at = '',
): { readonly settings: Settings; readonly faults: readonly InputError[] } {
  const faults: InputError[] = []
  const changed: Record<string, unknown> = { ...settings }
  for (const name of names) {
    const given = change[name]
    if (given === undefined) continue
    const fault: NoteFault = (path, message) => faults.push({ path: `${at}/${name}${path}`, message })
    changed[name] = (table[name] as unknown as AnySetting).fromWire(given, settings[name], fault)
  }
  return { settings: faults.length === 0 ? (changed as unknown as Settings) : settings, faults }
}

/** Settings after a change that fits its schema. Throws `invalid-request`, with paths after `at`. */
export function changeSettings(settings: Settings, change: SettingsChange, at = ''): Settings {
  const { settings: changed, faults } = applyChange(settings, change, at)
  if (faults.length > 0) throw invalid(faults)
  return changed
}
