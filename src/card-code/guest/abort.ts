// Event, EventTarget, AbortController and AbortSignal, as far as fetch and careful card code need them.
import { define } from './bridge.js'

class Event {
  readonly type: string
  readonly cancelable: boolean
  defaultPrevented = false
  target: unknown = null
  constructor(type: string, options: { cancelable?: boolean } = {}) {
    this.type = type
    this.cancelable = Boolean(options.cancelable)
  }
  preventDefault(): void {
    this.defaultPrevented = this.cancelable
  }
}

type Listener = ((event: Event) => void) | { handleEvent(event: Event): void }

class EventTarget {
  #listeners: { type: string; listener: Listener; once: boolean }[] = []
  addEventListener(
    type: string,
    listener: Listener | null,
    options: boolean | { once?: boolean } = {},
  ): void {
    if (listener === null || this.#listeners.some((held) => held.type === type && held.listener === listener))
      return
    this.#listeners.push({ type, listener, once: typeof options === 'object' && Boolean(options.once) })
  }
  removeEventListener(type: string, listener: Listener | null): void {
    this.#listeners = this.#listeners.filter((held) => held.type !== type || held.listener !== listener)
  }
  dispatchEvent(event: Event): boolean {
    event.target = this
    for (const held of [...this.#listeners]) {
      if (held.type !== event.type) continue
      if (held.once) this.removeEventListener(held.type, held.listener)
      if (typeof held.listener === 'function') held.listener.call(this, event)
      else held.listener.handleEvent(event)
    }
    return !event.defaultPrevented
  }
}

class DOMException extends Error {
  readonly code: number
  constructor(message = '', name = 'Error') {
    super(message)
    define('name', name, this)
    this.code = { AbortError: 20, TimeoutError: 23, DataCloneError: 25, InvalidCharacterError: 5 }[name] ?? 0
    Error.captureStackTrace(this)
  }
}

const abort = Symbol('abort')

export class AbortSignal extends EventTarget {
  aborted = false
  reason: unknown = undefined
  onabort: ((event: Event) => void) | null = null

  static abort(reason?: unknown): AbortSignal {
    const signal = new AbortSignal()
    signal[abort](reason)
    return signal
  }
  static timeout(ms: number): AbortSignal {
    const signal = new AbortSignal()
    const expire = () => signal[abort](exception('The operation was aborted due to timeout', 'TimeoutError'))
    setTimeout(expire, ms)
    return signal
  }
  static any(signals: Iterable<AbortSignal>): AbortSignal {
    const signal = new AbortSignal()
    for (const source of signals) {
      if (source.aborted) signal[abort](source.reason)
      else source.addEventListener('abort', () => signal[abort](source.reason), { once: true })
    }
    return signal
  }
  throwIfAborted(): void {
    if (this.aborted) throw this.reason
  }
  [abort](reason: unknown = exception('This operation was aborted', 'AbortError')): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    const event = new Event('abort')
    this.onabort?.(event)
    this.dispatchEvent(event)
  }
  get [Symbol.toStringTag](): string {
    return 'AbortSignal'
  }
}

class AbortController {
  readonly signal = new AbortSignal()
  abort(reason?: unknown): void {
    this.signal[abort](reason)
  }
}

/** An error of the web platform with this name. */
export const exception = (message: string, name: string): Error => new DOMException(message, name)

declare global {
  function setTimeout(run: () => void, ms: number): unknown
  interface ErrorConstructor {
    captureStackTrace(target: object): void
  }
}

/** Puts events, AbortController and AbortSignal into the world. */
export const installAbort = (): void => {
  define('Event', Event)
  define('EventTarget', EventTarget)
  define('AbortSignal', AbortSignal)
  define('AbortController', AbortController)
  define('DOMException', DOMException)
}
