import { expect, test } from '@jest/globals'
import { Validator } from '@seriousme/openapi-schema-validator'
import { service } from '../src/service/index.js'
import { endpoints } from '../src/sandbox/endpoints.js'
import { control } from '../src/control/index.js'
import { sampleOf } from '../src/endpoint/examples.js'
import { answerSchema } from '../src/endpoint/openapi.js'
import { Sandbox } from '../src/sandbox/sandbox.js'
import type { Schema } from '../src/protocol/schema.js'
import { breaches } from './contract.js'

const sandbox = () => new Sandbox({ nowMs: Date.UTC(2026, 2, 25, 8) })

for (const endpoint of endpoints)
  test(`the example of ${endpoint.method} ${endpoint.path} is answered as declared`, async () => {
    const asked = sandbox()
    const { call, reply } = await sampleOf(endpoint, asked)
    await asked.close()
    expect(`${reply.status} ${Buffer.from(reply.body).toString().slice(0, 500)}`).toMatch(/^200 /)
    expect(await breaches(call, reply)).toEqual([])
  })

test.each(['service', 'control'] as const)('the OpenAPI document of the %s API is valid', async (api) => {
  const document = await sandbox().openApi(api)
  const { valid, errors } = await new Validator().validate(structuredClone(document) as never)
  expect(errors ?? []).toEqual([])
  expect(valid).toBe(true)
})

test('the documents hold every endpoint, each with a name of its own and an example that is an answer', async () => {
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

test('schemas of one title are one schema', () => {
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

test('the documents are served, for the address that was asked', async () => {
  for (const path of ['/_sandbox/openapi.json', '/_sandbox/control.json']) {
    const { status, body } = await sandbox().handle({ method: 'GET', path, origin: 'http://localhost:1' })
    expect(status).toBe(200)
    expect(JSON.parse(body as string)).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: 'http://localhost:1' }],
    })
  }
})
