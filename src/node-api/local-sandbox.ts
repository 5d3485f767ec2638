// The sandbox as a test file sees it: a bank in this process, with the names of the control API as methods.

import type { Balance } from '../bank/records.js'
import { controlFace, type ControlFace } from './control-client.js'
import type { Call, Reply } from '../protocol/call.js'
import type { HttpOptions } from '../http/http-options.js'
import { callOf, requestOf, responseOf } from './fetch.js'
import {
  OptionError,
  readCreateOptions,
  readStartOptions,
  type CreateOptions,
  type StartOptions,
} from './options.js'
import { Sandbox, type SandboxOptions } from '../sandbox/sandbox.js'
import type { Listening } from '../http/server.js'

/** What a client signs in with. */
export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret: string
  /** For the `x-api-key` header of the token request. */
  readonly apiKey: string
}

/** A bank in this process. {@link createSandbox} makes one. Its methods that change the bank are {@link controlFace}'s. */
export class LocalSandbox implements ControlFace {
  #core: Sandbox | undefined
  readonly reset: ControlFace['reset']
  readonly checkpoints: ControlFace['checkpoints']
  readonly upcoming: ControlFace['upcoming']
  readonly scenarios: ControlFace['scenarios']
  readonly workspaces: ControlFace['workspaces']
  readonly clock: ControlFace['clock']
  readonly settings: ControlFace['settings']
  readonly faults: ControlFace['faults']
  readonly requests: ControlFace['requests']
  readonly outbound: ControlFace['outbound']
  readonly cards: ControlFace['cards']
  readonly transactions: ControlFace['transactions']
  readonly payments: ControlFace['payments']
  readonly profiles: ControlFace['profiles']
  readonly accounts: ControlFace['accounts']
  readonly beneficiaries: ControlFace['beneficiaries']
  readonly apiKeys: ControlFace['apiKeys']
  readonly rotateSecret: ControlFace['rotateSecret']
  readonly snapshot: ControlFace['snapshot']
  readonly restore: ControlFace['restore']

  /** @param core the bank under these methods; {@link begin} may give it later */
  constructor(core?: Sandbox) {
    this.#core = core
    const face = controlFace(() => this.core)
    this.reset = face.reset
    this.scenarios = face.scenarios
    this.workspaces = face.workspaces
    this.checkpoints = face.checkpoints
    this.upcoming = face.upcoming
    this.clock = face.clock
    this.settings = face.settings
    this.faults = face.faults
    this.requests = face.requests
    this.outbound = face.outbound
    this.cards = face.cards
    this.transactions = face.transactions
    this.payments = face.payments
    this.profiles = face.profiles
    this.accounts = face.accounts
    this.beneficiaries = face.beneficiaries
    this.apiKeys = face.apiKeys
    this.rotateSecret = face.rotateSecret
    this.snapshot = face.snapshot
    this.restore = face.restore
  }

  /** The bank under these methods, which the ways into it (Express, MSW) are given. */
  get core(): Sandbox {
    if (this.#core) return this.#core
    throw new Error('The sandbox has not begun yet: use it in a hook or a test.')
  }

  /** Takes the bank over which these methods are to work from now on. */
  begin(core: Sandbox): void {
    this.#core = core
  }

  /** The credentials of the sandbox's client, with its first API key. */
  get credentials(): ClientCredentials {
    const { clientId, clientSecret, apiKeys } = this.core.main.credentials.clients[0]!
    return { clientId, clientSecret, apiKey: apiKeys[0]!.key }
  }

  /** What an account holds now, as the service shows it, in rand. Throws when there is no such account. */
  balance(accountId: string): Balance {
    const { bank } = this.core.main
    if (!bank) throw new Error('The bank is not open yet: wait for createSandbox, or for the first hook.')
    bank.catchUp()
    return bank.balance(accountId)
  }

  /** Answers one call given as a plain object, without a socket: the fastest way in. Every refusal is a reply too. */
  readonly handle = (call: Call): Promise<Reply> => this.core.handle(call)

  /**
   * Answers a request of the Fetch API, in place of the global `fetch`: whatever its host, it is this bank that is asked.
   * A path alone (`/za/pb/v1/accounts`) is taken too.
   */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = requestOf(input, init)
    return responseOf(await this.core.handle(await callOf(request)), request)
  }

  /** Ends everything that the sandbox has started. Calling it again does nothing. */
  async close(): Promise<void> {
    await this.#core?.close()
  }

  /** `await using sandbox = await createSandbox()` closes it at the end of the block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

/** A bank in this process that listens too. {@link startSandbox} makes one. */
export class StartedSandbox extends LocalSandbox {
  #listening: Listening | undefined
  #closed: Promise<void> | undefined

  /** `http://127.0.0.1:49152`, without a slash at the end. */
  get url(): string {
    return this.#heard().url
  }

  get port(): number {
    return this.#heard().port
  }

  #heard(): Listening {
    if (this.#listening) return this.#listening
    throw new Error('The sandbox does not listen yet: read its address in a hook or a test.')
  }

  /** Begins to listen; {@link startSandbox} has done that. */
  async listen(options: HttpOptions & { readonly port: number; readonly host: string }): Promise<void> {
    // Loaded here, since a bank without a socket needs no Express.
    const { listen } = await import('../http/server.js')
    this.#listening = await listen(this.core, options)
  }

  /** Stops listening, ends every connection, and ends everything that the sandbox has started. */
  override close(): Promise<void> {
    return (this.#closed ??= Promise.all([this.#listening?.close(), super.close()]).then(() => undefined))
  }
}

/** The bank that options describe. Rejects with an OptionError when the scenario cannot be used. */
export async function coreOf(options: SandboxOptions): Promise<Sandbox> {
  try {
    return await Sandbox.create(options)
  } catch (error) {
    const { name, message } = error as Error
    throw name === 'ScenarioError' ? new OptionError('scenario', `Option scenario: ${message}`) : error
  }
}

/**
 * A bank in this process, without a socket; when it resolves, the bank is ready.
 *
 * @throws OptionError (as a rejection) that names the option that cannot be used
 */
export async function createSandbox(options?: CreateOptions): Promise<LocalSandbox> {
  const core = await coreOf(readCreateOptions(options))
  await core.main.open()
  return new LocalSandbox(core)
}

/**
 * A bank in this process that listens, on a free port of 127.0.0.1 if nothing else is said; when it resolves, the bank
 * takes requests.
 *
 * @throws OptionError (as a rejection) that names the option that cannot be used, or the system's error, such as
 * `EADDRINUSE`
 */
export async function startSandbox(options?: StartOptions): Promise<StartedSandbox> {
  const read = readStartOptions(options)
  const core = await coreOf(read)
  const sandbox = new StartedSandbox(core)
  await Promise.all([sandbox.listen(read), core.main.open()])
  return sandbox
}
