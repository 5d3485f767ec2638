// One handler that translates: a request of node:http becomes a call, and a reply its response. The listener serves the
// bank by it, and Express mounts it.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { originOf, withoutOrigin } from '../card-code/host/origin.js'
import { monotonicMs } from '../determinism/clock.js'
import type { Call, Reply } from '../protocol/call.js'
import { shownAddress } from '../protocol/redaction.js'
import { bringsState, maxBodyBytes, maxStateBytes } from '../sandbox/request.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { hasUnreadBody, readBody } from './body.js'
import { pageMount } from './page-mount.js'
import { answerPage, guardOf, ownOrigin, type MountedRequest } from './guards.js'
import type { RequestLine, ServingOptions } from './http-options.js'

/** A handler of node:http; with `next` also one of Express. */
export type Handler = (
  request: MountedRequest,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void

/**
 * The sandbox as one handler of an application that has others: paths that the bank does not have go on to them. Where
 * the handler is mounted at a path, as `app.use('/bank', handler)`, the bank is below that path.
 */
export function createHandler(sandbox: Sandbox, options: ServingOptions = {}): Handler {
  const answer = answerAll(sandbox, options)
  const page = pageMount(options)
  return (request, response, next) => {
    const path = pathOf(request)
    if (sandbox.hasPath(path) || page?.has(path) || isCertificate(options, path)) answer(request, response)
    else next()
  }
}

/** The path below the one at which the bank is mounted, without its query string. */
const pathOf = ({ url }: IncomingMessage): string => {
  const mark = url!.indexOf('?')
  return mark < 0 ? url! : url!.slice(0, mark)
}

/** Whether the path is that of the certificate of a server that has one. */
const isCertificate = ({ certificate }: ServingOptions, path: string): boolean =>
  certificate !== undefined && path === '/_sandbox/ca.pem'

const certificateHeaders = { 'content-type': 'application/x-pem-file', 'cache-control': 'no-store' }

/** Answers every path: those that the bank does not have with 404. */
export function answerAll(
  sandbox: Sandbox,
  options: ServingOptions = {},
): (request: MountedRequest, response: ServerResponse) => void {
  const guard = guardOf(options)
  const page = pageMount(options)
  return (request, response) => {
    const startMs = monotonicMs()
    // Below the path at which the bank is mounted, which is '' for a server of its own.
    const method = request.method!
    const path = request.url!
    try {
      if (isCertificate(options, pathOf(request)) && (method === 'GET' || method === 'HEAD')) {
        // Without a check of who asks: whoever connects gets it in the handshake already.
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
      sandbox.handle({ method, path, ...marked(request, response), body, origin }).then(answer, fail)
    }

    /** What is refused before the sandbox sees it: a foreign host or origin, a body that cannot be read. */
    function fail(error: unknown): void {
      answer(sandbox.refuse(error, method, path))
    }

    function answer(reply: Reply): void {
      if (reply.stream ?? reply.disturbance === 'hang') options.onEndless?.(response)
      send(reply, request, response, sandbox.main.clock.now())
      if (options.onRequest) tell(options.onRequest, lineOf(reply, method, path, startMs))
    }
  }
}

/** The headers of a call, and where it comes from if card code makes it: nobody waits for it once its connection ends. */
function marked({ headers }: IncomingMessage, response: ServerResponse): Pick<Call, 'headers' | 'cardCode'> {
  const origin = originOf(headers)
  if (origin === undefined) return { headers }
  const ended = new AbortController()
  response.once('close', () => ended.abort())
  return { headers: withoutOrigin(headers), cardCode: { ...origin, signal: ended.signal } }
}

const lineOf = (
  { status, problem, warnings }: Reply,
  method: string,
  path: string,
  startMs: number,
): RequestLine => ({
  method,
  path: shownAddress(path),
  status,
  ms: monotonicMs() - startMs,
  ...(problem && { problem }),
  ...(warnings && { warnings }),
})

/** A watcher that throws must not end the process, nor an answer that is on its way. */
function tell(onRequest: (line: RequestLine) => void, line: RequestLine): void {
  try {
    onRequest(line)
  } catch (error) {
    process.emitWarning(`onRequest threw: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** What a parser of the application has made of the body before; undefined when there is none. */
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
    // Only a bare TCP socket can send a reset; under TLS the connection ends without a farewell.
    if ('encrypted' in request.socket) request.socket.destroy()
    else request.socket.resetAndDestroy()
    return
  }
  response.sendDate = false
  const date = httpDate(nowMs)
  if (stream) {
    response.writeHead(status, { ...nosniff, ...headers, date })
    if (request.method === 'HEAD') {
      response.end()
      void stream.return?.()
    } else void sendParts(stream, response)
    return
  }
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
  response.writeHead(status, { ...nosniff, ...headers, date, 'content-length': bytes })
  if (disturbance === 'truncate') {
    // The headers promise the whole; half of it goes out, and then the connection ends.
    response.write(Buffer.from(body as string).subarray(0, Math.floor(bytes / 2)), () =>
      request.socket.destroy(),
    )
    return
  }
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** Writes parts as they come, no faster than the other side takes them, until it goes away. */
async function sendParts(parts: AsyncIterableIterator<string>, response: ServerResponse): Promise<void> {
  let wake: (() => void) | undefined
  response.on('drain', () => wake?.())
  response.on('close', () => {
    void parts.return?.()
    wake?.()
  })
  for await (const part of parts)
    if (!response.write(part) && !response.destroyed) await new Promise<void>((resolve) => (wake = resolve))
  response.end()
}

/** No browser takes an answer for something else than it says it is. */
const nosniff = { 'x-content-type-options': 'nosniff' }

let datedSecond = NaN
let dated = ''

/** The Date header says the sandbox's time, to the second; written once a second. */
function httpDate(ms: number): string {
  const second = Math.floor(ms / 1000)
  if (second !== datedSecond) {
    datedSecond = second
    dated = new Date(second * 1000).toUTCString()
  }
  return dated
}
