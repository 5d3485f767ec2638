// Step 3: which client calls, and what the token gives access to.

import { missingPermission, type Grant } from '../bank/credentials.js'
import type { Endpoint } from '../endpoint/endpoint.js'
import { Problem } from '../protocol/problem.js'
import type { Workspace } from '../workspace/workspace.js'

/** Bearer token → its access. Counts the call against the rate limit. */
export function authenticate(
  { credentials, clock, settings, limiter }: Workspace,
  { permission }: Endpoint,
  token: string | undefined,
): Grant {
  if (token === undefined)
    throw new Problem(
      'missing-token',
      'Send Authorization: Bearer with a token from POST /identity/v2/oauth2/token.',
    )
  const grant = credentials.grant(token)
  if (!grant) throw new Problem('unknown-token', 'This token was not issued here; ask for a new one.')
  if (grant.expiresMs <= clock.now())
    throw new Problem('expired-token', 'The token has expired; ask for a new one.')
  if (settings.rateLimit) limiter.count(token, settings.rateLimit, clock.now())
  if (permission !== undefined && !grant.permissions.has(permission))
    throw missingPermission(grant, [permission])
  return grant
}
