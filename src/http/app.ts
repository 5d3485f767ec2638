// HTTP in, HTTP out: Express over the sandbox, and the two guards that only a listening server needs. A web page that a
// developer happens to visit must not be able to use the sandbox, whose credentials everyone knows.

import cors from 'cors'
import express, { type Express, type NextFunction, type Request, type Response } from 'express'
import { monotonicMs } from '../determinism/clock.js'
import { timingSafeEqualText } from '../bank/credentials.js'
import type { Reply } from '../protocol/call.js'
import { Problem } from '../protocol/problem.js'
import { shownAddress } from '../protocol/redaction.js'
import { isControlPath } from '../protocol/call.js'
import { bringsState, maxBodyBytes, maxStateBytes, tooLarge } from '../sandbox/request.js'
import { refuse } from '../sandbox/respond.js'
import type { Sandbox } from '../sandbox/sandbox.js'

/** Who may reach the server besides programs on this machine. */
export interface HttpOptions {
  /** Origins of web pages that may call, besides loopback ones; `*` for all. */
  readonly cors?: readonly string[]
  /** Host names by which the server may be addressed, besides loopback names. */
  readonly allowHosts?: readonly string[]
  /** False turns the control API under `/_sandbox` off for everybody who comes over HTTP. Default true. */
  readonly control?: boolean
  /** Opens the control API to callers on other addresses than loopback ones, who send it as a bearer token. */
  readonly controlToken?: string
  /** Called for each answered request. */
  readonly onRequest?: (line: RequestLine) => void
}

/** One answered request, for the log. */
export interface RequestLine {
  readonly method: string
  /** With its query, in which secrets are masked. */
  readonly path: string
  readonly status: number
  /** Real milliseconds. */
  readonly ms: number
}

/** The sandbox as an Express application. */
export function createApp(sandbox: Sandbox, options: HttpOptions = {}): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(serve(sandbox, options))
  return app
}

type Handler = (request: Request, response: Response, next: NextFunction) => void

/**
 * The sandbox as one handler of an application that has others: what is not of the bank goes on to them. Where the
 * handler is mounted at a path, as `app.use('/bank', handler)`, the bank is below that path.
 */
export function createHandler(sandbox: Sandbox, options: HttpOptions = {}): Handler {
  const answer = serve(sandbox, options)
  return (request, response, next) => {
    if (sandbox.hasPath(pathOf(request))) answer(request, response, next)
    else next()
  }
}

/** The path below the one at which the bank is mounted, without its query string. */
const pathOf = ({ url }: Request): string => {
  const mark = url.indexOf('?')
  return mark < 0 ? url : url.slice(0, mark)
}

/** One handler for all of it: each layer of Express would cost as much as the sandbox itself does. */
function serve(sandbox: Sandbox, options: HttpOptions): Handler {
  const checkHost = hostCheck(options)
  const checkOrigin = originCheck(options)
  return (request, response, next) => {
    const startMs = monotonicMs()
    // Below the path at which the bank is mounted, which is '' for a server of its own.
    const { method, url: path, baseUrl, headers } = request
    try {
      checkHost(headers.host)
      const page = checkOrigin(request)
      // A preflight request cannot carry a token, and is answered with nothing but CORS headers.
      if (method !== 'OPTIONS' && isControlPath(path)) checkControl(request, options)
      if (page) answerPage(request, response, () => read())
      else read()
    } catch (error) {
      fail(error)
    }

    function read(): void {
      if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) handle()
      else {
        const readAll = bringsState(method, path) ? readState : readRaw
        readAll(request, response, (error?: unknown) => (error ? fail(error) : handle()))
      }
    }

    function handle(): void {
      const origin = ownOrigin(request) + baseUrl
      sandbox.handle({ method, path, headers, body: bodyOf(request), origin }).then(answer, fail)
    }

    /** What is refused before the sandbox sees it: a foreign host or origin, a body that cannot be read. */
    function fail(error: unknown): void {
      answer(refuse(asProblem(error), { path }))
    }

    function answer(reply: Reply): void {
      try {
        send(reply, request, response, sandbox.main.clock.now())
        options.onRequest?.({
          method,
          path: shownAddress(path),
          status: reply.status,
          ms: monotonicMs() - startMs,
        })
      } catch (error) {
        // Whoever watches may throw: that ends this connection, not the process.
        next(error)
      }
    }
  }
}

/** Scheme and host by which the caller knows the server. */
const ownOrigin = ({ protocol, headers }: Request): string => `${protocol}://${headers.host ?? ''}`

/** A name that resolves to a foreign address (DNS rebinding) makes a browser believe that it talks to that site. */
function hostCheck({ allowHosts = [] }: HttpOptions): (host: string | undefined) => void {
  const allowed = new Set(allowHosts.map((host) => host.toLowerCase()))
  const known = new Set<string>()
  return (host) => {
    if (host !== undefined && known.has(host)) return
    const name = hostName(host)
    if (name === undefined || !(isLoopback(name) || allowed.has(name))) {
      const detail = 'Address the sandbox as localhost or 127.0.0.1, or start it with --allow-host NAME.'
      throw new Problem('host-refused', detail)
    }
    if (known.size < 100) known.add(host!)
  }
}

/** The name in a Host header, without port and brackets, or undefined when it is none. */
function hostName(host: string | undefined): string | undefined {
  if (host === undefined || !/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.test(host)) return undefined
  return host
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$/g, '')
    .toLowerCase()
}

const isLoopback = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name)

/** Refuses web pages that may not call, before they change anything; true when the answer needs CORS headers. */
function originCheck({ cors: listed = [] }: HttpOptions): (request: Request) => boolean {
  const origins = new Set(listed)
  return (request) => {
    const { origin } = request.headers
    if (origin === undefined && request.headers['sec-fetch-site'] === undefined) return false
    const control = isControlPath(request.url)
    if (!mayCall(request, origins, control)) {
      const name = (origin ?? 'another site').slice(0, 200)
      const how = control ? 'list it by name with --cors for the control API' : 'allow it with --cors'
      throw new Problem('origin-refused', `A web page of ${name} may not call the sandbox; ${how}.`)
    }
    return origin !== undefined && origin !== ownOrigin(request)
  }
}

const answerPage = cors({
  origin: true,
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
  exposedHeaders: ['retry-after', 'www-authenticate'],
  maxAge: 600,
})

function mayCall(request: Request, listed: ReadonlySet<string>, control: boolean): boolean {
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  // Without an Origin a browser says where a request comes from: typed by the user, from the same origin, or neither.
  if (origin === undefined)
    return (
      site === 'none' || site === 'same-origin' || (!control && (site !== 'cross-site' || listed.has('*')))
    )
  if (origin === ownOrigin(request) || listed.has(origin)) return true
  if (control) return false
  return listed.has('*') || isLoopbackOrigin(origin)
}

function isLoopbackOrigin(origin: string): boolean {
  const match = /^https?:\/\/([^/]+)$/.exec(origin)
  const name = match ? hostName(match[1]) : undefined
  return name !== undefined && isLoopback(name)
}

/** The control API is for programs on this machine; from elsewhere it takes the token that it was started with. */
function checkControl(request: Request, { control = true, controlToken }: HttpOptions): void {
  if (!control)
    throw new Problem('no-such-endpoint', 'The control API is off; start without --no-control to use it.')
  if (isLocal(request)) return
  if (controlToken === undefined)
    throw new Problem(
      'control-refused',
      'The control API is open to loopback addresses only; start with --control-token to open it to others.',
    )
  const given = /^\s*bearer\s+(\S+)\s*$/i.exec(request.headers.authorization ?? '')?.[1]
  if (given === undefined || !timingSafeEqualText(controlToken, given))
    throw new Problem('control-refused', 'Send Authorization: Bearer with the control token.', {
      headers: { 'www-authenticate': 'Bearer realm="control"' },
    })
}

/** From a loopback address, and addressed by a loopback name: a proxy on this machine speaks for others. */
function isLocal({ socket, headers }: Request): boolean {
  const address = socket.remoteAddress?.replace(/^::ffff:/i, '')
  const name = hostName(headers.host)
  return address !== undefined && name !== undefined && isLoopback(address) && isLoopback(name)
}

const readRaw: Handler = express.raw({ type: () => true, limit: maxBodyBytes })
const readState: Handler = express.raw({ type: () => true, limit: maxStateBytes })

/** The body as sent; where a parser of the application has read it before, what that made of it. */
function bodyOf(request: Request): string | object | undefined {
  const body = request.body as unknown
  if (typeof body === 'string') return body
  if (typeof body !== 'object' || body === null) return undefined
  const form = /^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '')
  if (!form || body instanceof Uint8Array) return body
  const fields = new URLSearchParams()
  for (const [name, values] of Object.entries(body as Record<string, string | string[]>))
    for (const value of [values].flat()) fields.append(name, value)
  return fields.toString()
}

function send(reply: Reply, request: Request, response: Response, nowMs: number): void {
  const { status, headers, body, stream, disturbance } = reply
  if (disturbance === 'hang') return
  if (disturbance === 'reset') {
    request.socket.resetAndDestroy()
    return
  }
  response.sendDate = false
  const date = httpDate(nowMs)
  if (stream) {
    response.writeHead(status, { ...headers, date })
    if (request.method === 'HEAD') {
      response.end()
      void stream.return?.()
    } else void sendParts(stream, response)
    return
  }
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
  response.writeHead(status, { ...headers, date, 'content-length': bytes })
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
async function sendParts(parts: AsyncIterableIterator<string>, response: Response): Promise<void> {
  let wake: (() => void) | undefined
  response.on('drain', () => wake?.())
  response.on('close', () => {
    void parts.return?.()
    wake?.()
  })
  for await (const part of parts)
    if (!response.write(part) && !response.destroyed) await new Promise<void>((resolve) => (wake = resolve))
}

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

function asProblem(error: unknown): unknown {
  if (error instanceof Problem) return error
  const { type, status } = (error ?? {}) as { type?: string; status?: number }
  if (type === 'entity.too.large') return tooLarge()
  if (status !== undefined && status >= 400 && status < 500)
    return new Problem('broken-request', `The request cannot be read: ${(error as Error).message}.`)
  return error
}
