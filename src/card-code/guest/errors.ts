// Errors as V8 shows them. The engine words its errors differently and leaves out the first line of `stack`. They are
// translated where card code can first see them: in a catch clause (the source is rewritten to call `mend`), in a
// rejection handler of a promise, and at the end of the hook. Errors that card code creates get V8's stack at once.
import { ask, define as hidden, override, ownValue, tell } from './bridge.js'

const NativeError = Error
const NativeSyntaxError = SyntaxError
const { defineProperty, setPrototypeOf, getPrototypeOf } = Object
const NativeObject = Object
const { apply, construct } = Reflect
const { startsWith } = String.prototype
const { exec } = RegExp.prototype
const isError = (value: unknown): value is Error =>
  typeof value === 'object' && value !== null && value instanceof NativeError
const nativeThen = Promise.prototype.then
const nativeToString = Object.prototype.toString

const ownText = (target: object, name: string): string | undefined => {
  const value = ownValue(target, name)
  return typeof value === 'string' ? value : undefined
}

/** True for a stack that the engine built and that is not translated yet: it begins with a frame or is empty. */
const raw = (stack: string): boolean => stack === '' || apply(startsWith, stack, ['    at '])

const header = (error: object): string => {
  const { name, message } = error as { name?: unknown; message?: unknown }
  const first = name === undefined ? 'Error' : String(name)
  const second = message === undefined ? '' : String(message)
  return first === '' ? second : second === '' ? first : first + ': ' + second
}

/** An error of the engine's parser about main.js: its place is the only frame. Undefined for errors of running code. */
export const syntaxErrorOf = (thrown: unknown): { message: string; line: number } | undefined => {
  if (!isError(thrown) || getPrototypeOf(thrown) !== NativeSyntaxError.prototype) return undefined
  const place = apply(exec, /^ {4}at main\.js:(\d+):\d+\n?$/, [ownText(thrown, 'stack') ?? ''])
  return place === null ? undefined : { message: ownText(thrown, 'message') ?? '', line: +place[1]! }
}

/** Rewords an error of the engine as V8 would, and completes its stack. Other values pass through. */
export const mend = (thrown: unknown): unknown => {
  try {
    if (!isError(thrown) || apply(nativeToString, thrown, []) !== '[object Error]') return thrown
    const stack = ownText(thrown, 'stack')
    const rejected = getPrototypeOf(thrown) === AggregateError.prototype && stack === undefined
    if (rejected && ownText(thrown, 'message') === undefined)
      hidden('message', 'All promises were rejected', thrown)
    if (stack === undefined || !raw(stack)) return thrown
    const message = ownText(thrown, 'message') ?? ''
    const kind = (getPrototypeOf(thrown) as Error).name
    const mended = ask('mend', { kind, message, stack })
    if (mended.kind !== kind) setPrototypeOf(thrown, RangeError.prototype)
    if (mended.message !== message) hidden('message', mended.message, thrown)
    delete (thrown as any).fileName
    delete (thrown as any).lineNumber
    delete (thrown as any).columnNumber
    hidden('stack', header(thrown) + mended.frames, thrown)
  } catch {
    // An error object that card code has armed (a throwing getter, a proxy) is its own business.
  }
  return thrown
}

// As in Node, the text is made when it is first read, so that it contains a name that the constructor sets after
// `super`.
const trace = (target: object, skip: number): void => {
  const { stack } = new NativeError()
  const maxLength = limit()
  let text: string | undefined
  const { get, set } = {
    get: () => (text ??= header(target) + ask('frames', { stack: stack ?? '', limit: maxLength, skip })),
    set(this: object, value: unknown) {
      hidden('stack', value, this)
    },
  }
  defineProperty(target, 'stack', {
    __proto__: null,
    get,
    set,
    configurable: true,
    enumerable: false,
  } as PropertyDescriptor)
}

let BaseError: object = NativeError

const limit = (): number => {
  const given = ownValue(BaseError, 'stackTraceLimit')
  return typeof given === 'number' && given >= 0 ? Math.min(given, 100) : 10
}

const wrap = (Native: any, parent?: any): any => {
  const name: string = Native.name
  const make = function (this: unknown, ...args: unknown[]): unknown {
    const error = construct(Native, args, new.target ?? make)
    // The constructors of derived classes are not frames of the trace.
    let derived = 0
    for (let at: unknown = new.target; typeof at === 'function' && at !== make; at = getPrototypeOf(at))
      derived += 1
    trace(error, derived)
    return error
  }
  defineProperty(make, 'name', { value: name, configurable: true })
  defineProperty(make, 'length', { value: Native.length, configurable: true })
  defineProperty(make, 'prototype', { value: Native.prototype, writable: false })
  hidden('constructor', make, Native.prototype)
  if (parent !== undefined) setPrototypeOf(make, parent)
  return make
}

/** Installs the error constructors, captureStackTrace and `then` with V8's wording. */
export const installErrors = (): void => {
  const Base = wrap(NativeError)
  BaseError = Base
  hidden('Error', Base)
  hidden('captureStackTrace', (target: object): void => trace(target, 0), Base)
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
    hidden(Native.name, wrap(Native, Base))
  }
  override(Function.prototype, {
    toString(this: unknown) {
      return sourceOf(this)
    },
  })
  for (const name of ['fileName', 'lineNumber', 'columnNumber']) delete (Function.prototype as any)[name]
  // V8 has no InternalError: what the engine throws with it becomes a RangeError when it is mended.
  delete (globalThis as any).InternalError
  override(Promise.prototype, {
    then(this: Promise<unknown>, fulfilled: unknown, rejected: unknown) {
      const handler = typeof rejected === 'function' ? (reason: unknown) => rejected(mend(reason)) : rejected
      return apply(nativeThen, this, [fulfilled, handler])
    },
  })
  nativeSyntax()
  keepReferences()
}

const nativeSource = Function.prototype.toString
const fileOf = Object.getOwnPropertyDescriptor(Function.prototype, 'fileName')!.get!
const nativeCode = /^function ([^(]*)\(\) {\n {4}\[native code\]\n}$/

/** The source of a function as it was written; that of the prelude's own counts as native code. */
const sourceOf = (fn: unknown): string => {
  if (typeof fn !== 'function')
    throw new TypeError("Function.prototype.toString requires that 'this' be a Function")
  const source: string = apply(nativeSource, fn, [])
  const native = apply(exec, nativeCode, [source]) as string[] | null
  const name = native === null ? ownText(fn, 'name') : native[1]
  if (native !== null || apply(fileOf, fn, []) === 'prelude.js')
    return 'function ' + name + '() { [native code] }'
  return (ask('original', source) as string | null) ?? source
}

const { parse, stringify } = JSON

/** JSON.parse with the wording of the host's Node, which parses the same text to get its error. */
export const parseJson = (text: any, reviver?: any): any => {
  const source = typeof text === 'string' ? text : `${text}`
  try {
    return parse(source, reviver)
  } catch (error) {
    if (!(error instanceof NativeError) || error.name !== 'SyntaxError') throw error
    const message = ask('json-error', source)
    throw message === null ? error : new SyntaxError(message)
  }
}

/** The same for a pattern of RegExp. */
const nativeSyntax = (): void => {
  override(globalThis.JSON, { parse: (text: any, reviver?: any) => parseJson(text, reviver) })
  const Native = RegExp
  const Wrapped: any = function (this: unknown, pattern?: any, flags?: any): unknown {
    if (new.target === undefined && pattern instanceof Native && flags === undefined) return pattern
    try {
      return construct(Native, [pattern, flags], new.target ?? Wrapped)
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
  hidden('constructor', Wrapped, Native.prototype)
  hidden('RegExp', Wrapped)
}

/** In Node, nothing is garbage-collected while a hook runs; the engine would collect at once. */
const keepReferences = (): void => {
  const Native = WeakRef
  const held: unknown[] = []
  const Wrapped: any = function (target: object): object {
    if (new.target === undefined) throw new TypeError("Constructor WeakRef requires 'new'")
    const made = construct(Native, [target], new.target)
    held[held.length] = target
    return made
  }
  defineProperty(Wrapped, 'name', { value: 'WeakRef', configurable: true })
  defineProperty(Wrapped, 'length', { value: 1, configurable: true })
  defineProperty(Wrapped, 'prototype', { value: Native.prototype, writable: false })
  hidden('constructor', Wrapped, Native.prototype)
  hidden('WeakRef', Wrapped)
}

/** A rewritten `const {a} = value` passes its value through this: V8 names the property and the value. */
export const held = (value: unknown, property: string, from: string): unknown => {
  if (value !== undefined && value !== null) return value
  throw new TypeError(`Cannot destructure property '${property}' of '${from}' as it is ${String(value)}.`)
}

/** A rewritten `{a: {b}}` uses this for a member that is undefined. */
export const missing = (key: string): never => {
  throw new TypeError(`Cannot read properties of undefined (reading '${key}')`)
}

const { iterator } = Symbol
const { isArray } = Array

/** The same for a rewritten `const [a] = value`. */
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

/** A rewritten `{ ...value }` passes its value through this: the engine spreads no text. */
export const spread = (value: unknown): unknown => (typeof value === 'string' ? NativeObject(value) : value)

const NativePromise = Promise

/**
 * A rewritten statement that is only a call passes its value here. Nobody else looks at a promise that it returns, so
 * its rejection is reported, as an error in a timer is.
 */
export const floating = (value: unknown): unknown => {
  try {
    if (value instanceof NativePromise)
      void apply(nativeThen, value, [
        undefined,
        (reason: unknown) =>
          tell('uncaught', { threw: describe(reason), nothing: reason === null, promise: true }),
      ])
  } catch {
    // A promise that card code has armed is its own business.
  }
  return value
}

/** Any thrown value as plain strings, for the end of a run; a hostile value cannot make it fail. */
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
    return { name, message, stack: text(() => mended.stack, name + ': ' + message) }
  }
  if (typeof mended === 'object' && mended !== null) {
    const message = text(
      () => mended.message,
      text(() => stringify(mended), '[object Object]'),
    )
    return {
      name: text(() => mended.name, 'Error'),
      message,
      stack: text(() => mended.stack, 'Uncaught ' + message),
    }
  }
  const message = text(() => mended, 'undefined')
  return { name: 'Error', message, stack: 'Uncaught ' + message }
}
