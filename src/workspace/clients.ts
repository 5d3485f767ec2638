// The clients with which a workspace starts: those of the base data, under names of its own.

import type { ClientRecord } from '../bank/credentials.js'
import { fixtures } from '../household/fixtures.js'

/** The name of the default workspace. */
export const mainName = 'default'

/** The credentials of the client of the base data, instead of the well-known ones. */
export interface GivenClient {
  readonly clientId: string
  readonly clientSecret: string
  /** For its API keys, in their order. */
  readonly apiKeys: readonly string[]
}

/** The clients; the well-known one gets other credentials, if any are given. */
export function withGiven(
  clients: readonly ClientRecord[],
  given: GivenClient | undefined,
): readonly ClientRecord[] {
  if (!given) return clients
  const known = fixtures().clients[0]!
  return clients.map((client) =>
    client.clientId !== known.clientId || client.clientSecret !== known.clientSecret
      ? client
      : {
          ...client,
          clientId: given.clientId,
          clientSecret: given.clientSecret,
          apiKeys: client.apiKeys.map((apiKey, index) => ({
            ...apiKey,
            key: given.apiKeys[index] ?? apiKey.key,
          })),
        },
  )
}

/** A workspace's clients: the workspace's name is appended to every credential. */
export function clientsOf(name: string, clients: readonly ClientRecord[]): readonly ClientRecord[] {
  if (name === mainName) return clients
  return clients.map(({ clientId, clientSecret, apiKeys }) => ({
    clientId: `${clientId}-${name}`,
    clientSecret: `${clientSecret}-${name}`,
    apiKeys: apiKeys.map((apiKey) => ({ ...apiKey, key: `${apiKey.key}-${name}` })),
  }))
}
