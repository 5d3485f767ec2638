// The sandbox as a test file sees it: a bank in this process, with the control API as methods.

/// <reference lib="esnext.disposable" preserve="true" />

import type { Balance, ServiceClient } from './api-types.js'
import { ControlClient } from './control-client.js'
import { serviceClient, signIn, type SignedIn, type SignInOptions } from './service-client.js'
import type { ClientCredentials } from '../protocol/authorization.js'
import type { Call, Reply } from '../protocol/call.js'
import type { HttpOptions } from '../http/http-options.js'
import type { CertificatePair } from '../http/certificate.js'
import type { TlsOptions } from '../http/tls.js'
import { callOf, requestOf, responseOf } from './fetch.js'
import { OptionError, type CreateOptions, type StartOptions } from './option-types.js'
import { readCreateOptions, readStartOptions } from './read-options.js'
import { Sandbox, type SandboxOptions } from '../sandbox/sandbox.js'
import type { Listening } from '../http/server.js'

/** A bank in this process. {@link createSandbox} makes one. */
export class LocalSandbox extends ControlClient {
  #core: Sandbox | undefined

  /**
   * @param core the bank behind these methods; {@link begin} may provide it later
   * @internal
   */
  constructor(core?: Sandbox) {
    super(() => this.core)
    this.#core = core
  }

  /**
   * The bank behind these methods, for Express and MSW.
   * @internal
   */
  get core(): Sandbox {
    if (this.#core) return this.#core
    throw new Error('The sandbox has not begun yet: use it in beforeAll, beforeEach or a test.')
  }

  /**
   * From now on these methods use this bank.
   * @internal
   */
  begin(core: Sandbox): void {
    this.#core = core
  }

  /** The credentials of the sandbox's client, with its first API key. */
  get credentials(): ClientCredentials {
    const { clientId, clientSecret, apiKeys } = this.core.main.credentials.clients[0]!
    return { clientId, clientSecret, apiKey: apiKeys[0]!.key }
  }

  /**
   * Signs in at the bank's token endpoint, by default with {@link credentials}: `sandbox.fetch('/za/pb/v1/accounts',
   * { headers: (await sandbox.signIn()).headers })`.
   *
   * @throws ServiceError (as a rejection) when the bank refuses
   */
  signIn(options: SignInOptions = {}): Promise<SignedIn> {
    return signIn(this.core, this.#credentialsFor(options))
  }

  /**
   * The bank's API as typed methods, one for each endpoint: `await sandbox.client().listAccounts()`. It signs in by
   * itself, at the first call and whenever its token has expired. Its calls are in the journal like those of any
   * client. Methods reject with a ServiceError when the bank refuses.
   */
  client(options: SignInOptions = {}): ServiceClient {
    return serviceClient(
      () => this.core,
      () => this.#credentialsFor(options),
    )
  }

  #credentialsFor(options: SignInOptions): ClientCredentials {
    const { clientId, clientSecret, apiKey } = this.credentials
    return {
      clientId: options.clientId ?? clientId,
      clientSecret: options.clientSecret ?? clientSecret,
      apiKey: options.apiKey ?? apiKey,
    }
  }

  /** The current balances of an account in rand, as the service shows them. Throws when there is no such account. */
  balance(accountId: string): Balance {
    const { bank } = this.core.main
    if (!bank)
      throw new Error(
        'The bank is not open yet: wait for createSandbox, or for the first beforeAll or beforeEach.',
      )
    bank.catchUp()
    return bank.balance(accountId)
  }

  /** Answers one call given as a plain object, without a socket: the fastest way. Refusals are replies too. */
  readonly handle = (call: Call): Promise<Reply> => this.core.handle(call)

  /**
   * Answers a request of the Fetch API, as a replacement for the global `fetch`: this bank answers, whatever the
   * host. A path alone (`/za/pb/v1/accounts`) works too.
   */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = requestOf(input, init)
    return responseOf(await this.core.handle(await callOf(request)), request)
  }

  /** Stops everything that the sandbox has started. A second call does nothing. */
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
  #certificate: string | undefined

  /** `http://127.0.0.1:49152`, or with `https`, without a trailing slash. */
  get url(): string {
    return this.#heard().url
  }

  get port(): number {
    return this.#heard().port
  }

  /** The certificate (PEM) that clients must trust, with the option `tls` or `tlsCert`; otherwise undefined. */
  get certificate(): string | undefined {
    return this.#certificate
  }

  #heard(): Listening {
    if (this.#listening) return this.#listening
    throw new Error('The sandbox does not listen yet: read its address in beforeAll, beforeEach or a test.')
  }

  /**
   * Begins to listen; {@link startSandbox} has already called this.
   * @internal
   */
  async listen(
    options: HttpOptions & TlsOptions & { readonly port: number; readonly host: string },
  ): Promise<void> {
    // Loaded here, because a bank without a socket needs no Express.
    const { listen } = await import('../http/server.js')
    const pair = await pairFor(options)
    this.#listening = await listen(this.core, { ...options, ...(pair && { pair }) })
    this.#certificate = pair?.cert
  }

  /** Stops listening, closes every connection, and stops everything that the sandbox has started. */
  override close(): Promise<void> {
    return (this.#closed ??= Promise.all([this.#listening?.close(), super.close()]).then(() => undefined))
  }
}

/**
 * The bank for these options. Rejects with an OptionError when the scenario cannot be used.
 * @internal
 */
export async function coreOf(options: SandboxOptions): Promise<Sandbox> {
  const loaded = await Sandbox.load(options)
  if ('sandbox' in loaded) return loaded.sandbox
  throw new OptionError('scenario', `Option scenario: ${loaded.errors}`)
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
 * A bank in this process that listens, by default on a free port of 127.0.0.1; when it resolves, the bank accepts
 * requests.
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

/** The certificate to serve with, if any. Rejects with an OptionError. */
async function pairFor(
  options: TlsOptions & HttpOptions & { readonly host: string },
): Promise<CertificatePair | undefined> {
  if (!options.tls && options.tlsCert === undefined) return undefined
  const { pairOf } = await import('../http/tls.js')
  const found = pairOf(options, [options.host, ...(options.allowHosts ?? [])])
  if ('pair' in found) return found.pair
  const { option, message } = found.fault
  throw new OptionError(option, `Option ${option}: ${message}`)
}
