// The connections of one server: each answers one request at a time, and all are closed in order when the server
// stops.

import { maxHeaderSize, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Server as TlsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { clearInterval, clearTimeout, setInterval, setTimeout } from '../determinism/timers.js'
import { Problem } from '../protocol/problem.js'
import { refusalOf, refusalReply } from '../protocol/refusal.js'

/** How many pipelined requests may wait on one connection before it is paused. */
const maxWaiting = 16

/** How many bytes of answers may wait for clients to read them, on all connections; and how often that is checked, in ms. */
const maxUnreadBytes = 256 * 1024 * 1024
const unreadCheckMs = 250

interface Connection {
  /** Whether an answer is being made or sent. */
  isBusy: boolean
  /** Requests that arrived while another was being answered. */
  readonly waiting: (() => void)[]
  /** Requests that have no answer yet. */
  readonly owed: Set<IncomingMessage>
  /** Answers unreadable input, after the complete requests before it. */
  then?: () => void
}

/** Keeps the order of answers on each connection, and bounds its memory. */
export class Connections {
  readonly #server: Server | TlsServer
  readonly #open = new Map<Duplex, Connection>()
  /** Sockets during their TLS handshake, by remote address: Node does not expose the link to the secure socket. */
  readonly #handshaking = new Map<string, Socket>()
  /** Responses that only their client ends. */
  readonly #endless = new Set<ServerResponse>()
  readonly #onUnreadable: (status: number) => void
  readonly #maxUnreadBytes: number
  #unreadTimer: NodeJS.Timeout | undefined
  #isDraining = false
  #closed: Promise<void> | undefined

  /** @param onUnreadable called for each refusal of something that could not be read as a request */
  constructor(
    server: Server | TlsServer,
    onUnreadable: (status: number) => void,
    unreadBytes = maxUnreadBytes,
  ) {
    this.#server = server
    this.#maxUnreadBytes = unreadBytes
    this.#onUnreadable = onUnreadable
    const isTls = 'setSecureContext' in server
    if (isTls) server.on('connection', (socket: Socket) => this.#awaitHandshake(socket))
    server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#handshaking.delete(peerOf(socket))
      this.#open.set(socket, { isBusy: false, waiting: [], owed: new Set() })
      socket.once('close', () => this.#open.delete(socket))
      this.#unreadTimer ??= setInterval(() => this.#endUnread(), unreadCheckMs).unref()
    })
    server.on('clientError', (error, socket) => this.#refuseUnreadable(error, socket))
  }

  /** Ends the connections with the most unread bytes until the rest are few enough: a client may never read. */
  #endUnread(): void {
    const sockets = [...this.#open.keys()].sort((a, b) => a.writableLength - b.writableLength)
    let unread = sockets.reduce((sum, { writableLength }) => sum + writableLength, 0)
    while (unread > this.#maxUnreadBytes) {
      const socket = sockets.pop()!
      unread -= socket.writableLength
      socket.destroy()
    }
    if (this.#open.size > 0) return
    clearInterval(this.#unreadTimer)
    this.#unreadTimer = undefined
  }

  /** A socket without a request cannot be answered, but stopping must end it too. */
  #awaitHandshake(socket: Socket): void {
    const peer = peerOf(socket)
    this.#handshaking.set(peer, socket)
    socket.once('close', () => {
      if (this.#handshaking.get(peer) === socket) this.#handshaking.delete(peer)
    })
  }

  /**
   * Serves a request after those before it on the same connection are answered. Otherwise unread answers would pile
   * up: a client can send a thousand requests at once.
   */
  follow(request: IncomingMessage, response: ServerResponse, serve: () => void): void {
    const { socket } = request
    const connection = this.#open.get(socket)
    if (!connection) return
    connection.owed.add(request)
    response.once('close', () => this.#next(socket, connection, request, response))
    if (!connection.isBusy) {
      connection.isBusy = true
      serve()
      return
    }
    connection.waiting.push(serve)
    if (connection.waiting.length >= maxWaiting) socket.pause()
  }

  #next(socket: Socket, connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    connection.owed.delete(request)
    this.#endless.delete(response)
    if (connection.then && !isOwed(connection)) connection.then()
    if (this.#isDraining || socket.destroyed) {
      connection.waiting.length = 0
      socket.end()
      return
    }
    const serve = connection.waiting.shift()
    if (connection.waiting.length < maxWaiting && socket.isPaused()) socket.resume()
    connection.isBusy = serve !== undefined
    serve?.()
  }

  /** Marks a response that only its client ends, so that stopping does not wait for it. */
  endless(response: ServerResponse): void {
    if (this.#isDraining) response.destroy()
    else this.#endless.add(response)
  }

  /**
   * Stops accepting, lets requests in flight finish for at most `graceMs`, and closes every connection. A second call
   * with a shorter time shortens the wait.
   */
  close(graceMs = 0): Promise<void> {
    this.#isDraining = true
    this.#closed ??= new Promise((resolve) => this.#server.close(() => resolve()))
    for (const response of this.#endless) response.destroy()
    for (const [socket, { isBusy }] of this.#open) if (!isBusy) socket.destroy()
    for (const socket of this.#handshaking.values()) socket.destroy()
    if (graceMs === 0) this.#server.closeAllConnections()
    else {
      const timer = setTimeout(() => this.#server.closeAllConnections(), graceMs)
      void this.#closed.then(() => clearTimeout(timer))
    }
    return this.#closed
  }

  /** Answers input that is not HTTP, or too large, after the earlier requests on the same connection. */
  #refuseUnreadable(error: UnreadableError, socket: Duplex): void {
    const connection = this.#open.get(socket)
    if (connection && isOwed(connection)) connection.then = () => this.#refuse(error, socket)
    else this.#refuse(error, socket)
  }

  /** Node would send 431 and 408 without a body. */
  #refuse(error: UnreadableError, socket: Duplex): void {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const detail =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? `The address and the headers may be ${maxHeaderSize} bytes together.`
        : `The request cannot be read as HTTP/1.1: ${error.message}.`
    const { status, headers, body } = refusalReply(refusalOf(new Problem('broken-request', detail)), '')
    const lines = Object.entries({
      ...headers,
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    })
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const text = isHead(error.rawPacket) ? '' : (body as string)
    socket.end(`HTTP/1.1 ${status} Bad Request\r\n${head}\r\n${text}`, () => socket.destroy())
    this.#onUnreadable(status)
  }
}

const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`

interface UnreadableError extends Error {
  readonly code?: string
  /** The bytes in which the error was found. */
  readonly rawPacket?: Buffer
}

const isOwed = ({ owed }: Connection): boolean => [...owed].some(({ complete }) => complete)

/** Whether the last request in these bytes is a HEAD request, whose answer has no body. */
function isHead(packet: Buffer | undefined): boolean {
  const text = packet?.toString('latin1') ?? ''
  const methods = [...text.matchAll(/(?:^|\r?\n\r?\n)([A-Z]+) /g)]
  return methods.at(-1)?.[1] === 'HEAD'
}
