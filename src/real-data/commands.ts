// The commands `pull`, `compare`, `scenario from-har` and `record`: flags in, one report and an exit code out.

import { cut, shellWord } from '../protocol/quote.js'
import { readFileSync, statSync } from 'node:fs'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { parseDay } from '../determinism/day.js'
import { version } from '../protocol/version.js'
import { compareWith } from './compare-with.js'
import type { Drift } from './drift.js'
import { driftPage, driftTable } from './drift-report.js'
import { pullScenario, scenarioFromHar, type PullReport, type WriteOptions } from './pull-scenario.js'
import { RealDataError, type ServiceCredentials } from './read-client.js'
import { recordTraffic } from './recording-proxy.js'
import { writeWhole } from './whole-files.js'

/** The output of a command: the report goes to `print`, progress and errors to `say`. */
export interface Terminal {
  readonly print: (text: string) => void
  readonly say: (text: string) => void
  /** How a user starts the program here, quoted for a shell: `npx sandbox-server`. */
  readonly program: string
}

type Environment = Readonly<Record<string, string | undefined>>
type Values = Readonly<Record<string, string | boolean | undefined>>

interface Command {
  readonly usage: string
  readonly flags: Readonly<Record<string, readonly [placeholder: string, description: string]>>
  run(
    values: Values,
    operands: readonly string[],
    environment: Environment,
    terminal: Terminal,
  ): Promise<number>
}

const service = {
  url: ['BASE', 'base address of the service'],
  'client-id': ['ID', 'client id; or BANK_CLIENT_ID'],
  'client-secret': ['SECRET', 'client secret; or BANK_CLIENT_SECRET, which process lists do not show'],
  'api-key': ['KEY', 'API key; or BANK_API_KEY'],
  'env-file': ['FILE', 'a file of lines such as BANK_CLIENT_ID=…'],
  rate: ['NUMBER', 'maximum requests per second (default 2)'],
} as const

const written = {
  out: ['FILE', 'the scenario file to write, ending in .yaml'],
  force: ['', 'replace files that exist'],
  'keep-names': ['', 'keep merchants and other descriptions of rows'],
  'jitter-amounts': ['5%', 'change each amount by up to this percentage'],
  continue: ['', 'continue salary, debit orders and spending after the start'],
  json: ['', 'print the report as JSON'],
} as const

/** Exit codes: 0 done, no drift; 1 drift; 2 usage; 3 the service could not be read; 130 interrupted. */
const commands: Readonly<Record<string, Command>> = {
  pull: {
    usage: 'pull --url BASE --out my-bank.yaml',
    flags: {
      ...service,
      ...written,
      from: ['DATE', 'first posting date (default: 13 months ago)'],
      to: ['DATE', 'last posting date (default: today)'],
      'with-variables': ['', 'also read the values of card variables'],
    },
    async run(values, operands, environment, terminal) {
      noOperands(operands)
      const report = await untilInterrupted((signal) =>
        pullScenario({
          url: needed(values, 'url'),
          credentials: credentialsOf(values, environment),
          rate: numberOf(values, 'rate'),
          withVariables: values['with-variables'] === true,
          from: dayOf(values, 'from'),
          to: dayOf(values, 'to'),
          signal,
          ...writeOptions(values, terminal),
        }),
      )
      printPulled(report, values.json === true, terminal)
      return 0
    },
  },
  'scenario from-har': {
    usage: 'scenario from-har traffic.har --out my-bank.yaml',
    flags: written,
    async run(values, operands, _environment, terminal) {
      const report = await scenarioFromHar(harOf(operands[0]), writeOptions(values, terminal))
      printPulled(report, values.json === true, terminal)
      return 0
    },
  },
  compare: {
    usage: 'compare --url BASE | --har traffic.har',
    flags: {
      ...service,
      har: ['FILE', 'compare a recording instead of a service'],
      allow: [
        'simulate|write',
        'simulate: also run a harmless script; write: also save code, then restore the former code',
      ],
      accept: ['FILE', 'known drift: a report of --json'],
      report: ['FILE', 'also write the report as an HTML page'],
      json: ['', 'print the report as JSON'],
    },
    async run(values, operands, environment, terminal) {
      noOperands(operands)
      const har = textOf(values, 'har')
      const allow = textOf(values, 'allow')
      if (allow !== undefined && allow !== 'simulate' && allow !== 'write')
        throw new RealDataError(`--allow must be simulate or write, not '${allow}'.`, 2)
      const asked =
        har === undefined
          ? { url: needed(values, 'url'), credentials: credentialsOf(values, environment) }
          : { har: harOf(har) }
      const accepted = acceptedOf(textOf(values, 'accept'))
      const rate = numberOf(values, 'rate')
      const onProgress = values.json === true ? undefined : terminal.say
      const report = await untilInterrupted((signal) =>
        compareWith({ ...asked, rate, allow, accepted, signal, onProgress }),
      )
      const page = textOf(values, 'report')
      if (page !== undefined) writeWhole({ [page]: driftPage(report) })
      terminal.print(values.json === true ? JSON.stringify(report, null, 2) : driftTable(report))
      if (report.drifts.length > 0) return 1
      return report.unfinished.length > 0 ? 3 : 0
    },
  },
  record: {
    usage: 'record traffic.har --upstream BASE',
    flags: {
      upstream: ['BASE', 'where calls are passed on to'],
      'upstream-writes': ['', 'pass POST, PUT and DELETE on, too'],
      force: ['', 'replace a recording that exists'],
      port: ['PORT', 'port to listen on (default 3300)'],
      host: ['ADDRESS', 'address to listen on (default 127.0.0.1)'],
    },
    async run(values, operands, _environment, { print, say }) {
      const [file] = operands
      if (file === undefined)
        throw new RealDataError('Say which file to write: record traffic.har --upstream BASE.', 2)
      if (operands.length > 1) throw new RealDataError('Say one file to write; --help lists the flags.', 2)
      const upstream = needed(values, 'upstream')
      const recording = await recordTraffic({
        upstream,
        file,
        writes: values['upstream-writes'] === true,
        force: values.force === true,
        host: textOf(values, 'host') ?? '127.0.0.1',
        port: numberOf(values, 'port') ?? 3300,
        version: version(),
        onCall: print,
        onError: (error) => say(error.message),
      })
      const kinds = values['upstream-writes'] === true ? 'all calls' : 'GET and token requests only'
      print(
        `Recording at ${recording.url}: ${kinds} are passed on to ${upstream}, and stored in ${file} without their secrets.`,
      )
      await new Promise<void>((resolve) => {
        process.once('SIGINT', () => resolve())
        process.once('SIGTERM', () => resolve())
      })
      await recording.close()
      print(`${recording.calls} calls are in ${file}.`)
      return 0
    },
  },
}

/** Runs one of the commands; returns its exit code. Errors are one sentence. */
export async function runRealData(
  name: string,
  argv: readonly string[],
  environment: Environment,
  terminal: Terminal,
): Promise<number> {
  const command = commands[name]!
  try {
    const { values, positionals } = readFlags(command, argv.slice(name.split(' ').length))
    if (values.help === true) {
      terminal.print(helpOf(command))
      return 0
    }
    return await command.run(values, positionals, environment, terminal)
  } catch (error) {
    terminal.say(`sandbox-server: ${(error as Error).message}`)
    return error instanceof RealDataError ? error.exitCode : 3
  }
}

/** Ctrl-C ends the work with a sentence; a second one ends the process at once. */
async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const stop = (): void => controller.abort()
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    return await work(controller.signal)
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

/** The typed text is not repeated: it may be a secret after a misspelled flag. */
function noOperands(operands: readonly string[]): void {
  if (operands.length > 0)
    throw new RealDataError('There is a word that belongs to no flag; --help lists the flags.', 2)
}

function readFlags({ flags }: Command, args: readonly string[]): { values: Values; positionals: string[] } {
  const options: ParseArgsConfig['options'] = { help: { type: 'boolean', short: 'h' } }
  for (const [name, [placeholder]] of Object.entries(flags))
    options[name] = { type: placeholder === '' ? 'boolean' : 'string' }
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true }) as {
      values: Values
      positionals: string[]
    }
  } catch (error) {
    throw new RealDataError(`${(error as Error).message.split(/[.\n]/)[0]!}; --help lists the flags.`, 2)
  }
}

function helpOf({ usage, flags }: Command): string {
  const rows = Object.entries(flags).map(
    ([name, [placeholder, text]]) => [`--${name} ${placeholder}`.trim(), text] as const,
  )
  const width = Math.max(...rows.map(([name]) => name.length))
  return [
    `sandbox-server ${usage}`,
    '',
    ...rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`),
  ].join('\n')
}

const textOf = (values: Values, name: string): string | undefined => {
  const value = values[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function needed(values: Values, name: string): string {
  const value = textOf(values, name)
  if (value === undefined) throw new RealDataError(`--${name} is missing; --help lists the flags.`, 2)
  return value
}

function numberOf(values: Values, name: string): number | undefined {
  const text = textOf(values, name)
  if (text === undefined) return undefined
  const number = Number(text)
  if (!Number.isFinite(number) || number < 0)
    throw new RealDataError(`--${name} must be a number, not '${cut(text)}'.`, 2)
  return number
}

function dayOf(values: Values, name: string): number | undefined {
  const text = textOf(values, name)
  const day = text === undefined ? undefined : parseDay(text)
  if (text !== undefined && day === undefined)
    throw new RealDataError(`--${name} must be a date such as 2026-03-25, not '${cut(text)}'.`, 2)
  return day
}

function writeOptions(values: Values, terminal: Terminal): WriteOptions {
  const jitter = textOf(values, 'jitter-amounts')
  const percent = jitter === undefined ? undefined : Number(jitter.replace(/%$/, ''))
  if (percent !== undefined && !(percent >= 0 && percent <= 50))
    throw new RealDataError(`--jitter-amounts must be 0% to 50%, not '${cut(jitter!)}'.`, 2)
  return {
    out: needed(values, 'out'),
    force: values.force === true,
    keepNames: values['keep-names'] === true,
    continue: values.continue === true,
    jitterPercent: percent,
    onProgress: values.json === true ? undefined : terminal.say,
  }
}

/** Client id, secret and API key: a flag overrides the file, and the file overrides the environment. */
function credentialsOf(values: Values, environment: Environment): ServiceCredentials {
  const file = textOf(values, 'env-file')
  const fromFile = file === undefined ? {} : variablesIn(readText(file, '--env-file'))
  const find = (flag: string, variable: string): string => {
    const value = textOf(values, flag) ?? fromFile[variable] ?? environment[variable]
    if (value === undefined || value === '')
      throw new RealDataError(`${variable} is not set; set it, or use --${flag} or --env-file.`, 2)
    return value
  }
  return {
    clientId: find('client-id', 'BANK_CLIENT_ID'),
    clientSecret: find('client-secret', 'BANK_CLIENT_SECRET'),
    apiKey: find('api-key', 'BANK_API_KEY'),
  }
}

/** Lines of the form `NAME=value`; quotes around a value and `export` before a name are removed. */
function variablesIn(text: string): Readonly<Record<string, string | undefined>> {
  const lines = text.split(/\r?\n/).flatMap((line) => {
    const match = /^\s*(?:export\s+)?([A-Z_][A-Z0-9_]*)=(.*)$/.exec(line)
    return match ? [[match[1]!, match[2]!.trim().replace(/^(["'])(.*)\1$/, '$2')]] : []
  })
  return Object.fromEntries(lines) as Record<string, string>
}

const maxFileBytes = 256 * 1024 * 1024

function readText(file: string, flag: string): string {
  try {
    if (statSync(file).size > maxFileBytes) throw new Error('it has more than 256 MiB')
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new RealDataError(`${flag}: ${file} cannot be read: ${(error as Error).message}.`, 2)
  }
}

function harOf(file: string | undefined): unknown {
  if (file === undefined) throw new RealDataError('Say which recording to read: a .har file.', 2)
  return jsonOf(file, 'The recording')
}

function jsonOf(file: string, what: string): unknown {
  try {
    return JSON.parse(readText(file, what)) as unknown
  } catch (error) {
    if (error instanceof RealDataError) throw error
    throw new RealDataError(`${what}: ${file} is not JSON.`, 2)
  }
}

function acceptedOf(file: string | undefined): readonly Drift[] | undefined {
  if (file === undefined) return undefined
  const { drifts } = Object(jsonOf(file, '--accept')) as { drifts?: unknown }
  if (!Array.isArray(drifts))
    throw new RealDataError(`--accept: ${file} is not a report of compare --json.`, 2)
  return (drifts as unknown[]).filter((each): each is Drift => typeof each === 'object' && each !== null)
}

function printPulled(report: PullReport, json: boolean, { print, program }: Terminal): void {
  if (json) {
    print(JSON.stringify(report, null, 2))
    return
  }
  const list = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)]
  const replaced = Object.entries(report.replaced).map(
    ([kind, count]) => `${String(count).padStart(6)}  ${kind}`,
  )
  const files = report.dataFile === undefined ? report.file : `${report.file} and ${report.dataFile}`
  print(
    [
      `${report.accounts} accounts, ${report.rows} rows and ${report.cards} cards are in ${files} (${report.requests} requests).`,
      ...list('Replaced, different values by kind:', replaced),
      ...(report.review.length === 0
        ? ['', 'Nothing is left to look at before you share the files.']
        : list('Look at this before you share the files:', report.review)),
      ...list('Not read, or odd:', report.missing),
      '',
      `Start it with: ${program} --scenario ${shellWord(report.file)}`,
    ].join('\n'),
  )
}
