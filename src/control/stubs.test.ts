import { expect, test } from '@jest/globals'
import { Client, sandboxAt } from '../../test/client.js'
import { card } from '../../test/ids.js'

const code = `
const beforeTransaction = async (authorization) => {
  const response = await fetch('https://api.example/limit?card=' + authorization.card.id)
  const { most } = await response.json()
  console.log(response.status, response.headers.get('x-from'))
  return authorization.centsAmount <= most
}
`

async function holder(): Promise<Client> {
  const client = await Client.of(sandboxAt())
  const { json } = await client.post(`/za/v1/cards/${card}/code`, { code })
  await client.post(`/za/v1/cards/${card}/publish`, { codeid: json.data.result.codeId, code: ' ' })
  await client.post(`/za/v1/cards/${card}/toggle-programmable-feature`, { Enabled: true })
  return client
}

const buy = async (client: Client, centsAmount: number) => {
  const merchant = { name: 'Shop', city: 'Cape Town', countryCode: 'ZA', categoryCode: '5411' }
  const body = { centsAmount, currencyCode: 'zar', merchant }
  return (await client.control('POST', `cards/${card}/transactions`, body)).json
}

test('a stub answers calls of card code, and the calls can be verified', async () => {
  const client = await holder()
  try {
    const match = { method: 'get', url: 'https://api.example/**' }
    const respond = { status: 200, headers: { 'X-From': 'stub' }, json: { most: 100 } }
    const set = await client.control('POST', 'outbound/stubs', { match, respond })
    expect(set.json).toMatchObject({ id: 's1', applied: 0 })
    const declined = await buy(client, 101)
    expect(declined).toMatchObject({ decision: 'declined', reason: 'declined-by-code' })
    expect(JSON.stringify(declined.executions)).toContain('200 stub')
    expect((await buy(client, 100)).decision).toBe('approved')
    expect((await client.control('GET', 'outbound/stubs')).json.stubs[0].applied).toBe(2)
    const verified = await client.control('POST', 'outbound/verify', { match, count: { exactly: 2 } })
    expect(verified.json).toEqual({ matched: 2 })
    const url = 'https://api.example/other'
    const missing = await client.control('POST', 'outbound/verify', { match: { url } })
    expect(missing.status).toBe(409)
    expect(missing.json.nearest[0]).toMatchObject({ method: 'GET', differs: ['url'] })
  } finally {
    await client.sandbox.close()
  }
})

test('with a frozen clock, a slow stub times a hook out at no cost of real time', async () => {
  const client = await holder()
  try {
    await client.control('PUT', 'settings', { hooks: { onTimeout: 'decline' } })
    const respond = { json: { most: 1_000_000 }, delayMs: 2500 }
    await client.control('POST', 'outbound/stubs', { respond, times: 1 })
    expect(await buy(client, 100)).toMatchObject({ decision: 'declined', reason: 'code-timeout' })
    await client.control('POST', 'outbound/stubs', { respond: { ...respond, delayMs: 500 } })
    expect((await buy(client, 100)).decision).toBe('approved')
    expect((await client.control('DELETE', 'outbound/stubs/s1')).json).toEqual({ deleted: 1 })
    expect((await client.control('DELETE', 'outbound/stubs/s1')).status).toBe(404)
    await client.control('POST', 'reset')
    expect((await client.control('GET', 'outbound/stubs')).json.stubs).toEqual([])
  } finally {
    await client.sandbox.close()
  }
})

test('an invalid stub is refused', async () => {
  const client = await Client.of(sandboxAt())
  for (const [stub, path] of [
    [{}, '/respond'],
    [{ respond: { json: 1, text: 'a' } }, '/respond/text'],
    [{ respond: { status: 100 } }, '/respond/status'],
    [{ respond: { headers: { 'a b': 'c' } } }, '/respond/headers/a b'],
    [{ respond: {}, match: { path: '/x' } }, '/match/path'],
  ] as const) {
    const refused = await client.control('POST', 'outbound/stubs', stub)
    expect(refused.status).toBe(400)
    expect(refused.json.errors).toContainEqual(expect.objectContaining({ path }))
  }
})
