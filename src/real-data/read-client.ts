// A read-only client of a bank's API: signs in once, sends GET and nothing else, keeps to a rate, waits when it is told to.

import { setTimeout as wait } from 'node:timers/promises'

/** Why a pull or a comparison ended early. `exitCode` is 2 for usage, 3 where the service could not be read. */
export class RealDataError extends Error {
  override readonly name = 'RealDataError'
  constructor(
    message: string,
    readonly exitCode: 2 | 3 = 3,
  ) {
    super(message)
  }
}

/** How the API is signed in to. None of it is ever written or printed. */
export interface ServiceCredentials {
  readonly clientId: string
  readonly clientSecret: string
  readonly apiKey: string
}

/** Where the service is, and how gently it is asked. */
export interface ReadOptions {
  /** Base address, such as `https://openapi.example`. */
  readonly url: string
  readonly credentials: ServiceCredentials
  /** Requests a second at most; 2 when left out. */
  readonly rate?: number | undefined
  /** Answers that an earlier, interrupted run has read, by path. */
  readonly known?: ReadonlyMap<string, ReadAnswer> | undefined
  /** Told of each answer that was read from the service. */
  readonly onAnswer?: ((path: string, answer: ReadAnswer) => void) | undefined
}

/** An answer as it was read: `body` is the parsed JSON, or text where it is none. */
export interface ReadAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly body: unknown
}

/** What a bank is read from: a service, or a recording of one. */
export interface ReadSource {
  readonly dateMs: number | undefined
  /** Requests sent so far. */
  readonly sent: number
  get(path: string): Promise<ReadAnswer>
}

const maxAnswerBytes = 64 * 1024 * 1024
const answerTimeoutMs = 60_000
const maxAttempts = 5
/** A kept connection may be closed just when a request is sent on it: reading again is harmless. */
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
  /** How many requests have been sent, the token's included. */
  sent = 0

  constructor(options: ReadOptions) {
    this.#options = options
    this.#base = baseOf(options.url)
  }

  /** Signs in. Throws a {@link RealDataError} when the service refuses, after one attempt. */
  async signIn(): Promise<ReadAnswer> {
    const { clientId, clientSecret, apiKey } = this.#options.credentials
    const answer = await this.#send(
      'POST',
      '/identity/v2/oauth2/token',
      {
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        'x-api-key': apiKey,
        'content-type': 'application/x-www-form-urlencoded',
      },
      'grant_type=client_credentials',
    )
    const { access_token: token } = Object(answer.body) as { access_token?: unknown }
    if (answer.status === 400 || answer.status === 401)
      throw new RealDataError(
        `The service refused to sign in (${answer.status}): check client id, client secret and API key.`,
      )
    if (answer.status !== 200 || typeof token !== 'string')
      throw new RealDataError(
        `${this.#base.origin} is no bank of this API: its token endpoint answered ${answer.status} without an access_token.`,
      )
    this.#token = token
    return answer
  }

  /** The answer to GET `path`, whatever its status. A 401 renews the token once; 429 and 5xx are asked again. */
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
      if ((answer.status === 429 || answer.status >= 500) && attempt < maxAttempts) {
        await wait(waitOf(answer, attempt))
        continue
      }
      if (answer.status < 500 && answer.status !== 429) this.#options.onAnswer?.(path, answer)
      return answer
    }
  }

  /** GET with a wrong token, once: what the service says to it. */
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
    for (let attempt = 1; ; attempt++) {
      try {
        return await fetch(url, {
          method,
          headers,
          redirect: 'error',
          signal: AbortSignal.timeout(answerTimeoutMs),
          ...(body !== undefined && { body }),
        })
      } catch (error) {
        const reason = reasonOf(error)
        if (attempt < maxConnectAttempts && /ECONNRESET|UND_ERR_SOCKET/.test(reason)) continue
        throw new RealDataError(`${url.origin} cannot be reached: ${reason}.`)
      }
    }
  }

  #noteDate(text: string | undefined): void {
    const at = Date.parse(text ?? '')
    if (!Number.isNaN(at)) this.dateMs = at
  }

  /** POST of JSON: only for what the user has allowed by name. */
  async post(path: string, body: object): Promise<ReadAnswer> {
    if (this.#token === undefined) await this.signIn()
    const headers = { authorization: `Bearer ${this.#token!}`, 'content-type': 'application/json' }
    return this.#send('POST', path, headers, JSON.stringify(body))
  }

  /** Sends requests one after the other, no more in a second than the rate says. */
  #send(
    method: 'GET' | 'POST',
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<ReadAnswer> {
    const turn = this.#next.then(() => this.#exchange(method, path, headers, body))
    const pause = 1000 / Math.max(0.01, this.#options.rate ?? 2)
    this.#next = turn.then(
      () => wait(pause),
      () => wait(pause),
    )
    return turn
  }

  async #exchange(
    method: 'GET' | 'POST',
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<ReadAnswer> {
    const url = new URL(this.#base.href.replace(/\/+$/, '') + path)
    this.sent++
    const response = await this.#fetch(url, method, headers, body)
    this.#noteDate(response.headers.get('date') ?? undefined)
    const text = await readText(response, url)
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text,
      body: parsed(text),
    }
  }
}

/** The base address of a service. Throws a {@link RealDataError} for what is none. */
function baseOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new RealDataError(
      `--url must be an address such as https://openapi.example, not '${text.slice(0, 100)}'.`,
      2,
    )
  if (url.username !== '' || url.password !== '' || url.search !== '')
    throw new RealDataError('--url must hold no user name, password or query.', 2)
  return url
}

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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Whether a 401 is about the token: a permission that lacks is one, too, and no new token helps there. */
const isExpired = ({ text }: ReadAnswer): boolean => !/permission|not allowed|forbidden/i.test(text)

/** How long to wait before asking again, ms: what the service says, or twice as long each time. */
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
