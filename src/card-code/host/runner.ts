// The interface of the card code runner: it takes a hook's name, its source and its payload, and returns the outcome,
// logs and outbound calls. It knows nothing about banks or servers.
import { Pool } from './pool.js'
import type { Run, RunResult } from './run.js'

export type { OutboundAnswer, OutboundCall, OutboundHandler, OutboundRequest } from './outbound.js'
export type { OutboundPolicy } from './policy.js'
export type { LogItem, Outcome, Run, RunResult } from './run.js'

export interface RunnerOptions {
  /** The largest memory of card code, in MB (64). */
  memoryMb?: number
  /** The largest number of threads at a time (16); a workspace that has nothing running may have one more. */
  maxWorkers?: number
  /**
   * Whether several clients share it (true). Otherwise nobody is held up by a run that computes for long: threads beyond
   * the cores start only for runs that await an answer, and no spare one does.
   */
  isShared?: boolean
}

export interface Runner {
  /** Runs a hook. Rejects when the runner is closed or cannot start a thread, and when the run is dropped by its signal. */
  run(run: Run): Promise<RunResult>
  /** Loads the engine and starts the first thread in the background, so that the first run does not wait for them. */
  warm(): void
  /** Ends all threads; current runs are rejected. Leaves no handle behind. */
  close(): Promise<void>
}

/** Creates a runner. Nothing is loaded or started before its first run. */
export const createRunner = (options: RunnerOptions = {}): Runner => {
  const { memoryMb = 64, maxWorkers = 16, isShared = true } = options
  const pool = new Pool({ memoryMb, maxWorkers, isShared })
  return { run: (run) => pool.run(run), warm: () => pool.warm(), close: () => pool.close() }
}

let started: Runner | undefined

/** Starts the engine for the next runner of {@link takeRunner}, before there is a bank that needs it. */
export function startRunner(options?: RunnerOptions): void {
  started = createRunner(options)
  started.warm()
}

/** A runner: the one that has been started, or else a new one. */
export function takeRunner(): Runner {
  const runner = started ?? createRunner()
  started = undefined
  return runner
}
