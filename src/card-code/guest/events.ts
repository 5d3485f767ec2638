// Event, CustomEvent and EventTarget, as Node has them.
import { define, noOptions, tell } from './bridge.js'
import { describe } from './errors.js'
import { coded, invalidType, needs, requireArguments } from './node-errors.js'

type Listener = ((event: Event) => unknown) | { handleEvent(event: Event): unknown }

interface Options {
  capture?: unknown
  once?: unknown
  passive?: unknown
  signal?: unknown
}

const wrongThis = (name: string): Error =>
  coded('TypeError', `Value of "this" must be of type ${name}`, 'ERR_INVALID_THIS')

const optionsOf = (options: unknown): Record<string, unknown> => {
  if (options === undefined || options === null) return noOptions as Record<string, unknown>
  if (typeof options !== 'object' && typeof options !== 'function')
    throw invalidType('options', 'of type object', options)
  return options as Record<string, unknown>
}

const text = (value: any): string => `${value}`
const started = (): number => (globalThis as any).performance.now() as number
const inspectCustom = Symbol.for('nodejs.util.inspect.custom')

interface State {
  type: string
  bubbles: boolean
  cancelable: boolean
  composed: boolean
  isTrusted: boolean
  isPrevented: boolean
  isStopped: boolean
  isStoppedAtOnce: boolean
  isDispatched: boolean
  isHeardPassively: boolean
  target: EventTarget | null
  timeStamp: number
}

let trust = false

export class Event {
  readonly #state: State
  constructor(...given: unknown[]) {
    needs(given, 'type')
    const [type, options] = given
    const { bubbles, cancelable, composed } = optionsOf(options)
    this.#state = {
      type: text(type),
      bubbles: Boolean(bubbles),
      cancelable: Boolean(cancelable),
      composed: Boolean(composed),
      isTrusted: trust,
      isPrevented: false,
      isStopped: false,
      isStoppedAtOnce: false,
      isDispatched: false,
      isHeardPassively: false,
      target: null,
      timeStamp: started(),
    }
  }
  static state(event: Event): State {
    if (typeof event !== 'object' || event === null || !(#state in event)) throw wrongThis('Event')
    return event.#state
  }
  /** An event that the platform itself makes. */
  static trusted(type: string): Event {
    trust = true
    try {
      return new Event(type)
    } finally {
      trust = false
    }
  }
  preventDefault(): void {
    const state = stateOf(this)
    if (!state.isHeardPassively) state.isPrevented = true
  }
  stopPropagation(): void {
    stateOf(this).isStopped = true
  }
  stopImmediatePropagation(): void {
    stateOf(this).isStoppedAtOnce = true
  }
  composedPath(): EventTarget[] {
    const { isDispatched, target } = stateOf(this)
    return isDispatched ? [target!] : []
  }
  initEvent(type: unknown, bubbles: unknown = false, cancelable: unknown = false): void {
    const state = stateOf(this)
    if (state.isDispatched) return
    Object.assign(state, {
      type: text(type),
      bubbles: Boolean(bubbles),
      cancelable: Boolean(cancelable),
    })
  }
  get type(): string {
    return stateOf(this).type
  }
  get bubbles(): boolean {
    return stateOf(this).bubbles
  }
  get cancelable(): boolean {
    return stateOf(this).cancelable
  }
  get composed(): boolean {
    return stateOf(this).composed
  }
  get isTrusted(): boolean {
    return stateOf(this).isTrusted
  }
  get timeStamp(): number {
    return stateOf(this).timeStamp
  }
  get target(): EventTarget | null {
    return stateOf(this).target
  }
  get srcElement(): EventTarget | null {
    return stateOf(this).target
  }
  get currentTarget(): EventTarget | null {
    const { isDispatched, target } = stateOf(this)
    return isDispatched ? target : null
  }
  get eventPhase(): number {
    return stateOf(this).isDispatched ? 2 : 0
  }
  get defaultPrevented(): boolean {
    const { cancelable, isPrevented } = stateOf(this)
    return cancelable && isPrevented
  }
  get returnValue(): boolean {
    return !this.defaultPrevented
  }
  get cancelBubble(): boolean {
    return stateOf(this).isStopped
  }
  set cancelBubble(value: unknown) {
    if (value) stateOf(this).isStopped = true
  }
  get [Symbol.toStringTag](): string {
    return 'Event'
  }
  [inspectCustom](_depth: unknown, _options: unknown, inspect: (value: unknown) => string): string {
    const { type, defaultPrevented, cancelable, timeStamp } = this
    return `${this.constructor.name} ${inspect({ type, defaultPrevented, cancelable, timeStamp })}`
  }
}

const { state: stateOf, trusted } = Event

/** An event that the platform itself makes. */
export const platformEvent = (type: string): Event => trusted.call(Event, type)

class CustomEvent extends Event {
  readonly #detail: unknown
  constructor(...given: unknown[]) {
    super(...given)
    const [, options] = given
    this.#detail = optionsOf(options).detail ?? null
  }
  get detail(): unknown {
    return this.#detail
  }
  override get [Symbol.toStringTag](): string {
    return 'CustomEvent'
  }
}

// One list for each type, as in Node: a listener that is added during an event is called, unless the last is running.
interface Entry {
  listener: Listener
  capture: boolean
  once: boolean
  passive: boolean
  isRemoved: boolean
  next: Entry | undefined
}

const report = (error: unknown): void => tell('uncaught', { threw: describe(error), nothing: error === null })

const invoke = (target: EventTarget, listener: Listener, event: Event): void => {
  try {
    const result: any =
      typeof listener === 'function' ? listener.call(target, event) : listener.handleEvent(event)
    if (typeof result?.then === 'function') result.then(undefined, report)
  } catch (error) {
    report(error)
  }
}

export class EventTarget {
  readonly #first: Record<string, Entry | undefined> = Object.create(null)

  static lists(target: EventTarget): Record<string, Entry | undefined> {
    if (typeof target !== 'object' || target === null || !(#first in target)) throw wrongThis('EventTarget')
    return target.#first
  }

  addEventListener(type: unknown, listener: unknown, options: unknown = noOptions): void {
    const lists = listsOf(this)
    const { once, capture, passive, signal } = listening(options)
    if (!isListener(listener)) return
    if (signal !== undefined) {
      if (typeof (signal as any)?.aborted !== 'boolean')
        throw invalidType('options.signal', 'an instance of AbortSignal', signal)
      const given = signal as EventTarget & { aborted: boolean }
      if (given.aborted) return
      given.addEventListener('abort', () => this.removeEventListener(type, listener, options), {
        __proto__: null,
        once: true,
      } as object)
    }
    const name = text(type)
    let last: Entry | undefined
    for (let entry = lists[name]; entry !== undefined; entry = entry.next) {
      if (entry.listener === listener && entry.capture === capture) return
      last = entry
    }
    const entry: Entry = { listener, capture, once, passive, isRemoved: false, next: undefined }
    if (last === undefined) lists[name] = entry
    else last.next = entry
  }

  removeEventListener(type: unknown, listener: unknown, options: unknown = noOptions): void {
    const lists = listsOf(this)
    if (!isListener(listener)) return
    const { capture } = listening(options)
    const name = text(type)
    for (let entry = lists[name]; entry !== undefined; entry = entry.next)
      if (entry.listener === listener && entry.capture === capture) {
        remove(lists, name, entry)
        return
      }
  }

  dispatchEvent(event: Event): boolean {
    const lists = listsOf(this)
    if (!(event instanceof Event)) throw invalidType('event', 'an instance of Event', event)
    const state = stateOf(event)
    if (state.isDispatched)
      throw coded('Error', `The event "${state.type}" is already being dispatched`, 'ERR_EVENT_RECURSION')
    state.target = this
    state.isDispatched = true
    let entry = lists[state.type]
    while (entry !== undefined && (entry.passive || !state.isStoppedAtOnce)) {
      // A listener may remove itself or another one during the loop.
      const { next, listener } = entry
      if (!entry.isRemoved && !state.isStoppedAtOnce) {
        if (entry.once) remove(lists, state.type, entry)
        state.isHeardPassively = entry.passive
        invoke(this, listener, event)
        state.isHeardPassively = false
        state.isDispatched = false
      }
      entry = next
    }
    state.isDispatched = false
    return !event.defaultPrevented
  }

  get [Symbol.toStringTag](): string {
    return 'EventTarget'
  }
  [inspectCustom](): string {
    return `${this.constructor.name} {}`
  }
}

const { lists: listsOf } = EventTarget

const remove = (lists: Record<string, Entry | undefined>, name: string, gone: Entry): void => {
  gone.isRemoved = true
  if (lists[name] === gone) lists[name] = gone.next
  for (let entry = lists[name]; entry !== undefined; entry = entry.next)
    if (entry.next === gone) entry.next = gone.next
}

const isListener = (listener: unknown): listener is Listener => {
  if (typeof listener === 'function' || typeof (listener as any)?.handleEvent === 'function') return true
  if (listener === undefined || listener === null || typeof listener === 'object') return false
  throw invalidType('listener', 'an instance of EventListener', listener)
}

const listening = (
  options: unknown,
): { once: boolean; capture: boolean; passive: boolean; signal: unknown } => {
  if (typeof options === 'boolean')
    return { once: false, capture: options, passive: false, signal: undefined }
  const { once, capture, passive, signal } = optionsOf(options) as Options
  return { once: Boolean(once), capture: Boolean(capture), passive: Boolean(passive), signal }
}

/** A property such as `onabort`: its handler keeps its place among the listeners when it is replaced. */
export const handlerProperty = (type: string, target: object): void => {
  const held = new WeakMap<object, { handler: unknown }>()
  const { get, set } = WeakMap.prototype
  Object.defineProperty(target, `on${type}`, {
    configurable: true,
    enumerable: true,
    get(this: EventTarget) {
      return (get.call(held, this) as { handler: unknown } | undefined)?.handler ?? null
    },
    set(this: EventTarget, handler: unknown) {
      const before = get.call(held, this) as { handler: unknown } | undefined
      if (before !== undefined) {
        before.handler = handler
        return
      }
      const made = { handler }
      set.call(held, this, made)
      this.addEventListener(type, function (this: EventTarget, event: Event): unknown {
        return typeof made.handler === 'function' ? made.handler.call(this, event) : undefined
      })
    },
  })
}

/** Installs Event, CustomEvent and EventTarget. */
export const installEvents = (): void => {
  for (const name of ['state', 'trusted']) delete (Event as any)[name]
  delete (EventTarget as any).lists
  for (const Kind of [Event, CustomEvent, EventTarget]) {
    const { prototype } = Kind
    for (const name of Object.getOwnPropertyNames(prototype)) {
      if (name === 'constructor') continue
      const property = Object.getOwnPropertyDescriptor(prototype, name)!
      Object.defineProperty(prototype, name, { ...property, enumerable: true })
    }
  }
  ;['NONE', 'CAPTURING_PHASE', 'AT_TARGET', 'BUBBLING_PHASE'].forEach((name, value) => {
    Object.defineProperty(Event, name, { value, enumerable: true })
  })
  requireArguments(Event.prototype, { initEvent: ['type'] })
  const both = ['type', 'listener']
  const methods = { addEventListener: both, removeEventListener: both, dispatchEvent: ['event'] }
  requireArguments(EventTarget.prototype, methods)
  for (const Kind of [Event, CustomEvent])
    Object.defineProperty(Kind, 'length', { value: 1, configurable: true })
  define('Event', Event)
  define('CustomEvent', CustomEvent)
  define('EventTarget', EventTarget)
}
