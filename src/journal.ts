// What was asked and answered: bounded in number and bytes, secrets taken out before anybody reads it.

import type { Reply } from './endpoint.js'

/** One call as the journal keeps it. */
export interface JournalEntry {
  /** 1 for the first call since the start or the last reset. */
  readonly id: number
  /** Epoch ms of the sandbox's clock. */
  readonly atMs: number
  readonly ms: number
  readonly clientId: string | null
  readonly method: string
  /** With its query string. */
  readonly path: string
  readonly status: number
  readonly requestHeaders: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly requestBody: string
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly responseBody: string
}

const entriesKept = 1000
const bodyKept = 8192

/** The journal of one workspace: the last thousand calls, each body cut at 8 KiB. */
export class Journal {
  #entries: JournalEntry[] = []
  #count = 0

  record(
    entry: Omit<JournalEntry, 'id' | 'requestBody' | 'responseHeaders' | 'responseBody' | 'status'>,
    requestBody: unknown,
    reply: Reply,
  ): void {
    // The array runs to twice its bound before it is cut, so that a call costs no copying on average.
    if (this.#entries.length >= 2 * entriesKept) this.#entries = this.#entries.slice(-entriesKept)
    this.#entries.push({
      ...entry,
      id: ++this.#count,
      status: reply.status,
      requestBody: excerpt(requestBody, ''),
      responseHeaders: reply.headers,
      responseBody: excerpt(reply.body, reply.headers['content-type'] ?? ''),
    })
  }

  /** The calls that are kept, oldest first, as they came: redact before showing them. */
  get entries(): readonly JournalEntry[] {
    return this.#entries.slice(-entriesKept)
  }

  clear(): void {
    this.#entries = []
    this.#count = 0
  }
}

function excerpt(body: unknown, contentType: string): string {
  if (body === undefined || body === '') return ''
  // Through bytes, since a slice of a text would keep the whole of it in memory.
  if (typeof body === 'string')
    return body.length <= bodyKept ? body : `${Buffer.from(body.slice(0, bodyKept)).toString()}…`
  if (!(body instanceof Uint8Array)) return excerpt(JSON.stringify(body), contentType)
  if (contentType === 'application/pdf') return `(${body.byteLength} bytes)`
  return Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, bodyKept)).toString()
}
