// What a server is told besides where it listens.

import type { ServerResponse } from 'node:http'
import type { Warning } from '../protocol/warning.js'

/** Who may reach the server besides programs on this machine. */
export interface HttpOptions {
  /** Origins of web pages that may call, besides loopback ones; `*` for all. */
  readonly cors?: readonly string[]
  /** Host names by which the server may be addressed, besides loopback names. */
  readonly allowHosts?: readonly string[]
  /** False turns the control API under `/_sandbox` off for everybody who comes over HTTP. Default true. */
  readonly control?: boolean
  /** Opens the control API to callers on other addresses than loopback ones, who send it as a bearer token. */
  readonly controlToken?: string
  /** False serves no web page at `/_sandbox/`; nor is there one without the control API. Default true. */
  readonly page?: boolean
  /** Called for each answered request. */
  readonly onRequest?: (line: RequestLine) => void
}

/** One answered request, for the log. */
export interface RequestLine {
  /** `-` for what cannot be read as a request. */
  readonly method: string
  /** With its query, in which secrets are masked; `-` for what cannot be read as a request. */
  readonly path: string
  readonly status: number
  /** Real milliseconds. */
  readonly ms: number
  /** Of a refusal: its code and why. */
  readonly problem?: { readonly code: string; readonly detail: string }
  /** What the request did differently from the declarations, and was accepted all the same. */
  readonly warnings?: readonly Warning[]
}

/**
 * What the listener asks of a handler besides.
 * @internal
 */
export interface ServingOptions extends HttpOptions {
  /** True where `/` is the bank's own: a browser is led to the page from there. */
  readonly isRoot?: boolean
  /** The certificate that clients may trust, PEM, answered at `/_sandbox/ca.pem`. */
  readonly certificate?: string
  /** Told of a response that only its client ends: a stream of events, or a fault that hangs. */
  readonly onEndless?: (response: ServerResponse) => void
}
