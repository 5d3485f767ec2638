// The options of the Node API as users see them.

import type { HttpOptions } from '../http/http-options.js'
import type { TlsOptions } from '../http/tls.js'
import type { ScenarioFile, Settings, ShippedScenario } from './api-types.js'

/** How a sandbox in the process starts. */
export interface CreateOptions {
  /** 0 to 4294967295; the same seed gives the same household and the same identifiers. Default 1. */
  readonly seed?: number | undefined
  /**
   * Stops the clock at a date or an instant: `'2026-03-25'`, `'2026-03-25T08:00:00Z'`, a `Date`, or epoch ms. Without
   * it the clock runs with that of the machine.
   */
  readonly now?: string | number | Date | undefined
  /**
   * True refuses requests that deviate from the declarations, such as an unknown field, with a 400 that names each
   * deviation; false, the default, accepts them with a warning. Takes precedence over the scenario's setting.
   */
  readonly strict?: boolean | undefined
  /**
   * Where the service's document and the live service disagree: `documented`, the default, follows the document,
   * `observed` the live service. Takes precedence over the scenario's setting.
   */
  readonly behaviour?: Settings['behaviour'] | undefined
  /** A scenario: the name of a shipped one, the path of a file, or what such a file says. Default `default`. */
  readonly scenario?: ShippedScenario | (string & {}) | ScenarioFile | undefined
  /** Where card code may call. Takes precedence over the scenario's setting. Default `allow`; `public` beyond this machine. */
  readonly outbound?: 'allow' | 'public' | 'loopback' | 'deny' | undefined
  /** The client id of the sandbox's client, in place of `sandbox-client`; 8 to 200 visible ASCII characters. */
  readonly clientId?: string | undefined
  /** Its secret; on a host that other machines reach it is random unless given. */
  readonly clientSecret?: string | undefined
  /** Its first API key; on a host that other machines reach it is random unless given. */
  readonly apiKey?: string | undefined
}

/** How a sandbox that listens starts. */
export interface StartOptions extends CreateOptions, HttpOptions, TlsOptions {
  /** Port to listen on, 0 to 65535; 0, the default, takes a free one. */
  readonly port?: number | undefined
  /** Address to listen on. Default `127.0.0.1`. */
  readonly host?: string | undefined
}

/** What `useSandbox` and `useStartedSandbox` take besides. */
export interface TestOptions {
  /** Start the engine of card code before the first test, so that no test waits for it. Default false. */
  readonly cardCode?: boolean | undefined
}

/** Options that cannot be used. The message says of each what would be right. */
export class OptionError extends TypeError {
  override readonly name = 'OptionError'

  /**
   * @param option the name of the first option that is wrong
   * @param detail one line for each fault
   */
  constructor(
    readonly option: string,
    detail: string,
  ) {
    super(detail)
  }
}
