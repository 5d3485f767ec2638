import { expect, test } from '@jest/globals'
import { businessCard, card, CardHolder, otherCard, uuid } from '../../test/card-holder.js'
import type { Execution } from '../bank/cards/card-records.js'

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
