// The interface of the card code runner: a hook's name, its source and its payload go in; the outcome, logs and outbound
// calls come out. It knows nothing of banks or servers.
import { Pool } from './pool.js'
import type { Run, RunResult } from './run.js'

export type { OutboundAnswer, OutboundCall, OutboundHandler, OutboundRequest } from './outbound.js'
export type { OutboundPolicy } from './policy.js'
export type { LogItem, Outcome, Run, RunResult } from './run.js'

export interface RunnerOptions {
  /** The most memory that card code may take, in MB (64). */
  memoryMb?: number
  /** The most threads at one time (16): executions beyond wait for their turn. */
  maxWorkers?: number
}

export interface Runner {
  /** Executes a hook. Rejects only when the runner is closed or cannot start a thread. */
  run(run: Run): Promise<RunResult>
  /** Ends all threads; executions under way are rejected. Leaves no handle behind. */
  close(): Promise<void>
}

/** Creates a runner. Nothing is loaded or started before its first run. */
export const createRunner = (options: RunnerOptions = {}): Runner => {
  const pool = new Pool({ memoryMb: options.memoryMb ?? 64, maxWorkers: options.maxWorkers ?? 16 })
  return { run: (run) => pool.run(run), close: () => pool.close() }
}
