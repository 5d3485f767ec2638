// The token endpoint: service-interface "Authentication", errors as in RFC 6749 section 5.2.

import {
  permissions,
  tokenSeconds,
  type ApiKeyRecord,
  type ClientRecord,
  type Permission,
} from '../bank/credentials.js'
import { basicCredentials } from '../protocol/basic-auth.js'
import { defineEndpoint } from '../endpoint/endpoint.js'
import { type Call } from '../protocol/call.js'
import { OAuthProblem } from '../protocol/problem.js'
import { record } from '../protocol/schema.js'

/** Where clients sign in. */
export const tokenPath = '/identity/v2/oauth2/token'

/** Resources, "Token response". */
export const TokenResponse = record('TokenResponse', 'An access token.', {
  access_token: { type: 'string', description: '28 letters and digits, opaque.' },
  token_type: { const: 'Bearer' },
  expires_in: { type: 'integer', description: 'Seconds.' },
  scope: { type: 'string', description: 'Separated by spaces.' },
})

/** Authentication, step 4. */
const TokenRequest = record('TokenRequest', 'The form of a token request.', {
  grant_type: { const: 'client_credentials' },
  scope: {
    type: 'string',
    description: 'Separated by spaces; `accounts` opens all that the API key permits.',
  },
})

export const token = [
  defineEndpoint({
    method: 'POST',
    path: tokenPath,
    summary: 'An access token for client credentials and an API key',
    auth: 'client',
    needsBank: false,
    form: TokenRequest,
    response: TokenResponse,
    envelope: 'bare',
    headers: { 'cache-control': 'no-store', pragma: 'no-cache' },
    problems: ['client-refused', 'token-request-refused'],
    example: { body: { grant_type: 'client_credentials', scope: 'accounts' } },
    handle: ({ call, header, workspace }) => {
      const client = signIn(header('authorization'), (id, secret) => workspace.credentials.signIn(id, secret))
      const apiKey = apiKeyOf(client, header('x-api-key'))
      const form = readForm(call, header('content-type'))
      const scope = requestedScope(form, apiKey)
      const granted = scope.permissions
      const grant = workspace.credentials.issue(client, apiKey, granted, workspace)
      return { access_token: grant.token, token_type: 'Bearer', expires_in: tokenSeconds, scope: scope.text }
    },
  }),
]

function signIn(
  authorization: string | undefined,
  check: (clientId: string, secret: string) => ClientRecord | undefined,
): ClientRecord {
  if (authorization === undefined)
    throw unauthorised('Send the client id and secret in a Basic Authorization header.')
  const readings = basicCredentials(authorization)
  if (readings.length === 0)
    throw unauthorised(
      'The Authorization header must be Basic and the base64 of client id, colon and secret.',
    )
  for (const [clientId, secret] of readings) {
    const client = check(clientId, secret)
    if (client) return client
  }
  throw unauthorised('The client id or the secret is wrong.')
}

function apiKeyOf(client: ClientRecord, given: string | undefined): ApiKeyRecord {
  if (given === undefined) throw unauthorised('Send the API key in the x-api-key header.')
  const apiKey = client.apiKeys.find(({ key }) => key === given.trim())
  if (!apiKey) throw unauthorised('The API key is not one of this client.')
  return apiKey
}

function readForm({ body = '' }: Call, contentType: string | undefined): URLSearchParams {
  const media = contentType?.split(';')[0]?.trim().toLowerCase()
  if (media !== 'application/x-www-form-urlencoded')
    throw badRequest('Send the fields as Content-Type: application/x-www-form-urlencoded.')
  const text = body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : body
  if (typeof text !== 'string')
    throw badRequest('Send the form grant_type=client_credentials&scope=accounts.')
  const form = new URLSearchParams(text)
  for (const name of ['grant_type', 'scope'])
    if (form.getAll(name).length > 1) throw badRequest(`The field ${name} must be sent once.`)
  const grantType = form.get('grant_type')
  if (grantType === null || grantType === '')
    throw badRequest('The field grant_type is missing; send client_credentials.')
  if (grantType !== 'client_credentials')
    throw new OAuthProblem('unsupported_grant_type', 'grant_type must be client_credentials.')
  return form
}

/** `accounts` opens everything that the key permits; without a scope the answer names all of it. */
function requestedScope(
  form: URLSearchParams,
  apiKey: ApiKeyRecord,
): { permissions: readonly Permission[]; text: string } {
  const scopes = (form.get('scope') ?? '').split(/\s+/).filter((scope) => scope !== '')
  if (scopes.length === 0) return { permissions: apiKey.permissions, text: apiKey.permissions.join(' ') }
  const unknown = scopes.find((scope) => !(permissions as readonly string[]).includes(scope))
  if (unknown !== undefined)
    throw new OAuthProblem('invalid_scope', `The scope ${unknown.slice(0, 60)} does not exist; use accounts.`)
  if (scopes.includes('accounts')) return { permissions: apiKey.permissions, text: scopes.join(' ') }
  const lacking = scopes.find((scope) => !(apiKey.permissions as readonly string[]).includes(scope))
  if (lacking !== undefined)
    throw new OAuthProblem('invalid_scope', `The API key lacks the permission for the scope ${lacking}.`)
  return { permissions: scopes as Permission[], text: scopes.join(' ') }
}

const unauthorised = (description: string): OAuthProblem =>
  new OAuthProblem('invalid_client', description, { 'www-authenticate': 'Basic realm="sandbox"' })

const badRequest = (description: string): OAuthProblem => new OAuthProblem('invalid_request', description)
