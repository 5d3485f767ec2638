// fetch in the shape of node-fetch. The host sends the request, follows redirects and hands the body over in chunks as
// it arrives.
import { bytesOf, Buffer } from './encoding.js'
import { Body } from './body.js'
import { ask, define, tell } from './bridge.js'
import { AbortError, FetchError } from './fetch-errors.js'
import { headerPairs, installHeaders } from './headers.js'
import { Request, Response, bytesGiven, installMessages } from './message.js'
import { warnOnce } from './newer.js'
import { URL } from './url.js'

interface Pending {
  resolve(response: Response): void
  reject(error: unknown): void
  body: Body | undefined
  request: Request
  release(): void
}

// Not a Map: card code may replace its methods.
const pending: Record<number, Pending> = Object.create(null)
let lastRequest = 0

const fetch = async (url: unknown, options_?: unknown): Promise<Response> =>
  new Promise((resolve, reject) => {
    const request = new Request(url, options_ ?? undefined)
    const protocol: string = (new URL(request.url) as any).protocol
    if (protocol !== 'http:' && protocol !== 'https:' && protocol !== 'data:') {
      throw new TypeError(
        `node-fetch cannot load ${url as string}. URL scheme "${protocol.replace(/:$/, '')}" is not supported.`,
      )
    }
    if (protocol === 'data:') {
      const { base64, type } = ask('data-url', request.url)
      resolve(
        new Response(Buffer.from(base64, 'base64'), {
          __proto__: null,
          headers: { __proto__: null, 'Content-Type': type },
        } as object),
      )
      return
    }
    if (request.signal?.aborted) {
      reject(new AbortError())
      return
    }
    warnOfOptions(request)
    const id = (lastRequest += 1)
    const abort = (): void => {
      const call = pending[id]
      delete pending[id]
      tell('abort', { id })
      const error = new AbortError()
      reject(error)
      call?.body?.end(error)
    }
    request.signal?.addEventListener('abort', abort)
    const release = (): void => request.signal?.removeEventListener('abort', abort)
    pending[id] = { resolve, reject, body: undefined, release, request }
    const { method, redirect, follow } = request
    const headers = headerPairs(request.headers)
    const bytes = bytesGiven(request)
    tell(
      'fetch',
      { id, method, url: request.url, headers, redirect, follow, hasBody: bytes !== null },
      buffered(bytes),
    )
  })

// Options of node-fetch that the host ignores.
const warnOfOptions = ({ agent, compress, insecureHTTPParser }: Request): void => {
  const ignored = [
    ...(agent ? ['agent'] : []),
    ...(compress ? [] : ['compress: false']),
    ...(insecureHTTPParser ? ['insecureHTTPParser'] : []),
  ]
  for (const name of ignored)
    warnOnce(`fetch: the sandbox ignores the option ${name}, which node-fetch has (warning of the sandbox)`)
}

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
  errno?: number
}

/** Passes on what arrived for a request. */
export const arrive = (news: Arrival, bytes?: ArrayBuffer): void => {
  const call = pending[news.id]
  if (call === undefined) return
  try {
    handOver(news, call, bytes)
  } catch (error) {
    // Card code has replaced parts of a body: the promise rejects with its error.
    delete pending[news.id]
    call.reject(error)
  }
}

const handOver = (news: Arrival, call: Pending, bytes: ArrayBuffer | undefined): void => {
  if (news.kind === 'head') {
    call.body = new Body()
    const { status, statusText, headers, url, counter } = news
    const { size, highWaterMark } = call.request
    const parts = { __proto__: null, status, statusText, headers, url, counter, size, highWaterMark }
    call.resolve(new Response(call.body, parts as object))
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

const { test } = RegExp.prototype

/**
 * A failure before the head of the answer is a FetchError; later it is the stream's own error, which text() and json()
 * wrap.
 */
const failureOf = ({ message = '', type = 'system', code, errno }: Arrival, { body }: Pending): Error => {
  // The connection was lost without an error of a system call.
  const isLost = Reflect.apply(test, /(?:aborted|hang up|Premature close)$/, [message])
  const syscall =
    code !== undefined && !isLost && Object.hasOwn(systemCalls, code) ? systemCalls[code] : undefined
  if (body === undefined || type !== 'system')
    return new FetchError(message, type, code === undefined ? undefined : { code, syscall })
  const error = new Error(message)
  if (errno !== undefined) define('errno', errno, error, true)
  if (code !== undefined) define('code', code, error, true)
  if (syscall !== undefined) define('syscall', syscall, error, true)
  return error
}

/** Installs fetch and its classes. */
export const installFetch = (): void => {
  installMessages()
  define('fetch', fetch)
  installHeaders()
  define('Request', Request)
  define('Response', Response)
}
