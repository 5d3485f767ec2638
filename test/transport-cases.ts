// One table of calls for every way into the sandbox: `handle`, fetch, Express and MSW must give the same answers.

import { endpoints } from '../src/sandbox/endpoints.js'
import type { Endpoint } from '../src/endpoint/endpoint.js'
import { sampleOf } from '../src/endpoint/examples.js'
import { Sandbox } from '../src/sandbox/sandbox.js'

export interface Case {
  readonly name: string
  readonly method: string
  /** With its query string, like an HTTP client. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

export const frozenMs = Date.UTC(2026, 2, 25, 8)

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** The calls, for sandboxes that issue `token` first. */
export async function transportCases(sandbox: Sandbox, token: string): Promise<Case[]> {
  const { clientId, clientSecret, apiKeys } = sandbox.main.credentials.clients[0]!
  const bank = await sandbox.main.open()
  const [account] = bank.accounts
  const bearer = { authorization: `Bearer ${token}` }
  const transactions = `/za/pb/v1/accounts/${account!.accountId}/transactions`
  const cases: Case[] = []
  const add = (name: string, method: string, path: string, headers: object = {}, body?: Case['body']): void =>
    void cases.push({ name, method, path, headers: headers as Record<string, string>, body })

  const basic = (text: string): object => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
  const client = { ...basic(`${clientId}:${clientSecret}`), 'x-api-key': apiKeys[0]!.key }
  const tokenPath = '/identity/v2/oauth2/token'
  const tokenCases: [string, object, string?][] = [
    ['good', { ...client, ...form }, 'grant_type=client_credentials&scope=accounts'],
    ['without a scope', { ...client, ...form }, 'grant_type=client_credentials'],
    [
      'with several scopes',
      { ...client, ...form },
      'grant_type=client_credentials&scope=balances+transactions',
    ],
    ['with an unknown scope', { ...client, ...form }, 'grant_type=client_credentials&scope=everything'],
    ['with another grant', { ...client, ...form }, 'grant_type=password'],
    ['with an empty form', { ...client, ...form }, ''],
    ['without a body', { ...client, ...form }],
    ['with a field twice', { ...client, ...form }, 'grant_type=client_credentials&grant_type=x'],
    ['as JSON', { ...client, ...json }, '{"grant_type":"client_credentials"}'],
    ['without a content type', client, 'grant_type=client_credentials'],
    [
      'with a charset',
      { ...client, 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' },
      'grant_type=client_credentials',
    ],
    ['with nothing', {}],
    ['without credentials', { 'x-api-key': apiKeys[0]!.key, ...form }, 'grant_type=client_credentials'],
    [
      'without an API key',
      { ...basic(`${clientId}:${clientSecret}`), ...form },
      'grant_type=client_credentials',
    ],
    ['with a wrong API key', { ...client, 'x-api-key': 'nobody', ...form }, 'grant_type=client_credentials'],
    [
      'with a wrong secret',
      { ...client, ...basic(`${clientId}:wrong`), ...form },
      'grant_type=client_credentials',
    ],
    ['with an unknown client', { ...client, ...basic('nobody:x'), ...form }, 'grant_type=client_credentials'],
    [
      'with broken base64',
      { ...client, authorization: 'Basic ???', ...form },
      'grant_type=client_credentials',
    ],
    ['with a bearer token', { ...client, ...bearer, ...form }, 'grant_type=client_credentials'],
    ['with unicode credentials', { ...client, ...basic('ü:ñ'), ...form }, 'grant_type=client_credentials'],
    [
      'with spaces',
      {
        ...client,
        authorization: `Basic   ${Buffer.from(`${clientId}:${clientSecret} `).toString('base64')}`,
        ...form,
      },
      'grant_type=client_credentials',
    ],
  ]
  for (const [name, headers, body] of tokenCases) add(`token ${name}`, 'POST', tokenPath, headers, body)
  add('token with GET', 'GET', tokenPath, client)

  const queries: Record<string, string> = {
    plain: '',
    'of a range': '?fromDate=2026-01-01&toDate=2026-02-28',
    'of one day': '?fromDate=2026-03-01&toDate=2026-03-01',
    'of the future': '?fromDate=2030-01-01&toDate=2030-02-01',
    'of a type': '?transactionType=CardPurchases',
    'of an unknown type': '?transactionType=Nothing',
    'with pending ones': '?fromDate=2026-03-20&includePending=true',
    'with a broken date': '?fromDate=2026-13-01',
    'with a date that does not exist': '?fromDate=2026-02-30',
    'with two broken dates': '?fromDate=x&toDate=y',
    'with an empty date': '?fromDate=',
    'the wrong way round': '?fromDate=2026-03-01&toDate=2026-01-01',
    'with a date twice': '?fromDate=2026-01-01&fromDate=2026-02-01',
    'with a broken switch': '?includePending=perhaps',
    'with an unknown parameter': '?fromDate=2026-03-20&colour=blue',
    'with a plus': '?transactionType=Card+Purchases',
    'with percent codes': '?transactionType=Card%50urchases&fromDate=2026%2D03%2D01',
    'with a broken percent code': '?transactionType=%zz',
    'with unicode': '?transactionType=%C3%BC%E2%82%AC',
    'with a page': '?page=1',
    'with a broken page': '?page=0',
    'with a parameter called __proto__': '?__proto__=1&constructor=2',
    'with a long value': `?transactionType=${'x'.repeat(3000)}`,
  }
  for (const [name, query] of Object.entries(queries))
    add(`transactions ${name}`, 'GET', transactions + query, bearer)

  const accounts: Record<string, string> = {
    'an unknown account': '1234567890123456789012345',
    'a short one': '1',
    'one with letters': 'abc',
    'one with a percent code': '%41',
    'one with a broken percent code': '%zz',
    'one with a coded slash': 'a%2Fb',
    'one in unicode': '%C3%BC',
    'one of 2,000 characters': 'x'.repeat(2000),
    'a prototype member': 'constructor',
  }
  for (const [name, id] of Object.entries(accounts)) {
    add(`balance of ${name}`, 'GET', `/za/pb/v1/accounts/${id}/balance`, bearer)
    add(`transactions of ${name}`, 'GET', `/za/pb/v1/accounts/${id}/transactions`, bearer)
  }

  const authorizations: Record<string, object> = {
    none: {},
    'an empty one': { authorization: '' },
    'another scheme': client,
    'an unknown token': { authorization: 'Bearer nobody' },
    'two tokens': { authorization: `Bearer ${token} ${token}` },
    'a scheme in lower case': { authorization: `bearer   ${token}` },
    'a header in capitals': { AUTHORIZATION: `BEARER ${token}` },
    'an API key too': { ...bearer, 'x-api-key': apiKeys[0]!.key },
  }
  for (const [name, headers] of Object.entries(authorizations))
    for (const path of [
      '/za/pb/v1/accounts',
      transactions.replace('transactions', 'balance'),
      '/za/v1/cards/currencies',
    ])
      add(`${path} with ${name} as authorization`, 'GET', path, headers)

  for (const path of [
    '/',
    '/nothing',
    '/za',
    '/za/pb/v1',
    '/za/pb/v1/accounts/',
    '/_sandbox/nothing',
    '/%C3%BC',
  ])
    add(`nothing at ${path}`, 'GET', path, bearer)
  for (const path of ['//za/pb/v1/accounts', '/za//pb/v1/accounts', '/za/pb///v1/accounts?x=1'])
    add(`doubled slashes in ${path}`, 'GET', path, bearer)
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'])
    for (const path of ['/za/pb/v1/accounts', '/za/v1/cards/countries', '/_sandbox/clock', '/nothing'])
      add(`${method} ${path}`, method, path, bearer)

  const bodies: [string, object, Case['body']][] = [
    ['nothing', json, undefined],
    ['an empty body', json, ''],
    ['broken JSON', json, '{"advance":'],
    ['a list', json, '[]'],
    ['null', json, 'null'],
    ['a text', json, '"P1D"'],
    ['no member', json, '{}'],
    ['an unknown member', json, '{"jump":true}'],
    ['__proto__', json, '{"__proto__":{"advance":"P1D"}}'],
    ['many faults', json, '{"set":1,"advance":2,"freeze":3,"jump":4}'],
    ['a wrong content type', { 'content-type': 'text/plain' }, '{"advance":"P1D"}'],
    ['no content type', {}, new TextEncoder().encode('{"advance":"PT1S"}')],
    ['a charset', { 'content-type': 'application/json; charset=utf-8' }, '{"advance":"PT1S"}'],
    ['bytes that are no UTF-8', json, new Uint8Array([0x7b, 0xff, 0xfe, 0x7d])],
    ['a byte order mark', json, new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d])],
    ['unicode', json, '{"advance":"ü€😀"}'],
    ['deep nesting', json, '['.repeat(5000) + ']'.repeat(5000)],
    ['more than 1 MiB', json, `{"advance":"${'x'.repeat(1_100_000)}"}`],
    ['a good one', json, '{"advance":"PT1S"}'],
  ]
  for (const [name, headers, body] of bodies)
    add(`a move of the clock with ${name}`, 'POST', '/_sandbox/clock', headers, body)

  for (const endpoint of endpoints.filter(comparable)) {
    const { call } = await sampleOf(endpoint, new Sandbox({ nowMs: frozenMs }))
    const { body } = call
    const headers = {
      ...call.headers,
      ...(endpoint.auth === 'token' && bearer),
      ...(body !== undefined && typeof body !== 'string' && json),
    }
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    add(`the example of ${endpoint.method} ${endpoint.path}`, endpoint.method, call.path, headers, text)
  }
  return cases
}

/** The journal shows headers that only some ways have, and a stream has no end. */
const comparable = ({ path, example }: Endpoint): boolean =>
  example !== null && !path.startsWith('/_sandbox/requests') && !path.startsWith('/_sandbox/state')
