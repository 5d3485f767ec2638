// A call and its reply as plain objects: what every way into the sandbox translates to and from.

import type { Warning } from './warning.js'

/** A request as a plain object: what every way into the sandbox translates to. */
export interface Call {
  readonly method: string
  /** Path, with or without a query string. */
  readonly path: string
  /** Query parameters, in place of a query string in `path`. */
  readonly query?: Readonly<Record<string, string | readonly string[]>>
  /** Names in any case. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Bytes or text as sent; an object stands for its JSON. */
  readonly body?: string | Uint8Array | object | undefined
  /** Scheme and host that the caller used, for `links.self`; defaults to `http://localhost`. */
  readonly origin?: string
  /** Set for a call that card code makes. */
  readonly cardCode?: CardCodeOrigin
}

/** Where a call of card code comes from. */
export interface CardCodeOrigin {
  /** How many executions the call comes out of: 1 for a call of a hook that a call from outside started. */
  readonly depth: number
  /** Shared by everything that one call from outside starts: how many executions that were so far. */
  readonly root: { executions: number }
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal
}

/** An answer as a plain object. Header names are lower case. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** In place of `body`: parts that come as time passes, until whoever asked goes away. */
  readonly stream?: AsyncIterableIterator<string>
  /**
   * What is to befall the connection: it breaks (`reset`), stays silent (`hang`), or breaks in the middle of the body
   * (`truncate`). The status and the body are those that the caller never sees, or sees the beginning of.
   */
  readonly disturbance?: 'reset' | 'hang' | 'truncate'
  /** The id of the fault that made this answer what it is. */
  readonly fault?: string
  /** Of a refusal: its code and why, also where the body does not say it. */
  readonly problem?: { readonly code: string; readonly detail: string }
  /** What the call did differently from the declarations, and was accepted all the same. */
  readonly warnings?: readonly Warning[]
}

/** Data whose JSON is written already, as text or as UTF-8, so that it is not written again; or a page of several. */
export class JsonText {
  constructor(
    readonly text: string | Uint8Array,
    readonly totalPages = 1,
  ) {}
}

/** An answer that is no JSON: a document. */
export class Binary {
  constructor(
    readonly contentType: string,
    readonly bytes: Uint8Array,
  ) {}
}

/** An answer that goes on as things happen: server-sent events. */
export class EventStream {
  constructor(readonly parts: AsyncIterableIterator<string>) {}
}

/** Where a sandbox listens: the IP address that it is bound to, and the port. */
export interface ListenAddress {
  readonly address: string
  readonly port: number
  /** Default `http`. */
  readonly scheme?: 'http' | 'https'
}

/** Whether a path is of the sandbox's own API, however its slashes are doubled. */
export const isControlPath = (path: string): boolean => /^\/+_sandbox(?:[/?]|$)/.test(path)
