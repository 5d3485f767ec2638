// One HTTP request, sent and read as node-fetch does. It uses node:http directly, so that every failure of the
// request or the answer is an error of this call, and nothing is thrown where nobody catches it.
import http, { type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import { type LookupFunction, isIP } from 'node:net'
import { Readable, type Transform, pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, constants } from 'node:zlib'
import type { CardCodeOrigin } from '../../protocol/call.js'
import { bareHost, isLocalAddress } from './addresses.js'
import { originHeader, originText, runAsCardCode } from './origin.js'
import { LocalNameError, type OutboundPolicy, guardedLookup, pinnedLookup } from './policy.js'

/** An outgoing request. */
export interface Sending {
  url: URL
  method: string
  /** Names in lower case. */
  headers: [string, string][]
  body: Uint8Array | undefined
}

/** The answer: its body is read as it arrives, decompressed. */
export interface NetworkAnswer {
  status: number
  statusText: string
  headers: [string, string][]
  body: AsyncIterable<Uint8Array>
}

/** An error that card code sees as a FetchError. */
export class FetchFailure extends Error {
  constructor(
    message: string,
    readonly type: string,
    readonly code?: string,
  ) {
    super(message)
  }
}

// Headers of the connection and of framing: Node sets its own, and some of them make it throw (`trailer`).
const framing = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  originHeader,
])

/** Whether card code may set a header. Not `Host`: it would choose a virtual host. */
export const maySet = (name: string): boolean => !framing.has(name) && !name.startsWith('proxy-')

// Connections end with their call: a kept-alive socket would remain when the window closes.
const agents = {
  http: new http.Agent({ keepAlive: false }),
  https: new https.Agent({ keepAlive: false }),
}

/**
 * Sends a request and resolves when the head of the answer has arrived. A call to this machine or a private network
 * carries the mark of card code; it connects to exactly the address that was judged local, so that the mark never
 * goes to a public one.
 */
export async function send(
  sending: Sending,
  how: { policy: OutboundPolicy; origin: CardCodeOrigin | undefined; signal: AbortSignal },
): Promise<NetworkAnswer> {
  const { url, method } = sending
  const { policy, origin, signal } = how
  if (/^(?:connect|trace|track)$/i.test(method))
    throw new FetchFailure(`the method ${method} cannot be used`, 'system', 'ERR_INVALID_HTTP_METHOD')
  if (url.username !== '' || url.password !== '')
    throw new FetchFailure(`${url.origin} is called with a user and password in its address`, 'system')
  const host = bareHost(url.hostname)
  const isLocal = isIP(host) !== 0 && isLocalAddress(host)
  const attempt = (lookup: LookupFunction, isMarked: boolean): Promise<IncomingMessage> =>
    runAsCardCode(origin, () => request(sending, { lookup, signal, mark: isMarked ? origin : undefined }))
  let response: IncomingMessage
  try {
    try {
      response = await attempt(guardedLookup(policy), isLocal)
    } catch (error) {
      if (!(error instanceof LocalNameError)) throw error
      response = await attempt(pinnedLookup(error.addresses), true)
    }
  } catch (error) {
    // With several addresses Node gives only the code.
    const { message, code } = error as NodeJS.ErrnoException
    throw new FetchFailure(
      `request to ${url.href} failed, reason: ${message || (code ?? '')}`,
      'system',
      code,
    )
  }
  return {
    status: response.statusCode!,
    statusText: response.statusMessage ?? '',
    headers: headersOf(response.rawHeaders),
    body: untilCut(await decoded(response, method), isChunked(response)),
  }
}

interface Attempt {
  lookup: LookupFunction
  signal: AbortSignal
  mark: CardCodeOrigin | undefined
}

const request = (
  { url, method, headers, body }: Sending,
  { lookup, signal, mark }: Attempt,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const fields = Object.create(null) as Record<string, string | string[] | undefined>
    for (const [name, value] of headers) {
      const before = fields[name]
      fields[name] = before === undefined ? value : [...[before].flat(), value]
    }
    fields.accept ??= '*/*'
    fields['user-agent'] ??= 'node-fetch'
    fields['accept-encoding'] ??= 'gzip, deflate, br'
    if (mark !== undefined) fields[originHeader] = originText(mark)
    if (body !== undefined) fields['content-length'] = String(body.length)
    const isSecure = url.protocol === 'https:'
    const options: RequestOptions = {
      method,
      headers: fields,
      lookup,
      signal,
      agent: isSecure ? agents.https : agents.http,
    }
    // The functions are looked up at each call, so that libraries that mock the network can replace them.
    const outgoing = isSecure ? https.request(url, options) : http.request(url, options)
    outgoing.on('error', reject)
    // The request asked for no upgrade: without this the call would wait until its window closes.
    outgoing.on('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new Error('the server switched to another protocol'))
    })
    outgoing.on('response', (response) => {
      response.on('error', () => undefined)
      resolve(response)
    })
    outgoing.end(body)
  })

/** Names in lower case and in their order, as node-fetch gives them. */
function headersOf(raw: readonly string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let at = 0; at + 1 < raw.length; at += 2) pairs.push([raw[at]!.toLowerCase(), raw[at + 1]!])
  return pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
}

const isChunked = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === 'chunked' && headers['content-length'] === undefined

/** A body in chunks that lacks its end is a premature close for node-fetch. */
async function* untilCut(body: AsyncIterable<Uint8Array>, inChunks: boolean): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    if (!inChunks || (error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
    throw Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' })
  }
}

/** The decompressed body. Like node-fetch and curl it accepts a compressed body that is cut off. */
async function decoded(response: IncomingMessage, method: string): Promise<AsyncIterable<Uint8Array>> {
  const coding = response.headers['content-encoding']
  const isEmpty =
    method.toUpperCase() === 'HEAD' || response.statusCode === 204 || response.statusCode === 304
  if (isEmpty || coding === undefined) return response
  const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }
  // Ends with the stream that is read; its errors are thrown to the reader.
  const through = (from: Readable, decoder: Transform): Readable => pipeline(from, decoder, () => undefined)
  if (coding === 'gzip' || coding === 'x-gzip') return through(response, createGunzip(flush))
  if (coding === 'br') return through(response, createBrotliDecompress())
  if (coding !== 'deflate' && coding !== 'x-deflate') return response
  // Old servers send raw deflate: the first byte shows it.
  const chunks = response[Symbol.asyncIterator]() as AsyncIterableIterator<Uint8Array>
  const first = await chunks.next().catch(() => undefined)
  if (first === undefined || first.done === true) return response
  const whole = (async function* () {
    yield first.value
    yield* chunks
  })()
  const hasHeader = (first.value[0]! & 0x0f) === 8
  return through(Readable.from(whole), hasHeader ? createInflate() : createInflateRaw())
}
