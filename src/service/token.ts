// The token endpoint: client credentials in a Basic header or in the form, errors as in RFC 6749 section 5.2.

import {
  permissions,
  tokenSeconds,
  type ApiKeyRecord,
  type ClientRecord,
  type Credentials,
  type Permission,
} from '../bank/credentials.js'
import { defineEndpoint } from '../endpoint/endpoint.js'
import type { Authorization, ClientPair } from '../protocol/authorization.js'
import type { Behaviour } from '../protocol/behaviour.js'
import { OAuthProblem } from '../protocol/problem.js'
import { cut } from '../protocol/quote.js'
import { record, type Schema } from '../protocol/schema.js'

/** Where clients sign in. */
const tokenPath = '/identity/v2/oauth2/token'

const TokenResponse = record('TokenResponse', 'An access token.', {
  access_token: { type: 'string', description: '28 letters and digits, opaque.' },
  token_type: {
    const: 'Bearer',
    description: 'How the token is sent: `Authorization: Bearer ACCESS_TOKEN`.',
  },
  expires_in: { type: 'integer', description: 'Seconds.' },
  scope: { type: 'string', description: 'Separated by spaces.' },
})

/** Longer fields are never a scope, id or secret. */
const maxFieldLength = 1000

const TokenRequest = {
  title: 'TokenRequest',
  description: 'The form of a token request.',
  type: 'object',
  properties: {
    grant_type: { const: 'client_credentials' },
    scope: {
      type: 'string',
      maxLength: maxFieldLength,
      description:
        'Separated by spaces; `accounts` gives every permission of the API key, and so does an omitted scope.',
    },
    client_id: {
      type: 'string',
      maxLength: maxFieldLength,
      description: 'In place of a Basic header, with `client_secret`.',
    },
    client_secret: {
      type: 'string',
      maxLength: maxFieldLength,
      description: 'In place of a Basic header, with `client_id`.',
    },
  },
  required: ['grant_type'],
} as const satisfies Schema

export const token = [
  defineEndpoint({
    method: 'POST',
    path: tokenPath,
    name: 'requestToken',
    summary: 'An access token for client credentials and an API key',
    auth: 'client',
    needsBank: false,
    form: TokenRequest,
    response: TokenResponse,
    envelope: 'bare',
    headers: { 'cache-control': 'no-store', pragma: 'no-cache' },
    problems: ['client-refused', 'token-request-refused'],
    example: { body: { grant_type: 'client_credentials', scope: 'accounts' } },
    handle: ({ authorization, form, header, workspace }) => {
      const client = signIn(
        credentialsOf(header('authorization'), authorization, form),
        workspace.credentials,
      )
      const apiKey = apiKeyOf(client, header('x-api-key'))
      const scope = requestedScope(checkedForm(form), apiKey, workspace.settings.behaviour)
      const granted = scope.permissions
      const grant = workspace.credentials.issue(client, apiKey, granted, workspace)
      return { access_token: grant.token, token_type: 'Bearer', expires_in: tokenSeconds, scope: scope.text }
    },
  }),
]

/**
 * The possible readings of the client id and secret: from the Basic header, or from the form (RFC 6749 section
 * 2.3.1).
 */
function credentialsOf(
  header: string | undefined,
  { basic }: Authorization,
  form: URLSearchParams | undefined,
): readonly ClientPair[] {
  const once = (name: string): string | undefined => {
    const values = form?.getAll(name) ?? []
    if (values.length > 1) throw badRequest(`The field ${name} must be sent once.`)
    const value = values[0]?.trim()
    return value === '' ? undefined : value
  }
  const clientId = once('client_id')
  const secret = once('client_secret')
  if (header === undefined || header.trim() === '') {
    if (clientId !== undefined && secret !== undefined) return [[clientId, secret]]
    throw unauthorised(
      'Send the client id and secret in a Basic Authorization header, or as client_id and client_secret in the form.',
    )
  }
  if (basic.length === 0)
    throw unauthorised(
      'The Authorization header must be Basic and the base64 of client id, colon and secret.',
    )
  if (secret !== undefined)
    throw badRequest('Send the secret once: in the Authorization header or as client_secret, not in both.')
  if (clientId !== undefined && !basic.some(([id]) => id === clientId))
    throw badRequest('The client_id of the form is not that of the Authorization header; send one client id.')
  return basic
}

function signIn(pairs: readonly ClientPair[], credentials: Credentials): ClientRecord {
  for (const [clientId, secret] of pairs) {
    const client = credentials.signIn(clientId, secret)
    if (client) return client
  }
  throw unauthorised('The client id or the secret is wrong.')
}

function apiKeyOf(client: ClientRecord, given: string | undefined): ApiKeyRecord {
  if (given === undefined) throw unauthorised('Send the API key in the x-api-key header.')
  const apiKey = client.apiKeys.find(({ key }) => key === given.trim())
  if (!apiKey) throw unauthorised('The API key does not belong to this client.')
  return apiKey
}

function checkedForm(form: URLSearchParams | undefined): URLSearchParams {
  if (!form)
    throw badRequest(
      'Send the form grant_type=client_credentials&scope=accounts as Content-Type: application/x-www-form-urlencoded.',
    )
  for (const name of ['grant_type', 'scope'])
    if (form.getAll(name).length > 1) throw badRequest(`The field ${name} must be sent once.`)
  const grantType = form.get('grant_type')
  if (grantType === null || grantType === '')
    throw badRequest('The field grant_type is missing; send client_credentials.')
  if (grantType !== 'client_credentials')
    throw new OAuthProblem('unsupported_grant_type', 'grant_type must be client_credentials.')
  return form
}

/** The scope that the live service was seen to return when none was requested. */
const observedScope: readonly Permission[] = [
  'accounts',
  'balances',
  'beneficiarypayments',
  'transactions',
  'transfers',
]

/** `accounts` gives every permission of the key; without a scope the answer names them all. */
function requestedScope(
  form: URLSearchParams,
  apiKey: ApiKeyRecord,
  behaviour: Behaviour,
): { permissions: readonly Permission[]; text: string } {
  const requested = form.get('scope') ?? ''
  if (requested.length > maxFieldLength)
    throw new OAuthProblem('invalid_scope', `The scope may have at most ${maxFieldLength} characters.`)
  const scopes = requested.split(/\s+/).filter((scope) => scope !== '')
  if (scopes.length === 0) {
    const named =
      behaviour === 'observed'
        ? observedScope.filter((scope) => apiKey.permissions.includes(scope))
        : apiKey.permissions
    return { permissions: apiKey.permissions, text: named.join(' ') }
  }
  const unknown = scopes.find((scope) => !(permissions as readonly string[]).includes(scope))
  if (unknown !== undefined)
    throw new OAuthProblem('invalid_scope', `The scope ${cut(unknown)} does not exist; use accounts.`)
  if (scopes.includes('accounts')) return { permissions: apiKey.permissions, text: scopes.join(' ') }
  const lacking = scopes.find((scope) => !(apiKey.permissions as readonly string[]).includes(scope))
  if (lacking !== undefined)
    throw new OAuthProblem('invalid_scope', `The API key lacks the permission for the scope ${lacking}.`)
  return { permissions: scopes as Permission[], text: scopes.join(' ') }
}

const unauthorised = (description: string): OAuthProblem => new OAuthProblem('invalid_client', description)

const badRequest = (description: string): OAuthProblem => new OAuthProblem('invalid_request', description)
