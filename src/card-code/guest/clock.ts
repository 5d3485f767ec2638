// Time and chance. Both come from the run: Date asks the host's clock (which is frozen when the sandbox's is);
// Math.random and crypto use a generator that is seeded for every run, because a restored snapshot would repeat
// itself.
import { ask, askNumber, define, override, tell } from './bridge.js'
import { exception } from './dom-exception.js'
import { invalidType } from './node-errors.js'

const { apply, construct } = Reflect
const { test } = RegExp.prototype
const NativeDate = Date
const now = (): number => Math.floor(askNumber('now'))

let state = [1, 2, 3, 4] as [number, number, number, number]

/** Seeds the generator (xoshiro128**, filled by splitmix32). */
export const seed = (value: number): void => {
  let z = value >>> 0
  const next = (): number => {
    z = (z + 0x9e3779b9) >>> 0
    let t = z ^ (z >>> 16)
    t = Math.imul(t, 0x21f0aaad)
    t ^= t >>> 15
    t = Math.imul(t, 0x735a2d97)
    return (t ^ (t >>> 15)) >>> 0
  }
  state = [next(), next(), next(), next()]
}

const random32 = (): number => {
  const a = state[0]
  const b = state[1]
  const c = state[2]
  const d = state[3]
  const turned = Math.imul(b, 5)
  const result = Math.imul((turned << 7) | (turned >>> 25), 9) >>> 0
  const e = c ^ a
  const f = d ^ b
  state = [a ^ f, b ^ e, e ^ (b << 9), (f << 11) | (f >>> 21)]
  return result
}

const random = (): number => ((random32() >>> 5) * 67108864 + (random32() >>> 6)) / 9007199254740992

/** Fills bytes from the run's generator. */
const fill = (bytes: Uint8Array): void => {
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = random32() & 255
}

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

const uuid = (): string => {
  const bytes = new Uint8Array(16)
  fill(bytes)
  bytes[6] = (bytes[6]! & 15) | 64
  bytes[8] = (bytes[8]! & 63) | 128
  const text = hex(bytes)
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join(
    '-',
  )
}

const installDate = (): void => {
  const Clock: any = function (this: unknown, ...args: any[]): unknown {
    if (new.target === undefined) return new NativeDate(now()).toString()
    const given = args.length === 0 ? [now()] : args.length === 1 ? [instant(args[0])] : args
    return construct(NativeDate, given, new.target)
  }
  const instant = (value: unknown): unknown => (typeof value === 'string' ? parse(value) : value)
  // The engine reads forms of ISO 8601 like V8, but older forms differently: the host reads those.
  const iso = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)?)?$/
  const parse = (text: string): number =>
    apply(test, iso, [text]) ? NativeDate.parse(text) : (ask('date-parse', text) ?? Number.NaN)
  define('name', 'Date', Clock)
  Object.defineProperty(Clock, 'name', { value: 'Date', writable: false })
  Object.defineProperty(Clock, 'length', { value: 7 })
  Object.defineProperty(Clock, 'prototype', { value: NativeDate.prototype, writable: false })
  define('constructor', Clock, NativeDate.prototype)
  override(Clock, { now, parse: (text: unknown) => parse(String(text)), UTC: NativeDate.UTC })
  define('Date', Clock)
  // The guest runs in UTC, as the real service does; V8 names the zone in brackets.
  const { toString: plain, toTimeString: plainTime, toISOString } = NativeDate.prototype
  const zone = (text: string): string =>
    text === 'Invalid Date' ? text : `${text} (Coordinated Universal Time)`
  override(NativeDate.prototype, {
    toString(this: Date) {
      return zone(plain.call(this))
    },
    toTimeString(this: Date) {
      return zone(plainTime.call(this))
    },
    toISOString(this: Date) {
      if (Number.isNaN(this.getTime())) throw new RangeError('Invalid time value')
      return toISOString.call(this)
    },
  })
}

interface Timer {
  id: number
  run: (...args: unknown[]) => unknown
  args: unknown[]
  ms: number
  repeats: boolean
  isCleared: boolean
  handle?: object
}

// No Map: card code may replace its methods.
const timers: Record<number, Timer> = Object.create(null)
let lastTimer = 0
// A hook needs only a few timers: a flood would use memory of the host, not of the guest.
const maxTimers = 50_000

const begin = (timer: Timer): void => {
  if (lastTimer >= maxTimers) throw new RangeError(`more than ${maxTimers} timers in one execution`)
  timer.id = lastTimer += 1
  timers[timer.id] = timer
  tell('timer', { id: timer.id, ms: timer.ms })
}

const end = (timer: Timer): void => {
  if (timers[timer.id] === undefined) return
  delete timers[timer.id]
  tell('clear-timer', { id: timer.id })
}

class Immediate {
  readonly #timer: Timer
  #isReferenced = true
  constructor(timer: Timer) {
    this.#timer = timer
    timer.handle = this
  }
  static of(handle: Immediate): Timer {
    return handle.#timer
  }
  // Card code runs to the end of its window: `ref` and `unref` change what this returns, and nothing else.
  ref(): this {
    this.#isReferenced = true
    return this
  }
  unref(): this {
    this.#isReferenced = false
    return this
  }
  hasRef(): boolean {
    return this.#isReferenced
  }
}

const { of: timerOf } = Immediate

class Timeout extends Immediate {
  close(): this {
    stop(this)
    return this
  }
  refresh(): this {
    const timer = timerOf(this)
    if (timer.isCleared) return this
    end(timer)
    begin(timer)
    return this
  }
  [Symbol.toPrimitive](): number {
    return timerOf(this).id
  }
}

const checkCallback = (run: unknown): void => {
  if (typeof run !== 'function') throw invalidType('callback', 'of type function', run)
}

const start = (run: unknown, delay: unknown, args: unknown[], repeats: boolean): Timeout => {
  checkCallback(run)
  const given = Number(delay)
  const ms = given >= 1 && given <= 2147483647 ? Math.trunc(given) : 1
  const timer: Timer = { id: 0, run: run as Timer['run'], args, ms, repeats, isCleared: false }
  begin(timer)
  return new Timeout(timer)
}

/** The platform's own timer, even when card code has replaced `setTimeout`. */
export const startTimer = (run: () => void, ms: number): void => {
  start(run, ms, [], false)
}

const stop = (handle: unknown): void => {
  if (handle === undefined || handle === null || typeof handle === 'symbol') return
  const timer = handle instanceof Immediate ? timerOf(handle) : timers[Number(handle)]
  if (timer === undefined) return
  timer.isCleared = true
  end(timer)
  if (handle instanceof Immediate && !(handle instanceof Timeout)) handle.unref()
}

/** Runs the timer that the host reports as due. */
export const fire = (id: number): void => {
  const timer = timers[id]
  if (timer === undefined) return
  if (!timer.repeats) delete timers[id]
  else tell('timer', { id, ms: timer.ms })
  apply(timer.run, timer.handle, timer.args)
}

/** Installs Date, Math.random, crypto, performance and the timers. */
export const installClock = (): void => {
  installDate()
  override(globalThis.Math, { random })
  define('crypto', {
    randomUUID: uuid,
    getRandomValues<T extends ArrayBufferView>(array: T): T {
      const isOfIntegers =
        ArrayBuffer.isView(array) &&
        !(array instanceof DataView || array instanceof Float32Array || array instanceof Float64Array)
      if (!isOfIntegers)
        throw exception('The data argument must be an integer-type TypedArray', 'TypeMismatchError')
      if (array.byteLength > 65_536)
        throw exception('The requested length exceeds 65,536 bytes', 'QuotaExceededError')
      fill(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
      return array
    },
  })
  delete (Immediate as any).of
  let origin: number | undefined
  define('performance', {
    now: () => askNumber('now') - (origin ??= askNumber('started')),
    get timeOrigin() {
      return askNumber('started')
    },
  })
  define('setTimeout', (run: unknown, delay?: unknown, ...args: unknown[]) => start(run, delay, args, false))
  define('setInterval', (run: unknown, delay?: unknown, ...args: unknown[]) => start(run, delay, args, true))
  define('setImmediate', (run: unknown, ...args: unknown[]) => {
    checkCallback(run)
    const timer: Timer = { id: 0, run: run as Timer['run'], args, ms: 0, repeats: false, isCleared: false }
    begin(timer)
    return new Immediate(timer)
  })
  for (const name of ['clearTimeout', 'clearInterval', 'clearImmediate']) define(name, stop)
  const resolved = Promise.resolve()
  const { then } = Promise.prototype
  define('queueMicrotask', (run: () => unknown) => {
    checkCallback(run)
    void apply(then, resolved, [() => void run()])
  })
}
