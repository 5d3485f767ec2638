// Prints the log of a bank: entries made from its events, as text or as JSON lines, with the bodies read from the
// control API.

import type { RequestLine } from '../http/http-options.js'
import type { EventOnWire } from '../journal/events.js'
import { Entries, entryOfLine, Fields, type LogEntry, type RequestEntry } from './log-entry.js'
import { textOf, type LogStyle } from './log-text.js'

/** Asks the control API of the bank by a GET. Answers the JSON document, or undefined when there is none. */
export type Ask = (path: string) => Promise<unknown>

export interface LogOptions {
  readonly ask: Ask
  readonly print: (text: string) => void
  /** Called for each entry: a terminal may become wider. */
  readonly style: () => LogStyle
  /** JSON lines instead of text. */
  readonly isJson: boolean
}

/** The log of one bank. */
export class Log {
  readonly #entries = new Entries()
  readonly #options: LogOptions
  /** Entries that wait for a call of the API: entries keep their order. */
  #queue: Promise<void> | undefined

  constructor(options: LogOptions) {
    this.#options = options
  }

  /** Prints an event of a workspace, if it has an entry. Never throws. */
  take(event: EventOnWire, workspace: string): void {
    const isVerbose = this.#options.style().isVerbose
    for (const entry of this.#entries.of(event, workspace))
      if (isVerbose && entry.event === 'request' && entry.id !== undefined)
        this.#later(() => this.#withBodies(entry))
      else this.#add(entry)
  }

  /** Prints a request that the journal does not keep: one of the sandbox's own API, or one that the server refused. */
  takeLine(line: RequestLine, at: string, workspace: string): void {
    if (line.isInJournal) return
    const { isJson, style } = this.#options
    // The page and health checks read constantly.
    const isReading = (line.method === 'GET' || line.method === 'HEAD') && line.status < 400
    if (isReading && !isJson && !style().isVerbose) return
    this.#add(entryOfLine(line, at, workspace))
  }

  /** Prints an entry that was made elsewhere. */
  add(entry: LogEntry): void {
    this.#add(entry)
  }

  /** Resolves once everything is printed. */
  async finish(): Promise<void> {
    await this.#queue
  }

  #add(entry: LogEntry): void {
    if (this.#queue) this.#later(() => Promise.resolve(entry))
    else this.#print(entry)
  }

  #print(entry: LogEntry): void {
    const { print, isJson, style } = this.#options
    const text = isJson ? JSON.stringify(entry) : textOf(entry, style())
    if (text !== '') print(text)
  }

  #later(make: () => Promise<LogEntry | undefined>): void {
    const queue = (this.#queue ?? Promise.resolve())
      .then(make)
      .then(
        (entry) => entry && this.#print(entry),
        () => undefined,
      )
      .then(() => {
        if (this.#queue === queue) this.#queue = undefined
      })
    this.#queue = queue
  }

  /** The entry with the bodies that the journal keeps. */
  async #withBodies(entry: RequestEntry): Promise<RequestEntry> {
    const path = `/_sandbox/requests?${query(entry.workspace)}&after=${entry.id! - 1}`
    const calls = new Fields(await this.#options.ask(path).catch(() => undefined)).list('requests')
    const call = calls.find((each) => each.number('id') === entry.id)
    const sent = call?.part('request')?.text('body') ?? ''
    const answered = call?.part('response')?.text('body') ?? ''
    return { ...entry, ...(sent !== '' && { sent }), ...(answered !== '' && { answered }) }
  }
}

const query = (workspace: string): string => `workspace=${encodeURIComponent(workspace)}`
