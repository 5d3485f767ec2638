// Calls in the form of published clients of the service: all of them work, and none has side effects.

import { expect, test } from '@jest/globals'
import { profile } from './ids.js'
import { Client, everyday, sandboxAt, savings } from './client.js'

const nomsa = 'MTAxODc2NTQzMjAwMDE='
const card = '/za/v1/cards/700615'
const pay = `/za/pb/v1/accounts/${everyday}/paymultiple`
const transfer = `/za/pb/v1/accounts/${everyday}/transfermultiple`
const transactions = `/za/pb/v1/accounts/${everyday}/transactions`
const code = 'const beforeTransaction = async (a) => a.centsAmount < 5000'

type Sent = readonly [name: string, method: string, path: string, body?: unknown]

const calls: readonly Sent[] = [
  ['a doubled slash', 'GET', '/za//pb/v1/accounts'],
  ['a slash at the end', 'GET', '/za/pb/v1/accounts/'],
  ['includePending=True', 'GET', `${transactions}?includePending=True&fromDate=2026-03-01`],
  ['empty parameters', 'GET', `${transactions}?fromDate=&toDate=&transactionType=`],
  ['dates with times', 'GET', `${transactions}?fromDate=2026-03-01T00:00:00&toDate=2026-03-25T08:00:00.123Z`],
  ['another parameter', 'GET', `/za/pb/v1/accounts/${everyday}/pending-transactions?from=2026-01-01`],
  [
    'PascalCase transfers, amounts as numbers, a whole object with other fields',
    'POST',
    transfer,
    {
      TransferList: [
        { BeneficiaryAccountId: savings, Amount: 1.5, MyReference: 'a', TheirReference: 'b', Id: null },
      ],
      ProfileId: profile,
      Status: 'new',
    },
  ],
  [
    'PascalCase transfers of the older form',
    'POST',
    '/za/pb/v1/accounts/transfermultiple',
    {
      AccountId: everyday,
      TransferList: [
        { BeneficiaryAccountId: savings, Amount: '1.50', MyReference: 'a', TheirReference: 'b' },
      ],
    },
  ],
  [
    'fasterPayment: null and authorisers that are null',
    'POST',
    pay,
    {
      paymentList: [
        {
          beneficiaryId: nomsa,
          amount: '1.50',
          myReference: 'a',
          theirReference: 'b',
          fasterPayment: null,
          authoriserAId: null,
          authPeriodId: null,
        },
      ],
    },
  ],
  ['simulationCode', 'POST', `${card}/code/execute`, { simulationCode: code, centsAmount: '100' }],
  ['a card check', 'POST', `${card}/execute`, { simulationcode: code, centsAmount: 0, merchantCode: '5462' }],
  ['enabled', 'POST', `${card}/toggle-programmable-feature`, { enabled: true }],
  ['a whole code record', 'POST', `${card}/code`, { code, codeId: 'X', createdAt: '2026-01-01', error: null }],
  ['an empty publish body', 'POST', `${card}/publish`, {}],
  ['a publish without a body', 'POST', `${card}/publish`, ''],
  ['a blank code', 'POST', `${card}/publish`, { code: ' ' }],
  [
    'a key id that is a number',
    'POST',
    `${card}?extended=True`,
    { keyId: 0, identifier: 'x', appName: 'y', modulus: 'c1'.repeat(256), exponent: '010001' },
  ],
] // prettier-ignore

test.each(calls)('%s', async (...[, method, path, body]) => {
  const client = await Client.of(sandboxAt())
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
  const answer = await client.call(method, path, text)
  expect([answer.status, answer.problem]).toEqual([200, undefined])
  if (path.includes('multiple'))
    expect((answer.json.data.transferResponse ?? answer.json.data).ErrorMessage).toBeNull()
  await client.sandbox.close()
})

test("both kinds of clients can read the toggle's answer", async () => {
  const client = await Client.of(sandboxAt())
  for (const Enabled of [false, true]) {
    const { json } = await client.post(`${card}/toggle-programmable-feature`, { Enabled })
    expect([json.Enabled, json.data.result.Enabled]).toEqual([Enabled, Enabled])
  }
})
