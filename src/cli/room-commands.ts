// Commands that read their own flags. Each is loaded only when it is asked for.

/** The variables of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>

/** One such command: how the help shows it, and what runs it and answers its exit code. */
export interface RoomCommand {
  readonly usage: string
  readonly text: string
  readonly run: (argv: readonly string[], environment: Environment) => Promise<number>
}

const terminal = {
  print: (text: string): void => void process.stdout.write(`${text}\n`),
  say: (text: string): void => void process.stderr.write(`${text}\n`),
}

const realData =
  (name: string): RoomCommand['run'] =>
  async (argv, environment) => {
    const { runRealData } = await import('../real-data/commands.js')
    return runRealData(name, argv, environment, terminal)
  }

/** The commands by the words with which a command line begins. */
export const roomCommands: Readonly<Record<string, RoomCommand>> = {
  pull: {
    usage: 'pull --url BASE --out FILE',
    text: 'reads your own bank, anonymises it, and writes a scenario',
    run: realData('pull'),
  },
  compare: {
    usage: 'compare --url BASE',
    text: 'names where a service differs from what the sandbox declares',
    run: realData('compare'),
  },
  record: {
    usage: 'record FILE --upstream BASE',
    text: 'passes calls on to a service and keeps them in an HTTP Archive',
    run: realData('record'),
  },
  card: {
    usage: 'card COMMAND',
    text: 'runs, tests, lints and backtests card code: card --help lists its commands',
    run: async (words) => {
      const { runCard, terminal: cardTerminal } = await import('../card-loop/command.js')
      return runCard(words.slice(1), cardTerminal())
    },
  },
  'scenario from-har': {
    usage: 'scenario from-har FILE --out FILE',
    text: 'writes a scenario from recorded calls',
    run: realData('scenario from-har'),
  },
}

/** The command of this kind that a command line names: by its first word, or by two. */
export function roomCommandOf(argv: readonly string[]): RoomCommand | undefined {
  const [first = '', second = ''] = argv
  for (const name of [`${first} ${second}`, first])
    if (Object.hasOwn(roomCommands, name)) return roomCommands[name]
  return undefined
}

/** The words behind a command; `--record FILE` is the same as `record FILE`. */
export function withoutAliases(argv: readonly string[]): readonly string[] {
  const at = argv.indexOf('--record')
  if (at < 0 || argv.includes('--')) return argv
  return ['record', ...argv.slice(at + 1, at + 2), ...argv.slice(0, at), ...argv.slice(at + 2)]
}
