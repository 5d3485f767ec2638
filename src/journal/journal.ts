// The calls and their answers, bounded in number and bytes. A call is stored as it came, which costs almost nothing;
// call-record.ts shows it without secrets.

import type { Call, Reply } from '../protocol/call.js'
import type { Warning } from '../protocol/warning.js'

/** One call as the journal stores it. */
export interface JournalEntry {
  /** 1 for the first call since the start or the last reset. */
  readonly id: number
  /** Epoch ms of the sandbox's clock. */
  readonly atMs: number
  readonly ms: number
  /** The client of the token, or the one that signs in; null for an unknown client, whatever id it sends. */
  readonly clientId: string | null
  readonly method: string
  /** As sent, with its query string. */
  readonly path: string
  /** As the endpoint declares it, without a query: faults, filters and verification match it. */
  readonly canonicalPath: string
  /** 0 when no answer came. */
  readonly status: number
  readonly requestHeaders: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly requestBody: string
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly responseBody: string
  /** The id of the fault that affected the call. */
  readonly fault: string | null
  /** For a refusal: its code and the reason, even when the body does not contain them. */
  readonly problem: { readonly code: string; readonly detail: string } | null
  readonly warnings: readonly Warning[]
}

/** What the sandbox knows about a call besides the request and the answer. */
export interface CallContext {
  readonly canonicalPath: string
  /** Epoch ms of the sandbox's clock. */
  readonly startMs: number
  readonly ms: number
  readonly clientId: string | null
}

const entriesKept = 1000
const bodyKept = 8192

/** The journal of one workspace: the last thousand calls, each body cut at 8 KiB. */
export class Journal {
  #entries: JournalEntry[] = []
  #count = 0
  #cleared = 0

  record(call: Call, reply: Reply, context: CallContext): JournalEntry {
    const { canonicalPath, startMs: atMs, ms, clientId } = context
    // The array grows to twice its bound before it is cut, so that a call costs no copying on average.
    if (this.#entries.length >= 2 * entriesKept) this.#entries = this.#entries.slice(-entriesKept)
    const isAnswered = reply.disturbance === undefined || reply.disturbance === 'truncate'
    const entry: JournalEntry = {
      id: ++this.#count,
      atMs,
      ms,
      clientId,
      method: call.method,
      path: call.path,
      canonicalPath,
      status: isAnswered ? reply.status : 0,
      requestHeaders: call.headers ?? none,
      requestBody: excerpt(call.body, ''),
      responseHeaders: reply.headers,
      responseBody: excerpt(reply.body, reply.headers['content-type'] ?? ''),
      fault: reply.fault ?? null,
      problem: reply.problem ?? null,
      warnings: reply.warnings ?? noWarnings,
    }
    this.#entries.push(entry)
    return entry
  }

  /** The stored calls, oldest first, as they came: redact before showing them. */
  get entries(): readonly JournalEntry[] {
    return this.#entries.slice(-entriesKept)
  }

  /** Takes stored calls in place of its own; numbers continue. */
  restore(entries: readonly JournalEntry[]): void {
    this.#entries = [...entries]
    this.#count = entries.at(-1)?.id ?? 0
    this.#cleared = (entries[0]?.id ?? 1) - 1
  }

  /** How many calls since the last clear are no longer stored. */
  get dropped(): number {
    return this.#count - this.#cleared - Math.min(this.#entries.length, entriesKept)
  }

  /** Forgets the calls; numbers continue. */
  clear(): void {
    this.#entries = []
    this.#cleared = this.#count
  }

  /** Forgets everything: the next call is number 1. */
  reset(): void {
    this.#count = 0
    this.clear()
  }
}

const none = {}
const noWarnings: readonly Warning[] = []

/** A caller in the process may pass a value without JSON, such as a circular object; the answer refuses it. */
function jsonOf(body: unknown): string {
  try {
    const text = JSON.stringify(body) as string | undefined
    return text ?? ''
  } catch (error) {
    return `(${(error as Error).name}: no JSON)`
  }
}

function excerpt(body: unknown, contentType: string): string {
  if (body === undefined || body === '') return ''
  // Through bytes, because a slice of a text would keep the whole text in memory.
  if (typeof body === 'string')
    return body.length <= bodyKept ? body : `${Buffer.from(body.slice(0, bodyKept)).toString()}…`
  if (!(body instanceof Uint8Array)) return excerpt(jsonOf(body), contentType)
  if (contentType === 'application/pdf') return `(${body.byteLength} bytes)`
  const text = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, bodyKept)).toString()
  return body.byteLength <= bodyKept ? text : `${text}…`
}
