// Forwards calls to another service and records them, without their secrets, as an HTTP Archive.

import { existsSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { wallMs } from '../determinism/clock.js'
import { shownBody, shownHeader, shownAddress } from '../protocol/redaction.js'
import { addressOf, baseOf, RealDataError } from './read-client.js'
import { writeWhole } from './whole-files.js'

/** Options of {@link recordTraffic}. */
export interface RecordOptions {
  /** Base address to which calls go. */
  readonly upstream: string
  /** The HAR file; rewritten soon after each call. */
  readonly file: string
  /** Also passes on POST, PUT and DELETE; by default only GET, HEAD and the token request. */
  readonly writes?: boolean | undefined
  /** Replaces a file that exists. Default false: it is kept, and nothing is recorded. */
  readonly force?: boolean | undefined
  readonly host: string
  readonly port: number
  readonly version: string
  readonly onCall?: ((line: string) => void) | undefined
  readonly onError?: ((error: Error) => void) | undefined
}

/** A running recording. */
export interface Recording {
  readonly url: string
  /** How many calls have been recorded. */
  readonly calls: number
  close(): Promise<void>
}

const maxBodyBytes = 16 * 1024 * 1024
/** Later calls are forwarded, and not recorded. */
const maxCalls = 10_000
const maxRecordedBytes = 200 * 1024 * 1024
const writeAfterMs = 250
const hopByHop =
  /^(?:connection|keep-alive|transfer-encoding|te|trailer|upgrade|proxy-.*|host|content-length|accept-encoding|content-encoding|expect)$/

/**
 * Starts recording. Rejects with a {@link RealDataError} when the address is invalid, and with the error of
 * listening.
 */
export async function recordTraffic(options: RecordOptions): Promise<Recording> {
  const base = baseOf(options.upstream, '--upstream')
  if (options.force !== true && existsSync(options.file))
    throw new RealDataError(`${options.file} exists; --force replaces it.`, 2)
  const recorder = new Recorder(base, options)
  recorder.write()
  const server = createServer((request, response) => void recorder.pass(request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    get calls() {
      return recorder.entries.length
    },
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
      recorder.finish()
    },
  }
}

class Recorder {
  readonly entries: object[] = []
  readonly #base: URL
  readonly #options: RecordOptions
  #timer: NodeJS.Timeout | undefined
  #bytes = 0
  /** How long the archive took to write, ms: a long one is written less often. */
  #writeMs = 0

  constructor(base: URL, options: RecordOptions) {
    this.#base = base
    this.#options = options
  }

  /** Answers one call with the upstream's answer, and records both. */
  async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? 'GET'
    const path = targetPath(request.url ?? '/')
    try {
      if (!isAllowed(method, path, this.#options.writes === true)) {
        response.writeHead(403, { 'content-type': 'application/json' })
        response.end(
          JSON.stringify({ error: `${method} is not passed on; start with --upstream-writes to allow it.` }),
        )
        this.#options.onCall?.(`${method} ${shownAddress(path)} refused: --upstream-writes is off`)
        return
      }
      const body = await boundedBody(request as AsyncIterable<Uint8Array>)
      const startedMs = wallMs()
      const answer = await fetch(addressOf(this.#base, path), {
        method,
        headers: passedOn(request.headers),
        redirect: 'manual',
        ...(body.length > 0 && { body }),
      })
      const bytes = await boundedBody(answer.body as AsyncIterable<Uint8Array> | null)
      const headers = passedOn(Object.fromEntries(answer.headers))
      response.writeHead(answer.status, headers).end(method === 'HEAD' ? undefined : bytes)
      this.#record({
        method,
        path,
        startedMs,
        request: passedOn(request.headers),
        body,
        status: answer.status,
        headers,
        bytes,
      })
      this.#options.onCall?.(`${method} ${shownAddress(path)} ${answer.status}`)
    } catch (error) {
      this.#options.onError?.(error as Error)
      if (!response.headersSent) response.writeHead(502, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({ error: 'The upstream could not be reached, or its answer was too large.' }),
      )
    }
  }

  /** Writes the archive. */
  write(): void {
    const log = {
      version: '1.2',
      creator: { name: 'sandbox-server', version: this.#options.version },
      entries: this.entries,
    }
    writeWhole({ [this.#options.file]: JSON.stringify({ log }, null, 1) }, 0o600)
  }

  /** Writes calls that are not written yet. */
  finish(): void {
    clearTimeout(this.#timer)
    this.write()
  }

  #writeLater(): void {
    const startedMs = wallMs()
    try {
      this.write()
    } catch (error) {
      this.#options.onError?.(error as Error)
    }
    this.#writeMs = wallMs() - startedMs
  }

  #record(call: ForwardedCall): void {
    this.#bytes += call.bytes.length + call.body.length
    if (this.entries.length >= maxCalls || this.#bytes > maxRecordedBytes) {
      this.#options.onError?.(
        new RealDataError('The recording is full: this call was passed on, and not recorded.'),
      )
      return
    }
    this.entries.push(harEntry(call, this.#base.origin))
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined
        this.#writeLater()
      },
      Math.max(writeAfterMs, 10 * this.#writeMs),
    )
  }
}

interface ForwardedCall {
  readonly method: string
  readonly path: string
  readonly startedMs: number
  readonly request: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
}

/** A call that has just been answered, as an entry of an HTTP Archive, without its secrets. */
function harEntry(call: ForwardedCall, origin: string): object {
  const type = call.headers['content-type'] ?? 'application/octet-stream'
  const isText = /json|text|xml|urlencoded/.test(type)
  const ms = wallMs() - call.startedMs
  return {
    startedDateTime: new Date(call.startedMs).toISOString(),
    time: ms,
    request: {
      method: call.method,
      url: shownAddress(origin + call.path),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(call.request),
      queryString: [],
      ...(call.body.length > 0 && {
        postData: {
          mimeType: call.request['content-type'] ?? '',
          text: shownBody(call.body.toString('utf8')),
        },
      }),
      headersSize: -1,
      bodySize: call.body.length,
    },
    response: {
      status: call.status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(call.headers),
      content: {
        size: call.bytes.length,
        mimeType: type,
        text: isText ? shownBody(call.bytes.toString('utf8')) : '',
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: call.bytes.length,
    },
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
  }
}

/** A program that uses this as a proxy sends whole addresses, of which only the path counts. */
function targetPath(target: string): string {
  if (target.startsWith('/')) return target
  if (!URL.canParse(target)) return '/'
  const { pathname, search } = new URL(target)
  return pathname + search
}

/** Reads and the token request are forwarded; other calls only when they were allowed. */
const isAllowed = (method: string, path: string, writes: boolean): boolean =>
  writes ||
  method === 'GET' ||
  method === 'HEAD' ||
  (method === 'POST' && /^\/+identity\/+v2\/+oauth2\/+token(?:\?|$)/.test(path))

function passedOn(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers))
    if (!hopByHop.test(name) && value !== undefined)
      kept[name] = Array.isArray(value) ? value.join(', ') : value
  return kept
}

const pairs = (headers: Readonly<Record<string, string>>): object[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value: shownHeader(name, value) }))

async function boundedBody(body: AsyncIterable<Uint8Array> | null): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > maxBodyBytes) throw new RealDataError('A body of more than 16 MiB is not passed on.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
