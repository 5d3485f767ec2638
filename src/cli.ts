#!/usr/bin/env node
// argv and environment → options → start. No logic of its own.

import { banner, readyLine, requestJson, requestText } from './cli/banner.js'
import {
  apiOf,
  commands,
  flags,
  formatOf,
  moreVariables,
  readArguments,
  scenarioTask,
  startOptions,
  UsageError,
  type Command,
  type CommandLine,
} from './cli/options.js'
import { exec } from './cli/exec.js'
import { formats, handoverOf, variablesOf } from './cli/handover.js'
import { Sandbox } from './sandbox/sandbox.js'
import {
  scenarioFromFile,
  ScenarioError,
  scenarioNames,
  scenarioText,
  shippedScenario,
} from './scenario/scenario.js'
import { listen, urlOf } from './http/server.js'
import { StateFile, StateFileError } from './store/state-file.js'
import { version } from './protocol/version.js'

const print = (text: string): void => void process.stdout.write(`${text}\n`)

function help(): string {
  const rows = (table: readonly (readonly [string, string])[]): string[] => {
    const width = Math.max(...table.map(([name]) => name.length))
    return table.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`)
  }
  return [
    'sandbox-server [command] [flags]: a bank that runs on your machine',
    '',
    ...rows(Object.entries(commands).map(([name, { operands, text }]) => [`${name} ${operands}`, text])),
    '',
    ...rows(
      Object.entries(flags).map(([name, flag]) => [
        'short' in flag ? `--${name}, -${flag.short}` : `--${name} ${flag.value}`,
        flag.text,
      ]),
    ),
    '',
    'Each flag of start can also be set in the environment: SANDBOX_PORT, SANDBOX_ALLOW_HOST and so on.',
  ].join('\n')
}

const run: Readonly<Record<Command, (line: CommandLine) => void | Promise<void>>> = {
  async start({ values }) {
    const options = startOptions(values, process.env)
    const sandbox = await Sandbox.create(options)
    const kept = await keepState(sandbox, options.state)
    const { quiet, json } = options
    const line = json ? requestJson : requestText
    const listening = await listen(sandbox, {
      ...options,
      ...(!quiet && { onRequest: (each) => print(line(each)) }),
    })
    print(json ? readyLine(sandbox.main, listening.url) : banner(sandbox.main, listening.url))
    const stop = (): void =>
      void listening
        .close()
        .then(() => kept?.close())
        .then(() => process.exit(0))
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
  },

  async exec({ values, operands }) {
    const more = moreVariables(values)
    const options = startOptions(values, process.env, { port: '0' })
    const sandbox = await Sandbox.create(options)
    const kept = await keepState(sandbox, options.state)
    await sandbox.main.open()
    const listening = await listen(sandbox, options)
    const variables = variablesOf(handoverOf(sandbox.main, listening.url), more)
    const code = await exec(operands, { ...process.env, ...variables }).finally(() => listening.close())
    await kept?.close()
    process.exit(code)
  },

  async env({ values }) {
    const options = startOptions(values, process.env)
    if (options.port === 0) throw new UsageError('env: --port 0 has no address before the bank is open.')
    const url = urlOf(options.host, options.port)
    const variables = variablesOf(
      handoverOf((await Sandbox.create(options)).main, url),
      moreVariables(values),
    )
    print(formats[formatOf(values)](variables))
  },

  async scenario({ operands }) {
    const task = scenarioTask(operands)
    if (task.verb === 'list')
      for (const name of scenarioNames())
        print(`${name.padEnd(20)} ${(await shippedScenario(name)).description.split('\n')[0]!}`)
    else if (task.verb === 'show') print(scenarioText(task.name).trimEnd())
    else await validate(task.files)
  },

  async openapi({ values, operands }) {
    const api = apiOf(operands)
    const { host, port } = startOptions(values, process.env)
    const document = await new Sandbox().openApi(api, urlOf(host, port))
    print(JSON.stringify(document, null, 2))
  },
}

/** Checks every file, also after one that has faults. Rejects with a {@link ScenarioError} of all faults. */
async function validate(files: readonly string[]): Promise<void> {
  const faults: string[] = []
  for (const file of files)
    try {
      print(`${file}: the scenario ${(await scenarioFromFile(file)).name} is valid.`)
    } catch (error) {
      if (!(error instanceof ScenarioError)) throw error
      faults.push(error.message)
    }
  if (faults.length > 0) throw new ScenarioError(faults.join('\n'))
}

const keepState = (sandbox: Sandbox, file: string | undefined): Promise<StateFile> | undefined =>
  file === undefined
    ? undefined
    : StateFile.keep(file, sandbox, (error) => {
        process.stderr.write(`sandbox-server: --state: ${error.message}\n`)
      })

async function main(): Promise<void> {
  // Whoever reads the ready line may stop reading, as `head -1` does: the bank stays open, and its lines are lost.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  const line = readArguments(process.argv.slice(2))
  const { help: asked, version: askedVersion } = line.values
  if (asked === true || askedVersion === true) print(asked === true ? help() : version())
  else await run[line.command](line)
}

main().catch((error: unknown) => {
  process.stderr.write(sentence(error).replace(/^/gm, 'sandbox-server: ') + '\n')
  process.exit(exitCode(error))
})

/** 2 for what the user can mend in the command line; 126 and 127 for a command that cannot be run, as in a shell. */
function exitCode(error: unknown): number {
  const { syscall, code } = error as NodeJS.ErrnoException
  if (syscall?.startsWith('spawn')) return code === 'ENOENT' ? 127 : 126
  return error instanceof UsageError ||
    error instanceof ScenarioError ||
    error instanceof StateFileError ||
    isListenError(error)
    ? 2
    : 1
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
