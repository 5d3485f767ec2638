// URL and URLSearchParams: the host's own parser answers, this side only keeps the parts.
import { ask, define } from './bridge.js'

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

const noTuple = (): TypeError => {
  const error = new TypeError('Each query pair must be an iterable [name, value] tuple')
  define('code', 'ERR_INVALID_TUPLE', error, true)
  return error
}

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
        this.#pairs.push([String(given[0]), String(given[1])])
      }
    } else {
      this.#pairs = ask('params-parse', String(init))
    }
  }

  /** The parameters of a URL tell it when they change. */
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
    this.#pairs.push([String(name), String(value)])
    this.#changed?.()
  }
  delete(name: unknown, value?: unknown): void {
    this.#pairs = this.#pairs.filter(
      ([key, held]) => key !== String(name) || (value !== undefined && held !== String(value)),
    )
    this.#changed?.()
  }
  get(name: unknown): string | null {
    return this.#pairs.find(([key]) => key === String(name))?.[1] ?? null
  }
  getAll(name: unknown): string[] {
    return this.#pairs.filter(([key]) => key === String(name)).map(([, value]) => value)
  }
  has(name: unknown, value?: unknown): boolean {
    return this.#pairs.some(
      ([key, held]) => key === String(name) && (value === undefined || held === String(value)),
    )
  }
  set(name: unknown, value: unknown): void {
    const at = this.#pairs.findIndex(([key]) => key === String(name))
    if (at < 0) this.#pairs.push([String(name), String(value)])
    else {
      this.#pairs[at]![1] = String(value)
      this.#pairs = this.#pairs.filter(([key], index) => index <= at || key !== String(name))
    }
    this.#changed?.()
  }
  sort(): void {
    this.#pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    this.#changed?.()
  }
  forEach(visit: (value: string, name: string, params: URLSearchParams) => void, self?: unknown): void {
    for (const [name, value] of this.#pairs) visit.call(self, value, name, this)
  }
  *entries(): IterableIterator<Pair> {
    for (const [name, value] of this.#pairs) yield [name, value]
  }
  *keys(): IterableIterator<string> {
    for (const [name] of this.#pairs) yield name
  }
  *values(): IterableIterator<string> {
    for (const [, value] of this.#pairs) yield value
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

export class URL {
  #parts: Parts
  #params: URLSearchParams | undefined

  constructor(url: unknown, base?: unknown) {
    this.#parts = ask(
      'url',
      base === undefined ? { url: String(url) } : { url: String(url), base: String(base) },
    )
  }
  static canParse(url: unknown, base?: unknown): boolean {
    try {
      return Boolean(new URL(url, base))
    } catch {
      return false
    }
  }
  static part(url: URL, name: keyof Parts): string {
    return url.#parts[name]
  }
  static change(url: URL, name: keyof Parts, value: unknown): void {
    url.#parts = ask('url-set', { url: url.#parts.href, name, value: String(value) })
    if (url.#params !== undefined && (name === 'href' || name === 'search')) {
      URLSearchParams.replace(url.#params, url.#parts.search)
    }
  }
  get searchParams(): URLSearchParams {
    return (this.#params ??= URLSearchParams.of(this.#parts.search, (search) => {
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
  for (const name of ['part', 'change']) delete (URL as any)[name]
  define('URL', URL)
  define('URLSearchParams', URLSearchParams)
}
