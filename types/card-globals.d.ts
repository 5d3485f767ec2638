// The globals of card code, for editors: `"types": ["sandbox-server/card-globals"]` in jsconfig.json. Node.js and the
// DOM are not among them: card code has no require, no files, and of process only env and nextTick.

type Authorization = import('../dist/card.js').Authorization
type BeforeTransaction = import('../dist/card.js').BeforeTransaction
type AfterTransaction = import('../dist/card.js').AfterTransaction
type AfterDecline = import('../dist/card.js').AfterDecline
type AfterReversal = import('../dist/card.js').AfterReversal
type AfterAdjustment = import('../dist/card.js').AfterAdjustment

declare var global: typeof globalThis

declare const process: {
  /** The card's variables; each is a text. */
  readonly env: Record<string, string | undefined>
  /** Runs before timers, after the code that runs now. */
  nextTick<A extends unknown[]>(run: (...args: A) => void, ...args: A): void
}

interface CardConsole {
  log(...values: unknown[]): void
  info(...values: unknown[]): void
  warn(...values: unknown[]): void
  error(...values: unknown[]): void
  debug(...values: unknown[]): void
  trace(...values: unknown[]): void
  dir(value: unknown, options?: object): void
  dirxml(...values: unknown[]): void
  assert(holds?: unknown, ...values: unknown[]): void
  count(label?: string): void
  countReset(label?: string): void
  group(...values: unknown[]): void
  groupCollapsed(...values: unknown[]): void
  groupEnd(): void
  table(rows: unknown, columns?: readonly string[]): void
  time(label?: string): void
  timeLog(label?: string, ...values: unknown[]): void
  timeEnd(label?: string): void
}
/** Each line is kept with the execution. */
declare const console: CardConsole

/** Helpers of the bank. */
interface CardHelpers {
  format: {
    /**
     * A number as a text with decimals: `decimal(51, 100)` is `51.00`. The second argument is the precision (100 stands for
     * two decimals, the default), not a division: convert cents to rand first.
     */
    decimal(value: number | string, precision?: number): string
  }
}
declare const investec: { helpers: CardHelpers }
declare const helpers: CardHelpers

/** Moment.js 2, with the languages af, de, fr, nl, pt and all of English. */
declare const moment: {
  (input?: unknown, format?: unknown, language?: unknown, isStrict?: boolean): any
  readonly [member: string]: any
}

// The network: node-fetch 3.

type CardHeadersInit = Headers | Record<string, string> | Iterable<readonly [string, string]>

declare class Headers {
  constructor(init?: CardHeadersInit | null)
  /** The value, those of several lines joined with a comma; null when there is none. */
  get(name: string): string | null
  /** The value of each line. */
  getAll(name: string): string[]
  has(name: string): boolean
  set(name: string, value: string): void
  append(name: string, value: string): void
  delete(name: string): void
  forEach(each: (value: string, name: string, headers: Headers) => void, self?: unknown): void
  /** All lines by their names. */
  raw(): Record<string, string[]>
  keys(): IterableIterator<string>
  values(): IterableIterator<string>
  entries(): IterableIterator<[string, string]>
  [Symbol.iterator](): IterableIterator<[string, string]>
  toString(): string
}

type CardBodyInit = string | URLSearchParams | ArrayBuffer | ArrayBufferView

/** The stream of a body; it can be read once. */
interface CardBody extends AsyncIterable<Buffer> {
  on(event: 'data', listener: (chunk: Buffer) => void): this
  on(event: 'end', listener: () => void): this
  on(event: 'error', listener: (error: Error) => void): this
  once(event: 'data', listener: (chunk: Buffer) => void): this
  once(event: 'end', listener: () => void): this
  once(event: 'error', listener: (error: Error) => void): this
}

/** What requests and responses have in common. */
interface CardMessage {
  /** The most bytes that are read; 0 for no limit. */
  size: number
  readonly body: CardBody | null
  readonly bodyUsed: boolean
  /** Parses the body; it can be read once. */
  json(): Promise<any>
  text(): Promise<string>
  arrayBuffer(): Promise<ArrayBuffer>
  buffer(): Promise<Buffer>
}

interface CardResponseInit {
  status?: number
  statusText?: string
  headers?: CardHeadersInit
}

interface Response extends CardMessage {
  readonly type: string
  readonly url: string
  /** Whether the status is 200 to 299. */
  readonly ok: boolean
  readonly status: number
  readonly statusText: string
  readonly redirected: boolean
  readonly headers: Headers
  readonly highWaterMark: number | undefined
  clone(): Response
}
declare const Response: {
  readonly prototype: Response
  new (body?: CardBodyInit | null, init?: CardResponseInit): Response
  redirect(url: string, status?: number): Response
  error(): Response
  json(data: unknown, init?: CardResponseInit): Response
}

interface FetchOptions {
  /** GET when nothing is said. */
  method?: string
  headers?: CardHeadersInit
  body?: CardBodyInit | null
  /** A deadline: `AbortSignal.timeout(1500)`. */
  signal?: AbortSignal | null
  redirect?: 'follow' | 'manual' | 'error'
  /** The most redirects that are followed; 20 when nothing is said. */
  follow?: number
  /** The most bytes of a body; 0 for no limit. */
  size?: number
  referrer?: string
  referrerPolicy?: string
}

interface Request extends CardMessage {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly redirect: string
  readonly signal: AbortSignal | null
  readonly referrer: string
  readonly referrerPolicy: string
  follow: number
  compress: boolean
  counter: number
  agent: unknown
  highWaterMark: number
  insecureHTTPParser: boolean
  clone(): Request
}
declare const Request: {
  readonly prototype: Request
  new (input: string | URL | Request, init?: FetchOptions): Request
}

declare function fetch(url: string | URL | Request, options?: FetchOptions): Promise<Response>

// Addresses.

declare class URLSearchParams {
  constructor(init?: string | Record<string, unknown> | Iterable<readonly [string, string]> | null)
  readonly size: number
  append(name: string, value: unknown): void
  delete(name: string, value?: unknown): void
  get(name: string): string | null
  getAll(name: string): string[]
  has(name: string, value?: unknown): boolean
  set(name: string, value: unknown): void
  sort(): void
  forEach(each: (value: string, name: string, params: URLSearchParams) => void, self?: unknown): void
  keys(): IterableIterator<string>
  values(): IterableIterator<string>
  entries(): IterableIterator<[string, string]>
  [Symbol.iterator](): IterableIterator<[string, string]>
  toString(): string
}
declare class URL {
  constructor(url: string | URL, base?: string | URL)
  static canParse(url: string | URL, base?: string | URL): boolean
  hash: string
  host: string
  hostname: string
  href: string
  readonly origin: string
  password: string
  pathname: string
  port: string
  protocol: string
  search: string
  readonly searchParams: URLSearchParams
  username: string
  toString(): string
  toJSON(): string
}

// Events and deadlines.

interface CardEventInit {
  bubbles?: boolean
  cancelable?: boolean
  composed?: boolean
}

declare class Event {
  constructor(type: string, init?: CardEventInit)
  static readonly NONE: 0
  static readonly CAPTURING_PHASE: 1
  static readonly AT_TARGET: 2
  static readonly BUBBLING_PHASE: 3
  readonly type: string
  readonly bubbles: boolean
  readonly cancelable: boolean
  readonly composed: boolean
  readonly isTrusted: boolean
  readonly timeStamp: number
  readonly target: EventTarget | null
  readonly srcElement: EventTarget | null
  readonly currentTarget: EventTarget | null
  readonly eventPhase: number
  readonly defaultPrevented: boolean
  readonly returnValue: boolean
  cancelBubble: boolean
  preventDefault(): void
  stopPropagation(): void
  stopImmediatePropagation(): void
  composedPath(): EventTarget[]
  initEvent(type: string, bubbles?: boolean, cancelable?: boolean): void
}

declare class CustomEvent<T = any> extends Event {
  constructor(type: string, init?: CardEventInit & { detail?: T })
  readonly detail: T
}

type CardEventListener = ((event: any) => void) | { handleEvent(event: any): void }

declare class EventTarget {
  addEventListener(
    type: string,
    listener: CardEventListener | null,
    options?: boolean | { capture?: boolean; once?: boolean; passive?: boolean; signal?: AbortSignal },
  ): void
  removeEventListener(
    type: string,
    listener: CardEventListener | null,
    options?: boolean | { capture?: boolean },
  ): void
  dispatchEvent(event: Event): boolean
}

interface AbortSignal extends EventTarget {
  readonly aborted: boolean
  readonly reason: any
  onabort: ((event: Event) => void) | null
  throwIfAborted(): void
}
declare const AbortSignal: {
  readonly prototype: AbortSignal
  /** A signal that aborts after so many milliseconds. */
  timeout(ms: number): AbortSignal
  abort(reason?: unknown): AbortSignal
  /** A signal that aborts with the first of these. */
  any(signals: readonly AbortSignal[]): AbortSignal
}
declare class AbortController {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
}

/** The codes of errors that older interfaces use. */
interface CardExceptionCodes {
  readonly INDEX_SIZE_ERR: 1
  readonly DOMSTRING_SIZE_ERR: 2
  readonly HIERARCHY_REQUEST_ERR: 3
  readonly WRONG_DOCUMENT_ERR: 4
  readonly INVALID_CHARACTER_ERR: 5
  readonly NO_DATA_ALLOWED_ERR: 6
  readonly NO_MODIFICATION_ALLOWED_ERR: 7
  readonly NOT_FOUND_ERR: 8
  readonly NOT_SUPPORTED_ERR: 9
  readonly IN_USE_ATTRIBUTE_ERR: 10
  readonly INVALID_STATE_ERR: 11
  readonly SYNTAX_ERR: 12
  readonly INVALID_MODIFICATION_ERR: 13
  readonly NAMESPACE_ERR: 14
  readonly INVALID_ACCESS_ERR: 15
  readonly VALIDATION_ERR: 16
  readonly TYPE_MISMATCH_ERR: 17
  readonly SECURITY_ERR: 18
  readonly NETWORK_ERR: 19
  readonly ABORT_ERR: 20
  readonly URL_MISMATCH_ERR: 21
  readonly QUOTA_EXCEEDED_ERR: 22
  readonly TIMEOUT_ERR: 23
  readonly INVALID_NODE_TYPE_ERR: 24
  readonly DATA_CLONE_ERR: 25
}
interface DOMException extends Error, CardExceptionCodes {
  readonly code: number
}
declare const DOMException: CardExceptionCodes & {
  readonly prototype: DOMException
  new (message?: string, nameOrOptions?: string | { name?: string; cause?: unknown }): DOMException
}

// Timers.

interface CardImmediate {
  ref(): this
  unref(): this
  hasRef(): boolean
}
interface CardTimeout extends CardImmediate {
  close(): this
  refresh(): this
  [Symbol.toPrimitive](): number
}
declare function setTimeout<A extends unknown[]>(
  run: (...args: A) => void,
  ms?: number,
  ...args: A
): CardTimeout
declare function setInterval<A extends unknown[]>(
  run: (...args: A) => void,
  ms?: number,
  ...args: A
): CardTimeout
declare function setImmediate<A extends unknown[]>(run: (...args: A) => void, ...args: A): CardImmediate
declare function clearTimeout(timer?: CardTimeout | number | string | null): void
declare function clearInterval(timer?: CardTimeout | number | string | null): void
declare function clearImmediate(timer?: CardImmediate | null): void
declare function queueMicrotask(run: () => void): void
declare const performance: {
  /** Milliseconds since the execution started. */
  now(): number
  readonly timeOrigin: number
}

// Text and bytes.

declare function structuredClone<T>(value: T): T
declare function atob(text: string): string
declare function btoa(text: string): string

declare class TextEncoder {
  readonly encoding: string
  encode(text?: string): Uint8Array
  encodeInto(text: string, target: Uint8Array): { read: number; written: number }
}
declare class TextDecoder {
  constructor(encoding?: string, options?: { fatal?: boolean; ignoreBOM?: boolean })
  readonly encoding: string
  readonly fatal: boolean
  readonly ignoreBOM: boolean
  decode(bytes?: ArrayBuffer | ArrayBufferView, options?: { stream?: boolean }): string
}

type CardHashName = 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512'
type CardBytes = ArrayBuffer | ArrayBufferView

/** A key for HMAC; `crypto.subtle.importKey` makes it. */
interface CryptoKey {
  readonly type: 'secret'
  readonly extractable: boolean
  readonly algorithm: object
  readonly usages: string[]
}
declare const crypto: {
  randomUUID(): string
  getRandomValues<T extends ArrayBufferView>(array: T): T
  /** Digests and HMAC, to sign and check webhooks. */
  readonly subtle: {
    digest(algorithm: CardHashName | { name: CardHashName }, data: CardBytes): Promise<ArrayBuffer>
    importKey(
      format: 'raw',
      key: CardBytes,
      algorithm: { name: 'HMAC'; hash: CardHashName | { name: CardHashName } },
      isExtractable: boolean,
      usages: readonly ('sign' | 'verify')[],
    ): Promise<CryptoKey>
    exportKey(format: 'raw', key: CryptoKey): Promise<ArrayBuffer>
    sign(algorithm: 'HMAC' | { name: 'HMAC' }, key: CryptoKey, data: CardBytes): Promise<ArrayBuffer>
    verify(
      algorithm: 'HMAC' | { name: 'HMAC' },
      key: CryptoKey,
      signature: CardBytes,
      data: CardBytes,
    ): Promise<boolean>
  }
}

type CardEncoding =
  | 'utf8'
  | 'utf-8'
  | 'hex'
  | 'base64'
  | 'base64url'
  | 'ascii'
  | 'latin1'
  | 'binary'
  | 'ucs2'
  | 'ucs-2'
  | 'utf16le'
  | 'utf-16le'
type CardBufferSource = string | ArrayBuffer | ArrayLike<number> | { valueOf(): string | object }

type CardNumberKind =
  | `${'UInt' | 'Uint' | 'Int'}${'8' | '16LE' | '16BE' | '32LE' | '32BE'}`
  | `${'Float' | 'Double'}${'LE' | 'BE'}`
type CardBigIntKind = `Big${'UInt' | 'Int'}64${'LE' | 'BE'}`
type CardSizedKind = `${'UInt' | 'Uint' | 'Int'}${'LE' | 'BE'}`

/** `readUInt8(offset)`, `readDoubleLE(offset)` and so on; `readUIntBE(offset, byteLength)` reads up to six bytes. */
type CardReads = { [K in CardNumberKind as `read${K}`]: (offset?: number) => number } & {
  [K in CardBigIntKind as `read${K}`]: (offset?: number) => bigint
} & { [K in CardSizedKind as `read${K}`]: (offset: number, byteLength: number) => number }

/** `writeUInt8(value, offset)` and so on; they return the offset behind what they wrote. */
type CardWrites = { [K in CardNumberKind as `write${K}`]: (value: number, offset?: number) => number } & {
  [K in CardBigIntKind as `write${K}`]: (value: bigint, offset?: number) => number
} & { [K in CardSizedKind as `write${K}`]: (value: number, offset: number, byteLength: number) => number }

interface Buffer extends Uint8Array, CardReads, CardWrites {
  toString(encoding?: CardEncoding, start?: number, end?: number): string
  toJSON(): { type: 'Buffer'; data: number[] }
  equals(other: Uint8Array): boolean
  compare(
    other: Uint8Array,
    targetStart?: number,
    targetEnd?: number,
    start?: number,
    end?: number,
  ): -1 | 0 | 1
  copy(target: Uint8Array, targetStart?: number, start?: number, end?: number): number
  slice(start?: number, end?: number): Buffer & ReturnType<Uint8Array['slice']>
  subarray(start?: number, end?: number): Buffer
  fill(value: string | number | Uint8Array, start?: number, end?: number, encoding?: CardEncoding): this
  includes(value: string | number | Uint8Array, start?: number, encoding?: CardEncoding): boolean
  indexOf(value: string | number | Uint8Array, start?: number, encoding?: CardEncoding): number
  lastIndexOf(value: string | number | Uint8Array, start?: number, encoding?: CardEncoding): number
  write(text: string, encoding?: CardEncoding): number
  write(text: string, offset: number, encoding?: CardEncoding): number
  write(text: string, offset: number, length: number, encoding?: CardEncoding): number
  swap16(): this
  swap32(): this
  swap64(): this
}
declare const Buffer: {
  readonly prototype: Buffer
  from(data: CardBufferSource, encoding?: CardEncoding): Buffer
  from(data: ArrayBuffer, offset?: number, length?: number): Buffer
  alloc(size: number, fill?: string | number | Uint8Array, encoding?: CardEncoding): Buffer
  allocUnsafe(size: number): Buffer
  allocUnsafeSlow(size: number): Buffer
  byteLength(data: string | ArrayBuffer | ArrayBufferView, encoding?: CardEncoding): number
  compare(one: Uint8Array, other: Uint8Array): -1 | 0 | 1
  concat(list: readonly Uint8Array[], totalLength?: number): Buffer
  isBuffer(value: unknown): value is Buffer
  isEncoding(name: unknown): name is CardEncoding
}
