// The options of the Node API as users see them.

import type { HttpOptions } from '../http/http-options.js'
import type { TlsOptions } from '../http/tls.js'
import type { ScenarioFile, Settings, ShippedScenario } from './api-types.js'

/** Options of a sandbox in this process. */
export interface CreateOptions {
  /** 0 to 4294967295; the same seed gives the same household and the same identifiers. Default 1. */
  readonly seed?: number | undefined
  /**
   * Freezes the clock at a date or an instant: `'2026-03-25'`, `'2026-03-25T08:00:00Z'`, a `Date`, or epoch ms. By
   * default the clock runs with the machine's.
   */
  readonly now?: string | number | Date | undefined
  /**
   * True refuses requests that deviate from the declarations, such as an unknown field, with a 400 that names each
   * deviation; false, the default, accepts them with a warning. Overrides the scenario's setting.
   */
  readonly strict?: boolean | undefined
  /**
   * Which one to follow where they disagree: `documented`, the default, is the service's document, `observed` the
   * live service. Overrides the scenario's setting.
   */
  readonly behaviour?: Settings['behaviour'] | undefined
  /** A scenario: the name of a shipped one, the path of a file, or the content of such a file. Default `default`. */
  readonly scenario?: ShippedScenario | (string & {}) | ScenarioFile | undefined
  /**
   * True publishes the code of a card again whenever the file changes that the scenario file names as its `codeFile`;
   * balances and rows stay, and a reset returns to the new code. Needs `scenario` with the path of a file. Default false.
   */
  readonly watch?: boolean | undefined
  /**
   * Where card code may send calls. Overrides the scenario's setting. Default `allow`, or `public` when other
   * machines can reach the bank.
   */
  readonly outbound?: 'allow' | 'public' | 'loopback' | 'deny' | undefined
  /** The client id of the sandbox's client, instead of `sandbox-client`; 8 to 200 visible ASCII characters. */
  readonly clientId?: string | undefined
  /** Its secret; random by default when other machines can reach the bank. */
  readonly clientSecret?: string | undefined
  /** Its first API key; random by default when other machines can reach the bank. */
  readonly apiKey?: string | undefined
}

/** Options of a sandbox that listens. */
export interface StartOptions extends CreateOptions, HttpOptions, TlsOptions {
  /** Port to listen on, 0 to 65535; 0, the default, takes a free one. */
  readonly port?: number | undefined
  /** Address to listen on. Default `127.0.0.1`. */
  readonly host?: string | undefined
}

/** Additional options of `useSandbox` and `useStartedSandbox`. */
export interface TestOptions {
  /** Starts the engine of card code before the first test, so that no test waits for it. Default false. */
  readonly cardCode?: boolean | undefined
}

/** Invalid options. For each, the message says what would be right. */
export class OptionError extends TypeError {
  override readonly name = 'OptionError'

  /**
   * @param option the name of the first invalid option
   * @param detail one line for each error
   */
  constructor(
    /** The name of the first option that is wrong. */
    readonly option: string,
    detail: string,
  ) {
    super(detail)
  }
}
