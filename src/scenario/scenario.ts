// Scenarios: named situations to start from. A file is read, checked with file, line and path in every fault, and laid
// over the scenario that it extends.

import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { invalid, Problem, type InputError } from '../protocol/problem.js'
import { checkOf } from '../protocol/validation.js'
import { ScenarioBuilder, type Scenario } from './builder.js'
import { fittingFile, standingAlone, type FittingFile } from './fitting.js'
import { ScenarioFile } from './scenario-file.js'

/**
 * What is wrong with a scenario and where: `flaky.yaml:12: /faults/0/times must be >= 1`. Control characters of the file are
 * escaped, so that a message cannot steer the terminal that prints it.
 */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError'

  constructor(message: string) {
    super(message.replace(unprintable, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`))
  }
}

/** Control characters except the line break, lone surrogates, and overrides of the text direction. */
const unprintable = /[^\P{Cc}\n]|\p{Cs}|[\u202a-\u202e\u2066-\u2069]/gu

/** Where the shipped scenarios are. */
const shelf = new URL('../../scenarios/', import.meta.url)

/** The names of the shipped scenarios. */
export const scenarioNames = (): string[] =>
  readdirSync(shelf)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .sort()

/** The text of a shipped scenario. Throws a {@link ScenarioError}. */
export function scenarioText(name: string): string {
  const names = scenarioNames()
  if (!names.includes(name))
    throw new ScenarioError(`There is no scenario '${name.slice(0, 100)}'; known are: ${names.join(', ')}.`)
  return readFileSync(new URL(`${name}.yaml`, shelf), 'utf8')
}

const shipped = new Map<string, Promise<Scenario>>()

/** A shipped scenario; the same object each time, so that its history is made once. Rejects with a {@link ScenarioError}. */
export async function shippedScenario(name: string): Promise<Scenario> {
  const text = scenarioText(name)
  let scenario = shipped.get(name)
  if (!scenario) shipped.set(name, (scenario = readScenario(text, `${name}.yaml`, [name])))
  return scenario
}

/** The scenario of a shipped name, or of a file when the text is a path. Rejects with a {@link ScenarioError}. */
export const loadScenario = (nameOrPath: string): Promise<Scenario> =>
  /[/\\]|\.ya?ml$/i.test(nameOrPath) ? scenarioFromFile(nameOrPath) : shippedScenario(nameOrPath)

/** Rejects with a {@link ScenarioError} that names file, line and path of every fault. */
export async function scenarioFromFile(file: string): Promise<Scenario> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new ScenarioError(
      code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read: ${message}.`,
    )
  }
  return readScenario(text, file, [], dirname(file))
}

/** The scenario that is written out as its file would say it. Rejects with a {@link ScenarioError} of every fault, by its path. */
export async function writtenScenario(value: unknown): Promise<Scenario> {
  try {
    return await scenarioOf(value)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new ScenarioError(
      faultsOf(error)
        .map(({ path, message }) => `${path} ${message}`)
        .join('\n'),
    )
  }
}

const faultsOf = ({ more, detail }: Problem): readonly InputError[] =>
  more.errors ?? [{ path: '/', message: detail }]

/**
 * The scenario that a YAML text describes; `file` stands in the faults, and other files are read below `folder` only.
 * Rejects with a {@link ScenarioError}.
 */
async function readScenario(
  text: string,
  file: string,
  chain: readonly string[],
  folder?: string,
): Promise<Scenario> {
  const { readYaml } = await import('./yaml-text.js')
  const { unreadable, faults, lineOf, ...read } = readYaml(text)
  if (unreadable !== undefined) throw new ScenarioError(`${file} ${unreadable}`)
  let { value } = read
  const refuse = (faults: readonly { line: number; text: string }[]): never => {
    throw new ScenarioError(faults.map(({ line, text }) => `${file}:${line}: ${text}`).join('\n'))
  }
  if (faults.length > 0) refuse(faults)
  try {
    if (folder !== undefined) value = withBankFile(value, folder)
    return await scenarioOf(value, chain)
  } catch (error) {
    if (error instanceof ScenarioError) throw new ScenarioError(`${file}: ${error.message}`)
    if (!(error instanceof Problem)) throw error
    return refuse(
      faultsOf(error).map(({ path, message }) => ({ line: lineOf(path), text: `${path} ${message}` })),
    )
  }
}

/** A state of a bank may hold a long history. */
const maxBankFileBytes = 256 * 1024 * 1024

/** The same with what `bankFile` holds as `bank`. Throws `invalid-request`. */
function withBankFile(value: unknown, folder: string): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { bankFile, ...others } = value as { bankFile?: unknown; bank?: unknown }
  if (typeof bankFile !== 'string') return value
  const refuse = (message: string): Problem => invalid([{ path: '/bankFile', message }])
  if ('bank' in others) throw refuse('stands beside `bank`; leave one of them out')
  let text: string
  try {
    const file = realpathSync(join(folder, bankFile))
    if (!file.startsWith(realpathSync(folder) + sep)) throw refuse('must lie in the folder of the scenario')
    if (statSync(file).size > maxBankFileBytes) throw refuse('must have at most 256 MiB')
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Problem) throw error
    throw refuse(`cannot be read: ${(error as Error).message}`)
  }
  try {
    return { ...others, bank: JSON.parse(text) as unknown }
  } catch (error) {
    throw refuse(`is no JSON: ${(error as Error).message}`)
  }
}

/** How many scenarios may extend one another. */
const maxDepth = 10

/**
 * The scenario that a value describes. Rejects with `invalid-request`, which names every fault by its path, or with a
 * {@link ScenarioError} when it extends none that there is.
 */
export async function scenarioOf(value: unknown, chain: readonly string[] = []): Promise<Scenario> {
  const faults = [...(await checkOf(ScenarioFile))(value)]
  let file = faults.length === 0 ? (value as FittingFile) : await fittingFile(value, faults)
  let parent: Scenario | undefined
  try {
    parent = await parentOf(file, chain)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    faults.push(...error.more.errors!)
    file = standingAlone(file)
  }
  const draft = new ScenarioBuilder(parent)
  draft.apply(file)
  faults.push(...draft.faults)
  if (faults.length > 0) throw invalid(faults)
  return draft.scenario(value as ScenarioFile, parent, chain[0] === file.name)
}

async function parentOf(
  { name, extends: wanted }: FittingFile,
  chain: readonly string[],
): Promise<Scenario | undefined> {
  if (name === 'default' && wanted === undefined) return undefined
  const parent = wanted ?? 'default'
  if (chain.includes(parent))
    throw invalid([{ path: '/extends', message: `leads back to itself: ${[...chain, parent].join(' → ')}` }])
  if (chain.length >= maxDepth) throw invalid([{ path: '/extends', message: 'goes on for too long' }])
  const names = scenarioNames()
  if (!names.includes(parent))
    throw invalid([{ path: '/extends', message: `must be a shipped scenario: ${names.join(', ')}` }])
  return readScenario(scenarioText(parent), `${parent}.yaml`, [...chain, parent])
}
