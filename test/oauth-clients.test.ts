// Published OAuth clients get a token in each of their ways to send credentials.

import { afterAll, beforeAll, expect, test } from '@jest/globals'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { ClientCredentials } from 'simple-oauth2'
import { listen, type Listening } from '../src/http/server.js'
import type { Behaviour } from '../src/protocol/behaviour.js'
import { Sandbox } from '../src/sandbox/sandbox.js'
import { standardSignIn, testMs } from './client.js'

const { clientId, clientSecret, apiKey } = standardSignIn
const apiKeyHeader = { 'x-api-key': apiKey }
const tokenPath = '/identity/v2/oauth2/token'

const servers = new Map<Behaviour, { sandbox: Sandbox; listening: Listening }>()

beforeAll(async () => {
  for (const behaviour of ['documented', 'observed'] as const) {
    const sandbox = new Sandbox({ nowMs: testMs, behaviour, strict: true })
    servers.set(behaviour, { sandbox, listening: await listen(sandbox, { host: '127.0.0.1', port: 0 }) })
  }
})

afterAll(async () => {
  for (const { sandbox, listening } of servers.values()) {
    await listening.close()
    await sandbox.close()
  }
})

const urlOf = (behaviour: Behaviour): string => servers.get(behaviour)!.listening.url

/** Sends the API key with each request, for clients that accept a custom fetch. */
const fetchWithKey = (url: string, options: { headers?: unknown }): Promise<Response> =>
  fetch(url, {
    ...(options as RequestInit),
    headers: {
      ...Object.fromEntries(new Headers(options.headers as Record<string, string>)),
      ...apiKeyHeader,
    },
  })

type Ways = Readonly<Record<string, (url: string, secret: string) => Promise<{ access_token?: unknown }>>>

const openidClient =
  (authentication?: (secret: string) => openid.ClientAuth) =>
  async (url: string, secret: string): Promise<{ access_token: string }> => {
    const server = { issuer: url, token_endpoint: url + tokenPath }
    const config = new openid.Configuration(server, clientId, secret, authentication?.(secret))
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so as a warning: the sandbox has no TLS
    openid.allowInsecureRequests(config)
    config[openid.customFetch] = fetchWithKey
    return openid.clientCredentialsGrant(config, { scope: 'accounts' })
  }

const oauth4webapi =
  (authentication: (secret: string) => oauth.ClientAuth) =>
  async (url: string, secret: string): Promise<{ access_token: string }> => {
    const server = { issuer: url, token_endpoint: url + tokenPath }
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- as above
    const options = { [oauth.allowInsecureRequests]: true, headers: apiKeyHeader }
    const response = await oauth.clientCredentialsGrantRequest(
      server,
      { client_id: clientId },
      authentication(secret),
      { scope: 'accounts' },
      options,
    )
    return oauth.processClientCredentialsResponse(server, { client_id: clientId }, response)
  }

const simpleOauth2 =
  (authorizationMethod: 'body' | 'header', bodyFormat: 'form' | 'json' = 'form') =>
  async (url: string, secret: string): Promise<{ access_token?: unknown }> => {
    const client = new ClientCredentials({
      client: { id: clientId, secret },
      auth: { tokenHost: url, tokenPath },
      options: { authorizationMethod, bodyFormat },
      http: { headers: apiKeyHeader },
    })
    return (await client.getToken({ scope: 'accounts' })).token
  }

const ways: Ways = {
  'openid-client, its default': openidClient(),
  'openid-client, ClientSecretPost': openidClient((secret) => openid.ClientSecretPost(secret)),
  'openid-client, ClientSecretBasic': openidClient((secret) => openid.ClientSecretBasic(secret)),
  'oauth4webapi, ClientSecretPost': oauth4webapi((secret) => oauth.ClientSecretPost(secret)),
  'oauth4webapi, ClientSecretBasic': oauth4webapi((secret) => oauth.ClientSecretBasic(secret)),
  'simple-oauth2, header': simpleOauth2('header'),
  'simple-oauth2, body': simpleOauth2('body'),
}

const all = Object.keys(ways).flatMap((name) =>
  (['documented', 'observed'] as const).map((behaviour) => [name, behaviour] as const),
)

test.each(all)('%s gets a token as %s', async (name, behaviour) => {
  const answer = await ways[name]!(urlOf(behaviour), clientSecret)
  expect(answer.access_token).toMatch(/^[A-Za-z0-9]{28}$/)
})

test.each(all)('%s reports a wrong secret as %s', async (name, behaviour) => {
  await expect(ways[name]!(urlOf(behaviour), 'wrong')).rejects.toThrow()
  expect(servers.get(behaviour)!.sandbox.main.journal.entries.at(-1)).toMatchObject({
    status: 401,
    problem: { code: 'client-refused' },
  })
})

const ask = async (form: Record<string, string>, basic?: string): Promise<[number, string]> => {
  const sandbox = new Sandbox({ nowMs: testMs })
  const headers = {
    ...apiKeyHeader,
    'content-type': 'application/x-www-form-urlencoded',
    ...(basic !== undefined && { authorization: `Basic ${Buffer.from(basic).toString('base64')}` }),
  }
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...form }).toString()
  const reply = await sandbox.handle({ method: 'POST', path: tokenPath, headers, body })
  return [reply.status, (JSON.parse(reply.body as string) as { error?: string }).error ?? '']
}

// As requests-oauthlib, authlib and the Go client send them.
test('a client id in the form beside Basic is normal; two ids that differ and two secrets are refused', async () => {
  const basic = `${clientId}:${clientSecret}`
  expect(await ask({ client_id: clientId, client_secret: clientSecret })).toEqual([200, ''])
  expect(await ask({ client_id: clientId }, basic)).toEqual([200, ''])
  expect(await ask({ client_id: 'another' }, basic)).toEqual([400, 'invalid_request'])
  expect(await ask({ client_id: clientId, client_secret: clientSecret }, basic)).toEqual([
    400,
    'invalid_request',
  ])
  expect(await ask({ client_id: clientId })).toEqual([401, 'invalid_client'])
  expect(await ask({ client_secret: clientSecret })).toEqual([401, 'invalid_client'])
  expect(await ask({ client_id: '__proto__', client_secret: 'x' })).toEqual([401, 'invalid_client'])
})

test('credentials in the form belong to the workspace that knows them', async () => {
  const sandbox = new Sandbox({ nowMs: testMs })
  await sandbox.handle({ method: 'POST', path: '/_sandbox/workspaces', body: { name: 'w1' } })
  const body = `grant_type=client_credentials&client_id=${clientId}-w1&client_secret=${clientSecret}-w1`
  const headers = {
    'x-api-key': `${apiKey}-w1`,
    'content-type': 'application/x-www-form-urlencoded',
  }
  expect((await sandbox.handle({ method: 'POST', path: tokenPath, headers, body })).status).toBe(200)
  expect(sandbox.workspaces.get('w1').journal.entries).toMatchObject([{ clientId: `${clientId}-w1` }])
})
