// The one place where answers of the service become records: whatever the service sends, the result matches the
// schema.

import { isJsonObject } from '../protocol/json.js'
import type { FromSchema, Schema } from '../protocol/schema.js'

/** The longest stored text of a record; longer ones are cut. */
const maxText = 1000
/** Code is longer than other texts. */
const maxCode = 262_144

/** A value in the shape of a schema: undeclared members are dropped, and invalid values become empty. */
export function shaped<const S extends Schema>(schema: S, value: unknown): FromSchema<S> {
  return shape(schema, value, '') as FromSchema<S>
}

/** Each item of a list in the shape of a schema; empty when the value is not a list. */
export const shapedList = <const S extends Schema>(schema: S, value: unknown): FromSchema<S>[] =>
  Array.isArray(value) ? value.filter(isJsonObject).map((each) => shaped(schema, each)) : []

function shape(schema: Schema, value: unknown, name: string): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum.includes(value) ? value : schema.enum[0]
  if (schema.anyOf) {
    const isNull = value === null || value === undefined
    const branch = schema.anyOf.find((each) => (each.type === 'null') === isNull)
    return branch ? shape(branch, value, name) : null
  }
  const types = schema.type === undefined ? [] : [schema.type].flat()
  const type = types.find((each) => fits(each, value))
  if (type === undefined) return types.includes('null') ? null : emptyOf(types[0], schema)
  if (type === 'string') return (value as string).slice(0, name === 'code' ? maxCode : maxText)
  if (type === 'array') return (value as unknown[]).map((each) => shape(schema.items ?? {}, each, name))
  if (type === 'object') return objectOf(schema, value as Readonly<Record<string, unknown>>)
  return value
}

function objectOf(
  { properties, additionalProperties }: Schema,
  value: Readonly<Record<string, unknown>>,
): object {
  if (properties)
    return Object.fromEntries(
      Object.entries(properties).map(([name, each]) => [
        name,
        shape(each, Object.hasOwn(value, name) ? value[name] : undefined, name),
      ]),
    )
  if (typeof additionalProperties !== 'object') return {}
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, shape(additionalProperties, each, name)]),
  )
}

function fits(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isJsonObject(value)
    case 'integer':
      return Number.isSafeInteger(value)
    case 'number':
      return Number.isFinite(value)
    default:
      return typeof value === type
  }
}

function emptyOf(type: string | undefined, schema: Schema): unknown {
  if (type === 'object') return objectOf(schema, {})
  if (type === 'array') return []
  if (type === 'string') return schema.format === 'date-time' ? '1970-01-01T00:00:00.000Z' : ''
  return type === 'boolean' ? false : 0
}
