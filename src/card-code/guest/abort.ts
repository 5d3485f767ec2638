// AbortController and AbortSignal.
import { define } from './bridge.js'
import { startTimer } from './clock.js'
import { exception } from './dom-exception.js'
import { Event, EventTarget, handlerProperty, platformEvent } from './events.js'
import { coded, invalidType } from './node-errors.js'

const inspectCustom = Symbol.for('nodejs.util.inspect.custom')
const key = {}
const once = { __proto__: null, once: true } as object

const make = (): AbortSignal => new AbortSignal(key)

export class AbortSignal extends EventTarget {
  #aborted = false
  #reason: unknown = undefined
  declare onabort: ((event: Event) => void) | null

  constructor(given?: unknown) {
    if (given !== key) throw coded('TypeError', 'Illegal constructor', 'ERR_ILLEGAL_CONSTRUCTOR')
    super()
  }
  static abort(reason: unknown = exception('This operation was aborted', 'AbortError')): AbortSignal {
    const signal = make()
    abort(signal, reason)
    return signal
  }
  static timeout(ms: unknown): AbortSignal {
    if (typeof ms !== 'number') throw invalidType('delay', 'of type number', ms)
    const max = 4_294_967_295
    const rule = Number.isInteger(ms) ? `>= 0 && <= ${max}` : 'an integer'
    if (!(Number.isInteger(ms) && ms >= 0 && ms <= max))
      throw coded(
        'RangeError',
        `The value of "delay" is out of range. It must be ${rule}. Received ${ms}`,
        'ERR_OUT_OF_RANGE',
      )
    const signal = make()
    startTimer(() => abort(signal, exception('The operation was aborted due to timeout', 'TimeoutError')), ms)
    return signal
  }
  static any(signals: unknown): AbortSignal {
    if (!Array.isArray(signals)) throw invalidType('signals', 'an instance of Array', signals)
    signals.forEach((source: unknown, index) => {
      if (!(source instanceof AbortSignal))
        throw invalidType(`signals[${index}]`, 'an instance of AbortSignal', source)
    })
    const signal = make()
    for (const source of signals as AbortSignal[]) {
      if (source.aborted) abort(signal, source.reason)
      else source.addEventListener('abort', () => abort(signal, source.reason), once)
    }
    return signal
  }
  static end(signal: AbortSignal, reason: unknown): void {
    if (signal.#aborted) return
    signal.#aborted = true
    signal.#reason = reason
    signal.dispatchEvent(platformEvent('abort'))
  }
  get aborted(): boolean {
    return this.#aborted
  }
  get reason(): unknown {
    return this.#reason
  }
  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason
  }
  override get [Symbol.toStringTag](): string {
    return 'AbortSignal'
  }
  [inspectCustom](): string {
    return `${this.constructor.name} { aborted: ${this.#aborted} }`
  }
}

const { end: abort } = AbortSignal

class AbortController {
  readonly #signal = make()
  get signal(): AbortSignal {
    return this.#signal
  }
  abort(reason: unknown = exception('This operation was aborted', 'AbortError')): void {
    abort(this.#signal, reason)
  }
  get [Symbol.toStringTag](): string {
    return 'AbortController'
  }
  [inspectCustom](): string {
    return `${this.constructor.name} { signal: AbortSignal { aborted: ${this.#signal.aborted} } }`
  }
}

/** Installs AbortController and AbortSignal. */
export const installAbort = (): void => {
  delete (AbortSignal as any).end
  handlerProperty('abort', AbortSignal.prototype)
  define('AbortSignal', AbortSignal)
  define('AbortController', AbortController)
}
