// Workspaces as one versioned JSON document, as `GET /_sandbox/state` and `--state FILE` write it: its type, its
// schema, and its check. It does not contain the journal.

import { BankStateSchema, type BankState } from '../bank/bank-state.js'
import type { CardState } from '../bank/cards/cards.js'
import { Clock, type ClockState } from '../determinism/clock.js'
import { CredentialsState } from '../bank/credentials.js'
import { isInRange } from '../determinism/day.js'
import { maxSeed, type StreamState } from '../determinism/random.js'
import { FaultRule, faultErrors, type FaultState } from '../faults/faults.js'
import { OutboundStub, stubErrors, type StubState } from '../faults/outbound-stubs.js'
import { invalid, type InputError } from '../protocol/problem.js'
import type { WindowState } from '../faults/rate-limit.js'
import { kept, listOf, record, type Schema } from '../protocol/schema.js'
import { SettingsChange } from '../settings/settings.js'
import { checkOf } from '../protocol/validation.js'

/** What a workspace started from. */
interface StartState {
  /** The name of a shipped scenario, or the content of another one. */
  readonly scenario: string | object
  readonly seed: number
  readonly clock: ClockState
  /** Epoch ms at which its history ends. */
  readonly startMs: number
}

/** One workspace. */
export interface WorkspaceState {
  readonly name: string
  readonly start: StartState
  readonly clock: ClockState
  readonly random: Readonly<Record<string, StreamState>>
  /** Omitted settings have their default value. */
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

const stateFormat = 'sandbox-server state'
const stateVersion = 1

const text = { type: 'string', maxLength: 1000 } as const
const whole = { type: 'integer', minimum: 0 } as const
const word = { type: 'integer', minimum: -2_147_483_648, maximum: 4_294_967_295 } as const
const id = (letter: string) =>
  ({ type: 'string', pattern: `^${letter}[0-9]{1,9}$`, description: `An id such as ${letter}1.` }) as const

const clock = record('ClockState', 'Stands still at an instant, or runs at a distance from the wall clock.', {
  frozen: { type: 'boolean', description: 'Whether the clock stands still.' },
  ms: {
    type: 'number',
    description: 'The time if it is frozen, else its distance to the clock of the machine. Milliseconds.',
  },
})

const WorkspaceStateSchema = record(
  'WorkspaceState',
  'Everything that a workspace is, but for its journal.',
  {
    name: { ...text, description: 'The name of the workspace.' },
    start: record('StartState', 'What it started from.', {
      scenario: {
        type: ['string', 'object'],
        description: 'The name of a shipped scenario, or another one as its file says it.',
      },
      seed: {
        type: 'integer',
        minimum: 0,
        maximum: maxSeed,
        description: 'The seed from which its data were made.',
      },
      clock,
      startMs: {
        type: 'number',
        minimum: 315_532_800_000,
        maximum: 7_289_654_400_000,
        description: 'Epoch ms.',
      },
    }),
    clock,
    random: {
      type: 'object',
      additionalProperties: { ...listOf(word), minItems: 4, maxItems: 4 },
      description: 'Each stream of chance by its name: four 32-bit numbers.',
    },
    settings: SettingsChange,
    credentials: CredentialsState,
    faults: {
      ...listOf(
        record('FaultState', 'A fault, and how far it has come.', {
          id: id('f'),
          rule: FaultRule,
          seen: { ...whole, description: 'How many calls it has matched.' },
          applied: { ...whole, description: 'How many calls it was applied to.' },
        }),
      ),
      description: 'The faults that are injected, oldest first.',
    },
    stubs: {
      ...listOf(
        record('StubState', 'A stub, and how often it has answered.', {
          id: id('s'),
          stub: OutboundStub,
          applied: { ...whole, description: 'How many calls it has answered.' },
        }),
      ),
      description: 'The stubs for calls of card code, oldest first.',
    },
    happened: { ...whole, description: 'How many events of the timeline have happened.' },
    limits: {
      ...listOf(
        record('LimitState', 'What a token has used of the rate limit.', {
          token: { ...text, description: 'The access token.' },
          startMs: { type: 'number', description: 'When the window began, in milliseconds.' },
          count: { ...whole, description: 'How many calls it has made in the window.' },
        }),
      ),
      description: 'What each token has used of the rate limit.',
    },
    bank: { ...BankStateSchema, description: 'What the bank holds.' },
  },
)

export const StateDocumentSchema: Schema & { readonly type: 'object' } = kept(
  record('StateDocument', 'The state of workspaces.', {
    format: { const: stateFormat, description: 'Tells a state from other JSON.' },
    version: { const: stateVersion, description: 'The version of the format.' },
    workspaces: {
      ...listOf(WorkspaceStateSchema),
      minItems: 1,
      description: 'Each workspace, the main one first.',
    },
  }),
)

/** A longer state could not be brought back. */
export const maxStateBytes = 256 * 1024 * 1024

/**
 * A workspace as JSON, at most `maxLength` characters: one that would be longer leaves out the executions of its cards,
 * and then the versions of their code but for the saved and the published ones. Throws a `RangeError` when it is longer
 * even so.
 */
export function stateText(state: WorkspaceState, maxLength = maxStateBytes): string {
  for (const lean of [asItIs, withoutExecutions, withoutVersions]) {
    const text = written(lean(state))
    if (text !== undefined && text.length <= maxLength) return text
  }
  throw new RangeError(`the state of the workspace ${state.name} is longer than ${maxLength} characters`)
}

const asItIs = (state: WorkspaceState): WorkspaceState => state

const withCards = (state: WorkspaceState, change: (card: CardState) => CardState): WorkspaceState => {
  const { cards } = state.bank
  return { ...state, bank: { ...state.bank, cards: { ...cards, cards: cards.cards.map(change) } } }
}

const withoutExecutions = (state: WorkspaceState): WorkspaceState =>
  withCards(state, (card) => ({ ...card, executions: [] }))

const withoutVersions = (state: WorkspaceState): WorkspaceState =>
  withCards(state, (card) => ({
    ...card,
    executions: [],
    versions: card.versions.filter(
      (version, index) => index === card.versions.length - 1 || version.codeId === card.publishedId,
    ),
  }))

/** Its JSON, or undefined when that is longer than a text can be. */
function written(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The document of states that are written already. */
export const documentText = (states: readonly string[]): string =>
  `{"format":${JSON.stringify(stateFormat)},"version":${stateVersion},"workspaces":[${states.join(',\n')}]}`

/** A checked document. Rejects with `invalid-request`, which gives the path of every error. */
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
        faults.push({ path: `${path}${at}/ms`, message: 'must give an instant from 1980 to 2200' })
    workspace.faults.forEach(({ rule }, at) => take(faultErrors(rule), `${path}/faults/${at}/rule`))
    workspace.stubs.forEach(({ stub }, at) => take(stubErrors(stub), `${path}/stubs/${at}/stub`))
  })
  if (faults.length > 0) throw invalid(faults)
}
