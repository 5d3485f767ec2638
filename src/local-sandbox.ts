// The sandbox as a test file sees it: a bank in this process, with the names of the control API as methods.

import type { Call, Reply } from './endpoint.js'
import { callOf, requestOf, responseOf } from './fetch.js'
import { readCreateOptions, readStartOptions, type CreateOptions, type StartOptions } from './options.js'
import { Sandbox } from './sandbox.js'
import type { Listening } from './server.js'

/** What a client signs in with. */
export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret: string
  /** For the `x-api-key` header of the token request. */
  readonly apiKey: string
}

/** A bank in this process. {@link createSandbox} makes one. */
export class LocalSandbox {
  /** The bank under these methods, which the ways into it (Express, MSW) are given. */
  readonly core: Sandbox

  constructor(core: Sandbox) {
    this.core = core
  }

  /** The credentials of the sandbox's client, with its first API key. */
  get credentials(): ClientCredentials {
    const { clientId, clientSecret, apiKeys } = this.core.main.credentials.clients[0]!
    return { clientId, clientSecret, apiKey: apiKeys[0]!.key }
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
  close(): Promise<void> {
    return this.core.close()
  }

  /** `await using sandbox = await createSandbox()` closes it at the end of the block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

/** A bank in this process that listens too. {@link startSandbox} makes one. */
export class StartedSandbox extends LocalSandbox {
  /** `http://127.0.0.1:49152`, without a slash at the end. */
  readonly url: string
  readonly port: number
  readonly #listening: Listening
  #closed: Promise<void> | undefined

  constructor(core: Sandbox, listening: Listening) {
    super(core)
    this.url = listening.url
    this.port = listening.port
    this.#listening = listening
  }

  /** Stops listening, ends every connection, and ends everything that the sandbox has started. */
  override close(): Promise<void> {
    return (this.#closed ??= this.#listening.close().then(() => super.close()))
  }
}

/**
 * A bank in this process, without a socket; when it resolves, the bank is ready.
 *
 * @throws OptionError (as a rejection) that names the option that cannot be used
 */
export async function createSandbox(options?: CreateOptions): Promise<LocalSandbox> {
  const core = await Sandbox.create(readCreateOptions(options))
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
  const core = await Sandbox.create(read)
  // Loaded here, since a bank without a socket needs no Express.
  const [{ listen }] = await Promise.all([import('./server.js'), core.main.open()])
  return new StartedSandbox(core, await listen(core, read))
}
