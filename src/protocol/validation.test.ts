import { expect, jest, test } from '@jest/globals'
import { endpoints } from '../sandbox/endpoints.js'
import type { Schema } from './schema.js'
import { checkOf } from './validation.js'

const schema = {
  type: 'object',
  properties: {
    list: {
      type: 'array',
      maxItems: 3,
      items: {
        type: 'object',
        properties: {
          amount: { type: 'string', pattern: '^[0-9]+$', description: 'A number of rand. Default 5.' },
        },
        required: ['amount'],
        additionalProperties: false,
      },
    },
    day: { type: 'string', format: 'date' },
    kind: { enum: ['a', 'b'] },
    fixed: { const: 1 },
    'a/b~c': { type: 'integer' },
    names: { type: 'object', propertyNames: { type: 'string', minLength: 1, maxLength: 5 } },
    mixed: { type: ['string', 'number', 'null'] },
    either: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  },
  required: ['day'],
  additionalProperties: false,
} as const satisfies Schema

const faults = async (value: unknown) =>
  (await checkOf(schema))(value).map(({ path, message }) => `${path} ${message}`)

test('a valid value has no errors', async () => {
  expect(
    await faults({ day: '2024-02-29', list: [{ amount: '1' }], kind: 'a', fixed: 1, either: null }),
  ).toEqual([])
})

test('all errors are reported at once, each with the pointer to its place', async () => {
  const value = {
    list: [{ amount: '1' }, { amount: 'x', more: 1 }, {}, { amount: 5 }],
    day: '2026-02-30',
    kind: 'c',
    fixed: 2,
    'a/b~c': 'x',
    either: 5,
    mixed: true,
    names: { '': 1 },
    'un/known': true,
  }
  const found = await faults(value)
  expect(found.sort()).toEqual([
    '/a~1b~0c must be integer',
    '/day must be a date that exists, written as 2026-03-25',
    '/either must be null',
    '/either must be string',
    '/fixed must be 1',
    '/kind must be one of "a", "b"',
    '/list must NOT have more than 3 items',
    '/list/1/amount is not a number of rand',
    '/list/1/more is not a known field; known are amount',
    '/list/2/amount is missing',
    '/list/3/amount must be string',
    '/mixed must be string or number or null',
    '/names has a name that must NOT have fewer than 1 characters',
    '/un~1known is not a known field; known are list, day, kind, fixed, a/b~c, names, mixed, either',
  ])
})

test('for a choice, only the errors about the kind of value that was sent are reported', async () => {
  const limit = {
    anyOf: [
      {
        type: 'object',
        properties: { requests: { type: 'integer', minimum: 1 }, per: { type: 'string' } },
        required: ['requests'],
        additionalProperties: false,
      },
      { type: 'null' },
      { const: 'all' },
    ],
  } as const satisfies Schema
  const choices = { type: 'object', properties: { limit, list: { type: 'array', items: limit } } } as const
  const check = await checkOf(choices)
  const said = (value: unknown) => check(value).map(({ path, message }) => `${path} ${message}`)
  expect(said({ limit: { requests: 0, per: 1 } })).toEqual([
    '/limit/requests must be >= 1',
    '/limit/per must be string',
  ])
  expect(said({ limit: {} })).toEqual(['/limit/requests is missing'])
  expect(said({ limit: 5 })).toEqual(['/limit must be object', '/limit must be null', '/limit must be "all"'])
  expect(said({ list: [null, { requests: 'x' }, 'all', 'some', { requests: 1, more: 1 }] })).toEqual([
    '/list/1/requests must be integer',
    '/list/3 must be object',
    '/list/3 must be null',
    '/list/3 must be "all"',
    '/list/4/more is not a known field; known are requests, per',
  ])
})

test.each([null, 5, 'text', [], true])(
  '%p instead of an object is one error, about the whole value',
  async (value) => {
    expect(await faults(value)).toEqual(['/ must be object'])
  },
)

test('names of prototypes are treated like other names', async () => {
  const value = JSON.parse('{"__proto__":{"day":"2026-01-01"},"constructor":1,"toString":2}') as unknown
  expect((await faults(value)).sort()).toEqual([
    '/__proto__ is not a known field; known are list, day, kind, fixed, a/b~c, names, mixed, either',
    '/constructor is not a known field',
    '/day is missing',
    '/toString is not a known field',
  ])
  expect(({} as Record<string, unknown>).day).toBeUndefined()
})

test('a thousand errors are cut at a hundred, and a long name at 200 characters', async () => {
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`x${index}`, 1]))
  expect(await faults(many)).toHaveLength(100)
  const [long] = await faults({ day: '2026-01-01', ['y'.repeat(5000)]: 1 })
  expect(long!.length).toBeLessThan(300)
})

test('a choice with half a million errors is refused at once', async () => {
  const check = await checkOf({ anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] })
  const found = check(Array.from({ length: 500_000 }, () => 5))
  expect([found.length, found[0]]).toEqual([100, { path: '/0', message: 'must be string' }])
})

test('every schema of every endpoint compiles in strict mode', async () => {
  for (const { query, body, form, response } of endpoints)
    for (const each of [query, body, form, response])
      if (each) await expect(checkOf(each)).resolves.toBeInstanceOf(Function)
})

/** Every schema of a text with a pattern, in the queries and bodies of both APIs. */
function* patternsOf(schema: Schema): Generator<Schema> {
  if (schema.pattern !== undefined) yield schema
  const { properties = {}, anyOf = [], items, additionalProperties, propertyNames } = schema
  const inner = [...Object.values(properties), ...anyOf]
  for (const each of [...inner, items, additionalProperties, propertyNames])
    if (typeof each === 'object') yield* patternsOf(each)
}

test('the work of a pattern grows at most with the length of the text', async () => {
  const schemas = endpoints.flatMap(({ query, body }) =>
    [query, body].flatMap((each) => (each ? [...patternsOf(each)] : [])),
  )
  expect(schemas.length).toBeGreaterThan(20)
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its object below
  const { test: original } = RegExp.prototype
  let work = 0
  // The square is the worst case: a pattern that is tried from each character.
  const counting = jest.spyOn(RegExp.prototype, 'test').mockImplementation(function (this: RegExp, text) {
    if (this.unicode) work += text.length ** 2
    return original.call(this, text)
  })
  const workOf = async (schema: Schema, text: string): Promise<number> => {
    work = 0
    expect((await checkOf(schema))(text)).not.toEqual([])
    return work
  }
  try {
    for (const schema of schemas)
      for (const piece of ['a', ' ', '0', '*.', '\u{1f600}', 'http://a']) {
        const half = `${piece.repeat(Math.floor(500_000 / piece.length))}\u0000`
        const whole = `${piece.repeat(Math.floor(1_000_000 / piece.length))}\u0000`
        const [least, most] = [await workOf(schema, half), await workOf(schema, whole)]
        expect(most).toBeLessThanOrEqual(2 * least)
      }
  } finally {
    counting.mockRestore()
  }
})

test('a list is checked for duplicates in one pass', async () => {
  const check = await checkOf({ type: 'array', items: { type: 'string' }, uniqueItems: true })
  const items = Array.from({ length: 60_000 }, (_, index) => `item ${index}`)
  expect(check(items)).toEqual([])
  expect(check([...items, 'item 7'])).toEqual([{ path: '/', message: 'must not contain an item twice' }])
})

test('a name of a megabyte is cut in the pointer to its value', async () => {
  const names = { type: 'object', additionalProperties: { type: 'string' } } as const satisfies Schema
  const found = (await checkOf(names))({ ['a/'.repeat(500_000)]: 1, [`${'b'.repeat(199)}/c`]: 2 })
  expect(found.map(({ path }) => path.length)).toEqual([200, 200])
  expect(found.map(({ message }) => message)).toEqual(['must be string', 'must be string'])
})

test('the length of a text counts characters, and code units where these decide', async () => {
  const text = { type: 'string', maxLength: 4 } as const satisfies Schema
  const check = await checkOf(text)
  const fitting = ['', 'abcd', '𝒶𝒷𝒸𝒹', '\ud800\ud800']
  expect(fitting.flatMap((each) => check(each))).toEqual([])
  for (const long of ['abcde', '𝒶𝒷𝒸𝒹e', '\ud800'.repeat(5), 'x'.repeat(1_000_000)])
    expect(check(long)).toEqual([{ path: '/', message: 'must NOT have more than 4 characters' }])
})
