// Console output: the guest's description of its arguments becomes values again, inert ones made here, and Node's own
// util.format prints them.
import { Console } from 'node:console'
import { Writable } from 'node:stream'
import { format, inspect } from 'node:util'

type Described = Record<string, unknown>
type Class = new (...args: never[]) => object

const isText = (value: unknown): value is string => typeof value === 'string'
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const countOf = (value: unknown): number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32 ? value : 0

/** Inert values like those that were described. */
export const revived = (args: unknown): unknown[] => listOf(args).map((item) => new Revival().value(item))

/** Prints the arguments of one call of console as Node does; `table`: as console.table does. */
export const print = (args: unknown, table = false): string => {
  const values = revived(args)
  return table ? printTable(values) : format(...values)
}

// A table pads every row to its longest cell: a larger result than this is printed as a list.
const maxTable = 1 << 20

const printTable = ([data, columns]: unknown[]): string => {
  const rows = typeof data === 'object' && data !== null ? Object.keys(data).length : 0
  if (rows * format(data).length > maxTable) return format(data)
  const written: string[] = []
  const stdout = new Writable({
    write: (chunk: Buffer, _, done) => {
      written.push(chunk.toString())
      done()
    },
  })
  new Console({ stdout }).table(data, Array.isArray(columns) ? columns.filter(isText) : undefined)
  return written.join('').trimEnd()
}

const hidden = (target: object, name: PropertyKey, value: unknown): void => {
  Object.defineProperty(target, name, { value, configurable: true, writable: true, enumerable: false })
}

const builtIns: Partial<Record<string, unknown>> = {
  Array,
  Map,
  Set,
  Promise,
  Date,
  RegExp,
  Error,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
  AggregateError,
}

const builtIn = (name: unknown): Class | undefined =>
  isText(name) && Object.hasOwn(builtIns, name) ? (builtIns[name] as Class) : undefined

const lenders = new Map<string, Class>()
const maxLenders = 200

// A class that only provides the name of the guest's class for printing. The real methods stay in the guest.
const lender = (name: string, parent?: Class): Class => {
  const key = `${parent?.name ?? ''} ${name}`
  const known = lenders.get(key)
  if (known !== undefined) return known
  const made = namedClass(name, parent)
  if (lenders.size < maxLenders) lenders.set(key, made)
  return made
}

const namedClass = (name: string, parent?: Class): Class => {
  const made =
    parent === undefined
      ? class {
          readonly inert = true
        }
      : class extends parent {}
  Object.defineProperty(made, 'name', { value: name })
  return made
}

/**
 * Gives an object the name of the guest's class; `classes` are its own and its superclasses, null for an object
 * without one.
 */
const classed = <T extends object>(made: T, classes: unknown, base: Class): T => {
  if (classes === null) {
    Object.setPrototypeOf(made, null)
    return made
  }
  const [own] = listOf(classes)
  if (!isText(own) || own === base.name) return made
  Object.setPrototypeOf(made, (builtIn(own) ?? lender(own, base)).prototype as object)
  return made
}

const inert = (kind: unknown): unknown => {
  if (kind === 'AsyncFunction') return async () => Promise.resolve()
  if (kind === 'AsyncGeneratorFunction')
    return async function* () {
      yield Promise.resolve()
    }
  if (kind !== 'GeneratorFunction') return () => undefined
  return function* () {
    yield undefined
  }
}

// Node prints how many more items there are, so that many are created, each distinct.
const maxFillers = 20_000

class Revival {
  readonly #open: unknown[] = []

  value(node: unknown): unknown {
    if (typeof node !== 'object' || node === null) return node
    const given = node as Described
    if (isText(given.number)) return Number(given.number)
    if ('undefined' in given) return undefined
    if (isText(given.bigint)) return BigInt(given.bigint)
    if (isText(given.symbol)) return Symbol(given.symbol)
    if ('circular' in given) return this.#open[this.#open.length - countOf(given.circular)]
    if (isText(given.deep)) return given.list === true ? [[]] : this.#instance(given.deep)
    const made = this.#object(given)
    if (isText(given.asText)) hidden(made, 'toString', () => given.asText)
    return made
  }

  #object(given: Described): object {
    if (isText(given.raw)) return { [inspect.custom]: () => given.raw }
    if ('shown' in given) return this.#within(undefined, () => Object(this.value(given.shown)) as object)
    if (isText(given.function)) return this.#filled(this.#function(given, given.function), given.entries)
    if (isText(given.url)) return new URL(given.url)
    if (isText(given.params)) return new URLSearchParams(given.params)
    if (isText(given.date)) return this.#classed(new Date(Number(given.date)), given, Date)
    if (isText(given.pattern))
      return this.#classed(pattern(given.pattern, isText(given.flags) ? given.flags : ''), given, RegExp)
    if (isText(given.promise)) return this.#promise(given)
    if ('boxed' in given) return Object(this.value(given.boxed)) as object
    if (isText(given.message)) return this.#error(given, given.message)
    if (isText(given.view))
      return view(given.view, listOf(given.items), countOf(given.length), (item) => this.value(item))
    if (Array.isArray(given.bytes)) return Uint8Array.from(given.bytes as number[]).buffer
    if (Array.isArray(given.map)) return this.#map(given)
    if (Array.isArray(given.set)) return this.#set(given)
    if (Array.isArray(given.items)) return this.#array(given)
    const [name] = listOf(given.classes)
    const made =
      given.classes === null
        ? (Object.create(null) as object)
        : this.#instance(isText(name) ? name : 'Object')
    if (isText(given.tag)) hidden(made, Symbol.toStringTag, given.tag)
    return this.#filled(made, given.entries)
  }

  #instance(name: string): object {
    return name === 'Object' ? {} : (Object.create(lender(name).prototype as object) as object)
  }

  #within<T>(made: unknown, fill: () => T): T {
    this.#open.push(made)
    const filled = fill()
    this.#open.pop()
    return filled
  }

  #classed<T extends object>(made: T, given: Described, base: Class): T {
    return this.#filled(classed(made, given.classes, base), given.entries)
  }

  #function(given: Described, name: string): object {
    if (given.class === true) {
      const { parent } = given
      const base = isText(parent) ? (builtIn(parent) ?? lender(parent)) : undefined
      return namedClass(name, base)
    }
    const made = inert(given.kind) as object
    Object.defineProperty(made, 'name', { value: name })
    return made
  }

  #filled<T extends object>(made: T, entries: unknown): T {
    return this.#within(made, () => {
      for (const entry of listOf(entries)) {
        const [key, item] = listOf(entry)
        const name = isText(key) ? key : (this.value(key) as symbol)
        const accessor = (item as Described | null)?.accessor
        if (isText(accessor)) {
          Object.defineProperty(made, name, {
            enumerable: true,
            ...(accessor.startsWith('get') && { get: () => undefined }),
            ...(accessor.endsWith('set') && { set: () => undefined }),
          })
        } else {
          const value = this.value(item)
          Object.defineProperty(made, name, { value, enumerable: true, configurable: true, writable: true })
        }
      }
      return made
    })
  }

  #error(given: Described, message: string): Error {
    const base = builtIn(listOf(given.classes).at(-1)) ?? Error
    const plain = new Error(message)
    Object.setPrototypeOf(plain, base.prototype as object)
    const made = classed(plain, given.classes, base)
    hidden(made, 'stack', isText(given.stack) ? given.stack : `${String(given.name)}: ${message}`)
    if (made.name !== given.name) hidden(made, 'name', given.name)
    this.#within(made, () => {
      if (given.cause !== undefined) hidden(made, 'cause', this.value(given.cause))
      if (given.errors !== undefined) hidden(made, 'errors', this.value(given.errors))
    })
    return this.#filled(made, given.entries)
  }

  #promise(given: Described): object {
    let settle: ((value: unknown) => void) | undefined
    const made = new Promise((resolve, reject) => {
      settle = given.promise === 'rejected' ? reject : resolve
    })
    made.catch(() => undefined)
    if (given.promise !== 'pending') this.#within(made, () => settle?.(this.value(given.value)))
    return this.#classed(made, given, Promise)
  }

  #map(given: Described): object {
    const made = new Map<unknown, unknown>()
    this.#within(made, () => {
      for (const pair of listOf(given.map)) {
        const [key, item] = listOf(pair)
        made.set(this.value(key), this.value(item))
      }
    })
    for (let i = made.size; i < Math.min(countOf(given.size), maxFillers); i += 1) made.set(Symbol(), i)
    return this.#classed(made, given, Map)
  }

  #set(given: Described): object {
    const made = new Set<unknown>()
    this.#within(made, () => {
      for (const item of listOf(given.set)) made.add(this.value(item))
    })
    for (let i = made.size; i < Math.min(countOf(given.size), maxFillers); i += 1) made.add(Symbol())
    return this.#classed(made, given, Set)
  }

  #array(given: Described): unknown[] {
    const made: unknown[] = []
    this.#within(made, () => {
      listOf(given.items).forEach((item, index) => {
        if ((item as Described | null)?.hole !== true) made[index] = this.value(item)
      })
    })
    made.length = countOf(given.length)
    return this.#classed(made, given, Array)
  }
}

// A pattern is compiled to be printed, which takes long when it has many classes.
const maxPattern = 2_000

const pattern = (source: string, flags: string): object => {
  try {
    if (source.length <= maxPattern) return new RegExp(source, flags)
  } catch {
    // The engine takes it, this V8 does not.
  }
  return { [inspect.custom]: () => `/${source}/${flags}` }
}

const views = {
  Uint8Array,
  Int8Array,
  Uint8ClampedArray,
  Uint16Array,
  Int16Array,
  Uint32Array,
  Int32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
} as const

const view = (kind: string, items: unknown[], length: number, value: (item: unknown) => unknown): object => {
  // Only the printed items exist: a hundred, and the length that says how many more.
  const shown = Math.min(length, 200)
  if (kind === 'Buffer') {
    const bytes = Buffer.alloc(shown)
    items.forEach((item, index) => (bytes[index] = Number(value(item))))
    return bytes
  }
  const Kind = Object.hasOwn(views, kind) ? views[kind as keyof typeof views] : Uint8Array
  const made = new Kind(shown) as unknown as Record<number, unknown>
  items.forEach((item, index) => (made[index] = value(item)))
  return made
}
