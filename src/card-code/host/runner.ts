// The card code runner's public face: a hook's name, its source and its payload go in; the outcome, logs and outbound
// calls come out. It knows nothing of banks or servers.
import type { End, Ending, Level } from '../messages.js'
import type { Answer, OutboundCall } from './outbound.js'
import type { OutboundPolicy } from './policy.js'
import { Pool } from './pool.js'

export type { Answer, OutboundAnswer, OutboundCall, OutboundRequest } from './outbound.js'
export type { OutboundPolicy } from './policy.js'

/** One execution of one hook. */
export interface Run {
  /** The function of main.js to call: `beforeTransaction` and its kin. */
  hook: string
  /** main.js: a sloppy-mode script that declares the hooks. */
  source: string
  /** What `process.env` holds. */
  variables: Readonly<Record<string, string>>
  /** The hook's argument: a JSON value. */
  payload: unknown
  /** How long the execution may take, in ms, from the moment main.js is loaded: 2,000 or 15,000. */
  windowMs: number
  /**
   * What `Date.now()` says at the start (ms since the epoch). When frozen, box time stands still but for what is waited
   * for: timers and the `spentMs` of answers spend it, at no cost of real time. Otherwise it follows real time.
   */
  time: { nowMs: number; frozen: boolean }
  /** 32 bits from which `Math.random` and `crypto` derive. */
  seed: number
  /** Asked before the network is: stubs, and the sandbox's own address. */
  answer?: Answer
  policy: OutboundPolicy
}

/** A line that card code wrote. */
export interface LogItem {
  /** Box time, ms since the epoch. */
  atMs: number
  level: Level
  content: string
}

/** What became of an execution. */
export interface Outcome {
  /**
   * `returned`, or why not: `threw` (or rejected), `timed-out` (past its window), `missing-hook`, `syntax-error`,
   * `out-of-memory`, or `crashed` (the engine or its thread broke down).
   */
  end: End
  /** What the hook returned, as a JSON value; undefined for none, or for one that has no JSON. */
  value: unknown
  /** `typeof` what the hook returned or its promise was fulfilled with. */
  returnedType: string
  /** What went wrong: with the line of main.js where it is known, and the ms since the start in box time. */
  error: Ending['error']
  logs: LogItem[]
  outbound: OutboundCall[]
  /** Box time, ms since the epoch. */
  startedMs: number
  completedMs: number
}

/** An execution whose hook has settled. */
export interface Execution {
  /** The decision, with the logs and calls up to it. */
  outcome: Outcome
  /** The same with everything that the work left running added, once that is over: at the end of the window at most. */
  settled: Promise<Outcome>
}

export interface RunnerOptions {
  /** The most memory that card code may take, in MB (64). */
  memoryMb?: number
  /** The most threads at one time (16): executions beyond wait for their turn. */
  maxWorkers?: number
}

export interface Runner {
  /** Executes a hook. Rejects only when the runner is closed or cannot start a thread. */
  run(run: Run): Promise<Execution>
  /** Ends all threads; executions under way are rejected. Leaves no handle behind. */
  close(): Promise<void>
}

/** Creates a runner. Nothing is loaded or started before its first run. */
export const createRunner = (options: RunnerOptions = {}): Runner => {
  const pool = new Pool({ memoryMb: options.memoryMb ?? 64, maxWorkers: options.maxWorkers ?? 16 })
  return { run: (run) => pool.run(run), close: () => pool.close() }
}
