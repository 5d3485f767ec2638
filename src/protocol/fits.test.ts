import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { endpoints } from '../sandbox/endpoints.js'
import { fits } from './fits.js'
import type { Schema } from './schema.js'
import { checkOf } from './validation.js'

const schemas: Schema[] = endpoints.flatMap(({ body, query }) => [body ?? [], query ?? []].flat())

/** Values that come near to a schema: right in most places, wrong in some. */
function near(schema: Schema): fc.Arbitrary<unknown> {
  const { type, enum: choices, anyOf, properties, items, additionalProperties, examples, minimum } = schema
  const right: fc.Arbitrary<unknown>[] = []
  if (choices) right.push(fc.constantFrom(...choices))
  if (examples) right.push(fc.constantFrom(...examples))
  if ('const' in schema) right.push(fc.constant(schema.const))
  for (const each of anyOf ?? []) right.push(near(each))
  for (const name of [type ?? []].flat()) {
    if (name === 'string')
      right.push(
        fc.string(),
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('2026-03-25', 'a@b.example', '1.00'),
      )
    if (name === 'number' || name === 'integer')
      right.push(fc.integer({ min: (minimum ?? 0) - 1, max: (minimum ?? 0) + 100 }), fc.double())
    if (name === 'boolean') right.push(fc.boolean())
    if (name === 'null') right.push(fc.constant(null))
    if (name === 'array') right.push(fc.array(items ? near(items) : fc.jsonValue(), { maxLength: 4 }))
    if (name === 'object') {
      const known = Object.entries(properties ?? {}).map(([key, each]) => [key, near(each)] as const)
      const { required = [] } = schema
      const whole = fc.record(Object.fromEntries(known), { requiredKeys: [...required] })
      const map = fc.dictionary(
        fc.string(),
        typeof additionalProperties === 'object' ? near(additionalProperties) : fc.jsonValue(),
        { maxKeys: 3 },
      )
      right.push(
        whole,
        fc.tuple(whole, map).map(([one, other]) => ({ ...one, ...other })),
      )
    }
  }
  const wrong = fc.jsonValue({ maxDepth: 2 })
  return right.length === 0 ? wrong : fc.oneof({ weight: 12, arbitrary: fc.oneof(...right) }, wrong)
}

test('what fits has no errors by ajv either, in every schema of both APIs', async () => {
  let fitting = 0
  for (const schema of schemas) {
    const check = await checkOf(schema)
    fc.assert(
      fc.property(near(schema), (value) => {
        if (!fits(schema, value)) return
        fitting++
        expect(check(value)).toEqual([])
      }),
      { numRuns: 40 },
    )
  }
  // Otherwise the property above would say little.
  expect(fitting).toBeGreaterThan(schemas.length * 8)
})

test.each<[string, Schema, readonly unknown[], readonly unknown[]]>([
  ['types', { type: ['string', 'null'] }, ['', null], [undefined, 1, [], {}]],
  ['integers', { type: 'integer' }, [1, -0, 2 ** 53], [1.5, '1', NaN, Infinity]],
  ['numbers', { type: 'number' }, [1.5], [NaN, Infinity, '1']],
  ['lengths', { type: 'string', minLength: 1, maxLength: 2 }, ['a', 'ab'], ['', 'abc']],
  ['patterns', { type: 'string', pattern: '^a+$', maxLength: 5 }, ['aa'], ['b', 'a'.repeat(50)]],
  ['dates', { type: 'string', format: 'date' }, ['2024-02-29'], ['2026-02-30', '2026']],
  ['other formats', { type: 'string', format: 'uri' }, [], ['https://bank.example']],
  [
    'unique items',
    { type: 'array', uniqueItems: true },
    [
      [1, 2],
      [[1], [2]],
    ],
    [
      [1, 1],
      [{ a: 1 }, { a: 1 }],
    ],
  ],
  ['names', { type: 'object', propertyNames: { maxLength: 1 } }, [{ a: 1 }], [{ ab: 1 }]],
  ['other members', { type: 'object', additionalProperties: false }, [{}], [{ a: 1 }, { __proto__x: 1 }]],
  ['keywords that are not known', { not: {} } as Schema, [], [1]],
])('%s', (_, schema, good, bad) => {
  expect(good.map((value) => fits(schema, value))).toEqual(good.map(() => true))
  expect(bad.map((value) => fits(schema, value))).toEqual(bad.map(() => false))
})
