// What is to go wrong: rules that a scenario or a test sets, and how a rule disturbs a call.

import type { Random } from '../determinism/random.js'
import type { Reply } from '../protocol/call.js'
import { callGlobs, fits } from '../protocol/glob.js'
import { invalid, problemType, type InputError as Mistake } from '../protocol/problem.js'
import { listOf, record, type FromSchema } from '../protocol/schema.js'

/** Which calls: globs of method and path. `*` is anything within a segment, `**` anything at all. */
export const CallMatch = {
  title: 'CallMatch',
  description: 'Which calls; what is left out fits every call.',
  type: 'object',
  properties: {
    ...callGlobs,
    workspace: { type: 'string', maxLength: 40, description: 'The workspace whose calls are meant.' },
  },
  additionalProperties: false,
} as const

/** What goes wrong: an answer in place of the real one, or something that befalls the connection or the answer. */
const Disturbance = {
  title: 'Disturbance',
  description: 'Either `status`, with headers and body of the answer, or `kind`.',
  type: 'object',
  properties: {
    status: { type: 'integer', minimum: 200, maximum: 599 },
    headers: { type: 'object', additionalProperties: { type: 'string', maxLength: 2000 }, maxProperties: 50 },
    body: {
      description: 'Text as it is, anything else as JSON; without it a problem body that says what it is.',
    },
    kind: {
      enum: ['reset', 'hang', 'truncate', 'malformed', 'expire-token'],
      description:
        'reset: the connection breaks. hang: no answer ever comes. truncate: the connection breaks in the middle of the answer. malformed: the answer is no JSON. expire-token: the token of the call has expired, now and from now on.',
    },
    when: {
      enum: ['before', 'afterCommit'],
      description:
        'before: the operation does not happen. afterCommit: it happens, and then the answer is lost. Default: afterCommit for truncate and malformed, else before.',
    },
  },
  additionalProperties: false,
} as const

const ruleMembers = {
  match: CallMatch,
  fault: Disturbance,
  times: {
    type: 'integer',
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'How often; always by default.',
  },
  skip: {
    type: 'integer',
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'So many matching calls pass first.',
  },
  probability: { type: 'number', minimum: 0, maximum: 1, description: 'From 0 to 1; 1 by default.' },
  delayMs: {
    type: 'integer',
    minimum: 0,
    maximum: 600_000,
    description: 'Real milliseconds that the call waits first; alone, without a fault, it is only late.',
  },
} as const

/** `POST /_sandbox/faults`. */
export const FaultRule = {
  title: 'FaultRule',
  description: 'A fault, and the calls that it befalls.',
  type: 'object',
  properties: ruleMembers,
  additionalProperties: false,
} as const
export type FaultRule = FromSchema<typeof FaultRule>

/** A rule as it stands. */
export const FaultReading = {
  ...FaultRule,
  title: 'FaultReading',
  description: 'A rule as it stands.',
  properties: {
    id: { type: 'string' },
    ...ruleMembers,
    seen: { type: 'integer', description: 'Matching calls so far.' },
    applied: { type: 'integer', description: 'Calls that it has befallen.' },
  },
  required: ['id', 'seen', 'applied'],
} as const

export const FaultList = record('FaultList', 'The rules in their order: the first that matches wins.', {
  faults: listOf(FaultReading),
})

export interface FaultState {
  readonly id: string
  readonly rule: FaultRule
  readonly seen: number
  readonly applied: number
}

/** No more rules than this. */
const maxRules = 1000
/** No more paths than this are remembered with their rules. */
const pathsKept = 500

/** One rule, and how far it has come. */
class Rule {
  seen: number
  applied: number
  readonly method: string | undefined
  readonly path: string | undefined

  constructor(
    readonly id: string,
    readonly rule: FaultRule,
    count: { seen: number; applied: number } = { seen: 0, applied: 0 },
  ) {
    this.seen = count.seen
    this.applied = count.applied
    this.method = rule.match?.method?.toUpperCase()
    this.path = rule.match?.path
  }

  fits(method: string, path: string): boolean {
    if (this.method !== undefined && !fits(this.method, method)) return false
    if (this.path !== undefined) return fits(this.path, path) && (isOwn(this.path) || !isOwn(path))
    return !isOwn(path)
  }

  /** Counts a matching call; true when the rule befalls it. */
  strikes(random: Random): boolean {
    const { skip = 0, times = Infinity, probability = 1 } = this.rule
    this.seen++
    if (this.seen <= skip || this.applied >= times) return false
    if (probability < 1 && random.stream('faults').fraction() >= probability) return false
    this.applied++
    return true
  }
}

/** The sandbox's own API is spared unless a rule names it. */
const isOwn = (path: string): boolean => path.startsWith('/_sandbox')

/** The rules of one workspace, in their order. */
export class Faults {
  readonly #random: () => Random
  #rules: Rule[] = []
  #count = 0
  /** The rules that fit, by method and path: with a hundred rules, a call costs one lookup. */
  readonly #fitting = new Map<string, Map<string, readonly Rule[]>>()

  /** @param random whose chance decides where a rule has a probability */
  constructor(random: () => Random) {
    this.#random = random
  }

  get size(): number {
    return this.#rules.length
  }

  get list(): (FaultRule & { id: string; seen: number; applied: number })[] {
    return this.#rules.map(({ id, rule, seen, applied }) => ({ id, ...rule, seen, applied }))
  }

  get state(): readonly FaultState[] {
    return this.#rules.map(({ id, rule, seen, applied }) => ({ id, rule, seen, applied }))
  }

  restore(state: readonly FaultState[]): void {
    this.#rules = state.map(({ id, rule, ...count }) => new Rule(id, rule, count))
    this.#count = state.reduce((most, { id }) => Math.max(most, Number(id.slice(1))), 0)
    this.#fitting.clear()
  }

  /** Adds a rule behind the others, one of a timeline even beyond their number; answers its id. Throws `invalid-request`. */
  add(rule: FaultRule, planned = false): string {
    const mistakes = mistakesOf(rule)
    if (this.#rules.length >= maxRules && !planned)
      mistakes.push({ path: '/', message: `would be rule ${maxRules + 1}; delete some first` })
    if (mistakes.length > 0) throw invalid(mistakes)
    const id = `f${++this.#count}`
    this.#rules.push(new Rule(id, rule))
    this.#fitting.clear()
    return id
  }

  /** False when there is no such rule. */
  remove(id: string): boolean {
    const before = this.#rules.length
    this.#rules = this.#rules.filter((rule) => rule.id !== id)
    this.#fitting.clear()
    return this.#rules.length < before
  }

  clear(): void {
    this.#rules = []
    this.#count = 0
    this.#fitting.clear()
  }

  /** The first rule that befalls this call; every rule that it fits before that has counted it. */
  strike(method: string, path: string): FaultEffect | undefined {
    for (const rule of this.#fit(method, path))
      if (rule.strikes(this.#random())) return new FaultEffect(rule.id, rule.rule)
    return undefined
  }

  #fit(method: string, path: string): readonly Rule[] {
    let byPath = this.#fitting.get(method)
    if (!byPath) this.#fitting.set(method, (byPath = new Map<string, readonly Rule[]>()))
    let fitting = byPath.get(path)
    if (!fitting) {
      if (byPath.size >= pathsKept) byPath.clear()
      byPath.set(path, (fitting = this.#rules.filter((rule) => rule.fits(method, path))))
    }
    return fitting
  }
}

/** A rule that befalls a call. */
export class FaultEffect {
  readonly delayMs: number
  readonly #fault: NonNullable<FaultRule['fault']>

  constructor(
    /** Of the rule. */
    readonly id: string,
    rule: FaultRule,
  ) {
    this.delayMs = rule.delayMs ?? 0
    this.#fault = rule.fault ?? {}
  }

  get expiresToken(): boolean {
    return this.#fault.kind === 'expire-token'
  }

  /** The answer when the operation is not to happen. */
  before(path: string): Reply | undefined {
    if (this.#when() !== 'before') return undefined
    const { status, kind } = this.#fault
    if (status !== undefined) return this.#answer(status, path)
    if (kind === undefined || kind === 'expire-token') return undefined
    return this.#disturb({ status: 200, headers: json, body: '{"data":{},"links":null}' })
  }

  /** What becomes of the answer after the operation has happened. */
  after(reply: Reply, path: string): Reply {
    if (this.#when() !== 'afterCommit') return reply
    const { status } = this.#fault
    return status === undefined ? this.#disturb(reply) : this.#answer(status, path)
  }

  #when(): 'before' | 'afterCommit' {
    const { when, kind } = this.#fault
    return when ?? (kind === 'truncate' || kind === 'malformed' ? 'afterCommit' : 'before')
  }

  #answer(status: number, instance: string): Reply {
    const { headers = {}, body } = this.#fault
    const lower = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    )
    if (body !== undefined && typeof body !== 'string')
      return { status, headers: { ...json, ...lower }, body: JSON.stringify(body), fault: this.id }
    if (body !== undefined) return { status, headers: lower, body, fault: this.id }
    const [type, title] = [problemType('injected-fault'), 'A fault that was asked for']
    const detail = `The fault ${this.id} of the sandbox answers ${status} here.`
    const text = JSON.stringify({ type, title, status, detail, instance })
    return { status, headers: { ...problemJson, ...lower }, body: text, fault: this.id }
  }

  #disturb(reply: Reply): Reply {
    const { kind } = this.#fault
    if (kind === undefined || kind === 'expire-token') return reply
    if (kind !== 'malformed') return { ...reply, disturbance: kind, fault: this.id }
    const body = typeof reply.body === 'string' ? reply.body : Buffer.from(reply.body).toString('utf8')
    return { ...reply, body: `${body.slice(0, Math.floor(body.length / 2))}\u0000<`, fault: this.id }
  }
}

const json = { 'content-type': 'application/json; charset=utf-8' }
const problemJson = { 'content-type': 'application/problem+json; charset=utf-8' }

/** Headers that say how the message is framed are the server's. */
const framing = new Set(['content-length', 'transfer-encoding', 'connection', 'upgrade', 'trailer', 'date'])

/** What a schema cannot say about a rule. */
export function mistakesOf({ fault, delayMs, match }: FaultRule): Mistake[] {
  const mistakes: Mistake[] = []
  if (match?.path !== undefined && !/^[/*]/.test(match.path))
    mistakes.push({ path: '/match/path', message: 'must begin with / or *' })
  if (!fault) {
    if (!delayMs) mistakes.push({ path: '/fault', message: 'is missing; give a fault, a delayMs, or both' })
    return mistakes
  }
  const { status, kind, headers = {}, body, when } = fault
  if ((status === undefined) === (kind === undefined))
    mistakes.push({ path: '/fault', message: 'must have either status or kind' })
  if (kind !== undefined && (body !== undefined || fault.headers !== undefined))
    mistakes.push({ path: '/fault', message: 'may have headers and body only with status' })
  if (kind === 'expire-token' && when === 'afterCommit')
    mistakes.push({ path: '/fault/when', message: 'must be before where a token expires' })
  for (const [name, value] of Object.entries(headers)) {
    const path = `/fault/headers/${name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
      mistakes.push({ path, message: 'is not the name of a header' })
    else if (framing.has(name.toLowerCase())) mistakes.push({ path, message: 'is set by the server' })
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      mistakes.push({ path, message: 'holds what no header may hold' })
  }
  return mistakes
}
