// Access: clients with their secrets, the API keys of each, and the access tokens that were issued.

import { timingSafeEqual } from 'node:crypto'
import type { Clock } from '../determinism/clock.js'
import { Problem } from '../protocol/problem.js'
import { hash, Stream, type Random } from '../determinism/random.js'

/** What an API key may be permitted, in the words of the token's scope. */
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

/** An API key of the online profile: an alias, the accounts it may access, and what it may do. */
export interface ApiKeyRecord {
  readonly key: string
  readonly alias: string
  readonly accounts: 'all' | readonly string[]
  readonly permissions: readonly Permission[]
}

export interface ClientRecord {
  readonly clientId: string
  readonly clientSecret: string
  readonly apiKeys: readonly ApiKeyRecord[]
}

/** What a token opens. */
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

/** The tokens of one client that are kept. */
export const maxTokens = 1000

/** Clients and tokens as an export holds them. */
export interface CredentialsState {
  readonly clients: readonly ClientRecord[]
  readonly grants: readonly GrantState[]
}

/** The refusal of a token that opens none of the permissions, which says whether its scope or its API key lacks them. */
export function missingPermission({ apiKey }: Grant, needed: readonly Permission[]): Problem {
  const who = needed.some((permission) => apiKey.permissions.includes(permission))
    ? "The token's scope"
    : `The API key ${JSON.stringify(apiKey.alias)}`
  return new Problem('missing-permission', `${who} lacks the permission ${needed.join(' or ')}.`)
}

/** A token as an export holds it: its API key by name. */
export interface GrantState extends Omit<Grant, 'apiKey' | 'permissions'> {
  readonly apiKey: string
  readonly permissions: readonly Permission[]
}

/** The clients and tokens of one workspace. */
export class Credentials {
  readonly #mark: string
  readonly #clients = new Map<string, ClientRecord>()
  readonly #grants = new Map<string, Grant>()
  /** The tokens of each client, oldest first. */
  readonly #tokens = new Map<string, Set<string>>()

  /** @param mark what every token begins with, so that it says whose it is */
  constructor(clients: readonly ClientRecord[], mark = '') {
    this.#mark = mark
    for (const client of clients) this.#clients.set(client.clientId, client)
  }

  get state(): CredentialsState {
    const grants = Array.from(this.#grants.values(), ({ apiKey, permissions, ...grant }) => {
      return { ...grant, apiKey: apiKey.key, permissions: [...permissions] }
    })
    return { clients: this.clients, grants }
  }

  /** Takes over clients and tokens in place of its own; tokens of unknown clients or keys are left out. */
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
   * Adds a client, or replaces the one with the same id. Tokens of keys that it lost are worthless from then on, those
   * of changed keys may do what the key may still do.
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

  /** Expires a token now (epoch ms); an unknown one stays unknown. */
  expire(token: string, nowMs: number): void {
    const grant = this.#grants.get(token)
    if (grant && grant.expiresMs > nowMs) this.#grants.set(token, { ...grant, expiresMs: nowMs })
  }

  /** Expires every token now (epoch ms). */
  expireAll(nowMs: number): void {
    for (const token of [...this.#grants.keys()]) this.expire(token, nowMs)
  }

  /** The client with this id and secret; the secret is compared in constant time. */
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

  /** Keeps a token. Of one client only the newest are kept, expired ones included, so that they are refused as expired. */
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

/** How many characters at the beginning of a token say which workspace it is of. */
export const markLength = 8

/** How the tokens of a workspace begin, from its name alone: 48 bits, so that no two names share it. */
export const markOf = (name: string): string =>
  Stream.of(hash(name), `mark/${name}`).characters(alphabet, markLength)

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Whether two secrets are equal, in a time that does not depend on where they differ. */
export function timingSafeEqualText(expected: string, given: string): boolean {
  const a = Buffer.from(expected)
  const b = Buffer.from(given)
  return a.length === b.length ? timingSafeEqual(a, b) : (timingSafeEqual(a, a), false)
}
