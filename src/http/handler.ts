// Translates between node:http and the sandbox: a request becomes a call, and a reply becomes its response. The
// listener and Express both use this handler.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { originOf, withoutOrigin } from '../card-code/host/origin.js'
import { monotonicMs } from '../determinism/clock.js'
import { isControlPath, type Call, type Reply } from '../protocol/call.js'
import { withoutQuery } from '../protocol/path.js'
import { shownAddress } from '../protocol/redaction.js'
import { bringsState, maxBodyBytes } from '../sandbox/request.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { maxStateBytes } from '../workspace/state.js'
import { hasUnreadBody, readBody } from './body.js'
import { pageMount } from './page-mount.js'
import { PartWriter } from './part-writer.js'
import { answerPage, guardOf, ownOrigin, type MountedRequest } from './guards.js'
import type { DatedReply, RequestLine, ServingOptions } from './http-options.js'

/** A handler of node:http; with `next` also one of Express. */
export type Handler = (
  request: MountedRequest,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void

/**
 * The sandbox as one handler of a larger application: paths that the bank does not have go on to the other handlers.
 * When the handler is mounted at a path, as in `app.use('/bank', handler)`, the bank is below that path.
 */
export function createHandler(sandbox: Sandbox, options: ServingOptions = {}): Handler {
  const answer = answerAll(sandbox, options)
  const page = pageMount(options)
  return (request, response, next) => {
    const path = withoutQuery(request.url!)
    if (sandbox.hasPath(path) || page?.has(path) || isCertificate(options, path)) answer(request, response)
    else next()
  }
}

/** Whether the path is that of the certificate, if the server has one. */
const isCertificate = ({ certificate }: ServingOptions, path: string): boolean =>
  certificate !== undefined && path === '/_sandbox/ca.pem'

const certificateHeaders = { 'content-type': 'application/x-pem-file', 'cache-control': 'no-store' }

/** Answers every path: unknown ones with 404. */
export function answerAll(
  sandbox: Sandbox,
  options: ServingOptions = {},
): (request: MountedRequest, response: ServerResponse) => void {
  const { front } = options
  const guard = guardOf(options)
  const page = pageMount(options)
  return (request, response) => {
    const startMs = monotonicMs()
    // Below the path at which the bank is mounted, which is '' for a server of its own.
    const method = request.method!
    const path = request.url!
    try {
      if (isCertificate(options, withoutQuery(path)) && (method === 'GET' || method === 'HEAD')) {
        // Without an access check: every client gets the certificate in the handshake anyway.
        answer({ status: 200, headers: certificateHeaders, body: options.certificate! })
        return
      }
      const file = page?.answer(request)
      if (file) {
        answer(file)
        return
      }
      if (guard(request) && answerPage(request, response)) return
      if (hasUnreadBody(request)) {
        const maxBytes = bringsState(method, path) ? maxStateBytes : maxBodyBytes
        readBody(request, maxBytes).then(handle, fail)
      } else handle(parsedBody(request))
    } catch (error) {
      fail(error)
    }

    function handle(body: string | object | undefined): void {
      const origin = ownOrigin(request) + (request.baseUrl ?? '')
      const call = callOf(request, response, body, origin)
      const replying = front ? front.answer(call, request) : sandbox.handle(call)
      replying.then((reply) => answer(reply, !isControlPath(path)), fail)
    }

    /** Refusals before the sandbox sees the call: a foreign host or origin, an unreadable body. */
    function fail(error: unknown): void {
      answer(sandbox.refuse(error, method, path))
    }

    function answer(reply: DatedReply, isInJournal = false): void {
      if (reply.stream ?? reply.disturbance === 'hang') options.onEndless?.(response)
      send(reply, request, response, reply.atMs ?? sandbox.main.clock.now())
      if (options.onRequest) tell(options.onRequest, { ...lineOf(reply, request, startMs), isInJournal })
    }
  }
}

/** The call of a request. Nobody waits for one that card code makes once its connection ends. */
function callOf(
  request: IncomingMessage,
  response: ServerResponse,
  body: Call['body'],
  origin: string,
): Call {
  const { headers } = request
  const call = { method: request.method!, path: request.url!, headers, body, origin }
  const cardCode = originOf(headers)
  if (cardCode === undefined) return call
  const ended = new AbortController()
  response.once('close', () => ended.abort())
  return { ...call, headers: withoutOrigin(headers), cardCode: { ...cardCode, signal: ended.signal } }
}

function lineOf(
  { status, problem, warnings }: Reply,
  { method, url }: IncomingMessage,
  startMs: number,
): Omit<RequestLine, 'isInJournal'> {
  return {
    method: method!,
    path: shownAddress(url!),
    status,
    ms: monotonicMs() - startMs,
    ...(problem && { problem }),
    ...(warnings && { warnings }),
  }
}

/** A callback that throws must not end the process, nor an answer in progress. */
function tell(onRequest: (line: RequestLine) => void, line: RequestLine): void {
  try {
    onRequest(line)
  } catch (error) {
    process.emitWarning(`onRequest threw: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** The body as a parser of the application has read it; undefined when there is none. */
function parsedBody(request: MountedRequest & { readonly body?: unknown }): string | object | undefined {
  const { body } = request
  if (typeof body === 'string') return body
  if (typeof body !== 'object' || body === null) return undefined
  const form = /^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '')
  if (!form || body instanceof Uint8Array) return body
  const fields = new URLSearchParams()
  for (const [name, values] of Object.entries(body as Record<string, string | string[]>))
    for (const value of [values].flat()) fields.append(name, value)
  return fields.toString()
}

function send(reply: Reply, request: IncomingMessage, response: ServerResponse, nowMs: number): void {
  const { status, headers, body, stream, disturbance } = reply
  if (disturbance === 'hang') return
  if (disturbance === 'reset') {
    // Only a bare TCP socket can send a reset; under TLS the connection ends without a close message.
    if ('encrypted' in request.socket) request.socket.destroy()
    else request.socket.resetAndDestroy()
    return
  }
  response.sendDate = false
  const date = httpDate(nowMs)
  if (stream) {
    response.writeHead(status, { ...nosniff, date, ...headers })
    if (request.method === 'HEAD') {
      response.end()
      void stream.return?.()
    } else void sendParts(stream, response)
    return
  }
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
  response.writeHead(status, { ...nosniff, date, ...headers, 'content-length': bytes })
  if (disturbance === 'truncate') {
    // The headers promise the whole body; half of it is sent, and then the connection ends.
    response.write(Buffer.from(body as string).subarray(0, Math.floor(bytes / 2)), () =>
      request.socket.destroy(),
    )
    return
  }
  if (request.method === 'HEAD' || bytes === 0) {
    response.end()
    return
  }
  // Head and body leave in one system call: `end(body)` would gather them with an empty last part.
  const { socket } = request
  socket.cork()
  response.write(body)
  socket.uncork()
  response.end()
}

/** Writes chunks as they come, no faster than the client reads them, until it disconnects. */
async function sendParts(parts: AsyncIterableIterator<string>, response: ServerResponse): Promise<void> {
  const writer = new PartWriter(response)
  response.on('close', () => {
    void parts.return?.()
  })
  for await (const part of parts) await writer.write(part)
  writer.end()
}

/** Browsers must not guess another content type. */
const nosniff = { 'x-content-type-options': 'nosniff' }

let datedSecond = NaN
let dated = ''

/** The Date header shows the sandbox's time in seconds; formatted once a second. */
function httpDate(ms: number): string {
  const second = Math.floor(ms / 1000)
  if (second !== datedSecond) {
    datedSecond = second
    dated = new Date(second * 1000).toUTCString()
  }
  return dated
}
