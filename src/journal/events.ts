// What happens, told to whoever listens: calls, and everything that the bank tells, as server-sent events.

import type { BankEvent } from '../bank/client-records.js'

/** A listener that falls behind by more events than this loses some, and is told so. */
const eventsQueued = 1000

/** The listeners of one workspace. */
export class EventHub {
  readonly #listeners = new Set<Listener>()
  #count = 0

  /** Whether anybody listens: what nobody hears need not be put together. */
  get isHeard(): boolean {
    return this.#listeners.size > 0
  }

  tell(event: BankEvent): void {
    if (this.#listeners.size === 0) return
    const { type, atMs, ...detail } = event
    const data = JSON.stringify({ type, at: new Date(atMs).toISOString(), ...detail })
    const text = `id: ${++this.#count}\nevent: ${type}\ndata: ${data}\n\n`
    for (const listener of this.#listeners) listener.take(type, text)
  }

  /** Listens from now on, to events of these types or to all; until `return` is called. */
  listen(types?: readonly string[]): AsyncIterableIterator<string> {
    const listener: Listener = new Listener(types && new Set(types), () => this.#listeners.delete(listener))
    this.#listeners.add(listener)
    return listener
  }
}

class Listener implements AsyncIterableIterator<string> {
  // A first part, so that whoever connects knows at once that it is listened to.
  #queue: string[] = [': listening\n\n']
  #lost = 0
  #waiting: ((result: IteratorResult<string>) => void) | undefined
  #isOver = false

  constructor(
    readonly types: ReadonlySet<string> | undefined,
    readonly leave: () => void,
  ) {}

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
    const text = `event: lost\ndata: {"type":"lost","events":${this.#lost}}\n\n`
    this.#lost = 0
    return text
  }
}
