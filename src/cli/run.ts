// Runs one command line: what each command does, and the exit code of the process.

import { listen, urlOf, type Listening } from '../http/server.js'
import type { CertificatePair } from '../http/certificate.js'
import { pairOf } from '../http/tls.js'
import { exposureWarning, isExposed } from '../node-api/exposure.js'
import { openPage } from '../page/open-page.js'
import { version } from '../protocol/version.js'
import { Sandbox } from '../sandbox/sandbox.js'
import {
  ScenarioError,
  readScenarioFile,
  scenarioNames,
  loadScenarioText,
  loadShipped,
} from '../scenario/scenario.js'
import { StateFile, StateFileError } from '../store/state-file.js'
import { banner, readyLine, stoppedLine, stoppedText } from './banner.js'
import { isColoured, painter } from './colours.js'
import { configIn } from './config-file.js'
import { exec } from './exec.js'
import { hasKeys, onKeys } from './keys.js'
import { roomCommandOf, withoutAliases, type Environment } from './room-commands.js'
import { formats, handoverOf, variablesOf } from './handover.js'
import { ignoredFlags } from './ignored.js'
import { Log, type Ask } from './log.js'
import {
  apiOf,
  completionOf,
  commandOptions,
  help,
  helpOf,
  readArguments,
  scenarioTask,
  UsageError,
  type Command,
  type CommandLine,
  type CommandOptions,
} from './options.js'
import { endWithShell } from './parent.js'
import { printable } from './printable.js'
import { Signals } from './signals.js'
import { RemoteBank, TailError } from './tail.js'
import { trustIn } from './trust.js'

const print = (text: string): void => void process.stdout.write(`${text}\n`)

/** How long requests in flight may take after a signal. */
const graceMs = 5_000

type Run = (line: CommandLine, environment: Environment, signals: Signals) => void | Promise<void>

const runs: Readonly<Record<Command, Run>> = {
  async start(line, environment, signals) {
    const options = commandOptions(line, environment, await configIn('.'))
    const pair = certificateFor(options)
    if (options.team) {
      const { startTeam } = await import('./team.js')
      for (const each of ignoredFlags(line, options)) complain(each)
      await startTeam(options, pair, signals, { print, complain, fail })
      return
    }
    const sandbox = await Sandbox.create(options)
    sandbox.warmsAtSignIn = true
    const kept = await keepState(sandbox, options)
    for (const each of ignoredFlags(line, options, kept?.isContinued)) complain(each)
    const { quiet, json } = options
    const log = quiet ? undefined : logOf(options, environment, askOf(sandbox))
    sandbox.onReload = ({ workspace, text, isFault }) => {
      if (isFault) complain(text)
      else log?.add({ event: 'code', at: now(), workspace, text })
    }
    if (log) sandbox.workspaces.watch((event, workspace) => log.take(event, workspace))
    const now = (): string => new Date(sandbox.main.clock.now()).toISOString()
    const listening = await listen(sandbox, {
      ...options,
      ...(pair && { pair }),
      ...(log && { onRequest: (each) => log.takeLine(each, now(), sandbox.main.name) }),
    }).catch(async (error: unknown) => {
      await kept?.close()
      throw error
    })
    let isStopping = false
    signals.whenAsked(() => {
      // A second signal ends the wait for requests; the state is still written.
      if (isStopping) void listening.close()
      else
        void stop(sandbox, listening, kept).then(async () => {
          await log?.finish()
          const text = (json ? stoppedLine : stoppedText)(kept?.report.file, sandbox.workspaces.all.length)
          process.stdout.write(`${text}\n`, () => process.exit(0))
        }, fail)
      isStopping = true
    })
    if (isExposed(options.host)) complain(exposureWarning(options.host))
    if (json) {
      print(readyLine(sandbox.main, listening.url))
      return
    }
    const hasPage = options.page !== false && options.control !== false
    const isAtKeys = hasPage && hasKeys()
    print(banner(sandbox.main, listening.url, isAtKeys ? 'key' : hasPage ? 'address' : 'none'))
    if (isAtKeys) onKeys({ o: () => openPage(listening.url, print) })
  },

  async exec(line, environment, signals) {
    const options = commandOptions(line, environment, await configIn('.'))
    const pair = certificateFor(options)
    const sandbox = await Sandbox.create(options)
    const kept = await keepState(sandbox, options)
    for (const each of ignoredFlags(line, options, kept?.isContinued)) complain(each)
    await sandbox.main.open()
    const listening = await listen(sandbox, { ...options, ...(pair && { pair }) })
    const trust = trustIn(pair?.cert, environment)
    const variables = variablesOf(handoverOf(sandbox.main, listening.url), options.variables)
    const running = exec(line.operands, { ...environment, ...variables, ...trust.variables })
    // Signals are now passed on to the command.
    signals.release()
    const code = await running.finally(() => {
      trust.end()
      return listening.close()
    })
    await kept?.close()
    process.exit(code)
  },

  async env(line, environment) {
    const options = commandOptions(line, environment, await configIn('.'))
    if (options.port === 0) throw new UsageError('env: --port 0 has no address before the bank is open.')
    if (isExposed(options.host) && !options.areCredentialsGiven)
      throw new UsageError(
        'env: a bank that other machines reach has random credentials; give --client-secret and --api-key.',
      )
    const url = urlOf(options.host, options.port, isHttps(options) ? 'https' : 'http')
    const { main } = await Sandbox.create(options)
    print(formats[options.format](variablesOf(handoverOf(main, url), options.variables)))
  },

  async tail(line, environment, signals) {
    const options = commandOptions(line, environment)
    const bank = new RemoteBank(options)
    const log = logOf(options, environment, bank.ask)
    const end = new AbortController()
    signals.whenAsked(() => end.abort())
    await bank.follow(log, end.signal, () =>
      complain(`following the workspace ${options.workspace} of ${options.url}; Ctrl-C ends it.`),
    )
    await log.finish()
    process.exit(0)
  },

  async scenario({ operands }) {
    const task = scenarioTask(operands)
    if (task.verb === 'list')
      for (const name of scenarioNames())
        print(`${name.padEnd(20)} ${(await loadShipped(name)).description.split('\n')[0]!}`)
    else if (task.verb === 'show') print(loadScenarioText(task.name).trimEnd())
    else await validate(task.files)
  },

  completion({ operands }) {
    print(completionOf(operands))
  },

  help({ operands }) {
    print(operands.length === 0 ? help() : helpOf(operands))
  },

  async openapi(line, environment) {
    const api = apiOf(line.operands)
    const { host, port } = commandOptions(line, environment)
    const document = await new Sandbox().openApi(api, urlOf(host, port))
    print(JSON.stringify(document, null, 2))
  },
}

/** The log of a bank on standard output. */
function logOf({ json, verbose }: CommandOptions, environment: Environment, ask: Ask): Log {
  const { stdout } = process
  const isTerminal = stdout.isTTY
  const paint = painter(isColoured(environment, isTerminal))
  const style = () => ({ paint, isVerbose: verbose, ...(isTerminal && { width: stdout.columns }) })
  return new Log({ ask, print, isJson: json, style })
}

/** The control API of a sandbox in this process. */
const askOf =
  (sandbox: Sandbox): Ask =>
  async (path) => {
    const { body } = await sandbox.handle({ method: 'GET', path })
    return JSON.parse(String(body)) as unknown
  }

const isHttps = ({ tls, tlsCert }: CommandOptions): boolean => tls === true || tlsCert !== undefined

/** Throws a {@link UsageError} when a file cannot be used. */
function certificateFor(options: CommandOptions): CertificatePair | undefined {
  const found = pairOf(options, [options.host, ...(options.allowHosts ?? [])])
  if ('pair' in found) return found.pair
  const { option, message } = found.fault
  throw new UsageError(`--${option === 'tlsCert' ? 'tls-cert' : 'tls-key'}: ${message}`)
}

/** Checks every file, even after one with errors. Rejects with a {@link ScenarioError} of all errors. */
async function validate(files: readonly string[]): Promise<void> {
  const errors: string[] = []
  for (const file of files) {
    const loaded = await readScenarioFile(file)
    if ('errors' in loaded) errors.push(loaded.errors)
    else print(`${file}: the scenario ${loaded.scenario.name} is valid.`)
  }
  if (errors.length > 0) throw new ScenarioError(errors.join('\n'))
}

const keepState = (sandbox: Sandbox, { state, stateSync }: CommandOptions): Promise<StateFile> | undefined =>
  state === undefined
    ? undefined
    : StateFile.keep(state, sandbox, {
        sync: stateSync,
        onError: ({ message }) => complain(`--state: ${message}.`),
      })

/**
 * Lets requests in flight finish, then ends the running hooks, and writes the state. Rejects with a {@link
 * StateFileError} when that fails.
 */
async function stop(sandbox: Sandbox, listening: Listening, kept: StateFile | undefined): Promise<void> {
  await listening.close(graceMs)
  await sandbox.close()
  // Calls whose hooks were ended here record that before they return.
  await new Promise((resolve) => setImmediate(resolve))
  await kept?.close()
}

const complain = (text: string): void =>
  void process.stderr.write(text.replace(/^/gm, 'sandbox-server: ') + '\n')

/** Ends the process with an error message. */
function fail(error: unknown): void {
  complain(printable(sentence(error)))
  process.exit(exitCode(error))
}

/**
 * Runs a command line. Ends the process after commands that end, and after any error.
 *
 * @param argv the arguments behind the name of the program
 * @param file the file of the program, as it was started
 */
export async function run(argv: readonly string[], environment: Environment, file = ''): Promise<void> {
  const signals = new Signals()
  endWithShell(environment)
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader of the ready line may stop reading, as `head -1` does, and a terminal may close: the bank keeps
    // running.
    if (error.code === 'EPIPE' || error.code === 'EIO') return
    complain(`the output cannot be written: ${error.message}.`)
    process.exit(1)
  })
  // There is no stream left to report to.
  process.stderr.on('error', () => undefined)
  try {
    const words = withoutAliases(argv)
    const room = roomCommandOf(words)
    if (room) process.exit(await room.run(words, environment, file))
    const line = readArguments(argv)
    if (line.flags.help === true) print(line.isNamed ? helpOf([line.command]) : help())
    else if (line.flags.version === true) print(version())
    else await runs[line.command](line, environment, signals)
    if (line.command !== 'start') signals.release()
  } catch (error) {
    fail(error)
  }
}

/** 2 for mistakes of the command line; 126 and 127 for a command that cannot be run, as in a shell. */
function exitCode(error: unknown): number {
  const { syscall, code } = error as NodeJS.ErrnoException
  if (syscall?.startsWith('spawn')) return code === 'ENOENT' ? 127 : 126
  if (error instanceof StateFileError) return error.exitCode
  // The class is loaded with --store alone.
  if ((error as Error).name === 'StoreError') return (error as Error & { exitCode: 1 | 2 }).exitCode
  if (error instanceof TailError) return error.exitCode
  return error instanceof UsageError || error instanceof ScenarioError || isListenError(error) ? 2 : 1
}

const isListenError = (error: unknown): boolean =>
  ['listen', 'getaddrinfo'].includes((error as NodeJS.ErrnoException).syscall ?? '')

function sentence(error: unknown): string {
  const { code, message, ...at } = error as NodeJS.ErrnoException & {
    port?: number
    address?: string
    hostname?: string
  }
  if (at.path !== undefined && code === 'ENOENT') return `there is no command '${at.path}'.`
  if (at.path !== undefined && code === 'EACCES') return `the command '${at.path}' may not be run.`
  if (code === 'EADDRINUSE')
    return `port ${at.port ?? ''} is in use; choose another with --port, or 0 for a free one.`
  if (code === 'EACCES') return `port ${at.port ?? ''} may not be used by this user; choose one above 1023.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `--host: this machine has no address ${at.address ?? at.hostname ?? ''}.`
  return message
}
