import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from '@jest/globals'
import { CaseFileSchema } from '../card-loop/case-schema.js'
import { RunSchema } from '../card-loop/run-schema.js'
import { endpoints } from './endpoints.js'

test('every schema fits the meta-schema of JSON Schema, which the sandbox does not check', () => {
  const ajv = new Ajv2020({ strict: true })
  const schemas = [
    ...endpoints.flatMap(({ body, query, form, response, pathParams = {} }) => [
      body,
      query,
      form,
      response,
      ...Object.values(pathParams),
    ]),
    CaseFileSchema,
    RunSchema,
  ].filter((schema) => schema !== undefined)
  expect(schemas.length).toBeGreaterThan(150)
  expect(schemas.filter((schema) => ajv.validateSchema(schema) !== true)).toEqual([])
  expect(ajv.validateSchema({ type: 'object', properties: { a: { maxLength: 'five' } } })).toBe(false)
})
