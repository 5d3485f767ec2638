// The command line: flags and environment variables become options, or one sentence for each mistake.

import { roomCommands, type Environment } from './room-commands.js'
import { parseArgs } from 'node:util'
import type { ApiName } from '../endpoint/endpoint.js'
import type { HttpOptions } from '../http/http-options.js'
import type { TlsOptions } from '../http/tls.js'
import {
  contradictions,
  hasVariable,
  optionsAt,
  optionTable,
  type OptionName,
  type OptionRow,
  type OptionValues,
} from '../node-api/options.js'
import { httpOptions, sandboxOptions, tlsOptions } from '../node-api/read-options.js'
import { nearest } from '../protocol/nearest.js'
import type { SandboxOptions } from '../sandbox/sandbox.js'
import { mainName } from '../workspace/clients.js'
import { completionScript, flagsOf, flagValues, shells } from './completion.js'
import type { Handover } from './handover.js'

/** A mistake in the command line or the environment: printed as one sentence each, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The flags of a team's bank. */
interface TeamFlags {
  readonly store: string
  readonly advertise?: string | undefined
  readonly clusterSecret?: string | undefined
  readonly workspaceTtlMs?: number | undefined
  readonly hasJournal: boolean
  /** `rows=100000` and so on. */
  readonly quotas: readonly string[]
}

/** The defaults of flags that the terminal alone has. A new one is one more line, and its row in the table of options. */
const defaults = {
  host: '127.0.0.1',
  stateSync: 'soon',
  quiet: false,
  json: false,
  verbose: false,
  url: 'http://127.0.0.1:3300',
  workspace: mainName,
  format: 'dotenv',
} as const satisfies OptionValues

/** The request for a command. */
export interface CommandOptions
  extends SandboxOptions, HttpOptions, TlsOptions, Required<Pick<OptionValues, keyof typeof defaults>> {
  readonly port: number
  readonly state?: string
  /** Set with `--store`. */
  readonly team?: TeamFlags
  /** Whether secret and API key were given, not defaults. */
  readonly areCredentialsGiven: boolean
  /** Fields of the handover under further names of variables. */
  readonly variables: Readonly<Record<string, keyof Handover>>
}

/** Each command: its operands, how many there may be, and what it does. */
export const commands = {
  start: { operands: '', min: 0, max: 0, text: 'starts the bank; this is the default command' },
  exec: {
    operands: '-- COMMAND',
    min: 1,
    max: Infinity,
    text: 'runs a command while the bank is open, with its address and credentials in the environment',
  },
  env: {
    operands: '',
    min: 0,
    max: 0,
    text: 'prints these variables for a bank that was started with the same flags',
  },
  tail: { operands: '', min: 0, max: 0, text: 'follows the log of a bank that runs elsewhere' },
  scenario: {
    operands: 'list | show NAME | validate FILE ...',
    min: 1,
    max: Infinity,
    text: 'lists the shipped scenarios, prints one, or checks your own files',
  },
  openapi: {
    operands: '[service|control]',
    min: 0,
    max: 1,
    text: "prints the OpenAPI document of the service, or of the sandbox's own API",
  },
  completion: {
    operands: shells.join('|'),
    min: 1,
    max: 1,
    text: 'prints a script that lets a shell complete commands and flags',
  },
  help: { operands: '[COMMAND]', min: 0, max: 2, text: 'prints what a command does, and its flags' },
} as const

export type Command = keyof typeof commands

type FlagValues = Readonly<Record<string, boolean | readonly string[] | undefined>>

/** The parsed command line. */
export interface CommandLine {
  readonly command: Command
  /** Whether the command was given, not the default. */
  readonly isNamed: boolean
  readonly operands: readonly string[]
  /** By flag: the given texts, or true for a flag without a value. */
  readonly flags: FlagValues
}

const rows = Object.entries(optionTable) as [OptionName, OptionRow][]

/** A row has a placeholder exactly when its flag takes a value. */
const takesValue = ({ placeholder }: OptionRow): boolean => placeholder !== undefined

/** Parses the command line. Throws a {@link UsageError} for an unknown command or flag. */
export function readArguments(argv: readonly string[]): CommandLine {
  const options = Object.fromEntries(
    rows.flatMap(([, row]) => {
      if (row.flag === undefined) return []
      const type = takesValue(row) ? ('string' as const) : ('boolean' as const)
      return [[row.flag, { type, multiple: takesValue(row), ...(row.short && { short: row.short }) }]]
    }),
  )
  let parsed
  try {
    parsed = parseArgs({ args: withNumbers(argv), options, allowPositionals: true, strict: true })
  } catch (error) {
    const [, unknown] = /^Unknown option '(--?[^']*)'/.exec((error as Error).message) ?? []
    if (unknown !== undefined) throw new UsageError(unknownFlag(unknown))
    const [, flag] = /^Option '--([\w-]+)[^']*' argument is ambiguous/.exec((error as Error).message) ?? []
    if (flag !== undefined)
      throw new UsageError(`--${flag} needs a value; one that begins with a dash is written --${flag}=VALUE.`)
    const [said] = (error as Error).message.split(/\.?\s*\n|\. /)
    throw new UsageError(`${said!.replace(/\.$/, '')}; sandbox-server --help lists the flags.`)
  }
  const [command = 'start', ...operands] = parsed.positionals
  if (!isCommand(command)) throw new UsageError(unknownCommand(command))
  const flags = parsed.values as FlagValues
  if (flags.help !== true) checkOperands(command, operands)
  const errors = Object.keys(flags).flatMap((flag) => foreignFlag(flag, command) ?? [])
  if (errors.length > 0) throw new UsageError(errors.join('\n'))
  return { command, isNamed: parsed.positionals.length > 0, operands, flags }
}

function unknownFlag(given: string): string {
  const flags = rows.flatMap(([, { flag }]) => (flag === undefined ? [] : [flag]))
  const meant = nearest(given.replace(/^-+/, ''), flags)
  return meant === undefined
    ? `There is no flag ${given}; sandbox-server --help lists them.`
    : `There is no flag ${given}; did you mean --${meant}? sandbox-server --help lists them.`
}

function unknownCommand(given: string): string {
  const meant = nearest(given, [...Object.keys(commands), ...Object.keys(roomCommands)])
  return meant === undefined
    ? `There is no command '${given}'; sandbox-server --help lists them.`
    : `There is no command '${given}'; did you mean ${meant}? sandbox-server --help lists them.`
}

/** The error when a flag is given to the wrong command. */
function foreignFlag(flag: string, command: Command): string | undefined {
  const [, row] = rows.find(([, each]) => each.flag === flag)!
  if (row.where.includes(command)) return undefined
  if (row.where.length <= 2) return `--${flag} is for ${row.where.join(' and ')} alone.`
  const taken = optionsAt(command).flatMap(([name, each]) =>
    each.flag === undefined || name === 'help' || name === 'version' ? [] : [`--${each.flag}`],
  )
  return `${command} takes no --${flag}${taken.length > 0 ? `, only ${taken.join(' and ')}` : ''}.`
}

/**
 * `--seed -1` becomes `--seed=-1`, so that the flag itself reports what it accepts. Arguments after `--` are not ours.
 */
function withNumbers(argv: readonly string[]): string[] {
  const valued = new Set(rows.flatMap(([, row]) => (takesValue(row) ? [`--${row.flag!}`] : [])))
  const args: string[] = []
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  for (const [index, text] of argv.entries()) {
    if (index < end && /^-\d/.test(text) && valued.has(args.at(-1) ?? '')) args.push(`${args.pop()!}=${text}`)
    else args.push(text)
  }
  return args
}

const isCommand = (text: string): text is Command => Object.hasOwn(commands, text)

function checkOperands(command: Command, given: readonly string[]): void {
  const { min, max, operands } = commands[command]
  if (given.length < min) throw new UsageError(`${command} needs ${operands}.`)
  if (given.length > max)
    throw new UsageError(`${command} takes no '${given[max]!}'; sandbox-server --help shows what it takes.`)
}

/** The document that `openapi` prints. Throws a {@link UsageError}. */
export function apiOf([name = 'service']: readonly string[]): ApiName {
  if (name === 'service' || name === 'control') return name
  throw new UsageError(`openapi prints service or control, not '${name}'.`)
}

/** The operation of `scenario`. Throws a {@link UsageError}. */
export function scenarioTask([verb, ...subjects]: readonly string[]):
  | { readonly verb: 'list' }
  | { readonly verb: 'show'; readonly name: string }
  | { readonly verb: 'validate'; readonly files: readonly string[] } {
  if (verb === 'list' && subjects.length === 0) return { verb }
  if (verb === 'show' && subjects.length === 1) return { verb, name: subjects[0]! }
  if (verb === 'validate' && subjects.length > 0) return { verb, files: subjects }
  throw new UsageError('scenario takes list, show NAME or validate FILE ...')
}

/**
 * Flags over environment over the config file over defaults; `exec` takes a free port. Throws a {@link UsageError} of all
 * errors.
 */
export function commandOptions(
  { command, flags }: CommandLine,
  environment: Environment,
  config: OptionValues = {},
): CommandOptions {
  const given: Record<string, unknown> = {}
  const errors: string[] = []
  for (const [name, row] of optionsAt(command)) {
    const read = readOption(row, flags, environment)
    errors.push(...read.errors)
    if (read.value !== undefined) given[name] = read.value
    else if (!isSaid(row, environment) && config[name] !== undefined) given[name] = config[name]
  }
  const values = given as OptionValues
  // --no-control overrides a token that the environment contains for every bank.
  const isTokenAside = flags['no-control'] === true && flags['control-token'] === undefined
  if (!isTokenAside)
    errors.push(
      ...contradictions(values, (name) => `--${(optionTable[name] as OptionRow).flag ?? name}`).map(
        ({ message }) => message,
      ),
    )
  if (errors.length > 0) throw new UsageError(errors.join('\n'))
  const { port = command === 'exec' ? 0 : 3300, host, clientSecret, apiKey, state, env = [] } = values
  const team = teamFlags(values)
  return {
    ...withDefaults(values),
    port,
    ...(state !== undefined && { state }),
    ...sandboxOptions(values, host),
    areCredentialsGiven: clientSecret !== undefined && apiKey !== undefined,
    ...httpOptions(values),
    ...tlsOptions(values),
    ...(team && { team }),
    variables: Object.fromEntries(env.map((each) => each.split('='))) as CommandOptions['variables'],
  }
}

/** The options of {@link defaults}, as they were given or by default. */
const withDefaults = (values: OptionValues): Required<Pick<OptionValues, keyof typeof defaults>> => ({
  ...defaults,
  ...Object.fromEntries(
    Object.keys(defaults).flatMap((name) => {
      const value = values[name as keyof typeof defaults]
      return value === undefined ? [] : [[name, value]]
    }),
  ),
})

function teamFlags(values: OptionValues): TeamFlags | undefined {
  const { store, advertise, clusterSecret, workspaceTtl, storeJournal = false, quota = [] } = values
  if (store === undefined) return undefined
  return {
    store,
    advertise,
    clusterSecret,
    workspaceTtlMs: workspaceTtl,
    hasJournal: storeJournal,
    quotas: quota,
  }
}

interface Read {
  /** Undefined when it is not given. */
  readonly value?: unknown
  readonly errors: readonly string[]
}

const twinOf = (flag: string): string => `SANDBOX_${flag.toUpperCase().replaceAll('-', '_')}`

/** Whether the environment sets an option, even to no. */
const isSaid = (row: OptionRow, environment: Environment): boolean =>
  hasVariable(row) && (environment[twinOf(row.flag!)] ?? '') !== ''

/**
 * The value of one option from flag and environment. Flags that only some commands have are not read from the
 * environment.
 */
function readOption(row: OptionRow, flags: FlagValues, environment: Environment): Read {
  const flag = row.flag!
  const given = flags[flag]
  const twin = hasVariable(row) ? environment[twinOf(flag)] : undefined
  if (!takesValue(row)) {
    if (given === true) return { value: !row.isNegated, errors: [] }
    const value = row.kind.read(row.kind.fromText!(twin ?? ''))
    if (value === undefined)
      return { errors: [`${twinOf(flag)} must be ${row.kind.wanted}, not '${twin!}'.`] }
    return value === true ? { value: !row.isNegated, errors: [] } : { errors: [] }
  }
  const texts = Array.isArray(given) ? (given as string[]) : twin === undefined || twin === '' ? [] : [twin]
  if (texts.length === 0) return { errors: [] }
  if (!row.isList) return readText(row, texts.at(-1)!)
  const parts = texts.map((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )
  if (parts.some((each) => each.length === 0)) return { errors: [`--${flag} must not be empty.`] }
  const read = parts.flat().map((part) => readText(row, part))
  const errors = read.flatMap((each) => each.errors)
  return errors.length > 0 ? { errors } : { value: read.map(({ value }) => value), errors }
}

function readText({ kind, flag }: OptionRow, text: string): Read {
  const value = kind.read(kind.fromText ? kind.fromText(text) : text)
  if (value !== undefined) return { value, errors: [] }
  return { errors: [`--${flag!} must be ${kind.wanted}${kind.isSecret ? '' : `, not '${text}'`}.`] }
}

const table = (lines: readonly (readonly [string, string])[]): string[] => {
  const width = Math.max(...lines.map(([name]) => name.length))
  return lines.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`)
}

const flagLines = (of: readonly (readonly [OptionName, OptionRow])[]): string[] =>
  table(
    of.flatMap(([, { flag, short, placeholder = '', description }]) =>
      flag === undefined ? [] : [[`--${flag}${short ? `, -${short}` : ` ${placeholder}`}`, description]],
    ),
  )

/** The output of `completion SHELL`. Throws a {@link UsageError}. */
export function completionOf([name = '']: readonly string[]): string {
  const shell = shells.find((each) => each === name)
  if (!shell)
    throw new UsageError(`completion prints a script for one of ${shells.join(', ')}, not '${name}'.`)
  const own = Object.keys(commands) as Command[]
  const others = Object.entries(roomCommands).filter(([word]) => !word.includes(' '))
  const operands: Partial<Record<Command, readonly string[]>> = {
    scenario: ['list', 'show', 'validate', 'from-har'],
    openapi: ['service', 'control'],
    completion: shells,
    help: [...own, ...others.map(([word]) => word)],
  }
  return completionScript(shell, {
    commands: [
      ...own.map((each) => [each, commands[each].text] as const),
      ...others.map(([word, { text }]) => [word, text] as const),
    ],
    words: Object.fromEntries(own.map((each) => [each, [...flagsOf(each), ...(operands[each] ?? [])]])),
    values: flagValues(own),
  })
}

/** The output of `help COMMAND` and `COMMAND --help`. Throws a {@link UsageError} when there is no such command. */
export function helpOf(words: readonly string[]): string {
  const name = words.join(' ')
  if (Object.hasOwn(roomCommands, name)) {
    const { usage, text } = roomCommands[name]!
    return `sandbox-server ${usage}\n\nIt ${text}. sandbox-server ${name} --help lists its flags.`
  }
  if (!isCommand(name)) throw new UsageError(unknownCommand(name))
  const { operands, text } = commands[name]
  const usage = `sandbox-server ${name} [flags] ${operands}`.trimEnd()
  return [usage, '', `It ${text}.`, '', ...flagLines(optionsAt(name))].join('\n')
}

/** The output of `--help` without a command. */
export function help(): string {
  return [
    'sandbox-server [command] [flags]: a bank that runs on your machine',
    '',
    ...table([
      ...Object.entries(commands).map(([name, { operands, text }]) => [`${name} ${operands}`, text] as const),
      ...Object.values(roomCommands).map(({ usage, text }) => [usage, text] as const),
    ]),
    '',
    ...flagLines(rows),
    '',
    'Each flag of start and tail can also be set in the environment: SANDBOX_PORT, SANDBOX_ALLOW_HOST and so on.',
  ].join('\n')
}
