// What happens to a card transaction later: it is settled, reversed or adjusted.

import { expect, test } from '@jest/globals'
import { approving, CardHolder, declining } from '../../test/card-holder.js'
import { everyday } from '../../test/client.js'

test('reversing a pending purchase returns the money, and afterReversal runs', async () => {
  const holder = await CardHolder.of()
  await holder.publish(approving)
  const before = await holder.available()
  const { transaction } = (await holder.buy({ centsAmount: 5_000 })).json as { transaction: { id: string } }
  const { status, json } = await holder.client.control('POST', `transactions/${transaction.id}/reverse`)
  expect(status).toBe(200)
  expect(json.transaction).toEqual({ ...transaction, status: 'reversed' })
  expect(json.executions).toMatchObject([
    {
      type: 'after_reversal',
      sandbox: false,
      authorizationApproved: null,
      logs: [{ content: 'reversed 5000' }],
    },
  ])
  expect(json.executions[0].rootCodeFunctionId).toBe(json.transaction.rootCodeFunctionId)
  expect(await holder.available()).toBe(before)
  const again = await holder.client.control('POST', `transactions/${transaction.id}/reverse`)
  expect([again.status, again.json.type]).toEqual([400, 'urn:sandbox-server:problem:already-reversed'])
})

test('a declined transaction is not settled, and says so', async () => {
  const holder = await CardHolder.of()
  const { transaction } = (await holder.buy({ centsAmount: 999_999_999 })).json as {
    transaction: { id: string }
  }
  const { status, json } = await holder.client.control('POST', `transactions/${transaction.id}/settle`)
  expect([status, json.type]).toEqual([400, 'urn:sandbox-server:problem:declined-transaction'])
  expect(json.detail).toBe(`Transaction ${transaction.id} was declined (insufficient-funds).`)
})

test('reversing a settled purchase posts a correction', async () => {
  const holder = await CardHolder.of()
  const before = await holder.available()
  const { transaction } = (await holder.buy({ centsAmount: 5_000 })).json as { transaction: { id: string } }
  const settled = await holder.client.control('POST', `transactions/${transaction.id}/settle`)
  expect(settled.status).toBe(200)
  const { json } = await holder.client.control('POST', `transactions/${transaction.id}/reverse`)
  expect(json.transaction.status).toBe('reversed')
  expect(await holder.available()).toBe(before)
})

test('an adjusted purchase holds the new amount, in its own currency, whether the account has it or not', async () => {
  const holder = await CardHolder.of()
  await holder.publish(approving)
  const before = Math.round((await holder.available()) * 100)
  const { transaction } = (await holder.buy({ centsAmount: 5_000, currencyCode: 'usd' })).json as {
    transaction: { id: string; randCents: number }
  }
  expect(transaction.randCents).toBe(90_000)
  const path = `transactions/${transaction.id}/adjust`
  const { json } = await holder.client.control('POST', path, { centsAmount: 10_000 })
  expect(json.transaction).toMatchObject({ centsAmount: 10_000, randCents: 180_000, status: 'pending' })
  expect(json.executions).toMatchObject([{ type: 'after_adjustment', logs: [{ content: 'adjusted 10000' }] }])
  expect(Math.round((await holder.available()) * 100)).toBe(before - 180_000)
  const huge = await holder.client.control('POST', path, { centsAmount: 100_000_000_000 })
  expect([huge.status, huge.json.errors[0].path]).toEqual([400, '/centsAmount'])
  await holder.client.control('POST', path, { centsAmount: 1_000_000_000 })
  expect(await holder.available()).toBeLessThan(0)
})

test('a settled purchase is settled in its transaction too, and can still be adjusted', async () => {
  const holder = await CardHolder.of()
  const { transaction } = (await holder.buy({ centsAmount: 5_000 })).json as { transaction: { id: string } }
  await holder.client.control('POST', 'clock', { advance: 'P3D' })
  const path = `transactions/${transaction.id}/adjust`
  const { json } = await holder.client.control('POST', path, { centsAmount: 4_000 })
  expect(json.transaction).toMatchObject({ centsAmount: 4_000, status: 'settled' })
})

test('transactions that do not exist, were declined, or belong to no card are refused', async () => {
  const holder = await CardHolder.of()
  await holder.publish(declining)
  const { transaction } = (await holder.buy({ centsAmount: 5 })).json as { transaction: { id: string } }
  const at = (id: string, what: string) =>
    holder.client.control('POST', `transactions/${encodeURIComponent(id)}/${what}`, { centsAmount: 5 })
  for (const what of ['reverse', 'adjust']) {
    expect((await at(transaction.id, what)).json.type).toBe('urn:sandbox-server:problem:declined-transaction')
    for (const id of ['12345678', '__proto__', 'x'.repeat(500)]) {
      const { status, json } = await at(id, what)
      expect([status, json.type]).toEqual([400, 'urn:sandbox-server:problem:unknown-transaction'])
    }
  }
  for (const body of [
    {},
    { centsAmount: 0 },
    { centsAmount: -5 },
    { centsAmount: 1.5 },
    { centsAmount: '5' },
  ])
    expect(
      (await holder.client.control('POST', `transactions/${transaction.id}/adjust`, body)).json.errors[0]
        .path,
    ).toBe('/centsAmount')
})

test('a purchase of the household is adjusted and reversed, pending or posted, and no code runs', async () => {
  const holder = await CardHolder.of()
  await holder.publish(approving)
  const control = async (method: string, path: string, body?: object) =>
    (await holder.client.control(method, path, body)).json
  const { transactions } = (await control('GET', `accounts/${everyday}/pending`)) as {
    transactions: { id: string; amount: number }[]
  }
  const [first, second] = transactions as [{ id: string; amount: number }, { id: string; amount: number }]
  const cents = Math.round(first.amount * 100)
  const before = await holder.available(everyday)
  const adjusted = await control('POST', `transactions/${first.id}/adjust`, { centsAmount: cents + 100 })
  expect(adjusted).toMatchObject({
    transaction: { id: first.id, accountId: everyday, centsAmount: cents + 100, status: 'pending' },
    executions: [],
  })
  expect(await holder.available(everyday)).toBeCloseTo(before - 1)
  const reversed = await control('POST', `transactions/${first.id}/reverse`)
  expect(reversed).toMatchObject({ transaction: { id: first.id, status: 'reversed' }, executions: [] })
  expect(await holder.available(everyday)).toBeCloseTo(before + cents / 100)
  await control('POST', `transactions/${second.id}/settle`)
  const less = await control('POST', `transactions/${second.id}/adjust`, { centsAmount: 1 })
  expect(less.transaction).toMatchObject({ centsAmount: 1, status: 'settled' })
  const undone = await control('POST', `transactions/${second.id}/reverse`)
  expect(undone.transaction).toMatchObject({ centsAmount: 1, status: 'reversed' })
  expect(await holder.available(everyday)).toBeCloseTo(
    before + (cents + Math.round(second.amount * 100)) / 100,
  )
  expect(await control('POST', `transactions/${second.id}/reverse`)).toMatchObject({
    type: 'urn:sandbox-server:problem:already-reversed',
  })
})
