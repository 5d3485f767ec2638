import { expect, test } from '@jest/globals'
import {
  approving,
  bakery,
  businessCard,
  card,
  CardHolder,
  declining,
  plainCard,
} from '../../test/card-holder.js'
import { Client, everyday } from '../../test/client.js'
import type { Execution } from '../bank/cards/card-records.js'
import type { BankEvent } from '../bank/client-records.js'
import { business } from '../../test/ids.js'

const types = (executions: Execution[]) => executions.map(({ type }) => type)

test('an approved purchase: the hooks run, the money is held, the row is pending', async () => {
  const holder = await CardHolder.of()
  await holder.publish(approving)
  const before = await holder.available()
  const { status, json } = await holder.buy({ centsAmount: 8_495, currencyCode: 'zar', merchant: bakery })
  expect(status).toBe(200)
  const { transaction, executions } = json as { transaction: { id: string }; executions: Execution[] }
  expect(json).toMatchObject({ decision: 'approved', reason: 'approved' })
  expect(transaction).toEqual({
    id: expect.stringMatching(/^[5-9]\d{7}$/),
    cardKey: card,
    accountId: everyday,
    type: 'purchase',
    decision: 'approved',
    reason: 'approved',
    status: 'pending',
    centsAmount: 8_495,
    currencyCode: 'ZAR',
    randCents: 8_495,
    merchant: bakery,
    dateTime: '2026-03-25T08:00:00.000Z',
    rootCodeFunctionId: executions[0]!.rootCodeFunctionId,
  })
  expect(types(executions)).toEqual(['before_transaction', 'after_transaction'])
  expect(executions[0]).toMatchObject({ sandbox: false, authorizationApproved: true, Error: null })
  expect(executions[1]).toMatchObject({ sandbox: false, authorizationApproved: null, Error: null })
  expect(JSON.parse(executions[0]!.logs[0]!.content)).toEqual({
    accountNumber: '10011234567',
    dateTime: '2026-03-25T08:00:00.000Z',
    centsAmount: 8_495,
    currencyCode: 'zar',
    type: 'card',
    reference: transaction.id,
    card: { id: card, display: '402167XXXXXX1118' },
    merchant: {
      category: { code: '5462', key: 'bakeries', name: 'Bakeries' },
      name: 'Corner Bakery',
      city: 'Durban',
      country: { code: 'ZA', alpha3: 'ZAF', name: 'South Africa' },
    },
  })
  expect(executions[1]!.logs[0]!.content).toBe(`after ${transaction.id}`)
  expect(Math.round((before - (await holder.available())) * 100)).toBe(8_495)
  expect((await holder.pending()).at(-1)).toMatchObject({
    description: 'Corner Bakery            Durban       ZA',
    amount: 84.95,
    type: 'DEBIT',
  })
})

test('the dateTime of a real transaction has no milliseconds, and all its hooks see the same', async () => {
  const holder = await CardHolder.of({ nowMs: Date.parse('2026-03-25T08:00:00.789Z') })
  await holder.publish(`const beforeTransaction = async (a) => { console.log(a.dateTime); return true }
    const afterTransaction = async (t) => console.log(t.dateTime)`)
  const { executions } = (await holder.buy({ centsAmount: 1 })).json as { executions: Execution[] }
  expect(executions.map(({ logs }) => logs[0]!.content)).toEqual([
    '2026-03-25T08:00:00.000Z',
    '2026-03-25T08:00:00.000Z',
  ])
})

test('a purchase that the code declines: nothing moves, and afterDecline runs', async () => {
  const holder = await CardHolder.of()
  await holder.publish(declining)
  const before = await holder.available()
  const { json } = await holder.buy({ centsAmount: 8_495, merchant: bakery })
  expect(json).toMatchObject({
    decision: 'declined',
    reason: 'declined-by-code',
    transaction: { status: 'declined' },
  })
  expect(types(json.executions as Execution[])).toEqual(['before_transaction', 'after_decline'])
  expect(json.executions[0].authorizationApproved).toBe(false)
  expect(await holder.available()).toBe(before)
})

test('without published code, on a card that is switched off or takes none, the bank alone decides', async () => {
  const holder = await CardHolder.of()
  await holder.post(`/${card}/code`, { code: declining })
  expect((await holder.buy({ centsAmount: 100 })).json).toMatchObject({
    decision: 'approved',
    executions: [],
  })
  await holder.publish(declining)
  expect((await holder.buy({ centsAmount: 100 })).json.reason).toBe('declined-by-code')
  await holder.post(`/${card}/toggle-programmable-feature`, { Enabled: false })
  expect((await holder.buy({ centsAmount: 100 })).json).toMatchObject({
    decision: 'approved',
    executions: [],
  })
  expect((await holder.buy({ centsAmount: 100 }, plainCard)).json).toMatchObject({
    decision: 'approved',
    executions: [],
  })
  const tooMuch = { centsAmount: 99_999_999_999 }
  expect((await holder.buy(tooMuch)).json).toMatchObject({ reason: 'insufficient-funds', executions: [] })
})

test('without enough money, beforeTransaction does not run; afterDecline does', async () => {
  const holder = await CardHolder.of()
  await holder.publish(approving)
  const available = Math.round((await holder.available()) * 100)
  const declined = await holder.buy({ centsAmount: available + 1 })
  expect(declined.json).toMatchObject({ decision: 'declined', reason: 'insufficient-funds' })
  expect(types(declined.json.executions as Execution[])).toEqual(['after_decline'])
  const approved = await holder.buy({ centsAmount: available })
  expect(approved.json.decision).toBe('approved')
  expect(await holder.available()).toBe(0)
  expect((await holder.buy({ centsAmount: 1 })).json.reason).toBe('insufficient-funds')
})

test('a card that is not Active is declined without running code, until it is Active again', async () => {
  const holder = await CardHolder.of()
  await holder.publish(approving)
  const { json } = await holder.client.control('PUT', `cards/${card}/status`, { status: 'Blocked' })
  expect(json.Status).toBe('Blocked')
  expect((await holder.get('')).json.data.cards[0].Status).toBe('Blocked')
  expect((await holder.buy({ centsAmount: 100 })).json).toMatchObject({
    decision: 'declined',
    reason: 'card-disabled',
    executions: [],
  })
  await holder.client.control('PUT', `cards/${card}/status`, { status: 'Active' })
  expect((await holder.buy({ centsAmount: 100 })).json.decision).toBe('approved')
})

test('two purchases at once cannot spend the same money', async () => {
  const holder = await CardHolder.of()
  await holder.publish(`const beforeTransaction = async () => {
    await new Promise((done) => setTimeout(done, 50))
    return true
  }
  const afterDecline = async () => {}`)
  const available = Math.round((await holder.available()) * 100)
  const half = Math.floor(available / 2) + 1
  const answers = await Promise.all([1, 2, 3].map(() => holder.buy({ centsAmount: half })))
  expect(answers.map(({ json }) => json.reason as string).sort()).toEqual([
    'approved',
    'insufficient-funds',
    'insufficient-funds',
  ])
  const late = answers.find(({ json }) => json.reason !== 'approved')!
  expect(late.json.executions).toMatchObject([
    { type: 'before_transaction', authorizationApproved: true },
    { type: 'after_decline' },
  ])
  expect(Math.round((await holder.available()) * 100)).toBe(available - half)
})

test('simultaneous purchases are decided in the order of the calls, whichever hook is faster', async () => {
  const slow = `const beforeTransaction = async ({ centsAmount }) => {
    for (let i = 0; i < (centsAmount % 5) * 400000; i++);
    await fetch('https://shop.example/' + centsAmount)
    return true
  }`
  const run = async () => {
    const holder = await CardHolder.of()
    await holder.publish(slow)
    holder.client.sandbox.main.outboundStubs = () =>
      Promise.resolve({ status: 200, headers: [], body: new Uint8Array() })
    await Promise.all([4, 1, 3, 2, 100].map((centsAmount) => holder.buy({ centsAmount })))
    const bank = await holder.client.sandbox.main.open()
    const { cards } = holder.client.sandbox.main.state(bank).bank.cards
    return JSON.stringify([bank.book(everyday).holds.slice(-5), cards])
  }
  const [one, two] = [await run(), await run()]
  expect(one).toBe(two)
  const [holds] = JSON.parse(one) as [{ cents: number }[]]
  expect(holds.map(({ cents }) => cents)).toEqual([4, 1, 3, 2, 100])
})

test('a card that is blocked while its code runs is declined', async () => {
  const holder = await CardHolder.of()
  const bank = await holder.client.sandbox.main.open()
  await holder.publish('const beforeTransaction = async () => (await fetch("https://shop.example/x"), true)')
  holder.client.sandbox.main.outboundStubs = async () => {
    bank.cards.setStatus(card, 'Stopped')
    return Promise.resolve({ status: 200, headers: [], body: new Uint8Array() })
  }
  const before = await holder.available()
  expect((await holder.buy({ centsAmount: 100 })).json.reason).toBe('card-disabled')
  expect(await holder.available()).toBe(before)
})

test('a refund brings money once it settles, and the code decides on it too', async () => {
  const holder = await CardHolder.of()
  await holder.publish(approving)
  const before = Math.round((await holder.available()) * 100)
  const { json } = await holder.buy({ centsAmount: 5_000, type: 'refund', merchant: bakery })
  expect(json).toMatchObject({ decision: 'approved', transaction: { type: 'refund', status: 'pending' } })
  expect((await holder.pending()).at(-1)).toMatchObject({ type: 'CREDIT', amount: 50 })
  expect(Math.round((await holder.available()) * 100)).toBe(before)
  await holder.client.control('POST', `transactions/${json.transaction.id as string}/settle`)
  expect(Math.round((await holder.available()) * 100)).toBe(before + 5_000)
})

test('a refund of more than the balance is not refused for insufficient funds', async () => {
  const holder = await CardHolder.of()
  const { json } = await holder.buy({ centsAmount: 90_000_000_000, type: 'refund' })
  expect(json.decision).toBe('approved')
})

test('cash at an ATM is an ATM withdrawal', async () => {
  const holder = await CardHolder.of()
  const { json } = await holder.buy({ centsAmount: 50_000, type: 'atm' })
  expect(json.transaction).toMatchObject({ type: 'atm', merchant: { name: 'ATM', categoryCode: '6011' } })
  const settled = await holder.client.control('POST', `transactions/${json.transaction.id as string}/settle`)
  expect(settled.json).toMatchObject({
    transactionType: 'ATMWithdrawals',
    description: 'ATM CAPE TOWN ZA',
    cardNumber: '402167xxxxxx1118',
  })
})

test.each([
  [{ centsAmount: 10_000, currencyCode: 'USD' }, 180_000],
  [{ centsAmount: 1, currencyCode: 'jpy' }, 1],
  [{ centsAmount: 333, currencyCode: 'zar' }, 333],
])('%j costs %d rand cents', async (body, randCents) => {
  const holder = await CardHolder.of()
  const before = Math.round((await holder.available()) * 100)
  const { json } = await holder.buy(body)
  expect(json.transaction.randCents).toBe(randCents)
  expect(Math.round((await holder.available()) * 100)).toBe(before - randCents)
})

test.each([
  [{}, ['/centsAmount']],
  [{ centsAmount: -1 }, ['/centsAmount']],
  [{ centsAmount: '5' }, ['/centsAmount']],
  [{ centsAmount: 1e300 }, ['/centsAmount']],
  [{ centsAmount: 100_000_000_000, currencyCode: 'usd' }, ['/centsAmount']],
  [{ centsAmount: 5, currencyCode: 'xxx' }, ['/currencyCode']],
  [{ centsAmount: 5, type: 'gift' }, ['/type']],
  [{ centsAmount: 5, merchant: 'x' }, ['/merchant']],
  [{ centsAmount: 5, merchant: { country: 'ZA' } }, ['/merchant/country']],
  [
    { centsAmount: 5, currencyCode: 'xxx', merchant: { countryCode: 'xx' } },
    ['/currencyCode', '/merchant/countryCode'],
  ],
])('a purchase of %j is refused and names %j', async (body, paths) => {
  const holder = await CardHolder.of()
  const { status, json } = await holder.buy(body)
  expect(status).toBe(400)
  expect(json.errors.map(({ path }: { path: string }) => path)).toEqual(paths)
})

test("a business card spends from the business's account", async () => {
  const holder = await CardHolder.of()
  const account = business
  const before = Math.round((await holder.available(account)) * 100)
  await holder.buy({ centsAmount: 12_345 }, businessCard)
  expect(Math.round((await holder.available(account)) * 100)).toBe(before - 12_345)
})

test('a watcher is told of cards, executions and card transactions', async () => {
  const holder = await CardHolder.of()
  const bank = await holder.client.sandbox.main.open()
  const events: BankEvent[] = []
  bank.watcher = (event) => events.push(event)
  await holder.publish(approving)
  await holder.buy({ centsAmount: 100, merchant: bakery })
  expect(events.map(({ type, change, hook, event }) => [type, change ?? hook ?? event])).toEqual([
    ['card', 'code-saved'],
    ['card', 'code-published'],
    ['execution', 'before_transaction'],
    ['hold', undefined],
    ['card-transaction', 'approved'],
    ['execution', 'after_transaction'],
  ])
})

test('an export restores cards: stored code, published code, decisions', async () => {
  const holder = await CardHolder.of()
  await holder.publish(declining)
  await holder.buy({ centsAmount: 100 })
  const bank = await holder.client.sandbox.main.open()
  const state = JSON.parse(JSON.stringify(bank.cards.state)) as typeof bank.cards.state
  const fork = bank.cards.fork(bank)
  await holder.publish('// other')
  expect(fork.publishedCode(card)!.code).toBe(declining)
  bank.cards.restore(state)
  expect(bank.cards.state).toEqual(state)
  expect((await holder.buy({ centsAmount: 100 })).json.reason).toBe('declined-by-code')
})

test('a reset restores the cards of the start', async () => {
  const holder = await CardHolder.of()
  const first = (await holder.get(`/${card}/code`)).body
  await holder.publish(declining)
  await holder.buy({ centsAmount: 100 })
  await holder.client.control('PUT', `cards/${card}/status`, { status: 'Blocked' })
  await holder.client.control('POST', 'reset')
  const again = CardHolder.with(await Client.of(holder.client.sandbox))
  expect((await again.get(`/${card}/code`)).body).toBe(first)
  expect((await again.get(`/${card}/publishedcode`)).status).toBe(400)
  expect((await again.buy({ centsAmount: 100 })).json.decision).toBe('approved')
})

test('a sandbox that is closed while code runs still answers', async () => {
  const holder = await CardHolder.of()
  const { sandbox } = holder.client
  await holder.publish('const beforeTransaction = async () => fetch("https://shop.example/")')
  sandbox.main.outboundStubs = async () => {
    await sandbox.close()
    return undefined
  }
  const { status, json } = await holder.buy({ centsAmount: 100 })
  expect([status, json.decision, json.executions[0].Error.code]).toEqual([200, 'approved', 'not-run'])
})
