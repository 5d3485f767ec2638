// A server that other machines can reach: it must not use the well-known credentials, and card code must not be able
// to call this machine and its network.

import { randomSecret } from '../determinism/random.js'
import { isLoopbackHost } from '../http/guards.js'
import type { SandboxOptions } from '../sandbox/sandbox.js'
import type { GivenClient } from '../workspace/clients.js'

/** Credentials of the options; each may be omitted. */
export interface GivenCredentials {
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  readonly apiKey?: string | undefined
}

/** Whether other machines can reach a server that listens on this host. */
export const isExposed = (host: string): boolean => !isLoopbackHost(host)

/**
 * The sandbox options for the host on which it listens. When other machines can reach it, omitted credentials are
 * random, and card code may only call public addresses unless the option `outbound` allows more.
 */
export function forHost(
  host: string,
  { outbound, ...options }: SandboxOptions,
  given: GivenCredentials,
): SandboxOptions {
  const policy = outbound ?? (isExposed(host) ? 'public' : undefined)
  const client = clientOf(host, given)
  return { ...options, ...(policy && { outbound: policy }), ...(client && { client }) }
}

function clientOf(host: string, given: GivenCredentials): GivenClient | undefined {
  const needsSecrets = isExposed(host)
  const { clientId, clientSecret, apiKey } = given
  if (!needsSecrets && clientId === undefined && clientSecret === undefined && apiKey === undefined)
    return undefined
  const otherwise = (known: string): string => (needsSecrets ? randomSecret() : known)
  return {
    clientId: clientId ?? 'sandbox-client',
    clientSecret: clientSecret ?? otherwise('sandbox-secret'),
    apiKeys: [apiKey ?? otherwise('sandbox-api-key'), otherwise('sandbox-readonly-key')],
  }
}

/** The warning for the user of such a server. */
export const exposureWarning = (host: string): string =>
  `other machines can reach this bank, since it listens on ${host}. A client secret and API keys that are not given are random, the control ` +
  'API accepts calls from this machine only unless --control-token is given, and card code can call public addresses only ' +
  'unless --outbound is given. Other machines need --allow-host with the name that they use.'
