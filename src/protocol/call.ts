// A call and its reply as plain objects. Every way into the sandbox translates to and from them.

import type { Warning } from './warning.js'

/** A request as a plain object. */
export interface Call {
  /** The HTTP method, in any case. */
  readonly method: string
  /** Path, with or without a query string. */
  readonly path: string
  /** Query parameters; use this or a query string in `path`. */
  readonly query?: Readonly<Record<string, string | readonly string[]>>
  /** Header names in any letter case. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Bytes or text as sent. An object is sent as its JSON. */
  readonly body?: string | Uint8Array | object | undefined
  /** Scheme and host that the caller used, for `links.self`; defaults to `http://localhost`. */
  readonly origin?: string
  /** Set for a call that card code makes. */
  readonly cardCode?: CardCodeOrigin
}

/** The origin of a call that card code makes. */
export interface CardCodeOrigin {
  /** How many executions are nested: 1 for a call of a hook that an external call started. */
  readonly depth: number
  /** Shared by all executions that one outside call starts: how many there have been so far. */
  readonly root: {
    /** How many so far. */
    executions: number
  }
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal
  /** The caller's time is frozen: a delay is stated in the reply, and nobody waits for it. */
  readonly isFrozen?: boolean
}

/** An answer as a plain object. Header names are lower case. */
export interface Reply {
  /** The HTTP status. */
  readonly status: number
  /** The headers of the answer. */
  readonly headers: Readonly<Record<string, string>>
  /** The body: text, or the bytes of a document. */
  readonly body: string | Uint8Array
  /** Instead of `body`: chunks that arrive over time, until the caller disconnects. */
  readonly stream?: AsyncIterableIterator<string>
  /**
   * What happens to the connection: it breaks (`reset`), stays silent (`hang`), or breaks in the middle of the body
   * (`truncate`). The caller sees nothing of the status and the body, or only the beginning.
   */
  readonly disturbance?: 'reset' | 'hang' | 'truncate'
  /** By how many ms a fault delayed the answer in frozen time. */
  readonly delayMs?: number
  /** The id of the fault that caused this answer. */
  readonly fault?: string
  /** Of a refusal: its code and why, also where the body does not say it. */
  readonly problem?: {
    /** The code of the problem, such as `invalid-request`. */
    readonly code: string
    /** What was wrong and what would be right. */
    readonly detail: string
  }
  /** What the call did differently from the declarations, and was accepted all the same. */
  readonly warnings?: readonly Warning[]
}

/**
 * Data that is already written as JSON, as text or as UTF-8, so that it is not serialised again; or a page of
 * several.
 */
export class JsonText {
  constructor(
    /** The JSON, as text or as UTF-8. */
    readonly text: string | Uint8Array,
    /** How many pages there are. */
    readonly totalPages = 1,
  ) {}

  /** The last body that was written around it, for the next call of the same address. */
  written:
    | {
        /** The origin that its link has. */
        readonly origin: string
        /** The path that its link has. */
        readonly path: string
        /** The whole body. */
        readonly body: string
      }
    | undefined = undefined
}

/** An answer that is not JSON: a document. */
export class Binary {
  constructor(
    /** The media type. */
    readonly contentType: string,
    /** The document. */
    readonly bytes: Uint8Array,
  ) {}
}

/** An answer that continues as events happen: server-sent events. */
export class EventStream {
  constructor(
    /** What is sent, part by part. */
    readonly parts: AsyncIterableIterator<string>,
  ) {}
}

/** Where a sandbox listens: the IP address that it is bound to, and the port. */
export interface ListenAddress {
  /** The IP address. */
  readonly address: string
  /** The port. */
  readonly port: number
  /** Default `http`. */
  readonly scheme?: 'http' | 'https'
}

/** Whether a path belongs to the sandbox's own API, even when its slashes are doubled. */
export const isControlPath = (path: string): boolean => /^\/+_sandbox(?:[/?]|$)/.test(path)
