import { expect, test } from '@jest/globals'
import { Validator } from '@seriousme/openapi-schema-validator'
import { service } from '../src/service/index.js'
import { endpoints } from '../src/sandbox/endpoints.js'
import { behaviours, type Behaviour } from '../src/protocol/behaviour.js'
import { control } from '../src/control/index.js'
import { sampleOf } from '../src/endpoint/examples.js'
import { answerSchema } from '../src/endpoint/openapi.js'
import { Sandbox } from '../src/sandbox/sandbox.js'
import type { Schema } from '../src/protocol/schema.js'
import { breaches } from './contract.js'

const sandbox = (behaviour: Behaviour = 'documented') =>
  new Sandbox({ nowMs: Date.UTC(2026, 2, 25, 8), behaviour })

for (const endpoint of endpoints)
  for (const behaviour of behaviours)
    test(`the example of ${endpoint.method} ${endpoint.path} is answered as declared, ${behaviour}`, async () => {
      const asked = sandbox(behaviour)
      const { call, reply } = await sampleOf(endpoint, asked)
      await asked.close()
      expect(`${reply.status} ${Buffer.from(reply.body).toString().slice(0, 500)}`).toMatch(/^200 /)
      expect(await breaches(call, reply, behaviour)).toEqual([])
    })

test.each([
  ['service', 'documented'],
  ['service', 'observed'],
  ['control', 'documented'],
  ['control', 'observed'],
] as const)('the OpenAPI document of the %s API is valid, %s', async (api, behaviour) => {
  const document = await sandbox().openApi(api, undefined, behaviour)
  const { valid, errors } = await new Validator().validate(structuredClone(document) as never)
  expect(errors ?? []).toEqual([])
  expect(valid).toBe(true)
})

test('the documents contain every endpoint, each with its own name and an example that is a real answer', async () => {
  for (const [api, list] of [['service', service] as const, ['control', control] as const]) {
    const { paths } = (await sandbox().openApi(api)) as { paths: Record<string, Record<string, Operation>> }
    const names = Object.values(paths).flatMap((item) => Object.values(item).map((each) => each.operationId))
    expect(new Set(names).size).toBe(names.length)
    for (const { path, aliases = [], method } of list)
      for (const each of [path, ...aliases]) expect(paths[each]).toHaveProperty(method.toLowerCase())
  }
})

interface Operation {
  readonly operationId: string
}

test('the document of the service declares the refusals of the behaviour that is set', async () => {
  const read = async (behaviour: Behaviour) => {
    const { status, body } = await sandbox(behaviour).handle({
      method: 'GET',
      path: '/_sandbox/openapi.json',
    })
    expect(status).toBe(200)
    return JSON.parse(String(body)) as {
      paths: Record<string, Record<string, { responses: Record<string, { content?: object }> }>>
    }
  }
  const accounts = '/za/pb/v1/accounts'
  const token = '/identity/v2/oauth2/token'
  const documented = (await read('documented')).paths
  expect(Object.keys(documented[accounts]!.get!.responses)).not.toContain('403')
  expect(Object.keys(documented[token]!.post!.responses['401']!.content ?? {})).toEqual(['application/json'])
  const observed = (await read('observed')).paths
  expect(Object.keys(observed[accounts]!.get!.responses)).toContain('403')
  expect(observed[token]!.post!.responses['401']!.content).toBeUndefined()
})

test('schemas with the same title are the same', () => {
  const known = new Map<string, string>()
  const visit = (schema: Schema): void => {
    const { title, properties = {}, items, anyOf = [], additionalProperties } = schema
    const text = JSON.stringify(schema)
    if (title !== undefined) {
      expect(text).toBe(known.get(title) ?? text)
      known.set(title, text)
    }
    for (const each of [...Object.values(properties), ...anyOf]) visit(each)
    if (items) visit(items)
    if (typeof additionalProperties === 'object') visit(additionalProperties)
  }
  for (const endpoint of endpoints)
    for (const schema of [answerSchema(endpoint), endpoint.query, endpoint.body, endpoint.form])
      if (schema) visit(schema)
  expect(known.size).toBeGreaterThan(10)
})

test('the documents are served, for the requested address', async () => {
  for (const path of ['/_sandbox/openapi.json', '/_sandbox/control.json']) {
    const { status, body } = await sandbox().handle({ method: 'GET', path, origin: 'http://localhost:1' })
    expect(status).toBe(200)
    expect(JSON.parse(body as string)).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: 'http://localhost:1' }],
    })
  }
})
