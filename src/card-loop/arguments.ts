// The command line of `sandbox-server card`: one table of commands and flags; the help is generated from it.

import { nearest } from '../protocol/nearest.js'
import { parseArgs } from 'node:util'
import { behaviours, type Behaviour } from '../protocol/behaviour.js'
import { maxSeed } from '../determinism/random.js'
import { parseInstant } from '../determinism/day.js'
import type { BankOptions } from './bank-under-test.js'
import { LoopError } from './loop-error.js'

interface Flag {
  /** The placeholder of its value in the help; a flag without one takes no value. */
  readonly value?: string
  readonly short?: string
  readonly text: string
}

const bankFlags = ['scenario', 'now', 'seed', 'behaviour', 'card'] as const
const fileFlags = ['variables'] as const

const flags = {
  rand: { value: 'AMOUNT', text: 'amount in rand: 600 or 84.95' },
  cents: { value: 'CENTS', text: 'amount in cents: 60000' },
  mcc: { value: 'CODE', text: 'merchant category code of four digits: 5812' },
  merchant: { value: 'NAME', text: "the merchant's name" },
  city: { value: 'NAME', text: "the merchant's city" },
  country: { value: 'CODE', text: 'country code of two letters: ZA' },
  currency: { value: 'CODE', text: 'currency code of three letters: ZAR' },
  purchase: {
    value: 'FILE',
    text: 'purchase from a JSON file: a hook argument or an API body; - reads standard input',
  },
  replay: { value: 'FILE#ID', text: 'purchase of a recorded execution' },
  variables: {
    value: 'FILE',
    text: "the card's variables: JSON or NAME=VALUE lines (default env.json, if it exists)",
  },
  stubs: {
    value: 'FILE',
    text: 'answers to the calls of card code: the stubs of a test file, or a JSON list',
  },
  network: { value: 'POLICY', text: 'where card code may call: allow, loopback or deny (default allow)' },
  real: { text: 'make a real purchase: money is held, and the balance is shown' },
  expect: { value: 'DECISION', text: 'approved or declined; any other decision gives exit code 1' },
  card: { value: 'KEY', text: 'key of the card (default: the first programmable one)' },
  scenario: {
    value: 'NAME',
    text: 'scenario to start from: a name, or the path of a YAML file (default default)',
  },
  now: { value: 'DATE', text: 'freeze the clock at this time, ISO 8601 (default now)' },
  seed: { value: 'NUMBER', text: 'another seed gives another household (default 1)' },
  behaviour: { value: 'NAME', text: `${behaviours.join(' or ')} (default ${behaviours[0]})` },
  json: { text: 'print one JSON document and nothing else' },
  watch: { text: 'run again after each edit' },
  name: { value: 'TEXT', short: 't', text: 'only the cases whose name contains this' },
  coverage: { text: 'print which lines and branches of the code ran' },
  min: { value: 'PERCENT', text: 'with --coverage: exit code 1 below this percentage of lines' },
  update: { short: 'u', text: 'write the results into the cases without expect' },
  reporter: { value: 'NAME', text: 'text, json, junit or github (default text)' },
  github: { text: 'annotations for GitHub Actions' },
  publish: { value: 'CARD', text: 'publish the code on this card of --server when all cases pass' },
  server: { value: 'URL', text: 'address of a running sandbox' },
  'control-token': { value: 'TOKEN', text: 'token of its control API, if it needs one' },
  against: { value: 'OLD', text: 'the version to compare with: a file, or git:REF' },
  months: { value: 'NUMBER', text: 'how many months of purchases (default 12)' },
  from: { value: 'FILE', text: 'purchases of a state file, a list of executions, or a CSV file' },
  columns: { value: 'MAP', text: 'columns of a CSV file: cents=Amount,mcc=MCC,merchant=Name,date=Date' },
  'fail-on-change': { text: 'exit code 1 when any decision changes' },
  html: { value: 'FILE', text: 'write the report as one HTML page' },
  csv: { value: 'FILE', text: 'write one line for each purchase' },
  template: { value: 'NAME', text: 'petrol, limit, notify or round-up (default petrol)' },
  last: { value: 'NUMBER', text: 'how many executions to record (default 20)' },
  out: { value: 'FILE', text: 'test file to write (default recorded.card.test.yaml)' },
  help: { short: 'h', text: 'print this' },
} as const satisfies Readonly<Record<string, Flag>>

export type FlagName = keyof typeof flags

interface Command {
  readonly operands: string
  readonly text: string
  readonly flags: readonly FlagName[]
  readonly max: number
}

/** Each command with its flags. */
const commands = {
  run: {
    operands: 'main.js',
    text: 'runs the code for one purchase, and prints the decision and the steps that led to it',
    max: 1,
    flags: [
      'rand',
      'cents',
      'mcc',
      'merchant',
      'city',
      'country',
      'currency',
      'purchase',
      'replay',
      ...fileFlags,
      'stubs',
      'network',
      'real',
      'expect',
      ...bankFlags,
      'json',
    ],
  },
  test: {
    operands: '[FILES]',
    text: 'runs the cases of *.card.test.yaml and card.test.yaml',
    max: 1_000,
    flags: ['watch', 'name', 'coverage', 'min', 'update', 'reporter', ...bankFlags, 'json'],
  },
  lint: {
    operands: '[FILES]',
    text: 'finds mistakes without running the code',
    max: 1_000,
    flags: [...fileFlags, 'github', 'json'],
  },
  watch: {
    operands: '[main.js]',
    text: 'lints and tests after each edit',
    max: 1,
    flags: ['publish', 'server', 'control-token', ...bankFlags],
  },
  backtest: {
    operands: 'NEW',
    text: 'runs two versions of the code for the purchases of several months',
    max: 1,
    flags: [
      'against',
      'months',
      'from',
      'columns',
      ...fileFlags,
      'stubs',
      'fail-on-change',
      'html',
      'csv',
      ...bankFlags,
      'json',
    ],
  },
  init: { operands: '[DIR]', text: 'writes a new card with tests', max: 1, flags: ['template'] },
  record: {
    operands: '',
    text: 'turns the executions of a running sandbox into cases',
    max: 0,
    flags: ['server', 'control-token', 'last', 'card', 'out'],
  },
} as const satisfies Readonly<Record<string, Command>>

export type CommandName = keyof typeof commands

export type FlagValues = Readonly<Partial<Record<FlagName, string | boolean>>>

/** The parsed command line. */
export interface Arguments {
  readonly command: CommandName
  readonly operands: readonly string[]
  readonly flags: FlagValues
}

/** Parses the arguments after `card`; undefined asks for the help. Throws a {@link LoopError}. */
export function readArguments(
  argv: readonly string[],
): Arguments | { readonly help: CommandName | undefined } {
  const [name, ...rest] = argv
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return { help: undefined }
  if (!Object.hasOwn(commands, name)) {
    const near = nearest(name, Object.keys(commands))
    throw new LoopError(
      `There is no command card ${name}${near === undefined ? '; card --help lists them.' : `: did you mean card ${near}?`}`,
    )
  }
  const command = name as CommandName
  const taken: Readonly<Record<string, Flag>> = Object.fromEntries(
    [...commands[command].flags, 'help' as const].map((flag) => [flag, flags[flag]]),
  )
  const options = Object.fromEntries(
    Object.entries(taken).map(([flag, { value, short }]) => [
      flag,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), ...(short && { short }) },
    ]),
  )
  let parsed
  try {
    parsed = parseArgs({ args: joined(rest, taken), options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new LoopError(flagFault(command, taken, error as Error))
  }
  if (parsed.values.help === true) return { help: command }
  const operands = parsed.positionals
  if (operands.length > commands[command].max)
    throw new LoopError(`card ${command} takes no '${operands[commands[command].max]!}'.`)
  return { command, operands, flags: parsed.values }
}

/** `--rand -5` becomes `--rand=-5`, so that the flag itself reports what it takes. */
function joined(args: readonly string[], taken: Readonly<Record<string, Flag>>): string[] {
  const result: string[] = []
  for (const text of args) {
    const before = result.at(-1)
    const takesValue = before?.startsWith('--') === true && taken[before.slice(2)]?.value !== undefined
    if (takesValue && text.startsWith('-')) result.push(`${result.pop()!}=${text}`)
    else result.push(text)
  }
  return result
}

function flagFault(command: CommandName, taken: Readonly<Record<string, Flag>>, { message }: Error): string {
  const [, unknown] = /^Unknown option '-*([^'=]+)'/.exec(message) ?? []
  if (unknown !== undefined) {
    const near = nearest(unknown, Object.keys(taken))
    return `card ${command} has no flag --${unknown}${near === undefined ? `; card ${command} --help lists them.` : `: did you mean --${near}?`}`
  }
  const [, flag] = /^Option '(?:-\w, )?--([\w-]+)/.exec(message) ?? []
  if (flag === undefined) return message.split('\n')[0]!
  return taken[flag]?.value === undefined ? `--${flag} takes no value.` : `--${flag} needs a value.`
}

/** The text of a flag with a value. */
export const textOf = (values: FlagValues, flag: FlagName): string | undefined => {
  const value = values[flag]
  return typeof value === 'string' ? value : undefined
}

/** A flag with a whole number. Throws a {@link LoopError}. */
export function numberOf(values: FlagValues, flag: FlagName, min: number, max: number): number | undefined {
  const text = textOf(values, flag)
  if (text === undefined) return undefined
  const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN
  if (value >= min && value <= max) return value
  throw new LoopError(`--${flag} must be a whole number from ${min} to ${max}, not '${text}'.`)
}

/** A flag with one of a few words. Throws a {@link LoopError}. */
export function choiceOf<T extends string>(
  values: FlagValues,
  flag: FlagName,
  words: readonly T[],
): T | undefined {
  const text = textOf(values, flag)
  if (text === undefined) return undefined
  const found = words.find((word) => word === text)
  if (found !== undefined) return found
  throw new LoopError(
    `--${flag} must be ${words.length > 2 ? `one of ${words.join(', ')}` : words.join(' or ')}, not '${text}'.`,
  )
}

/** The bank that the flags describe. Throws a {@link LoopError}. */
export function bankOptions(values: FlagValues): BankOptions {
  const now = textOf(values, 'now')
  const nowMs = now === undefined ? undefined : parseInstant(now)
  if (now !== undefined && nowMs === undefined)
    throw new LoopError(
      `--now must be a date from 1980 to 2200, such as 2026-03-25 or 2026-03-25T08:00:00Z, not '${now}'.`,
    )
  const scenario = textOf(values, 'scenario')
  const behaviour: Behaviour | undefined = choiceOf(values, 'behaviour', behaviours)
  return { scenario, nowMs, seed: numberOf(values, 'seed', 0, maxSeed), behaviour }
}

/** The help of all commands, or of one. */
export function help(command?: CommandName): string {
  const table = (rows: readonly (readonly [string, string])[]): string[] => {
    const width = Math.max(...rows.map(([left]) => left.length))
    return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
  }
  if (command === undefined)
    return [
      'sandbox-server card COMMAND: write card code with the terminal beside the editor',
      '',
      ...table(Object.entries(commands).map(([name, { operands, text }]) => [`${name} ${operands}`, text])),
      '',
      'card COMMAND --help lists the flags. Exit codes: 0 done; 1 the code failed, a case failed, or a lint error; 2 a mistake in the command line or in a file.',
    ].join('\n')
  const { operands, text, flags: own } = commands[command]
  return [
    `sandbox-server card ${command} ${operands}: ${text}`,
    '',
    ...table(
      [...own, 'help' as const].map((name): [string, string] => {
        const flag: Flag = flags[name]
        const short = flag.short === undefined ? '' : `, -${flag.short}`
        return [`--${name}${short}${flag.value === undefined ? '' : ` ${flag.value}`}`, flag.text]
      }),
    ),
  ].join('\n')
}
