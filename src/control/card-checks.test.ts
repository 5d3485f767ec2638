// What card networks send besides plain purchases: checks of a card (amount 0), and purchases from abroad.

import { expect, test } from '@jest/globals'
import { CardHolder } from '../../test/card-holder.js'
import { everyday } from '../../test/client.js'
import type { Execution } from '../bank/cards/card-records.js'

const approving = `
const beforeTransaction = async (a) => { console.log(a); return true }
const afterTransaction = async (t) => console.log('after', t.centsAmount)
const afterDecline = async (t) => console.log('declined', t.centsAmount)
const afterReversal = async (t) => console.log('reversed', t.centsAmount)
`
const declining = approving.replace('return true', 'return false')

/** The account's money as a client sees it. */
async function moneyOf(holder: CardHolder): Promise<unknown> {
  const path = `/za/pb/v1/accounts/${everyday}`
  const balance = await holder.client.data(`${path}/balance`)
  const rows = await holder.client.data(`${path}/transactions?fromDate=2026-03-01&includePending=true`)
  return [balance, rows, await holder.client.data(`${path}/pending-transactions`)]
}

const logs = (executions: Execution[]) => executions.map(({ logs: [first] }) => first!.content)

test('a check of a card (amount 0) is decided by its code, and no money moves', async () => {
  const holder = await CardHolder.of()
  await holder.publish(approving)
  const before = await moneyOf(holder)
  const { status, json } = await holder.buy({ centsAmount: 0, currencyCode: 'usd' })
  expect([status, json.decision, json.reason]).toEqual([200, 'approved', 'approved'])
  expect(json.transaction).toMatchObject({
    centsAmount: 0,
    currencyCode: 'USD',
    randCents: 0,
    status: 'settled',
  })
  expect(JSON.parse(logs(json.executions)[0]!)).toMatchObject({ centsAmount: 0, currencyCode: 'usd' })
  expect(logs(json.executions)[1]).toBe('after 0')
  expect(await moneyOf(holder)).toEqual(before)

  await holder.publish(declining)
  const declined = (await holder.buy({ centsAmount: 0 })).json
  expect([declined.decision, declined.reason]).toEqual(['declined', 'declined-by-code'])
  expect(logs(declined.executions)[1]).toBe('declined 0')
  expect(await moneyOf(holder)).toEqual(before)
})

test('a check is approved on an account without money, and without code', async () => {
  const holder = await CardHolder.of()
  await holder.client.control('POST', `accounts/${everyday}/entries`, {
    type: 'DEBIT',
    amount: '900000.00',
    description: 'FEE',
  })
  expect(await holder.available()).toBeLessThan(0)
  for (const type of ['purchase', 'atm', 'refund'])
    expect((await holder.buy({ centsAmount: 0, type })).json).toMatchObject({ decision: 'approved' })
  expect((await holder.buy({ centsAmount: 1 })).json).toMatchObject({ reason: 'insufficient-funds' })
})

test('a check is not settled or adjusted; reversed, it is marked and its hook runs', async () => {
  const holder = await CardHolder.of()
  await holder.publish(approving)
  const before = await moneyOf(holder)
  const { transaction } = (await holder.buy({ centsAmount: 0 })).json as { transaction: { id: string } }
  const change = (what: string, body?: object) =>
    holder.client.control('POST', `transactions/${transaction.id}/${what}`, body)
  const settled = await change('settle')
  expect([settled.status, settled.json.type]).toEqual([400, 'urn:sandbox-server:problem:not-pending'])
  const adjusted = await change('adjust', { centsAmount: 500 })
  expect([adjusted.status, adjusted.json.errors]).toEqual([
    400,
    [
      {
        path: '/centsAmount',
        message: 'cannot change a transaction of 0; use the card for the amount instead',
      },
    ],
  ])
  const reversed = (await change('reverse')).json
  expect(reversed.transaction).toEqual({ ...transaction, status: 'reversed' })
  expect(logs(reversed.executions)).toEqual(['reversed 0'])
  const again = await change('reverse')
  expect([again.status, again.json.type]).toEqual([400, 'urn:sandbox-server:problem:already-reversed'])
  expect(await moneyOf(holder)).toEqual(before)
})

test('checks are exported and return', async () => {
  const holder = await CardHolder.of()
  await holder.publish(approving)
  const { transaction } = (await holder.buy({ centsAmount: 0 })).json
  const before = await moneyOf(holder)
  const { json: state } = await holder.client.control('GET', 'state')
  await holder.client.control('POST', 'reset')
  expect((await holder.client.control('PUT', 'state', state)).status).toBeLessThan(300)
  expect((await holder.client.control('GET', 'state')).json.bank).toEqual(state.bank)
  const bank = await holder.client.sandbox.main.open()
  expect(bank.cards.transaction(transaction.id)).toMatchObject({ randCents: 0, decision: 'approved' })
  expect(await moneyOf(holder)).toEqual(before)
})

// The city of a remote purchase is a telephone number or a web address.
test.each(['866-216-1072', '+14029357733', 'amzn.com/bill', 'https://help.example/x?y=1'])(
  'a purchase from abroad reaches hooks in its own currency, in the city %s',
  async (city) => {
    const holder = await CardHolder.of()
    await holder.publish(approving)
    const merchant = { name: 'Cloud Storage', city, countryCode: 'US', categoryCode: '5734' }
    const request = { centsAmount: 100, currencyCode: 'usd', merchant }
    const { json } = await holder.buy(request)
    const seen = JSON.parse(logs(json.executions)[0]!)
    expect(seen).toMatchObject({ centsAmount: 100, currencyCode: 'usd', merchant: { city, country: { code: 'US' } } })
    expect(json.transaction).toMatchObject({ currencyCode: 'USD', randCents: 1_800, merchant: { city } })

    const simulated = await holder.simulate(approving, {
      centsAmount: 100,
      currencyCode: 'usd',
      merchantCity: city,
      merchantName: 'Cloud Storage',
      countryCode: 'US',
    })
    const [first] = simulated.json.data.result as Execution[]
    expect(JSON.parse(first!.logs[0]!.content)).toMatchObject({
      centsAmount: 100,
      currencyCode: 'usd',
      merchant: { city },
    })
  },
) // prettier-ignore
