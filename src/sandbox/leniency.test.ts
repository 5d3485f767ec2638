// What the service probably accepts is accepted with a warning; the setting `strict` refuses it.

import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { Client, everyday, sandboxAt, savings, testMs } from '../../test/client.js'
import type { InputError } from '../protocol/problem.js'
import type { Warning } from '../protocol/warning.js'

const transfers = `/za/pb/v1/accounts/${everyday}/transfermultiple`
const payments = `/za/pb/v1/accounts/${everyday}/paymultiple`
const transactions = `/za/pb/v1/accounts/${everyday}/transactions`
const card = '/za/v1/cards/700615'
const nomsa = 'MTAxODc2NTQzMjAwMDE='
const item = { beneficiaryAccountId: savings, amount: '1.00', myReference: 'a', theirReference: 'b' }
const payment = { beneficiaryId: nomsa, amount: '1.00', myReference: 'a', theirReference: 'b' }
const capital = { BeneficiaryAccountId: savings, Amount: '1.00', MyReference: 'a', TheirReference: 'b' }
const code = 'const beforeTransaction = async () => true'

type Case = readonly [method: string, path: string, body: object | undefined, warnings: readonly string[]]

// Each deviation, and the codes and pointers of its warnings.
const cases: readonly Case[] = [
  ['POST', transfers, { transferList: [item], dryRun: true }, ['unknown-field /dryRun']],
  ['POST', transfers, { transferList: [{ ...item, 'a/b~c': 1 }] }, ['unknown-field /transferList/0/a~1b~0c']],
  ['POST', transfers, { TransferList: [item] }, ['field-case /TransferList']],
  [
    'POST',
    transfers,
    { TransferList: [capital] },
    [
      'field-case /TransferList',
      ...Object.keys(capital).map((name) => `field-case /TransferList/0/${name}`),
    ],
  ],
  ['POST', transfers, { transferList: [item], TransferList: 'x' }, ['field-case /TransferList']],
  ['POST', payments, { paymentList: [{ ...payment, fasterPayment: null }] }, ['null-field /paymentList/0/fasterPayment']],
  ['POST', `${card}/code/execute`, { simulationCode: code }, ['field-case /simulationCode']],
  ['POST', `${card}/code/execute`, { simulationcode: code, centsAmount: null }, ['null-field /centsAmount']],
  ['POST', `${card}/toggle-programmable-feature`, { enabled: true }, ['field-case /enabled']],
  ['GET', `${transactions}?includePending=True`, undefined, ['value-form /includePending']],
  ['GET', `${transactions}?fromDate=2026-03-01T00:00:00.000Z`, undefined, ['value-form /fromDate']],
  ['GET', `${transactions}?fromDate=20260301`, undefined, ['value-form /fromDate']],
  ['GET', `${transactions}?fromDate=2026-060`, undefined, ['value-form /fromDate']],
  ['GET', `${transactions}?fromDate=2026-W10-1T08:00`, undefined, ['value-form /fromDate']],
  ['GET', `${transactions}?FromDate=2026-03-01`, undefined, ['field-case /FromDate']],
  ['GET', `${transactions}?fromDate=&toDate=`, undefined, ['empty-parameter /fromDate', 'empty-parameter /toDate']],
  ['GET', `${transactions}?from=2026-03-01`, undefined, ['unknown-parameter /from']],
  ['GET', '/za/pb/v1/accounts?page=1', undefined, ['unknown-parameter /page']],
  ['GET', '/za/pb/v1/accounts/', undefined, ['path-form /']],
  ['GET', '/ZA/pb/v1/Accounts', undefined, ['path-form /']],
  ['GET', `/za/pb/v1/accounts/${everyday}/Balance/`, undefined, ['path-form /']],
] // prettier-ignore

const shown = (warnings: readonly Warning[] = []): string[] =>
  warnings.map(({ code, path }) => `${code} ${path}`)

test.each(cases)('%s %s %j is accepted with a warning', async (method, path, body, warnings) => {
  const client = await Client.of(sandboxAt())
  const answer = await client.call(method, path, body)
  expect([answer.status, answer.json.detail]).toEqual([200, undefined])
  expect(shown(answer.warnings)).toEqual(warnings)
  const { json } = await client.control('GET', 'requests')
  expect(json.requests.at(-1)).toMatchObject({ warnings: answer.warnings, problem: null })
  await client.sandbox.close()
})

test.each(cases)('%s %s %j is refused by strict, which names each deviation', async (...[method, path, body, warnings]) => {
  const client = await Client.of(sandboxAt(testMs, { strict: true }))
  const { status, json } = await client.call(method, path, body)
  expect([status, json.type]).toEqual([400, 'urn:sandbox-server:problem:invalid-request'])
  const paths = json.errors.map((error: Warning) => error.path)
  expect(paths.slice(0, warnings.length)).toEqual(warnings.map((text) => text.split(' ')[1]))
  await client.sandbox.close()
}) // prettier-ignore

test('strict names what was meant', async () => {
  const client = await Client.of(sandboxAt(testMs, { strict: true }))
  const { json } = await client.post(transfers, { transferLst: [item] })
  expect(json.errors).toEqual([
    { path: '/transferLst', message: 'is not a known field; did you mean transferList?' },
    { path: '/transferList', message: 'is missing; you sent "transferLst"' },
  ])
  const query = await client.get(`${transactions}?fromdat=2026-01-01&colour=blue`)
  expect(query.json.errors).toEqual([
    { path: '/fromdat', message: 'is not a parameter of this endpoint; did you mean fromDate?' },
    {
      path: '/colour',
      message: expect.stringMatching(
        /^is not a parameter of this endpoint; known are fromDate, toDate, transactionType, /,
      ) as unknown,
    },
  ])
})

test('without strict a missing field names what was sent for it, in any depth', async () => {
  const client = await Client.of(sandboxAt())
  expect((await client.post(transfers, { transferLst: [item] })).json.errors).toEqual([
    { path: '/transferList', message: 'is missing; you sent "transferLst"' },
  ])
  const { amount, ...others } = item
  expect(
    (await client.post(transfers, { TransferList: [{ ...others, amuont: amount }] })).json.errors,
  ).toEqual([{ path: '/TransferList/0/amount', message: 'is missing; you sent "amuont"' }])
})

test('the control API refuses parameters that it does not have, and changes nothing', async () => {
  const client = await Client.of(sandboxAt())
  await client.control('PUT', 'settings', { pageSize: 7 })
  const refused = await client.control('POST', 'reset?workspce=other')
  expect([refused.status, refused.json.errors]).toEqual([
    400,
    [
      {
        path: '/workspce',
        message: 'is not a parameter of this endpoint; did you mean workspace?',
      },
    ],
  ])
  expect((await client.control('GET', 'settings')).json.pageSize).toBe(7)
  const found = (await client.control('GET', 'requests?methd=GET&colour=blue')).json.errors as InputError[]
  expect(found.map(({ path, message }) => `${path} ${message}`)).toEqual([
    '/methd is not a parameter of this endpoint; did you mean method?',
    expect.stringMatching(/^\/colour is not a parameter of this endpoint; known are .*method, .*workspace$/),
  ])
  expect((await client.control('GET', 'requests?method=GET&workspace=default')).status).toBe(200)
})

test('the control API names what was meant, or all that is known', async () => {
  const client = await Client.of(sandboxAt())
  const body = { strct: true, colour: 1, size: 2, rateLimit: { request: 5, per: 'PT1M' } }
  const { errors } = (await client.control('PUT', 'settings', body)).json as { errors: InputError[] }
  expect(errors.map(({ path, message }) => `${path} ${message}`)).toEqual([
    '/strct is not a known field; did you mean strict?',
    expect.stringMatching(/^\/colour is not a known field; known are strict, .*pageSize, /),
    '/size is not a known field',
    '/rateLimit/requests is missing',
    '/rateLimit/request is not a known field; did you mean requests?',
  ])
})

// What the service is known to accept is no deviation, also with `strict`.
test.each<readonly [string, string, object | undefined]>([
  ['GET', '/za//pb/v1/accounts', undefined],
  ['POST', transfers, { transferList: [{ ...item, amount: 1 }] }],
  ['POST', transfers, { transferList: [item], profileId: null }],
  ['POST', `${card}/code/execute`, { simulationcode: code, centsAmount: 0 }],
  ['POST', `${card}/code/execute`, { simulationcode: code, merchantCode: '5462', currencyCode: 'ZAR' }],
  ['POST', `${card}/publish`, { code: '' }],
  ['POST', `${card}/environmentvariables`, { variables: { simulationCode: 'x', Variables: 'y' } }],
])('%s %s %j is no deviation', async (method, path, body) => {
  const client = await Client.of(sandboxAt(testMs, { strict: true }))
  const { status, warnings } = await client.call(method, path, body)
  expect([status, warnings]).toEqual([200, undefined])
  await client.sandbox.close()
})

test('two other spellings of one field are refused, and nothing moves', async () => {
  const client = await Client.of(sandboxAt())
  const before = await client.data(`/za/pb/v1/accounts/${everyday}/balance`)
  const { status, json } = await client.post(transfers, { TransferList: [item], transferlist: [item] })
  expect([status, json.errors.map(({ path }: Warning) => path)]).toEqual([
    400,
    ['/TransferList', '/transferlist', '/transferList'],
  ])
  expect(await client.data(`/za/pb/v1/accounts/${everyday}/balance`)).toEqual(before)
})

test('a date with a time counts by its written date', async () => {
  const client = await Client.of(sandboxAt())
  const rows = await client.data(`${transactions}?fromDate=2026-03-02&toDate=2026-03-02`)
  for (const time of ['T00:00:00%2B14:00', 'T23:59:59-12:00', 'T23:59:59.9999999Z', 'T00:00:00+02:00'])
    expect(await client.data(`${transactions}?fromDate=2026-03-02${time}&toDate=2026-03-02${time}`)).toEqual(
      rows,
    )
})

test('keys under variables are data: their letter case is kept, and two spellings are two variables', async () => {
  const client = await Client.of(sandboxAt())
  const variables = { Key: '1', KEY: '2', key: '3', null: 'x' }
  const { json, warnings } = await client.post(`${card}/environmentvariables`, { Variables: variables })
  expect([json.data.result.variables, shown(warnings)]).toEqual([variables, ['field-case /Variables']])
})

test('control paths match exactly, and control bodies are not converted', async () => {
  const { sandbox, control } = await Client.of(sandboxAt()).then((client) => ({
    sandbox: client.sandbox,
    control: client.control.bind(client),
  }))
  for (const path of ['/_sandbox/settings/', '/_sandbox/Settings', '/_Sandbox/settings'])
    expect((await sandbox.handle({ method: 'GET', path })).status).toBe(404)
  expect((await control('PUT', 'settings', { PageSize: 3 })).json.errors).toEqual([
    { path: '/PageSize', message: 'is not a known field; did you mean pageSize?' },
  ])
})

test('faults, filters and verification match the canonical path; the journal keeps the path as sent, too', async () => {
  const client = await Client.of(sandboxAt())
  await client.control('POST', 'faults', { match: { path: '/za/pb/v1/accounts' }, fault: { status: 503 } })
  expect((await client.get('/ZA//pb/v1/Accounts/?x=1')).status).toBe(503)
  const { json } = await client.control('GET', 'requests?path=/za/pb/v1/accounts')
  expect(json.requests).toMatchObject([
    { path: '/za/pb/v1/accounts', pathAsSent: '/ZA//pb/v1/Accounts/', query: { x: '1' } },
  ])
  const verified = await client.control('POST', 'requests/verify', { match: { path: '/za/pb/v1/accounts' } })
  expect(verified.json.matched).toBe(1)
})

test('events carry the warnings and why a call was refused', async () => {
  const client = await Client.of(sandboxAt())
  const events = client.sandbox.main.events.listen(['call'])
  await events.next()
  await client.get('/za/pb/v1/accounts?x=1')
  expect((await events.next()).value).toContain('"warnings":[{"code":"unknown-parameter","path":"/x"')
  await client.get('/za/pb/v1/accounts/1/balance')
  expect((await events.next()).value).toContain('"problem":{"code":"unknown-account","detail":"')
})

test('bringing a body into form keeps declared data and takes time in proportion to it', async () => {
  const client = await Client.of(sandboxAt())
  const fields = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`f${index}`, index]))
  const { status, warnings } = await client.post(transfers, { ...fields, transferList: [item] })
  expect([status, warnings!.length]).toEqual([200, 100])
})

test('a body in any spelling does what the declared one does', async () => {
  const client = await Client.of(sandboxAt())
  const spellings = fc.array(fc.boolean(), { minLength: 20, maxLength: 20 })
  const name = (text: string, upper: readonly boolean[]): string =>
    Array.from(text, (each, index) => (upper[index] ? each.toUpperCase() : each.toLowerCase())).join('')
  await fc.assert(
    fc.asyncProperty(spellings, async (upper) => {
      const spelled = Object.fromEntries(
        Object.entries(item).map(([field, value]) => [name(field, upper), value]),
      )
      const { status, json } = await client.post(transfers, { [name('transferList', upper)]: [spelled] })
      expect([status, json.data.ErrorMessage]).toEqual([200, null])
    }),
    { numRuns: 100 },
  )
})
