// The globals of card code, for editors: `"types": ["sandbox-server/card-globals"]` in jsconfig.json. Node.js and the
// DOM are not among them: card code has no require, no process but process.env, and no files.

type Authorization = import('../dist/card.js').Authorization
type BeforeTransaction = import('../dist/card.js').BeforeTransaction
type AfterTransaction = import('../dist/card.js').AfterTransaction
type AfterDecline = import('../dist/card.js').AfterDecline
type AfterReversal = import('../dist/card.js').AfterReversal
type AfterAdjustment = import('../dist/card.js').AfterAdjustment

/** The card's variables; each is a text. */
declare const process: { readonly env: Readonly<Record<string, string | undefined>> }

interface CardConsole {
  log(...values: unknown[]): void
  info(...values: unknown[]): void
  warn(...values: unknown[]): void
  error(...values: unknown[]): void
  debug(...values: unknown[]): void
  table(rows: unknown): void
  time(label?: string): void
  timeEnd(label?: string): void
}
/** Each line is kept with the execution. */
declare const console: CardConsole

interface AbortSignal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void): void
}
declare const AbortSignal: {
  /** A signal that aborts after so many milliseconds. */
  timeout(ms: number): AbortSignal
  abort(reason?: unknown): AbortSignal
}
declare class AbortController {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
}

declare class Headers {
  constructor(init?: Record<string, string> | [string, string][])
  get(name: string): string | null
  has(name: string): boolean
  set(name: string, value: string): void
  append(name: string, value: string): void
  delete(name: string): void
  forEach(each: (value: string, name: string) => void): void
}

interface Response {
  readonly ok: boolean
  readonly status: number
  readonly statusText: string
  readonly url: string
  readonly redirected: boolean
  readonly headers: Headers
  /** Parses the body; it can be read once. */
  json(): Promise<any>
  text(): Promise<string>
  arrayBuffer(): Promise<ArrayBuffer>
}

interface FetchOptions {
  method?: string
  headers?: Headers | Record<string, string> | [string, string][]
  body?: string | URLSearchParams | Uint8Array | null
  /** A deadline: `AbortSignal.timeout(1500)`. */
  signal?: AbortSignal
  redirect?: 'follow' | 'manual' | 'error'
}
declare function fetch(url: string | URL, options?: FetchOptions): Promise<Response>

declare class URLSearchParams {
  constructor(init?: string | Record<string, string> | [string, string][])
  append(name: string, value: string): void
  delete(name: string): void
  get(name: string): string | null
  getAll(name: string): string[]
  has(name: string): boolean
  set(name: string, value: string): void
  toString(): string
}
declare class URL {
  constructor(url: string, base?: string | URL)
  hash: string
  host: string
  hostname: string
  href: string
  readonly origin: string
  pathname: string
  port: string
  protocol: string
  search: string
  readonly searchParams: URLSearchParams
  toString(): string
}

declare function setTimeout(run: () => void, ms?: number): unknown
declare function clearTimeout(timer: unknown): void
declare function setInterval(run: () => void, ms?: number): unknown
declare function clearInterval(timer: unknown): void
declare function queueMicrotask(run: () => void): void
declare function structuredClone<T>(value: T): T
declare function atob(text: string): string
declare function btoa(text: string): string

declare class TextEncoder {
  encode(text: string): Uint8Array
}
declare class TextDecoder {
  constructor(encoding?: string)
  decode(bytes: Uint8Array | ArrayBuffer): string
}

interface Buffer extends Uint8Array {
  toString(encoding?: 'utf8' | 'base64' | 'hex' | 'base64url'): string
}
declare const Buffer: {
  from(data: string | ArrayBuffer | Uint8Array | number[], encoding?: string): Buffer
  byteLength(text: string): number
}

declare const crypto: {
  randomUUID(): string
  getRandomValues<T extends Uint8Array>(bytes: T): T
}

/** Helpers of the bank. */
interface CardHelpers {
  format: {
    /** Cents as a decimal text: `decimal(8495)` is `84.95`. */
    decimal(value: number, divisor?: number): string
  }
}
declare const investec: { helpers: CardHelpers }
declare const helpers: CardHelpers

/** Moment.js 2. */
declare const moment: (input?: string | number | Date, format?: string) => any
