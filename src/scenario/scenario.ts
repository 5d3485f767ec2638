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

/**
 * The errors of a scenario and their places: `flaky.yaml:12: /faults/0/times must be >= 1`. Control characters of the
 * file are escaped, so that a message cannot control the terminal that prints it.
 */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError'

  constructor(message: string) {
    super(message.replace(unprintable, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`))
  }
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

/** The text of a shipped scenario. Throws a {@link ScenarioError}. */
export function loadScenarioText(name: string): string {
  const names = scenarioNames()
  if (!names.includes(name))
    throw new ScenarioError(`There is no scenario '${cut(name, 100)}'; known are: ${names.join(', ')}.`)
  return readFileSync(new URL(`${name}.yaml`, shelf), 'utf8')
}

const shipped = new Map<string, Promise<Scenario>>()

/**
 * A shipped scenario; always the same object, so that its history is made once. Rejects with a {@link ScenarioError}.
 */
export async function loadShipped(name: string): Promise<Scenario> {
  const text = loadScenarioText(name)
  let scenario = shipped.get(name)
  if (!scenario) shipped.set(name, (scenario = parseScenarioText(text, `${name}.yaml`, [name])))
  return scenario
}

/** The scenario with a shipped name, or of a file when the text is a path. Rejects with a {@link ScenarioError}. */
export const loadScenario = (nameOrPath: string): Promise<Scenario> =>
  isScenarioPath(nameOrPath) ? loadScenarioFile(nameOrPath) : loadShipped(nameOrPath)

/** Rejects with a {@link ScenarioError} that gives file, line and path of every error. */
export async function loadScenarioFile(file: string): Promise<Scenario> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new ScenarioError(
      code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read: ${message}.`,
    )
  }
  return parseScenarioText(text, file, [], dirname(file))
}

/**
 * The scenario that is given inline, in the form of a file. Rejects with a {@link ScenarioError} of every error, by
 * its path.
 */
export async function parseScenario(value: unknown): Promise<Scenario> {
  const resolved = await resolveScenario(value)
  if ('scenario' in resolved) return resolved.scenario
  throw new ScenarioError(resolved.errors.map(({ path, message }) => `${path} ${message}`).join('\n'))
}

/**
 * The scenario in a YAML text; errors name `file`, and other files are read only below `folder`. Rejects with a
 * {@link ScenarioError}.
 */
async function parseScenarioText(
  text: string,
  file: string,
  chain: readonly string[],
  folder?: string,
): Promise<Scenario> {
  const { readYaml } = await import('./yaml-text.js')
  const { unreadable, faults, lineOf, value } = readYaml(text)
  if (unreadable !== undefined) throw new ScenarioError(`${file} ${unreadable}`)
  const refuse = (errors: readonly { line: number; text: string }[]): never => {
    throw new ScenarioError(errors.map(({ line, text }) => `${file}:${line}: ${text}`).join('\n'))
  }
  if (faults.length > 0) refuse(faults)
  const whole = folder === undefined ? { value, codeFiles: [] } : withFiles(value, folder)
  const resolved = 'errors' in whole ? whole : await resolveScenario(whole.value, chain)
  if ('scenario' in resolved)
    return 'codeFiles' in whole ? { ...resolved.scenario, codeFiles: whole.codeFiles } : resolved.scenario
  return refuse(
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
  errors.push(...builder.faults)
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
    parent: await parseScenarioText(loadScenarioText(parent), `${parent}.yaml`, [...chain, parent]),
  }
}
