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
/** Whether a value certainly fits. */
type Fit = (value: unknown) => boolean
type Reader<K extends Keyword> = (wanted: NonNullable<Schema[K]>, schema: Schema) => Fit

/** What each keyword asks of a value. A schema is read once: a state has a million values. */
const readers: { readonly [K in Keyword]: Reader<K> } = {
  type: (wanted) => {
    const tests = [wanted].flat().map((type): Fit => ofType[type])
    return tests.length === 1 ? tests[0]! : (value) => tests.some((test) => test(value))
  },
  const: (wanted) => (value) => value === wanted,
  enum: (wanted) => (value) => wanted.includes(value),
  anyOf: (wanted) => {
    const choices = wanted.map(fitOf)
    return (value) => choices.some((fit) => fit(value))
  },
  properties: (wanted) => {
    const members = Object.entries(wanted).map(([name, each]) => ({ name, fit: fitOf(each) }))
    return ofObject((value) =>
      members.every(({ name, fit }) => value[name] === undefined || fit(value[name])),
    )
  },
  required: (wanted) => ofObject((value) => wanted.every((name) => value[name] !== undefined)),
  additionalProperties: (wanted, { properties = {} }) => {
    if (wanted === true) return () => true
    const known = new Set(Object.keys(properties))
    const fit = wanted === false ? () => false : fitOf(wanted)
    return ofObject((value) => Object.keys(value).every((name) => known.has(name) || fit(value[name])))
  },
  propertyNames: (wanted) => {
    const fit = fitOf(wanted)
    return ofObject((value) => Object.keys(value).every(fit))
  },
  minProperties: (wanted) => ofObject((value) => Object.keys(value).length >= wanted),
  maxProperties: (wanted) => ofObject((value) => Object.keys(value).length <= wanted),
  items: (wanted) => {
    const fit = fitOf(wanted)
    return ofList((value) => value.every(fit))
  },
  minItems: (wanted) => ofList((value) => value.length >= wanted),
  maxItems: (wanted) => ofList((value) => value.length <= wanted),
  uniqueItems: (wanted) => (wanted ? ofList(areUnique) : () => true),
  // ajv counts characters, of which a text has at least half as many as code units.
  minLength: (wanted) => ofText((value) => value.length >= (wanted <= 1 ? wanted : 2 * wanted)),
  maxLength: (wanted) => ofText((value) => value.length <= wanted),
  pattern: (wanted, { maxLength }) => ofText(patternTest(wanted, maxLength)),
  format: (wanted) => ofText(formats[wanted] ?? (() => false)),
  minimum: (wanted) => ofNumber((value) => value >= wanted),
  maximum: (wanted) => ofNumber((value) => value <= wanted),
  exclusiveMinimum: (wanted) => ofNumber((value) => value > wanted),
}

const read = new WeakMap<Schema, Fit>()

/** Whether a value certainly fits a schema. False also means: perhaps. */
export const fits = (schema: Schema, value: unknown): boolean => fitOf(schema)(value)

function fitOf(schema: Schema): Fit {
  const known = read.get(schema)
  if (known) return known
  const parts = Object.entries(schema).flatMap(([keyword, wanted]): Fit[] => {
    if (notes.includes(keyword) || wanted === undefined) return []
    if (!Object.hasOwn(readers, keyword)) return [() => false]
    return [(readers[keyword as Keyword] as Reader<Keyword>)(wanted as never, schema)]
  })
  const fit: Fit = (value) => parts.every((part) => part(value))
  read.set(schema, fit)
  return fit
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const ofType = {
  null: (value: unknown) => value === null,
  array: Array.isArray,
  object: isObject,
  integer: Number.isInteger,
  number: Number.isFinite,
  string: (value: unknown) => typeof value === 'string',
  boolean: (value: unknown) => typeof value === 'boolean',
} satisfies Record<string, Fit>

// A keyword that is about one type says nothing about values of another one.

const ofObject = (test: (value: Record<string, unknown>) => boolean): Fit => {
  return (value) => !isObject(value) || test(value)
}

const ofList = (test: (value: readonly unknown[]) => boolean): Fit => {
  return (value) => !Array.isArray(value) || test(value)
}

const ofText = (test: (value: string) => boolean): Fit => {
  return (value) => typeof value !== 'string' || test(value)
}

const ofNumber = (test: (value: number) => boolean): Fit => {
  return (value) => typeof value !== 'number' || test(value)
}
