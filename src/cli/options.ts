// The command line: flags and their environment twins → options, or one sentence that says what is wrong.

import { parseArgs } from 'node:util'
import { behaviours, type Behaviour } from '../bank/client-records.js'
import { parseInstant } from '../determinism/day.js'
import { formats, handoverFields, type Handover } from './handover.js'
import type { ApiName } from '../endpoint/endpoint.js'
import { maxSeed, type SandboxOptions } from '../sandbox/sandbox.js'

/** A mistake of the user: printed as one sentence, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What `sandbox-server start` was asked for. */
export interface StartOptions extends SandboxOptions {
  readonly port: number
  readonly host: string
  readonly cors: readonly string[]
  readonly allowHosts: readonly string[]
  readonly control: boolean
  readonly controlToken?: string
  readonly state?: string
  readonly quiet: boolean
  readonly json: boolean
}

/**
 * Each command: what stands behind it, how many of those there may be, and what it does; `takes` lists the flags of those
 * that do not take all that start takes.
 */
export const commands = {
  start: { operands: '', atLeast: 0, atMost: 0, text: 'opens the bank; what happens without a command' },
  exec: {
    operands: '-- COMMAND',
    atLeast: 1,
    atMost: Infinity,
    text: 'runs a command while the bank is open, with its address and credentials in the environment',
  },
  env: {
    operands: '',
    atLeast: 0,
    atMost: 0,
    text: 'prints those variables for a bank started with the same flags',
  },
  scenario: {
    operands: 'list | show NAME | validate FILE ...',
    atLeast: 1,
    atMost: Infinity,
    takes: [],
    text: 'lists the shipped scenarios, prints one, or checks files of your own',
  },
  openapi: {
    operands: '[service|control]',
    atLeast: 0,
    atMost: 1,
    takes: ['host', 'port'],
    text: "prints the OpenAPI document of the service, or of the sandbox's own API",
  },
} as const

export type Command = keyof typeof commands

/** Each flag: whether it takes a value, how the help names that, and what it does; `only` those commands
 * take it. The twin of --x-y is SANDBOX_X_Y, but a flag of a single command has none. */
export const flags = {
  port: { type: 'string', value: 'PORT', text: 'port to listen on; 0 takes a free one (default 3300)' },
  host: { type: 'string', value: 'ADDRESS', text: 'address to listen on (default 127.0.0.1)' },
  seed: { type: 'string', value: 'NUMBER', text: 'another seed is another household (default 1)' },
  now: { type: 'string', value: 'DATE', text: 'stop the clock at a date or an instant, ISO 8601' },
  scenario: {
    type: 'string',
    value: 'NAME',
    text: 'situation to start from: a name, or the path of a YAML file (default default)',
  },
  strict: {
    type: 'boolean',
    value: '',
    text: 'refuse requests that deviate from the declarations, instead of warning about them',
  },
  behaviour: {
    type: 'string',
    value: 'NAME',
    text: "documented or observed: follow the service's document or the live service (default documented)",
  },
  cors: {
    type: 'string',
    value: 'ORIGIN',
    text: 'web page that may call: an origin, several with commas, or *',
  },
  'allow-host': { type: 'string', value: 'NAME', text: 'host name to answer to, besides loopback names' },
  state: {
    type: 'string',
    value: 'FILE',
    text: 'go on from the state in this file, and keep it up to date; what it holds goes before other flags',
  },
  'control-token': {
    type: 'string',
    value: 'TOKEN',
    text: 'opens the control API to other machines, which send it as a bearer token',
  },
  'no-control': { type: 'boolean', value: '', text: 'turn the control API under /_sandbox off' },
  quiet: { type: 'boolean', value: '', text: 'print no line for each request' },
  json: { type: 'boolean', value: '', text: 'print JSON lines instead of text' },
  env: {
    type: 'string',
    value: 'NAME=FIELD',
    only: ['exec', 'env'],
    text: 'one more variable: url, clientId, clientSecret or apiKey under another name',
  },
  format: { type: 'string', value: 'FORMAT', only: ['env'], text: 'dotenv, sh or json (default dotenv)' },
  help: { type: 'boolean', short: 'h', value: '', text: 'print this' },
  version: { type: 'boolean', short: 'v', value: '', text: 'print the version' },
} as const

type Flag = keyof typeof flags
type Values = Partial<Record<Flag, string | boolean | readonly (string | boolean)[]>>

/** What the command line says. */
export interface CommandLine {
  readonly command: Command
  readonly operands: readonly string[]
  readonly values: Values
}

/** Reads the command line. Throws a {@link UsageError} for an unknown command or flag. */
export function readArguments(argv: readonly string[]): CommandLine {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [
      name,
      { type: flag.type, multiple: flag.type === 'string', ...('short' in flag && { short: flag.short }) },
    ]),
  )
  let parsed
  try {
    parsed = parseArgs({ args: withNumbers(argv), options, allowPositionals: true, strict: true })
  } catch (error) {
    const [, flag] = /^Option '--([\w-]+)[^']*' argument is ambiguous/.exec((error as Error).message) ?? []
    if (flag !== undefined)
      throw new UsageError(`--${flag} needs a value; one that begins with a dash is written --${flag}=VALUE.`)
    const [said] = (error as Error).message.split(/\.?\s*\n|\. /)
    throw new UsageError(`${said!.replace(/\.$/, '')}; sandbox-server --help lists the flags.`)
  }
  const { positionals, values } = parsed as { positionals: string[]; values: Values }
  const [command = 'start', ...operands] = positionals
  if (!isCommand(command))
    throw new UsageError(`There is no command '${command}'; sandbox-server --help lists them.`)
  checkOperands(command, operands)
  for (const flag of Object.keys(values) as Flag[]) checkFlag(flag, command)
  return { command, operands, values }
}

function checkFlag(flag: Flag, command: Command): void {
  const definition = flags[flag]
  if ('only' in definition && !isOneOf(definition.only, command))
    throw new UsageError(`--${flag} is for ${definition.only.join(' and ')} alone.`)
  const { takes } = { takes: undefined, ...commands[command] }
  if (takes && !isOneOf(['help', 'version', ...takes], flag))
    throw new UsageError(
      `${command} takes no --${flag}${takes.length > 0 ? `, only ${takes.map((name) => `--${name}`).join(' and ')}` : ''}.`,
    )
}

/** `--seed -1` as `--seed=-1`, so that the flag itself says what it takes. What comes after `--` is not ours. */
function withNumbers(argv: readonly string[]): string[] {
  const args: string[] = []
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  for (const [index, text] of argv.entries()) {
    if (index < end && /^-\d/.test(text) && takesValue(args.at(-1))) args.push(`${args.pop()!}=${text}`)
    else args.push(text)
  }
  return args
}

const takesValue = (argument = ''): boolean =>
  Object.entries(flags).some(([name, { type }]) => argument === `--${name}` && type === 'string')

const isCommand = (text: string): text is Command => Object.hasOwn(commands, text)

const isOneOf = (list: readonly string[], text: string): boolean => list.includes(text)

function checkOperands(command: Command, given: readonly string[]): void {
  const { atLeast, atMost, operands } = commands[command]
  if (given.length < atLeast) throw new UsageError(`${command} needs ${operands}.`)
  if (given.length > atMost)
    throw new UsageError(
      `${command} takes no '${given[atMost]!}'; sandbox-server --help shows what it takes.`,
    )
}

/** The variables of `--env NAME=FIELD`. Throws a {@link UsageError}. */
export function moreVariables(values: Values): Record<string, keyof Handover> {
  const texts = values.env ?? []
  return Object.fromEntries(
    (Array.isArray(texts) ? texts.map(String) : []).map((text) => {
      const [, name, field] = /^([A-Za-z_][A-Za-z0-9_]*)=(\w+)$/.exec(text) ?? []
      if (name === undefined || !isOneOf(handoverFields, field!))
        throw new UsageError(
          `--env must be NAME=FIELD, where FIELD is one of ${handoverFields.join(', ')}, not '${text}'.`,
        )
      return [name, field as keyof Handover]
    }),
  )
}

/** The format of `--format`. Throws a {@link UsageError}. */
export function formatOf({ format = ['dotenv'] }: Values): keyof typeof formats {
  const name = String((format as readonly string[]).at(-1))
  if (!Object.hasOwn(formats, name))
    throw new UsageError(`--format must be one of ${Object.keys(formats).join(', ')}, not '${name}'.`)
  return name as keyof typeof formats
}

/** Which document `openapi` prints. Throws a {@link UsageError}. */
export function apiOf([name = 'service']: readonly string[]): ApiName {
  if (name === 'service' || name === 'control') return name
  throw new UsageError(`openapi prints service or control, not '${name}'.`)
}

/** What `scenario` was asked to do. Throws a {@link UsageError}. */
export function scenarioTask([verb, ...subjects]: readonly string[]):
  | { readonly verb: 'list' }
  | { readonly verb: 'show'; readonly name: string }
  | { readonly verb: 'validate'; readonly files: readonly string[] } {
  if (verb === 'list' && subjects.length === 0) return { verb }
  if (verb === 'show' && subjects.length === 1) return { verb, name: subjects[0]! }
  if (verb === 'validate' && subjects.length > 0) return { verb, files: subjects }
  throw new UsageError('scenario takes list, show NAME or validate FILE ...')
}

/** Flags over environment over defaults; `exec` takes a free port unless it is told another. Throws a {@link UsageError} that names the flag. */
export function startOptions(
  values: Values,
  environment: Readonly<Record<string, string | undefined>>,
  defaults: { readonly port: string } = { port: '3300' },
): StartOptions {
  const given = (flag: Flag): readonly string[] => {
    const value = values[flag]
    if (Array.isArray(value)) return value.map(String)
    const twin = environment[twinOf(flag)]
    return twin === undefined || twin === '' ? [] : [twin]
  }
  const last = (flag: Flag): string | undefined => given(flag).at(-1)
  const isOn = (flag: Flag): boolean => values[flag] === true || truth(flag, environment[twinOf(flag)])
  const list = (flag: Flag): string[] =>
    given(flag).flatMap((text) => {
      const parts = text.split(',').map((part) => part.trim())
      const named = parts.filter((part) => part !== '')
      if (named.length === 0) throw new UsageError(`--${flag} must not be empty.`)
      return named
    })
  const seed = last('seed')
  const now = last('now')
  const scenario = last('scenario')
  const behaviour = last('behaviour')
  const state = last('state')
  const controlToken = last('control-token')
  if (controlToken !== undefined && !/^[\x21-\x7e]{8,200}$/.test(controlToken))
    throw new UsageError('--control-token must have 8 to 200 visible ASCII characters without a space.')
  // --no-control goes before a token that the environment holds for every bank; otherwise the two contradict each other.
  const isTokenAside = values['no-control'] === true && values['control-token'] === undefined
  if (controlToken !== undefined && isOn('no-control') && !isTokenAside)
    throw new UsageError('--no-control turns off what --control-token opens; leave one of them out.')
  for (const origin of list('cors')) checkOrigin(origin)
  for (const name of list('allow-host')) checkHostName(name)
  const host = last('host') ?? '127.0.0.1'
  // An empty address would be every address of the machine.
  if (host.trim() === '') throw new UsageError('--host must be an address such as 127.0.0.1, not empty.')
  return {
    port: wholeNumber('port', last('port') ?? defaults.port, 65_535),
    host,
    ...(seed !== undefined && { seed: wholeNumber('seed', seed, maxSeed) }),
    ...(now !== undefined && { nowMs: instant(now) }),
    ...(isOn('strict') && { strict: true }),
    ...(behaviour !== undefined && { behaviour: behaviourNamed(behaviour) }),
    ...(scenario !== undefined && { scenario }),
    cors: list('cors'),
    allowHosts: list('allow-host'),
    control: !isOn('no-control'),
    ...(controlToken !== undefined && { controlToken }),
    ...(state !== undefined && { state }),
    quiet: isOn('quiet'),
    json: isOn('json'),
  }
}

const twinOf = (flag: Flag): string => `SANDBOX_${flag.toUpperCase().replaceAll('-', '_')}`

function truth(flag: Flag, text: string | undefined): boolean {
  if (text === undefined || ['', '0', 'false', 'no'].includes(text.toLowerCase())) return false
  if (['1', 'true', 'yes'].includes(text.toLowerCase())) return true
  throw new UsageError(`${twinOf(flag)} must be 1 or 0, not '${text}'.`)
}

function behaviourNamed(text: string): Behaviour {
  const named = behaviours.find((each) => each === text)
  if (named) return named
  throw new UsageError(`--behaviour must be ${behaviours.join(' or ')}, not '${text}'.`)
}

function wholeNumber(flag: Flag, text: string, max: number): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : NaN
  if (number <= max) return number
  throw new UsageError(`--${flag} must be a whole number from 0 to ${max}, not '${text}'.`)
}

function instant(text: string): number {
  const ms = parseInstant(text)
  if (ms !== undefined) return ms
  throw new UsageError(
    `--now must be a date from 1980 to 2200, such as 2026-03-25 or 2026-03-25T08:00:00Z, not '${text}'.`,
  )
}

function checkOrigin(origin: string): void {
  if (origin === '*') return
  const parsed = URL.canParse(origin) ? new URL(origin) : undefined
  if (parsed?.origin !== origin || !/^https?:$/.test(parsed.protocol))
    throw new UsageError(`--cors must be an origin such as http://localhost:5173, or *, not '${origin}'.`)
}

/** A port or a scheme would never fit, since the name alone is compared. */
function checkHostName(name: string): void {
  if (!/^[a-z0-9._-]+$|^[0-9a-f:.]+$/i.test(name))
    throw new UsageError(`--allow-host must be a host name such as bank.test, without a port, not '${name}'.`)
}
