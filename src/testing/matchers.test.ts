import { expect, test } from '@jest/globals'
import { card as cardKey } from '../../test/ids.js'
import { Client } from '../../test/client.js'
import { useSandbox, useStartedSandbox } from '../jest.js'

const bank = useSandbox({ now: '2026-03-25T08:00:00Z' })
const started = useStartedSandbox({ now: '2026-03-25T08:00:00Z' })

const card = {
  centsAmount: 5500,
  currencyCode: 'zar',
  merchant: { name: 'Bakery', city: 'Durban', countryCode: 'ZA', categoryCode: '5462' },
}
const cardkey = () => bank.core.main.bank!.cards.records.find(({ programmable }) => programmable)!.cardKey

test('toHaveReceived counts calls, and says which were received instead', async () => {
  const client = await Client.of(bank.core)
  expect(bank).not.toHaveReceived({ path: '/za/pb/v1/accounts' })
  await client.get('/za/pb/v1/accounts')
  expect(bank).toHaveReceived({ method: 'GET', path: '/za/pb/v1/accounts' })
  expect(bank).toHaveReceived({ path: '/za/pb/**' }, { exactly: 1 })
  expect(bank).not.toHaveReceived({ path: '/za/pb/**' }, { exactly: 2 })
  expect(bank).toHaveReceived({ path: '/za/**' }, { atLeast: 1, atMost: 3 })
  expect(() => expect(bank).toHaveReceived({ method: 'POST', path: '/za/**' }, { exactly: 1 })).toThrow(
    /Expected exactly 1 call like .*; found 0, of 2 calls:\n {2}POST \/identity.*\n {2}GET \/za\/pb\/v1\/accounts → 200/,
  )
})

test('each test starts with the bank of the start', async () => {
  expect(await bank.requests.list()).toEqual([])
  await bank.clock.advance('P1D')
})

test('also after a test that moved money', async () => {
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
})

test('toHaveBalance reads a balance from any source', async () => {
  const { accountId } = bank.core.main.bank!.accounts[0]!
  const { currentBalance, availableBalance } = bank.balance(accountId)
  expect(bank.balance(accountId)).toHaveBalance(currentBalance)
  expect(bank.balance(accountId)).toHaveBalance({ available: availableBalance })
  const client = await Client.of(bank.core)
  const { json } = await client.get(`/za/pb/v1/accounts/${accountId}/balance`)
  expect(json).toHaveBalance({ current: currentBalance, available: availableBalance })
  expect(json).not.toHaveBalance(currentBalance + 0.01)
  expect(() => expect(json).toHaveBalance(-1)).toThrow('Expected a balance of -1 rand; it is {')
})

/** The message of a failed expectation. */
const said = (expectation: () => void): string => {
  try {
    expectation()
  } catch (error) {
    return (error as Error).message
  }
  return 'nothing: it passed'
}

test.each([
  [{ pth: '/za/**' }, undefined, "The match of toHaveReceived has no 'pth'; known are method, path, status"],
  [{ status: '200' }, undefined, 'The match of toHaveReceived: status cannot be "200".'],
  [{ path: null }, undefined, 'The match of toHaveReceived: path cannot be null.'],
  ['/za/**', undefined, 'The match of toHaveReceived must be an object, not "/za/**".'],
  [undefined, undefined, 'The match of toHaveReceived must be an object, not undefined.'],
  [{}, { times: 1 }, "The count of toHaveReceived has no 'times'; known are exactly, atLeast, atMost."],
  [{}, { exactly: -1 }, 'The count of toHaveReceived: exactly cannot be -1.'],
  [{}, { exactly: '1' }, 'The count of toHaveReceived: exactly cannot be "1".'],
  [{}, {}, 'The count of toHaveReceived must have one of exactly, atLeast, atMost.'],
  [{}, { atLeast: 3, atMost: 2 }, 'atLeast must not be more than atMost.'],
  [{}, { exactly: 1, atMost: 2 }, 'exactly cannot be combined with atLeast or atMost.'],
  [{}, 1, 'The count of toHaveReceived must be an object, not 1.'],
])('toHaveReceived refuses the match %j and the count %j, under .not too', (match, count, message) => {
  expect(said(() => expect(bank).toHaveReceived(match as never, count as never))).toContain(message)
  expect(said(() => expect(bank).not.toHaveReceived(match as never, count as never))).toContain(message)
})

test.each([
  [Promise.resolve(), 'a promise; await it: expect(await …).'],
  [undefined, 'undefined.'],
  [null, 'null.'],
  [{}, '{}.'],
  [{ decision: 'perhaps' }, '{"decision":"perhaps"}.'],
  [{ data: { accounts: [] } }, '{"data":{"accounts":[]}}.'],
  [[{ type: 'Savings' }], '[{"type":"Savings"}].'],
  [() => true, 'a function.'],
])('a matcher refuses values of the wrong kind, under .not too: %p', (wrong, text) => {
  for (const assertion of [expect(wrong), expect(wrong).not])
    expect([
      said(() => assertion.toHaveReceived({})),
      said(() => assertion.toApprove()),
      said(() => assertion.toDecline()),
      said(() => assertion.toHaveLogged('x')),
      said(() => assertion.toHaveBalance(5)),
    ]).toEqual([
      `toHaveReceived takes a sandbox, not ${text}`,
      `toApprove takes a card transaction or a simulation, not ${text}`,
      `toDecline takes a card transaction or a simulation, not ${text}`,
      `toHaveLogged takes a card transaction or executions, not ${text}`,
      `toHaveBalance takes a balance, not ${text}`,
    ])
})

test('expected logs and balances are validated too', () => {
  const balance = { currentBalance: 5, availableBalance: 5 }
  for (const wrong of [undefined, null, {}, '5', NaN, { curent: 5 }, { current: '5' }])
    expect(said(() => expect(balance).not.toHaveBalance(wrong as never))).toMatch(
      /^toHaveBalance expects rand, or { current, available }, not /,
    )
  expect(said(() => expect({ executions: [] }).not.toHaveLogged(undefined as never))).toBe(
    'toHaveLogged expects a text or an expression, not undefined.',
  )
})

test('a message says what was expected; with .not, the opposite', async () => {
  const client = await Client.of(bank.core)
  await client.get('/za/pb/v1/accounts')
  const match = { path: '/za/**' }
  expect(said(() => expect(bank).not.toHaveReceived(match))).toMatch(
    /^Expected not at least 1 call like {"path":"\/za\/\*\*"}; found 1, of 2 calls:\n/,
  )
  expect(said(() => expect(bank).toHaveReceived(match, { atLeast: 2, atMost: 3 }))).toMatch(
    /^Expected at least 2 and at most 3 calls like .*; found 1, of 2 calls:\n/,
  )
  const approved = { decision: 'approved', reason: 'approved', executions: [] }
  expect(said(() => expect(approved).not.toApprove())).toBe(
    'Expected a transaction not to be approved; it was approved.',
  )
  const declined = { decision: 'declined', reason: 'card-blocked', executions: [] }
  expect(said(() => expect(declined).not.toDecline())).toBe(
    'Expected a transaction not to be declined; it was declined (card-blocked).',
  )
  expect(said(() => expect(declined).toHaveLogged('x'))).toBe(
    'Expected card code to log x; it logged nothing.',
  )
  const undecided = [{ type: 'before_transaction', logs: [{ level: 'info', content: 'hm' }] }]
  expect(said(() => expect(undecided).toApprove())).toBe(
    'Expected a transaction to be approved; its code did not decide.\n  before_transaction info: hm',
  )
  expect(undecided).not.toApprove()
  expect(said(() => expect(undecided).not.toHaveLogged(/^h/))).toBe(
    'Expected card code not to log /^h/; it logged:\n  hm',
  )
  const balance = { currentBalance: 5, availableBalance: 7 }
  expect(said(() => expect(balance).not.toHaveBalance({ available: 7 }))).toBe(
    'Expected a balance other than {"available":7} rand; it is {"currentBalance":5,"availableBalance":7}.',
  )
})

const run = (type: string, code?: string, authorizationApproved: boolean | null = null) => ({
  type,
  authorizationApproved,
  logs: [],
  Error: code
    ? { code, name: 'TypeError', message: 'x is not a function', stack: '', line: 3, afterMs: 1 }
    : null,
})

test('a decision that the settings made after a failed hook does not count as one of the code', () => {
  for (const code of ['threw', 'timed-out', 'non-boolean', 'missing-hook', 'syntax-error']) {
    const failed = {
      decision: 'approved',
      reason: 'approved',
      executions: [run('before_transaction', code, true)],
    }
    const message =
      'Expected card code to decide (approved), but a hook failed; it was approved.\n' +
      `  before_transaction ${code}, TypeError: x is not a function (main.js:3)\n` +
      'To accept what the settings decide when a hook fails, pass { despiteError: true }.'
    expect(said(() => expect(failed).toApprove())).toBe(message)
    expect(said(() => expect(failed).not.toApprove())).toBe(message)
    expect(said(() => expect(failed).toDecline())).toMatch(/but a hook failed; it was approved/)
    expect(failed).toApprove({ despiteError: true })
    expect(failed).not.toHaveRunCleanly()
    expect(said(() => expect(failed).toHaveRunCleanly())).toBe(
      `Expected all hooks to run cleanly:\n  before_transaction ${code}, TypeError: x is not a function (main.js:3)`,
    )
    expect(said(() => expect(failed).toHaveLogged('x'))).toBe(
      `Expected card code to log x; it logged nothing.\nA hook failed:\n  before_transaction ${code}, TypeError: x is not a function (main.js:3)`,
    )
  }
})

test('an after hook that fails is a failure, a missing one is not', () => {
  const missing = [run('before_transaction', undefined, true), run('after_transaction', 'missing-hook')]
  expect(missing).toApprove()
  expect(missing).toHaveRunCleanly()
  const threw = [run('before_transaction', undefined, true), run('after_transaction', 'threw')]
  expect(said(() => expect(threw).toApprove())).toMatch(/a hook failed/)
  expect(threw).toApprove({ despiteError: true })
})

test('toHaveRunCleanly says what it accepts, and that hooks must have run', () => {
  expect(said(() => expect({ executions: [] }).toHaveRunCleanly())).toBe(
    'toHaveRunCleanly: no hook ran; publish code and switch it on first.',
  )
  expect(said(() => expect(5).toHaveRunCleanly())).toMatch(
    /^toHaveRunCleanly takes a card transaction or executions, not 5/,
  )
  expect(
    said(() => expect([run('before_transaction', undefined, true)]).toApprove({ despite: true } as never)),
  ).toBe('toApprove takes { despiteError: true or false }, not {"despite":true}.')
})

const warm = useSandbox({ now: '2026-03-25', cardCode: true })

test('a sandbox that loads card code before the first test is in its start state', async () => {
  expect(await warm.requests.list()).toEqual([])
  expect((await warm.cards.transact(cardKey, { centsAmount: 100 })).decision).toBe('approved')
  expect(() => useSandbox({ cardCode: 1 as never })).toThrow('Option cardCode must be true or false, not 1.')
})
