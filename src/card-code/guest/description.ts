// Describes values as plain data, which the worker prints as Node does. A description is bounded in depth, values and
// characters. Getters are not called. Proxies and accessors of prototypes may run card code, which counts as its own
// time.
import { Buffer } from './encoding.js'
import { ask, ownValue, promiseState, promiseValue } from './bridge.js'
import { URL, URLSearchParams } from './url.js'

/** The kind of a value, and its parts down to the depth of the deepest output. */
export type Node = Record<string, unknown> | string | number | boolean | null

const maxDepth = 6
const maxValues = 4_000
const maxCharacters = 400_000
const maxText = 20_000
const maxName = 500
// Node prints a hundred items; one more shows that there are others.
const maxItems = 101

const { getOwnPropertyDescriptor, getPrototypeOf, hasOwn } = Object
const nativeToString = Object.prototype.toString
const functionToString = Function.prototype.toString
const { ownKeys } = Reflect
const custom = Symbol.for('nodejs.util.inspect.custom')

/** `Function`, `Date` and so on: the name that `Object.prototype.toString` gives. */
export const tagOf = (value: unknown): string => nativeToString.call(value).slice(8, -1)

/** Whether a value defines how it is printed. */
export const isCustom = (value: any): boolean =>
  typeof value[custom] === 'function' && !Buffer.isBuffer(value)

/** The class names of an object, from its own class to the first built-in one. */
const classesOf = (value: object): string[] | null => {
  const names: string[] = []
  for (let at: any = getPrototypeOf(value); at !== null && names.length < 5; at = getPrototypeOf(at)) {
    const made: any = getOwnPropertyDescriptor(at, 'constructor')?.value
    if (typeof made !== 'function' || typeof made.name !== 'string' || made.name === '') continue
    names.push(made.name.slice(0, maxName))
    if (builtIn.has(made)) break
  }
  return names.length === 0 ? null : names
}

const builtIn = new Set<unknown>()

/** Called once, when the guest is complete: records which constructors are built in. */
export const noteBuiltIns = (): void => {
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    const value: unknown = (globalThis as any)[name]
    if (typeof value === 'function' && /^[A-Z]/.test(name)) builtIn.add(value)
  }
}

class Description {
  #left = maxValues
  #characters = maxCharacters
  readonly #open: object[] = []

  text(value: string, max = maxText): string {
    const kept = value.slice(0, Math.max(0, Math.min(max, this.#characters)))
    this.#characters -= kept.length
    return kept
  }

  node(value: any, depth: number): Node {
    this.#left -= 1
    switch (typeof value) {
      case 'string':
        return this.text(value)
      case 'boolean':
        return value
      case 'number':
        return { number: Object.is(value, -0) ? '-0' : String(value) }
      case 'undefined':
        return { undefined: true }
      case 'bigint':
        return { bigint: this.text(value.toString(), 5_000) }
      case 'symbol':
        return { symbol: this.text(value.description ?? '', maxName) }
      default:
        return value === null ? null : this.#object(value, depth)
    }
  }

  #object(value: any, depth: number): Node {
    const at = this.#open.indexOf(value)
    if (at >= 0) return { circular: this.#open.length - at }
    if (depth >= maxDepth || this.#left <= 0)
      return { deep: classesOf(value)?.[0] ?? 'Object', list: Array.isArray(value) }
    this.#open.push(value)
    const described = this.#described(value, depth + 1)
    this.#open.pop()
    return described
  }

  #described(value: any, depth: number): Node {
    if (isCustom(value)) return this.#custom(value, depth)
    if (typeof value === 'function') return this.#function(value, depth)
    const iterator = iteratorOf(value)
    if (iterator !== undefined) return { raw: iterator }
    const classes = classesOf(value)
    const tag: unknown = value[Symbol.toStringTag]
    const shared = {
      classes,
      tag:
        typeof tag === 'string' && !hasOwn(value, Symbol.toStringTag) ? this.text(tag, maxName) : undefined,
    }
    if (value instanceof Error) return { ...shared, ...this.#error(value, depth) }
    if (value instanceof URL) return { url: this.text(value.toString()) }
    if (value instanceof URLSearchParams && tag === 'URLSearchParams')
      return { params: this.text(value.toString()) }
    return this.#builtIn(value, depth, shared)
  }

  /** An object of a class of the language, or a plain one; `shared` is what all descriptions have. */
  #builtIn(value: any, depth: number, shared: { classes: string[] | null; tag: string | undefined }): Node {
    const within = (item: unknown): Node => this.node(item, depth)
    const entries = (): unknown[] => this.#entries(value, depth, [])
    if (value instanceof Date) return { ...shared, date: String(value.getTime()), entries: entries() }
    if (value instanceof RegExp)
      return { ...shared, pattern: this.text(value.source), flags: value.flags, entries: entries() }
    if (value instanceof Map) {
      const map = firstOf(value).map(([key, item]: any) => [within(key), within(item)])
      return { ...shared, map, size: value.size, entries: entries() }
    }
    if (value instanceof Set)
      return { ...shared, set: firstOf(value).map(within), size: value.size, entries: entries() }
    if (value instanceof Promise) return { ...shared, ...this.#promise(value, depth), entries: entries() }
    if (value instanceof ArrayBuffer)
      return { bytes: Array.from(new Uint8Array(value).slice(0, maxItems)), size: value.byteLength }
    if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
      const view = value as any
      const items = Array.from(view.subarray(0, maxItems) as ArrayLike<unknown>, within)
      return { view: Buffer.isBuffer(view) ? 'Buffer' : shared.classes?.[0], items, length: view.length }
    }
    if (value instanceof String || value instanceof Number || value instanceof Boolean)
      return { boxed: within(value.valueOf()) }
    if (Array.isArray(value)) {
      const items: Node[] = []
      for (let i = 0; i < Math.min(value.length, maxItems); i += 1)
        items.push(i in value ? within(value[i]) : { hole: true })
      return { ...shared, items, length: value.length, entries: this.#entries(value, depth, [], true) }
    }
    return { ...shared, entries: entries() }
  }

  #custom(value: any, depth: number): Node {
    const inspect = (item: unknown): string => printed([item])
    const shown: unknown = value[custom](2, {}, inspect)
    return typeof shown === 'string' ? { raw: this.text(shown) } : { shown: this.node(shown, depth) }
  }

  #function(value: any, depth: number): Node {
    const isClass = /^class[\s{]/.test(functionToString.call(value).slice(0, 10))
    const parent = isClass ? getPrototypeOf(value)?.name : undefined
    return {
      function: this.text(String(ownValue(value, 'name') ?? ''), maxName),
      class: isClass,
      parent: typeof parent === 'string' && parent !== '' ? parent.slice(0, maxName) : undefined,
      kind: tagOf(value),
      entries: this.#entries(value, depth, []),
    }
  }

  #error(value: any, depth: number): Record<string, unknown> {
    const stack: unknown = value.stack
    return {
      stack: typeof stack === 'string' ? this.text(stack) : undefined,
      name: this.text(String(value.name), maxName),
      message: this.text(String(value.message)),
      entries: this.#entries(value, depth, ['stack', 'message']),
      cause: hasOwn(value, 'cause') ? this.node(value.cause, depth) : undefined,
      errors:
        hasOwn(value, 'errors') && Array.isArray(value.errors) ? this.node(value.errors, depth) : undefined,
    }
  }

  #promise(value: Promise<unknown>, depth: number): Record<string, unknown> {
    const state = promiseState(value)
    return { promise: state, value: state === 'pending' ? null : this.node(promiseValue(value), depth) }
  }

  #entries(value: any, depth: number, without: string[], isList = false): unknown[] {
    const entries: unknown[] = []
    for (const key of ownKeys(value)) {
      if (typeof key === 'string' && (without.includes(key) || (isList && /^\d+$/.test(key)))) continue
      const property = getOwnPropertyDescriptor(value, key)
      if (property?.enumerable !== true) continue
      if (this.#left <= 0) break
      const shown =
        typeof key === 'symbol'
          ? { symbol: this.text(key.description ?? '', maxName) }
          : this.text(key, maxText)
      if (!hasOwn(property, 'value'))
        entries.push([shown, { accessor: (property.get ? 'get' : '') + (property.set ? 'set' : '') }])
      else entries.push([shown, this.node(property.value, depth)])
    }
    return entries
  }
}

/** Node prints the remaining items of an iterator of a map or a set; the engine does not expose them. */
const iteratorOf = (value: unknown): string | undefined => {
  const tag = tagOf(value)
  return tag === 'Map Iterator' || tag === 'Set Iterator'
    ? `[${tag}] { … the sandbox cannot print the items of an iterator: log [...iterator] }`
    : undefined
}

const firstOf = (values: Iterable<unknown>): unknown[] => {
  const first: unknown[] = []
  for (const value of values) {
    if (first.length === maxItems) break
    first.push(value)
  }
  return first
}

/** Describes the arguments of one call. */
export const describeArguments = (args: unknown[]): Node[] => {
  const description = new Description()
  const hasFormat = typeof args[0] === 'string' && args[0].includes('%s')
  return args.map((item, index) => {
    const node = description.node(item, 0)
    return hasFormat && index > 0 && hasOwnText(item)
      ? { ...(node as object), asText: description.text(String(item)) }
      : node
  })
}

/** Whether `%s` prints an object with its `toString`, because card code has defined one. */
const hasOwnText = (value: any): boolean => {
  if (typeof value !== 'object' || value === null) return false
  let at = value
  while (at !== null && !hasOwn(at, 'toString')) at = getPrototypeOf(at)
  return at !== null && !builtIn.has(ownValue(at, 'constructor'))
}

/** The result of `util.format` for the arguments. */
const printed = (args: unknown[]): string => ask('print', describeArguments(args))
