// Invalid bodies for every endpoint with a body: a refusal, never a 500, and nothing changes.

import { expect, test } from '@jest/globals'
import { endpoints } from '../src/sandbox/endpoints.js'
import { sampleOf } from '../src/endpoint/examples.js'
import { accountIds, Client, sandboxAt } from './client.js'

const deep = (open: string, close: string): string => open.repeat(100_000) + close.repeat(100_000)

const bodies: readonly (readonly [name: string, body: string | Uint8Array])[] = [
  ['nothing', ''],
  ['a space', ' '],
  ['broken JSON', '{'],
  ['JSON and more', '{} {}'],
  ['null', 'null'],
  ['a number', '1'],
  ['a list', '[{}]'],
  ['a text', '"x"'],
  ['a list in lists', deep('[', ']')],
  ['an object in objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  [
    'prototype names',
    '{"__proto__":{"x":1},"constructor":{"prototype":{}},"toString":null,"hasOwnProperty":1}',
  ],
  ['bytes that are no UTF-8', Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d)],
  ['a byte order mark in the middle', '{\ufeff}'],
  ['a huge number', '{"amount":1e999}'],
  ['many fields', JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`f${i}`, i])))],
]

/** Each value of a valid body, replaced by one of another type. */
function* spoiled(body: unknown): Generator {
  for (const value of [
    null,
    -1,
    1e308,
    '',
    '\u0000',
    '\ud800',
    'x'.repeat(10_000),
    true,
    [],
    [[]],
    {},
    { __proto__: null },
  ])
    yield* replaced(body, value)
}

function* replaced(node: unknown, value: unknown): Generator {
  yield value
  if (typeof node !== 'object' || node === null) return
  for (const [key, child] of Object.entries(node))
    for (const each of replaced(child, value))
      yield Array.isArray(node) ? node.with(Number(key), each) : { ...node, [key]: each }
}

const rowsOf = async (client: Client): Promise<string> =>
  JSON.stringify(
    await Promise.all(
      accountIds.map((accountId) =>
        client.data(`/za/pb/v1/accounts/${accountId}/transactions?fromDate=2000-01-01&includePending=true`),
      ),
    ),
  )

for (const endpoint of endpoints) {
  if (!endpoint.body) continue
  const { method, path } = endpoint

  test(`${method} ${path} refuses what is no fitting JSON, and nothing changes`, async () => {
    const sandbox = sandboxAt()
    const { call } = await sampleOf(endpoint, sandbox)
    const client = await Client.of(sandbox)
    const before = await rowsOf(client)
    for (const [name, body] of bodies) {
      const { status } = await sandbox.handle({
        ...call,
        headers: { ...call.headers, 'content-type': 'application/json' },
        body,
      })
      // A body without required fields may be empty or have other fields.
      expect([name, status === 400 || status === 200]).toEqual([name, true])
    }
    for (const type of [
      undefined,
      '',
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonx',
      'x'.repeat(9999),
    ]) {
      const headers = { ...call.headers, 'content-type': type }
      const { status } = await sandbox.handle({ ...call, headers, body: JSON.stringify(call.body ?? {}) })
      expect([type, status]).toEqual([type, 400])
    }
    expect(await rowsOf(client)).toBe(before)
    await sandbox.close()
  })

  test(`${method} ${path} takes any spoiled value without failing`, async () => {
    const sandbox = sandboxAt()
    const { call } = await sampleOf(endpoint, sandbox)
    for (const body of spoiled(call.body)) {
      const text = JSON.stringify(body)
      const { status, body: answer } = await sandbox.handle({
        ...call,
        headers: { ...call.headers, 'content-type': 'application/json' },
        body: text,
      })
      if (status === 500)
        throw new Error(`${text.slice(0, 300)} was answered ${Buffer.from(answer).toString().slice(0, 500)}`)
    }
    await sandbox.close()
  })
}

test('an object without JSON is refused, and one that changes later was read before', async () => {
  const sandbox = sandboxAt()
  const client = await Client.of(sandbox)
  const cyclic: Record<string, unknown> = {}
  cyclic.self = cyclic
  for (const body of [cyclic, { variables: { A: 1n } }, { toJSON: () => undefined }]) {
    const { status, json } = await client.call('POST', variablesPath, body)
    expect([status, (json as { type: string }).type]).toEqual([400, 'urn:sandbox-server:problem:broken-json'])
  }
  const token = await sandbox.handle({ method: 'POST', path: '/identity/v2/oauth2/token', body: cyclic })
  expect(token.status).toBe(401)
  const variables: Record<string, unknown> = { A: 'one', B: undefined }
  expect((await client.call('POST', variablesPath, { variables })).status).toBe(200)
  variables.A = 'two'
  expect(await client.data(variablesPath)).toMatchObject({ result: { variables: { A: 'one' } } })
})

const variablesPath = '/za/v1/cards/700615/environmentvariables'
