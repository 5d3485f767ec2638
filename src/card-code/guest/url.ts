// URL and URLSearchParams: the host's own parser does the work; this side only stores the parts.
import { ask, define } from './bridge.js'
import { coded, invalidType, needs, requireArguments } from './node-errors.js'

type Pair = [string, string]

interface Parts {
  href: string
  origin: string
  protocol: string
  username: string
  password: string
  host: string
  hostname: string
  port: string
  pathname: string
  search: string
  hash: string
}

const noTuple = (): Error =>
  coded('TypeError', 'Each query pair must be an iterable [name, value] tuple', 'ERR_INVALID_TUPLE')

// Converted to text like on the platform: a symbol is refused.
const text = (value: any): string => `${value}`

/** An iterator with the platform's name; `next` makes the items. */
const iterate = <T>(items: Generator<T>): IterableIterator<T> => {
  const made = Object.create(iterators) as { source: Generator<T> }
  define('source', items, made)
  return made as unknown as IterableIterator<T>
}

const iterators = Object.create(Object.getPrototypeOf(Object.getPrototypeOf([].values()))) as object

export class URLSearchParams {
  #pairs: Pair[] = []
  #changed: (() => void) | undefined

  constructor(init: unknown = '') {
    if (typeof init === 'object' && init !== null) {
      const iterable = typeof (init as any)[Symbol.iterator] === 'function'
      const pairs: Iterable<any> = iterable ? (init as Iterable<any>) : Object.entries(init)
      for (const pair of pairs) {
        if (typeof pair !== 'object' || pair === null || typeof pair[Symbol.iterator] !== 'function')
          throw noTuple()
        const given = [...pair]
        if (given.length !== 2) throw noTuple()
        this.#pairs.push([text(given[0]), text(given[1])])
      }
    } else {
      this.#pairs = ask('params-parse', text(init))
    }
  }

  /** The parameters of a URL report their changes to it. */
  static of(search: string, changed: (search: string) => void): URLSearchParams {
    const params = new URLSearchParams(search)
    params.#changed = () => changed(params.toString())
    return params
  }
  static replace(params: URLSearchParams, search: string): void {
    params.#pairs = ask('params-parse', search)
  }

  get size(): number {
    return this.#pairs.length
  }
  append(name: unknown, value: unknown): void {
    this.#pairs.push([text(name), text(value)])
    this.#changed?.()
  }
  delete(name: unknown, value?: unknown): void {
    this.#pairs = this.#pairs.filter(
      ([key, held]) => key !== text(name) || (value !== undefined && held !== text(value)),
    )
    this.#changed?.()
  }
  get(name: unknown): string | null {
    return this.#pairs.find(([key]) => key === text(name))?.[1] ?? null
  }
  getAll(name: unknown): string[] {
    return this.#pairs.filter(([key]) => key === text(name)).map(([, value]) => value)
  }
  has(name: unknown, value?: unknown): boolean {
    return this.#pairs.some(
      ([key, held]) => key === text(name) && (value === undefined || held === text(value)),
    )
  }
  set(name: unknown, value: unknown): void {
    const at = this.#pairs.findIndex(([key]) => key === text(name))
    if (at < 0) this.#pairs.push([text(name), text(value)])
    else {
      this.#pairs[at]![1] = text(value)
      this.#pairs = this.#pairs.filter(([key], index) => index <= at || key !== text(name))
    }
    this.#changed?.()
  }
  sort(): void {
    this.#pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    this.#changed?.()
  }
  forEach(visit: (value: string, name: string, params: URLSearchParams) => void, self?: unknown): void {
    if (typeof visit !== 'function') throw invalidType('callback', 'of type function', visit)
    for (const [name, value] of this.#pairs) visit.call(self, value, name, this)
  }
  *#each<T>(part: (pair: Pair) => T): Generator<T> {
    for (const pair of this.#pairs) yield part(pair)
  }
  entries(): IterableIterator<Pair> {
    return iterate(this.#each(([name, value]) => [name, value]))
  }
  keys(): IterableIterator<string> {
    return iterate(this.#each(([name]) => name))
  }
  values(): IterableIterator<string> {
    return iterate(this.#each(([, value]) => value))
  }
  [Symbol.iterator](): IterableIterator<Pair> {
    return this.entries()
  }
  toString(): string {
    return ask('params-text', this.#pairs)
  }
  get [Symbol.toStringTag](): string {
    return 'URLSearchParams'
  }
}

const { of: paramsOf, replace: replaceParams } = URLSearchParams

export class URL {
  #parts: Parts
  #params: URLSearchParams | undefined

  constructor(...given: unknown[]) {
    needs(given, 'url')
    const [url, base] = given
    const address = text(url)
    this.#parts = ask('url', base === undefined ? { url: address } : { url: address, base: text(base) })
  }
  static canParse(url: unknown, base?: unknown): boolean {
    try {
      return Boolean(new URL(url, base))
    } catch {
      return false
    }
  }
  static parse(url: unknown, base?: unknown): URL | null {
    try {
      return new URL(url, base)
    } catch {
      return null
    }
  }
  static part(url: URL, name: keyof Parts): string {
    return url.#parts[name]
  }
  static change(url: URL, name: keyof Parts, value: unknown): void {
    url.#parts = ask('url-set', { url: url.#parts.href, name, value: text(value) })
    if (url.#params !== undefined && (name === 'href' || name === 'search')) {
      replaceParams(url.#params, url.#parts.search)
    }
  }
  get searchParams(): URLSearchParams {
    return (this.#params ??= paramsOf(this.#parts.search, (search) => {
      this.#parts = ask('url-set', { url: this.#parts.href, name: 'search', value: search })
    }))
  }
  toString(): string {
    return this.#parts.href
  }
  toJSON(): string {
    return this.#parts.href
  }
  get [Symbol.toStringTag](): string {
    return 'URL'
  }
}

const parts: (keyof Parts)[] = [
  'href',
  'origin',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
]

/** Installs URL and URLSearchParams. */
export const installUrl = (): void => {
  const { part, change } = URL
  for (const name of parts) {
    Object.defineProperty(URL.prototype, name, {
      configurable: true,
      enumerable: true,
      get(this: URL) {
        return part(this, name)
      },
      ...(name === 'origin'
        ? {}
        : {
            set(this: URL, value: unknown) {
              change(this, name, value)
            },
          }),
    })
  }
  define(
    'next',
    function (this: { source: Generator }) {
      return this.source.next()
    },
    iterators,
  )
  define(Symbol.toStringTag, 'URLSearchParams Iterator', iterators)
  const [one, two] = [['name'], ['name', 'value']]
  requireArguments(URLSearchParams.prototype, {
    append: two,
    delete: one,
    get: one,
    getAll: one,
    has: one,
    set: two,
  })
  requireArguments(URL, { canParse: ['url'], parse: ['url'] })
  Object.defineProperty(URL, 'length', { value: 1, configurable: true })
  for (const name of ['part', 'change']) delete (URL as any)[name]
  for (const name of ['of', 'replace']) delete (URLSearchParams as any)[name]
  define('URL', URL)
  define('URLSearchParams', URLSearchParams)
}
