// One run of a hook: the runner's input and its answer.

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
  /** The contents of `process.env`. */
  variables: Readonly<Record<string, string>>
  /** The hook's argument: a JSON value. */
  payload: unknown
  /** The time limit of the run, in ms, from the moment it starts in a thread: 2,000 or 15,000. */
  windowMs: number
  /**
   * The result of `Date.now()` at the start (ms since the epoch). Frozen time moves only when card code waits: timers
   * and the `spentMs` of answers advance it without real time. Otherwise it follows real time.
   */
  time: { nowMs: number; frozen: boolean }
  /** 32 bits: the seed of `Math.random` and `crypto`. */
  seed: number
  /** Answers calls in place of the network: stubs, and the sandbox's own address. */
  answerOutbound?: OutboundHandler
  policy: OutboundPolicy
  /** Marks the calls that the run makes to local addresses; without it they have no mark. */
  origin?: CardCodeOrigin
  /** The workspace and the card of the run: threads are shared fairly between them. */
  owner?: Owner
  /** When aborted: a waiting run is dropped (it rejects with the reason), and a started one is stopped. */
  signal?: AbortSignal
  /**
   * Told once, when nothing of a run that started is left: how long it computed, in ms of real time, without what it
   * waited for answers, timers and other runs.
   */
  onComputed?: (ms: number) => void
}

/** A log line of card code. */
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
  /**
   * What the hook returned, as a JSON value; undefined when it has no JSON, or more than 1,000,000 characters of it.
   */
  value: unknown
  /** `typeof` the returned value, or of the value that its promise was fulfilled with. */
  returnedType: string
  /** What went wrong: the line of main.js where it is known, and the ms since the start in card code's time. */
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
  /** The same when everything that the hook left running has ended: at the end of the window at the latest. */
  settled: Promise<Outcome>
}
