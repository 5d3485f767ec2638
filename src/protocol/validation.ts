// Checks input against schemas with ajv, which is loaded when it is needed first.

import type { ErrorObject } from 'ajv'
import type { Ajv2020 as Ajv } from 'ajv/dist/2020.js'
import { areUnique, fits, formats, hasAtMost, patternTest } from './fits.js'
import { cutPointer, pointerTo } from './json-pointer.js'
import { insteadOf } from './nearest.js'
import type { InputError } from './problem.js'
import type { Schema } from './schema.js'

/** All errors of a value; empty when it is valid. */
export type Check = (value: unknown) => readonly InputError[]

/** The most errors that one answer lists. */
export const maxErrors = 100

let ajv: Ajv | undefined
const checks = new WeakMap<Schema, Check>()

/** A schema is compiled after this many values that fit it: from then on a compiled check is the faster one. */
const fittingFirst = 20
const fitting = new WeakMap<Schema, number>()

/** All errors of a value; empty when it is valid. ajv is not loaded for the first values of a schema that fit it. */
export async function errorsOf(schema: Schema, value: unknown): Promise<readonly InputError[]> {
  const known = checks.get(schema)
  if (known) return known(value)
  const count = (fitting.get(schema) ?? 0) + 1
  if (count <= fittingFirst && fits(schema, value)) {
    fitting.set(schema, count)
    return []
  }
  return (await checkOf(schema))(value)
}

/** The compiled check of a schema; each schema is compiled once. */
export async function checkOf(schema: Schema): Promise<Check> {
  const known = checks.get(schema)
  if (known) return known
  if (!ajv) {
    const { _, Ajv2020, Name } = await import('ajv/dist/2020.js')
    ajv = new Ajv2020({
      allErrors: true,
      strict: true,
      allowUnionTypes: true,
      messages: true,
      verbose: true,
      // This takes a third of the time to compile a schema, and does not make checks faster.
      code: { optimize: false },
      // The schemas are our own, and a test validates them: compiling the meta-schema takes longer than compiling them.
      validateSchema: false,
    })
    limitWork(ajv)
    // The names that ajv gives to the variables of the code that it writes.
    const [count, errors] = [new Name('errors'), new Name('vErrors')]
    ajv.addKeyword({
      keyword: stopKeyword,
      schemaType: 'boolean',
      code: ({ gen }) => gen.if(_`${count} > ${errorsKept}`, () => gen.throw(errors)),
    })
    for (const [name, test] of Object.entries(formats)) ajv.addFormat(name, test)
  }
  const validate = ajv.compile(stoppingIn(schema))
  const check: Check = (value) => {
    try {
      return validate(value) ? [] : inputErrorsOf(validate.errors ?? [])
    } catch (error) {
      if (Array.isArray(error)) return inputErrorsOf(error as ErrorObject[])
      throw error
    }
  }
  checks.set(schema, check)
  return check
}

/** Checking ends after this many errors: each takes time and memory, and a body of 1 MB may hold 300,000 bad items. */
const errorsKept = 1000

const stopKeyword = 'stopsAfterManyErrors'

/** The same schema, with a place to stop before each item of a list and each value of a map. */
function stoppingIn(schema: Schema): Schema {
  const { items, additionalProperties, properties, anyOf } = schema
  // A separate schema, because ajv skips the keywords beside a type that does not match.
  const each = (inner: Schema) => ({ allOf: [{ [stopKeyword]: true }, stoppingIn(inner)] }) as Schema
  return {
    ...schema,
    ...(items && { items: each(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: each(additionalProperties) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, inner]) => [name, stoppingIn(inner)]),
      ),
    }),
    ...(anyOf && { anyOf: anyOf.map(stoppingIn) }),
  }
}

/**
 * Replaces keywords that work more than their result needs: ajv counts the characters of a text that is far too long,
 * runs a pattern even on it, and compares each pair of items.
 */
function limitWork(ajv: Ajv): void {
  ajv.removeKeyword('maxLength')
  ajv.addKeyword({
    keyword: 'maxLength',
    type: 'string',
    schemaType: 'number',
    error: { message: 'is too long' },
    compile: (limit: number) => (text: string) => hasAtMost(text, limit),
  })
  ajv.removeKeyword('pattern')
  ajv.addKeyword({
    keyword: 'pattern',
    type: 'string',
    schemaType: 'string',
    error: { message: 'does not fit' },
    compile: (pattern: string, parent) => patternTest(pattern, (parent as Schema).maxLength),
  })
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must not contain an item twice' },
    compile: (isUnique: boolean) => (items: readonly unknown[]) => !isUnique || areUnique(items),
  })
}

function inputErrorsOf(reported: readonly ErrorObject[]): InputError[] {
  const errors: InputError[] = []
  const listed = new Set<string>()
  const beside = new Set(reported.flatMap((_, index) => ofOtherKinds(reported, index)))
  for (const error of reported) {
    // For `anyOf`, report the errors of the branches, not the summary.
    if (error.keyword === 'anyOf' && reported.length > 1) continue
    if (beside.has(error)) continue
    // The error of the name has already been reported.
    if (error.keyword === 'propertyNames') continue
    const message = error.keyword === 'additionalProperties' ? unknownField(error, listed) : messageOf(error)
    errors.push({ path: pointerOf(error), message })
    if (errors.length === maxErrors) break
  }
  return errors
}

/**
 * For an `anyOf` at `index` that failed: the errors of branches whose type differs from the value's. An object with
 * an error inside need not be told that it is not null.
 */
function ofOtherKinds(errors: readonly ErrorObject[], index: number): ErrorObject[] {
  const { keyword, schemaPath, instancePath } = errors[index]!
  if (keyword !== 'anyOf') return []
  const parts = new Map<string, ErrorObject[]>()
  // The errors of the branches come right before the error of the choice: #/properties/limit/anyOf/0/type, …/anyOf.
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

function pointerOf({ instancePath, params }: ErrorObject): string {
  const { missingProperty, additionalProperty, propertyName } = params as Record<string, string | undefined>
  const member = missingProperty ?? additionalProperty ?? propertyName
  const parent = cutPointer(instancePath)
  const path = member === undefined ? parent : pointerTo(parent, member)
  return path === '' ? '/' : path
}

/** The known fields of an object are listed once, with its first unknown field. */
function unknownField({ instancePath, params, parentSchema }: ErrorObject, listed: Set<string>): string {
  const { properties = {} } = parentSchema as Schema
  const { additionalProperty } = params as { additionalProperty: string }
  const instead = insteadOf(additionalProperty, Object.keys(properties))
  const isList = instead.startsWith('; known')
  const isTold = isList && listed.has(instancePath)
  if (isList) listed.add(instancePath)
  return `is not a known field${isTold ? '' : instead}`
}

function messageOf(error: ErrorObject): string {
  return error.propertyName === undefined ? faultOf(error) : `has a name that ${faultOf(error)}`
}

function faultOf({ keyword, message, params, schema, parentSchema }: ErrorObject): string {
  switch (keyword) {
    case 'maxLength':
      return `must NOT have more than ${schema as number} characters`
    case 'required':
      return 'is missing'
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
