// The options of a server besides its address.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Call, Reply } from '../protocol/call.js'
import type { Warning } from '../protocol/warning.js'

/** Who may reach the server besides programs on this machine. */
export interface HttpOptions {
  /** Origins of web pages that may call, besides loopback ones; `*` for all. */
  readonly cors?: readonly string[]
  /** Host names that clients may use, besides loopback names. */
  readonly allowHosts?: readonly string[]
  /** False turns the control API under `/_sandbox` off for all HTTP clients. Default true. */
  readonly control?: boolean
  /** Opens the control API to callers from other machines, who send this as a bearer token. */
  readonly controlToken?: string
  /** False serves no web page at `/_sandbox/`. There is also none without the control API. Default true. */
  readonly page?: boolean
  /** Called for each answered request. */
  readonly onRequest?: (line: RequestLine) => void
}

/** One answered request, for the log. */
export interface RequestLine {
  /** `-` when the request could not be read. */
  readonly method: string
  /** With its query, in which secrets are masked; `-` when the request could not be read. */
  readonly path: string
  /** The HTTP status. */
  readonly status: number
  /** Real milliseconds. */
  readonly ms: number
  /**
   * Whether the journal keeps it: not calls of the sandbox's own API, nor calls that the server refuses before the
   * bank.
   */
  readonly isInJournal: boolean
  /** Of a refusal: its code and why. */
  readonly problem?: {
    /** The code of the problem, such as `invalid-request`. */
    readonly code: string
    /** What was wrong and what would be right. */
    readonly detail: string
  }
  /** What the request did differently from the declarations, and was accepted all the same. */
  readonly warnings?: readonly Warning[]
}

/**
 * What the listener needs from a handler.
 * @internal
 */
export interface ServingOptions extends HttpOptions {
  /** True when the bank owns `/`: a browser is then redirected to the page. */
  readonly isRoot?: boolean
  /** The certificate that clients may trust, PEM, served at `/_sandbox/ca.pem`. */
  readonly certificate?: string
  /** Called for a response that only its client ends: a stream of events, or a fault that hangs. */
  readonly onEndless?: (response: ServerResponse) => void
  /** Answers the calls in the place of the sandbox, which may be one of several. */
  readonly front?: Front
}

/**
 * A reply, and the time (epoch ms) that its Date header shows, if that is not the time of the main workspace.
 * @internal
 */
export interface DatedReply extends Reply {
  readonly atMs?: number
}

/**
 * What stands between the listener and several sandboxes.
 * @internal
 */
export interface Front {
  /** Answers a call. The control API is its to guard. */
  readonly answer: (call: Call, request: IncomingMessage) => Promise<DatedReply>
  /** Answers a request before anything is checked; false for one that is not its own. */
  readonly aside: (request: IncomingMessage, response: ServerResponse) => boolean
}
