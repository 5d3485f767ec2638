// The definition of a setting: one row of the table in settings.ts.

import type { FromSchema, Schema } from '../protocol/schema.js'

/** Reports an error in a value; `path` points into the setting. */
export type NoteError = (path: string, message: string) => void

/** One row: a setting with the internal value `V`, which matches schema `S` on the wire. */
export interface Setting<S extends Schema, C extends Schema, V> {
  readonly schema: S
  /** The schema of a change; for an object setting, a part is enough. */
  readonly change: C
  readonly initial: V
  readonly toWire: (value: V) => FromSchema<S>
  /** The value after a change that matches the schema. Errors that the schema cannot express are reported. */
  readonly fromWire: (change: FromSchema<C>, before: V, refuse: NoteError) => V
}

/** A setting with the same value inside and on the wire. */
export const plain = <const S extends Schema>(
  schema: S,
  initial: FromSchema<S>,
): Setting<S, S, FromSchema<S>> => ({
  schema,
  change: schema,
  initial,
  toWire: (value) => value,
  fromWire: (value) => value,
})
