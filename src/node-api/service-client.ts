// The service's API as methods: each calls one endpoint, signed in as a client of the bank. The methods are made from
// the declarations; their types are in api-types.ts.

import type { Endpoint } from '../endpoint/endpoint.js'
import { tokenCall, type ClientCredentials } from '../protocol/authorization.js'
import type { Reply } from '../protocol/call.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { service } from '../service/index.js'
import type { ServiceClient } from './api-types.js'
import { refusalOf, ServiceError } from './refused-call.js'

/** How to sign in. Defaults: the sandbox's first client and its first API key. */
export interface SignInOptions {
  /** The client id. */
  readonly clientId?: string | undefined
  /** The client's secret. */
  readonly clientSecret?: string | undefined
  /** The value of the `x-api-key` header: it decides the token's permissions. */
  readonly apiKey?: string | undefined
}

/** A session with the bank, as its token endpoint answers. */
export interface SignedIn {
  /** The bearer token. */
  readonly accessToken: string
  /** Seconds of the sandbox's clock until it expires. */
  readonly expiresIn: number
  /** The headers of a signed-in request: spread them into those of `fetch`. */
  readonly headers: {
    /** `Bearer` and the token. */
    readonly authorization: string
  }
}

/**
 * Signs in at the token endpoint. Rejects with a {@link ServiceError} when it refuses.
 * @internal
 */
export async function signIn(sandbox: Sandbox, credentials: ClientCredentials): Promise<SignedIn> {
  const reply = await sandbox.handle(tokenCall(credentials))
  if (reply.status !== 200) throw new ServiceError(refusalOf(reply))
  const { access_token: accessToken, expires_in: expiresIn } = jsonOf(reply) as {
    access_token: string
    expires_in: number
  }
  return { accessToken, expiresIn, headers: { authorization: `Bearer ${accessToken}` } }
}

/**
 * The methods. They sign in at the first call, and again when the token has expired or the sandbox was reset.
 * @internal
 */
export function serviceClient(sandbox: () => Sandbox, credentials: () => ClientCredentials): ServiceClient {
  let session: SignedIn | undefined
  const headers = async (): Promise<SignedIn['headers']> => {
    if (!session || !isAlive(sandbox(), session.accessToken)) session = await signIn(sandbox(), credentials())
    return session.headers
  }
  const method =
    (endpoint: Endpoint) =>
    async (...given: unknown[]): Promise<unknown> => {
      const call = callOf(endpoint, given)
      const reply = await sandbox().handle({ ...call, headers: await headers() })
      if (reply.status !== 200) throw new ServiceError(refusalOf(reply))
      if (endpoint.produces !== undefined) return Buffer.from(reply.body)
      const answer = jsonOf(reply)
      return endpoint.envelope === 'bare' ? answer : (answer as { data: unknown }).data
    }
  return Object.fromEntries(
    service
      .filter(({ auth, name }) => auth === 'token' && name !== undefined)
      .map((endpoint) => [endpoint.name!, method(endpoint)]),
  ) as unknown as ServiceClient
}

/** The arguments of a method: the parameters of the path, then the body, then the query. */
function callOf({ method, path: template, body: hasBody }: Endpoint, given: readonly unknown[]) {
  const rest = [...given]
  const path = template.replace(/\{\w+\}/g, () => encodeURIComponent(String(rest.shift())))
  const body = hasBody ? (rest.shift() as object) : undefined
  const query = Object.entries(rest.shift() ?? {}).filter(([, value]) => value !== undefined)
  return { method, path, ...(body && { body }), query: Object.fromEntries(query) as Record<string, string> }
}

function isAlive({ workspaces }: Sandbox, token: string): boolean {
  const { credentials, clock } = workspaces.ofToken(token)
  const grant = credentials.grant(token)
  return grant !== undefined && grant.expiresMs > clock.now()
}

const jsonOf = ({ body }: Reply): unknown => JSON.parse(Buffer.from(body).toString())
