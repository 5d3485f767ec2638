// One run of a hook: what the runner is given, and what it answers.

import type { End, Ending, Level } from '../messages.js'
import type { CardCodeOrigin } from '../../protocol/call.js'
import type { Owner } from './fair-queue.js'
import type { OutboundCall, OutboundHandler } from './outbound.js'
import type { OutboundPolicy } from './policy.js'

/** One run of one hook. */
export interface Run {
  /** The function of main.js to call, such as `beforeTransaction`. */
  hook: string
  /** main.js: a sloppy-mode script that declares the hooks. */
  source: string
  /** What `process.env` holds. */
  variables: Readonly<Record<string, string>>
  /** The hook's argument: a JSON value. */
  payload: unknown
  /** How long the run may take, in ms, from the moment it starts in a thread: 2,000 or 15,000. */
  windowMs: number
  /**
   * What `Date.now()` says at the start (ms since the epoch). Frozen time moves only by what card code waits for: timers
   * and the `spentMs` of answers spend it, at no cost of real time. Otherwise it follows real time.
   */
  time: { nowMs: number; frozen: boolean }
  /** 32 bits from which `Math.random` and `crypto` derive. */
  seed: number
  /** Asked before the network: stubs, and the sandbox's own address. */
  handler?: OutboundHandler
  policy: OutboundPolicy
  /** Marks the calls that the run makes to local addresses; without it they carry no mark. */
  origin?: CardCodeOrigin
  /** The workspace and the card for which it runs: threads are shared fairly between them. */
  owner?: Owner
  /** When it is aborted, a run that waits is dropped (it rejects with the reason), and one under way is stopped. */
  signal?: AbortSignal
}

/** A line that card code wrote. */
export interface LogItem {
  /** Card code's time, ms since the epoch. */
  atMs: number
  level: Level
  content: string
}

/** How a run ended. */
export interface Outcome {
  /**
   * `returned`, or why not: `threw` (or rejected), `timed-out` (past its window), `missing-hook`, `syntax-error`,
   * `out-of-memory`, or `crashed` (the engine or its thread failed).
   */
  end: End
  /** What the hook returned, as a JSON value; undefined when it has no JSON, or more than 1,000,000 characters of it. */
  value: unknown
  /** `typeof` what the hook returned or its promise was fulfilled with. */
  returnedType: string
  /** What went wrong: with the line of main.js where it is known, and the ms since the start in card code's time. */
  error: Ending['error']
  logs: LogItem[]
  outbound: OutboundCall[]
  /** Card code's time, ms since the epoch. */
  startedMs: number
  completedMs: number
}

/** A run whose hook has settled. */
export interface RunResult {
  /** The decision, with the logs and calls up to it. */
  outcome: Outcome
  /** The same once everything that the hook left running has ended: at the end of the window at most. */
  settled: Promise<Outcome>
}
