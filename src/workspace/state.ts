// Workspaces as one versioned JSON document, as `GET /_sandbox/state` and `--state FILE` write it: its type, its schema,
// and the way back. The journal is not in it: it is what was asked, not what is.

import { BankStateSchema, type BankState } from '../bank/bank-state.js'
import { Clock, type ClockState } from '../determinism/clock.js'
import { permissions, type CredentialsState } from '../bank/credentials.js'
import { isInRange } from '../determinism/day.js'
import { maxSeed, type StreamState } from '../determinism/random.js'
import { FaultRule, mistakesOf, type FaultState } from '../faults/faults.js'
import { OutboundStub, stubFaults, type StubState } from '../faults/outbound-stubs.js'
import { invalid, type InputError } from '../protocol/problem.js'
import type { WindowState } from '../faults/rate-limit.js'
import { listOf, record, type Schema } from '../protocol/schema.js'
import { SettingsChange } from '../settings/settings.js'
import { checkOf } from '../protocol/validation.js'

/** What a workspace started from. */
export interface StartState {
  /** The name of a shipped scenario, or another one as its file says it. */
  readonly scenario: string | object
  readonly seed: number
  readonly clock: ClockState
  /** Epoch ms: where its history ends. */
  readonly startMs: number
}

/** One workspace. */
export interface WorkspaceState {
  readonly name: string
  readonly start: StartState
  readonly clock: ClockState
  readonly random: Readonly<Record<string, StreamState>>
  /** Settings that are left out have their default value. */
  readonly settings: SettingsChange
  readonly credentials: CredentialsState
  readonly faults: readonly FaultState[]
  readonly stubs: readonly StubState[]
  /** How many events of the timeline have happened. */
  readonly happened: number
  readonly limits: readonly WindowState[]
  readonly bank: BankState
}

/** The whole document. */
export interface StateDocument {
  readonly format: typeof stateFormat
  readonly version: typeof stateVersion
  readonly workspaces: readonly WorkspaceState[]
}

export const stateFormat = 'sandbox-server state'
export const stateVersion = 1

const text = { type: 'string', maxLength: 1000 } as const
const whole = { type: 'integer', minimum: 0 } as const
const word = { type: 'integer', minimum: -2_147_483_648, maximum: 4_294_967_295 } as const
const id = (letter: string) =>
  ({ type: 'string', pattern: `^${letter}[0-9]{1,9}$`, description: `An id such as ${letter}1.` }) as const

const clock = record('ClockState', 'Stands still at an instant, or runs at a distance from the wall clock.', {
  frozen: { type: 'boolean' },
  ms: { type: 'number' },
})

const credentials = record('CredentialsState', 'Clients, and the tokens that are out.', {
  clients: {
    ...listOf(
      record('ClientState', 'A client.', {
        clientId: text,
        clientSecret: text,
        apiKeys: listOf(
          record('ApiKeyState', 'An API key.', {
            key: text,
            alias: text,
            accounts: { anyOf: [{ const: 'all' }, listOf(text)] },
            permissions: listOf({ enum: permissions }),
          }),
        ),
      }),
    ),
    minItems: 1,
  },
  grants: listOf(
    record('GrantState', 'A token.', {
      token: text,
      clientId: text,
      apiKey: text,
      permissions: listOf({ enum: permissions }),
      expiresMs: { type: 'number' },
    }),
  ),
})

const WorkspaceStateSchema = record(
  'WorkspaceState',
  'Everything that a workspace is, but for its journal.',
  {
    name: text,
    start: record('StartState', 'What it started from.', {
      scenario: {
        type: ['string', 'object'],
        description: 'The name of a shipped scenario, or another one as its file says it.',
      },
      seed: { type: 'integer', minimum: 0, maximum: maxSeed },
      clock,
      startMs: {
        type: 'number',
        minimum: 315_532_800_000,
        maximum: 7_289_654_400_000,
        description: 'Epoch ms.',
      },
    }),
    clock,
    random: { type: 'object', additionalProperties: { ...listOf(word), minItems: 4, maxItems: 4 } },
    settings: SettingsChange,
    credentials,
    faults: listOf(
      record('FaultState', 'A fault, and how far it has come.', {
        id: id('f'),
        rule: FaultRule,
        seen: whole,
        applied: whole,
      }),
    ),
    stubs: listOf(
      record('StubState', 'A stub, and how often it has answered.', {
        id: id('s'),
        stub: OutboundStub,
        applied: whole,
      }),
    ),
    happened: whole,
    limits: listOf(
      record('LimitState', 'What a token has used of the rate limit.', {
        token: text,
        startMs: { type: 'number' },
        count: whole,
      }),
    ),
    bank: BankStateSchema,
  },
)

export const StateDocumentSchema: Schema & { readonly type: 'object' } = record(
  'StateDocument',
  'The state of workspaces.',
  {
    format: { const: stateFormat },
    version: { const: stateVersion },
    workspaces: { ...listOf(WorkspaceStateSchema), minItems: 1 },
  },
)

export const documentOf = (workspaces: readonly WorkspaceState[]): StateDocument => ({
  format: stateFormat,
  version: stateVersion,
  workspaces,
})

/** A document that was checked. Rejects with `invalid-request`, which names every fault by its path. */
export async function readState(value: unknown): Promise<StateDocument> {
  const faults = (await checkOf(StateDocumentSchema))(value)
  if (faults.length > 0) throw invalid(faults)
  checkParts(value as StateDocument)
  return value as StateDocument
}

/** Refuses what the schema cannot see. Throws `invalid-request`. */
export function checkParts({ workspaces }: StateDocument): void {
  const faults: InputError[] = []
  const take = (found: readonly InputError[], path: string): void => {
    for (const fault of found) faults.push({ ...fault, path: path + fault.path })
  }
  workspaces.forEach((workspace, index) => {
    const path = `/workspaces/${index}`
    for (const [at, clock] of [
      ['/clock', workspace.clock],
      ['/start/clock', workspace.start.clock],
    ] as const)
      if (!isInRange(new Clock(clock).now()))
        faults.push({ path: `${path}${at}/ms`, message: 'must lead to an instant from 1980 to 2200' })
    workspace.faults.forEach(({ rule }, at) => take(mistakesOf(rule), `${path}/faults/${at}/rule`))
    workspace.stubs.forEach(({ stub }, at) => take(stubFaults(stub), `${path}/stubs/${at}/stub`))
  })
  if (faults.length > 0) throw invalid(faults)
}
