// A running sandbox, over HTTP. It talks only to a server that identifies itself as a sandbox at /_sandbox/health.

import type { Execution, ListedExecution } from '../bank/cards/card-records.js'
import type { CardTransactionOnWire } from '../bank/cards/card-transaction-records.js'
import type { StubReading } from '../faults/outbound-stubs.js'
import { tokenCall } from '../protocol/authorization.js'
import { isJsonObject } from '../protocol/json.js'
import type { FromSchema } from '../protocol/schema.js'
import { LoopError } from './loop-error.js'

/** A card transaction as the control API answers it. */
export type RemoteTransaction = FromSchema<typeof CardTransactionOnWire>

export interface RemoteCall {
  readonly executionId: string
  readonly method: string
  readonly url: string
  readonly status: number | null
  readonly ms: number
}

export interface RemoteExecution extends FromSchema<typeof Execution> {
  readonly outbound: readonly RemoteCall[]
}

const timeoutMs = 10_000

/** The clients and the calls of the control API; nothing is sent before the health check has passed. */
export class RemoteSandbox {
  readonly #origin: string
  readonly #controlToken: string | undefined
  #token: string | undefined

  private constructor(origin: string, controlToken: string | undefined) {
    this.#origin = origin
    this.#controlToken = controlToken
  }

  /** Rejects with a {@link LoopError} when no sandbox answers there. */
  static async open(server: string, controlToken: string | undefined): Promise<RemoteSandbox> {
    const url = URL.canParse(server) ? new URL(server) : undefined
    if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
      throw new LoopError(`--server must be an address such as http://127.0.0.1:3300, not '${server}'.`)
    const base = url.origin + url.pathname.replace(/\/+$/, '')
    // The token is only sent to a server that refuses like a sandbox.
    const first = await healthOf(server, base, {})
    const health =
      first.status === 401 && isRefusal(first.body) && controlToken !== undefined
        ? await healthOf(server, base, { authorization: `Bearer ${controlToken}` })
        : first
    if (health.status === 401 && isRefusal(health.body))
      throw new LoopError(`${server} asks for the token of its control API: --control-token gives it.`)
    if (!isHealth(health.body))
      throw new LoopError(
        `${server} is not a sandbox: its /_sandbox/health answers differently. Nothing else was sent to it.`,
      )
    return new RemoteSandbox(base, controlToken)
  }

  /** The keys of the programmable cards. */
  async cards(): Promise<string[]> {
    const { cards } = await this.#control<{ cards: { CardKey: string; IsProgrammable: boolean }[] }>(
      'GET',
      '/_sandbox/cards',
    )
    return cards.filter((card) => card.IsProgrammable).map((card) => card.CardKey)
  }

  /** What a card was used for, newest first. */
  async transactions(card: string): Promise<RemoteTransaction[]> {
    const { transactions } = await this.#control<{ transactions: RemoteTransaction[] }>(
      'GET',
      `/_sandbox/cards/${encodeURIComponent(card)}/transactions`,
    )
    return transactions
  }

  async transaction(id: string): Promise<{ transaction: RemoteTransaction; executions: RemoteExecution[] }> {
    return this.#control('GET', `/_sandbox/transactions/${encodeURIComponent(id)}`)
  }

  /** The stored executions, simulations too; they do not say how they failed. */
  async executions(card: string): Promise<ListedExecution[]> {
    const path = `/za/v1/cards/${encodeURIComponent(card)}/code/executions`
    const { result } = await this.#service<{ result: { executionItems: ListedExecution[] } }>('GET', path)
    return result.executionItems
  }

  async outbound(card: string): Promise<RemoteCall[]> {
    const { calls } = await this.#control<{ calls: RemoteCall[] }>(
      'GET',
      `/_sandbox/outbound?cardKey=${encodeURIComponent(card)}`,
    )
    return calls
  }

  async stubs(): Promise<StubReading[]> {
    const { stubs } = await this.#control<{ stubs: StubReading[] }>('GET', '/_sandbox/outbound/stubs')
    return stubs
  }

  /** Saves and publishes code on a card, sets its variables and switches it on, in one step. */
  async publish(card: string, code: string, variables: Readonly<Record<string, string>>): Promise<void> {
    const program = { code, variables, publish: true, enabled: true }
    await this.#control('PUT', `/_sandbox/cards/${encodeURIComponent(card)}/program`, program)
  }

  async #service<T>(method: string, path: string, body?: unknown): Promise<T> {
    this.#token ??= await this.#signIn()
    const document = await this.#ask<{ data?: T }>(
      method,
      path,
      { authorization: `Bearer ${this.#token}` },
      body,
    )
    return (document.data ?? document) as T
  }

  #control<T>(method: string, path: string, body?: object): Promise<T> {
    const headers = this.#controlToken === undefined ? {} : { authorization: `Bearer ${this.#controlToken}` }
    return this.#ask<T>(method, path, headers, body)
  }

  async #signIn(): Promise<string> {
    const { workspaces } = await this.#control<{
      workspaces: { clientId: string; clientSecret: string; apiKey: string }[]
    }>('GET', '/_sandbox/workspaces')
    const { method, path, headers, body } = tokenCall(workspaces[0]!)
    const { access_token } = await this.#ask<{ access_token: string }>(method, path, headers, body)
    return access_token
  }

  async #ask<T>(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<T> {
    const text = typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body)
    const type = typeof body === 'object' ? { 'content-type': 'application/json' } : {}
    let response: Response
    try {
      response = await fetch(this.#origin + path, {
        method,
        headers: { ...type, ...headers },
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
        ...(text !== undefined && { body: text }),
      })
    } catch (error) {
      throw new LoopError(`${this.#origin} does not answer: ${(error as Error).message}.`)
    }
    const document = (await response.json().catch(() => ({}))) as { detail?: string }
    if (response.ok) return document as T
    const advice =
      response.status === 401 && path.startsWith('/_sandbox') ? ' --control-token gives its token.' : ''
    throw new LoopError(
      `${method} ${path.replace(/\?.*/, '')} is answered with ${response.status}: ${document.detail ?? 'no reason given.'}${advice}`,
    )
  }
}

async function healthOf(server: string, base: string, headers: Record<string, string>) {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(`${base}/_sandbox/health`, { headers, redirect: 'error', signal })
    const body: unknown = await response.json().catch(() => undefined)
    return { status: response.status, body }
  } catch (error) {
    const { cause, message } = error as Error
    throw new LoopError(`${server} does not answer: ${(cause as Error | undefined)?.message ?? message}.`)
  }
}

const isHealth = (body: unknown): boolean =>
  isJsonObject(body) && body.status === 'ok' && isJsonObject(body.clock)

const isRefusal = (body: unknown): boolean =>
  isJsonObject(body) && typeof body.type === 'string' && body.type.startsWith('urn:sandbox-server:problem:')
