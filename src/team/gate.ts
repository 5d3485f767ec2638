// What stands between the listener and the replica: calls of clients, calls that other replicas hand over, and probes.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { timingSafeEqualText } from '../bank/credentials.js'
import { monotonicMs } from '../determinism/clock.js'
import { randomName } from '../determinism/random.js'
import { readBody } from '../http/body.js'
import { foreignSign } from '../http/guards.js'
import type { DatedReply, Front } from '../http/http-options.js'
import { parseAuthorization } from '../protocol/authorization.js'
import type { Call } from '../protocol/call.js'
import { parseCall } from '../sandbox/request.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { maxStateBytes } from '../workspace/state.js'
import type { ControlTokens } from './control-tokens.js'
import { packAnswer, unpackCall, unpackNews, type Handed } from './envelope.js'
import { clusterHeader, clusterPath, newsPath } from './forward.js'
import { Elsewhere, type Team } from './team.js'

const maxNewsBytes = 10_000

/** One answered call, for the log and the metrics. */
export interface Answered {
  /** The same in the logs of all replicas. */
  readonly requestId: string
  readonly workspace: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly ms: number
  /** Whether another replica handed it over. */
  readonly isHanded: boolean
}

export interface GateOptions {
  readonly sandbox: Sandbox
  readonly team: Team
  readonly tokens: ControlTokens
  readonly secret: string
  /** Why the replica takes no calls; undefined when it does. */
  readonly unready: () => Promise<string | undefined>
  /** The metrics as text, and its media type. */
  readonly metrics: () => Promise<{ readonly text: string; readonly contentType: string }>
  readonly onAnswer: (answered: Answered) => void
}

/** The front of one replica. */
export class Gate implements Front {
  readonly #options: GateOptions
  /** Set until the replica has its lease: calls wait for it. */
  #starting: Promise<void> | undefined
  #begin: () => void = () => undefined

  constructor(options: GateOptions) {
    this.#options = options
    this.#starting = new Promise((resolve) => (this.#begin = resolve))
  }

  /** Whether calls are answered. */
  get isBegun(): boolean {
    return this.#starting === undefined
  }

  /** From now on calls are answered. */
  begin(): void {
    this.#starting = undefined
    this.#begin()
  }

  readonly answer: Front['answer'] = async (call, request) => {
    if (this.#starting) await this.#starting
    const { sandbox, team, tokens } = this.#options
    const requestId = idOf(request)
    const parsed = parseCall(call)
    const target = team.targets.known(parsed)
    if (target?.task !== undefined && !call.cardCode)
      try {
        await tokens.check(target, parsed.authorization.token, foreignSign(request))
      } catch (error) {
        return sandbox.refuse(error, call.method, call.path)
      }
    return this.#tell(call, requestId, false, (onTarget) =>
      team.handle(parsed, target, { requestId, onTarget }),
    )
  }

  readonly aside: Front['aside'] = (request, response) => {
    const { url, method } = request
    if (url === clusterPath || url === newsPath) {
      const taking = url === clusterPath ? this.#takeHanded(request, response) : this.#hear(request, response)
      taking.catch(() => response.destroy())
      return true
    }
    if (method !== 'GET' && method !== 'HEAD') return false
    if (url === '/livez') plain(response, 200, 'ok\n')
    else if (url === '/readyz') void this.#ready(response)
    else if (url === '/metrics') this.#metrics(request, response).catch(() => response.destroy())
    else return false
    return true
  }

  async #ready(response: ServerResponse): Promise<void> {
    const why = await this.#options.unready()
    plain(response, why === undefined ? 200 : 503, why === undefined ? 'ready\n' : `${why}\n`)
  }

  async #metrics(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { tokens, metrics } = this.#options
    const { token } = parseAuthorization(request.headers.authorization)
    const isAllowed = token === undefined ? foreignSign(request) === undefined : tokens.isServers(token)
    if (!isAllowed) {
      plain(response, 401, 'Send Authorization: Bearer with the control token.\n')
      return
    }
    const { text, contentType } = await metrics()
    plain(response, 200, text, contentType)
  }

  /** Whether another replica asks; anybody else is refused. */
  #isReplica(request: IncomingMessage, response: ServerResponse): boolean {
    const given = request.headers[clusterHeader]
    if (typeof given === 'string' && timingSafeEqualText(this.#options.secret, given)) return true
    request.resume()
    plain(response, 401, 'This is for replicas of the bank.\n')
    return false
  }

  async #hear(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.#isReplica(request, response)) return
    this.#options.team.hear(unpackNews(await readBody(request, maxNewsBytes)))
    plain(response, 200, '')
  }

  async #takeHanded(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.#isReplica(request, response)) return
    const body = await readBody(request, 2 * maxStateBytes)
    const ended = new AbortController()
    response.once('close', () => ended.abort())
    const handed = unpackCall(Buffer.from(body.buffer, body.byteOffset, body.byteLength), ended.signal)
    try {
      await sendAnswer(await this.#carryOut(handed), response)
    } catch (error) {
      if (!(error instanceof Elsewhere)) throw error
      response.writeHead(200)
      response.end(packAnswer({ elsewhere: true, retarget: error.retarget }))
    }
  }

  #carryOut({ call, name, requestId, mayTake }: Handed): Promise<DatedReply> {
    const { team } = this.#options
    return this.#tell(call, requestId, true, (onTarget) =>
      team.handleHanded(call, name, { requestId, isHanded: true, mayTake, onTarget }),
    )
  }

  async #tell(
    call: Call,
    requestId: string,
    isHanded: boolean,
    work: (onTarget: (name: string) => void) => Promise<DatedReply>,
  ): Promise<DatedReply> {
    const beganMs = monotonicMs()
    let workspace = ''
    const reply = await work((name) => (workspace = name))
    const { method, path } = call
    const ms = monotonicMs() - beganMs
    this.#options.onAnswer({ requestId, workspace, method, path, status: reply.status, ms, isHanded })
    return reply
  }
}

/** Writes the parts of a stream as they come. */
async function sendAnswer(reply: DatedReply, response: ServerResponse): Promise<void> {
  response.writeHead(200)
  const head = packAnswer({ reply })
  const { stream } = reply
  if (!stream) {
    response.end(head)
    return
  }
  response.write(head)
  let wake: (() => void) | undefined
  response.on('drain', () => wake?.())
  response.on('close', () => {
    void stream.return?.()
    wake?.()
  })
  for await (const part of stream)
    if (!response.write(part) && !response.destroyed) await new Promise<void>((resolve) => (wake = resolve))
  response.end()
}

/** Drawn once: chance for each request would cost more than finding its workspace. */
const prefix = randomName()
let ids = 0

/** What the client or a proxy calls the request, or a new name. */
function idOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given)
    ? given
    : `${prefix}-${(++ids).toString(36)}`
}

function plain(
  response: ServerResponse,
  status: number,
  body: string,
  type = 'text/plain; charset=utf-8',
): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  })
  response.end(response.req.method === 'HEAD' ? undefined : body)
}
