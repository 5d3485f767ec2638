// A read-only client of a bank's API: signs in once, sends only GET requests, limits its rate, and waits when the
// service says so.

import { tokenCall, type ClientCredentials } from '../protocol/authorization.js'
import { jsonOrText } from '../protocol/json.js'
import { cut } from '../protocol/quote.js'
import { setTimeout } from 'node:timers/promises'

/**
 * Why a pull or a comparison ended early. `exitCode` is 2 for usage, 3 where the service could not be read, 130 when it
 * was interrupted.
 */
export class RealDataError extends Error {
  override readonly name = 'RealDataError'
  constructor(
    message: string,
    /** How the command ends: 2 for usage, 3 where the service could not be read, 130 when it was stopped. */
    readonly exitCode: 2 | 3 | 130 = 3,
  ) {
    super(message)
  }
}

/** The data make no scenario: reading again from there would fail in the same way. */
export class UnusableDataError extends RealDataError {}

/** How the API is signed in to. None of it is ever written or printed. */
export type ServiceCredentials = ClientCredentials

/** The address of the service, and the limits of the client. */
export interface ReadOptions {
  /** Base address, such as `https://openapi.example`. */
  readonly url: string
  /** How the API is signed in to. */
  readonly credentials: ServiceCredentials
  /** Maximum requests per second; default 2. */
  readonly rate?: number | undefined
  /** Answers that an earlier, interrupted run has read, by path. */
  readonly known?: ReadonlyMap<string, ReadAnswer> | undefined
  /** Told of each answer with status 200 that was read from the service. */
  readonly onAnswer?: ((path: string, answer: ReadAnswer) => void) | undefined
  /** Called with the reason for a wait. */
  readonly onProgress?: ((text: string) => void) | undefined
  /** Ends reading: the current read rejects with a {@link RealDataError}. */
  readonly signal?: AbortSignal | undefined
  /** Waits so many ms; a test counts them instead. */
  readonly wait?: ((ms: number, signal: AbortSignal | undefined) => Promise<unknown>) | undefined
}

/** The status of an answer that a recording lacks. */
export const notRecorded = 0

/** An answer as it was read: `body` is the parsed JSON, or text where it is none. */
export interface ReadAnswer {
  /** The HTTP status. */
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body as text. */
  readonly text: string
  /** The parsed JSON, or text where it is none. */
  readonly body: unknown
}

/** The source of a bank: a service, or a recording. */
export interface ReadSource {
  /** The latest time that the source has said, epoch ms. */
  readonly dateMs: number | undefined
  /** Requests sent so far. */
  readonly sent: number
  /** The answer to a GET of this path. */
  get(path: string): Promise<ReadAnswer>
}

const maxAnswerBytes = 64 * 1024 * 1024
const answerTimeoutMs = 60_000
const maxAttempts = 5
/** A kept-alive connection may close just when a request is sent on it: reading again is harmless. */
const maxConnectAttempts = 3
const maxWaitMs = 120_000

/** Reads the API with one token, which is renewed when it has expired. */
export class ReadClient implements ReadSource {
  readonly #base: URL
  readonly #options: ReadOptions
  #token: string | undefined
  #next: Promise<unknown> = Promise.resolve()
  /** The service's time at its latest answer, epoch ms; undefined before the first. */
  dateMs: number | undefined
  /** How many requests have been sent, including the token's. */
  sent = 0

  constructor(options: ReadOptions) {
    this.#options = options
    this.#base = baseOf(options.url)
  }

  /** Signs in. Throws a {@link RealDataError} when the service refuses, after one attempt. */
  async signIn(): Promise<ReadAnswer> {
    const { method, path, headers, body } = tokenCall(this.#options.credentials)
    const answer = await this.#send(method, path, headers, body)
    const { access_token: token } = Object(answer.body) as { access_token?: unknown }
    if (answer.status === 400 || answer.status === 401)
      throw new RealDataError(
        `The service refused to sign in (${answer.status}): check client id, client secret and API key.`,
      )
    if (answer.status !== 200 || typeof token !== 'string')
      throw new RealDataError(
        `${this.#base.origin} is not a bank with this API: its token endpoint answered ${answer.status} without an access_token.`,
      )
    this.#token = token
    return answer
  }

  /** The answer to GET `path`, whatever its status. A 401 renews the token once; 429 and 5xx are retried. */
  async get(path: string): Promise<ReadAnswer> {
    const known = this.#options.known?.get(path)
    if (known) {
      this.#noteDate(known.headers.date)
      return known
    }
    if (this.#token === undefined) await this.signIn()
    let renewed = false
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#send('GET', path, {
        authorization: `Bearer ${this.#token!}`,
        accept: 'application/json',
      })
      if (answer.status === 401 && !renewed && isExpired(answer)) {
        renewed = true
        await this.signIn()
        continue
      }
      if (isPassing(answer) && attempt < maxAttempts) {
        const ms = waitOf(answer, attempt)
        const seconds = Math.ceil(ms / 1000)
        if (seconds > 1)
          this.#options.onProgress?.(`the service answered ${answer.status}: waiting ${seconds} s`)
        await this.#wait(ms)
        continue
      }
      if (answer.status === 200) this.#options.onAnswer?.(path, answer)
      return answer
    }
  }

  /** One GET with a wrong token, to see the refusal. */
  async getWith(path: string, authorization: string | undefined): Promise<ReadAnswer> {
    return this.#send('GET', path, {
      ...(authorization !== undefined && { authorization }),
      accept: 'application/json',
    })
  }

  async #fetch(
    url: URL,
    method: 'GET' | 'POST',
    headers: Record<string, string>,
    body?: string,
  ): Promise<Response> {
    const { signal } = this.#options
    for (let attempt = 1; ; attempt++) {
      const timeout = AbortSignal.timeout(answerTimeoutMs)
      try {
        return await fetch(url, {
          method,
          headers,
          redirect: 'error',
          signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
          ...(body !== undefined && { body }),
        })
      } catch (error) {
        if (signal?.aborted) throw interrupted()
        const reason = reasonOf(error)
        if (attempt < maxConnectAttempts && /ECONNRESET|UND_ERR_SOCKET/.test(reason)) continue
        throw new RealDataError(`${url.origin} cannot be reached: ${reason}.`)
      }
    }
  }

  async #wait(ms: number): Promise<void> {
    const { signal, wait = waitFor } = this.#options
    try {
      await wait(ms, signal)
    } catch {
      throw interrupted()
    }
  }

  #noteDate(text: string | undefined): void {
    const at = Date.parse(text ?? '')
    if (!Number.isNaN(at)) this.dateMs = at
  }

  /** POST of JSON: only for operations that the user has allowed by name. */
  async post(path: string, body: object): Promise<ReadAnswer> {
    if (this.#token === undefined) await this.signIn()
    const headers = { authorization: `Bearer ${this.#token!}`, 'content-type': 'application/json' }
    return this.#send('POST', path, headers, JSON.stringify(body))
  }

  /** Sends requests one after the other, within the rate. */
  #send(
    method: 'GET' | 'POST',
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<ReadAnswer> {
    const turn = this.#next.then(() => this.#exchange(method, path, headers, body))
    const pause = 1000 / Math.max(0.01, this.#options.rate ?? 2)
    const rest = (): Promise<void> => this.#wait(pause)
    this.#next = turn.then(rest, rest)
    // The next call reports an interruption, if there is one.
    this.#next.catch(() => undefined)
    return turn
  }

  async #exchange(
    method: 'GET' | 'POST',
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<ReadAnswer> {
    const url = addressOf(this.#base, path)
    this.sent++
    const response = await this.#fetch(url, method, headers, body)
    this.#noteDate(response.headers.get('date') ?? undefined)
    const text = await readText(response, url).catch((error: unknown) => {
      throw this.#options.signal?.aborted ? interrupted() : error
    })
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text,
      body: jsonOrText(text),
    }
  }
}

const waitFor = (ms: number, signal: AbortSignal | undefined): Promise<unknown> =>
  setTimeout(ms, undefined, signal && { signal })

const interrupted = (): RealDataError => new RealDataError('Interrupted.', 130)

/** Whether a retry may help: too many requests, or an error of the service. */
export const isPassing = ({ status }: ReadAnswer): boolean => status === 429 || status >= 500

/** The base address of a service, as a flag gives it. Throws a {@link RealDataError} for what is none. */
export function baseOf(text: string, flag = '--url'): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const holdsMore = url && url.username + url.password + url.search + url.hash !== ''
  if (holdsMore) throw new RealDataError(`${flag} must hold no user name, password, query or fragment.`, 2)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new RealDataError(
      `${flag} must be an address such as https://openapi.example, not '${cut(text, 100)}'.`,
      2,
    )
  return url
}

/** A path of the API at a base address, which may have a path of its own. */
export const addressOf = (base: URL, path: string): URL => new URL(base.href.replace(/\/+$/, '') + path)

async function readText(response: Response, url: URL): Promise<string> {
  const decoder = new TextDecoder()
  const parts: string[] = []
  let bytes = 0
  try {
    const body = response.body as AsyncIterable<Uint8Array> | null
    for await (const chunk of body ?? []) {
      bytes += chunk.byteLength
      if (bytes > maxAnswerBytes)
        throw new RealDataError(
          `${url.pathname} answered with more than ${maxAnswerBytes / 1024 / 1024} MiB.`,
        )
      parts.push(decoder.decode(chunk, { stream: true }))
    }
  } catch (error) {
    if (error instanceof RealDataError) throw error
    throw new RealDataError(`The answer of ${url.pathname} broke off: ${reasonOf(error)}.`)
  }
  return parts.join('') + decoder.decode()
}

/** Whether a 401 is about the token: it may also be about a missing permission, and then a new token does not help. */
const isExpired = ({ text }: ReadAnswer): boolean => !/permission|not allowed|forbidden/i.test(text)

/** How long to wait before a retry, in ms: the service's value, or twice as long each time. */
function waitOf({ headers }: ReadAnswer, attempt: number): number {
  const said = headers['retry-after']
  const seconds = Number(said)
  if (said !== undefined && Number.isFinite(seconds)) return Math.min(maxWaitMs, Math.max(0, seconds * 1000))
  const until = Date.parse(said ?? '') - Date.parse(headers.date ?? '')
  return Math.min(maxWaitMs, Number.isFinite(until) ? Math.max(0, until) : 500 * 2 ** attempt)
}

const reasonOf = (error: unknown): string => {
  const { cause, message } = error as Error & { cause?: { code?: string; message?: string } }
  return cause?.code ?? cause?.message ?? message
}
