// Operations of online banking that the service's API lacks.

import { expect, test } from '@jest/globals'
import { Client, everyday, sandboxAt, standardSignIn } from '../../test/client.js'

const accounts = '/za/pb/v1/accounts'

/** The events that are sent during an action. */
async function told(client: Client, act: () => Promise<unknown>): Promise<string[]> {
  const parts = client.sandbox.main.events.listen()
  await act()
  await parts.next()
  const types: string[] = []
  const end = client.control('POST', 'clock', { freeze: true })
  for (;;) {
    const { value } = await parts.next()
    const type = /^event: (.*)$/m.exec(value as string)![1]!
    if (type === 'clock') break
    types.push(type)
  }
  await end
  await parts.return!()
  return types
}

test('an account is opened, renamed, given an overdraft, and gets money', async () => {
  const client = await Client.of(sandboxAt())
  const opened = await client.control('POST', 'accounts', {
    productName: 'PrimeSaver',
    referenceName: 'Holiday',
  })
  expect(opened.json).toMatchObject({
    productName: 'PrimeSaver',
    referenceName: 'Holiday',
    currentBalance: 0,
  })
  const { accountId, accountNumber } = opened.json
  expect([accountId.length, accountNumber.length]).toEqual([25, 13])
  const listed = (await client.get(accounts)).json.data.accounts
  expect(listed.map((each: { accountId: string }) => each.accountId)).toContain(accountId)
  const changed = await client.control('PUT', `accounts/${accountId}`, {
    referenceName: 'Beach',
    overdraft: 100.5,
  })
  expect(changed.json).toMatchObject({ referenceName: 'Beach', overdraft: 100.5 })
  const entry = { type: 'CREDIT', amount: '25000.10', description: 'GIFT', date: '2026-03-01' }
  const posted = await client.control('POST', `accounts/${accountId}/entries`, entry)
  expect(posted.json).toMatchObject({
    postedOrder: 1,
    postingDate: '2026-03-25',
    transactionDate: '2026-03-01',
    valueDate: '2026-03-01',
    transactionType: null,
    runningBalance: 25000.1,
  })
  expect((await client.get(`${accounts}/${accountId}/balance`)).json.data.availableBalance).toBe(25100.6)
  const refused = await client.control('POST', `accounts/${everyday}/entries`, {
    type: 'DEBIT',
    amount: '1.001',
    description: 'x',
    date: '2026-03-26',
  })
  expect(refused.json.errors.map(({ path }: { path: string }) => path)).toEqual(['/amount', '/date'])
})

test('a beneficiary can be paid once it has been paid in the online channel, until it is removed', async () => {
  const client = await Client.of(sandboxAt())
  const request = { beneficiaryName: 'Corner Garage', accountNumber: '62009998887' }
  const { json: added } = await client.control('POST', 'beneficiaries', request)
  expect(added).toMatchObject({ ...request, lastPaymentDate: 'Never been Paid' })
  const pay = () =>
    client.post(`${accounts}/${everyday}/paymultiple`, {
      paymentList: [
        { beneficiaryId: added.beneficiaryId, amount: '1.00', myReference: 'a', theirReference: 'b' },
      ],
    })
  expect((await pay()).status).toBe(400)
  const path = `beneficiaries/${encodeURIComponent(added.beneficiaryId)}`
  const paid = await client.control('POST', `${path}/paid`, { amount: '1234.5', date: '2026-03-20' })
  expect(paid.json).toMatchObject({ lastPaymentAmount: '1,234.50', lastPaymentDate: '20/03/2026' })
  expect((await pay()).json.data.ErrorMessage).toBeNull()
  expect((await client.control('DELETE', path)).json).toEqual({ removed: added.beneficiaryId })
  expect((await pay()).status).toBe(400)
  expect((await client.control('DELETE', path)).json.type).toContain('unknown-beneficiary')
})

test('a card is issued, blocked and unblocked', async () => {
  const client = await Client.of(sandboxAt())
  const { json } = await client.control('POST', 'cards', { accountId: everyday, embossedName: 'L NAIDOO' })
  expect(json).toMatchObject({
    AccountId: everyday,
    IsVirtualCard: false,
    IsProgrammable: true,
    Status: 'Active',
  })
  const buy = async () => {
    const merchant = { name: 'Shop', city: 'Cape Town', countryCode: 'ZA', categoryCode: '5411' }
    const body = { centsAmount: 100, currencyCode: 'zar', merchant }
    return (await client.control('POST', `cards/${json.CardKey}/transactions`, body)).json.decision
  }
  expect(await buy()).toBe('approved')
  expect((await client.control('POST', `cards/${json.CardKey}/block`)).json.Status).toBe('Blocked')
  expect(await buy()).toBe('declined')
  expect((await client.control('POST', `cards/${json.CardKey}/unblock`)).json.Status).toBe('Active')
  expect(await buy()).toBe('approved')
})

test('API keys are created, changed and revoked, with immediate effect on issued tokens', async () => {
  const client = await Client.of(sandboxAt())
  const { json } = await client.control('POST', 'api-keys', {
    alias: 'Reader',
    accounts: [everyday],
    permissions: ['accounts', 'balances'],
  })
  const reader = await Client.of(client.sandbox, { ...standardSignIn, apiKey: json.key })
  expect((await reader.get(accounts)).json.data.accounts).toHaveLength(1)
  expect((await reader.get(`${accounts}/${everyday}/balance`)).status).toBe(200)
  await client.control('PUT', `api-keys/${json.key}`, { accounts: 'all', permissions: ['accounts'] })
  expect((await reader.get(accounts)).json.data.accounts).toHaveLength(5)
  expect((await reader.get(`${accounts}/${everyday}/balance`)).json.type).toContain('missing-permission')
  await client.control('DELETE', `api-keys/${json.key}`)
  expect((await reader.get(accounts)).json.type).toContain('unknown-token')
  expect((await client.control('DELETE', `api-keys/${json.key}`)).status).toBe(400)
  const unknown = { alias: 'x', accounts: ['1'], permissions: [] }
  expect((await client.control('POST', 'api-keys', unknown)).json.errors[0].path).toBe('/accounts/0')
})

test("the client's secret is rotated; issued tokens stay valid", async () => {
  const client = await Client.of(sandboxAt())
  const { json } = await client.control('POST', 'client/secret')
  expect((await Client.of(client.sandbox)).token).toBeUndefined()
  const { clientSecret } = json
  expect((await Client.of(client.sandbox, { ...standardSignIn, clientSecret })).token).toHaveLength(28)
  expect((await client.get(accounts)).status).toBe(200)
})

test('every operation of the online channel is an event', async () => {
  const client = await Client.of(sandboxAt())
  await client.get(accounts)
  const { json: added } = await client.control('POST', 'beneficiaries', {
    beneficiaryName: 'A',
    accountNumber: '12345',
  })
  const types = await told(client, async () => {
    await client.control('POST', 'accounts', {})
    await client.control('POST', `accounts/${everyday}/entries`, {
      type: 'DEBIT',
      amount: 5,
      description: 'FEE',
    })
    await client.control('DELETE', `beneficiaries/${encodeURIComponent(added.beneficiaryId)}`)
    await client.control('POST', 'cards/700615/block')
    await client.control('DELETE', 'api-keys/sandbox-readonly-key')
    await client.control('POST', 'client/secret', {})
  })
  expect(types).toEqual(['account', 'entry', 'beneficiary', 'card', 'api-key', 'client'])
})
