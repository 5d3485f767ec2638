// JSON Schema (2020-12) as plain data, and the TypeScript type that a schema describes. One schema of a record serves
// validation, types and the OpenAPI document. Plain literals cost nothing at start; a schema library costs more than
// the whole of Express (docs/decisions.md).

/** A JSON Schema 2020-12, limited to the keywords that the project uses. */
export interface Schema {
  readonly title?: string
  readonly description?: string
  readonly type?: SchemaType | readonly SchemaType[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly propertyNames?: Schema
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly default?: unknown
  readonly examples?: readonly unknown[]
}

type SchemaType = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'object' | 'array'

type OfType<T, S> = T extends 'string'
  ? string
  : T extends 'number' | 'integer'
    ? number
    : T extends 'boolean'
      ? boolean
      : T extends 'null'
        ? null
        : T extends 'array'
          ? S extends { items: infer I }
            ? FromSchema<I>[]
            : unknown[]
          : T extends 'object'
            ? S extends { properties: infer P }
              ? ObjectOf<P, S extends { required: readonly (infer R)[] } ? R : never>
              : S extends { additionalProperties: infer A extends Schema }
                ? Record<string, FromSchema<A>>
                : Record<string, unknown>
            : unknown

type ObjectOf<P, R> = Flat<
  { -readonly [K in keyof P as K extends R ? K : never]: FromSchema<P[K]> } & {
    -readonly [K in keyof P as K extends R ? never : K]?: FromSchema<P[K]> | undefined
  }
>

type Flat<T> = { [K in keyof T]: T[K] }

/** The TypeScript type of the values that a schema (`as const`) describes. */
export type FromSchema<S> = S extends { const: infer C }
  ? C
  : S extends { enum: readonly (infer E)[] }
    ? E
    : S extends { anyOf: readonly (infer A)[] }
      ? FromSchema<A>
      : S extends { type: readonly (infer T)[] }
        ? T extends unknown
          ? OfType<T, S>
          : never
        : S extends { type: infer T }
          ? OfType<T, S>
          : unknown

/** The length of the longest id that the bank gives. */
export const maxIdLength = 100

/** The same type for a record that is never changed. */
export type RecordFrom<S> = DeepReadonly<FromSchema<S>>

type DeepReadonly<T> = T extends readonly (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T

/** The schema of a list of records. */
export const listOf = <const S extends Schema>(items: S) => ({ type: 'array', items }) as const

/**
 * More than any bank stores: a state of 256 MB has no room for so many records, and no stored text of card code is
 * longer.
 */
const keptItems = 10_000_000
const keptCharacters = 4 * 1024 * 1024

/** The schema of what a state holds: every list, map and text without a limit gets one. */
export function kept<const S extends Schema>(schema: S): S {
  const { type, properties, items, additionalProperties, anyOf, enum: choices, ...more }: Schema = schema
  const is = (name: SchemaType): boolean => [type].flat().includes(name)
  const isMap = typeof additionalProperties === 'object'
  // A text longer than 20,000 characters matches no pattern and no format.
  const isUnbounded = choices === undefined && more.pattern === undefined && more.format === undefined
  const limited: Schema = {
    ...(items && { items: kept(items) }),
    ...(isMap && { additionalProperties: kept(additionalProperties) }),
    ...(anyOf && { anyOf: anyOf.map(kept) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, kept(each)])),
    }),
    ...(is('array') && more.maxItems === undefined && { maxItems: keptItems }),
    ...(isMap && more.maxProperties === undefined && { maxProperties: keptItems }),
    ...(is('string') && isUnbounded && more.maxLength === undefined && { maxLength: keptCharacters }),
  }
  return { ...schema, ...limited }
}

/** The schema of an object all of whose members are required, and that has no others. */
export const record = <const P extends Readonly<Record<string, Schema>>>(
  title: string,
  description: string,
  properties: P,
) =>
  ({
    title,
    description,
    type: 'object',
    properties,
    required: Object.keys(properties) as (keyof P & string)[],
    additionalProperties: false,
  }) as const

/** A calendar date, `2026-03-25`. */
export const isoDate = { type: 'string', format: 'date', examples: ['2026-03-25'] } as const

/** An instant in UTC with milliseconds, `2026-03-25T08:00:00.000Z`. */
export const timestamp = {
  type: 'string',
  format: 'date-time',
  examples: ['2026-03-25T08:00:00.000Z'],
} as const
