// Events: calls, and everything that happens in the bank, sent to listeners as server-sent events.

import type { BankEvent } from '../bank/client-records.js'
import { wallMs } from '../determinism/clock.js'
import { Problem } from '../protocol/problem.js'

/** A listener that falls behind by more events than this loses some, and gets a note. */
const eventsQueued = 1100
/** The most listeners of one workspace. */
const maxListeners = 100
/** A listener that reconnects gets these again. */
const eventsKept = 1000

/** An event and its number. It is serialised when somebody reads it. */
interface Told {
  readonly seq: number
  readonly type: string
  readonly event: () => BankEvent
}

/** An event as listeners read it. */
export interface EventOnWire {
  readonly type: string
  /** ISO 8601, by the sandbox's clock. */
  readonly at: string
  readonly [detail: string]: unknown
}

function eventOnWire({ type, atMs, ...detail }: BankEvent): EventOnWire {
  return { type, at: new Date(atMs).toISOString(), ...detail }
}

let hubs = 0

/** The listeners of one workspace, and the last thousand events. */
export class EventHub {
  /** Changes with each start of the program: event numbers of an earlier start mean nothing. */
  readonly boot = `${wallMs().toString(36)}-${++hubs}`
  readonly #listeners = new Set<Listener>()
  #kept: Told[] = []
  #seq = 0
  #changes = 0

  /** The number of events other than calls: a state that was read at another number may have changed since. */
  get changes(): number {
    return this.#changes
  }

  /** Counts a change that no event tells, such as a log line that a hook wrote after its answer. */
  countChange(): void {
    this.#changes++
  }

  /** Whether anybody listens. */
  get isHeard(): boolean {
    return this.#listeners.size > 0
  }

  /** Called with each event as it happens, in this process; must not throw. */
  watcher: ((event: EventOnWire) => void) | undefined

  tell(event: BankEvent): void {
    this.tellLater(event.type, () => event)
  }

  /** Sends an event that is computed only when somebody reads it. */
  tellLater(type: string, event: () => BankEvent): void {
    const told = { seq: ++this.#seq, type, event }
    if (type !== 'call') this.#changes++
    // The array grows to twice its bound before it is cut, so that an event costs no copying on average.
    if (this.#kept.push(told) >= 2 * eventsKept) this.#kept = this.#kept.slice(-eventsKept)
    this.watcher?.(eventOnWire(event()))
    if (this.#listeners.size === 0) return
    const text = this.#textOf(told)
    for (const listener of this.#listeners) listener.take(type, text)
  }

  /**
   * Listens from now on, to events of these types or to all, until `return` is called. Throws `too-many-streams`.
   *
   * @param lastId the id of the last event that a listener received: it gets the later ones that are still stored
   */
  listen(types?: readonly string[], lastId?: string): AsyncIterableIterator<string> {
    if (this.#listeners.size >= maxListeners)
      throw new Problem('too-many-streams', `${maxListeners} streams of events are open; close some first.`)
    const listener: Listener = new Listener(types && new Set(types), () => this.#listeners.delete(listener))
    const hello = JSON.stringify({ type: 'hello', boot: this.boot, seq: this.#seq })
    listener.begin(`: listening\n\nevent: hello\ndata: ${hello}\n\n`)
    const seq = this.#seqOf(lastId)
    if (seq !== undefined) {
      const missed = this.#kept.slice(-eventsKept).filter((told) => told.seq > seq)
      listener.lose(this.#seq - seq - missed.length)
      for (const told of missed) listener.take(told.type, this.#textOf(told))
    }
    this.#listeners.add(listener)
    return listener
  }

  /** Ends all streams: the workspace no longer exists. */
  close(): void {
    for (const listener of [...this.#listeners]) void listener.return()
  }

  /** The number in an id of this start of the program; undefined for any other. */
  #seqOf(id = ''): number | undefined {
    const [boot, digits] = id.split(':')
    return boot === this.boot && digits !== undefined && /^\d{1,15}$/.test(digits)
      ? Math.min(Number(digits), this.#seq)
      : undefined
  }

  #textOf({ seq, event }: Told): string {
    const shown = eventOnWire(event())
    return `id: ${this.boot}:${seq}\nevent: ${shown.type}\ndata: ${JSON.stringify(shown)}\n\n`
  }
}

class Listener implements AsyncIterableIterator<string> {
  #queue: string[] = []
  #lost = 0
  #waiting: ((result: IteratorResult<string>) => void) | undefined
  #isOver = false

  constructor(
    readonly types: ReadonlySet<string> | undefined,
    readonly leave: () => void,
  ) {}

  /** A first part, so that a client sees at once that it is connected. */
  begin(text: string): void {
    this.#queue.push(text)
  }

  /** Events that are no longer stored. */
  lose(events: number): void {
    if (events > 0) this.#queue.push(lossOf(events))
  }

  take(type: string, text: string): void {
    if (this.types && !this.types.has(type)) return
    if (this.#waiting) {
      this.#waiting({ done: false, value: text })
      this.#waiting = undefined
    } else if (this.#queue.length < eventsQueued) this.#queue.push(text)
    else this.#lost++
  }

  next(): Promise<IteratorResult<string>> {
    const value = this.#queue.shift() ?? this.#loss()
    if (value !== undefined) return Promise.resolve({ done: false, value })
    if (this.#isOver) return Promise.resolve({ done: true, value: undefined })
    return new Promise((resolve) => (this.#waiting = resolve))
  }

  return(): Promise<IteratorResult<string>> {
    this.#isOver = true
    this.#queue = []
    this.leave()
    this.#waiting?.({ done: true, value: undefined })
    return Promise.resolve({ done: true, value: undefined })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #loss(): string | undefined {
    if (this.#lost === 0) return undefined
    const text = lossOf(this.#lost)
    this.#lost = 0
    return text
  }
}

const lossOf = (events: number): string => `event: lost\ndata: {"type":"lost","events":${events}}\n\n`
