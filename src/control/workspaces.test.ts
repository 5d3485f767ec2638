import { expect, test } from '@jest/globals'
import { Client, everyday, sandboxAt, standardSignIn, type SignIn } from '../../test/client.js'

const transactions = `/za/pb/v1/accounts/${everyday}/transactions`

async function workspaceOf(main: Client, body: object = {}): Promise<Client> {
  const { status, json } = await main.control('POST', 'workspaces', body)
  expect(status).toBe(200)
  return Client.of(main.sandbox, json as SignIn, json.name as string)
}

test('a workspace has its own bank, clock, journal and credentials', async () => {
  const main = await Client.of(sandboxAt())
  const one = await workspaceOf(main, { name: 'worker-1' })
  const two = await workspaceOf(main, { name: 'worker-2', seed: 7 })
  expect((await one.get(transactions)).body).toBe((await main.get(transactions)).body)
  expect((await two.get(transactions)).body).not.toBe((await main.get(transactions)).body)

  await one.control('POST', 'clock', { advance: 'P1M' })
  expect((await one.control('GET', 'clock')).json.now).toBe('2026-04-25T08:00:00.000Z')
  expect((await main.control('GET', 'clock')).json.now).toBe('2026-03-25T08:00:00.000Z')
  expect((await one.get(transactions)).status).toBe(401)
  expect((await main.get(transactions)).status).toBe(200)
  expect(main.sandbox.workspaces.get('worker-2').journal.entries).toHaveLength(2)
})

test('tokens and credentials of one workspace are refused by others', async () => {
  const main = await Client.of(sandboxAt())
  const one = await workspaceOf(main, { name: 'one' })
  const two = await workspaceOf(main, { name: 'two' })
  expect(new Set([main.token, one.token, two.token]).size).toBe(3)
  for (const { token } of [main, one, two]) expect(token).toMatch(/^[A-Za-z0-9]{28}$/)
  const mixed = { ...standardSignIn, clientSecret: 'sandbox-secret-one' }
  expect((await Client.of(main.sandbox, mixed)).token).toBeUndefined()
  await main.control('DELETE', 'workspaces/one')
  expect((await one.get('/za/pb/v1/accounts')).json.type).toBe('urn:sandbox-server:problem:unknown-token')
  expect((await two.get('/za/pb/v1/accounts')).status).toBe(200)
})

test('workspaces are listed and named automatically; taken, invalid and unknown names are refused', async () => {
  const main = await Client.of(sandboxAt())
  await workspaceOf(main)
  await workspaceOf(main)
  const { json } = await main.control('GET', 'workspaces')
  expect(json.workspaces.map(({ name }: { name: string }) => name)).toEqual(['default', 'w1', 'w2'])
  expect((await main.control('POST', 'workspaces', { name: 'w1' })).status).toBe(409)
  expect((await main.control('POST', 'workspaces', { name: 'default' })).status).toBe(409)
  for (const name of ['', 'a b', '../x', '-a', 'x'.repeat(41), 7, null, '__proto__'])
    expect((await main.control('POST', 'workspaces', { name: name as string })).status).toBe(400)
  expect((await main.control('DELETE', 'workspaces/default')).status).toBe(400)
  expect((await main.control('DELETE', 'workspaces/none')).status).toBe(404)
  const lost = await main.sandbox.handle({ method: 'GET', path: '/_sandbox/clock?workspace=none' })
  expect(lost.status).toBe(404)
})

test('reset returns to the start, everything included', async () => {
  const sandbox = sandboxAt()
  const main = await Client.of(sandbox)
  const before = await main.get(transactions)
  await main.control('PUT', 'settings', { pageSize: 5 })
  await main.control('POST', 'clock', { advance: 'P3M' })
  const reset = await main.control('POST', 'reset')
  expect(reset.json.clock).toEqual({ now: '2026-03-25T08:00:00.000Z', frozen: true })
  expect((await main.get(transactions)).json.type).toBe('urn:sandbox-server:problem:unknown-token')
  expect(sandbox.main.journal.entries).toHaveLength(1)
  const again = await Client.of(sandbox)
  expect(again.token).toBe(main.token)
  expect((await again.get(transactions)).body).toBe(before.body)
})

test('settings are changed one by one and apply from the next call on', async () => {
  const main = await Client.of(sandboxAt())
  const changed = await main.control('PUT', 'settings', { pageSize: 10, settlement: 'PT1H' })
  expect(changed.json).toMatchObject({ pageSize: 10, settlement: 'PT1H', rateLimit: null })
  expect((await main.get(transactions)).json.data.transactions).toHaveLength(10)
  const refused = await main.control('PUT', 'settings', {
    pageSize: 0,
    settlement: 'P1M',
    rateLimit: { requests: 1, per: 'PT0S' },
  })
  expect(refused.json.errors.map(({ path }: { path: string }) => path)).toEqual([
    '/settlement',
    '/rateLimit/per',
  ])
  expect((await main.control('GET', 'settings')).json).toEqual(changed.json)
})
