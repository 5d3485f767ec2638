// `tail`: the log of a bank in another process, from its stream of events.

import { setTimeout as wait } from 'node:timers/promises'
import type { EventOnWire } from '../journal/events.js'
import { Fields, type NoteEntry } from './log-entry.js'
import type { Ask, Log } from './log.js'

/** The bank cannot be followed: one sentence, and the exit code. */
export class TailError extends Error {
  override readonly name = 'TailError'

  /** @param exitCode 2 when another flag would help, 1 when no bank answers there */
  constructor(
    message: string,
    readonly exitCode: 1 | 2,
  ) {
    super(message)
  }
}

/** Which bank is followed. */
export interface TailOptions {
  /** Its address, as `--url` gives it. */
  readonly url: string
  readonly workspace: string
  readonly controlToken?: string | undefined
}

const types = 'call,execution,card-transaction,clock,reset'
const connectMs = 10_000
/** How long to wait before the stream is requested again. */
const minWaitMs = 200
const maxWaitMs = 2_000
/** A bank sends no longer events. */
const maxEvent = 4_000_000

/** The control API of a bank in another process. */
export class RemoteBank {
  readonly #base: string
  readonly #options: TailOptions
  /** Set once the bank has refused like a sandbox: no other server gets the token. */
  #authorization: Readonly<Record<string, string>> = {}
  #lastId = ''
  #boot = ''

  /** Throws a {@link TailError} for an invalid address. */
  constructor(options: TailOptions) {
    const { url } = options
    const parsed = URL.canParse(url) ? new URL(url) : undefined
    if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username !== '' || parsed.password !== '')
      throw new TailError(`--url must be an address such as http://127.0.0.1:3300, not '${url}'.`, 2)
    this.#base = parsed.origin + parsed.pathname.replace(/\/+$/, '')
    this.#options = options
  }

  /** Calls the control API. */
  readonly ask: Ask = async (path) => {
    const signal = AbortSignal.timeout(connectMs)
    const response = await fetch(this.#base + path, { headers: this.#authorization, signal })
    return response.json()
  }

  /**
   * Passes the events of the workspace to the log until `signal` is aborted, over restarts of the bank. Rejects with a
   * {@link TailError} when the bank is not there at first, or refuses.
   */
  async follow(log: Log, signal: AbortSignal, connected: () => void): Promise<void> {
    let stream = await this.#connect(signal)
    connected()
    let waitMs = minWaitMs
    while (!signal.aborted) {
      if (stream) {
        waitMs = minWaitMs
        // A broken connection is opened again; missed events come then.
        await this.#read(stream, log).catch(rethrowTailError)
      }
      if (isAborted(signal)) return
      await wait(waitMs, undefined, { signal }).catch(() => undefined)
      waitMs = Math.min(maxWaitMs, 2 * waitMs)
      const wasThere = stream !== undefined
      stream = await this.#connect(signal).catch((error: unknown) => {
        if (error instanceof NotThere) return undefined
        throw error
      })
      if (wasThere && !stream && !isAborted(signal))
        log.add(this.#note('the bank does not answer; trying again'))
    }
  }

  /** The stream of events after the last received one. */
  async #connect(signal: AbortSignal): Promise<ReadableStream<Uint8Array> | undefined> {
    const { workspace, controlToken } = this.#options
    const address = `${this.#base}/_sandbox/events?types=${types}&workspace=${encodeURIComponent(workspace)}`
    const last: Record<string, string> = this.#lastId === '' ? {} : { 'last-event-id': this.#lastId }
    const open = (): Promise<Response> =>
      fetch(address, {
        headers: { accept: 'text/event-stream', ...last, ...this.#authorization },
        signal,
        redirect: 'error',
      })
    try {
      let response = await open()
      let problem = response.ok ? undefined : await problemOf(response)
      if (response.status === 401 && problem !== undefined && controlToken !== undefined) {
        this.#authorization = { authorization: `Bearer ${controlToken}` }
        response = await open()
        problem = response.ok ? undefined : await problemOf(response)
      }
      const isStream = response.headers.get('content-type') === 'text/event-stream'
      if (response.ok && isStream) return response.body ?? undefined
      throw this.#refusal(response.status, problem)
    } catch (error) {
      if (signal.aborted) return undefined
      throw error instanceof TailError ? error : this.#notThere(error)
    }
  }

  #refusal(status: number, problem: string | undefined): TailError {
    const { url, controlToken } = this.#options
    if (problem === undefined)
      return new TailError(`${url} is no sandbox: /_sandbox/events answers ${status} without events.`, 1)
    if (status === 401)
      return new TailError(
        controlToken === undefined
          ? `${url} asks for the token of its control API: --control-token gives it.`
          : `${url} refuses this --control-token: ${problem}`,
        2,
      )
    return new TailError(`${url} refuses: ${problem}`, 2)
  }

  #notThere(error: unknown): TailError {
    const { url } = this.#options
    const { code = '', message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException
    if (/CERT|SIGNATURE|SELF_SIGNED|ISSUER/.test(code))
      return new TailError(
        `The certificate of ${url} is not trusted: save ${this.#base}/_sandbox/ca.pem and name the file in NODE_EXTRA_CA_CERTS.`,
        2,
      )
    const why = code === '' ? message : code
    return new NotThere(`No bank answers at ${url} (${why}): start one, or name another with --url.`, 1)
  }

  async #read(stream: ReadableStream<Uint8Array>, log: Log): Promise<void> {
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true })
      const parts = text.split('\n\n')
      text = parts.pop()!
      if (text.length > maxEvent) throw new TailError(`${this.#options.url} sends no events of a sandbox.`, 1)
      for (const part of parts) this.#take(part, log)
    }
  }

  #take(part: string, log: Log): void {
    let id = ''
    let event: unknown
    for (const line of part.split('\n'))
      if (line.startsWith('id: ')) id = line.slice(4)
      else if (line.startsWith('data: ')) event = parsed(line.slice(6))
    const fields = new Fields(event)
    if (fields.text('type') === 'hello') this.#greet(fields.text('boot'), log)
    else if (event !== undefined) log.take(event as EventOnWire, this.#options.workspace)
    if (id !== '') this.#lastId = id
  }

  #greet(boot: string, log: Log): void {
    if (this.#boot !== '') if (boot !== this.#boot) log.add(this.#note('the bank was started again'))
    this.#boot = boot
  }

  readonly #note = (text: string): NoteEntry => ({
    event: 'connection',
    at: '',
    workspace: this.#options.workspace,
    text,
  })
}

/** No server answers: after the first connection, this waits for it. */
class NotThere extends TailError {}

const isAborted = (signal: AbortSignal): boolean => signal.aborted

function rethrowTailError(error: unknown): void {
  if (error instanceof TailError) throw error
}

/** The message of a sandbox's refusal; undefined for any other answer. */
async function problemOf(response: Response): Promise<string | undefined> {
  const text = await response.text()
  if (!response.headers.get('content-type')?.startsWith('application/problem+json')) return undefined
  const problem = new Fields(parsed(text))
  return problem.text('type').startsWith('urn:sandbox-server:') ? problem.text('detail') : undefined
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
