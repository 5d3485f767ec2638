// Data of the household in the form in which the live service sends it: names, a virtual card, and texts in columns.

import { expect, test } from '@jest/globals'
import { card, CardHolder, otherCard } from '../../test/card-holder.js'
import { Client, everyday, sandboxAt } from '../../test/client.js'
import type { Beneficiary, Transaction } from '../bank/records.js'

const school = 'MTAxODc2NTQzMjAwMDM='
const rowsPath = `/za/pb/v1/accounts/${everyday}/transactions?fromDate=2026-03-01&includePending=true`

test('some beneficiaries have their name in `name` alone, and payments to them show it', async () => {
  const client = await Client.of(sandboxAt())
  const list = await client.data<Beneficiary[]>('/za/pb/v1/accounts/beneficiaries')
  const nameless = list.filter(({ beneficiaryName }) => beneficiaryName === null)
  expect(nameless.map(({ name, referenceName }) => [name, referenceName])).toEqual([
    ['Rivonia Primary School', null],
    ['Fatima Patel Design', null],
  ])
  expect(list.length).toBeGreaterThan(nameless.length)
  const item = { beneficiaryId: school, amount: '10.00', myReference: 'Fees', theirReference: 'Lerato' }
  const { json } = await client.post(`/za/pb/v1/accounts/${everyday}/paymultiple`, { paymentList: [item] })
  expect(json.data.TransferResponses).toMatchObject([{ BeneficiaryName: 'Rivonia Primary School' }])
  const paid = await client.data<Beneficiary[]>('/za/pb/v1/accounts/beneficiaries')
  expect(paid.find(({ beneficiaryId }) => beneficiaryId === school)).toMatchObject({
    beneficiaryName: null,
    lastPaymentAmount: '10.00',
  })
  const { json: state } = await client.control('GET', 'state')
  expect((await client.control('PUT', 'state', state)).status).toBeLessThan(300)
  expect(await client.data('/za/pb/v1/accounts/beneficiaries')).toEqual(paid)
})

test('a scenario that names a beneficiary changes both of its names', async () => {
  const beneficiaries = [{ beneficiaryId: school, beneficiaryName: 'Sandton Primary' }]
  const scenario = { name: 'x', description: 'Another school.', beneficiaries }
  const client = await Client.of(sandboxAt())
  expect((await client.control('POST', 'scenario', { scenario })).status).toBe(200)
  const again = await Client.of(client.sandbox)
  const list = await again.data<Beneficiary[]>('/za/pb/v1/accounts/beneficiaries')
  expect(list.find(({ beneficiaryId }) => beneficiaryId === school)).toMatchObject({
    beneficiaryName: 'Sandton Primary',
    name: 'Sandton Primary',
  })
})

test('one card is virtual, for shops on the web', async () => {
  const holder = await CardHolder.of()
  const { cards } = (await holder.get('')).json.data as { cards: { CardKey: string }[] }
  expect(cards.filter((each) => 'CardTypeCode' in each && each.CardTypeCode === 'VVG')).toMatchObject([
    { CardKey: otherCard, EmbossedName: 'ONLINE SHOPPING CARD', IsVirtualCard: true },
  ])
})

const columns = /^(.{25})(.{13})([A-Z]{2})$/

test('texts of pending purchases are in columns, those of posted ones are not', async () => {
  const holder = await CardHolder.of()
  const { client } = holder
  const merchant = { name: 'Amazon Retail', city: 'Lagos', countryCode: 'ZA', categoryCode: '5311' }
  const { transaction } = (await holder.buy({ centsAmount: 2_500, merchant }, card)).json
  const pending = (await client.data<{ transactions: Transaction[] }>(rowsPath)).transactions.filter(
    ({ status }) => status === 'PENDING',
  )
  expect(pending.length).toBeGreaterThan(3)
  for (const { description } of pending) expect(description).toMatch(columns)
  expect(pending.map(({ description }) => description)).toContain('Amazon Retail            Lagos        ZA')
  const short = await client.data<{ transactions: Transaction[] }>(
    `/za/pb/v1/accounts/${everyday}/pending-transactions`,
  )
  expect(short.transactions.map(({ description }) => description).toSorted()).toEqual(
    pending.map(({ description }) => description).toSorted(),
  )

  // The texts survive an export.
  const { json: state } = await client.control('GET', 'state')
  expect((await client.control('PUT', 'state', state)).status).toBeLessThan(300)
  expect(await client.data(`/za/pb/v1/accounts/${everyday}/pending-transactions`)).toEqual(short)

  const settled = await client.control('POST', `transactions/${transaction.id}/settle`)
  expect(settled.status).toBe(200)
  await client.control('POST', 'clock', { advance: 'P5D' })
  const later = await Client.of(client.sandbox)
  const { transactions } = await later.data<{ transactions: Transaction[] }>(
    `/za/pb/v1/accounts/${everyday}/transactions?fromDate=2026-03-25`,
  )
  const posted = transactions.map(({ description }) => description)
  expect(posted).toContain('AMAZON RETAIL LAGOS ZA')
  const folded = (description: string): string =>
    [...columns.exec(description)!.slice(1)].map((part) => part.trim().toUpperCase()).join(' ')
  expect(posted).toEqual(expect.arrayContaining(pending.map(({ description }) => folded(description))))
})
