// Whether a value fits a schema, without ajv: loading ajv and compiling a first schema takes longer than everything else
// that a short command or a first call does. It only ever says yes where ajv would; where it says no, ajv decides and
// words the errors.

import { parseDay, parseInstant } from '../determinism/day.js'
import type { Schema } from './schema.js'

/** The longest text that a pattern is tried on when its schema sets no limit. */
const maxPatternLength = 10_000
/** No date or instant is longer. */
const maxDateLength = 100

/** The formats that schemas use. */
export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  date: (text) => text.length <= maxDateLength && parseDay(text) !== undefined,
  'date-time': (text) =>
    text.length <= maxDateLength && text.includes('T') && parseInstant(text) !== undefined,
}

/** The test of a pattern: a text that is longer than its schema allows is left to `maxLength`. */
export function patternTest(pattern: string, maxLength: number | undefined): (text: string) => boolean {
  const expression = new RegExp(pattern, 'u')
  // A character has at most two code units.
  return (text) =>
    text.length <= 2 * (maxLength ?? maxPatternLength) ? expression.test(text) : maxLength !== undefined
}

/** Whether a text has at most so many characters. A character has one or two code units: most texts need no counting. */
export const hasAtMost = (text: string, limit: number): boolean =>
  text.length <= limit || (text.length <= 2 * limit && Array.from(text).length <= limit)

/** Whether no two items are equal; takes time in proportion to the length of the list. */
export const areUnique = (items: readonly unknown[]): boolean =>
  new Set(items.map((item) => JSON.stringify(item))).size === items.length

/** Keywords that say nothing about a value. */
const notes = ['title', 'description', 'default', 'examples']

type Keyword = Exclude<keyof Schema, 'title' | 'description' | 'default' | 'examples'>
type Test<K extends Keyword> = (value: unknown, wanted: NonNullable<Schema[K]>, schema: Schema) => boolean

const tests: { readonly [K in Keyword]: Test<K> } = {
  type: (value, wanted) => [wanted].flat().some((type) => isOfType(value, type)),
  const: (value, wanted) => value === wanted,
  enum: (value, wanted) => wanted.includes(value),
  anyOf: (value, wanted) => wanted.some((each) => fits(each, value)),
  properties: (value, wanted) =>
    !isObject(value) ||
    Object.entries(wanted).every(([name, each]) => value[name] === undefined || fits(each, value[name])),
  required: (value, wanted) => !isObject(value) || wanted.every((name) => value[name] !== undefined),
  additionalProperties: (value, wanted, { properties = {} }) =>
    !isObject(value) ||
    wanted === true ||
    Object.keys(value).every(
      (name) => Object.hasOwn(properties, name) || (wanted !== false && fits(wanted, value[name])),
    ),
  propertyNames: (value, wanted) =>
    !isObject(value) || Object.keys(value).every((name) => fits(wanted, name)),
  minProperties: (value, wanted) => !isObject(value) || Object.keys(value).length >= wanted,
  maxProperties: (value, wanted) => !isObject(value) || Object.keys(value).length <= wanted,
  items: (value, wanted) => !Array.isArray(value) || value.every((item) => fits(wanted, item)),
  minItems: (value, wanted) => !Array.isArray(value) || value.length >= wanted,
  maxItems: (value, wanted) => !Array.isArray(value) || value.length <= wanted,
  uniqueItems: (value, wanted) => !wanted || !Array.isArray(value) || areUnique(value),
  // ajv counts characters, of which a text has at least half as many as code units.
  minLength: (value, wanted) =>
    typeof value !== 'string' || (wanted <= 1 ? value.length >= wanted : value.length >= 2 * wanted),
  maxLength: (value, wanted) => typeof value !== 'string' || value.length <= wanted,
  pattern: (value, wanted, { maxLength }) =>
    typeof value !== 'string' || patternTest(wanted, maxLength)(value),
  format: (value, wanted) => typeof value !== 'string' || (formats[wanted]?.(value) ?? false),
  minimum: (value, wanted) => typeof value !== 'number' || value >= wanted,
  maximum: (value, wanted) => typeof value !== 'number' || value <= wanted,
  exclusiveMinimum: (value, wanted) => typeof value !== 'number' || value > wanted,
}

/** Whether a value certainly fits a schema. False also means: perhaps. */
export function fits(schema: Schema, value: unknown): boolean {
  return Object.entries(schema).every(([keyword, wanted]) => {
    if (notes.includes(keyword) || wanted === undefined) return true
    const test = Object.hasOwn(tests, keyword) ? (tests[keyword as Keyword] as Test<Keyword>) : undefined
    return test?.(value, wanted as never, schema) ?? false
  })
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'number') return Number.isFinite(value)
  return typeof value === type
}
