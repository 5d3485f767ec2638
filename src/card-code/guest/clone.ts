// structuredClone: the types that card code can hold, with cycles, and the refusals of the platform.
import { exception } from './dom-exception.js'
import { define } from './bridge.js'

const errors: Record<string, ErrorConstructor> = {
  Error,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
}

const refuse = (value: unknown): never => {
  const shown =
    typeof value === 'symbol' ? value.toString() : typeof value === 'function' ? String(value) : '#<Object>'
  throw exception(`${shown} could not be cloned.`, 'DataCloneError')
}

/** The copy of an object that holds no other values; undefined for those that do. */
const copyOfLeaf = (value: any, seen: Map<unknown, unknown>): object | undefined => {
  if (value instanceof Date) return new Date(value.getTime())
  if (value instanceof RegExp) return new RegExp(value.source, value.flags)
  if (value instanceof Boolean || value instanceof Number || value instanceof String)
    return Object(value.valueOf())
  if (value instanceof ArrayBuffer) return value.slice(0)
  if (!ArrayBuffer.isView(value)) return undefined
  const Kind: any = value instanceof Uint8Array ? Uint8Array : value.constructor
  const length = value instanceof DataView ? value.byteLength : (value as any).length
  return new Kind(copy(value.buffer, seen), value.byteOffset, length)
}

const isUncloneable = (value: unknown): value is object =>
  value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet || value instanceof WeakRef

const copy = (value: any, seen: Map<unknown, unknown>): unknown => {
  if (typeof value === 'function' || typeof value === 'symbol') return refuse(value)
  if (typeof value !== 'object' || value === null) return value
  const before = seen.get(value)
  if (before !== undefined) return before
  const keep = <T>(made: T): T => {
    seen.set(value, made)
    return made
  }
  const leaf = copyOfLeaf(value, seen)
  if (leaf !== undefined) return keep(leaf)
  if (value instanceof Map) {
    const made = keep(new Map())
    for (const [key, item] of [...value]) made.set(copy(key, seen), copy(item, seen))
    return made
  }
  if (value instanceof Set) {
    const made = keep(new Set())
    for (const item of [...value]) made.add(copy(item, seen))
    return made
  }
  if (value instanceof Error) {
    const made: any = keep(new (errors[value.name] ?? Error)(value.message))
    define('stack', value.stack, made)
    if ('cause' in value) define('cause', copy(value.cause, seen), made)
    return made
  }
  if (isUncloneable(value))
    throw exception(`#<${value.constructor.name}> could not be cloned.`, 'DataCloneError')
  const made: any = keep(Array.isArray(value) ? new Array(value.length) : {})
  for (const key of Object.keys(value)) made[key] = copy(value[key], seen)
  return made
}

/** Installs structuredClone. */
export const installClone = (): void => {
  define('structuredClone', (value: unknown) => copy(value, new Map()))
}
