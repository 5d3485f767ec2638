// The options of the Node API, checked: one error that names the option, whatever was passed.

import { types } from 'node:util'
import { behaviours, type Behaviour } from '../bank/client-records.js'
import { isInRange, parseInstant } from '../determinism/day.js'
import type { HttpOptions } from '../http/app.js'
import { maxSeed, type SandboxOptions } from '../sandbox/sandbox.js'
import type { ScenarioFile } from '../scenario/scenario-file.js'

/** How a sandbox in the process starts. */
export interface CreateOptions {
  /** 0 to 4294967295; the same seed gives the same household and the same identifiers. Default 1. */
  readonly seed?: number | undefined
  /**
   * Stops the clock at a date or an instant: `'2026-03-25'`, `'2026-03-25T08:00:00Z'`, a `Date`, or epoch ms. Without
   * it the clock runs with that of the machine.
   */
  readonly now?: string | number | Date | undefined
  /**
   * True refuses requests that deviate from the declarations, such as an unknown field, with a 400 that names each
   * deviation; false, the default, accepts them with a warning. Takes precedence over the scenario's setting.
   */
  readonly strict?: boolean | undefined
  /**
   * Where the service's document and the live service disagree: `documented`, the default, follows the document,
   * `observed` the live service. Takes precedence over the scenario's setting.
   */
  readonly behaviour?: Behaviour | undefined
  /** A scenario: the name of a shipped one, the path of a file, or what such a file says. Default `default`. */
  readonly scenario?: string | ScenarioFile | undefined
}

/** How a sandbox that listens starts. */
export interface StartOptions extends CreateOptions, HttpOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number | undefined
  /** Default `127.0.0.1`. */
  readonly host?: string | undefined
}

/** An option that cannot be used; `option` is its name, and the message says what would be right. */
export class OptionError extends TypeError {
  override readonly name = 'OptionError'

  constructor(
    readonly option: string,
    detail: string,
  ) {
    super(detail)
  }
}

type Check = (value: unknown, name: string) => void

const refuse = (name: string, wanted: string, value: unknown): never => {
  throw new OptionError(name, `Option ${name} must be ${wanted}, not ${shown(value)}.`)
}

const wholeNumber =
  (max: number): Check =>
  (value, name) => {
    if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > max)
      refuse(name, `a whole number from 0 to ${max}`, value)
  }

const text: Check = (value, name) => {
  if (typeof value !== 'string' || value === '') refuse(name, 'a text that is not empty', value)
}

const yesOrNo: Check = (value, name) => {
  if (typeof value !== 'boolean') refuse(name, 'true or false', value)
}

const texts: Check = (value, name) => {
  if (!Array.isArray(value) || value.some((each) => typeof each !== 'string'))
    refuse(name, 'a list of texts', value)
}

const oneOf =
  (...values: readonly string[]): Check =>
  (value, name) => {
    if (!values.includes(value as string)) refuse(name, values.join(' or '), value)
  }

const callback: Check = (value, name) => {
  if (typeof value !== 'function') refuse(name, 'a function', value)
}

const instant: Check = (value, name) => {
  if (msOf(value) === undefined)
    refuse(name, 'an instant from 1980 to 2200: a Date, epoch ms, 2026-03-25 or 2026-03-25T08:00:00Z', value)
}

const situation: Check = (value, name) => {
  const isName = typeof value === 'string' && value !== ''
  const isFile =
    typeof value === 'object' && value !== null && !Array.isArray(value) && plain(value) !== undefined
  if (!isName && !isFile)
    refuse(name, 'a name, the path of a file, or an object as such a file has it', value)
}

const creation: Readonly<Record<keyof CreateOptions, Check>> = {
  seed: wholeNumber(maxSeed),
  now: instant,
  strict: yesOrNo,
  behaviour: oneOf(...behaviours),
  scenario: situation,
}

const starting: Readonly<Record<keyof StartOptions, Check>> = {
  ...creation,
  port: wholeNumber(65_535),
  host: text,
  cors: texts,
  allowHosts: texts,
  control: yesOrNo,
  controlToken: text,
  onRequest: callback,
}

function msOf(value: unknown): number | undefined {
  if (typeof value === 'string') return parseInstant(value)
  const ms = types.isDate(value) ? value.getTime() : value
  return typeof ms === 'number' && Number.isInteger(ms) && isInRange(ms) ? ms : undefined
}

/** What {@link Sandbox} takes, of the options of `createSandbox`. Throws an {@link OptionError}. */
export function readCreateOptions(options: unknown): SandboxOptions {
  return sandboxOptions(checked<CreateOptions>(options, creation))
}

/** The options of `startSandbox`, with their defaults. Throws an {@link OptionError}. */
export function readStartOptions(
  options: unknown,
): SandboxOptions & HttpOptions & { port: number; host: string } {
  const {
    seed,
    now,
    strict,
    behaviour,
    scenario,
    port = 0,
    host = '127.0.0.1',
    ...http
  } = checked<StartOptions>(options, starting)
  return { ...sandboxOptions({ seed, now, strict, behaviour, scenario }), ...http, port, host }
}

function sandboxOptions({ seed, now, strict, behaviour, scenario }: CreateOptions): SandboxOptions {
  return {
    ...(seed !== undefined && { seed }),
    ...(now !== undefined && { nowMs: msOf(now)! }),
    ...(strict !== undefined && { strict }),
    ...(behaviour !== undefined && { behaviour }),
    ...(typeof scenario === 'string' && { scenario }),
    // A copy, which whoever wrote it does not change any more.
    ...(typeof scenario === 'object' && { scenarioFile: plain(scenario) }),
  }
}

/** The options that are set, each held against its check; undefined stands for an option that is left out. */
function checked<T extends object>(options: unknown, checks: Readonly<Record<keyof T & string, Check>>): T {
  if (options === undefined) return {} as T
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new OptionError('options', `The options must be an object, not ${shown(options)}.`)
  const set: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(checks, name))
      throw new OptionError(name, `There is no option ${name}; known are ${Object.keys(checks).join(', ')}.`)
    if (value === undefined) continue
    checks[name as keyof typeof checks](value, name)
    set[name] = value
  }
  return set as T
}

/** The value as JSON carries it, or undefined when JSON cannot. */
function plain(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value))
  } catch {
    return undefined
  }
}

const shown = (value: unknown): string => {
  const whole = types.isDate(value) ? String(value) : textOf(value)
  const text = whole ?? typeof value
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

function textOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
