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

const copy = (value: any, seen: Map<unknown, unknown>): unknown => {
  if (typeof value === 'function' || typeof value === 'symbol') return refuse(value)
  if (typeof value !== 'object' || value === null) return value
  const before = seen.get(value)
  if (before !== undefined) return before
  const keep = <T>(made: T): T => {
    seen.set(value, made)
    return made
  }
  if (value instanceof Date) return keep(new Date(value.getTime()))
  if (value instanceof RegExp) return keep(new RegExp(value.source, value.flags))
  if (value instanceof Boolean || value instanceof Number || value instanceof String) {
    return keep(Object(value.valueOf()))
  }
  if (value instanceof ArrayBuffer) return keep(value.slice(0))
  if (ArrayBuffer.isView(value)) {
    const Kind: any = value instanceof Uint8Array ? Uint8Array : value.constructor
    const bytes = copy(value.buffer, seen)
    return keep(
      new Kind(bytes, value.byteOffset, value instanceof DataView ? value.byteLength : (value as any).length),
    )
  }
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
  if (
    value instanceof Promise ||
    value instanceof WeakMap ||
    value instanceof WeakSet ||
    value instanceof WeakRef
  ) {
    throw exception(`#<${value.constructor.name}> could not be cloned.`, 'DataCloneError')
  }
  const made: any = keep(Array.isArray(value) ? new Array(value.length) : {})
  for (const key of Object.keys(value)) made[key] = copy(value[key], seen)
  return made
}

/** Installs structuredClone. */
export const installClone = (): void => {
  define('structuredClone', (value: unknown) => copy(value, new Map()))
}
