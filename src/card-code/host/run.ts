// One execution of a hook: what the runner is given, and what comes of it.

import type { End, Ending, Level } from '../messages.js'
import type { Answer, OutboundCall } from './outbound.js'
import type { OutboundPolicy } from './policy.js'

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
