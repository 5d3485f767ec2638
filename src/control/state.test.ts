import { expect, test } from '@jest/globals'
import { Client, everyday, sandboxAt } from '../../test/client.js'
import { savings } from '../../test/ids.js'

const accounts = '/za/pb/v1/accounts'

const payment = (amount: string) => ({
  paymentList: [{ beneficiaryId: 'MTAxODc2NTQzMjAwMDE=', amount, myReference: 'a', theirReference: 'b' }],
})

const pay = async (client: Client, amount: string) =>
  (await client.post(`${accounts}/${everyday}/paymultiple`, payment(amount))).body

test('an imported state continues exactly like the exported one', async () => {
  const client = await Client.of(sandboxAt())
  await pay(client, '10.00')
  await client.control('POST', 'faults', { match: { path: '**/x' }, fault: { status: 500 }, times: 3 })
  await client.control('POST', 'outbound/stubs', { respond: { json: 1 } })
  await client.control('PUT', 'settings', { pageSize: 3, rateLimit: { requests: 100, per: 'P1D' } })
  const { json: document } = await client.control('GET', 'state')

  const goOn = async (of: Client) => {
    const bodies = [await pay(of, '20.00'), (await of.get(`${accounts}/${everyday}/transactions`)).body]
    await of.control('POST', 'clock', { advance: 'PT20M' })
    bodies.push((await of.control('GET', 'faults')).body, (await of.control('GET', 'settings')).body)
    bodies.push((await Client.of(of.sandbox)).token, JSON.stringify((await of.control('GET', 'state')).json))
    return bodies
  }
  const before = await goOn(client)
  const put = await client.control('PUT', 'state', document)
  expect(put.json).toEqual({ restored: 'default' })
  expect((await client.control('GET', 'state')).json).toEqual(document)
  expect(await goOn(client)).toEqual(before)

  // A process with another seed and clock can import it too, and resets to its start.
  const other = new Client(sandboxAt(Date.UTC(2027, 0, 1), { seed: 99 }), client.token)
  await other.control('PUT', 'state', document)
  expect(await goOn(other)).toEqual(before)
  expect((await other.control('POST', 'reset')).json).toMatchObject({
    seed: 1,
    clock: { now: '2026-03-25T08:00:00.000Z' },
  })
})

test('a custom scenario is in the state, and reset returns to it', async () => {
  const client = await Client.of(sandboxAt())
  const scenario = {
    name: 'mine',
    description: 'Mine.',
    accounts: [{ accountId: everyday, balance: 5 }],
    timeline: [{ after: 'P1D', entry: { accountId: everyday, amount: 7, description: 'SEVEN' } }],
  }
  await client.control('POST', 'scenario', { scenario })
  await client.control('POST', 'clock', { advance: 'P2D' })
  const { json: document } = await client.control('GET', 'state')
  const other = new Client(sandboxAt(), '')
  expect((await other.control('PUT', 'state', document)).status).toBe(200)
  expect((await other.control('GET', 'state')).json).toEqual(document)
  expect((await other.control('POST', 'reset')).json.scenario).toBe('mine')
  expect(other.sandbox.main.bank!.balance(everyday).currentBalance).toBe(5)
})

test('a workspace imports the bank of another, and keeps its own credentials', async () => {
  const main = await Client.of(sandboxAt())
  await pay(main, '10.00')
  const { json: document } = await main.control('GET', 'state')
  const made = await main.control('POST', 'workspaces', { name: 'copy' })
  const copy = new Client(main.sandbox, '', 'copy')
  await copy.control('PUT', 'state', document)
  const signedIn = await Client.of(main.sandbox, made.json, 'copy')
  const balance = `${accounts}/${everyday}/balance`
  expect((await signedIn.get(balance)).json.data).toEqual((await main.get(balance)).json.data)
})

test('a state whose card transactions are in no known currency is refused', async () => {
  const client = await Client.of(sandboxAt())
  await client.control('POST', 'cards/700615/transactions', { centsAmount: 100 })
  const { json: document } = await client.control('GET', 'state')
  const text = JSON.stringify(document)
  const changed = JSON.parse(text.replace('"currencyCode":"ZAR"', '"currencyCode":"XXQ"')) as object
  const { status, json } = await client.control('PUT', 'state', changed)
  expect([status, json.errors]).toEqual([
    400,
    [{ path: '/workspaces/0/bank/cards/transactions/0/currencyCode', message: 'is not a known currency' }],
  ])
  expect(JSON.stringify((await client.control('GET', 'state')).json)).toBe(text)
})

test('an invalid state is refused with every path, and nothing changes', async () => {
  const client = await Client.of(sandboxAt())
  const { json: document } = await client.control('GET', 'state')
  const before = JSON.stringify(document)
  const [workspace] = document.workspaces
  const refuse = async (change: object, path: string) => {
    const { status, json } = await client.control('PUT', 'state', {
      ...document,
      workspaces: [{ ...workspace, ...change }],
    })
    expect([status, json.errors.map((fault: { path: string }) => fault.path)]).toEqual([
      400,
      expect.arrayContaining([path]),
    ])
    expect(JSON.stringify((await client.control('GET', 'state')).json)).toBe(before)
  }
  await refuse({ clock: 5 }, '/workspaces/0/clock')
  for (const ms of [8.64e15, -8.64e15, 1e300, Date.UTC(2201), Date.UTC(1979)]) {
    await refuse({ clock: { frozen: true, ms } }, '/workspaces/0/clock/ms')
    const clock = { frozen: true, ms }
    await refuse({ start: { ...workspace.start, clock } }, '/workspaces/0/start/clock/ms')
  }
  for (const ms of [8.64e15, -8.64e15])
    await refuse({ clock: { frozen: false, ms } }, '/workspaces/0/clock/ms')
  const { bank } = workspace
  const accounts = bank.accounts.filter((each: { accountId: string }) => each.accountId !== savings)
  const { [savings]: gone, ...books } = bank.books
  expect(gone.entries.length).toBeGreaterThan(0)
  await refuse({ bank: { ...bank, accounts, books } }, '/workspaces/0/bank/accounts')
  const cards = { ...bank.cards, cards: bank.cards.cards.slice(1) }
  await refuse({ bank: { ...bank, cards } }, '/workspaces/0/bank/cards/cards')
  await refuse({ start: { ...workspace.start, scenario: 'none' } }, '/workspaces/0/start/scenario')
  await refuse({ start: { ...workspace.start, scenario: {} } }, '/workspaces/0/start/scenario/name')
  await refuse({ bank: { ...workspace.bank, accounts: [] } }, `/workspaces/0/bank/books/${everyday}`)
  await refuse(
    { settings: { ...workspace.settings, settlement: 'soon' } },
    '/workspaces/0/settings/settlement',
  )
  await refuse({ faults: [{ id: 'f1', rule: {}, seen: 0, applied: 0 }] }, '/workspaces/0/faults/0/rule/fault')
  expect((await client.control('PUT', 'state', { ...document, version: 2 })).status).toBe(400)
  expect((await client.control('PUT', 'state', {})).status).toBe(400)
})
