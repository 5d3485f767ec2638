// What a client can send is bounded: every list and text of both APIs has a limit, and a body is measured before it is
// parsed.

import { gzipSync } from 'node:zlib'
import { expect, test } from '@jest/globals'
import { card as cardKey } from './ids.js'
import type { Endpoint } from '../src/endpoint/endpoint.js'
import { listen } from '../src/http/server.js'
import type { Schema } from '../src/protocol/schema.js'
import { endpoints } from '../src/sandbox/endpoints.js'
import { halved, respond } from '../src/sandbox/respond.js'
import { stateText } from '../src/workspace/state.js'
import { Client, everyday, sandboxAt } from './client.js'

/** The schemas of what a client sends, each with its place. */
function* inputs({ method, path, body, query, form, pathParams }: Endpoint): Generator<[string, Schema]> {
  for (const [part, schema] of Object.entries({ body, query, form, ...pathParams }))
    if (schema) yield [`${method} ${path} ${part}`, schema]
}

/** The lists, maps and texts without a limit. */
function* unlimited(at: string, schema: Schema): Generator<string> {
  const is = (name: string): boolean => [schema.type].flat().includes(name as never)
  const { properties = {}, items, additionalProperties, anyOf = [] } = schema
  const isMap = typeof additionalProperties === 'object'
  if (is('array') && schema.maxItems === undefined) yield `${at} is a list without maxItems`
  if (isMap && schema.maxProperties === undefined) yield `${at} is a map without maxProperties`
  // A text of more than 20,000 characters matches no pattern, and none of more than 100 is a date.
  const isFormed = schema.pattern !== undefined || schema.format !== undefined || schema.enum !== undefined
  if (is('string') && schema.maxLength === undefined && !isFormed) yield `${at} is a text without maxLength`
  for (const [name, inner] of Object.entries(properties)) yield* unlimited(`${at}/${name}`, inner)
  if (items) yield* unlimited(`${at}/0`, items)
  if (isMap) yield* unlimited(`${at}/*`, additionalProperties)
  for (const inner of anyOf) yield* unlimited(at, inner)
}

test('every list, map and text that a client sends has a limit', () => {
  expect([...unlimited('body', { type: 'array', items: { type: ['string', 'null'] } })]).toHaveLength(2)
  expect([...unlimited('body', { type: 'object', additionalProperties: { type: 'number' } })]).toHaveLength(1)
  const found = endpoints.flatMap((endpoint) =>
    [...inputs(endpoint)].flatMap(([at, schema]) => [...unlimited(at, schema)]),
  )
  expect(found).toEqual([])
})

test('a text in the form of a date or a pattern is refused when it is too long, without being read', async () => {
  const client = await Client.of(sandboxAt())
  const { status, json } = await client.call(
    'GET',
    `/za/pb/v1/accounts/${everyday}/transactions?fromDate=2026-03-25&toDate=${'0'.repeat(100_000)}&page=${'1'.repeat(100_000)}`,
  )
  expect(status).toBe(400)
  expect((json as { errors: { path: string }[] }).errors.map(({ path }) => path).sort()).toEqual([
    '/page',
    '/toDate',
  ])
})

const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)])

test('a body nests at most 100 deep, and accepted data can be listed, exported and imported', async () => {
  const client = await Client.of(sandboxAt())
  const rule = (depth: number) => ({ match: { path: '/none' }, fault: { status: 500, body: nested(depth) } })
  const stub = (depth: number) => ({ match: { url: 'http://x/' }, respond: { json: nested(depth) } })
  expect((await client.control('POST', 'faults', rule(98))).status).toBe(200)
  expect((await client.control('POST', 'outbound/stubs', stub(98))).status).toBe(200)
  for (const [path, body] of [
    ['faults', rule(99)],
    ['outbound/stubs', stub(99)],
    ['requests/verify', { match: { body: nested(99) } }],
  ] as const) {
    const { status, json } = await client.control('POST', path, body)
    expect([status, (json as { detail: string }).detail]).toEqual([
      400,
      'The body nests lists and objects more than 100 deep.',
    ])
  }
  expect((await client.control('GET', 'faults')).status).toBe(200)
  expect((await client.control('GET', 'outbound/stubs')).status).toBe(200)
  const { status, json } = await client.control('GET', 'state')
  expect(status).toBe(200)
  expect((await client.control('PUT', 'state', json as object)).status).toBe(200)
})

test('a body of very many values is refused before it is parsed, and a list of bad items stops being checked', async () => {
  const sandbox = sandboxAt()
  const client = await Client.of(sandbox)
  const pay = `/za/pb/v1/accounts/${everyday}/paymultiple`
  const many = await client.call('POST', pay, { paymentList: Array.from({ length: 200_000 }, () => ({})) })
  expect([many.status, (many.json as { detail: string }).detail]).toEqual([
    400,
    'The body may hold at most 200000 lists, objects and values.',
  ])
  const bad = await client.call('POST', pay, { paymentList: Array.from({ length: 90_000 }, () => ({})) })
  expect((bad.json as { errors: unknown[] }).errors).toHaveLength(100)
  // Checking stops after 1,000 wrong items; the error after them is not found.
  const workspaces = [...Array.from({ length: 20_000 }, () => 1), 'x']
  const state = await client.control('PUT', 'state', {
    format: 'sandbox-server state',
    version: 1,
    workspaces,
  })
  expect((state.json as { errors: unknown[] }).errors).toHaveLength(100)
})

test('a state of small values that would take many times its text is refused, however it is nested', async () => {
  const sandbox = sandboxAt()
  const listening = await listen(sandbox, { host: '127.0.0.1', port: 0 })
  const put = async (text: string) => {
    const response = await fetch(`${listening.url}/_sandbox/state`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync(text),
    })
    return [response.status, ((await response.json()) as { detail: string }).detail]
  }
  const refusal = [400, 'The body holds more small values than its size allows.']
  expect(await put(`{"workspaces":[${'{},'.repeat(3_000_000)}{}]}`)).toEqual(refusal)
  expect(await put(`{"workspaces":[${'[],'.repeat(3_000_000)}[]]}`)).toEqual(refusal)
  const names = Array.from({ length: 300_000 }, (_, index) => `{"k${index}":1}`)
  expect(await put(`{"workspaces":[${names.join(',')}]}`)).toEqual(refusal)
  expect(await put(' '.repeat(256 * 1024 * 1024 + 1))).toEqual([400, 'Send at most 256 MiB.'])
  await listening.close()
})

test('faults and stubs take 16 million characters together, so that they can be listed and exported', () => {
  const { faults } = sandboxAt().main
  const rule = { match: { path: '/none' }, fault: { status: 500, body: 'x'.repeat(4_000_000) } }
  for (let i = 0; i < 4; i++) faults.add(rule)
  expect(() => faults.add(rule)).toThrow('would take the list beyond 16777216 characters')
  faults.remove('f3')
  expect(faults.add(rule).id).toBe('f5')
  faults.clear()
  expect(faults.add(rule).id).toBe('f1')
})

test('a state too long for a text leaves out executions, then old versions; a list has its later half', async () => {
  const sandbox = sandboxAt()
  const client = await Client.of(sandbox)
  const code = `const beforeTransaction = async () => { console.log('${'x'.repeat(50_000)}'); return true }`
  await client.call('POST', '/za/v1/cards/700615/code', { code })
  await client.call('POST', '/za/v1/cards/700615/code', { code: `${code} // saved` })
  expect(
    (await client.call('POST', '/za/v1/cards/700615/code/execute', { simulationcode: code })).status,
  ).toBe(200)
  const state = sandbox.main.state(await sandbox.main.open())
  const whole = stateText(state)
  const cardIn = (text: string) =>
    (JSON.parse(text) as typeof state).bank.cards.cards.find(({ card }) => card.cardKey === cardKey)!
  expect([cardIn(whole).executions.length, cardIn(whole).versions.length]).toEqual([2, 3])
  const lean = stateText(state, whole.length - 1)
  expect([cardIn(lean).executions.length, cardIn(lean).versions.length]).toEqual([0, 3])
  const least = stateText(state, lean.length - 1)
  expect([cardIn(least).executions.length, cardIn(least).versions.length]).toEqual([0, 1])
  expect(cardIn(least).versions[0]!.code).toContain('// saved')
  expect(() => stateText(state, least.length - 1)).toThrow(/longer than \d+ characters/)
  expect(halved({ calls: [1, 2, 3, 4, 5], name: 'x' })).toEqual({ calls: [4, 5], name: 'x' })
  const one = { calls: [1] }
  expect(halved(one)).toBe(one)
  await sandbox.close()
})

test('an answer too long for a text has fewer entries, and is no 500', () => {
  const endpoint = endpoints.find(({ path }) => path === '/_sandbox/requests')!
  // Like JSON.stringify when the text would be too long.
  const toJSON = () => {
    throw new RangeError('Invalid string length')
  }
  const requests = Object.assign([1, 2, 3, 4], { toJSON })
  const call = { method: 'GET', path: '/_sandbox/requests' }
  expect(respond(endpoint, { requests, dropped: 0 }, call)).toMatchObject({
    status: 200,
    body: '{"requests":[3,4],"dropped":0}',
  })
})

test('a query of the control API that is not a text is refused as declared', async () => {
  const sandbox = sandboxAt()
  const reply = await sandbox.handle({
    method: 'GET',
    path: '/_sandbox/health',
    query: { workspace: 1 } as never,
  })
  expect(reply.problem?.code).toBe('invalid-request')
  const { paths } = (await sandbox.openApi('control')) as {
    paths: Record<string, { get: { responses: Record<string, { description: string }> } }>
  }
  expect(paths['/_sandbox/health']!.get.responses['400']!.description).toContain('(invalid-request)')
})
