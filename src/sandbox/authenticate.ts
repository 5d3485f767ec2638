// Step 3: whose call it is, and what a token opens.

import { clientIdsIn } from '../protocol/basic-auth.js'
import { missingPermission, type Grant } from '../bank/credentials.js'
import type { Endpoint } from '../endpoint/endpoint.js'
import { Problem } from '../protocol/problem.js'
import type { Workspace } from '../workspace/workspace.js'

/** The token of an Authorization header. */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : /^\s*bearer\s+(\S+)\s*$/i.exec(authorization)?.[1]

/** Bearer token → what it opens. Counts the call against the rate limit. */
export function authenticate(
  { credentials, clock, settings, limiter }: Workspace,
  endpoint: Endpoint,
  token: string | undefined,
): Grant {
  if (token === undefined)
    throw refusedToken(
      'missing-token',
      'Send Authorization: Bearer with a token from POST /identity/v2/oauth2/token.',
    )
  const grant = credentials.grant(token)
  if (!grant) throw refusedToken('unknown-token', 'This token was not issued here; ask for a new one.')
  if (grant.expiresMs <= clock.now())
    throw refusedToken('expired-token', 'The token has expired; ask for a new one.')
  if (settings.rateLimit) limiter.count(token, settings.rateLimit, clock.now())
  const { permission } = endpoint
  if (permission !== undefined && !grant.permissions.has(permission))
    throw missingPermission(grant, [permission])
  return grant
}

const challenge = (error: string) => ({ 'www-authenticate': `Bearer error="${error}"` })

const refusedToken = (code: 'missing-token' | 'unknown-token' | 'expired-token', detail: string): Problem =>
  new Problem(code, detail, {
    headers: code === 'missing-token' ? { 'www-authenticate': 'Bearer' } : challenge('invalid_token'),
  })

/** Who signs in. An id that no client has may be a secret in the wrong place, which the journal must not show. */
export const knownClient = ({ credentials }: Workspace, authorization: string | undefined): string | null =>
  clientIdsIn(authorization).find((clientId) => credentials.client(clientId)) ?? null
