// What a setting is: one row of the table in settings.ts.

import type { FromSchema, Schema } from '../protocol/schema.js'

/** Notes what is wrong with a value; `path` leads into the setting. */
export type NoteFault = (path: string, message: string) => void

/** One row: a setting whose value is `V` inside and fits schema `S` on the wire. */
export interface Setting<S extends Schema, C extends Schema, V> {
  readonly schema: S
  /** What a change may send; of an object setting, a part is enough. */
  readonly change: C
  readonly initial: V
  readonly toWire: (value: V) => FromSchema<S>
  /** The value after a change that fits its schema. Faults that the schema cannot express are noted. */
  readonly fromWire: (change: FromSchema<C>, before: V, fault: NoteFault) => V
}

/** A setting that is the same inside and on the wire. */
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
