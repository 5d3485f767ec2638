// Simulations of card code, and the list of executions.

import { expect, test } from '@jest/globals'
import { card, CardHolder, otherCard, uuid } from '../../test/card-holder.js'
import { everyday } from '../../test/ids.js'
import type { Execution } from '../bank/cards/card-records.js'

const now = '2026-03-25T08:00:00.000Z'

const logging = `
const beforeTransaction = async (authorization) => {
  console.log(authorization)
  console.log('limit', process.env.LIMIT)
  return authorization.centsAmount <= Number(process.env.LIMIT)
}
const afterTransaction = async (transaction) => console.log(transaction)
`

test('a simulation: two executions, field by field', async () => {
  const holder = await CardHolder.of()
  await holder.post(`/${card}/environmentvariables`, { variables: { LIMIT: 20_000 } })
  const { status, json } = await holder.simulate(logging, {
    centsAmount: '10100',
    currencyCode: 'zar',
    merchantCode: 7996,
    merchantName: 'uShaka Marine World',
    merchantCity: 'Durban',
    countryCode: 'ZA',
  })
  expect(status).toBe(200)
  const root = json.data.result[0].rootCodeFunctionId as string
  const authorization = {
    accountNumber: '10011234567',
    dateTime: now,
    centsAmount: 10_100,
    currencyCode: 'zar',
    type: 'card',
    reference: 'simulation',
    card: { id: card },
    merchant: {
      category: { code: '7996', key: 'amusement_parks_carnivals', name: 'Amusement Parks/Carnivals' },
      name: 'uShaka Marine World',
      city: 'Durban',
      country: { code: 'ZA', alpha3: 'ZAF', name: 'South Africa' },
    },
  }
  const shared = {
    executionId: expect.stringMatching(uuid) as unknown,
    rootCodeFunctionId: root,
    sandbox: true,
    smsCount: 0,
    emailCount: 0,
    pushNotificationCount: 0,
    createdAt: now,
    startedAt: now,
    completedAt: now,
    updatedAt: now,
    Error: null,
  }
  const logged = { createdAt: now, level: 'info', content: JSON.stringify(authorization) }
  expect(json).toEqual({
    data: {
      result: [
        {
          ...shared,
          type: 'before_transaction',
          authorizationApproved: true,
          logs: [logged, { createdAt: now, level: 'info', content: 'limit 20000' }],
        },
        { ...shared, type: 'after_transaction', authorizationApproved: null, logs: [logged] },
      ],
    },
    links: { self: null },
    meta: { totalPages: 1 },
  })
  expect(root).toMatch(uuid)
  expect(json.data.result[0].executionId).not.toBe(json.data.result[1].executionId)
})

test('both paths simulate, also on a card that is switched off, and no money moves', async () => {
  const holder = await CardHolder.of()
  const before = await holder.available()
  await holder.post(`/${card}/toggle-programmable-feature`, { Enabled: false })
  const body = { simulationcode: 'const beforeTransaction = async () => false' }
  for (const path of ['/code/execute', '/execute']) {
    const { json } = await holder.post(`/${card}${path}`, body)
    expect(json.data.result.map((each: Execution) => [each.type, each.authorizationApproved])).toEqual([
      ['before_transaction', false],
      ['after_transaction', null],
    ])
  }
  expect(await holder.available()).toBe(before)
  const { json } = await holder.client.get(`/za/pb/v1/accounts/${everyday}/pending-transactions`)
  expect(JSON.stringify(json)).not.toContain('SANDBOX MERCHANT')
})

test('a simulation runs the code of the request, not what is published', async () => {
  const holder = await CardHolder.of()
  await holder.publish('const beforeTransaction = async () => false')
  const { json } = await holder.simulate('const beforeTransaction = async () => true')
  expect(json.data.result[0].authorizationApproved).toBe(true)
})

test('a setting makes a declined simulation run afterDecline', async () => {
  const holder = await CardHolder.of()
  await holder.client.control('PUT', 'settings', { hooks: { declinedSimulation: 'afterDecline' } })
  const hooks = ['afterTransaction', 'afterDecline'].map(
    (name) => `const ${name} = async () => console.log('${name}')`,
  )
  const run = async (approved: boolean) => {
    const code = [`const beforeTransaction = async () => ${approved}`, ...hooks].join('\n')
    const { json } = await holder.simulate(code)
    return json.data.result.map((each: Execution) => [each.type, each.logs[0]?.content])
  }
  expect(await run(false)).toEqual([
    ['before_transaction', undefined],
    ['after_decline', 'afterDecline'],
  ])
  expect(await run(true)).toEqual([
    ['before_transaction', undefined],
    ['after_transaction', 'afterTransaction'],
  ])
})

const seen = 'const beforeTransaction = async (a) => (console.log(a), true)'
const authorizationOf = (json: { data: { result: Execution[] } }) =>
  JSON.parse(json.data.result[0]!.logs[0]!.content) as {
    centsAmount: number
    currencyCode: string
    merchant: {
      name: string
      city: string
      category: { code: string; key: string }
      country: { alpha3: string }
    }
  }

test.each([
  [{}, { centsAmount: 10_000, currencyCode: 'zar', code: '5462', name: 'Sandbox Merchant', alpha3: 'ZAF' }],
  [{ centsAmount: 5 }, { centsAmount: 5 }],
  [{ centsAmount: '0' }, { centsAmount: 0 }],
  [{ centsAmount: '0005' }, { centsAmount: 5 }],
  [{ currencyCode: 'USD' }, { currencyCode: 'usd' }],
  [{ currencyCode: 'xAf' }, { currencyCode: 'xaf' }],
  [{ merchantCode: '5541' }, { code: '5541' }],
  [{ merchantCode: 742 }, { code: '0742' }],
  [{ merchantCode: '742' }, { code: '0742' }],
  [{ merchantCode: 1 }, { code: '0000' }],
  [{ countryCode: 'gb' }, { alpha3: 'GBR' }],
  [
    { countryCode: 'GB', merchantCity: '', merchantName: 'Ünïcödé 🏦' },
    { alpha3: 'GBR', name: 'Ünïcödé 🏦' },
  ],
])('a simulation accepts %j', async (fields, expected) => {
  const holder = await CardHolder.of()
  const { status, json } = await holder.simulate(seen, fields)
  expect(status).toBe(200)
  const { centsAmount, currencyCode, merchant } = authorizationOf(json)
  const { name, category, country } = merchant
  expect({ centsAmount, currencyCode, code: category.code, name, alpha3: country.alpha3 }).toMatchObject(
    expected,
  )
})

test.each([
  [{ simulationcode: undefined }, '/simulationcode'],
  [{ simulationcode: 5 }, '/simulationcode'],
  [{ centsAmount: '-5' }, '/centsAmount'],
  [{ centsAmount: -5 }, '/centsAmount'],
  [{ centsAmount: 1.5 }, '/centsAmount'],
  [{ centsAmount: '1.5' }, '/centsAmount'],
  [{ centsAmount: '' }, '/centsAmount'],
  [{ centsAmount: '999999999999' }, '/centsAmount'],
  [{ centsAmount: null }, '/centsAmount'],
  [{ currencyCode: 'rand' }, '/currencyCode'],
  [{ merchantCode: 10_000 }, '/merchantCode'],
  [{ merchantCode: 'abcd' }, '/merchantCode'],
  [{ countryCode: 'XX' }, '/countryCode'],
  [{ countryCode: 'undefined' }, '/countryCode'],
  [{ merchantName: {} }, '/merchantName'],
  [{ amount: 5 }, '/amount'],
])('a simulation refuses %j and names %s', async (fields, path) => {
  const holder = await CardHolder.of({ strict: true })
  const body = { simulationcode: seen, ...fields }
  const { status, json } = await holder.post(`/${card}/execute`, body)
  expect([status, json.errors?.[0]?.path]).toEqual([400, path])
  expect((await holder.get(`/${card}/code/executions`)).json.data.result.executionItems).toEqual([])
})

test('all errors of a simulation are reported at once', async () => {
  const holder = await CardHolder.of()
  const { json } = await holder.post(`/${card}/execute`, {
    centsAmount: 'x',
    currencyCode: 5,
    countryCode: '',
  })
  expect(json.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
    '/centsAmount',
    '/countryCode',
    '/currencyCode',
    '/simulationcode',
  ])
})

test('executions: simulated and actual, newest first, without Error, of one card', async () => {
  const holder = await CardHolder.of()
  await holder.publish(seen)
  await holder.simulate(seen)
  await holder.buy({ centsAmount: 100 })
  await holder.simulate(seen, {}, otherCard)
  const { json } = await holder.get(`/${card}/code/executions`)
  expect(json.data.result.error).toBeNull()
  const items = json.data.result.executionItems as Execution[]
  expect(items.map(({ type, sandbox }) => [type, sandbox])).toEqual([
    ['after_transaction', false],
    ['before_transaction', false],
    ['after_transaction', true],
    ['before_transaction', true],
  ])
  for (const item of items) expect(item).not.toHaveProperty('Error')
  expect(items[0]!.rootCodeFunctionId).toBe(items[1]!.rootCodeFunctionId)
  expect(items[1]!.rootCodeFunctionId).not.toBe(items[2]!.rootCodeFunctionId)
})

test('the list of executions is bounded, in number and in the length of its logs', async () => {
  const holder = await CardHolder.of()
  for (let i = 0; i < 60; i++) await holder.simulate(seen, { centsAmount: i })
  const items = (await holder.get(`/${card}/code/executions`)).json.data.result.executionItems as Execution[]
  expect(items).toHaveLength(100)
  expect(items[1]!.logs[0]!.content).toContain('"centsAmount":59,')
  const flood = "const beforeTransaction = async () => { console.log('x'.repeat(1e6)); return true }"
  for (let i = 0; i < 12; i++) await holder.simulate(flood)
  const { json, body } = await holder.get(`/${card}/code/executions`)
  expect(body.length).toBeLessThan(9_000_000)
  expect(json.data.result.executionItems.length).toBeGreaterThan(5)
})

test('with a frozen clock, the execution in the answer contains what the hook left running', async () => {
  const holder = await CardHolder.of()
  const code = `const beforeTransaction = async () => {
    setTimeout(() => console.log('later'), 500)
    return true
  }
  const afterTransaction = async () => {}`
  const { json } = await holder.simulate(code)
  const later = [{ createdAt: '2026-03-25T08:00:00.500Z', level: 'info', content: 'later' }]
  const [{ executionId, logs }] = json.data.result as [Execution]
  expect(logs).toEqual(later)
  const items = (await holder.get(`/${card}/code/executions`)).json.data.result.executionItems as Execution[]
  expect(items.find((item) => item.executionId === executionId)!.logs).toEqual(later)
})

test('with a frozen clock, the time that a hook waits passes for its execution', async () => {
  const holder = await CardHolder.of()
  const code = `const wait = (ms) => new Promise((done) => setTimeout(done, ms))
  const beforeTransaction = async () => { await wait(700); return true }
  const afterTransaction = async (t) => { console.log(t.dateTime); await wait(5000) }`
  const [before, after] = (await holder.simulate(code)).json.data.result as Execution[]
  expect([before!.startedAt, before!.completedAt]).toEqual([now, '2026-03-25T08:00:00.700Z'])
  expect([after!.startedAt, after!.completedAt]).toEqual([
    '2026-03-25T08:00:00.700Z',
    '2026-03-25T08:00:05.700Z',
  ])
  expect(after!.logs[0]!.content).toBe('2026-03-25T08:00:00.700Z')
})

test('two sandboxes with the same seed simulate to the same bytes, also with simultaneous calls', async () => {
  const code = `const beforeTransaction = async (a) => {
    console.log(Math.random(), crypto.randomUUID(), Date.now(), new Date().toISOString())
    return a.centsAmount % 2 === 0
  }
  const afterTransaction = async () => console.log(Math.random())`
  const run = async () => {
    const holder = await CardHolder.of()
    const many = await Promise.all(
      Array.from({ length: 12 }, (_, i) => holder.simulate(code, { centsAmount: i })),
    )
    return many.map(({ body }) => body)
  }
  const [one, two] = await Promise.all([run(), run()])
  expect(one).toEqual(two)
  expect(new Set(one).size).toBe(12)
})
