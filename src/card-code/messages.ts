// The messages between the pool and its workers, and the errors that both report. A worker has one run at a time.
// Every message carries the number of its run, so that a late one cannot reach the next run.

import type { Image } from './image.js'

/** Pool to worker: run this. */
export interface RunMessage {
  kind: 'run'
  run: number
  hook: string
  source: string
  variables: Record<string, string>
  payload: string
  windowMs: number
  nowMs: number
  frozen: boolean
  seed: number
}

/** Pool to worker: news of an outbound request. `spentMs` is how long the answer took in card code's time. */
export interface ArrivalMessage {
  kind: 'arrival'
  run: number
  request: number
  news:
    // The request goes to the network: its answer takes real time.
    | { kind: 'network' }
    | {
        kind: 'head'
        status: number
        statusText: string
        headers: [string, string][]
        url: string
        counter: number
      }
    | { kind: 'chunk' }
    | { kind: 'end' }
    | { kind: 'error'; message: string; type: string; code?: string; errno?: number }
  bytes?: Uint8Array
  spentMs: number
}

/** Pool to worker: nobody waits for the run any more. */
interface StopMessage {
  kind: 'stop'
  run: number
}

export type ToWorker = RunMessage | ArrivalMessage | StopMessage

export type Level = 'info' | 'warn' | 'error' | 'debug'

/** How a run ended. */
export type End =
  'returned' | 'threw' | 'timed-out' | 'missing-hook' | 'syntax-error' | 'out-of-memory' | 'crashed'

/** What went wrong in a run, as plain strings. */
export interface HookFailure {
  name: string
  message: string
  stack: string
  line?: number
}

/** An error that did not happen in card code: its stack has no frames. */
export const failure = (name: string, message: string): HookFailure => ({
  name,
  message,
  stack: `${name}: ${message}`,
})

/** Past its window: the wording is the same whether the code was interrupted or its thread was ended. */
export const timeout = (hook: string, windowMs: number): HookFailure =>
  failure('TimeoutError', `${hook} ran past its window of ${windowMs} ms`)

// How much longer a run may take in real time when its window is measured in work, in ms.
const extraMs = 10_000

/** How long a run may take in real time: with a frozen clock its window is measured in work, which a busy machine delays. */
export const realWindowMs = (windowMs: number, frozen: boolean): number => windowMs + (frozen ? extraMs : 0)

export const outOfMemory = failure('RangeError', 'out of memory')

/** What a worker reports about a run's end; the pool already has its logs and outbound calls. */
export interface Ending {
  end: End
  /** The returned value as JSON text, or undefined when it has none. */
  json: string | undefined
  returnedType: string
  error: null | (HookFailure & { afterMs: number })
  completedMs: number
}

/** A request of card code, checked by the worker. */
export interface FetchMessage {
  kind: 'fetch'
  run: number
  request: number
  atMs: number
  method: string
  url: string
  headers: [string, string][]
  redirect: 'follow' | 'manual' | 'error'
  follow: number
  body: Uint8Array | undefined
}

export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'log'; run: number; atMs: number; level: Level; content: string }
  | FetchMessage
  /** Nobody waits for the answer any more; `atMs` is card code's time. */
  | { kind: 'abort'; run: number; request: number; atMs: number }
  /** How many bytes of arrivals the worker has let go of. */
  | { kind: 'taken'; run: number; bytes: number }
  /** The hook's promise has settled (or never will): this decides. */
  | { kind: 'ending'; run: number; ending: Ending }
  /** Nothing of the run is left, which has computed for so long. `isSpent`: the worker cannot run anything any more. */
  | { kind: 'over'; run: number; isSpent: boolean; computedMs: number }

/** What a thread starts with: the engine, compiled once for all threads, and the image of its memory after the prelude. */
export interface WorkerData {
  wasm: WebAssembly.Module
  image: Image
  memoryMb: number
}
