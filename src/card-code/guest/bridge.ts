// The only way out of the guest. The worker hands over `host`, a plain function that stays in this closure and never
// becomes a global. Everything that crosses is JSON text or the bytes of an ArrayBuffer. Card code may change every
// prototype, so the bridge reads and writes only own properties, with functions captured before card code ran.

/**
 * What the worker hands to the prelude: an operation's name, its JSON, and bytes or a promise for operations that
 * take one.
 */
export type Host = (operation: string, json: string, bytes?: ArrayBuffer | Promise<unknown>) => unknown

const { parse, stringify } = JSON
const { defineProperty, hasOwn, keys } = Object
const { isArray } = Array

/** An error of the host. `headed`: its stack begins with the code, like those of Node's own errors. */
export interface HostError {
  name: string
  message: string
  code: string | null
  headed: boolean
  input: string | undefined
  base: string | null | undefined
}

let makeError = ({ message }: HostError): Error => new Error(message)

/** Sets the function that turns errors of the host into errors of the guest. */
export const makeErrorsWith = (make: (error: HostError) => Error): void => {
  makeError = make
}

let host: Host = () => undefined

/** Connects the prelude to its host: called once, before any card code runs. */
export const connect = (given: Host): void => {
  host = given
}

/**
 * Plain data as JSON. Unlike JSON.stringify it never calls `toJSON` and reads no inherited property. It uses no
 * template literals: the engine calls String.prototype.concat for them.
 */
const encode = (data: any): string => {
  if (data === undefined || typeof data === 'bigint') return 'null'
  if (typeof data !== 'object' || data === null) return stringify(data) ?? 'null'
  let text = ''
  if (isArray(data)) {
    for (let i = 0; i < data.length; i += 1) text += (i === 0 ? '' : ',') + encode(data[i])
    return '[' + text + ']'
  }
  const names = keys(data)
  for (let i = 0; i < names.length; i += 1) {
    const name = names[i]!
    const value = data[name]
    if (value !== undefined) text += (text === '' ? '' : ',') + stringify(name) + ':' + encode(value)
  }
  return '{' + text + '}'
}

/** Tells the host something that needs no answer. */
export const tell = (operation: string, data: unknown, bytes?: ArrayBuffer): void => {
  host(operation, encode(data), bytes)
}

/** Asks the host; a refusal is thrown here as an error of the guest. */
export const ask = (operation: string, data: unknown, bytes?: ArrayBuffer): any => {
  const answer = parse(host(operation, encode(data), bytes) as string)
  if (hasOwn(answer, 'value')) return answer.value
  if (!hasOwn(answer, 'error')) return undefined
  throw makeError(answer.error)
}

/** Asks for bytes. */
export const askBytes = (operation: string, data: unknown): ArrayBuffer =>
  host(operation, encode(data)) as ArrayBuffer

/** Asks for a number. */
export const askNumber = (operation: string): number => host(operation, 'null') as number

/** Whether a promise is `pending`, `fulfilled` or `rejected`. */
export const promiseState = (promise: Promise<unknown>): string =>
  host('promise-state', 'null', promise) as string

/** The value or reason of a settled promise. */
export const promiseValue = (promise: Promise<unknown>): unknown => host('promise-value', 'null', promise)

/** Defines a property as the platform does: writable, configurable, and not enumerable by default. */
export const define = (
  name: PropertyKey,
  value: unknown,
  target: object = globalThis,
  enumerable = false,
): void => {
  defineProperty(target, name, {
    __proto__: null,
    value,
    writable: true,
    configurable: true,
    enumerable,
  } as PropertyDescriptor)
}

/** Replaces methods of a prototype; each keeps the name and length of the original. */
export const override = (target: object, methods: Record<string, (...args: any[]) => unknown>): void => {
  for (const [name, method] of Object.entries(methods)) {
    const before = (target as any)[name] as { length: number } | undefined
    if (before !== undefined)
      Object.defineProperty(method, 'length', { value: before.length, configurable: true })
    define(name, method, target)
  }
}

/** The value of an own data property; undefined when there is none, for an accessor, and for an inherited property. */
export const ownValue = (target: object, name: PropertyKey): unknown => {
  const property = Object.getOwnPropertyDescriptor(target, name)
  return property !== undefined && hasOwn(property, 'value') ? property.value : undefined
}

/** The value of omitted options. It has no prototype, because card code may have changed Object.prototype. */
export const noOptions: object = Object.freeze(Object.create(null))
