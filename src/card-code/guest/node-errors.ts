// Errors as Node makes them: with a `code`, and the code in the first line of the stack.
import { type HostError, define, makeErrorsWith, override } from './bridge.js'
import { exception } from './dom-exception.js'

type Kind = 'Error' | 'RangeError' | 'TypeError'

const { getOwnPropertyNames } = Object
const { apply } = Reflect
// The constructors that card code has, stored when they are complete: card code may replace the globals.
const constructors: Record<string, new (message: string) => Error> = Object.create(null)

const readStack = ({ stack }: Error): unknown => stack

/** An error of Node: its first line names the code, as Node writes it. */
export const coded = (kind: Kind, message: string, code: string): Error => {
  const error: Error = new constructors[kind]!(message)
  define('name', kind + ' [' + code + ']', error)
  // The stack is made when it is first read: now, while the name has the code.
  readStack(error)
  delete (error as { name?: string }).name
  define('code', code, error, true)
  return error
}

const isConstructor = (name: string): boolean => constructors[name] !== undefined

/** An error of the host, as an error of the guest. */
const refusal = ({ name, message, code, headed, input, base }: HostError): Error => {
  if (headed && code !== null && isConstructor(name)) return coded(name as Kind, message, code)
  const error = isConstructor(name) ? new constructors[name]!(message) : exception(message, name)
  if (code !== null) define('code', code, error, true)
  if (input !== undefined) define('input', input, error, true)
  if (base !== undefined && base !== null) define('base', base, error, true)
  return error
}

/** The given value, in Node's words. */
const received = (value: unknown): string => {
  if (value === undefined || value === null) return String(value)
  if (typeof value === 'function') return `function ${value.name}`
  if (typeof value !== 'object') return `type ${typeof value} (${shown(value)})`
  const name: unknown = value.constructor?.name
  return typeof name === 'string' && name !== '' ? `an instance of ${name}` : '[Object: null prototype] {}'
}

const shown = (value: unknown): string => {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'string') return String(value)
  return `'${value.length > 28 ? `${value.slice(0, 25)}...` : value}'`
}

/** An argument of the wrong type; `expected` such as `of type function` or `an instance of Event`. */
export const invalidType = (name: string, expected: string, value: unknown): Error =>
  coded(
    'TypeError',
    `The "${name}" argument must be ${expected}. Received ${received(value)}`,
    'ERR_INVALID_ARG_TYPE',
  )

/** Throws when fewer arguments were given than are needed; `names` are the arguments. */
export const needs = (given: { length: number }, ...names: string[]): void => {
  if (given.length >= names.length) return
  const quoted = names.map((name) => `"${name}"`).join(' and ')
  const noun = names.length === 1 ? 'argument' : 'arguments'
  throw coded('TypeError', `The ${quoted} ${noun} must be specified`, 'ERR_MISSING_ARGS')
}

/** Makes methods refuse calls with too few arguments: by method, the names of the arguments. */
export const requireArguments = (target: any, methods: Record<string, string[]>): void => {
  for (const [method, names] of Object.entries(methods)) {
    const native = target[method]
    override(target, {
      [method](this: unknown, ...given: unknown[]) {
        needs(given, ...names)
        return apply(native, this, given)
      },
    })
  }
}

/** Called when the constructors of errors are in place. */
export const installNodeErrors = (): void => {
  for (const name of getOwnPropertyNames(globalThis)) {
    const value: unknown = (globalThis as any)[name]
    if (/^(?:[A-Z][a-z]+)?Error$/.test(name) && typeof value === 'function')
      constructors[name] = value as new (message: string) => Error
  }
  makeErrorsWith(refusal)
}
