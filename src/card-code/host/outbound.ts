// Outbound calls of card code, on the main thread. First the host's own answers (stubs, the sandbox's own address),
// then the network, as far as the policy allows. Redirects are followed here, so that each hop is checked.
import type { CardCodeOrigin } from '../../protocol/call.js'
import type { ArrivalMessage, FetchMessage } from '../messages.js'
import { FetchFailure, maySet, type NetworkAnswer, send as sendOverNetwork, type Sending } from './network.js'
import { type OutboundPolicy, refuseUrl } from './policy.js'

/** The largest response body, in bytes, that card code may read: 10 MB. */
const maxBodyBytes = 10 * 1024 * 1024

/** A request of card code for the host to answer. Header names are lower case. */
export interface OutboundRequest {
  method: string
  url: string
  headers: [string, string][]
  body: Uint8Array | undefined
}

/** An answer that the host gives instead of the network. */
export interface OutboundAnswer {
  status: number
  statusText?: string
  headers: [string, string][]
  body: Uint8Array
  /** How long the answer takes in card code's time, in ms (0 when absent). */
  spentMs?: number
}

/** The record of an outbound call. Each hop of a redirect is a call of its own. */
export interface OutboundCall {
  method: string
  url: string
  /** The status of the answer; null while there is none, or when none came. */
  status: number | null
  /** Why there was no answer. */
  error?: string
  /**
   * How long it took, in ms: real time, or the time that the host's answer states. In frozen time a call that had no
   * answer took as long as card code waited for it.
   */
  ms: number
  /** When it was sent, in card code's time (ms since the epoch). */
  atMs: number
  /** What was sent, with secrets redacted. */
  requestHeaders: [string, string][]
  requestBytes: number
  responseBytes: number
}

/** Asked before the network: `undefined` leaves the call to the network. */
export type OutboundHandler = (
  request: OutboundRequest,
  signal: AbortSignal,
) => Promise<OutboundAnswer | undefined>

/** Why a request is aborted: card code gave it up. */
export class Aborted extends Error {
  /** @param atMs card code's time */
  constructor(readonly atMs: number) {
    super('aborted')
  }
}

/** The means of one request of card code. */
export interface Exchange {
  request: FetchMessage
  isFrozen: boolean
  policy: OutboundPolicy
  origin: CardCodeOrigin | undefined
  answerOutbound: OutboundHandler | undefined
  signal: AbortSignal
  /** Stores a call, which is completed in place when its answer has come; false when the execution may make no more. */
  keep: (call: OutboundCall) => boolean
  deliver: (news: ArrivalMessage['news'], spentMs: number, bytes?: Uint8Array) => void
  /** Resolves when the worker can take more bytes. */
  room: () => Promise<void>
}

/** How many calls one execution may make; each hop of a redirect counts. */
export const maxCalls = 100

// Keys have names that nobody can list (X-Signature, Ocp-Apim-Subscription-Key), so only the values of these headers
// are shown.
const harmless = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'connection',
  'content-encoding',
  'content-language',
  'content-length',
  'content-type',
  'date',
  'expect',
  'host',
  'if-modified-since',
  'pragma',
  'range',
  'te',
  'transfer-encoding',
  'user-agent',
])

const redacted = (headers: [string, string][]): [string, string][] =>
  headers.map(([name, value]) => [name, harmless.has(name.toLowerCase()) ? value : 'redacted'])

interface Hop extends NetworkAnswer {
  spentMs: number
}

const headerOf = (headers: [string, string][], name: string): string | undefined =>
  headers.find(([key]) => key.toLowerCase() === name)?.[1]

/** Sends a request and delivers the results: the head, the body in chunks, its end, or an error. Never rejects. */
export const exchange = async (given: Exchange): Promise<void> => {
  let spentMs = 0
  try {
    const { request } = given
    let sending: Sending = {
      url: new URL(request.url),
      method: request.method,
      headers: request.headers
        .map(([name, value]): [string, string] => [name.toLowerCase(), value])
        .filter(([name]) => maySet(name)),
      body: request.body,
    }
    for (let counter = 0; ; counter += 1) {
      const call: OutboundCall = {
        method: sending.method,
        url: sending.url.href,
        status: null,
        ms: 0,
        atMs: request.atMs + spentMs,
        requestHeaders: redacted(sending.headers),
        requestBytes: sending.body?.length ?? 0,
        responseBytes: 0,
      }
      given.signal.throwIfAborted()
      if (!given.keep(call))
        throw new FetchFailure(`more than ${maxCalls} requests in one execution`, 'system')
      const hop = await send(given, sending, call)
      spentMs += hop.spentMs
      const next = redirected(given.request, sending, hop, counter)
      if (next === undefined) {
        await receive(given, hop, call, { url: sending.url.href, counter, spentMs })
        return
      }
      sending = next
    }
  } catch (error) {
    if (given.signal.aborted) return
    const { message, type = 'system', code, errno } = error as NodeJS.ErrnoException & { type?: string }
    const known = { ...(code !== undefined && { code }), ...(errno !== undefined && { errno }) }
    given.deliver({ kind: 'error', message, type, ...known }, spentMs)
  }
}

const send = async (given: Exchange, sending: Sending, call: OutboundCall): Promise<Hop> => {
  const began = performance.now()
  let isOnNetwork = false
  // Only the network takes real time: a call that is refused or aborted before costs the guest nothing.
  const spent = (): number => (isOnNetwork ? Math.round(performance.now() - began) : 0)
  try {
    const { url, method, headers, body } = sending
    const answered = await given.answerOutbound?.({ method, url: url.href, headers, body }, given.signal)
    if (answered !== undefined) {
      const { status, statusText = '', spentMs = 0 } = answered
      Object.assign(call, { status, ms: spentMs })
      return { status, statusText, headers: answered.headers, body: once(answered.body), spentMs }
    }
    // The window may have closed while the host was asked.
    given.signal.throwIfAborted()
    const refused = refuseUrl(url, given.policy)
    if (refused !== undefined) {
      throw new FetchFailure(
        `request to ${url.href} failed, reason: the sandbox does not let card code call it: ${refused}`,
        'system',
        'ERR_OUTBOUND_POLICY',
      )
    }
    isOnNetwork = true
    given.deliver({ kind: 'network' }, 0)
    const answer = await sendOverNetwork(sending, given)
    Object.assign(call, { status: answer.status, ms: spent() })
    return { ...answer, spentMs: 0 }
  } catch (error) {
    if (call.error !== undefined) throw error
    const { signal, isFrozen } = given
    const atMs = signal.reason instanceof Aborted ? signal.reason.atMs : call.atMs
    call.ms = isFrozen ? Math.max(0, atMs - call.atMs) : spent()
    call.error = given.signal.aborted ? 'aborted' : (error as Error).message
    throw error
  }
}

async function* once(body: Uint8Array): AsyncGenerator<Uint8Array> {
  if (body.length > 0) yield await Promise.resolve(body)
}

const redirects = new Set([301, 302, 303, 307, 308])
/** How many redirects of one call are followed, whatever `follow` says. */
const maxRedirects = 20

/** The next request of a redirect, as node-fetch makes it; undefined when the answer is final. */
const redirected = (request: FetchMessage, sent: Sending, hop: Hop, counter: number): Sending | undefined => {
  const location = headerOf(hop.headers, 'location')
  if (!redirects.has(hop.status)) return undefined
  const { url } = sent
  if (request.redirect === 'error') {
    const message = `uri requested responds with a redirect, redirect mode is set to error: ${url.href}`
    throw new FetchFailure(message, 'no-redirect')
  }
  if (location === undefined || request.redirect === 'manual') return undefined
  if (!URL.canParse(location, url.href)) {
    throw new FetchFailure(
      `uri requested responds with an invalid redirect URL: ${location}`,
      'invalid-redirect',
    )
  }
  if (counter >= Math.min(request.follow, maxRedirects))
    throw new FetchFailure(`maximum redirect reached at: ${url.href}`, 'max-redirect')
  const next = new URL(location, url)
  if (next.protocol !== 'http:' && next.protocol !== 'https:') {
    throw new FetchFailure(
      `URL scheme "${next.protocol.slice(0, -1)}" is not supported.`,
      'unsupported-redirect',
    )
  }
  const related = next.hostname === url.hostname || next.hostname.endsWith(`.${url.hostname}`)
  const dropped = new Set<string>()
  if (!related || next.protocol !== url.protocol) {
    for (const name of ['authorization', 'www-authenticate', 'cookie', 'cookie2']) dropped.add(name)
  }
  const becomesGet =
    hop.status === 303 || ((hop.status === 301 || hop.status === 302) && sent.method.toUpperCase() === 'POST')
  return {
    url: next,
    method: becomesGet ? 'GET' : sent.method,
    headers: sent.headers.filter(([name]) => !dropped.has(name)),
    body: becomesGet ? undefined : sent.body,
  }
}

const receive = async (
  given: Exchange,
  hop: Hop,
  call: OutboundCall,
  place: { url: string; counter: number; spentMs: number },
): Promise<void> => {
  const { spentMs, url, counter } = place
  const { status, statusText } = hop
  const { headers } = hop
  given.deliver({ kind: 'head', status, statusText, headers, url, counter }, spentMs)
  for await (const chunk of hop.body) {
    call.responseBytes += chunk.length
    if (call.responseBytes > maxBodyBytes) {
      throw new FetchFailure(`content size at ${url} over limit: ${maxBodyBytes}`, 'max-size')
    }
    await given.room()
    // A copy: chunks of the network may share one pool of memory, which must not be transferred with them.
    given.deliver({ kind: 'chunk' }, spentMs, Uint8Array.from(chunk))
  }
  given.deliver({ kind: 'end' }, spentMs)
}
