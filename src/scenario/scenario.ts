// Scenarios: named situations to start from. A file is read, checked (every error has file, line and path), and
// applied to the scenario that it extends.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { cut } from '../protocol/quote.js'
import { checkOf } from '../protocol/validation.js'
import { ScenarioBuilder, type Scenario } from './builder.js'
import { fittingFile, standingAlone, type FittingFile } from './fitting.js'
import { withFiles, type Refused } from './other-files.js'
import { ScenarioFile } from './scenario-file.js'
import { isScenarioPath } from './scenario-path.js'

/** A scenario that cannot be used; the message has every error, one a line. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError'
}

/** A scenario, or its errors and their places, one a line: `flaky.yaml:12: /faults/0/times must be >= 1`. */
export type Loaded = { readonly scenario: Scenario } | { readonly errors: string }

/** Control characters of the file are escaped, so that a message cannot control the terminal that prints it. */
const faulty = (errors: string): Loaded => ({
  errors: errors.replace(unprintable, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
})

function scenarioOf(loaded: Loaded): Scenario {
  if ('scenario' in loaded) return loaded.scenario
  throw new ScenarioError(loaded.errors)
}

/** Control characters except the line break, lone surrogates, and overrides of the text direction. */
const unprintable = /[^\P{Cc}\n]|\p{Cs}|[\u202a-\u202e\u2066-\u2069]/gu

/** The folder of the shipped scenarios. */
const shelf = new URL('../../scenarios/', import.meta.url)

/** The names of the shipped scenarios. */
export const scenarioNames = (): string[] =>
  readdirSync(shelf)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .sort()

const unknownName = (name: string): Loaded =>
  faulty(`There is no scenario '${cut(name, 100)}'; known are: ${scenarioNames().join(', ')}.`)

const shippedText = (name: string): string => readFileSync(new URL(`${name}.yaml`, shelf), 'utf8')

/** The text of a shipped scenario. Throws a {@link ScenarioError}. */
export function loadScenarioText(name: string): string {
  if (!scenarioNames().includes(name)) scenarioOf(unknownName(name))
  return shippedText(name)
}

const shipped = new Map<string, Promise<Loaded>>()

/** A shipped scenario; always the same object, so that its history is made once. */
function readShipped(name: string): Promise<Loaded> {
  if (!scenarioNames().includes(name)) return Promise.resolve(unknownName(name))
  let loaded = shipped.get(name)
  if (!loaded) shipped.set(name, (loaded = parseScenarioText(shippedText(name), `${name}.yaml`, [name])))
  return loaded
}

/** The scenario with a shipped name, in the file of a path, or with the content of a file. */
export function readScenario(given: unknown): Promise<Loaded> {
  if (typeof given !== 'string') return readContent(given)
  return isScenarioPath(given) ? readScenarioFile(given) : readShipped(given)
}

/** The scenario in a file. */
export async function readScenarioFile(file: string): Promise<Loaded> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return faulty(code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read: ${message}.`)
  }
  return parseScenarioText(text, file, [], dirname(file))
}

async function readContent(value: unknown): Promise<Loaded> {
  const resolved = await resolveScenario(value)
  if ('scenario' in resolved) return resolved
  return faulty(resolved.errors.map(({ path, message }) => `${path} ${message}`).join('\n'))
}

/** Like {@link readScenario}. Rejects with a {@link ScenarioError}. */
export const loadScenario = async (given: unknown): Promise<Scenario> => scenarioOf(await readScenario(given))

/** A shipped scenario, by its name. Rejects with a {@link ScenarioError}. */
export const loadShipped = async (name: string): Promise<Scenario> => scenarioOf(await readShipped(name))

/** The scenario in a file. Rejects with a {@link ScenarioError}. */
export const loadScenarioFile = async (file: string): Promise<Scenario> =>
  scenarioOf(await readScenarioFile(file))

/** The scenario in a YAML text; errors name `file`, and other files are read only below `folder`. */
async function parseScenarioText(
  text: string,
  file: string,
  chain: readonly string[],
  folder?: string,
): Promise<Loaded> {
  const { readYaml } = await import('./yaml-text.js')
  const { unreadable, errors, lineOf, value } = readYaml(text)
  if (unreadable !== undefined) return faulty(`${file} ${unreadable}`)
  const refused = (errors: readonly { line: number; text: string }[]): Loaded =>
    faulty(errors.map(({ line, text }) => `${file}:${line}: ${text}`).join('\n'))
  if (errors.length > 0) return refused(errors)
  const whole = folder === undefined ? { value, codeFiles: [] } : withFiles(value, folder)
  const resolved = 'errors' in whole ? whole : await resolveScenario(whole.value, chain)
  if ('scenario' in resolved)
    return 'codeFiles' in whole
      ? { scenario: { ...resolved.scenario, codeFiles: whole.codeFiles } }
      : resolved
  return refused(
    resolved.errors.map(({ path, message }) => ({ line: lineOf(path), text: `${path} ${message}` })),
  )
}

const refused = (path: string, message: string): Refused => ({ errors: [{ path, message }] })

/** How many scenarios may extend one another. */
const maxDepth = 10

/** The scenario that a value describes, or all of its errors by their paths. */
export async function resolveScenario(
  value: unknown,
  chain: readonly string[] = [],
): Promise<{ readonly scenario: Scenario } | Refused> {
  const errors = [...(await checkOf(ScenarioFile))(value)]
  let file = errors.length === 0 ? (value as FittingFile) : await fittingFile(value, errors)
  const resolved = await resolveParent(file, chain)
  if ('errors' in resolved) {
    errors.push(...resolved.errors)
    file = standingAlone(file)
  }
  const parent = 'errors' in resolved ? undefined : resolved.parent
  const builder = new ScenarioBuilder(parent)
  builder.apply(file)
  errors.push(...builder.errors)
  if (errors.length > 0) return { errors }
  return { scenario: builder.scenario(value as ScenarioFile, parent, chain[0] === file.name) }
}

/** The scenario that a file extends: undefined for the default one. */
async function resolveParent(
  { name, extends: wanted }: FittingFile,
  chain: readonly string[],
): Promise<{ readonly parent: Scenario | undefined } | Refused> {
  if (name === 'default' && wanted === undefined) return { parent: undefined }
  const parent = wanted ?? 'default'
  if (chain.includes(parent))
    return refused('/extends', `leads back to itself: ${[...chain, parent].join(' → ')}`)
  if (chain.length >= maxDepth) return refused('/extends', 'is too long a chain')
  const names = scenarioNames()
  if (!names.includes(parent)) return refused('/extends', `must be a shipped scenario: ${names.join(', ')}`)
  return {
    parent: scenarioOf(await parseScenarioText(shippedText(parent), `${parent}.yaml`, [...chain, parent])),
  }
}
