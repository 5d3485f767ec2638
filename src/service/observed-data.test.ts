// Rows and executions in both behaviours: as the service's document says, and as the live service was seen to answer.

import { expect, test } from '@jest/globals'
import { card, CardHolder } from '../../test/card-holder.js'
import { Client, everyday, sandboxAt, savings } from '../../test/client.js'
import type { Execution } from '../bank/cards/card-records.js'
import type { Behaviour } from '../protocol/behaviour.js'
import type { Transaction } from '../bank/records.js'

/** A client at 10:00 on 25 March 2026. */
async function clientOf(behaviour: Behaviour): Promise<Client> {
  const client = await Client.of(sandboxAt())
  expect((await client.control('PUT', 'settings', { behaviour })).status).toBe(200)
  return client
}

const rowsOf = async (client: Client, accountId: string, query = ''): Promise<Transaction[]> => {
  const path = `/za/pb/v1/accounts/${accountId}/transactions?fromDate=2026-01-01${query}`
  return (await client.data<{ transactions: Transaction[] }>(path)).transactions
}

const dates = (rows: readonly Transaction[], name: 'actionDate' | 'valueDate') =>
  new Set(rows.map((row) => row[name]))

test('actionDate: that of the row, or the day of the request', async () => {
  const documented = await rowsOf(await clientOf('documented'), everyday)
  expect(documented.every((row) => row.actionDate === row.postingDate)).toBe(true)
  const client = await clientOf('observed')
  const observed = await rowsOf(client, everyday)
  expect(dates(observed, 'actionDate')).toEqual(new Set(['2026-03-25']))
  await client.control('POST', 'clock', { advance: 'P1D' })
  const nextDay = await Client.of(client.sandbox)
  expect((await rowsOf(nextDay, everyday))[0]!.actionDate).toBe('2026-03-26')
  // Everything but the dates is the same row.
  const plain = (row: Transaction) => ({ ...row, actionDate: null, valueDate: null })
  expect(observed.map(plain)).toEqual(documented.map(plain))
})

test("valueDate of card purchases: the day of the purchase, or a month's last day", async () => {
  const purchases = (rows: Transaction[]) =>
    rows.filter(({ transactionType }) => transactionType === 'CardPurchases')
  const documented = purchases(await rowsOf(await clientOf('documented'), everyday))
  expect(documented.every((row) => row.valueDate === row.transactionDate)).toBe(true)
  const observed = await rowsOf(await clientOf('observed'), everyday)
  const valueDates = (from: string, to: string) =>
    dates(
      purchases(observed).filter(({ postingDate }) => postingDate! >= from && postingDate! <= to),
      'valueDate',
    )
  expect(valueDates('2026-01-01', '2026-01-15')).toEqual(new Set(['2026-01-31']))
  expect(valueDates('2026-01-16', '2026-01-31')).toEqual(new Set(['2026-02-28']))
  expect(valueDates('2026-03-16', '2026-03-25')).toEqual(new Set(['2026-04-30']))
  const others = observed.filter(({ transactionType }) => transactionType === 'DebitOrders')
  expect(others.length > 0 && others.every((row) => row.valueDate === row.postingDate)).toBe(true)
})

test('rows of savings accounts: with order and value date, or without them and with one uuid a day', async () => {
  const documented = await rowsOf(await clientOf('documented'), savings)
  expect(documented.map(({ transactionType }) => transactionType)).toEqual(documented.map(() => null))
  expect(documented.every((row) => row.postedOrder > 0 && row.valueDate === row.postingDate)).toBe(true)
  const client = await clientOf('observed')
  for (const amount of ['1.00', '2.00'])
    await client.control('POST', `accounts/${savings}/entries`, { type: 'CREDIT', amount, description: 'IN' })
  const observed = await rowsOf(client, savings)
  expect(observed.slice(0, documented.length)).toEqual(
    documented.map((row) => ({
      ...row,
      postedOrder: 0,
      valueDate: null,
      actionDate: '2026-03-25',
      uuid: `${row.uuid.slice(0, -7)}0000000`,
    })),
  )
  const [first, second] = observed.slice(-2)
  expect([first!.amount, second!.amount, first!.uuid]).toEqual([1, 2, second!.uuid])
})

test('pages and filters see the observed rows', async () => {
  const client = await clientOf('observed')
  const all = await rowsOf(client, everyday, '&transactionType=CardPurchases')
  await client.control('PUT', 'settings', { pageSize: 10 })
  const page = await rowsOf(client, everyday, '&transactionType=CardPurchases&page=2')
  expect(page).toEqual(all.slice(10, 20))
})

const code = 'const beforeTransaction = async () => { console.log("seen"); return false }'

test("a simulation's answer: times with three digits, or without trailing zeros; both contain the decision", async () => {
  const of = async (behaviour: Behaviour): Promise<Execution[]> => {
    const client = await Client.of(sandboxAt(Date.parse('2026-03-25T08:00:00.480Z')))
    const holder = CardHolder.with(client)
    await client.control('PUT', 'settings', { behaviour })
    return (await holder.simulate(code)).json.data.result
  }
  const [documented, observed] = [await of('documented'), await of('observed')]
  const [before] = documented
  expect([before!.type, before!.authorizationApproved, before!.Error]).toEqual([
    'before_transaction',
    false,
    null,
  ])
  for (const time of [before!.createdAt, before!.startedAt, before!.completedAt, before!.logs[0]!.createdAt])
    expect(time).toBe('2026-03-25T08:00:00.480Z')
  expect(observed).toEqual(JSON.parse(JSON.stringify(documented).replaceAll('00.480Z', '00.48Z')))
})

async function executionsOf(behaviour: Behaviour) {
  const client = await Client.of(sandboxAt(Date.parse('2026-03-25T08:00:00.480Z')))
  const holder = CardHolder.with(client)
  await client.control('PUT', 'settings', { behaviour })
  await holder.publish(code)
  await holder.buy({ centsAmount: 100 })
  const { json } = await holder.get(`/${card}/code/executions`)
  return json.data.result.executionItems as (Execution & { Error?: unknown })[]
}

test('items of the executions list: without Error and with the decision, or with Error and null', async () => {
  const documented = await executionsOf('documented')
  expect(documented.map((each) => 'Error' in each)).toEqual(documented.map(() => false))
  const before = documented.find(({ type }) => type === 'before_transaction')!
  expect([before.authorizationApproved, before.createdAt]).toEqual([false, '2026-03-25T08:00:00.480Z'])
  const observed = await executionsOf('observed')
  expect(observed).toEqual(
    documented.map((each) => ({
      ...JSON.parse(JSON.stringify(each).replaceAll('00.480Z', '00.48Z')),
      authorizationApproved: null,
      Error: each.type === 'before_transaction' ? null : expect.anything(),
    })),
  )
})
