import { expect, test } from '@jest/globals'
import { everyday } from '../../test/ids.js'
import { businessCard, card, CardHolder, otherCard } from '../../test/card-holder.js'
import type { Execution } from '../bank/cards/card-records.js'

const uuid = /^[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}$/
const now = '2026-03-25T08:00:00.000Z'

const saved = async (holder: CardHolder, code: string, cardKey = card): Promise<string> =>
  (await holder.post(`/${cardKey}/code`, { code })).json.data.result.codeId as string

test('every programmable card starts with a template that runs unchanged', async () => {
  const holder = await CardHolder.of()
  const ids = new Set<string>()
  for (const each of [card, otherCard, businessCard]) {
    const { json } = await holder.get(`/${each}/code`)
    const { codeId, code, ...rest } = json.data.result as { codeId: string; code: string }
    expect(codeId).toMatch(uuid)
    ids.add(codeId)
    expect(rest).toEqual({
      createdAt: '2025-01-31T22:00:00.000Z',
      updatedAt: '2025-01-31T22:00:00.000Z',
      publishedAt: null,
      error: null,
    })
    const simulation = await holder.simulate(code, {}, each)
    const [before, after] = simulation.json.data.result as Execution[]
    expect([before!.authorizationApproved, before!.Error, after!.Error]).toEqual([true, null, null])
  }
  expect(ids.size).toBe(3)
})

test('saving makes a new version and does not change what is published', async () => {
  const holder = await CardHolder.of()
  const published = await holder.publish('// one')
  const { json } = await holder.post(`/${card}/code`, { code: '// two' })
  expect(json).toEqual({
    data: {
      result: {
        codeId: expect.stringMatching(uuid),
        code: '// two',
        createdAt: now,
        updatedAt: now,
        publishedAt: null,
        error: null,
      },
    },
    links: { self: null },
    meta: { totalPages: 1 },
  })
  expect((await holder.get(`/${card}/code`)).json.data.result).toEqual(json.data.result)
  const { result } = (await holder.get(`/${card}/publishedcode`)).json.data as { result: object }
  expect(result).toMatchObject({ codeId: published, code: '// one', publishedAt: now })
})

test('code that cannot be parsed is saved, with the error in its record', async () => {
  const holder = await CardHolder.of()
  const code = 'const beforeTransaction = async () => true\nconst afterTransaction = async ( => {}\n'
  const { status, json } = await holder.post(`/${card}/code`, { code })
  const error = { code: 'syntax-error', name: 'SyntaxError', message: "Unexpected token '=>'", line: 2 }
  expect([status, json.data.result]).toEqual([200, expect.objectContaining({ code, error })])
  expect((await holder.get(`/${card}/code`)).json.data.result).toMatchObject({ error })
  const excess = await holder.post(`/${card}/code`, { code: `/${'\\\\W'.repeat(501)}/` })
  expect(excess.json.data.result).toMatchObject({ error: { code: 'syntax-error', line: 1 } })
  const mended = await holder.post(`/${card}/code`, { code: 'const beforeTransaction = async () => true' })
  expect(mended.json.data.result).toMatchObject({ error: null })
})

test('the same text saved twice is two versions', async () => {
  const holder = await CardHolder.of()
  expect(await saved(holder, '// one')).not.toBe(await saved(holder, '// one'))
})

test('before anything is published, published code is a 400 that says so', async () => {
  const holder = await CardHolder.of()
  const { status, json } = await holder.get(`/${card}/publishedcode`)
  expect([status, json.type]).toEqual([400, 'urn:sandbox-server:problem:nothing-published'])
})

test.each([
  ['codeid', 'codeid', ''],
  ['codeId', 'codeId', ' '],
  ['codeid in lower case, with other code', 'lower', '// not this'],
])('an older version is published by its %s; the code of the request is ignored', async (_, how, code) => {
  const holder = await CardHolder.of()
  const first = await saved(holder, '// first')
  await saved(holder, '// second')
  const name = how === 'lower' ? 'codeid' : how
  const { status, json } = await holder.post(`/${card}/publish`, {
    [name]: how === 'lower' ? first.toLowerCase() : first,
    code,
  })
  expect(status).toBe(200)
  expect(json.data.result).toMatchObject({ codeId: first, code: '// first', publishedAt: now })
  expect((await holder.get(`/${card}/code`)).json.data.result.code).toBe('// second')
})

test('code has the instant at which it was last published', async () => {
  const holder = await CardHolder.of()
  const codeid = await saved(holder, '// one')
  await holder.client.control('POST', 'clock', { advance: 'PT10M' })
  const { json } = await holder.post(`/${card}/publish`, { codeid, code: '' })
  expect(json.data.result).toMatchObject({ createdAt: now, publishedAt: '2026-03-25T08:10:00.000Z' })
})

test("another card's code cannot be published, nor code that does not exist", async () => {
  const holder = await CardHolder.of()
  const others = await saved(holder, '// of the other', otherCard)
  for (const codeid of [others, '', 'constructor', '00000000-0000-4000-8000-000000000000']) {
    const { status, json } = await holder.post(`/${card}/publish`, { codeid, code: '' })
    expect([status, json.type]).toEqual([400, 'urn:sandbox-server:problem:unknown-code'])
  }
  expect((await holder.get(`/${card}/publishedcode`)).status).toBe(400)
})

test.each([
  [{ codeid: 5, code: 5 }, ['/codeid', '/code']],
  [{ codeid: 'x', code: null }, ['/code']],
  [{ codeid: 'x', code: '', version: 2 }, ['/version']],
])('publish refuses %j and names %j', async (body, paths) => {
  const holder = await CardHolder.of({ strict: true })
  const { status, json } = await holder.post(`/${card}/publish`, body)
  expect(status).toBe(400)
  expect(json.errors.map(({ path }: { path: string }) => path)).toEqual(paths)
})

test.each([{}, { code: '' }, { code: ' ' }, undefined, ''])(
  'publish with the body %j publishes the saved code',
  async (body) => {
    const holder = await CardHolder.of({ strict: true })
    await saved(holder, '// first')
    const latest = await saved(holder, '// second')
    const { status, json } = await holder.client.call('POST', `/za/v1/cards/${card}/publish`, body)
    expect([status, json.data.result.codeId]).toEqual([200, latest])
  },
)

test.each([[{}], [{ code: null }], [{ code: 5 }], [{ code: ['x'] }], [{ code: 'x', codeid: 'y' }]])(
  'save refuses %j',
  async (body) => {
    const holder = await CardHolder.of({ strict: true })
    expect((await holder.post(`/${card}/code`, body)).status).toBe(400)
  },
)

test('code keeps every character, and what is too long is refused', async () => {
  const holder = await CardHolder.of()
  const code = '// \u0000 \ud800 é 🏦 </script>\r\n\u2028`${1}`'
  expect((await holder.post(`/${card}/code`, { code })).json.data.result.code).toBe(code)
  expect((await holder.post(`/${card}/code`, { code: 'x'.repeat(262_145) })).status).toBe(400)
})

test('old versions are dropped when there are too many, but never the published one', async () => {
  const holder = await CardHolder.of()
  const first = await holder.publish('// first')
  const second = await saved(holder, '// second')
  for (let i = 0; i < 520; i++) await saved(holder, `// ${i}`)
  expect((await holder.get(`/${card}/publishedcode`)).json.data.result.codeId).toBe(first)
  expect((await holder.post(`/${card}/publish`, { codeid: second, code: '' })).status).toBe(400)
})

test('variables: the whole set is replaced, numbers and booleans become text', async () => {
  const holder = await CardHolder.of()
  expect((await holder.get(`/${card}/environmentvariables`)).json.data.result.variables).toEqual({})
  const variables = { LIMIT: 500, ON: true, OFF: false, RATE: 0.1, NAME: 'x', EMPTY: '' }
  const { json } = await holder.post(`/${card}/environmentvariables`, { variables })
  expect(json.data.result).toEqual({
    variables: { LIMIT: '500', ON: 'true', OFF: 'false', RATE: '0.1', NAME: 'x', EMPTY: '' },
    createdAt: now,
    updatedAt: now,
    error: null,
  })
  await holder.post(`/${card}/environmentvariables`, { variables: { ONLY: '1' } })
  expect((await holder.get(`/${card}/environmentvariables`)).json.data.result.variables).toEqual({
    ONLY: '1',
  })
  await holder.post(`/${card}/environmentvariables`, {})
  expect((await holder.get(`/${card}/environmentvariables`)).json.data.result.variables).toEqual({})
})

test('hostile names of variables are treated as plain names', async () => {
  const holder = await CardHolder.of()
  const body = '{"variables":{"__proto__":"a","constructor":"b","toString":"c","é 🏦":"d"}}'
  const { sandbox, token } = holder.client
  const { status } = await sandbox.handle({
    method: 'POST',
    path: `/za/v1/cards/${card}/environmentvariables`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
  })
  expect(status).toBe(200)
  const shown = (await holder.get(`/${card}/environmentvariables`)).body
  expect(shown).toContain('{"__proto__":"a","constructor":"b","toString":"c","é 🏦":"d"}')
  const code =
    'const beforeTransaction = async () => { console.log(Object.entries(process.env)); return true }'
  const [before] = (await holder.simulate(code)).json.data.result as Execution[]
  expect(before!.logs[0]!.content).toContain('["__proto__","a"],["constructor","b"]')
})

test.each([
  [{ variables: { a: { b: 1 } } }, '/variables/a'],
  [{ variables: { 'a/b': ['x'] } }, '/variables/a~1b'],
  [{ variables: { a: null } }, '/variables/a'],
  [{ variables: { '': 'x' } }, '/variables'],
  [{ variables: ['x'] }, '/variables'],
  [{ variables: 'x' }, '/variables'],
  [{ variables: { a: 'x'.repeat(32_769) } }, '/variables/a'],
  [{ variables: Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`n${i}`, 'x'])) }, '/variables'],
  [{ values: {} }, '/values'],
])('variables %#: a 400 that names the place, and nothing is replaced', async (body, path) => {
  const holder = await CardHolder.of({ strict: true })
  await holder.post(`/${card}/environmentvariables`, { variables: { KEPT: '1' } })
  const { status, json } = await holder.post(`/${card}/environmentvariables`, body)
  expect([status, json.errors[0].path]).toEqual([400, path])
  expect((await holder.get(`/${card}/environmentvariables`)).json.data.result.variables).toEqual({
    KEPT: '1',
  })
})

test('the toggle answers in the shapes that both kinds of clients read', async () => {
  const holder = await CardHolder.of()
  for (const Enabled of [false, false, true]) {
    const { status, json } = await holder.post(`/${card}/toggle-programmable-feature`, { Enabled })
    const envelope = { data: { result: { Enabled } }, links: { self: null }, meta: { totalPages: 1 } }
    expect([status, json]).toEqual([200, { Enabled, ...envelope }])
  }
  for (const body of [{}, { Enabled: 'true' }, { Enabled: null }, { enabled: null }])
    expect((await holder.post(`/${card}/toggle-programmable-feature`, body)).status).toBe(400)
})

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
