// Each shipped scenario fulfils its purpose, and scenarios are switched at run time.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { Sandbox } from '../src/sandbox/sandbox.js'
import { loadScenario, scenarioNames } from '../src/scenario/scenario.js'
import { Client, everyday, savings, sandboxAt } from './client.js'
import { business, card, otherCard, plainCard } from './ids.js'

const run = promisify(execFile)
const accounts = '/za/pb/v1/accounts'

const start = async (scenario: string): Promise<Client> => Client.of(await Sandbox.create({ scenario }))

const rows = async (client: Client, accountId = everyday, query = '') =>
  (await client.get(`${accounts}/${accountId}/transactions${query}`)).json.data.transactions as {
    description: string
    transactionType: string | null
    postingDate: string
    amount: number
  }[]

interface Row {
  description: string
  type: string
  postingDate: string
  amount: number
  runningBalance: number
}

const balanceOf = async (client: Client, accountId = everyday) =>
  (await client.get(`${accounts}/${accountId}/balance`)).json.data

const pay = (client: Client, accountId: string, amount: string) =>
  client.post(`${accounts}/${accountId}/paymultiple`, {
    paymentList: [{ beneficiaryId: 'MTAxODc2NTQzMjAwMDE=', amount, myReference: 'a', theirReference: 'b' }],
  })

test('default: the household continues with the clock of the machine', async () => {
  const client = await start('default')
  expect((await client.get(accounts)).json.data.accounts).toHaveLength(5)
  expect((await client.control('GET', 'clock')).json.frozen).toBe(false)
})

test('empty: one account without rows or money, and no beneficiaries', async () => {
  const client = await start('empty')
  expect((await client.get(accounts)).json.data.accounts).toHaveLength(1)
  expect(await rows(client)).toEqual([])
  expect(await balanceOf(client)).toMatchObject({ currentBalance: 0, availableBalance: 0 })
  expect((await client.get('/za/v1/cards')).json.data.cards).toEqual([])
  expect((await client.get(`${accounts}/beneficiaries`)).json.data).toEqual([])
})

test('payday: the salary comes when the clock is moved on', async () => {
  const client = await start('payday')
  const isSalary = ({ description, postingDate }: { description: string; postingDate: string }) =>
    description.startsWith('SALARY') && postingDate === '2026-03-25'
  expect((await rows(client)).some(isSalary)).toBe(false)
  await client.control('POST', 'clock', { advance: 'PT3H' })
  expect((await rows(await Client.of(client.sandbox))).some(isSalary)).toBe(true)
})

test('overdrawn: a payment above the available amount is refused, a small one is made', async () => {
  const client = await start('overdrawn')
  expect(await balanceOf(client)).toMatchObject({ currentBalance: -14200, availableBalance: 800 })
  expect((await pay(client, everyday, '801.00')).json.data.ErrorMessage).not.toBeNull()
  expect((await pay(client, everyday, '800.00')).json.data.ErrorMessage).toBeNull()
  expect(await balanceOf(client)).toMatchObject({ currentBalance: -15000, availableBalance: 0 })
})

test('savings-only: rows without a transaction type', async () => {
  const client = await start('savings-only')
  const { data } = (await client.get(accounts)).json
  expect(data.accounts.map(({ accountId }: { accountId: string }) => accountId)).toEqual([savings])
  const all = await rows(client, savings)
  expect(all.length).toBeGreaterThan(0)
  expect(all.every(({ transactionType }) => transactionType === null)).toBe(true)
})

test('money-market: an account that earns interest, is paid into each month and pays tax twice a year', async () => {
  const client = await start('money-market')
  const reserve = '4675778129910189600000008'
  const { data } = (await client.get(accounts)).json
  expect(data.accounts).toHaveLength(6)
  expect(data.accounts.at(-1)).toMatchObject({
    accountId: reserve,
    accountNumber: '1100987654321',
    referenceName: 'Reserve',
    productName: 'Money Market',
    profileId: '10163536499021',
  })
  const all = (await rows(client, reserve, '?fromDate=2025-01-01')) as unknown as Row[]
  const named = (text: string) => all.filter(({ description }) => description === text)
  expect(all.length).toBe(named('BALANCE BROUGHT FORWARD').length + 13 + 13 + 3 + 1)
  const interest = named('CREDIT INTEREST')
  expect(interest).toHaveLength(13)
  for (const { type, amount, runningBalance, postingDate } of interest) {
    expect(type).toBe('CREDIT')
    expect(new Date(Date.parse(postingDate) + 86_400_000).getUTCDate()).toBe(1)
    // 7.8 % a year, of the month.
    expect(amount / runningBalance).toBeGreaterThan(0.0055)
    expect(amount / runningBalance).toBeLessThan(0.0068)
  }
  expect(named('TRANSFER FROM BUSINESS').map(({ amount }) => amount)).toEqual(Array<number>(13).fill(3500))
  expect(named('PROVISIONAL TAX').map(({ type, postingDate }) => [type, postingDate])).toEqual([
    ['DEBIT', '2025-02-25'],
    ['DEBIT', '2025-08-25'],
    ['DEBIT', '2026-02-25'],
  ])
  expect(named('DIRECTORS DIVIDEND').map(({ postingDate }) => postingDate)).toEqual(['2025-12-05'])
  // The amount moves from one account to the other, and the rest of the bank is that of the default scenario.
  const paid = await rows(client, business, '?fromDate=2025-01-01')
  expect(paid.filter(({ description }) => description === 'SURPLUS TO RESERVE')).toHaveLength(13)
  const usual = await Client.of(await Sandbox.create({ nowMs: Date.parse('2026-03-25T08:00:00Z') }))
  expect(await rows(client, savings)).toEqual(await rows(usual, savings))
  const before = all.at(-1)!.runningBalance
  await client.control('POST', 'clock', { advance: 'P7D' })
  const later = (await rows(await Client.of(client.sandbox), reserve)) as unknown as Row[]
  expect(later.slice(-2).map(({ description }) => description)).toEqual([
    'TRANSFER FROM BUSINESS',
    'CREDIT INTEREST',
  ])
  expect(later.at(-1)!.runningBalance).toBeGreaterThan(before + 3500)
})

test('family-cards: a limit in code, a rule for groceries, a blocked card', async () => {
  const client = await start('family-cards')
  const buy = async (cardKey: string, centsAmount: number, categoryCode: string) => {
    const merchant = { name: 'Shop', city: 'Cape Town', countryCode: 'ZA', categoryCode }
    const body = { centsAmount, currencyCode: 'zar', merchant }
    return (await client.control('POST', `cards/${cardKey}/transactions`, body)).json
  }
  try {
    expect(await buy(card, 150_000, '5812')).toMatchObject({ decision: 'approved' })
    const above = await buy(card, 150_001, '5812')
    expect(above).toMatchObject({ decision: 'declined', reason: 'declined-by-code' })
    expect(JSON.stringify(above.executions)).toContain('above the family limit')
    expect(await buy(otherCard, 5000, '5411')).toMatchObject({ decision: 'approved' })
    expect(await buy(otherCard, 5000, '5812')).toMatchObject({ decision: 'declined' })
    expect(await buy(plainCard, 5000, '5411')).toMatchObject({ decision: 'declined' })
  } finally {
    await client.sandbox.close()
  }
})

test('needs-authorisers: a payment from the business waits', async () => {
  const client = await start('needs-authorisers')
  const before = await balanceOf(client, business)
  const { beneficiaryId } = (
    await client.get(`/za/pb/v1/profiles/10163536499021/accounts/${business}/beneficiaries`)
  ).json.data[0]
  const setup = `/za/pb/v1/profiles/10163536499021/accounts/${business}/authorisationsetupdetails`
  const { authorisersListA, authorisersListB } = (await client.get(setup)).json.data
  const payment = {
    beneficiaryId,
    amount: '10.00',
    myReference: 'a',
    theirReference: 'b',
    authoriserAId: authorisersListA[0].authoriserId,
    authoriserBId: authorisersListB[0].authoriserId,
  }
  const paid = await client.post(`${accounts}/${business}/paymultiple`, { paymentList: [payment] })
  expect(paid.json.data.TransferResponses[0].AuthorisationRequired).toBe(true)
  expect((await balanceOf(client, business)).currentBalance).toBe(before.currentBalance)
})

test('rate-limited: the eleventh request of a minute is refused', async () => {
  const client = await start('rate-limited')
  const statuses: number[] = []
  for (let i = 0; i < 11; i++) statuses.push((await client.get(accounts)).status)
  expect(statuses).toEqual([...Array<number>(10).fill(200), 429])
})

test('flaky: some calls fail, some lose their connection, always the same ones', async () => {
  const outcomes = async () => {
    const client = await start('flaky')
    const seen: string[] = []
    for (let i = 0; i < 200; i++) {
      const { status, disturbance } = await client.get(accounts)
      seen.push(disturbance ?? String(status))
    }
    return seen
  }
  const first = await outcomes()
  expect(new Set(first)).toEqual(new Set(['200', '500', 'reset']))
  expect(await outcomes()).toEqual(first)
})

test('expired-token: the fourth call is refused until there is a new token', async () => {
  const client = await start('expired-token')
  const statuses: number[] = []
  for (let i = 0; i < 5; i++) statuses.push((await client.get(accounts)).status)
  expect(statuses).toEqual([200, 200, 200, 401, 401])
  expect((await (await Client.of(client.sandbox)).get(accounts)).status).toBe(200)
})

test('many-transactions: 100,000 rows in pages', async () => {
  const client = await start('many-transactions')
  const path = `${accounts}/${everyday}/transactions?fromDate=2025-01-01`
  const first = await client.get(path)
  expect(first.json.meta.totalPages).toBe(200)
  expect(first.json.data.transactions).toHaveLength(500)
  const last = (await client.get(`${path}&page=200`)).json.data.transactions
  expect(last.at(-1)).toMatchObject({ postedOrder: 100_000 })
  expect((await balanceOf(client)).currentBalance).toBe(last.at(-1).runningBalance)
})

test('month-end: charges and interest within the hour, then the timeline', async () => {
  const client = await start('month-end')
  const evening = async (fresh: Client) =>
    (await rows(fresh, everyday, '?fromDate=2026-03-31')).map(({ description }) => description)
  expect(await evening(client)).not.toContain('MONTHLY SERVICE CHARGE')
  await client.control('POST', 'clock', { advance: 'PT1H' })
  const fresh = await Client.of(client.sandbox)
  expect(await evening(fresh)).toContain('MONTHLY SERVICE CHARGE')
  const pending = (await fresh.get(`${accounts}/${everyday}/pending-transactions`)).json.data.transactions
  expect(JSON.stringify(pending)).toContain('Late Night Pharmacy')
  await client.control('POST', 'clock', { advance: 'PT12H' })
  const late = await rows(await Client.of(client.sandbox), business)
  expect(late.at(-1)).toMatchObject({
    description: 'INV 2203 PAID LATE',
    amount: 48_250,
    postingDate: '2026-04-01',
  })
})

test('every shipped scenario is named like its file, and resets to its start', async () => {
  for (const name of scenarioNames()) {
    expect((await loadScenario(name)).name).toBe(name)
    if (name === 'default') continue
    const client = await start(name)
    const before = JSON.stringify((await client.sandbox.main.open()).state)
    await client.control('POST', 'clock', { advance: 'P40D' })
    expect(JSON.stringify(client.sandbox.main.bank!.state)).not.toBe(before)
    await client.control('POST', 'reset')
    expect(JSON.stringify(client.sandbox.main.bank!.state)).toBe(before)
    expect((await Client.of(client.sandbox)).token).toBe(client.token)
  }
})

test('a timeline turns faults on and off, changes settings, blocks cards and ends tokens, in the order of time', async () => {
  const scenario = {
    name: 'busy',
    description: 'A busy day.',
    clock: { now: '2026-03-25T08:00:00Z' },
    timeline: [
      { after: 'PT2H', clearFaults: true },
      { after: 'PT1H', fault: { match: { path: '/za/**' }, fault: { status: 503 } } },
      { after: 'PT3H', settings: { pageSize: 7 } },
      { after: 'PT3H', cardStatus: { cardKey: card, status: 'Blocked' } },
      { after: 'P1D', expireTokens: true },
      { after: 'PT0S', entry: { accountId: everyday, amount: -12.34, description: 'AT ONCE' } },
    ],
  }
  const client = await Client.of(sandboxAt())
  expect((await client.control('POST', 'scenario', { scenario })).status).toBe(200)
  const at = async (advance: string) => {
    await client.control('POST', 'clock', { advance })
    return Client.of(client.sandbox)
  }
  expect((await rows(await at('PT1S'))).at(-1)).toMatchObject({ description: 'AT ONCE', amount: 12.34 })
  expect((await (await at('PT1H')).get(accounts)).status).toBe(503)
  expect((await (await at('PT1H')).get(accounts)).status).toBe(200)
  const later = await at('PT1H')
  expect(await rows(later)).toHaveLength(7)
  const { cards } = (await later.get('/za/v1/cards')).json.data
  expect(cards.find(({ CardKey }: { CardKey: string }) => CardKey === card).Status).toBe('Blocked')
  await client.control('POST', 'reset')
  const again = await Client.of(client.sandbox)
  expect((await rows(again)).at(-1)).toMatchObject({ description: 'AT ONCE' })
  expect((await rows(again)).length).toBeGreaterThan(7)
})

test('a scenario is switched at run time, by name or inline, and in a workspace', async () => {
  const client = await Client.of(sandboxAt())
  const switched = await client.control('POST', 'scenario', { scenario: 'overdrawn' })
  expect(switched.json).toMatchObject({ scenario: 'overdrawn', seed: 1 })
  expect((await client.get(accounts)).status).toBe(401)
  expect((await balanceOf(await Client.of(client.sandbox))).currentBalance).toBe(-14200)
  const made = await client.control('POST', 'workspaces', { name: 'w', scenario: 'empty' })
  const other = await Client.of(client.sandbox, made.json, 'w')
  expect((await other.get(accounts)).json.data.accounts).toHaveLength(1)
  const rich = {
    name: 'rich',
    description: 'Much money.',
    accounts: [{ accountId: everyday, balance: 1_000_000.01 }],
    credentials: [
      {
        clientId: 'me',
        clientSecret: 'mine',
        apiKeys: [{ key: 'k', alias: 'All', accounts: 'all', permissions: ['accounts', 'balances'] }],
      },
    ],
  }
  expect((await client.control('POST', 'scenario', { scenario: rich })).json).toMatchObject({
    clientId: 'me',
    apiKey: 'k',
  })
  const me = await Client.of(client.sandbox, { clientId: 'me', clientSecret: 'mine', apiKey: 'k' })
  expect((await balanceOf(me)).currentBalance).toBe(1_000_000.01)
  const listed = await client.control('GET', 'scenarios')
  expect(listed.json.scenarios).toHaveLength(scenarioNames().length)
})

test('the JSON Schemas of scenarios, test files and fixtures are up to date', async () => {
  await run(process.execPath, ['scripts/schemas.mjs', '--check'])
})
