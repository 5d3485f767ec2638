import { expect, test } from '@jest/globals'
import { card, CardHolder, plainCard } from '../../test/card-holder.js'
import { everyday } from '../../test/client.js'
import type { BankEvent } from '../bank/client-records.js'

const petrolOnly = `
const beforeTransaction = async (authorization) => {
  await fetch('https://api.example/limit')
  console.log('is it petrol?')
  return authorization.merchant.category.code === '5541'
}
const afterTransaction = async () => {}
const afterDecline = async () => console.log('declined')
`

async function withStub(): Promise<CardHolder> {
  const holder = await CardHolder.of()
  const respond = { status: 200, json: { ok: true }, delayMs: 300 }
  await holder.client.control('POST', 'outbound/stubs', { respond })
  return holder
}

const control = (holder: CardHolder) => (method: string, path: string, body?: object) =>
  holder.client.control(method, path, body)

test('the accounts come with their balances, which are those of the service', async () => {
  const holder = await CardHolder.of()
  await holder.buy({ centsAmount: 12_345 })
  const { json } = await control(holder)('GET', 'accounts')
  const found = json.accounts.find((each: { accountId: string }) => each.accountId === everyday)
  const service = await holder.client.data<{ currentBalance: number; availableBalance: number }>(
    `/za/pb/v1/accounts/${everyday}/balance`,
  )
  expect(found.balanceCents).toBe(Math.round(service.currentBalance * 100))
  expect(found.availableCents).toBe(Math.round(service.availableBalance * 100))
  expect(found.heldCents).toBeGreaterThanOrEqual(12_345)
  expect(found).toMatchObject({ kind: 'current', referenceName: expect.any(String) })
})

test('windows of entries, newest first, cover the whole account without a gap', async () => {
  const ask = control(await CardHolder.of())
  const orders: number[] = []
  let before: number | null = null
  let total = NaN
  do {
    const query: string = before === null ? '' : `&before=${before}`
    const { json } = await ask('GET', `accounts/${everyday}/entries?limit=700${query}`)
    orders.push(...json.entries.map((each: { postedOrder: number }) => each.postedOrder))
    ;({ before, total } = json as { before: number | null; total: number })
  } while (before !== null)
  expect(orders).toEqual(Array.from({ length: total }, (_, index) => total - index))
  expect(total).toBeGreaterThan(700)
})

test.each(['before=x', 'limit=0', 'limit=10001', 'before=-1'])(
  'a window with %s is refused',
  async (query) => {
    const ask = control(await CardHolder.of())
    const { status, json } = await ask('GET', `accounts/${everyday}/entries?${query}`)
    expect([status, json.type]).toEqual([400, 'urn:sandbox-server:problem:invalid-request'])
  },
)

test('a window before the first entry is empty', async () => {
  const ask = control(await CardHolder.of())
  const { json } = await ask('GET', `accounts/${everyday}/entries?before=0`)
  expect([json.entries, json.before]).toEqual([[], null])
})

test('a transaction shows hooks, logs, calls and no ledger rows when it was declined', async () => {
  const holder = await withStub()
  await holder.publish(petrolOnly)
  const bought = await holder.buy({
    centsAmount: 60_000,
    merchant: { name: 'Ocean Grill', categoryCode: 5812 },
  })
  const { id } = bought.json.transaction as { id: string }
  const { json } = await control(holder)('GET', `transactions/${id}`)
  expect(json.transaction).toMatchObject({ id, decision: 'declined', reason: 'declined-by-code' })
  expect(json.executions).toMatchObject([
    {
      type: 'before_transaction',
      authorizationApproved: false,
      logs: [{ content: 'is it petrol?' }],
      outbound: [{ method: 'GET', url: 'https://api.example/limit', status: 200 }],
    },
    { type: 'after_decline', logs: [{ content: 'declined' }], outbound: [] },
  ])
  expect([json.pending, json.entries]).toEqual([null, []])
  const listed = await control(holder)('GET', `cards/${card}/transactions`)
  expect(listed.json).toMatchObject({ transactions: [{ id }], total: 1 })
})

test('a transaction shows the hold, then the posted entry and its correction', async () => {
  const holder = await CardHolder.of()
  const ask = control(holder)
  const { id } = (await holder.buy({ centsAmount: 5_000 })).json.transaction as { id: string }
  expect((await ask('GET', `transactions/${id}`)).json).toMatchObject({
    pending: { id, amount: 50 },
    entries: [],
  })
  await ask('POST', `transactions/${id}/settle`)
  await ask('POST', `transactions/${id}/reverse`)
  const { json } = await ask('GET', `transactions/${id}`)
  expect(json.pending).toBeNull()
  expect(json.entries.map(({ cents }: { cents: number }) => cents)).toEqual([-5_000, 5_000])
  expect(json.transaction.status).toBe('reversed')
})

test('the newest transactions of a card come first, as many as are requested', async () => {
  const holder = await CardHolder.of()
  for (const centsAmount of [100, 200, 300]) await holder.buy({ centsAmount })
  const { json } = await control(holder)('GET', `cards/${card}/transactions?limit=2`)
  expect(json.transactions.map((each: { centsAmount: number }) => each.centsAmount)).toEqual([300, 200])
  expect(json.total).toBe(3)
})

test('the program of a card is saved, published and switched on in one call', async () => {
  const ask = control(await CardHolder.of())
  const variables = { LIMIT: '1' }
  const put = await ask('PUT', `cards/${card}/program`, {
    code: petrolOnly,
    variables,
    publish: true,
    enabled: false,
  })
  expect(put.json).toMatchObject({
    code: petrolOnly,
    publishedCode: petrolOnly,
    version: 2,
    publishedVersion: 2,
    variables,
    enabled: false,
  })
  expect((await ask('GET', `cards/${card}/program`)).json).toEqual(put.json)
  const again = await ask('PUT', `cards/${card}/program`, { code: petrolOnly })
  expect(again.json.version).toBe(2)
  const { json } = await ask('GET', `cards/${card}/versions`)
  expect(json.versions).toMatchObject([
    { version: 2, isPublished: true },
    { version: 1, isPublished: false },
  ])
  const old = await ask('PUT', `cards/${card}/program`, { codeId: json.versions[1].codeId, publish: true })
  expect(old.json).toMatchObject({ version: 2, publishedVersion: 1 })
})

test('a program that is refused changes nothing', async () => {
  const ask = control(await CardHolder.of())
  const before = (await ask('GET', `cards/${card}/program`)).json as object
  const body = { codeId: 'none', code: 'x', variables: { A: 'b' }, enabled: false }
  const { status, json } = await ask('PUT', `cards/${card}/program`, body)
  expect([status, json.type]).toEqual([400, 'urn:sandbox-server:problem:unknown-code'])
  expect((await ask('GET', `cards/${card}/program`)).json).toEqual(before)
  expect((await ask('GET', `cards/${plainCard}/program`)).json.type).toMatch(/not-programmable$/)
})

test('a draft decides with its own variables, and leaves no transaction behind', async () => {
  const holder = await CardHolder.of()
  const ask = control(holder)
  const code =
    'const beforeTransaction = async (a) => a.centsAmount <= Number(process.env.LIMIT)\nconst afterTransaction = async () => {}'
  const draft = (LIMIT: string) =>
    ask('POST', `cards/${card}/simulate`, { code, variables: { LIMIT }, centsAmount: 500 })
  expect((await draft('500')).json.decision).toBe('approved')
  const declined = (await draft('499')).json
  expect(declined.decision).toBe('declined')
  expect(declined.executions[0]).toMatchObject({ sandbox: true, outbound: [], Error: null })
  expect((await ask('GET', `cards/${card}/transactions`)).json.total).toBe(0)
  expect((await ask('GET', `cards/${card}/program`)).json.version).toBe(1)
})

test('a draft is linted against the variables of the card', async () => {
  const ask = control(await CardHolder.of())
  const code = 'const beforetransaction = async () => process.env.LIMIT\n'
  const { json } = await ask('POST', 'lint', { code, variables: {} })
  expect(json.findings).toContainEqual(
    expect.objectContaining({ severity: 'error', line: 1, message: expect.any(String) }),
  )
  expect((await ask('POST', 'lint', { code: petrolOnly, variables: {} })).json.findings).toEqual(
    expect.not.arrayContaining([expect.objectContaining({ severity: 'error' })]),
  )
})

test('going back to a checkpoint undoes a reset, another scenario, the clock and settings', async () => {
  const holder = await CardHolder.of()
  const ask = control(holder)
  const state = async () => (await ask('GET', 'state')).json as object
  await holder.buy({ centsAmount: 100 })
  const before = await state()
  const { id } = (await ask('POST', 'checkpoints', { name: 'reset' })).json as { id: string }
  await ask('PUT', 'settings', { pageSize: 3 })
  await ask('POST', 'clock', { advance: 'P40D' })
  await holder.buy({ centsAmount: 200 })
  await ask('POST', 'scenario', { scenario: 'payday' })
  expect(await state()).not.toEqual(before)
  const restored = await ask('POST', `checkpoints/${id}/restore`)
  expect(restored.json).toMatchObject({ id, name: 'reset', time: '2026-03-25T08:00:00.000Z' })
  expect(await state()).toEqual(before)
  await holder.buy({ centsAmount: 300 })
  const next = await state()
  await ask('POST', `checkpoints/${id}/restore`)
  await holder.buy({ centsAmount: 300 })
  expect(await state()).toEqual(next)
  await ask('POST', 'reset')
  await ask('POST', `checkpoints/${id}/restore`)
  expect(await state()).toEqual(before)
})

test('twenty checkpoints are stored; a dropped one is refused', async () => {
  const ask = control(await CardHolder.of())
  for (let i = 1; i <= 21; i++) await ask('POST', 'checkpoints', { name: `n${i}` })
  const { json } = await ask('GET', 'checkpoints')
  expect(json.checkpoints.map(({ name }: { name: string }) => name)).toEqual(
    Array.from({ length: 20 }, (_, index) => `n${index + 2}`),
  )
  expect((await ask('POST', 'checkpoints/c1/restore')).status).toBe(404)
  expect((await ask('DELETE', 'checkpoints/c21')).json).toEqual({ deleted: 1 })
  expect((await ask('DELETE', 'checkpoints/c21')).status).toBe(404)
})

test('upcoming events happen: entries of the calendar, settlements, in the order of time', async () => {
  const holder = await CardHolder.of()
  const ask = control(holder)
  await holder.buy({ centsAmount: 4_321 })
  const { upcoming } = (await ask('GET', 'upcoming?days=10')).json as {
    upcoming: { at: string; kind: string; accountId: string; cents: number; description: string }[]
  }
  expect(upcoming.map(({ at }) => at)).toEqual(upcoming.map(({ at }) => at).sort())
  expect(upcoming).toContainEqual(expect.objectContaining({ kind: 'settlement', cents: -4_321 }))
  const salary = upcoming.find(({ kind, cents }) => kind === 'entry' && cents > 0)!
  await ask('POST', 'clock', { advance: 'P10D' })
  const { json } = await ask('GET', `accounts/${salary.accountId}/entries`)
  expect(json.entries).toContainEqual(
    expect.objectContaining({ cents: salary.cents, description: salary.description }),
  )
})

/** The parts that a listener of the main workspace gets immediately. */
async function partsOf(holder: CardHolder, count: number, lastId?: string): Promise<string[]> {
  const listener = holder.client.sandbox.main.events.listen(undefined, lastId)
  const parts: string[] = []
  while (parts.length < count) parts.push((await listener.next()).value as string)
  await listener.return?.()
  return parts
}

const eventOf = (part: string): BankEvent & { boot?: string; seq?: number } =>
  JSON.parse(/^data: (.*)$/m.exec(part)![1]!)
const idOf = (part: string): string => /^id: (.*)$/m.exec(part)![1]!

test('events name their transaction, and each outbound call is an event', async () => {
  const holder = await withStub()
  await holder.publish(petrolOnly)
  const [hello] = await partsOf(holder, 1)
  const { boot, seq } = eventOf(hello!)
  const { json } = await holder.buy({ centsAmount: 100 })
  const { rootCodeFunctionId } = json.transaction as { rootCodeFunctionId: string }
  const told = (await partsOf(holder, 5, `${boot}:${seq}`)).slice(1).map(eventOf)
  expect(told).toMatchObject([
    { type: 'execution', hook: 'before_transaction', rootCodeFunctionId },
    { type: 'outbound', method: 'GET', url: 'https://api.example/limit', rootCodeFunctionId },
    { type: 'card-transaction', decision: 'declined', rootCodeFunctionId },
    { type: 'execution', hook: 'after_decline', rootCodeFunctionId },
  ])
})

test('a listener that reconnects gets the missed events once, and is told which are lost', async () => {
  const holder = await CardHolder.of()
  const { events } = holder.client.sandbox.main
  const [hello] = await partsOf(holder, 1)
  const { boot, seq } = eventOf(hello!) as { boot: string; seq: number }
  for (let i = 1; i <= 1500; i++) events.tell({ type: 'x', atMs: 0, i })
  const parts = await partsOf(holder, 1002, `${boot}:${seq}`)
  expect(eventOf(parts[0]!)).toMatchObject({ type: 'hello', boot, seq: seq + 1500 })
  expect(eventOf(parts[1]!)).toEqual({ type: 'lost', events: 500 })
  expect(parts.slice(2).map((part) => eventOf(part).i)).toEqual(
    Array.from({ length: 1000 }, (_, i) => 501 + i),
  )
  expect(idOf(parts.at(-1)!)).toBe(`${boot}:${seq + 1500}`)
  const none = await partsOf(holder, 1, `${boot}:${seq + 1500}`)
  expect(none).toHaveLength(1)
})

test.each(['', '7', 'other:3', ':', 'other:'])('the id %p of another start replays nothing', async (id) => {
  const holder = await CardHolder.of()
  const { events } = holder.client.sandbox.main
  events.tell({ type: 'x', atMs: 0 })
  const listener = events.listen(undefined, id)
  await listener.next()
  events.tell({ type: 'y', atMs: 0 })
  expect((await listener.next()).value).toContain('event: y')
  await listener.return?.()
})
