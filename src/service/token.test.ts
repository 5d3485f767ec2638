import { expect, test } from '@jest/globals'
import { sandboxAt, testMs } from '../../test/client.js'
import { permissions } from '../bank/credentials.js'
import type { Sandbox } from '../sandbox/sandbox.js'

const standard = {
  authorization: `Basic ${btoa('sandbox-client:sandbox-secret')}`,
  'x-api-key': 'sandbox-api-key',
  'content-type': 'application/x-www-form-urlencoded',
}
const form = 'grant_type=client_credentials&scope=accounts'

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

interface TokenAnswer {
  readonly access_token: string
  readonly token_type: string
  readonly expires_in: number
  readonly scope: string
  readonly error: string
  readonly error_description: string
}

/** Asks for a token; the headers given replace the standard ones. */
async function ask(sandbox: Sandbox, headers: Headers = {}, body: string | object = form) {
  const call = {
    method: 'POST',
    path: '/identity/v2/oauth2/token',
    headers: { ...standard, ...headers },
    body,
  }
  const reply = await sandbox.handle(call)
  return { ...reply, text: reply.body as string, json: JSON.parse(reply.body as string) as TokenAnswer }
}

async function balanceStatus(sandbox: Sandbox, authorization: string | undefined): Promise<string> {
  const reply = await sandbox.handle({
    method: 'GET',
    path: '/za/pb/v1/accounts',
    headers: { authorization },
  })
  const { type = '200' } = JSON.parse(Buffer.from(reply.body).toString()) as { type?: string }
  return type.replace('urn:sandbox-server:problem:', '')
}

test('the answer is exactly the documented one', async () => {
  const { status, headers, json } = await ask(sandboxAt())
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    pragma: 'no-cache',
  })
  expect(Object.keys(json)).toEqual(['access_token', 'token_type', 'expires_in', 'scope'])
  expect(json).toMatchObject({ token_type: 'Bearer', expires_in: 1799, scope: 'accounts' })
  expect(json.access_token).toMatch(/^[A-Za-z0-9]{28}$/)
})

test('tokens come from the seed, and each is different', async () => {
  const tokens = async (seed: number) => {
    const sandbox = sandboxAt(testMs, { seed })
    return [(await ask(sandbox)).json.access_token, (await ask(sandbox)).json.access_token]
  }
  const [first, second] = await Promise.all([tokens(1), tokens(1)])
  expect(first).toEqual(second)
  expect(new Set([...first, ...(await tokens(2))]).size).toBe(4)
})

test.each<readonly [string, Headers, string?]>([
  [
    'spaces around the credentials',
    { authorization: `  Basic    ${btoa('sandbox-client:sandbox-secret')}  ` },
  ],
  ['spaces inside the credentials', { authorization: `Basic ${btoa(' sandbox-client : sandbox-secret ')}` }],
  ['a scheme in lower case', { authorization: `basic ${btoa('sandbox-client:sandbox-secret')}` }],
  ['base64 without padding', { authorization: standard.authorization.replace(/=+$/, '') }],
  ['form-encoded credentials', { authorization: `Basic ${btoa('sandbox%2Dclient:sandbox%2Dsecret')}` }],
  ['spaces around the key', { 'x-api-key': '  sandbox-api-key ' }],
  ['a charset', { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' }],
  ['a content type in upper case', { 'content-type': 'Application/X-WWW-Form-URLEncoded' }],
  ['another order of fields, and others', {}, 'x=1&scope=accounts&grant_type=client_credentials&y='],
  ['encoded fields', {}, 'grant_type=client%5Fcredentials&scope=%61ccounts'],
  ['spaces around the scope', {}, 'grant_type=client_credentials&scope=++accounts+'],
])('%s are accepted', async (...[, headers, body]) => {
  const { status, json } = await ask(sandboxAt(), headers, body)
  expect([status, json]).toMatchObject([200, { scope: 'accounts' }])
})

test('header names are read in any case', async () => {
  const headers = Object.fromEntries(
    Object.entries(standard).map(([name, value]) => [name.toUpperCase(), value]),
  )
  const call = { method: 'POST', path: '/identity/v2/oauth2/token', headers, body: form }
  expect((await sandboxAt().handle(call)).status).toBe(200)
})

test('without a scope the answer names all that the key permits', async () => {
  const sandbox = sandboxAt()
  for (const body of ['grant_type=client_credentials', 'grant_type=client_credentials&scope=']) {
    expect((await ask(sandbox, {}, body)).json.scope).toBe(permissions.join(' '))
    const readonly = await ask(sandbox, { 'x-api-key': 'sandbox-readonly-key' }, body)
    expect(readonly.json.scope).toBe('accounts balances transactions')
  }
})

test('scopes besides accounts give exactly the permissions that they name', async () => {
  const sandbox = sandboxAt()
  const { json } = await ask(sandbox, {}, 'grant_type=client_credentials&scope=balances%20%20transactions')
  expect(json.scope).toBe('balances transactions')
  expect(await balanceStatus(sandbox, `Bearer ${json.access_token}`)).toBe('missing-permission')
  const all = await ask(sandbox, {}, 'grant_type=client_credentials&scope=balances+accounts')
  expect(all.json.scope).toBe('balances accounts')
  expect(await balanceStatus(sandbox, `Bearer ${all.json.access_token}`)).toBe('200')
})

const basic = (text: string): Headers => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })

test.each<readonly [string, Headers, string | object | undefined, number, string]>([
  ['no credentials', { authorization: undefined }, form, 401, 'invalid_client'],
  ['empty credentials', { authorization: '' }, form, 401, 'invalid_client'],
  ['credentials that are no base64', { authorization: 'Basic ***' }, form, 401, 'invalid_client'],
  ['another scheme', { authorization: 'Bearer abc' }, form, 401, 'invalid_client'],
  ['no colon', basic('sandbox-client'), form, 401, 'invalid_client'],
  ['a wrong secret', basic('sandbox-client:sandbox-secreT'), form, 401, 'invalid_client'],
  ['a longer secret', basic('sandbox-client:sandbox-secretx'), form, 401, 'invalid_client'],
  ['no secret', basic('sandbox-client:'), form, 401, 'invalid_client'],
  ['a client that is a prototype', basic('__proto__:constructor'), form, 401, 'invalid_client'],
  ['a broken percent', basic('sandbox-client:%zz'), form, 401, 'invalid_client'],
  ['bytes that are no text', { authorization: 'Basic //79/A==' }, form, 401, 'invalid_client'],
  ['no key', { 'x-api-key': undefined }, form, 401, 'invalid_client'],
  ['an empty key', { 'x-api-key': ' ' }, form, 401, 'invalid_client'],
  ['a wrong key', { 'x-api-key': 'sandbox-api-keY' }, form, 401, 'invalid_client'],
  ['two keys', { 'x-api-key': ['sandbox-api-key', 'sandbox-api-key'] }, form, 401, 'invalid_client'],
  ['no content type', { 'content-type': undefined }, form, 400, 'invalid_request'],
  ['JSON', { 'content-type': 'application/json' }, '{}', 400, 'invalid_request'],
  ['an object', {}, { grant_type: 'client_credentials' }, 400, 'invalid_request'],
  ['no body', {}, '', 400, 'invalid_request'],
  ['no grant type', {}, 'scope=accounts', 400, 'invalid_request'],
  ['an empty grant type', {}, 'grant_type=', 400, 'invalid_request'],
  ['two grant types', {}, `${form}&grant_type=client_credentials`, 400, 'invalid_request'],
  ['two scopes', {}, `${form}&scope=balances`, 400, 'invalid_request'],
  ['another grant type', {}, 'grant_type=password', 400, 'unsupported_grant_type'],
  ['a grant type in upper case', {}, 'grant_type=CLIENT_CREDENTIALS', 400, 'unsupported_grant_type'],
  ['an unknown scope', {}, 'grant_type=client_credentials&scope=everything', 400, 'invalid_scope'],
  ['one unknown of two', {}, 'grant_type=client_credentials&scope=accounts+x', 400, 'invalid_scope'],
  ['a scope in upper case', {}, 'grant_type=client_credentials&scope=ACCOUNTS', 400, 'invalid_scope'],
  ['a prototype as scope', {}, 'grant_type=client_credentials&scope=__proto__', 400, 'invalid_scope'],
  ['no text as scope', {}, 'grant_type=client_credentials&scope=%00"\\\u{1f600}%ff', 400, 'invalid_scope'],
  [
    'a scope of 100,000 letters',
    {},
    `grant_type=client_credentials&scope=${'a'.repeat(100_000)}`,
    400,
    'invalid_scope',
  ],
])('%s: refused as in RFC 6749, and no secret is shown', async (_name, headers, body, status, error) => {
  const answer = await ask(sandboxAt(), headers, body)
  expect([answer.status, answer.json]).toMatchObject([status, { error }])
  expect(Object.keys(answer.json)).toEqual(['error', 'error_description'])
  expect(answer.json.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]{10,300}$/)
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' })
  expect('www-authenticate' in answer.headers).toBe(status === 401)
  expect(answer.text).not.toMatch(/sandbox-(secret|api-key|readonly-key)/i)
})

test('a key cannot request a scope that it lacks', async () => {
  const { status, json } = await ask(
    sandboxAt(),
    { 'x-api-key': 'sandbox-readonly-key' },
    'grant_type=client_credentials&scope=balances+cards',
  )
  expect([status, json]).toMatchObject([400, { error: 'invalid_scope' }])
  expect(json.error_description).toContain('cards')
})

test('a token is valid for exactly 1799 seconds of the sandbox', async () => {
  const sandbox = sandboxAt()
  const { access_token } = (await ask(sandbox)).json
  const authorization = `Bearer ${access_token}`
  sandbox.main.clock.set(testMs + 1_799_000 - 1)
  expect(await balanceStatus(sandbox, authorization)).toBe('200')
  sandbox.main.clock.set(testMs + 1_799_000)
  expect(await balanceStatus(sandbox, authorization)).toBe('expired-token')
  sandbox.main.clock.set(testMs)
  expect(await balanceStatus(sandbox, authorization)).toBe('200')
})

test('a token that is missing, garbage or of another sandbox is refused with its own problem', async () => {
  const sandbox = sandboxAt()
  const foreign = (await ask(sandboxAt(testMs, { seed: 9 }))).json.access_token
  const own = (await ask(sandbox)).json.access_token
  const refused: [string | undefined, string][] = [
    [undefined, 'missing-token'],
    ['', 'missing-token'],
    ['Bearer', 'missing-token'],
    ['Bearer ', 'missing-token'],
    [own, 'missing-token'],
    [`Basic ${own}`, 'missing-token'],
    [`Bearer ${own} ${own}`, 'missing-token'],
    [`Bearer ${foreign}`, 'unknown-token'],
    [`Bearer ${own}x`, 'unknown-token'],
    [`Bearer ${own.toLowerCase()}`, 'unknown-token'],
    ['Bearer __proto__', 'unknown-token'],
    [`Bearer ${'x'.repeat(100_000)}`, 'unknown-token'],
    ['Bearer \u0000\u{1f600}', 'unknown-token'],
  ]
  for (const [authorization, code] of refused) expect(await balanceStatus(sandbox, authorization)).toBe(code)
  for (const authorization of [`Bearer ${own}`, `bearer ${own}`, `  BEARER   ${own}  `])
    expect(await balanceStatus(sandbox, authorization)).toBe('200')
})

test('a thousand tokens of a client are valid at once; one more ends the oldest', async () => {
  const sandbox = sandboxAt()
  const { access_token } = (await ask(sandbox)).json
  const [client] = sandbox.main.credentials.clients
  const issue = () => sandbox.main.credentials.issue(client!, client!.apiKeys[0]!, [], sandbox.main)
  for (let i = 1; i < 1000; i++) issue()
  expect(await balanceStatus(sandbox, `Bearer ${access_token}`)).toBe('200')
  issue()
  expect(await balanceStatus(sandbox, `Bearer ${access_token}`)).toBe('unknown-token')
})

test('a body that is too large is refused in the form of the token endpoint', async () => {
  const { status, headers, json } = await ask(sandboxAt(), {}, 'a'.repeat(1_048_577))
  expect([status, json.error, headers['cache-control']]).toEqual([400, 'invalid_request', 'no-store'])
})
