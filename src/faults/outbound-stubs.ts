// Answers for the calls of card code, so that a test needs no network, and the recorded calls for expectations.

import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../determinism/clock.js'
import type { OutboundAnswer, OutboundRequest } from '../card-code/host/runner.js'
import { fits } from '../protocol/glob.js'
import type { InputError } from '../protocol/problem.js'
import { listOf, record, type FromSchema } from '../protocol/schema.js'
import { headerErrors } from './headers.js'
import { NumberedList } from './numbered-list.js'

/** Selects calls of card code. */
export const OutboundMatch = {
  title: 'OutboundMatch',
  description: 'Selects calls of card code; an omitted member matches every call.',
  type: 'object',
  properties: {
    method: { type: 'string', maxLength: 20, description: 'A method, or a glob that matches methods.' },
    url: {
      type: 'string',
      maxLength: 2000,
      description: 'An address with its query, or a glob: `*` matches up to a slash, `**` across slashes.',
      examples: ['https://api.example/**'],
    },
  },
  additionalProperties: false,
} as const
export type OutboundMatch = FromSchema<typeof OutboundMatch>

/** `POST /_sandbox/outbound/stubs`. */
export const OutboundStub = {
  title: 'OutboundStub',
  description: 'An answer for calls of card code.',
  type: 'object',
  properties: {
    match: OutboundMatch,
    respond: {
      title: 'StubResponse',
      description: 'The answer: with `json` or `text` as its body, or empty.',
      type: 'object',
      properties: {
        status: { type: 'integer', minimum: 200, maximum: 599, description: 'Default 200.' },
        headers: {
          type: 'object',
          additionalProperties: { type: 'string', maxLength: 2000 },
          maxProperties: 50,
          description: 'Headers of the answer, by their names.',
        },
        json: { description: 'The body, sent as JSON.' },
        text: { type: 'string', maxLength: 1_000_000, description: 'The body, sent as text.' },
        delayMs: {
          type: 'integer',
          minimum: 0,
          maximum: 60_000,
          description: "The delay of the answer: real time, or card code's time while the clock is frozen.",
        },
      },
      additionalProperties: false,
    },
    times: {
      type: 'integer',
      minimum: 1,
      maximum: 1_000_000_000,
      description: 'How often it answers; default: always.',
    },
  },
  required: ['respond'],
  additionalProperties: false,
} as const
export type OutboundStub = FromSchema<typeof OutboundStub>

/** A stub and its count. */
export const StubReading = {
  ...OutboundStub,
  title: 'StubReading',
  description: 'A stub and its count.',
  properties: {
    id: { type: 'string', description: 'Its id, such as s1.' },
    ...OutboundStub.properties,
    applied: { type: 'integer', description: 'Calls that it has answered.' },
  },
  required: ['id', 'respond', 'applied'],
} as const
export type StubReading = FromSchema<typeof StubReading>

export const StubList = record('StubList', 'The stubs in their order: the first that matches answers.', {
  stubs: { ...listOf(StubReading), description: 'The stubs, oldest first.' },
})

export interface StubState {
  readonly id: string
  readonly stub: OutboundStub
  readonly applied: number
}

/** One stub, and how often it has answered. */
interface Stub {
  readonly id: string
  readonly stub: OutboundStub
  applied: number
}

const readingOf = ({ id, stub, applied }: Stub): StubReading => ({ id, ...stub, applied })

/** The stubs of one workspace, in their order. */
export class OutboundStubs extends NumberedList<OutboundStub, Stub> {
  constructor() {
    super({ letter: 's', noun: 'stub' })
  }

  protected override errorsOf(stub: OutboundStub): InputError[] {
    return stubErrors(stub)
  }

  protected override create(id: string, stub: OutboundStub): Stub {
    return { id, stub, applied: 0 }
  }

  /** The stubs as the control API shows them. */
  get list(): StubReading[] {
    return this.items.map(readingOf)
  }

  get state(): readonly StubState[] {
    return this.items.map((each) => ({ ...each }))
  }

  restore(state: readonly StubState[]): void {
    this.replace(state.map((each) => ({ ...each })))
  }

  /**
   * The answer of the first stub that matches; undefined when none does. Its delay is real time while the clock runs,
   * and card code's time while the clock is frozen.
   */
  async answer(call: ComparedCall, clock: Clock, signal: AbortSignal): Promise<OutboundAnswer | undefined> {
    const found = this.items.find(
      ({ stub: { match, times = Infinity }, applied }) =>
        applied < times && matchesOutbound(call, match ?? {}),
    )
    if (!found) return undefined
    found.applied++
    const { status = 200, headers = {}, json, text = '', delayMs = 0 } = found.stub.respond
    const type = json === undefined ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'
    const own = Object.entries(headers)
    const hasType = own.some(([name]) => name.toLowerCase() === 'content-type')
    if (!clock.frozen && delayMs > 0) await pause(delayMs, undefined, { signal })
    return {
      status,
      headers: hasType ? own : [['content-type', type], ...own],
      body: new TextEncoder().encode(json === undefined ? text : JSON.stringify(json)),
      spentMs: clock.frozen ? delayMs : 0,
    }
  }
}

/** A call of card code, as stubs and expectations compare it. */
type ComparedCall = Pick<OutboundRequest, 'method' | 'url'>

/** The parts of the match that a call does not fit; empty when it fits. */
export const outboundDifferences = (call: ComparedCall, { method, url }: OutboundMatch): string[] => [
  ...(method !== undefined && !fits(method.toUpperCase(), call.method.toUpperCase()) ? ['method'] : []),
  ...(url !== undefined && !fits(url, call.url) ? ['url'] : []),
]

export const matchesOutbound = (call: ComparedCall, match: OutboundMatch): boolean =>
  outboundDifferences(call, match).length === 0

/** Checks that a schema cannot express. */
export function stubErrors({ respond }: OutboundStub): InputError[] {
  const errors: InputError[] = []
  if (respond.json !== undefined && respond.text !== undefined)
    errors.push({ path: '/respond/text', message: 'cannot be combined with json; give one of the two' })
  return [...errors, ...headerErrors(respond.headers, '/respond/headers')]
}
