// Keeps the valid parts of a faulty scenario, so that its other errors are reported in the same round.

import { pointerNames } from '../protocol/json-pointer.js'
import { isJsonObject } from '../protocol/json.js'
import type { InputError } from '../protocol/problem.js'
import { checkOf, maxErrors } from '../protocol/validation.js'
import { ScenarioFile } from './scenario-file.js'

/**
 * A scenario of which anything may be missing. An invalid item of a list becomes a hole, so that the others keep
 * their index.
 */
export type FittingFile = Partial<ScenarioFile>

/** Members that mean little without the extended scenario. */
const leaning = ['without', 'cards', 'credentials', 'timeline'] as const

const loose = { ...ScenarioFile, required: [] as const }

/** The schema is not deeper than this many rounds. */
const maxRounds = 20

/**
 * The valid part of a value with these errors: drops each wrong member, and each object that lacks a required one.
 * Undefined when there are more errors than are listed.
 */
export async function fittingFile(value: unknown, faults: readonly InputError[]): Promise<FittingFile> {
  if (!isJsonObject(value)) return {}
  const check = await checkOf(loose)
  let file: object = value
  for (let round = 0; round < maxRounds; round++) {
    if (faults.length >= maxErrors) return {}
    for (const { path } of faults) {
      const named = pointerNames(path)
      // A bank with a missing part is invalid: it is dropped completely.
      const way = named[0] === 'bank' ? ['bank'] : named
      const parent = way.slice(0, -1)
      // A missing member cannot be dropped; the object that lacks it is.
      file = without(file, has(file, way) ? way : parent)
    }
    faults = check(file).filter(({ path }) => !isHole(file, pointerNames(path)))
    if (faults.length === 0) return file
  }
  return {}
}

/** The same without the parts that depend on an extended scenario that was not found. */
export const standingAlone = (file: FittingFile): FittingFile =>
  leaning.reduce<FittingFile>((kept, name) => without(kept, [name]), file)

const at = (value: unknown, way: readonly string[]): unknown =>
  way.reduce((found, name) => (Object(found) as Record<string, unknown>)[name], value)

const has = (value: unknown, way: readonly string[]): boolean =>
  Object.hasOwn(Object(at(value, way.slice(0, -1))) as object, way.at(-1) ?? '')

const isHole = (value: unknown, way: readonly string[]): boolean =>
  Array.isArray(at(value, way.slice(0, -1))) && !has(value, way)

/** A copy without the value at the end of the path. */
function without<T extends object>(value: T, [name, ...further]: readonly string[]): T {
  if (name === undefined || !Object.hasOwn(value, name)) return value
  const copy = (Array.isArray(value) ? value.slice() : { ...value }) as Record<string, unknown>
  if (further.length === 0) Reflect.deleteProperty(copy, name)
  else copy[name] = without(Object(copy[name]) as object, further)
  return copy as T
}
