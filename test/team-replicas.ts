// Replicas of one bank in this process, and clients of them, for tests.

import { Replica, type ReplicaOptions } from '../src/team/replica.js'
import { standardSignIn, testMs, type SignIn } from './client.js'
import { freshStore } from './team-store.js'

export interface Asked {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what answers hold is what tests are about
  readonly json: any
}

/** A request of a client. */
export async function ask(
  url: string,
  method: string,
  path: string,
  body?: object | string,
  headers: Record<string, string> = {},
): Promise<Asked> {
  const isJson = typeof body === 'object'
  const response = await fetch(url + path, {
    method,
    headers: { ...(isJson && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
  })
  const text = await response.text()
  const json: unknown = (response.headers.get('content-type') ?? '').includes('json')
    ? JSON.parse(text)
    : undefined
  return { status: response.status, headers: response.headers, text, json }
}

/** The header with a new token. */
export async function signedIn(
  url: string,
  signIn: SignIn = standardSignIn,
): Promise<{ authorization: string }> {
  const basic = Buffer.from(`${signIn.clientId}:${signIn.clientSecret}`).toString('base64')
  const { json, text } = await ask(
    url,
    'POST',
    '/identity/v2/oauth2/token',
    'grant_type=client_credentials&scope=accounts',
    {
      authorization: `Basic ${basic}`,
      'x-api-key': signIn.apiKey,
      'content-type': 'application/x-www-form-urlencoded',
    },
  )
  if (json.access_token === undefined) throw new Error(`no token: ${text}`)
  return { authorization: `Bearer ${json.access_token}` }
}

/** Replicas with a schema of their own. */
export class Fleet {
  readonly replicas: Replica[] = []

  private constructor(readonly store: string) {}

  static async of(count: number, options: Partial<ReplicaOptions> = {}): Promise<Fleet> {
    return Fleet.on(await freshStore(), count, options)
  }

  /** With a store that exists already. */
  static async on(store: string, count: number, options: Partial<ReplicaOptions> = {}): Promise<Fleet> {
    const fleet = new Fleet(store)
    for (let i = 0; i < count; i++) await fleet.add(options)
    return fleet
  }

  async add(options: Partial<ReplicaOptions> = {}): Promise<Replica> {
    const replica = await Replica.start({
      store: this.store,
      host: '127.0.0.1',
      port: 0,
      http: {},
      sandbox: { nowMs: testMs },
      areCredentialsGiven: false,
      ...options,
    })
    this.replicas.push(replica)
    return replica
  }

  url(at: number): string {
    return this.replicas[at % this.replicas.length]!.url
  }

  /** Which workspaces each replica has in memory. */
  get holdings(): string[][] {
    return this.replicas.map(({ team }) => team.holdings.all.map(({ workspace }) => workspace.name).sort())
  }

  async close(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.close(0)))
  }
}
