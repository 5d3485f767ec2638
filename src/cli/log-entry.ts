// The entries of a bank's log: one for each call, card transaction, execution and move of the clock, made from the
// events of its workspaces. The server's own log and `tail` both read them here.

import type { RequestLine } from '../http/http-options.js'
import type { EventOnWire } from '../journal/events.js'

interface Entry {
  /** ISO 8601, by the sandbox's clock. */
  readonly at: string
  readonly workspace: string
}

/** A call, answered or refused. */
export interface RequestEntry extends Entry {
  readonly event: 'request'
  /** Its number in the journal, if that keeps it. */
  readonly id?: number
  readonly method: string
  /** As sent, secrets masked. */
  readonly path: string
  /** Null when no answer came. */
  readonly status: number | null
  /** Real milliseconds. */
  readonly ms: number
  readonly fault?: string
  readonly problem?: { readonly code: string; readonly detail: string }
  readonly warnings?: readonly { readonly code: string; readonly path: string; readonly message: string }[]
  /** With `--verbose`: the bodies, secrets masked. */
  readonly sent?: string
  readonly answered?: string
}

/** A hook of card code that ran. */
export interface HookEntry {
  /** `beforeTransaction` and so on. */
  readonly hook: string
  /** Milliseconds of the sandbox's clock. */
  readonly ms: number
  readonly approved: boolean | null
  readonly error: { readonly code: string; readonly message: string; readonly line: number | null } | null
  readonly logs: readonly { readonly level: string; readonly content: string }[]
  /** How many more lines it wrote. */
  readonly moreLogs: number
}

/** A card transaction, and the hook that decided it. */
export interface CardEntry extends Entry {
  readonly event: 'card'
  readonly id: string
  readonly cardKey: string
  /** `approved`, `declined-by-code` and the other reasons; or `reversed`, `adjusted`. */
  readonly outcome: string
  readonly isDeclined: boolean
  readonly centsAmount: number
  readonly currencyCode: string
  /** The category of the merchant, four digits. */
  readonly merchantCategory: string
  readonly merchant: string
  readonly hooks: readonly HookEntry[]
}

/** An execution by itself: of a simulation, or after a transaction. */
export interface ExecutionEntry extends Entry, HookEntry {
  readonly event: 'execution'
  readonly cardKey: string
  readonly isSimulation: boolean
}

/** The clock was moved, the bank was reset, a file of card code changed, events were lost, or the connection came or went. */
export interface NoteEntry extends Entry {
  readonly event: 'clock' | 'reset' | 'code' | 'lost' | 'connection'
  readonly text: string
}

export type LogEntry = RequestEntry | CardEntry | ExecutionEntry | NoteEntry

/** Hooks that wait for the transaction that they decide; more get their own entries. */
const maxWaiting = 128

/** Makes entries of events, in their order. A hook that decides a card transaction becomes part of its entry. */
export class Entries {
  /** By the root of the execution, which the transaction names too. */
  readonly #waiting = new Map<string, ExecutionEntry>()

  /** The entries of an event of any server: missing members are empty. */
  of(event: EventOnWire, workspace: string): LogEntry[] {
    const fields = new Fields(event)
    const at = fields.text('at')
    switch (event.type) {
      case 'call':
        return [requestOf(fields, { at, workspace })]
      case 'execution':
        return this.#execution(fields, { at, workspace })
      case 'card-transaction':
        return [this.#card(fields, { at, workspace })]
      case 'clock': {
        const state = fields.flag('frozen') ? 'stands still at' : 'runs from'
        return [{ event: 'clock', at, workspace, text: `the clock ${state} ${fields.text('now') || at}` }]
      }
      case 'reset': {
        const from = fields.text('from')
        const text = from ? `restored from a ${from}` : `reset to the scenario ${fields.text('scenario')}`
        return [{ event: 'reset', at, workspace, text }]
      }
      case 'lost':
        return [{ event: 'lost', at, workspace, text: `${fields.number('events')} events were lost` }]
      default:
        return []
    }
  }

  #execution(fields: Fields, entry: Entry): LogEntry[] {
    const execution = executionOf(fields, entry)
    if (execution.isSimulation || execution.hook !== 'beforeTransaction') return [execution]
    this.#waiting.set(fields.text('rootCodeFunctionId'), execution)
    if (this.#waiting.size <= maxWaiting) return []
    const [[root, oldest]] = this.#waiting as unknown as [[string, ExecutionEntry]]
    this.#waiting.delete(root)
    return [oldest]
  }

  #card(fields: Fields, entry: Entry): CardEntry {
    const root = fields.text('rootCodeFunctionId')
    const hook = this.#waiting.get(root)
    this.#waiting.delete(root)
    const change = fields.text('event')
    const isDeclined = fields.text('decision') === 'declined'
    return {
      event: 'card',
      ...entry,
      id: fields.text('id'),
      cardKey: fields.text('cardKey'),
      outcome: change === fields.text('decision') ? fields.text('reason') : change,
      isDeclined,
      centsAmount: fields.number('centsAmount'),
      currencyCode: fields.text('currencyCode'),
      merchantCategory: fields.text('merchantCategory'),
      merchant: fields.text('merchant'),
      hooks: hook ? [hookOf(hook)] : [],
    }
  }
}

/** A request that the journal does not keep. */
export function entryOfLine(line: RequestLine, at: string, workspace: string): RequestEntry {
  const { method, path, status, ms, problem, warnings } = line
  const entry = {
    event: 'request',
    at,
    workspace,
    method,
    path,
    status,
    ms: Math.round(ms * 10) / 10,
  } as const
  return { ...entry, ...(problem && { problem }), ...(warnings && { warnings }) }
}

function requestOf(fields: Fields, entry: Entry): RequestEntry {
  const fault = fields.text('fault')
  const problem = fields.part('problem')
  const warnings = fields.list('warnings').map((each) => ({
    code: each.text('code'),
    path: each.text('path'),
    message: each.text('message'),
  }))
  return {
    event: 'request',
    ...entry,
    id: fields.number('id'),
    method: fields.text('method'),
    path: fields.text('address') || fields.text('path'),
    status: fields.number('status') || null,
    ms: fields.number('realMs'),
    ...(fault !== '' && { fault }),
    ...(problem && { problem: { code: problem.text('code'), detail: problem.text('detail') } }),
    ...(warnings.length > 0 && { warnings }),
  }
}

function executionOf(fields: Fields, entry: Entry): ExecutionEntry {
  const error = fields.part('error')
  return {
    event: 'execution',
    ...entry,
    cardKey: fields.text('cardKey'),
    isSimulation: fields.flag('sandbox'),
    hook: fields.text('hook').replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    ms: fields.number('ms'),
    approved: fields.value('authorizationApproved') === null ? null : fields.flag('authorizationApproved'),
    error: error
      ? { code: error.text('code'), message: error.text('message'), line: error.number('line') || null }
      : null,
    logs: fields.list('logs').map((each) => ({ level: each.text('level'), content: each.text('content') })),
    moreLogs: fields.number('moreLogs'),
  }
}

const hookOf = ({ hook, ms, approved, error, logs, moreLogs }: ExecutionEntry): HookEntry => ({
  hook,
  ms,
  approved,
  error,
  logs,
  moreLogs,
})

/** The members of an untrusted object: each is read with its expected type, or as empty. */
export class Fields {
  readonly #object: Readonly<Record<string, unknown>>

  constructor(value: unknown) {
    this.#object = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  }

  value(name: string): unknown {
    return Object.hasOwn(this.#object, name) ? this.#object[name] : undefined
  }

  text(name: string): string {
    const value = this.value(name)
    return typeof value === 'string' ? value : ''
  }

  number(name: string): number {
    const value = this.value(name)
    return typeof value === 'number' ? value : 0
  }

  flag(name: string): boolean {
    return this.value(name) === true
  }

  part(name: string): Fields | undefined {
    const value = this.value(name)
    return typeof value === 'object' && value !== null ? new Fields(value) : undefined
  }

  list(name: string): Fields[] {
    const value = this.value(name)
    return Array.isArray(value) ? value.map((each) => new Fields(each)) : []
  }
}
