// Injected faults: the rules that a scenario or a test sets, and their effect on a call.

import type { Random } from '../determinism/random.js'
import type { Behaviour } from '../protocol/behaviour.js'
import type { Reply } from '../protocol/call.js'
import { callGlobs, fits } from '../protocol/glob.js'
import { pointerTo } from '../protocol/json-pointer.js'
import type { InputError } from '../protocol/problem.js'
import { refusalReply } from '../protocol/refusal.js'
import { listOf, record, type FromSchema } from '../protocol/schema.js'
import { headerErrors } from './headers.js'
import { NumberedList } from './numbered-list.js'

/** Selects calls: globs of method and path. `*` matches within a segment, `**` matches anything. */
const CallMatch = {
  title: 'CallMatch',
  description: 'Selects calls; an omitted member matches every call.',
  type: 'object',
  properties: {
    ...callGlobs,
    workspace: { type: 'string', maxLength: 40, description: 'Selects calls of this workspace.' },
  },
  additionalProperties: false,
} as const

/** One kind of fault other than an answer with a status. */
interface FaultKind {
  readonly description: string
  /** Whether the operation happens, unless the rule overrides it. */
  readonly when: 'before' | 'afterCommit'
  /** The effect on the reply. */
  readonly apply: (reply: Reply, id: string) => Reply
}

const disturbed =
  (disturbance: NonNullable<Reply['disturbance']>): FaultKind['apply'] =>
  (reply, fault) => ({ ...reply, disturbance, fault })

/** All kinds of faults by name. A new kind is one more row. */
const kinds = {
  reset: { description: 'the connection breaks', when: 'before', apply: disturbed('reset') },
  hang: { description: 'no answer ever comes', when: 'before', apply: disturbed('hang') },
  truncate: {
    description: 'the connection breaks in the middle of the answer',
    when: 'afterCommit',
    apply: disturbed('truncate'),
  },
  malformed: {
    description: 'the answer is not JSON',
    when: 'afterCommit',
    apply: (reply, fault) => {
      const body = typeof reply.body === 'string' ? reply.body : Buffer.from(reply.body).toString('utf8')
      return { ...reply, body: `${body.slice(0, Math.floor(body.length / 2))}\u0000<`, fault }
    },
  },
  // The token itself expires in the authentication step.
  'expire-token': {
    description: 'the token of the call expires, for this call and all later ones',
    when: 'before',
    apply: (reply) => reply,
  },
} as const satisfies Readonly<Record<string, FaultKind>>
const kindNames = Object.keys(kinds) as (keyof typeof kinds)[]
const lateKinds = kindNames.filter((kind) => kinds[kind].when === 'afterCommit')

/** What goes wrong: an answer instead of the real one, or an effect on the connection or the answer. */
const Disturbance = {
  title: 'Disturbance',
  description: 'Either `status`, with headers and body of the answer, or `kind`.',
  type: 'object',
  properties: {
    status: {
      type: 'integer',
      minimum: 200,
      maximum: 599,
      description: 'The status of the answer in place of the real one.',
    },
    headers: {
      type: 'object',
      additionalProperties: { type: 'string', maxLength: 2000 },
      maxProperties: 50,
      description: 'Headers of that answer, by their names.',
    },
    body: {
      description:
        'Text is sent as it is, anything else as JSON; default: a problem body that names the fault.',
    },
    kind: {
      enum: kindNames,
      description: `${kindNames.map((kind) => `${kind}: ${kinds[kind].description}`).join('. ')}.`,
    },
    when: {
      enum: ['before', 'afterCommit'],
      description: `before: the operation does not happen. afterCommit: it happens, and then the answer is lost. Default: afterCommit for ${lateKinds.join(' and ')}, else before.`,
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
    description: 'How often it applies; default: always.',
  },
  skip: {
    type: 'integer',
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'How many matching calls pass first.',
  },
  probability: { type: 'number', minimum: 0, maximum: 1, description: 'From 0 to 1; default 1.' },
  delayMs: {
    type: 'integer',
    minimum: 0,
    maximum: 600_000,
    description:
      'Real milliseconds that the call waits first; for a call of card code, its own time while the clock is frozen. Without a fault, the call is only delayed.',
  },
} as const

/** `POST /_sandbox/faults`. */
export const FaultRule = {
  title: 'FaultRule',
  description: 'A fault, and the calls that it applies to.',
  type: 'object',
  properties: ruleMembers,
  additionalProperties: false,
} as const
export type FaultRule = FromSchema<typeof FaultRule>

/** A rule and its counts. */
export const FaultReading = {
  ...FaultRule,
  title: 'FaultReading',
  description: 'A rule and its counts.',
  properties: {
    id: { type: 'string', description: 'Its id, such as f1.' },
    ...ruleMembers,
    seen: { type: 'integer', description: 'Matching calls so far.' },
    applied: { type: 'integer', description: 'Calls to which it was applied.' },
  },
  required: ['id', 'seen', 'applied'],
} as const
export type FaultReading = FromSchema<typeof FaultReading>

export const FaultList = record('FaultList', 'The rules in their order: the first that matches wins.', {
  faults: { ...listOf(FaultReading), description: 'The faults, oldest first.' },
})

export interface FaultState {
  readonly id: string
  readonly rule: FaultRule
  readonly seen: number
  readonly applied: number
}

/** The number of paths whose matching rules are cached. */
const maxPaths = 500

/** One rule with its counts. */
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

  /** As the control API shows it. */
  get reading(): FaultReading {
    return { id: this.id, ...this.rule, seen: this.seen, applied: this.applied }
  }

  fits(method: string, path: string): boolean {
    if (this.method !== undefined && !fits(this.method, method)) return false
    if (this.path !== undefined) return fits(this.path, path) && (isOwn(this.path) || !isOwn(path))
    return !isOwn(path)
  }

  /** Counts a matching call; true when the rule applies to it. */
  strikes(random: Random): boolean {
    const { skip = 0, times = Infinity, probability = 1 } = this.rule
    this.seen++
    if (this.seen <= skip || this.applied >= times) return false
    if (probability < 1 && random.stream('faults').fraction() >= probability) return false
    this.applied++
    return true
  }
}

/** The sandbox's own API is only affected when a rule names it. */
const isOwn = (path: string): boolean => path.startsWith('/_sandbox')

/** The faults of one workspace, in their order. */
export class Faults extends NumberedList<FaultRule, Rule> {
  readonly #random: () => Random
  /** The matching rules, by method and path: with a hundred rules, a call costs one lookup. */
  readonly #fitting = new Map<string, Map<string, readonly Rule[]>>()

  /** @param random decides for rules with a probability */
  constructor(random: () => Random) {
    super({ letter: 'f', noun: 'fault' })
    this.#random = random
  }

  protected override errorsOf(rule: FaultRule): InputError[] {
    return faultErrors(rule)
  }

  protected override create(id: string, rule: FaultRule): Rule {
    return new Rule(id, rule)
  }

  protected override changed(): void {
    this.#fitting.clear()
  }

  /** The rules as the control API shows them. */
  get list(): FaultReading[] {
    return this.items.map((rule) => rule.reading)
  }

  get state(): readonly FaultState[] {
    return this.items.map(({ id, rule, seen, applied }) => ({ id, rule, seen, applied }))
  }

  restore(state: readonly FaultState[]): void {
    this.replace(state.map(({ id, rule, ...count }) => new Rule(id, rule, count)))
  }

  /** The first rule that applies to this call. Every matching rule before it has counted the call. */
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
      if (byPath.size >= maxPaths) byPath.clear()
      byPath.set(path, (fitting = this.items.filter((rule) => rule.fits(method, path))))
    }
    return fitting
  }
}

/** The effect of a rule on one call. */
export class FaultEffect {
  readonly delayMs: number
  readonly #fault: NonNullable<FaultRule['fault']>

  constructor(
    /** The id of the rule. */
    readonly id: string,
    rule: FaultRule,
  ) {
    this.delayMs = rule.delayMs ?? 0
    this.#fault = rule.fault ?? {}
  }

  get expiresToken(): boolean {
    return this.#fault.kind === 'expire-token'
  }

  /** The answer when the operation does not happen. */
  before(path: string, behaviour: Behaviour): Reply | undefined {
    if (this.#when() !== 'before') return undefined
    const { status, kind } = this.#fault
    if (status !== undefined) return this.#answer(status, path, behaviour)
    if (kind === undefined || kind === 'expire-token') return undefined
    return this.#disturb({ status: 200, headers: json, body: '{"data":{},"links":null}' })
  }

  /** Changes the answer after the operation has happened. */
  after(reply: Reply, path: string, behaviour: Behaviour): Reply {
    if (this.#when() !== 'afterCommit') return reply
    const { status } = this.#fault
    return status === undefined ? this.#disturb(reply) : this.#answer(status, path, behaviour)
  }

  #when(): 'before' | 'afterCommit' {
    const { when, kind } = this.#fault
    return when ?? (kind === undefined ? 'before' : kinds[kind].when)
  }

  #answer(status: number, path: string, behaviour: Behaviour): Reply {
    const { headers = {}, body } = this.#fault
    const lower = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    )
    if (body !== undefined && typeof body !== 'string')
      return { status, headers: { ...json, ...lower }, body: JSON.stringify(body), fault: this.id }
    if (body !== undefined) return { status, headers: lower, body, fault: this.id }
    const detail = `Fault ${this.id} of the sandbox answers ${status} here.`
    const refusal = { code: 'injected-fault', title: 'An injected fault', status, detail, headers: lower }
    return { ...refusalReply(refusal, path, behaviour), fault: this.id }
  }

  #disturb(reply: Reply): Reply {
    const { kind } = this.#fault
    return kind === undefined ? reply : kinds[kind].apply(reply, this.id)
  }
}

const json = { 'content-type': 'application/json; charset=utf-8' }

/** Only the server sets the headers that frame the message. */
const framing = new Set(['content-length', 'transfer-encoding', 'connection', 'upgrade', 'trailer', 'date'])

/** Checks that a schema cannot express. */
export function faultErrors({ fault, delayMs, match }: FaultRule): InputError[] {
  const mistakes: InputError[] = []
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
    mistakes.push({ path: '/fault/when', message: 'must be before when a token expires' })
  for (const name of Object.keys(headers))
    if (framing.has(name.toLowerCase()))
      mistakes.push({ path: pointerTo('/fault/headers', name), message: 'is set by the server' })
  return [...mistakes, ...headerErrors(headers, '/fault/headers')]
}
