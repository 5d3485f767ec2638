import { expect, test } from '@jest/globals'
import { Client } from '../test/client.js'
import { useSandbox, useStartedSandbox } from './jest.js'

const bank = useSandbox({ now: '2026-03-25T08:00:00Z' })
const started = useStartedSandbox({ now: '2026-03-25T08:00:00Z' })

const card = {
  centsAmount: 5500,
  currencyCode: 'zar',
  merchant: { name: 'Bakery', city: 'Durban', countryCode: 'ZA', categoryCode: '5462' },
}
const cardkey = () => bank.core.main.bank!.cards.records.find(({ programmable }) => programmable)!.cardKey

test('toHaveReceived counts calls, and says what came instead', async () => {
  const client = await Client.of(bank.core)
  expect(bank).not.toHaveReceived({ path: '/za/pb/v1/accounts' })
  await client.get('/za/pb/v1/accounts')
  expect(bank).toHaveReceived({ method: 'GET', path: '/za/pb/v1/accounts' })
  expect(bank).toHaveReceived({ path: '/za/pb/**' }, { times: 1 })
  expect(bank).not.toHaveReceived({ path: '/za/pb/**' }, { times: 2 })
  expect(bank).toHaveReceived({ path: '/za/**' }, { atLeast: 1, atMost: 3 })
  expect(() => expect(bank).toHaveReceived({ method: 'POST', path: '/za/**' }, { times: 1 })).toThrow(
    /Expected 1 calls like .*there were 0, of 2 calls:\n {2}POST \/identity.*\n {2}GET \/za\/pb\/v1\/accounts → 200/,
  )
})

test('each test finds the bank as it was at the start', async () => {
  expect(await bank.requests.list()).toEqual([])
  await bank.clock.advance('P1D')
})

test('whatever the test before has moved', async () => {
  expect((await bank.clock.get()).now).toBe('2026-03-25T08:00:00.000Z')
})

test('a started sandbox listens from the first test on', async () => {
  expect((await fetch(`${started.url}/_sandbox/health`)).status).toBe(200)
})

test('toApprove and toDecline read card transactions and simulations', async () => {
  const approved = await bank.cards.transact(cardkey(), card)
  expect(approved).toApprove()
  expect(approved).not.toDecline()
  const declined = await bank.cards.transact(cardkey(), { ...card, centsAmount: 9_000_000_00 })
  expect(declined).toDecline()
  expect(() => expect(declined).toApprove()).toThrow(/it was declined \(insufficient-funds\)/)
  const simulationcode = `async function beforeTransaction(a) { console.log('seen', a.centsAmount); return false }
    async function afterTransaction() {}`
  const client = await Client.of(bank.core)
  const { json } = await client.post(`/za/v1/cards/${cardkey()}/code/execute`, {
    simulationcode,
    centsAmount: '5500',
    currencyCode: 'zar',
    merchantCode: 5462,
    merchantCity: 'Durban',
    countryCode: 'ZA',
  })
  expect(json).toDecline()
  expect(json).toHaveLogged('seen 5500')
  expect(json).toHaveLogged(/^seen \d+$/)
  expect(() => expect(json).toHaveLogged('paid')).toThrow(/to log paid; it logged:\n {2}seen 5500/)
  expect(() => expect(null).toApprove()).toThrow('nothing that was decided')
})

test('toHaveBalance reads a balance, however it was come by', async () => {
  const { accountId } = bank.core.main.bank!.accounts[0]!
  const { currentBalance, availableBalance } = bank.balance(accountId)
  expect(bank.balance(accountId)).toHaveBalance(currentBalance)
  expect(bank.balance(accountId)).toHaveBalance({ available: availableBalance })
  const client = await Client.of(bank.core)
  const { json } = await client.get(`/za/pb/v1/accounts/${accountId}/balance`)
  expect(json).toHaveBalance({ current: currentBalance, available: availableBalance })
  expect(json).not.toHaveBalance(currentBalance + 0.01)
  expect(() => expect({}).toHaveBalance(1)).toThrow('Expected a balance of 1 rand')
})
