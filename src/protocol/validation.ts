// Checks input against the schemas of the endpoints, with ajv; loaded when the first input is checked.

import type { ErrorObject, ValidateFunction } from 'ajv'
import type { Ajv2020 as Ajv } from 'ajv/dist/2020.js'
import { parseDay, parseInstant } from '../determinism/day.js'
import { pointerTo } from './json-pointer.js'
import type { InputError } from './problem.js'
import type { Schema } from './schema.js'

/** All faults of a value; none when it fits. */
export type Check = (value: unknown) => readonly InputError[]

/** No more faults than this are listed in one answer. */
export const faultsListed = 100

let ajv: Ajv | undefined
const checks = new WeakMap<Schema, Check>()

/** The check for a schema, compiled once. */
export async function checkOf(schema: Schema): Promise<Check> {
  const known = checks.get(schema)
  if (known) return known
  if (!ajv) {
    const { Ajv2020 } = await import('ajv/dist/2020.js')
    ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, messages: true, verbose: true })
    limitWork(ajv)
    ajv.addFormat('date', (text) => parseDay(text) !== undefined)
    ajv.addFormat('date-time', (text) => text.includes('T') && parseInstant(text) !== undefined)
  }
  const validate = ajv.compile(schema)
  const check: Check = (value) => (validate(value) ? [] : faultsOf(validate))
  checks.set(schema, check)
  return check
}

/** A longer text fits no pattern, where its schema sets no other limit. */
const maxPatternLength = 10_000

/**
 * Replaces two keywords whose time grows with the square of the input. Ajv runs a pattern on a text that is too long
 * already, and compares each pair of items.
 */
function limitWork(ajv: Ajv): void {
  ajv.removeKeyword('pattern')
  ajv.addKeyword({
    keyword: 'pattern',
    type: 'string',
    schemaType: 'string',
    error: { message: 'does not fit' },
    compile: (pattern: string, parent) => {
      const { maxLength } = parent as Schema
      const expression = new RegExp(pattern, 'u')
      // Two code units for each character at most; `maxLength` reports what is longer.
      return (text: string) =>
        text.length <= 2 * (maxLength ?? maxPatternLength) ? expression.test(text) : maxLength !== undefined
    },
  })
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must not hold an item twice' },
    compile: (isUnique: boolean) => (items: readonly unknown[]) =>
      !isUnique || new Set(items.map((item) => JSON.stringify(item))).size === items.length,
  })
}

function faultsOf(validate: ValidateFunction): InputError[] {
  const faults: InputError[] = []
  const errors = validate.errors ?? []
  const beside = new Set(errors.flatMap((_, index) => ofOtherKinds(errors, index)))
  for (const error of errors) {
    // Of a choice (anyOf) the parts are listed; that the choice as a whole failed says nothing more.
    if (error.keyword === 'anyOf' && errors.length > 1) continue
    if (beside.has(error)) continue
    // What is wrong with the name has been said.
    if (error.keyword === 'propertyNames') continue
    faults.push({ path: pathOf(error), message: messageOf(error) })
    if (faults.length === faultsListed) break
  }
  return faults
}

/**
 * Of a choice that failed, at `index`: what the parts say that are of another kind than the value. An object with a fault
 * inside, where null would do as well, need not be told that it is not null.
 */
function ofOtherKinds(errors: readonly ErrorObject[], index: number): ErrorObject[] {
  const { keyword, schemaPath, instancePath } = errors[index]!
  if (keyword !== 'anyOf') return []
  const parts = new Map<string, ErrorObject[]>()
  // What the parts say stands right before what the choice says: #/properties/limit/anyOf/0/type, …/anyOf.
  const isPart = ({ schemaPath: of, instancePath: where }: ErrorObject): boolean =>
    of.startsWith(`${schemaPath}/`) && where.startsWith(instancePath)
  for (let at = index - 1; at >= 0 && isPart(errors[at]!); at--) {
    const part = errors[at]!.schemaPath.slice(schemaPath.length + 1).split('/', 1)[0]!
    const said = parts.get(part)
    if (said) said.push(errors[at]!)
    else parts.set(part, [errors[at]!])
  }
  const isOther = (error: ErrorObject): boolean =>
    error.instancePath === instancePath && ['type', 'const', 'enum'].includes(error.keyword)
  const others = [...parts.values()].filter((part) => part.some(isOther))
  return others.length < parts.size ? others.flat() : []
}

function pathOf({ instancePath, params }: ErrorObject): string {
  const { missingProperty, additionalProperty, propertyName } = params as Record<string, string | undefined>
  const member = missingProperty ?? additionalProperty ?? propertyName
  const path = member === undefined ? instancePath : pointerTo(instancePath, member)
  return path === '' ? '/' : path
}

function messageOf(error: ErrorObject): string {
  return error.propertyName === undefined ? faultOf(error) : `has a name that ${faultOf(error)}`
}

function faultOf({ keyword, message, params, parentSchema }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'is missing'
    case 'additionalProperties':
      return 'is not a known field'
    case 'type':
      return `must be ${[(params as { type: string | string[] }).type].flat().join(' or ')}`
    case 'enum':
      return `must be one of ${(params as { allowedValues: unknown[] }).allowedValues.map((value) => JSON.stringify(value)).join(', ')}`
    case 'const':
      return `must be ${JSON.stringify((params as { allowedValue: unknown }).allowedValue)}`
    case 'format':
      return (params as { format: string }).format === 'date'
        ? 'must be a date that exists, written as 2026-03-25'
        : 'must be an instant, written as 2026-03-25T08:00:00Z'
    case 'pattern': {
      const description = (parentSchema as Schema | undefined)?.description
      return description ? `is not ${lowerFirst(firstSentence(description))}` : (message ?? 'does not fit')
    }
    default:
      return message ?? 'does not fit'
  }
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

const firstSentence = (text: string): string => /^.*?(?=\.(?:\s|$)|$)/s.exec(text)![0]
