// Every endpoint requires its declared permission and only accesses the accounts of the API key. The endpoints are read
// from their declarations, so that a new one is tested too.

import { expect, test } from '@jest/globals'
import { permissions } from '../src/bank/credentials.js'
import { service } from '../src/service/index.js'
import { endpoints } from '../src/sandbox/endpoints.js'
import { sampleOf } from '../src/endpoint/examples.js'
import { Client, everyday, sandboxAt, savings, standardSignIn } from './client.js'
import { business, businessCard, profile } from './ids.js'

const readonlyKey = { ...standardSignIn, apiKey: 'sandbox-readonly-key' }
const readonlyPermissions: readonly string[] = ['accounts', 'balances', 'transactions']

/** Reference data is not secret: any token gives access. */
const forEverybody = ['/za/v1/cards/countries', '/za/v1/cards/currencies', '/za/v1/cards/merchants']

/** Each type of document has its own permission, which the endpoint checks. */
const documents = [
  '/za/pb/v1/accounts/{accountId}/documents',
  '/za/pb/v1/accounts/{accountId}/document/{documentType}/{documentDate}',
]

const withToken = service.filter(({ auth }) => auth === 'token')

/** Of an account and profile that the second key may not access. */
const others: Readonly<Record<string, string>> = {
  accountId: business,
  profileId: '10163536499021',
  cardkey: businessCard,
  documentType: 'Statement',
  documentDate: '2026-02-28',
}

const pathOf = (template: string, params = others): string =>
  template.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`Say in this test what {${name}} of another client would be.`)
    return value
  })

const problemOf = (json: unknown): string | undefined =>
  (json as { type?: string }).type?.replace('urn:sandbox-server:problem:', '')

test('every endpoint of the service needs a token and names a permission, except reference data', () => {
  expect(withToken.length).toBeGreaterThan(12)
  expect(service.filter(({ auth }) => auth !== 'token').map(({ path }) => path)).toEqual([
    '/identity/v2/oauth2/token',
  ])
  for (const { path, permission } of withToken) {
    if (forEverybody.includes(path)) expect(permission).toBeUndefined()
    else if (permission === undefined) expect(documents).toContain(path)
    else expect(permissions).toContain(permission)
  }
})

test('the control API is at /_sandbox and the service is not', () => {
  for (const { auth, path } of endpoints) expect(/^\/_sandbox(\/|$)/.test(path)).toBe(auth === 'control')
})

for (const endpoint of withToken) {
  const { method, path, permission } = endpoint

  test(`${method} ${path} answers nobody without a token`, async () => {
    const { sandbox } = new Client(sandboxAt(), '')
    const reply = await sandbox.handle({ method, path: pathOf(path) })
    expect([reply.status, problemOf(JSON.parse(reply.body as string))]).toEqual([401, 'missing-token'])
    expect(reply.headers['www-authenticate']).toBe('Bearer')
  })

  if (permission !== undefined && !readonlyPermissions.includes(permission))
    test(`${method} ${path} is closed to a key without ${permission}`, async () => {
      const client = await Client.of(sandboxAt(), readonlyKey)
      const { status, json, headers } = await client.call(method, pathOf(path))
      expect([status, problemOf(json)]).toEqual([401, 'missing-permission'])
      expect((json as { detail: string }).detail).toContain(permission)
      expect(headers['www-authenticate']).toContain('insufficient_scope')
    })

  if (/\{(accountId|profileId|cardkey)\}/.test(path))
    test(`${method} ${path} is closed to a key that may not access the account`, async () => {
      const sandbox = sandboxAt()
      const [record] = sandbox.main.credentials.clients
      const apiKeys = record!.apiKeys.map((apiKey) =>
        apiKey.key === readonlyKey.apiKey ? { ...apiKey, permissions } : apiKey,
      )
      sandbox.main.credentials.setClient({ ...record!, apiKeys })
      // A valid body, because bodies are validated before the bank is read.
      const { body } = (await sampleOf(endpoint, sandboxAt())).call
      const client = await Client.of(sandbox, readonlyKey)
      const { status, json } = await client.call(method, pathOf(path), body)
      expect([status, problemOf(json)]).toEqual([401, 'account-refused'])
    })
}

test('documents need the permission of their type', async () => {
  const client = await Client.of(sandboxAt(), readonlyKey)
  for (const path of [
    'documents?fromDate=2026-01-01&toDate=2026-03-01',
    'document/Statement/2026-02-28',
    'document/TaxCertificate/2026-02-28',
  ]) {
    const { status, json } = await client.get(`/za/pb/v1/accounts/${everyday}/${path}`)
    expect([path, status, problemOf(json)]).toEqual([path, 401, 'missing-permission'])
    expect((json as { detail: string }).detail).toMatch(/documents\.(statements|taxcertificates)/)
  }
})

test('lists show only the accounts of the key', async () => {
  const client = await Client.of(sandboxAt(), readonlyKey)
  const { accounts } = await client.data<{ accounts: { accountId: string }[] }>('/za/pb/v1/accounts')
  expect(accounts.map(({ accountId }) => accountId)).toEqual([everyday])
  const profiles = await client.data<{ profileId: string }[]>('/za/pb/v1/profiles')
  expect(profiles.map(({ profileId }) => profileId)).toEqual([profile])
  expect(await client.data(`/za/pb/v1/profiles/${profile}/accounts`)).toHaveLength(1)
  const { status, json } = await client.get(`/za/pb/v1/accounts/${savings}/balance`)
  expect([status, problemOf(json)]).toEqual([401, 'account-refused'])
  expect((json as { detail: string }).detail).toContain(savings)
})
