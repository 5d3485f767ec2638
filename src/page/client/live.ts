// Live events of the bank. Browsers allow six connections to a host, so one tab reads the stream of a workspace (Web
// Locks) and forwards events to the others (BroadcastChannel). A tab that takes over continues after its own last
// event.

import { effect, signal } from '@preact/signals'
import { base, missing, needsToken, round, send } from './api.js'
import { workspace } from './route.js'

/** An event of `GET /_sandbox/events`. */
export interface LiveEvent {
  readonly type: string
  readonly [name: string]: unknown
}

type Status = 'connecting' | 'live' | 'lost'

/** A message between tabs. */
type Message =
  | { readonly kind: 'event'; readonly id: string; readonly event: LiveEvent }
  | { readonly kind: 'status'; readonly status: Status; readonly boot: string }
  | { readonly kind: 'ask' }

export const status = signal<Status>('connecting')
/** The state of the connection in one sentence, for all components. */
export const notice = signal('')

type Listener = (event: LiveEvent) => void
const listeners = new Set<Listener>()

/**
 * Calls `listener` with each event, and with `resync` when everything must be read again. Returns a function that
 * stops it.
 */
export function listen(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function emit(event: LiveEvent): void {
  for (const listener of [...listeners]) listener(event)
}

/** The stream of one workspace, read by this tab or another. */
class Stream {
  readonly #channel: BroadcastChannel
  readonly #stop = new AbortController()
  #boot = ''
  #lastId = ''
  #isLeader = false
  #isOver = false

  constructor(readonly workspace: string) {
    const name = `sandbox-server events ${base} ${workspace}`
    this.#channel = new BroadcastChannel(name)
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => this.#hear(data)
    this.#tell({ kind: 'ask' })
    const { signal } = this.#stop
    // Without a secure context (another machine's name) there are no locks, and each tab reads its own stream.
    if ('locks' in navigator)
      navigator.locks.request(name, { signal }, () => this.#lead()).catch(() => undefined)
    else void this.#lead()
  }

  close(): void {
    this.#isOver = true
    this.#stop.abort()
    this.#channel.close()
  }

  #tell(message: Message): void {
    if (!this.#isOver) this.#channel.postMessage(message)
  }

  #hear(message: Message): void {
    if (message.kind === 'event') this.#take(message.id, message.event)
    else if (message.kind === 'status') this.#enter(message.status, message.boot)
    else if (this.#isLeader) this.#tell({ kind: 'status', status: status.value, boot: this.#boot })
  }

  /** An event that the previous leading tab has already sent is skipped. */
  #take(id: string, event: LiveEvent): void {
    if (id !== '') {
      if (numberOf(id) <= numberOf(this.#lastId) && bootOf(id) === bootOf(this.#lastId)) return
      this.#lastId = id
    }
    emit(event.type === 'lost' ? { type: 'resync' } : event)
  }

  #enter(next: Status, boot: string): void {
    const before = status.value
    status.value = next
    const isRestarted = this.#boot !== '' && boot !== '' && boot !== this.#boot
    if (boot !== '') this.#boot = boot
    if (next === 'lost' && before !== 'lost') notice.value = 'The server does not answer. Trying again…'
    if (isRestarted) {
      this.#lastId = ''
      notice.value = 'The server was restarted. Everything here was read again.'
      emit({ type: 'resync' })
    } else if (next === 'live' && before === 'lost') {
      notice.value = 'Connected again. Nothing was missed.'
      // Calls that failed meanwhile left gaps that events do not fill.
      emit({ type: 'resync' })
    }
  }

  async #lead(): Promise<void> {
    this.#isLeader = true
    const { signal } = this.#stop
    for (let waitMs = 200; !this.#isOver; waitMs = Math.min(2 * waitMs, 2000)) {
      try {
        const headers: Record<string, string> = this.#lastId === '' ? {} : { 'last-event-id': this.#lastId }
        const path = `/_sandbox/events?workspace=${encodeURIComponent(this.workspace)}`
        const { body } = await send(path, { signal, headers })
        await this.#read(body!, () => (waitMs = 100))
      } catch {
        // It is told below, as an end without an error is.
      }
      this.#say('lost', '')
      await pause(waitMs, signal)
    }
  }

  async #read(body: ReadableStream<Uint8Array>, connected: () => void): Promise<void> {
    const reader = body
      .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
      .getReader()
    let text = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += value
      const parts = text.split('\n\n')
      text = parts.pop()!
      for (const part of parts) {
        const { id, event } = parsed(part)
        if (!event) continue
        if (event.type === 'hello') {
          connected()
          this.#say('live', String(event.boot))
        } else {
          this.#take(id, event)
          this.#tell({ kind: 'event', id, event })
        }
      }
    }
  }

  #say(next: Status, boot: string): void {
    if (this.#isOver) return
    this.#enter(next, boot)
    this.#tell({ kind: 'status', status: next, boot })
  }
}

const bootOf = (id: string): string => id.slice(0, id.lastIndexOf(':'))
const numberOf = (id: string): number => Number(id.slice(id.lastIndexOf(':') + 1))

function parsed(part: string): { id: string; event: LiveEvent | undefined } {
  let id = ''
  let event: LiveEvent | undefined
  for (const line of part.split('\n'))
    if (line.startsWith('id: ')) id = line.slice(4)
    else if (line.startsWith('data: ')) event = JSON.parse(line.slice(6)) as LiveEvent
  return { id, event }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Follows the events of the workspace that is shown. */
export function startLive(): void {
  let stream: Stream | undefined
  effect(() => {
    const name = workspace.value
    stream?.close()
    stream = undefined
    // Refused calls are repeated in the next round.
    if (needsToken.value || missing.value === name || round.value < 0) return
    status.value = 'connecting'
    stream = new Stream(name)
  })
}
