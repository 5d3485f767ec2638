// Errors as V8 shows them. The engine words its own errors differently and leaves the first line out of `stack`:
// they are mended where card code can first see them, which is a catch clause (the source is rewritten to call `mend`),
// a promise's rejection handler, and the end of the hook. Errors that card code makes itself are mended at birth.
import { ask, define, override, tell } from './bridge.js'

const NativeError = Error
const { defineProperty, getOwnPropertyDescriptor, setPrototypeOf, getPrototypeOf } = Object
const isError = (value: unknown): value is Error =>
  typeof value === 'object' && value !== null && value instanceof NativeError
const nativeThen = Promise.prototype.then
const nativeToString = Object.prototype.toString

const hidden = (target: object, name: string, value: unknown): void => {
  defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false })
}

const own = (target: object, name: string): string | undefined => {
  const property = getOwnPropertyDescriptor(target, name)
  return typeof property?.value === 'string' ? property.value : undefined
}

/** True for a stack that the engine built and nobody has mended yet: it begins with a frame or is empty. */
const raw = (stack: string): boolean => stack === '' || stack.startsWith('    at ')

const header = (error: object): string => {
  const { name, message } = error as { name?: unknown; message?: unknown }
  const first = name === undefined ? 'Error' : String(name)
  const second = message === undefined ? '' : String(message)
  return first === '' ? second : second === '' ? first : `${first}: ${second}`
}

/** Rewords an error of the engine as V8 would, and completes its stack. Anything else passes through. */
export const mend = (thrown: unknown): unknown => {
  try {
    if (!isError(thrown) || nativeToString.call(thrown) !== '[object Error]') return thrown
    const stack = own(thrown, 'stack')
    const rejected = getPrototypeOf(thrown) === AggregateError.prototype && stack === undefined
    if (rejected && own(thrown, 'message') === undefined)
      hidden(thrown, 'message', 'All promises were rejected')
    if (stack === undefined || !raw(stack)) return thrown
    const message = own(thrown, 'message') ?? ''
    const kind = (getPrototypeOf(thrown) as Error).name
    const mended = ask('mend', { kind, message, stack })
    if (mended.kind !== kind) setPrototypeOf(thrown, RangeError.prototype)
    if (mended.message !== message) hidden(thrown, 'message', mended.message)
    for (const name of ['fileName', 'lineNumber', 'columnNumber']) delete (thrown as any)[name]
    hidden(thrown, 'stack', header(thrown) + mended.frames)
  } catch {
    // An error object that card code has armed (a throwing getter, a proxy) is its own business.
  }
  return thrown
}

// As in Node, the text is made when it is first read: a name that the constructor sets after `super` is in it.
const trace = (target: object, skip: number): void => {
  const { stack } = new NativeError()
  const maxLength = limit()
  let text: string | undefined
  const { get, set } = {
    get: () => (text ??= header(target) + ask('frames', { stack: stack ?? '', limit: maxLength, skip })),
    set(this: object, value: unknown) {
      hidden(this, 'stack', value)
    },
  }
  defineProperty(target, 'stack', { get, set, configurable: true, enumerable: false })
}

const limit = (): number => {
  const given: unknown = (globalThis as any).Error?.stackTraceLimit
  return typeof given === 'number' && given >= 0 ? Math.min(given, 100) : 10
}

const wrap = (Native: any, parent?: any): any => {
  const name: string = Native.name
  const make = function (this: unknown, ...args: unknown[]): unknown {
    const error = Reflect.construct(Native, args, new.target ?? make)
    // The constructors of derived classes are no frames of the trace.
    let derived = 0
    for (let at: unknown = new.target; typeof at === 'function' && at !== make; at = getPrototypeOf(at))
      derived += 1
    trace(error, derived)
    return error
  }
  defineProperty(make, 'name', { value: name, configurable: true })
  defineProperty(make, 'length', { value: Native.length, configurable: true })
  defineProperty(make, 'prototype', { value: Native.prototype, writable: false })
  hidden(Native.prototype, 'constructor', make)
  if (parent !== undefined) setPrototypeOf(make, parent)
  return make
}

/** Puts the error constructors, captureStackTrace and the mended promise methods into the world. */
export const installErrors = (): void => {
  const Base = wrap(NativeError)
  define('Error', Base)
  define('captureStackTrace', (target: object): void => trace(target, 0), Base)
  defineProperty(Base, 'stackTraceLimit', { value: 10, writable: true, enumerable: true, configurable: true })
  for (const Native of [
    EvalError,
    RangeError,
    ReferenceError,
    SyntaxError,
    TypeError,
    URIError,
    AggregateError,
  ]) {
    define(Native.name, wrap(Native, Base))
  }
  // V8 has no InternalError: what the engine throws with it becomes a RangeError when it is mended.
  delete (globalThis as any).InternalError
  override(Promise.prototype, {
    then(this: Promise<unknown>, fulfilled: unknown, rejected: unknown) {
      const handler = typeof rejected === 'function' ? (reason: unknown) => rejected(mend(reason)) : rejected
      return nativeThen.call(this, fulfilled as () => unknown, handler as () => unknown)
    },
  })
  nativeSyntax()
}

/** JSON.parse and RegExp with the wording of the Node that runs the sandbox: it is asked to refuse the same text. */
const nativeSyntax = (): void => {
  const { parse } = JSON
  override(JSON, {
    parse(text: any, reviver: any) {
      const source = typeof text === 'string' ? text : `${text}`
      try {
        return parse(source, reviver)
      } catch (error) {
        if (!(error instanceof NativeError) || error.name !== 'SyntaxError') throw error
        const message = ask('json-error', source)
        throw message === null ? error : new SyntaxError(message)
      }
    },
  })
  const Native = RegExp
  const Wrapped: any = function (this: unknown, pattern?: any, flags?: any): unknown {
    if (new.target === undefined && pattern instanceof Native && flags === undefined) return pattern
    try {
      return Reflect.construct(Native, [pattern, flags], new.target ?? Wrapped)
    } catch (error) {
      if (!(error instanceof NativeError) || error.name !== 'SyntaxError') throw error
      const message = ask('pattern-error', { pattern: String(pattern ?? ''), flags: String(flags ?? '') })
      throw message === null ? error : new SyntaxError(message)
    }
  }
  defineProperty(Wrapped, 'name', { value: 'RegExp', configurable: true })
  defineProperty(Wrapped, 'length', { value: 2, configurable: true })
  defineProperty(Wrapped, 'prototype', { value: Native.prototype, writable: false })
  setPrototypeOf(Wrapped, Native)
  hidden(Native.prototype, 'constructor', Wrapped)
  define('RegExp', Wrapped)
}

/** What a rewritten `const {a} = value` passes its value through: V8 names the property and the value. */
export const held = (value: unknown, property: string, from: string): unknown => {
  if (value !== undefined && value !== null) return value
  throw new TypeError(`Cannot destructure property '${property}' of '${from}' as it is ${String(value)}.`)
}

/** What a rewritten `{a: {b}}` takes for a member that is undefined. */
export const missing = (key: string): never => {
  throw new TypeError(`Cannot read properties of undefined (reading '${key}')`)
}

const { iterator } = Symbol
const { isArray } = Array

/** The same of a rewritten `const [a] = value`. */
export const listed = (value: any, from: string | null): unknown => {
  if (isArray(value)) return value
  if (value !== undefined && value !== null && typeof value[iterator] === 'function') return value
  throw new TypeError(
    from === null
      ? `${kindOf(value)} is not iterable (cannot read property Symbol(Symbol.iterator))`
      : `${from} is not iterable`,
  )
}

const kindOf = (value: unknown): string => {
  if (value === undefined || typeof value === 'function') return typeof value
  if (value === null) return 'object null'
  return typeof value === 'object' ? 'object' : `${typeof value} ${String(value)}`
}

const NativePromise = Promise

/**
 * What is left of a statement that is a call and nothing else: nobody will look at a promise that comes of it, so its
 * rejection is told, as an error in a timer is.
 */
export const floating = (value: unknown): unknown => {
  try {
    if (value instanceof NativePromise)
      void nativeThen.call(value, undefined, (reason) =>
        tell('uncaught', { threw: describe(reason), nothing: reason === null, promise: true }),
      )
  } catch {
    // A promise that card code has armed is its own business.
  }
  return value
}

/** What the end of a run reports of whatever was thrown: plain strings, whatever the thing does to resist. */
export const describe = (thrown: unknown): { name: string; message: string; stack: string } => {
  const text = (read: () => unknown, otherwise: string): string => {
    try {
      const value = read()
      return value === undefined ? otherwise : String(value)
    } catch {
      return otherwise
    }
  }
  const mended: any = mend(thrown)
  if (isError(mended)) {
    const name = text(() => mended.name, 'Error')
    const message = text(() => mended.message, '')
    return { name, message, stack: text(() => mended.stack, `${name}: ${message}`) }
  }
  if (typeof mended === 'object' && mended !== null) {
    const message = text(
      () => mended.message,
      text(() => JSON.stringify(mended), '[object Object]'),
    )
    return {
      name: text(() => mended.name, 'Error'),
      message,
      stack: text(() => mended.stack, `Uncaught ${message}`),
    }
  }
  const message = text(() => mended, 'undefined')
  return { name: 'Error', message, stack: `Uncaught ${message}` }
}
