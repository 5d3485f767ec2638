// Between match and validate: converts what a client of the service sent to the declared form, and warns about each
// deviation. Driven by the schemas; the time is linear in the input.

import { parseIsoDate } from '../determinism/day.js'
import { pointerNames, pointerTo } from '../protocol/json-pointer.js'
import { isJsonObject, type JsonObject } from '../protocol/json.js'
import type { InputError } from '../protocol/problem.js'
import { quoted } from '../protocol/quote.js'
import type { Schema } from '../protocol/schema.js'
import { insteadOf, nearest } from '../protocol/nearest.js'
import type { Warning, WarningCode } from '../protocol/warning.js'
import type { Query } from './request.js'

/** The most deviations that are named for one call. */
const maxWarnings = 100

/** A longer name cannot be a spelling of a declared one. */
const maxNameLength = 60

/** The declarations in the schema of an object, prepared for look-ups. */
interface Shape {
  readonly properties: ReadonlyMap<string, Schema>
  /** Declared names by their lower-case form. */
  readonly folded: ReadonlyMap<string, string>
  readonly required: ReadonlySet<string>
  readonly isClosed: boolean
}

const shapes = new WeakMap<Schema, Shape>()

function shapeOf(schema: Schema): Shape {
  let shape = shapes.get(schema)
  if (!shape) {
    const properties = new Map(Object.entries(schema.properties ?? {}))
    const folded = new Map<string, string>()
    for (const name of properties.keys())
      if (!folded.has(name.toLowerCase())) folded.set(name.toLowerCase(), name)
    const isClosed = schema.additionalProperties === false
    shape = { properties, folded, required: new Set(schema.required), isClosed }
    shapes.set(schema, shape)
  }
  return shape
}

/** The results of converting one call to the declared form. */
export class Deviations {
  readonly warnings: Warning[] = []
  /** Ambiguous input: two other spellings of one field. */
  readonly errors: InputError[] = []
  /** How the client spelled names, by the pointer in the declared spelling. */
  readonly #spellings = new Map<string, string>()
  /** By the pointer of a declared field: the unknown name that was likely meant for it. */
  readonly #misspelt = new Map<string, string>()
  /** Pointers to objects whose member names the client capitalises. */
  readonly #capitals = new Set<string>()

  /** Adds a warning. */
  warn(code: WarningCode, path: string, message: string): void {
    if (!this.#isFull) this.warnings.push({ code, path, message })
  }

  /** Whether enough is said: finding the words for more takes time. */
  get #isFull(): boolean {
    return this.warnings.length >= maxWarnings
  }

  /** A body in the declared form. */
  body(schema: Schema, value: unknown): unknown {
    return this.#value(schema, value, '')
  }

  /** Path parameters in the declared form. */
  params(schemas: Readonly<Record<string, Schema>>, params: Record<string, string>): Record<string, string> {
    const found = { ...params }
    for (const [name, schema] of Object.entries(schemas))
      found[name] = this.#parameter(schema, params[name]!, pointerTo('', name))
    return found
  }

  /** Query parameters in the declared form; undeclared ones are passed on. */
  query(schema: Schema | undefined, query: Query): Query {
    const names = Object.keys(query)
    if (names.length === 0) return query
    const { properties, folded } = shapeOf(schema ?? {})
    const found = Object.create(null) as Record<string, string | readonly string[]>
    for (const name of names) {
      const path = pointerTo('', name)
      const declared = properties.has(name) ? name : folded.get(foldedName(name))
      const value = query[name]!
      if (declared === undefined) {
        if (this.#isFull) {
          found[name] = value
          continue
        }
        const known = [...properties.keys()]
        this.warn('unknown-parameter', path, `is not a parameter of this endpoint${insteadOf(name, known)}`)
        found[name] = value
        continue
      }
      const values = typeof value === 'string' ? [value] : value
      const given = values.filter((each) => each !== '')
      if (given.length < values.length) this.warn('empty-parameter', path, 'is empty, and counts as omitted')
      if (given.length === 0) continue
      if (declared !== name) {
        this.warn('field-case', path, `is spelled ${declared}`)
        if (Object.hasOwn(query, declared)) continue
        if (Object.hasOwn(found, declared)) {
          this.errors.push({ path, message: `is a second spelling of ${declared}; send only ${declared}` })
          continue
        }
        this.#spellings.set(`/${declared}`, name)
      }
      const leaf = properties.get(declared)!
      const read = given.map((each) => this.#parameter(leaf, each, path))
      found[declared] = read.length === 1 ? read[0]! : read
    }
    return found
  }

  /** The pointer in the client's spelling for one in the declared spelling. */
  asSent(pointer: string): string {
    if (this.#spellings.size === 0) return pointer
    let declared = ''
    let sent = ''
    for (const name of pointerNames(pointer)) {
      const isOfCapitals = this.#capitals.has(declared)
      declared = pointerTo(declared, name)
      const spelling = this.#spellings.get(declared) ?? (isOfCapitals ? capitalised(name) : name)
      sent = pointerTo(sent, spelling)
    }
    return sent
  }

  /** Errors with their pointers in the client's spelling. */
  errorsAsSent(errors: readonly InputError[]): readonly InputError[] {
    if (this.#spellings.size === 0 && this.#misspelt.size === 0) return errors
    return errors.map(({ path, message }) => {
      const sent = message === 'is missing' ? this.#misspelt.get(path) : undefined
      return {
        path: path === '/' ? path : this.asSent(path),
        message: sent === undefined ? message : `${message}; you sent ${quoted(sent)}`,
      }
    })
  }

  #value(schema: Schema, value: unknown, at: string): unknown {
    if (Array.isArray(value)) {
      const { items, maxItems = Infinity } = schema
      // A longer list is refused whatever it contains.
      if (!items?.properties || value.length > maxItems) return value
      return value.map((item, index) => this.#value(items, item, pointerTo(at, index)))
    }
    return isJsonObject(value) && schema.properties ? this.#object(schema, value, at) : value
  }

  #object(schema: Schema, fields: JsonObject, at: string): JsonObject {
    const { properties, folded, required, isClosed } = shapeOf(schema)
    const found: Record<string, unknown> = {}
    /** By declared name: how it was spelled, if the exact spelling is missing. */
    let others: Map<string, string[]> | undefined
    for (const name of Object.keys(fields)) {
      if (properties.has(name)) {
        this.#field(found, name, properties.get(name)!, fields[name], at, required)
        continue
      }
      const declared = folded.get(foldedName(name))
      if (declared !== undefined) {
        others ??= new Map()
        const before = others.get(declared)
        if (before) before.push(name)
        else others.set(declared, [name])
      } else if (isClosed) {
        if (this.#isFull) continue
        const known = [...properties.keys()]
        this.warn(
          'unknown-field',
          this.asSent(pointerTo(at, name)),
          `is not a known field${insteadOf(name, known)}`,
        )
        const meant = nearest(name, known)
        if (meant !== undefined) this.#misspelt.set(pointerTo(at, meant), name)
      } else define(found, name, fields[name])
    }
    for (const [declared, spellings] of others ?? [])
      this.#respell(found, declared, spellings, fields, at, schema)
    return found
  }

  /** A field in other spellings, with or without the exact one. */
  #respell(
    found: Record<string, unknown>,
    declared: string,
    spellings: readonly string[],
    fields: JsonObject,
    at: string,
    schema: Schema,
  ): void {
    const parent = this.asSent(at)
    const isExact = Object.hasOwn(fields, declared)
    for (const spelling of spellings) {
      const path = pointerTo(parent, spelling)
      if (isExact) this.warn('field-case', path, `is spelled ${declared}, which is also present and is used`)
      else if (spellings.length === 1) this.warn('field-case', path, `is spelled ${declared}`)
      else {
        const others = spellings.filter((each) => each !== spelling).slice(0, 3)
        this.errors.push({
          path,
          message: `occurs twice, also as ${others.join(', ')}; send only ${declared}`,
        })
      }
    }
    const [spelling] = spellings
    if (isExact || spellings.length > 1) return
    this.#spellings.set(pointerTo(at, declared), spelling!)
    if (spelling === capitalised(declared)) this.#capitals.add(at)
    const { properties, required } = shapeOf(schema)
    this.#field(found, declared, properties.get(declared)!, fields[spelling!], at, required)
  }

  #field(
    found: Record<string, unknown>,
    name: string,
    schema: Schema,
    value: unknown,
    at: string,
    required: ReadonlySet<string>,
  ): void {
    if (value === null && !required.has(name) && !takesNull(schema)) {
      this.warn('null-field', this.asSent(pointerTo(at, name)), 'is null, and counts as omitted')
      return
    }
    found[name] = typeof value === 'object' ? this.#value(schema, value, pointerTo(at, name)) : value
  }

  /** The value of a parameter: a boolean in any letter case, a date in any form of ISO 8601. */
  #parameter({ enum: choices, format }: Schema, value: string, path: string): string {
    if (choices && !choices.includes(value)) {
      const lower = value.toLowerCase()
      const choice = choices.find(
        (each): each is string => typeof each === 'string' && each.toLowerCase() === lower,
      )
      if (choice !== undefined) {
        this.warn('value-form', path, `is written ${choice}, not ${quoted(value)}`)
        return choice
      }
    }
    if (format === 'date') {
      const date = parseIsoDate(value)
      if (date !== undefined && date !== value) {
        this.warn('value-form', path, `is read as ${date}; write a date such as 2026-03-25`)
        return date
      }
    }
    return value
  }
}

/** A name that is too long to be a spelling of a declared one is not folded. */
const foldedName = (name: string): string => (name.length > maxNameLength ? name : name.toLowerCase())

const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

function takesNull({ type, enum: choices, anyOf }: Schema): boolean {
  if (anyOf) return anyOf.some(takesNull)
  if (choices) return choices.includes(null)
  return type === undefined || [type].flat().includes('null')
}

/** Assignment to a member called `__proto__` would change the prototype. */
const define = (fields: Record<string, unknown>, name: string, value: unknown): unknown =>
  Object.defineProperty(fields, name, { value, enumerable: true, writable: true, configurable: true })
