import { expect, test } from '@jest/globals'
import { profile } from '../../test/ids.js'
import { neverPaid } from '../bank/payments/beneficiaries.js'
import { accountIds, Client, everyday, sandboxAt, savings } from '../../test/client.js'
import type { Account, Balance, Transaction } from '../bank/records.js'
import { fixtures } from '../household/fixtures.js'

const nowMs = Date.parse('2026-03-15T08:00:00Z')
const business = accountIds[4]
const list = '/za/pb/v1/accounts'
const transactions = `${list}/${everyday}/transactions`

const open = () => Client.of(sandboxAt(nowMs))

const rowsOf = async (client: Client, query = '', account: string = everyday) =>
  (await client.data<{ transactions: Transaction[] }>(`${list}/${account}/transactions${query}`)).transactions

interface ProblemJson {
  readonly type: string
  readonly instance: string
  readonly errors?: readonly { readonly path: string; readonly message: string }[]
}

const cents = (rand: number): number => Math.round(rand * 100)

test('the list is the fixtures in the order of the fixtures, in the documented envelope', async () => {
  const client = await open()
  const { status, headers, json } = await client.get(list)
  const profileNames = new Map(fixtures().profiles.map((each) => [each.profileId, each.profileName]))
  const accounts = fixtures().accounts.map((each) => ({
    accountId: each.accountId,
    accountNumber: each.accountNumber,
    accountName: each.accountName,
    referenceName: each.referenceName,
    productName: each.productName,
    kycCompliant: true,
    profileId: each.profileId,
    profileName: profileNames.get(each.profileId),
  }))
  expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  expect(json).toEqual({
    data: { accounts },
    links: { self: `http://localhost${list}` },
    meta: { totalPages: 1 },
  })
})

test('links.self is the requested address with its query', async () => {
  const { sandbox, token } = await open()
  const ask = async (path: string, origin: string) => {
    const headers = { authorization: `Bearer ${token}` }
    const { body } = await sandbox.handle({ method: 'GET', path, headers, origin })
    return (JSON.parse(Buffer.from(body).toString()) as { links: { self: string } }).links.self
  }
  const path = `//za//pb/v1/accounts/${everyday}/transactions?fromDate=2026-03-01&x=%22`
  expect(await ask(path, 'http://bank.test:3300')).toBe(`http://bank.test:3300${path}`)
})

test('every balance is the sum of its rows and the last running balance', async () => {
  const client = await open()
  for (const accountId of accountIds) {
    const rows = await rowsOf(client, '?fromDate=2000-01-01', accountId)
    const pending = await client.data<{ transactions: { type: string; amount: number }[] }>(
      `${list}/${accountId}/pending-transactions`,
    )
    const balance = await client.data<Balance>(`${list}/${accountId}/balance`)
    let sum = 0
    rows.forEach((row, index) => {
      sum += row.type === 'CREDIT' ? cents(row.amount) : -cents(row.amount)
      expect([cents(row.runningBalance), row.postedOrder]).toEqual([sum, index + 1])
    })
    const held = pending.transactions.reduce((total, { amount }) => total + cents(amount), 0)
    const { overdraftCents } = fixtures().accounts.find((each) => each.accountId === accountId)!
    const current = rows.at(-1)!.runningBalance
    expect(balance).toEqual({
      accountId,
      currentBalance: current,
      availableBalance: (sum + overdraftCents - held) / 100,
      budgetBalance: 0,
      straightBalance: current,
      cashBalance: (sum + overdraftCents - held) / 100,
      currency: 'ZAR',
    })
  }
})

test('rows have exactly the documented fields and formats', async () => {
  for (const row of await rowsOf(await open())) {
    expect(Object.keys(row)).toEqual([
      'accountId',
      'type',
      'transactionType',
      'status',
      'description',
      'cardNumber',
      'postedOrder',
      'postingDate',
      'valueDate',
      'actionDate',
      'transactionDate',
      'amount',
      'runningBalance',
      'uuid',
    ])
    expect(row.amount).toBeGreaterThan(0)
    expect(row.status).toBe('POSTED')
    expect(row.uuid).toBe(
      `00003${row.postingDate!.replaceAll('-', '')}${String(row.postedOrder).padStart(7, '0')}`,
    )
    expect(row.cardNumber).toMatch(row.transactionType === 'CardPurchases' ? /^402167xxxxxx\d{4}$/ : /^$/)
  }
})

test('without dates it is the last 180 days up to today', async () => {
  const client = await open()
  const rows = await rowsOf(client)
  expect(rows.length).toBeGreaterThanOrEqual(500)
  expect(rows).toEqual(await rowsOf(client, '?fromDate=2025-09-16&toDate=2026-03-15'))
  const wider = await rowsOf(client, '?fromDate=2025-09-15')
  expect(wider.length).toBeGreaterThan(rows.length)
  expect(wider.filter(({ postingDate }) => postingDate! > '2025-09-15')).toEqual(rows)
})

test('both ends of a range count', async () => {
  const client = await open()
  const all = await rowsOf(client, '?fromDate=2000-01-01&toDate=2999-12-31')
  const between = (from: string, to: string) =>
    all.filter(({ postingDate }) => postingDate! >= from && postingDate! <= to)
  for (const [from, to] of [
    ['2026-02-25', '2026-02-25'],
    ['2026-02-01', '2026-02-28'],
    ['2025-12-31', '2026-01-01'],
    ['0000-01-01', '2025-02-01'],
    ['2026-03-15', '9999-12-31'],
  ] as const)
    expect(await rowsOf(client, `?fromDate=${from}&toDate=${to}`)).toEqual(between(from, to))
  expect(await rowsOf(client, '?fromDate=1990-01-01&toDate=1990-12-31')).toEqual([])
  expect(await rowsOf(client, '?toDate=2020-01-01')).toEqual([])
  expect(await rowsOf(client, '?toDate=2026-03-01')).toEqual(between('2025-09-16', '2026-03-01'))
})

test('a type selects its rows, an unknown type selects none', async () => {
  const client = await open()
  const all = await rowsOf(client)
  for (const type of ['CardPurchases', 'FeesAndInterest', 'BudgetInstalments']) {
    const rows = await rowsOf(client, `?transactionType=${type}`)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows).toEqual(all.filter(({ transactionType }) => transactionType === type))
  }
  expect(await rowsOf(client, '?transactionType=')).toEqual(all)
  for (const type of ['Nothing', 'cardpurchases', 'null', '__proto__', '%F0%9F%98%80'])
    expect(await rowsOf(client, `?transactionType=${type}`)).toEqual([])
  expect(await rowsOf(client, '?transactionType=null', savings)).toEqual([])
})

test('pending rows come after the posted ones, with nulls where a posted row has its days', async () => {
  const client = await open()
  const pending = (await client.data<{ transactions: object[] }>(`${list}/${everyday}/pending-transactions`))
    .transactions as Transaction[]
  expect(pending.length).toBeGreaterThan(0)
  for (const row of pending)
    expect(Object.keys(row)).toEqual([
      'accountId',
      'type',
      'status',
      'description',
      'transactionDate',
      'amount',
    ])
  const posted = await rowsOf(client)
  const rows = await rowsOf(client, '?includePending=true')
  expect(rows.slice(0, posted.length)).toEqual(posted)
  expect(rows.slice(posted.length)).toEqual(
    pending.map((row) =>
      expect.objectContaining({
        ...row,
        transactionType: 'CardPurchases',
        cardNumber: null,
        postedOrder: 0,
        postingDate: null,
        valueDate: null,
        actionDate: null,
      }),
    ),
  )
  expect(await rowsOf(client, '?includePending=false')).toEqual(posted)
  expect(await rowsOf(client, '?includePending=true&transactionType=DebitOrders')).toEqual(
    posted.filter(({ transactionType }) => transactionType === 'DebitOrders'),
  )
})

test('without paging everything is one page', async () => {
  const client = await open()
  const all = await rowsOf(client, '')
  expect(all.length).toBeGreaterThan(0)
  expect(await rowsOf(client, '?page=1')).toEqual(all)
  for (const query of ['?page=2', '?page=2&includePending=true', '?page=3&transactionType=Deposits']) {
    const { json } = await client.get(`${transactions}${query}`)
    expect(json).toMatchObject({ data: { transactions: [] }, meta: { totalPages: 1 } })
  }
})

test('pages hold all rows once, a page past the end is empty', async () => {
  const client = await open()
  const all = await rowsOf(client, '?includePending=true')
  const { sandbox } = client
  sandbox.main.settings = { ...sandbox.main.settings, pageSize: 100 }
  const pages = Math.ceil(all.length / 100)
  const found: Transaction[] = []
  for (let page = 1; page <= pages; page++) {
    const { json } = await client.get(`${transactions}?includePending=true&page=${page}`)
    const { data, meta } = json as { data: { transactions: Transaction[] }; meta: { totalPages: number } }
    expect(meta.totalPages).toBe(pages)
    found.push(...data.transactions)
  }
  expect(found).toEqual(all)
  expect(await rowsOf(client, '?includePending=true')).toEqual(all.slice(0, 100))
  expect(await rowsOf(client, `?includePending=true&page=${pages + 1}`)).toEqual([])
  expect(await rowsOf(client, '?page=999999999')).toEqual([])
})

const refused: readonly (readonly [query: string, paths: readonly string[]])[] = [
  ['fromDate=2026-03-02&toDate=2026-03-01', ['/fromDate']],
  ['fromDate=2026-03-16', ['/fromDate']],
  ['fromDate=2026-02-30', ['/fromDate']],
  ['fromDate=2025-02-29', ['/fromDate']],
  ['fromDate=-2026-01-01', ['/fromDate']],
  ['fromDate=2026-1-1', ['/fromDate']],
  ['fromDate=01/03/2026', ['/fromDate']],
  ['fromDate=2026-02-30T00:00:00Z', ['/fromDate']],
  ['fromDate=2026-03-01T', ['/fromDate']],
  ['fromDate=99999-01-01', ['/fromDate']],
  ['fromDate=%00', ['/fromDate']],
  ['fromDate=%zz', ['/fromDate']],
  ['fromDate=2026-03-01&fromDate=2026-03-02', ['/fromDate']],
  ['transactionType=a&transactionType=b', ['/transactionType']],
  ['includePending=yes', ['/includePending']],
  ['includePending=TRUES', ['/includePending']],
  ['page=0', ['/page']],
  ['page=-1', ['/page']],
  ['page=1.5', ['/page']],
  ['page=1e1', ['/page']],
  ['page=9999999999', ['/page']],
  [
    'fromDate=x&toDate=2026-13-01&includePending=1&page=a',
    ['/fromDate', '/includePending', '/page', '/toDate'],
  ],
]

test.each(refused)('%s is refused with every error', async (query, paths) => {
  const { status, json } = await (await open()).get(`${transactions}?${query}`)
  const { type, errors, instance } = json as ProblemJson
  expect([status, type, instance]).toEqual([400, 'urn:sandbox-server:problem:invalid-request', transactions])
  expect(errors!.map(({ path }) => path).sort()).toEqual(paths)
})

test('unknown parameters are accepted', async () => {
  const client = await open()
  expect(await rowsOf(client, '?__proto__=1&constructor=2&x=&=&&toString=3')).toEqual(await rowsOf(client))
})

test('an unknown account is a 400 in every path', async () => {
  const client = await open()
  for (const id of [
    '1',
    '%00',
    '..',
    '%2e%2e',
    'x'.repeat(10_000),
    '__proto__',
    '%F0%9F%98%80',
    `${everyday}0`,
  ])
    for (const rest of ['balance', 'transactions', 'pending-transactions']) {
      const { status, json } = await client.get(`${list}/${id}/${rest}`)
      expect([status, (json as ProblemJson).type]).toEqual([
        400,
        'urn:sandbox-server:problem:unknown-account',
      ])
    }
})

test('an unsupported method is a 405 that lists the supported ones, and HEAD is GET', async () => {
  const client = await open()
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'get']) {
    const { status, headers } = await client.call(method, list)
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD'])
  }
  expect((await client.call('HEAD', list)).body).toBe((await client.get(list)).body)
  expect((await client.get(`${list}/x`)).status).toBe(404)
})

test('profiles contain their accounts', async () => {
  const client = await open()
  expect(await client.data('/za/pb/v1/profiles')).toEqual([
    { profileId: profile, profileName: 'Thandi and Pieter Naidoo', defaultProfile: true },
    { profileId: '10163536499021', profileName: 'Naidoo Interiors (Pty) Ltd', defaultProfile: false },
  ])
  const { accounts } = await client.data<{ accounts: Account[] }>(list)
  expect(await client.data(`/za/pb/v1/profiles/${profile}/accounts`)).toEqual(
    accounts.filter(({ profileId }) => profileId === profile),
  )
  for (const path of ['1/accounts', `1/accounts/${everyday}/beneficiaries`])
    expect((await client.get(`/za/pb/v1/profiles/${path}`)).json).toMatchObject({
      type: 'urn:sandbox-server:problem:unknown-profile',
    })
  for (const rest of ['beneficiaries', 'authorisationsetupdetails'])
    expect(
      (await client.get(`/za/pb/v1/profiles/${profile}/accounts/${business}/${rest}`)).json,
    ).toMatchObject({
      type: 'urn:sandbox-server:problem:unknown-account',
      status: 400,
    })
})

test('beneficiaries are those of the profile, without approved public ones', async () => {
  const client = await open()
  const lastPaid = ['01/03/2026', '17/01/2026', '02/03/2026', neverPaid, '28/12/2025', neverPaid]
  const shown = fixtures()
    .beneficiaries.filter(({ approvedPublic }) => !approvedPublic)
    .map((beneficiary, index) => ({ ...beneficiary, lastPaymentDate: lastPaid[index] }))
  expect(shown.length).toBeLessThan(fixtures().beneficiaries.length)
  expect(await client.data(`${list}/beneficiaries`)).toEqual(shown)
  expect(await client.data(`/za/pb/v1/profiles/${profile}/accounts/${everyday}/beneficiaries`)).toEqual(
    shown.filter(({ profileId }) => profileId === profile),
  )
})

test('categories need a profile', async () => {
  const client = await open()
  const categories = `${list}/beneficiarycategories`
  expect(await client.data(`${categories}?profileId=${profile}`)).toEqual([
    { CategoryId: '10190000000011', DefaultCategory: 'true', CategoryName: 'Not categorised' },
    { CategoryId: '10190000000012', DefaultCategory: 'false', CategoryName: 'Home and family' },
  ])
  for (const query of ['', '?profileId=', '?profileId=1&profileId=2', '?profile=1'])
    expect((await client.get(categories + query)).json).toMatchObject({
      status: 400,
      errors: [{ path: '/profileId' }],
    })
  expect((await client.get(`${categories}?profileId=1`)).json).toMatchObject({ status: 400 })
})

test('an account that needs no authorisation says so with nulls', async () => {
  const setup = `/za/pb/v1/profiles/${profile}/accounts/${everyday}/authorisationsetupdetails`
  expect(await (await open()).data(setup)).toEqual({
    numberOfAuthorisationRequired: '0',
    period: null,
    authorisersListA: null,
    authorisersListB: null,
  })
})

test('reference data come in the order of the service, without a self link', async () => {
  const client = await open()
  const read = async (name: string) => {
    const { json } = await client.get(`/za/v1/cards/${name}`)
    const { data, links } = json as { data: { result: { Code: string; Name: string }[] }; links: object }
    expect(links).toEqual({ self: null })
    return data.result
  }
  const countries = await read('countries')
  expect(countries.slice(0, 2).map(({ Code }) => Code)).toEqual(['ZA', 'GB'])
  expect(countries.at(-1)).toEqual({ Code: 'undefined', Name: 'undefined' })
  expect((await read('currencies')).slice(0, 4).map(({ Code }) => Code)).toEqual(['ZAR', 'GBP', 'USD', 'EUR'])
  expect(await read('merchants')).toContainEqual({ Code: '5462', Name: 'Bakeries' })
})
