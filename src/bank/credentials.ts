// Access: clients with their secrets, the API keys of each client, and the issued access tokens.

import { timingSafeEqual } from 'node:crypto'
import type { Clock } from '../determinism/clock.js'
import { Problem } from '../protocol/problem.js'
import { hash, Stream, type Random } from '../determinism/random.js'
import { listOf, record, type RecordFrom, type Schema } from '../protocol/schema.js'

/** The permissions of an API key, with the names that the token's scope uses. */
export const permissions = [
  'accounts',
  'balances',
  'transactions',
  'transfers',
  'beneficiarypayments',
  'cards',
  'documents.statements',
  'documents.taxcertificates',
] as const
export type Permission = (typeof permissions)[number]

/** The members of an API key besides the key itself. `text` and `accountIds` carry the bounds of the place that reads it. */
export const apiKeyMembers = <const T extends Schema, const L extends Schema>(text: T, accountIds: L) =>
  ({
    alias: { ...text, description: 'Its name.' },
    accounts: {
      anyOf: [{ const: 'all' }, accountIds],
      description: 'The ids of the accounts that it may access, or `all`.',
    },
    permissions: {
      ...listOf({ enum: permissions }),
      maxItems: permissions.length,
      uniqueItems: true,
      description: 'What it may do.',
    },
  }) as const

/** The schema of a client with its API keys, for an exported state, a scenario file and the fixtures. */
export const clientSchema = <const T extends Schema, const L extends Schema>(
  titles: { readonly client: string; readonly apiKey: string },
  text: T,
  accountIds: L,
) =>
  record(titles.client, 'A client that may sign in.', {
    clientId: { ...text, description: 'The client id.' },
    clientSecret: { ...text, description: 'Its secret.' },
    apiKeys: {
      ...listOf(
        record(titles.apiKey, 'An API key.', {
          key: { ...text, description: 'The key, as the client sends it to sign in.' },
          ...apiKeyMembers(text, accountIds),
        }),
      ),
      description: 'Its API keys.',
    },
  })

const stateText = { type: 'string', maxLength: 1000 } as const

/** A client as an export holds it. */
const ClientState = clientSchema(
  { client: 'ClientState', apiKey: 'ApiKeyState' },
  stateText,
  listOf(stateText),
)

export type ClientRecord = RecordFrom<typeof ClientState>
/** An API key of the online profile: an alias, the accounts it may access, and its permissions. */
export type ApiKeyRecord = ClientRecord['apiKeys'][number]

/** What a token gives access to. */
export interface Grant {
  readonly token: string
  readonly clientId: string
  readonly apiKey: ApiKeyRecord
  readonly permissions: ReadonlySet<Permission>
  /** Epoch ms of the sandbox's clock. */
  readonly expiresMs: number
}

/** `expires_in` of a token, seconds. */
export const tokenSeconds = 1799

/** How many tokens of one client are kept. */
export const maxTokens = 1000

/** The exported state of clients and tokens. */
export const CredentialsState = record('CredentialsState', 'Clients, and the issued tokens.', {
  clients: { ...listOf(ClientState), minItems: 1, description: 'The clients that may sign in.' },
  grants: {
    ...listOf(
      record('GrantState', 'A token.', {
        token: { ...stateText, description: 'The access token.' },
        clientId: { ...stateText, description: 'The client that owns it.' },
        apiKey: { ...stateText, description: 'The API key that it was requested with.' },
        permissions: { ...listOf({ enum: permissions }), description: 'What it may do.' },
        expiresMs: {
          type: 'number',
          description: "When it expires, in milliseconds since 1970 of the bank's clock.",
        },
      }),
    ),
    description: 'The issued tokens.',
  },
})
export type CredentialsState = RecordFrom<typeof CredentialsState>

/** A token as an export writes it. */
export const grantState = ({ apiKey, permissions, ...grant }: Grant): CredentialsState['grants'][number] => ({
  ...grant,
  apiKey: apiKey.key,
  permissions: [...permissions],
})

/** The refusal of a token that has none of the permissions; it says whether the scope or the API key lacks them. */
export function missingPermission({ apiKey }: Grant, needed: readonly Permission[]): Problem {
  const who = needed.some((permission) => apiKey.permissions.includes(permission))
    ? "The token's scope"
    : `The API key ${JSON.stringify(apiKey.alias)}`
  return new Problem('missing-permission', `${who} lacks the permission ${needed.join(' or ')}.`)
}

/** The clients and tokens of one workspace. */
export class Credentials {
  readonly #mark: string
  readonly #clients = new Map<string, ClientRecord>()
  readonly #grants = new Map<string, Grant>()
  /** The tokens of each client, oldest first. */
  readonly #tokens = new Map<string, Set<string>>()

  /** @param mark the prefix of every token, which identifies its workspace */
  constructor(clients: readonly ClientRecord[], mark = '') {
    this.#mark = mark
    for (const client of clients) this.#clients.set(client.clientId, client)
  }

  get state(): CredentialsState {
    return { clients: this.clients, grants: Array.from(this.#grants.values(), grantState) }
  }

  /** The issued tokens, oldest first. */
  get grants(): ReadonlyMap<string, Grant> {
    return this.#grants
  }

  /** Loads clients and tokens, replacing its own; tokens of unknown clients or keys are left out. */
  restore({ clients, grants }: CredentialsState): void {
    this.#clients.clear()
    this.#grants.clear()
    this.#tokens.clear()
    for (const client of clients) this.#clients.set(client.clientId, client)
    for (const grant of grants) {
      const apiKey = this.client(grant.clientId)?.apiKeys.find(({ key }) => key === grant.apiKey)
      if (apiKey) this.#keep({ ...grant, apiKey, permissions: new Set(grant.permissions) })
    }
  }

  get clients(): ClientRecord[] {
    return [...this.#clients.values()]
  }

  client(clientId: string): ClientRecord | undefined {
    return this.#clients.get(clientId)
  }

  /**
   * Adds a client, or replaces the one with the same id. Tokens of keys that it lost become invalid; tokens of
   * changed keys get the permissions that the key still has.
   */
  setClient(client: ClientRecord): void {
    this.#clients.set(client.clientId, client)
    const keys = new Map(client.apiKeys.map((apiKey) => [apiKey.key, apiKey]))
    for (const grant of this.#grants.values()) {
      if (grant.clientId !== client.clientId) continue
      const apiKey = keys.get(grant.apiKey.key)
      if (!apiKey) this.#drop(grant)
      else if (apiKey !== grant.apiKey) {
        const permitted = apiKey.permissions.filter((permission) => grant.permissions.has(permission))
        this.#grants.set(grant.token, { ...grant, apiKey, permissions: new Set(permitted) })
      }
    }
  }

  /** Expires a token now (epoch ms); does nothing for an unknown one. */
  expire(token: string, nowMs: number): void {
    const grant = this.#grants.get(token)
    if (grant && grant.expiresMs > nowMs) this.#grants.set(token, { ...grant, expiresMs: nowMs })
  }

  /** Expires every token now (epoch ms). */
  expireAll(nowMs: number): void {
    for (const token of [...this.#grants.keys()]) this.expire(token, nowMs)
  }

  /** The client with this id and secret. The comparison of the secret takes constant time. */
  signIn(clientId: string, secret: string): ClientRecord | undefined {
    const client = this.#clients.get(clientId)
    return client && timingSafeEqualText(client.clientSecret, secret) ? client : undefined
  }

  /** A new token: 28 letters and digits, valid for {@link tokenSeconds} of the sandbox's clock. */
  issue(
    client: ClientRecord,
    apiKey: ApiKeyRecord,
    granted: readonly Permission[],
    time: { clock: Clock; random: Random },
  ): Grant {
    const now = time.clock.now()
    const token = this.#mark + time.random.stream('tokens').characters(alphabet, 28 - this.#mark.length)
    const grant: Grant = {
      token,
      clientId: client.clientId,
      apiKey,
      permissions: new Set(granted),
      expiresMs: now + tokenSeconds * 1000,
    }
    this.#keep(grant)
    return grant
  }

  /**
   * Stores a token. Only the newest of one client are kept, including expired ones, so that they are refused as
   * expired.
   */
  #keep(grant: Grant): void {
    const { clientId, token } = grant
    this.#grants.set(token, grant)
    let tokens = this.#tokens.get(clientId)
    if (!tokens) this.#tokens.set(clientId, (tokens = new Set()))
    tokens.add(token)
    for (const oldest of tokens) {
      if (tokens.size <= maxTokens) break
      tokens.delete(oldest)
      this.#grants.delete(oldest)
    }
  }

  #drop({ clientId, token }: Grant): void {
    this.#grants.delete(token)
    this.#tokens.get(clientId)?.delete(token)
  }

  grant(token: string): Grant | undefined {
    return this.#grants.get(token)
  }
}

/** How many leading characters of a token identify its workspace. */
export const markLength = 8

/** The token prefix of a workspace, made from its name alone: 48 bits, so that no two names share it. */
export const markOf = (name: string): string =>
  Stream.of(hash(name), `mark/${name}`).characters(alphabet, markLength)

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Whether two secrets are equal, in a time that does not depend on where they differ. */
export function timingSafeEqualText(expected: string, given: string): boolean {
  const a = Buffer.from(expected)
  const b = Buffer.from(given)
  return a.length === b.length ? timingSafeEqual(a, b) : (timingSafeEqual(a, a), false)
}
