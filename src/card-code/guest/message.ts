// Request and Response in the shape of node-fetch 3.
import type { AbortSignal } from './abort.js'
import { Body } from './body.js'
import { define, noOptions } from './bridge.js'
import { Buffer, bytesOf, decode, utf8 } from './encoding.js'
import { parseJson } from './errors.js'
import { FetchBaseError, FetchError } from './fetch-errors.js'
import { Headers } from './headers.js'
import { URL, URLSearchParams } from './url.js'

interface Content {
  /** The given body as bytes; null for no body, and a stream for a body from the network. */
  given: Buffer | Body | null
  stream: Body | null
  disturbed: boolean
}

const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength)

const givenOf = (body: any): Buffer | Body | null => {
  if (body === null || body === undefined || body instanceof Body) return body ?? null
  if (Buffer.isBuffer(body)) return body
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return bufferOf(bytesOf(body))
  return bufferOf(utf8(body instanceof URLSearchParams ? body.toString() : String(body)))
}

const typeOf = (body: any): string | null => {
  if (body === null || body === undefined || body instanceof Body) return null
  if (body instanceof URLSearchParams) return 'application/x-www-form-urlencoded;charset=UTF-8'
  return body instanceof ArrayBuffer || ArrayBuffer.isView(body) ? null : 'text/plain;charset=UTF-8'
}

/** The first truthy value, or the last one: node-fetch reads its options in this way. */
const first = (...values: any[]): any => values.find(Boolean) ?? values.at(-1)

const inspectCustom = Symbol.for('nodejs.util.inspect.custom')
const bodyInternals = Symbol('Body internals')

/** What console prints instead of an object of this class, whose internal streams differ from Node's. */
const likeness = (Kind: object, fields: object): object =>
  Object.assign(Object.create({ constructor: Kind }) as object, fields)

const notPrinted = {
  [inspectCustom]: () => '<a stream, whose insides the sandbox does not print: read it, as with text()>',
}

abstract class Message {
  size: number
  readonly #content: Content

  constructor(body: any, size: number) {
    const given = givenOf(body)
    const stream = given === null || given instanceof Body ? given : Body.of(given)
    this.#content = { given, stream, disturbed: false }
    this.size = size
  }

  abstract readonly url: string
  abstract readonly headers: Headers

  static given(message: Message): Uint8Array | null {
    const { given } = message.#content
    return given instanceof Body ? null : given
  }
  static split(message: Message): any {
    const content = message.#content
    if (content.disturbed || content.stream?.disturbed === true)
      throw new Error('cannot clone body after it is used')
    if (!(content.given instanceof Body)) return content.given
    const [kept, copy] = content.given.tee()
    content.given = kept
    content.stream = kept
    return copy
  }
  static printed(message: Message): object {
    const { given, stream, disturbed } = message.#content
    return {
      size: message.size,
      [bodyInternals]: {
        body: given instanceof Body ? notPrinted : given,
        stream: stream === null ? null : notPrinted,
        boundary: null,
        disturbed,
        error: null,
      },
    }
  }

  get body(): Body | null {
    return this.#content.stream
  }
  get bodyUsed(): boolean {
    return this.#content.disturbed
  }
  async #all(): Promise<Buffer> {
    const content = this.#content
    if (content.disturbed) throw new TypeError(`body used already for: ${this.url}`)
    content.disturbed = true
    const { stream } = content
    if (stream === null) return Buffer.alloc(0)
    try {
      return bufferOf(await stream.bytes(this.#limit()))
    } catch (error: any) {
      if (error instanceof FetchBaseError) throw error
      const message = `Invalid response body while trying to fetch ${this.url}: ${error.message}`
      throw new FetchError(message, 'system', { code: error.code, syscall: error.syscall })
    }
  }
  #limit(): { max: number; refuse: () => Error } | undefined {
    const { size, url } = this
    const refuse = (): Error => new FetchError(`content size at ${url} over limit: ${size}`, 'max-size')
    return size > 0 ? { max: size, refuse } : undefined
  }
  async arrayBuffer(): Promise<ArrayBuffer> {
    return bytesOf(await this.#all()).buffer as ArrayBuffer
  }
  async json(): Promise<unknown> {
    return parseJson(await this.text())
  }
  async text(): Promise<string> {
    return decode(await this.#all())
  }
  async buffer(): Promise<Buffer> {
    return this.#all()
  }
  async blob(): Promise<never> {
    throw new TypeError('blob() is not there in the sandbox: use arrayBuffer() or buffer()')
  }
  async formData(): Promise<never> {
    throw new TypeError(
      'formData() is not there in the sandbox: use new URLSearchParams(await response.text())',
    )
  }
}

const { given: givenBytes, split, printed } = Message

/** The bytes of a message that card code has made; null for one without a body, or with a stream. */
export const bytesGiven = (message: Request): Uint8Array | null => givenBytes(message)

interface ResponseInit {
  status?: number
  statusText?: string
  headers?: unknown
  url?: string | undefined
  counter?: number | undefined
  size?: number
  highWaterMark?: number | undefined
  type?: string
}

const responseInternals = Symbol('Response internals')
const redirects = [301, 302, 303, 307, 308]

export class Response extends Message {
  readonly #parts: Required<Pick<ResponseInit, 'status' | 'statusText' | 'type'>> & ResponseInit
  readonly #headers: Headers

  constructor(body: any = null, options: ResponseInit = noOptions) {
    super(body, options.size ?? 0)
    const { type = 'default', url, status, statusText, counter, highWaterMark } = options
    this.#headers = new Headers(options.headers)
    if (body !== null && !this.#headers.has('Content-Type')) {
      const contentType = typeOf(body)
      if (contentType !== null) this.#headers.append('Content-Type', contentType)
    }
    this.#parts = {
      type,
      url,
      status: status ?? 200,
      statusText: first(statusText, ''),
      counter,
      highWaterMark,
    }
  }
  get type(): string {
    return this.#parts.type
  }
  get url(): string {
    return first(this.#parts.url, '')
  }
  get status(): number {
    return this.#parts.status
  }
  get ok(): boolean {
    return this.#parts.status >= 200 && this.#parts.status < 300
  }
  get redirected(): boolean {
    return (this.#parts.counter ?? 0) > 0
  }
  get statusText(): string {
    return this.#parts.statusText
  }
  get headers(): Headers {
    return this.#headers
  }
  get highWaterMark(): number | undefined {
    return this.#parts.highWaterMark
  }
  clone(): Response {
    // As in node-fetch, which loses whether it was redirected.
    const { type, url, status, statusText, headers, size, highWaterMark } = this
    return new Response(split(this), { type, url, status, statusText, headers, size, highWaterMark })
  }
  static redirect(url: string, status = 302): Response {
    if (!redirects.includes(status))
      throw new RangeError('Failed to execute "redirect" on "response": Invalid status code')
    return new Response(null, { headers: { location: new URL(url).toString() }, status })
  }
  static error(): Response {
    return new Response(null, { status: 0, statusText: '', type: 'error' })
  }
  static json(data: unknown, init: ResponseInit = {}): Response {
    const body = JSON.stringify(data)
    if (body === undefined) throw new TypeError('data is not JSON serializable')
    const headers = new Headers(init?.headers)
    if (!headers.has('content-type')) headers.set('content-type', 'application/json')
    return new Response(body, { ...init, headers })
  }
  get [Symbol.toStringTag](): string {
    return 'Response'
  }
  [inspectCustom](): object {
    const { type, url, status, statusText, counter, highWaterMark } = this.#parts
    return likeness(this.constructor, {
      ...printed(this),
      [responseInternals]: { type, url, status, statusText, headers: this.#headers, counter, highWaterMark },
    })
  }
}

const requestInternals = Symbol('Request internals')

export class Request extends Message {
  follow: number
  compress: boolean
  counter: number
  agent: unknown
  highWaterMark: number
  insecureHTTPParser: boolean
  referrerPolicy: string
  readonly #method: string
  readonly #redirect: string
  readonly #headers: Headers
  readonly #url: URL
  readonly #signal: AbortSignal | null
  readonly #referrer: string | undefined

  constructor(input: any, init: any = noOptions) {
    const from: any = input instanceof Request ? input : noOptions
    const url = urlOf(input instanceof Request ? input.url : input)
    const method = methodOf(init, from)
    // An empty text is no body, as in node-fetch.
    const body = first(init.body, (from.body ?? null) === null ? null : split(from))
    super(body, first(init.size, from.size, 0))
    this.#headers = new Headers(first(init.headers, from.headers, noOptions))
    const contentType = typeOf(body)
    if (contentType !== null && !this.#headers.has('Content-Type'))
      this.#headers.set('Content-Type', contentType)
    const signal = signalOf(init, from)
    this.#method = String(method)
    this.#redirect = first(init.redirect, from.redirect, 'follow')
    this.#url = url
    this.#signal = signal
    this.#referrer = referrerOf(init.referrer ?? from.referrer)
    this.follow = init.follow ?? from.follow ?? 20
    this.compress = init.compress ?? from.compress ?? true
    this.counter = first(init.counter, from.counter, 0)
    this.agent = first(init.agent, from.agent)
    this.highWaterMark = first(init.highWaterMark, from.highWaterMark, 16384)
    this.insecureHTTPParser = first(init.insecureHTTPParser, from.insecureHTTPParser, false)
    this.referrerPolicy = first(init.referrerPolicy, from.referrerPolicy, '')
    // As in node-fetch, it is on the prototype.
    define('referrerPolicy', this.referrerPolicy, this)
  }
  get method(): string {
    return this.#method
  }
  get url(): string {
    return this.#url.toString()
  }
  get headers(): Headers {
    return this.#headers
  }
  get redirect(): string {
    return this.#redirect
  }
  get signal(): AbortSignal | null {
    return this.#signal
  }
  get referrer(): string | undefined {
    return this.#referrer
  }
  clone(): Request {
    return new Request(this)
  }
  get [Symbol.toStringTag](): string {
    return 'Request'
  }
  [inspectCustom](): object {
    const { follow, compress, counter, agent, highWaterMark, insecureHTTPParser } = this
    return likeness(this.constructor, {
      ...printed(this),
      ...{ follow, compress, counter, agent, highWaterMark, insecureHTTPParser },
      [requestInternals]: {
        method: this.#method,
        redirect: this.#redirect,
        headers: this.#headers,
        parsedURL: this.#url,
        signal: this.#signal,
        referrer: this.#referrer,
        referrerPolicy: this.referrerPolicy,
      },
    })
  }
}

const urlOf = (address: any): URL => {
  const url = new URL(address)
  const { username, password } = url as unknown as Record<string, string>
  if (username !== '' || password !== '')
    throw new TypeError(`${url.toString()} is an url with embedded credentials.`)
  return url
}

const methodOf = (init: any, from: any): any => {
  let method: any = first(init.method, from.method, 'GET')
  if (/^(?:delete|get|head|options|post|put)$/i.test(method)) method = method.toUpperCase()
  const hasBody = (init.body !== null && init.body !== undefined) || (from.body ?? null) !== null
  if (hasBody && (method === 'GET' || method === 'HEAD'))
    throw new TypeError('Request with GET/HEAD method cannot have body')
  return method
}

const signalOf = (init: any, from: any): any => {
  const signal = 'signal' in init ? init.signal : (from.signal ?? null)
  if (signal !== null && signal !== undefined && typeof signal.addEventListener !== 'function')
    throw new TypeError('Expected signal to be an instanceof AbortSignal or EventTarget')
  return signal
}

const referrerOf = (referrer: any): string | undefined => {
  if (referrer === '') return ''
  if (!referrer) return undefined
  const parsed = new URL(referrer).toString()
  return /^about:(?:\/\/)?client$/.test(parsed) ? 'about:client' : parsed
}

const enumerable = (prototype: object, names: string[]): void => {
  for (const name of names) {
    const property = Object.getOwnPropertyDescriptor(prototype, name)!
    Object.defineProperty(prototype, name, { ...property, enumerable: true })
  }
}

/** Makes the members of messages enumerable where node-fetch has them so. */
export const installMessages = (): void => {
  for (const name of ['given', 'split', 'printed']) delete (Message as any)[name]
  enumerable(Message.prototype, ['body', 'bodyUsed', 'arrayBuffer', 'blob', 'json', 'text'])
  const ofResponse = ['type', 'url', 'status', 'ok', 'redirected', 'statusText', 'headers', 'clone']
  enumerable(Response.prototype, ofResponse)
  enumerable(Request.prototype, ['method', 'url', 'headers', 'redirect', 'clone', 'signal', 'referrer'])
}
