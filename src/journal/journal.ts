// What was asked and answered: bounded in number and bytes. A call is kept as it came, which costs it next to nothing;
// how it is shown, without secrets, is call-record.ts.

import type { Call, Reply } from '../protocol/call.js'
import type { Warning } from '../protocol/warning.js'

/** One call as the journal keeps it. */
export interface JournalEntry {
  /** 1 for the first call since the start or the last reset. */
  readonly id: number
  /** Epoch ms of the sandbox's clock. */
  readonly atMs: number
  readonly ms: number
  /** The client of the token, or the one that signs in; null for one that is not known, whatever it calls itself. */
  readonly clientId: string | null
  readonly method: string
  /** As sent, with its query string. */
  readonly path: string
  /** As the endpoint declares it, without a query: what faults, filters and verification match. */
  readonly canonicalPath: string
  /** 0 when no answer came. */
  readonly status: number
  readonly requestHeaders: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly requestBody: string
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly responseBody: string
  /** The id of the fault that befell the call. */
  readonly fault: string | null
  /** Of a refusal: its code and why, also where the body does not say it. */
  readonly problem: { readonly code: string; readonly detail: string } | null
  readonly warnings: readonly Warning[]
}

/** What the sandbox knows of a call besides what was sent and answered. */
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
    // The array runs to twice its bound before it is cut, so that a call costs no copying on average.
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

  /** The calls that are kept, oldest first, as they came: redact before showing them. */
  get entries(): readonly JournalEntry[] {
    return this.#entries.slice(-entriesKept)
  }

  /** How many calls came since the journal was cleared that it does not hold any more. */
  get dropped(): number {
    return this.#count - this.#cleared - Math.min(this.#entries.length, entriesKept)
  }

  /** Forgets the calls; numbers go on. */
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

/** A caller in the process may pass what has no JSON, such as an object that holds itself; the answer refuses it. */
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
  // Through bytes, since a slice of a text would keep the whole of it in memory.
  if (typeof body === 'string')
    return body.length <= bodyKept ? body : `${Buffer.from(body.slice(0, bodyKept)).toString()}…`
  if (!(body instanceof Uint8Array)) return excerpt(jsonOf(body), contentType)
  if (contentType === 'application/pdf') return `(${body.byteLength} bytes)`
  const text = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, bodyKept)).toString()
  return body.byteLength <= bodyKept ? text : `${text}…`
}
