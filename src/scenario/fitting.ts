// What of a faulty scenario can be read all the same, so that its other faults are named in the same round.

import type { InputError } from '../protocol/problem.js'
import { checkOf, faultsListed } from '../protocol/validation.js'
import { ScenarioFile } from './scenario-file.js'

/** A scenario of which anything may be missing. In its lists, what does not fit is a hole: the others keep their index. */
export type FittingFile = Partial<ScenarioFile>

/** Members that say little without the scenario that is extended. */
const leaning = ['without', 'cards', 'credentials', 'timeline'] as const

const loose = { ...ScenarioFile, required: [] as const }

/** More rounds than the schema is deep are not needed. */
const maxRounds = 20

/**
 * What fits of a value that has these faults: a member that is wrong is left out, and so is what lacks one that it needs.
 * Nothing when there are more faults than are listed.
 */
export async function fittingFile(value: unknown, faults: readonly InputError[]): Promise<FittingFile> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  const check = await checkOf(loose)
  let file: object = value
  for (let round = 0; round < maxRounds; round++) {
    if (faults.length >= faultsListed) return {}
    for (const { path } of faults) {
      const named = path.split('/').slice(1).map(unescape)
      // A bank with a hole in it fits nothing: all of it is left out.
      const way = named[0] === 'bank' ? ['bank'] : named
      const parent = way.slice(0, -1)
      // What is missing cannot be left out: what lacks it is.
      file = without(file, has(file, way) ? way : parent)
    }
    faults = check(file).filter(({ path }) => !isHole(file, path.split('/').slice(1).map(unescape)))
    if (faults.length === 0) return file
  }
  return {}
}

/** The same without what leans on a scenario that could not be found. */
export const standingAlone = (file: FittingFile): FittingFile =>
  leaning.reduce<FittingFile>((kept, name) => without(kept, [name]), file)

const unescape = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')

const at = (value: unknown, way: readonly string[]): unknown =>
  way.reduce((found, name) => (Object(found) as Record<string, unknown>)[name], value)

const has = (value: unknown, way: readonly string[]): boolean =>
  Object.hasOwn(Object(at(value, way.slice(0, -1))) as object, way.at(-1) ?? '')

const isHole = (value: unknown, way: readonly string[]): boolean =>
  Array.isArray(at(value, way.slice(0, -1))) && !has(value, way)

/** A copy that lacks what is at the end of the way. */
function without<T extends object>(value: T, [name, ...further]: readonly string[]): T {
  if (name === undefined || !Object.hasOwn(value, name)) return value
  const copy = (Array.isArray(value) ? value.slice() : { ...value }) as Record<string, unknown>
  if (further.length === 0) Reflect.deleteProperty(copy, name)
  else copy[name] = without(Object(copy[name]) as object, further)
  return copy as T
}
