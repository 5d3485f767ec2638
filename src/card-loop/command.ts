// `sandbox-server card …`: chooses the command that runs, and its exit code.

import { ScenarioError } from '../scenario/scenario.js'
import { type Arguments, type CommandName, help, readArguments } from './arguments.js'
import { LoopError } from './loop-error.js'
import type { Output } from './output.js'

type Run = (given: Arguments, output: Output) => Promise<number>

/** Loaded on demand: `card lint` needs no bank. */
const runs: Readonly<Record<CommandName, () => Promise<Run>>> = {
  run: async () => (await import('./run.js')).run,
  test: async () => (await import('./test-command.js')).test,
  lint: async () => (await import('./lint-command.js')).lint,
  watch: async () => (await import('./watch.js')).watch,
  backtest: async () => (await import('./backtest.js')).backtest,
  init: async () => (await import('./init.js')).init,
  record: async () => (await import('./record.js')).record,
}

/**
 * Runs a command line. Never rejects because of a mistake of the user.
 *
 * @param argv the arguments after `card`
 * @returns the exit code: 0 done; 1 the code, a case or the lint failed; 2 a mistake in the command line or in a file
 */
export async function runCard(argv: readonly string[], output: Output): Promise<number> {
  const isQuiet = argv.includes('--json')
  try {
    const given = readArguments(argv)
    if ('help' in given) {
      output.print(help(given.help))
      return 0
    }
    return await (
      await runs[given.command]()
    )(given, output)
  } catch (error) {
    if (!(error instanceof LoopError || error instanceof ScenarioError)) throw error
    const { message } = error
    // One document, and nothing else.
    if (isQuiet) output.print(JSON.stringify({ error: message }, null, 2))
    else output.complain(message.replace(/^/gm, 'card: '))
    return 2
  }
}

/** The terminal. */
export const terminal = (): Output => ({
  print: (text) => void process.stdout.write(`${text}\n`),
  complain: (text) => void process.stderr.write(`${text}\n`),
  directory: process.cwd(),
  isTerminal: process.stdout.isTTY,
  keys: process.stdin,
  ...(process.stdout.isTTY &&
    process.stderr.isTTY && { progress: (text: string) => void process.stderr.write(`\r\u001b[K${text}`) }),
})
