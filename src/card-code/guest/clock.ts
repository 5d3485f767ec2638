// Time and chance. Both come from the run: Date asks the host's clock (which stands still when the sandbox's does),
// Math.random and crypto are a generator seeded anew for every run, because a restored snapshot would repeat itself.
import { ask, askNumber, define, override, tell } from './bridge.js'

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
export const fill = (bytes: Uint8Array): void => {
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
  // What the engine's own parser refuses is offered to the host's, which knows the older forms.
  const parse = (text: string): number => {
    const own = NativeDate.parse(text)
    return Number.isNaN(own) ? (ask('date-parse', String(text)) ?? Number.NaN) : own
  }
  define('name', 'Date', Clock)
  Object.defineProperty(Clock, 'name', { value: 'Date', writable: false })
  Object.defineProperty(Clock, 'length', { value: 7 })
  Object.defineProperty(Clock, 'prototype', { value: NativeDate.prototype, writable: false })
  define('constructor', Clock, NativeDate.prototype)
  override(Clock, { now, parse: (text: unknown) => parse(String(text)), UTC: NativeDate.UTC })
  define('Date', Clock)
  // The box runs in UTC, as the real service does; V8 names the zone in brackets.
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
  run: (...args: unknown[]) => unknown
  args: unknown[]
  every: number | undefined
  handle?: Timeout
}

const { apply, construct } = Reflect
// No Map: card code may replace its methods.
const timers: Record<number, Timer> = Object.create(null)
let lastTimer = 0
// What a card's hook needs is a handful: a flood would be the host's memory, not the box's.
const maxTimers = 50_000

const begin = (timer: Timer, ms: number): Timeout => {
  if (lastTimer >= maxTimers) throw new RangeError(`more than ${maxTimers} timers in one execution`)
  const id = (lastTimer += 1)
  timers[id] = timer
  tell('timer', { id, ms })
  return (timer.handle = new Timeout(id))
}

class Timeout {
  readonly #id: number
  constructor(id: number) {
    this.#id = id
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
  hasRef(): boolean {
    return true
  }
  [Symbol.toPrimitive](): number {
    return this.#id
  }
  static id(timer: Timeout): number {
    return timer.#id
  }
}

const checkCallback = (run: unknown): void => {
  if (typeof run === 'function') return
  const error: any = new TypeError(
    `The "callback" argument must be of type function. Received ${received(run)}`,
  )
  error.code = 'ERR_INVALID_ARG_TYPE'
  throw error
}

/** What was given, in Node's words. */
const received = (value: unknown): string => {
  if (value === undefined || value === null) return String(value)
  if (typeof value !== 'object') return `type ${typeof value} (${shown(value)})`
  const name: unknown = value.constructor?.name
  return typeof name === 'string' && name !== '' ? `an instance of ${name}` : '[Object: null prototype] {}'
}

const shown = (value: unknown): string => {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'string') return String(value)
  return `'${value.length > 25 ? `${value.slice(0, 25)}...` : value}'`
}

const start = (run: unknown, delay: unknown, args: unknown[], repeat: boolean): Timeout => {
  checkCallback(run)
  const given = Number(delay)
  const ms = given >= 1 && given <= 2147483647 ? Math.trunc(given) : 1
  return begin({ run: run as Timer['run'], args, every: repeat ? ms : undefined }, ms)
}

const stop = (timer: unknown): void => {
  if (timer === undefined || timer === null || typeof timer === 'symbol') return
  const id = timer instanceof Timeout ? Timeout.id(timer) : Number(timer)
  if (timers[id] === undefined) return
  delete timers[id]
  tell('clear-timer', { id })
}

/** Runs the timer that the host says is due. */
export const fire = (id: number): void => {
  const timer = timers[id]
  if (timer === undefined) return
  if (timer.every === undefined) delete timers[id]
  else tell('timer', { id, ms: timer.every })
  apply(timer.run, timer.handle, timer.args)
}

/** Puts Date, Math.random, crypto, performance and the timers into the world. */
export const installClock = (): void => {
  installDate()
  override(globalThis.Math, { random })
  define('crypto', {
    randomUUID: uuid,
    getRandomValues<T extends ArrayBufferView>(array: T): T {
      fill(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
      return array
    },
  })
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
    return begin({ run: run as Timer['run'], args, every: undefined }, 0)
  })
  for (const name of ['clearTimeout', 'clearInterval', 'clearImmediate']) define(name, stop)
  const resolved = Promise.resolve()
  const { then } = Promise.prototype
  define('queueMicrotask', (run: () => unknown) => {
    checkCallback(run)
    void apply(then, resolved, [() => void run()])
  })
}
