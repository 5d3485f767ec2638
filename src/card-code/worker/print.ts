// What console prints: the plain description that the box gives of its arguments becomes values again, inert ones made
// here, and Node's own util.format prints them.
import { Console } from 'node:console'
import { Writable } from 'node:stream'
import { format } from 'node:util'

type Described = Record<string, unknown>

const isText = (value: unknown): value is string => typeof value === 'string'
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const countOf = (value: unknown): number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32 ? value : 0

/** Prints the arguments of one call of console as Node does; `table`: as console.table does. */
export const print = (args: unknown, table = false): string => {
  const values = listOf(args).map((item) => new Revival().value(item))
  return table ? printTable(values) : format(...values)
}

const printTable = ([data, columns]: unknown[]): string => {
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

type Lender = new () => object

const lenders = new Map<string, Lender>()

// A class that only lends its name to what is printed: that of the box's own class. The real methods stay inside.
const lender = (name: string, parent?: Lender): Lender => {
  const known = parent === undefined ? lenders.get(name) : undefined
  if (known !== undefined) return known
  const made =
    parent === undefined
      ? class {
          readonly inert = true
        }
      : class extends parent {}
  Object.defineProperty(made, 'name', { value: name })
  if (parent === undefined && lenders.size < 200) lenders.set(name, made)
  return made
}

const inert = (kind: unknown): unknown => {
  if (kind === 'AsyncFunction') return async () => Promise.resolve()
  if (kind !== 'GeneratorFunction') return () => undefined
  return function* () {
    yield undefined
  }
}

class Revival {
  readonly #open: unknown[] = []

  value(node: unknown): unknown {
    if (typeof node !== 'object' || node === null) return node
    const given = node as Described
    if (isText(given.number)) return Number(given.number)
    if ('undefined' in given) return undefined
    if (isText(given.bigint)) return BigInt(given.bigint)
    if (isText(given.symbol)) return Symbol(given.symbol)
    if (isText(given.function)) return this.#function(given, given.function)
    if ('circular' in given) return this.#open[this.#open.length - countOf(given.circular)]
    return this.#object(given)
  }

  #function(given: Described, name: string): unknown {
    if (given.class === true) return lender(name, isText(given.parent) ? lender(given.parent) : undefined)
    const made = inert(given.kind)
    Object.defineProperty(made, 'name', { value: name })
    return made
  }

  #object(given: Described): unknown {
    if (isText(given.deep)) return given.list === true ? [[]] : this.#instance(given.deep)
    if (isText(given.url)) return new URL(given.url)
    if (isText(given.params)) return new URLSearchParams(given.params)
    if (isText(given.date)) return new Date(Number(given.date))
    if (isText(given.pattern)) return new RegExp(given.pattern, isText(given.flags) ? given.flags : '')
    if ('promise' in given) return Promise.resolve()
    if ('boxed' in given) return Object(this.value(given.boxed))
    if (isText(given.stack)) return this.#error(given, given.stack)
    if (isText(given.view))
      return view(given.view, listOf(given.items), countOf(given.length), (item) => this.value(item))
    if (Array.isArray(given.bytes)) return Uint8Array.from(given.bytes as number[]).buffer
    if (Array.isArray(given.map)) return this.#map(given)
    if (Array.isArray(given.set)) return this.#set(given)
    if (Array.isArray(given.items)) return this.#array(given)
    const made =
      given.class === null
        ? (Object.create(null) as object)
        : this.#instance(isText(given.class) ? given.class : 'Object')
    if (isText(given.tag)) Object.defineProperty(made, Symbol.toStringTag, { value: given.tag })
    return this.#filled(made, given.entries)
  }

  #instance(name: string): object {
    return name === 'Object' ? {} : (Object.create(lender(name).prototype as object) as object)
  }

  #filled<T extends object>(made: T, entries: unknown): T {
    this.#open.push(made)
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
    this.#open.pop()
    return made
  }

  #error(given: Described, stack: string): Error {
    const made = new Error(String(given.message))
    const define = (name: string, value: unknown): void => {
      Object.defineProperty(made, name, { value, configurable: true, enumerable: false })
    }
    define('name', given.name)
    define('stack', stack)
    if (given.cause !== undefined) define('cause', this.value(given.cause))
    return this.#filled(made, given.entries)
  }

  #map(given: Described): Map<unknown, unknown> {
    const made = new Map<unknown, unknown>()
    this.#open.push(made)
    for (const pair of listOf(given.map)) {
      const [key, item] = listOf(pair)
      made.set(this.value(key), this.value(item))
    }
    this.#open.pop()
    return made
  }

  #set(given: Described): Set<unknown> {
    const made = new Set<unknown>()
    this.#open.push(made)
    for (const item of listOf(given.set)) made.add(this.value(item))
    this.#open.pop()
    return made
  }

  #array(given: Described): unknown[] {
    const made: unknown[] = []
    this.#open.push(made)
    listOf(given.items).forEach((item, index) => {
      if ((item as Described | null)?.hole !== true) made[index] = this.value(item)
    })
    this.#open.pop()
    made.length = countOf(given.length)
    return this.#filled(made, given.entries)
  }
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

const view = (kind: string, items: unknown[], length: number, value: (item: unknown) => unknown): unknown => {
  // Only what is printed is there: a hundred items, and the length that says how many more.
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
