// console: one log item a call. A string stays as it is and plain data becomes compact JSON; anything else is described
// in plain data and printed by the host's own util.format, so that it reads as in Node.
import { askNumber, define, tell } from './bridge.js'
import { URL, URLSearchParams } from './url.js'

/** A value described for the host: what it is, and its parts down to a depth that no output goes beyond. */
type Node = Record<string, unknown> | string | number | boolean | null

const maxDepth = 6
const maxItems = 4_000

class Description {
  #left = maxItems
  readonly #open: object[] = []

  node(value: any, depth: number): Node {
    this.#left -= 1
    switch (typeof value) {
      case 'string':
        return value.length > 20_000 ? value.slice(0, 20_000) : value
      case 'boolean':
        return value
      case 'number':
        return { number: Object.is(value, -0) ? '-0' : String(value) }
      case 'undefined':
        return { undefined: true }
      case 'bigint':
        return { bigint: value.toString() }
      case 'symbol':
        return { symbol: value.description ?? '' }
      case 'function':
        return this.#function(value)
      default:
        return value === null ? null : this.#object(value, depth)
    }
  }

  #function(value: any): Node {
    const isClass = /^class[\s{]/.test(Function.prototype.toString.call(value))
    const parent = isClass ? Object.getPrototypeOf(value)?.name : undefined
    const kind = Object.prototype.toString.call(value).slice(8, -1)
    return {
      function: String(value.name ?? ''),
      class: isClass,
      parent: parent === '' ? undefined : parent,
      kind,
    }
  }

  #object(value: any, depth: number): Node {
    const at = this.#open.indexOf(value)
    if (at >= 0) return { circular: this.#open.length - at }
    if (depth >= maxDepth || this.#left <= 0)
      return { deep: className(value) ?? 'Object', list: Array.isArray(value) }
    this.#open.push(value)
    const described = this.#described(value, depth + 1)
    this.#open.pop()
    return described
  }

  #described(value: any, depth: number): Node {
    const within = (item: unknown): Node => this.node(item, depth)
    const name = className(value)
    if (value instanceof Error) {
      return {
        stack: String(value.stack),
        name: String(value.name),
        message: String(value.message),
        entries: this.#entries(value, depth, ['stack', 'message']),
        cause: Object.hasOwn(value, 'cause') ? within(value.cause) : undefined,
      }
    }
    if (value instanceof URL) return { url: value.toString() }
    if (value instanceof URLSearchParams) return { params: value.toString() }
    if (value instanceof Date) return { date: String(value.getTime()) }
    if (value instanceof RegExp) return { pattern: value.source, flags: value.flags }
    if (value instanceof Map) {
      return {
        map: [...value].slice(0, 101).map(([key, item]) => [within(key), within(item)]),
        class: name,
        size: value.size,
      }
    }
    if (value instanceof Set)
      return { set: [...value].slice(0, 101).map(within), class: name, size: value.size }
    if (value instanceof Promise) return { promise: true }
    if (value instanceof ArrayBuffer)
      return { bytes: Array.from(new Uint8Array(value).slice(0, 101)), size: value.byteLength }
    if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
      const view = value as any
      const items = Array.from(view.subarray(0, 101) as ArrayLike<unknown>, within)
      return { view: (view as any)._isBuffer ? 'Buffer' : name, items, length: view.length }
    }
    if (value instanceof String || value instanceof Number || value instanceof Boolean) {
      return { boxed: within(value.valueOf()) }
    }
    if (Array.isArray(value)) {
      const items: (Node | undefined)[] = []
      for (let i = 0; i < Math.min(value.length, 101); i += 1)
        items.push(i in value ? within(value[i]) : { hole: true })
      const extra = Object.keys(value).filter((key) => !/^\d+$/.test(key))
      return {
        items,
        length: value.length,
        entries: extra.map((key) => [key, within((value as any)[key])]),
        class: name,
      }
    }
    const tag: unknown = (value as any)[Symbol.toStringTag]
    return {
      class: name,
      tag: typeof tag === 'string' ? tag : undefined,
      entries: this.#entries(value, depth, []),
    }
  }

  #entries(value: any, depth: number, without: string[]): unknown[] {
    const entries: unknown[] = []
    for (const key of Reflect.ownKeys(value)) {
      const property = Object.getOwnPropertyDescriptor(value, key)
      if (property?.enumerable !== true || (typeof key === 'string' && without.includes(key))) continue
      if (this.#left <= 0) break
      const shown = typeof key === 'symbol' ? { symbol: key.description ?? '' } : key
      if (!Object.hasOwn(property, 'value')) {
        entries.push([shown, { accessor: `${property.get ? 'get' : ''}${property.set ? 'set' : ''}` }])
      } else {
        entries.push([shown, this.node(property.value, depth)])
      }
    }
    return entries
  }
}

const className = (value: object): string | null => {
  for (let at: any = Object.getPrototypeOf(value); at !== null; at = Object.getPrototypeOf(at)) {
    const made = Object.getOwnPropertyDescriptor(at, 'constructor')?.value
    if (typeof made === 'function' && made.name !== '') return made.name
  }
  return null
}

// What JSON says too little of ({} for an error or a map) is printed as Node prints it instead.
const asData = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof Error || value instanceof Map || value instanceof Set || value instanceof RegExp) &&
  !(value instanceof Promise || ArrayBuffer.isView(value) || value instanceof ArrayBuffer)

const { stringify } = JSON

let depth = 0

const write = (level: string, args: unknown[]): void => {
  const [only] = args
  if (args.length === 1 && typeof only === 'string') {
    tell('log', { level, text: only, depth })
    return
  }
  if (args.length === 1 && asData(only)) {
    try {
      const text: unknown = stringify(only)
      if (typeof text === 'string') {
        tell('log', { level, text, depth })
        return
      }
    } catch {
      // Cycles and bigints have no JSON: printed like the rest.
    }
  }
  tell('log', { level, args: described(args), depth })
}

const described = (args: unknown[]): unknown[] => {
  const description = new Description()
  return args.map((item) => description.node(item, 0))
}

const counts = new Map<string, number>()
const { get, set, delete: remove } = Map.prototype
const count = (label: string, change: number): number => {
  const now = ((get.call(counts, label) as number | undefined) ?? 0) + change
  set.call(counts, label, now)
  return now
}

const begun = new Map<string, number>()
const spent = (label: string, args: unknown[]): void => {
  const since = get.call(begun, label) as number | undefined
  if (since === undefined) {
    write('warn', [`Warning: No such label '${label}' for console.timeEnd()`])
    return
  }
  const ms = askNumber('now') - since
  const shown = ms >= 1000 ? `${(ms / 1000).toFixed(3)}s` : `${Number(ms.toFixed(3))}ms`
  write('info', [`${label}: ${shown}`, ...args])
}

/** Puts console into the world. */
export const installConsole = (): void => {
  const levels = {
    log: 'info',
    info: 'info',
    warn: 'warn',
    error: 'error',
    debug: 'debug',
    trace: 'error',
    dir: 'info',
    dirxml: 'info',
  }
  const methods: Record<string, (...args: any[]) => void> = {
    assert: (holds?: unknown, ...args: unknown[]) => {
      if (holds) return
      const [first, ...rest] = args
      if (typeof first === 'string') write('warn', [`Assertion failed: ${first}`, ...rest])
      else write('warn', ['Assertion failed', ...args])
    },
    count: (label: unknown = 'default') => write('info', [`${label}: ${count(`${label}`, 1)}`]),
    countReset: (label: unknown = 'default') => void remove.call(counts, `${label}`),
    group: (...args: unknown[]) => {
      if (args.length > 0) write('info', args)
      depth += 1
    },
    groupEnd: () => {
      depth = depth > 0 ? depth - 1 : 0
    },
    time: (label: unknown = 'default') => void set.call(begun, `${label}`, askNumber('now')),
    timeLog: (label: unknown = 'default', ...args: unknown[]) => spent(`${label}`, args),
    timeEnd: (label: unknown = 'default') => {
      spent(`${label}`, [])
      remove.call(begun, `${label}`)
    },
    table: (data: unknown, columns?: unknown) => {
      if (typeof data !== 'object' || data === null) write('info', [data])
      else tell('log', { level: 'info', args: described([data, columns]), table: true, depth })
    },
  }
  methods.groupCollapsed = methods.group!
  for (const [name, level] of Object.entries(levels)) methods[name] = (...args) => write(level, args)
  const console: Record<string, unknown> = {}
  for (const [name, method] of Object.entries(methods)) {
    Object.defineProperty(method, 'name', { value: name })
    console[name] = method
  }
  define('console', console)
}
