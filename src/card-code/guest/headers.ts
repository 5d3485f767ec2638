// Headers in the shape of node-fetch 3.
import { define } from './bridge.js'
import { coded } from './node-errors.js'

const validName = (name: unknown): string => {
  if (typeof name !== 'string' || !/^[\^_`a-zA-Z\-0-9!#$%&'*+.|~]+$/.test(name))
    throw coded(
      'TypeError',
      `Header name must be a valid HTTP token ["${String(name)}"]`,
      'ERR_INVALID_HTTP_TOKEN',
    )
  return name.toLowerCase()
}

const validValue = (name: unknown, value: unknown): string => {
  const text = String(value)
  if (/[^\t\x20-\x7e\x80-\xff]/.test(text))
    throw coded('TypeError', `Invalid character in header content ["${String(name)}"]`, 'ERR_INVALID_CHAR')
  return text
}

const isObject = (value: unknown): boolean =>
  typeof value === 'object' &&
  !(value instanceof String || value instanceof Number || value instanceof Boolean)

const pairsOf = (init: any): [unknown, unknown][] => {
  if (init === undefined || init === null) return []
  if (init instanceof Headers) return pairs(init)
  if (!isObject(init))
    throw new TypeError(
      "Failed to construct 'Headers': The provided value is not of type '(sequence<sequence<ByteString>> or record<ByteString, ByteString>)",
    )
  const method = init[Symbol.iterator]
  if (method === undefined || method === null) return Object.entries(init)
  if (typeof method !== 'function') throw new TypeError('Header pairs must be iterable')
  return [...init].map((pair) => {
    if (!isObject(pair)) throw new TypeError('Each header pair must be an iterable object')
    const given = [...pair]
    if (given.length !== 2) throw new TypeError('Each header pair must be a name/value tuple')
    return given as [unknown, unknown]
  })
}

export class Headers {
  readonly #held = new Map<string, string[]>()
  constructor(init?: unknown) {
    for (const [name, value] of pairsOf(init)) this.append(name, value)
  }
  static pairs(headers: Headers): [string, string][] {
    const held = [...headers.#held].sort(([a], [b]) => (a < b ? -1 : 1))
    return held.flatMap(([name, values]) => values.map((value): [string, string] => [name, value]))
  }
  append(name: unknown, value: unknown): void {
    const key = validName(name)
    const text = validValue(name, value)
    const values = this.#held.get(key)
    if (values === undefined) this.#held.set(key, [text])
    else values.push(text)
  }
  set(name: unknown, value: unknown): void {
    this.#held.set(validName(name), [validValue(name, value)])
  }
  delete(name: unknown): void {
    this.#held.delete(validName(name))
  }
  has(name: unknown): boolean {
    return this.#held.has(validName(name))
  }
  get(name: unknown): string | null {
    const key = validName(name)
    const values = this.#held.get(key)
    if (values === undefined) return null
    const value = values.join(', ')
    return key === 'content-encoding' ? value.toLowerCase() : value
  }
  getAll(name: unknown): string[] {
    return [...(this.#held.get(validName(name)) ?? [])]
  }
  raw(): Record<string, string[]> {
    return Object.fromEntries([...this.keys()].map((name) => [name, this.getAll(name)]))
  }
  forEach(visit: (value: string | null, name: string, headers: Headers) => void, self?: unknown): void {
    for (const name of this.keys()) visit.call(self, this.get(name), name, this)
  }
  keys(): IterableIterator<string> {
    return new Set([...this.#held.keys()].sort()).keys()
  }
  *entries(): IterableIterator<[string, string]> {
    for (const name of this.keys()) yield [name, this.get(name)!]
  }
  *values(): IterableIterator<string> {
    for (const name of this.keys()) yield this.get(name)!
  }
  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries()
  }
  toString(): string {
    return '[object Headers]'
  }
  [Symbol.for('nodejs.util.inspect.custom')](): Record<string, string | string[]> {
    return Object.fromEntries(
      [...this.#held]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, values]) => [name, values.length > 1 && name !== 'host' ? values : values[0]!]),
    )
  }
  get [Symbol.toStringTag](): string {
    return this.constructor.name
  }
}

const { pairs } = Headers

/** Each line of some headers, in the order of their names. */
export const headerPairs = (headers: Headers): [string, string][] => pairs(headers)

/** Hides from card code what the host needs. */
export const installHeaders = (): void => {
  delete (Headers as any).pairs
  define('Headers', Headers)
}
