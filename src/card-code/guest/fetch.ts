// fetch in the shape of node-fetch. The host sends the request, follows redirects and hands the body over in chunks as
// it arrives; this side is the Request, Response and Headers that card code holds.
import { AbortSignal } from './abort.js'
import { Buffer, bytesOf, decode, utf8 } from './encoding.js'
import { Body } from './body.js'
import { ask, define, tell } from './bridge.js'
import { parseJson } from './errors.js'
import { Headers } from './headers.js'
import { URL, URLSearchParams } from './url.js'

/** node-fetch's own errors are named after their classes. */
class FetchBaseError extends Error {
  readonly type: string | undefined
  constructor(message: string, type?: string) {
    super(message)
    this.type = type
    Error.captureStackTrace(this)
  }
  get [Symbol.toStringTag](): string {
    return this.constructor.name
  }
}

Object.defineProperty(FetchBaseError.prototype, 'name', {
  configurable: true,
  get(this: object) {
    return this.constructor.name
  },
})

class FetchError extends FetchBaseError {
  constructor(
    message: string,
    type?: string,
    system?: { code: string | undefined; syscall: string | undefined },
  ) {
    super(message, type)
    if (system === undefined) return
    define('errno', system.code, this, true)
    define('code', system.code, this, true)
    define('erroredSysCall', system.syscall, this, true)
  }
}

class AbortError extends FetchBaseError {
  constructor(message = 'The operation was aborted.', type = 'aborted') {
    super(message, type)
  }
}

const given = (init: any): { bytes: Uint8Array | null; type: string | null } => {
  if (init === null || init === undefined) return { bytes: null, type: null }
  if (init instanceof URLSearchParams) {
    return { bytes: utf8(init.toString()), type: 'application/x-www-form-urlencoded;charset=UTF-8' }
  }
  if (init instanceof ArrayBuffer || ArrayBuffer.isView(init)) return { bytes: bytesOf(init), type: null }
  return { bytes: utf8(String(init)), type: 'text/plain;charset=UTF-8' }
}

abstract class Message {
  protected content: Body | null = null
  abstract readonly url: string
  abstract readonly headers: Headers

  get body(): Body | null {
    return this.content
  }
  get bodyUsed(): boolean {
    return this.content?.disturbed ?? false
  }
  async #all(): Promise<Uint8Array> {
    if (this.content?.disturbed) throw new TypeError(`body used already for: ${this.url}`)
    return this.content === null ? new Uint8Array() : await this.content.bytes()
  }
  async text(): Promise<string> {
    return decode(await this.#all())
  }
  async json(): Promise<unknown> {
    return parseJson(await this.text())
  }
  async buffer(): Promise<Buffer> {
    const bytes = await this.#all()
    return Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength)
  }
  async arrayBuffer(): Promise<ArrayBuffer> {
    return bytesOf(await this.#all()).buffer as ArrayBuffer
  }
  protected split(): Body | null {
    if (this.content === null) return null
    if (this.content.disturbed) throw new Error('cannot clone body after it is used')
    const [kept, copy] = this.content.tee()
    this.content = kept
    return copy
  }
}

interface ResponseParts {
  status?: number
  statusText?: string
  headers?: unknown
  url?: string
  counter?: number
}

export class Response extends Message {
  readonly status: number
  readonly statusText: string
  readonly headers: Headers
  readonly url: string
  readonly redirected: boolean
  readonly type: string = 'default'

  constructor(body: any = null, init: ResponseParts = {}) {
    super()
    this.status = init.status ?? 200
    this.statusText = init.statusText ?? ''
    this.headers = new Headers(init.headers)
    this.url = init.url ?? ''
    this.redirected = (init.counter ?? 0) > 0
    if (body instanceof Body) this.content = body
    else {
      const { bytes, type } = given(body)
      if (bytes !== null) this.content = Body.of(bytes)
      if (type !== null && !this.headers.has('content-type')) this.headers.append('content-type', type)
    }
  }
  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }
  clone(): Response {
    const { status, statusText, headers, url, redirected } = this
    return new Response(this.split(), { status, statusText, headers, url, counter: redirected ? 1 : 0 })
  }
  static redirect(url: string, status = 302): Response {
    if (![301, 302, 303, 307, 308].includes(status)) {
      throw new RangeError('Failed to execute "redirect" on "response": Invalid status code')
    }
    return new Response(null, { headers: { location: new URL(url).toString() }, status })
  }
  static json(data: unknown, init: ResponseParts = {}): Response {
    const body = JSON.stringify(data)
    const headers = new Headers(init.headers)
    if (!headers.has('content-type')) headers.set('content-type', 'application/json')
    return new Response(body, { ...init, headers })
  }
  static error(): Response {
    return new Response(null, { status: 0 })
  }
  get [Symbol.toStringTag](): string {
    return 'Response'
  }
}

export class Request extends Message {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly redirect: string
  readonly signal: AbortSignal | null
  readonly follow: number
  readonly source: Uint8Array | null

  constructor(input: any, init: any = {}) {
    super()
    const from = input instanceof Request ? input : undefined
    const address =
      from === undefined
        ? new URL(typeof input?.href === 'string' ? input.href : `${input}`)
        : new URL(from.url)
    if (
      address.toString().includes('@') &&
      ((address as any).username !== '' || (address as any).password !== '')
    ) {
      throw new TypeError(`${address.toString()} is an url with embedded credentials.`)
    }
    this.url = address.toString()
    const method = String(init.method ?? from?.method ?? 'GET')
    this.method = /^(delete|get|head|options|post|put)$/i.test(method) ? method.toUpperCase() : method
    this.headers = new Headers(init.headers ?? from?.headers)
    this.redirect = init.redirect ?? from?.redirect ?? 'follow'
    this.follow = init.follow ?? from?.follow ?? 20
    this.signal = 'signal' in init ? init.signal : (from?.signal ?? null)
    if (
      this.signal !== null &&
      this.signal !== undefined &&
      typeof this.signal.addEventListener !== 'function'
    ) {
      throw new TypeError('Expected signal to be an instanceof AbortSignal or EventTarget')
    }
    const isBodyless = this.method === 'GET' || this.method === 'HEAD'
    if (isBodyless && ((init.body !== undefined && init.body !== null) || from?.source))
      throw new TypeError('Request with GET/HEAD method cannot have body')
    // An empty text is no body, as in node-fetch.
    const { bytes, type } = init.body ? given(init.body) : { bytes: from?.source ?? null, type: null }
    this.source = bytes
    if (bytes !== null) this.content = Body.of(bytes)
    if (type !== null && !this.headers.has('content-type')) this.headers.append('content-type', type)
  }
  clone(): Request {
    return new Request(this)
  }
  get [Symbol.toStringTag](): string {
    return 'Request'
  }
}

interface Pending {
  resolve(response: Response): void
  reject(error: unknown): void
  body: Body | undefined
  url: string
  release(): void
}

// No Map: card code may replace its methods.
const pending: Record<number, Pending> = Object.create(null)
let lastRequest = 0

const fetch = (input: unknown, init?: unknown): Promise<Response> =>
  new Promise((resolve, reject) => {
    const request = new Request(input, init ?? {})
    const protocol: string = (new URL(request.url) as any).protocol
    if (protocol !== 'http:' && protocol !== 'https:' && protocol !== 'data:') {
      throw new TypeError(
        `node-fetch cannot load ${request.url}. URL scheme "${protocol.replace(/:$/, '')}" is not supported.`,
      )
    }
    if (request.signal?.aborted) {
      reject(new AbortError())
      return
    }
    if (protocol === 'data:') {
      const data = ask('data-url', request.url)
      resolve(
        new Response(Buffer.from(data.base64, 'base64'), {
          headers: { 'content-type': data.type },
          url: request.url,
        }),
      )
      return
    }
    const id = (lastRequest += 1)
    const abort = (): void => {
      const call = pending[id]
      delete pending[id]
      tell('abort', { id })
      const error = new AbortError()
      reject(error)
      call?.body?.end(error)
    }
    request.signal?.addEventListener('abort', abort, { once: true })
    const release = (): void => request.signal?.removeEventListener('abort', abort)
    pending[id] = { resolve, reject, body: undefined, release, url: request.url }
    const { method, url, redirect, follow } = request
    const headers = Headers.pairs(request.headers)
    tell(
      'fetch',
      { id, method, url, headers, redirect, follow, hasBody: request.source !== null },
      buffered(request.source),
    )
  })

const buffered = (bytes: Uint8Array | null): ArrayBuffer | undefined =>
  bytes === null ? undefined : (bytesOf(bytes).buffer as ArrayBuffer)

interface Arrival {
  id: number
  kind: 'head' | 'chunk' | 'end' | 'error'
  status?: number
  statusText?: string
  headers?: [string, string][]
  url?: string
  counter?: number
  message?: string
  type?: string
  code?: string
}

/** Hands over what came for a request. */
export const arrive = (news: Arrival, bytes?: ArrayBuffer): void => {
  const call = pending[news.id]
  if (call === undefined) return
  try {
    handOver(news, call, bytes)
  } catch (error) {
    // Card code has replaced what a body is made of: its promise says so.
    delete pending[news.id]
    call.reject(error)
  }
}

const handOver = (news: Arrival, call: Pending, bytes: ArrayBuffer | undefined): void => {
  if (news.kind === 'head') {
    call.body = new Body()
    call.resolve(new Response(call.body, news))
  } else if (news.kind === 'chunk') {
    if (bytes !== undefined) call.body?.push(new Uint8Array(bytes))
  } else {
    delete pending[news.id]
    call.release()
    const failure = news.kind === 'error' ? failureOf(news, call) : undefined
    if (call.body === undefined) call.reject(failure)
    else call.body.end(failure)
  }
}

const systemCalls: Record<string, string> = {
  ECONNREFUSED: 'connect',
  EHOSTUNREACH: 'connect',
  ENETUNREACH: 'connect',
  ETIMEDOUT: 'connect',
  ENOTFOUND: 'getaddrinfo',
  EAI_AGAIN: 'getaddrinfo',
  ECONNRESET: 'read',
  EPIPE: 'write',
}

const failureOf = ({ message = '', type = 'system', code }: Arrival, { body, url }: Pending): FetchError => {
  const cut = body !== undefined && type === 'system' && !message.startsWith('Invalid response body')
  return new FetchError(
    cut ? `Invalid response body while trying to fetch ${url}: ${message}` : message,
    type,
    code === undefined
      ? undefined
      : { code, syscall: Object.hasOwn(systemCalls, code) ? systemCalls[code] : undefined },
  )
}

/** Installs fetch and its classes. */
export const installFetch = (): void => {
  define('fetch', fetch)
  define('Headers', Headers)
  define('Request', Request)
  define('Response', Response)
}
