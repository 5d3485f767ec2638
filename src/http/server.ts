// Listening: the Express application on a port, and a way to stop that leaves no socket behind.

import {
  createServer,
  maxHeaderSize,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { createApp, type HttpOptions } from './app.js'
import { Problem } from '../protocol/problem.js'
import { refuse } from '../sandbox/respond.js'
import type { Sandbox } from '../sandbox/sandbox.js'

/** A sandbox that listens. */
export interface Listening {
  /** `http://127.0.0.1:3300`, without a slash at the end. */
  readonly url: string
  readonly port: number
  /** Stops listening and ends every connection. */
  close(): Promise<void>
}

/** Listens on `host` and `port` (0 takes a free one). Rejects with the error of the system, such as `EADDRINUSE`. */
export async function listen(
  sandbox: Sandbox,
  { host, port, ...http }: HttpOptions & { host: string; port: number },
): Promise<Listening> {
  const app = createApp(sandbox, http)
  const serve: RequestListener = (request, response) => {
    follow(request, response)
    // A client behind a proxy asks for `http://localhost:3300/za/...`; everything below knows paths alone.
    request.url = request.url!.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '') || '/'
    app(request, response)
  }
  // A request without Host and one with an odd Expect get the refusals of everybody else, not bodiless ones of Node.
  const server = createServer({ requireHostHeader: false }, serve)
  server.on('checkExpectation', serve)
  server.on('clientError', refuseUnreadable)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const address = server.address() as AddressInfo
  sandbox.listensAt.add(address)
  return {
    url: urlOf(address.address, address.port),
    port: address.port,
    close: () => {
      sandbox.listensAt.delete(address)
      return closeServer(server)
    },
  }
}

/** The address under which a program on this machine reaches a server that listens there. */
export function urlOf(host: string, port: number): string {
  const name = host.includes(':') ? `[${host}]` : host
  return `http://${unspecified.has(host) ? 'localhost' : name}:${port}`
}

const unspecified = new Set(['0.0.0.0', '::'])

/** For each connection the requests that have no answer yet, and what is to follow those that came whole. */
const unanswered = new WeakMap<Duplex, { requests: Set<IncomingMessage>; then?: () => void }>()

const isOwed = (requests: Set<IncomingMessage>): boolean => [...requests].some(({ complete }) => complete)

function follow(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request
  const here = unanswered.get(socket) ?? { requests: new Set() }
  unanswered.set(socket, here)
  here.requests.add(request)
  response.once('close', () => {
    here.requests.delete(request)
    if (here.then && !isOwed(here.requests)) here.then()
  })
}

/** Answers what is not HTTP, or too much of it, after what came before it on the same connection. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  const before = unanswered.get(socket)
  if (before && isOwed(before.requests)) before.then = () => refuseUnread(error, socket)
  else refuseUnread(error, socket)
}

/** Node would send 431 and 408, and no body. */
function refuseUnread(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const detail =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? `The address and the headers may be ${maxHeaderSize} bytes together.`
      : `The request cannot be read as HTTP/1.1: ${error.message}.`
  const { status, headers, body } = refuse(new Problem('broken-request', detail), { path: '' })
  const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.end(`HTTP/1.1 ${status} Bad Request\r\n${head}\r\n${body as string}`, () => socket.destroy())
}

/** Closing what is closed already is nothing: SIGINT and SIGTERM may both come. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
