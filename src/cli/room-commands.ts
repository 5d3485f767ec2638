// Commands that parse their own flags. Each is loaded only when it is used.

import { relative } from 'node:path'
import { shellWord } from '../protocol/quote.js'

/** The variables of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>

/** One such command: its line in the help, and a function that runs it and returns its exit code. */
export interface RoomCommand {
  readonly usage: string
  readonly text: string
  /** `file` is the file of the program that was started. */
  readonly run: (argv: readonly string[], environment: Environment, file: string) => Promise<number>
}

const terminal = {
  print: (text: string): void => void process.stdout.write(`${text}\n`),
  say: (text: string): void => void process.stderr.write(`${text}\n`),
}

const realData =
  (name: string): RoomCommand['run'] =>
  async (argv, environment, file) => {
    const { runRealData } = await import('../real-data/commands.js')
    // With npx in a project or a clone, or by the path of its file: the same form works again.
    const own = relative('', file)
    const byPath = `node ${shellWord(own.startsWith('..') ? file : own)}`
    const program = environment.npm_command === 'exec' ? 'npx sandbox-server' : byPath
    return runRealData(name, argv, environment, { ...terminal, program })
  }

/** The commands, by the first words of a command line. */
export const roomCommands: Readonly<Record<string, RoomCommand>> = {
  pull: {
    usage: 'pull --url BASE --out FILE',
    text: 'reads your own bank, anonymises it, and writes a scenario',
    run: realData('pull'),
  },
  compare: {
    usage: 'compare --url BASE',
    text: "lists the differences between a service and the sandbox's declarations",
    run: realData('compare'),
  },
  record: {
    usage: 'record FILE --upstream BASE',
    text: 'passes calls on to a service and stores them in an HTTP Archive',
    run: realData('record'),
  },
  init: {
    usage: 'init',
    text: 'writes a first test, a scenario and a script into the project of this folder',
    run: async ([, ...words]) => {
      if (words.length > 0) {
        terminal.say('sandbox-server: init takes nothing: it looks at the project of this folder.')
        return words.every((word) => ['--help', '-h'].includes(word)) ? 0 : 2
      }
      const { init } = await import('./init.js')
      return init('.', terminal.print, terminal.say)
    },
  },
  card: {
    usage: 'card COMMAND',
    text: 'runs, tests, lints and backtests card code: card --help lists its commands',
    run: async (words) => {
      const { runCard, terminal: cardTerminal } = await import('../card-loop/command.js')
      return runCard(words.slice(1), cardTerminal())
    },
  },
  store: {
    usage: 'store migrate|status|export|import --store ADDRESS',
    text: "makes the tables of a team's bank, shows it, and copies its workspaces out and in",
    run: async ([, ...words], environment) => {
      const { runStore } = await import('../team/command.js')
      return runStore(words, environment, terminal)
    },
  },
  'scenario from-har': {
    usage: 'scenario from-har FILE --out FILE',
    text: 'writes a scenario from recorded calls',
    run: realData('scenario from-har'),
  },
}

/** The command that a command line names, with its first word or two. */
export function roomCommandOf(argv: readonly string[]): RoomCommand | undefined {
  const [first = '', second = ''] = argv
  for (const name of [`${first} ${second}`, first])
    if (Object.hasOwn(roomCommands, name)) return roomCommands[name]
  return undefined
}

/** The words after a command; `--record FILE` and `--record=FILE` are the same as `record FILE`. */
export function withoutAliases(words: readonly string[]): readonly string[] {
  const argv = words.flatMap((word) =>
    word.startsWith('--record=') ? ['--record', word.slice('--record='.length)] : [word],
  )
  const at = argv.indexOf('--record')
  if (at < 0 || words.includes('--')) return words
  return ['record', ...argv.slice(at + 1, at + 2), ...argv.slice(0, at), ...argv.slice(at + 2)]
}
