// One run as the main thread sees it: collects logs and outbound calls, sends requests out, and tells the outcome when
// the hook has settled and again when nothing of it is left.
import { clearTimeout } from 'node:timers'
import type { Transferable } from 'node:worker_threads'
import {
  type ArrivalMessage,
  type End,
  type Ending,
  type Failure,
  type FetchMessage,
  type FromWorker,
  type RunMessage,
  type ToWorker,
  failure,
  outOfMemory,
  timeout,
} from '../messages.js'
import { type OutboundCall, exchange } from './outbound.js'
import type { Execution, LogItem, Outcome, Run } from './run.js'

// How many requests of one execution are on their way at one time: a flood must not hold up everybody else.
const maxAtOnce = 32

interface Line {
  post: (message: ToWorker, transfer: Transferable[]) => void
  watch: NodeJS.Timeout
}

interface Deferred<T> {
  promise: Promise<T>
  resolve: (value: T) => void
  reject: (error: unknown) => void
}

const deferred = <T>(): Deferred<T> => {
  let settle: Omit<Deferred<T>, 'promise'> | undefined
  const promise = new Promise<T>((resolve, reject) => (settle = { resolve, reject }))
  return { promise, ...settle! }
}

export class Job {
  readonly execution: Promise<Execution>
  readonly #decided = deferred<Execution>()
  readonly #settled = deferred<Outcome>()
  readonly #logs: LogItem[] = []
  readonly #outbound: OutboundCall[] = []
  readonly #requests = new Map<number, AbortController>()
  #waiting: FetchMessage[] = []
  #line: Line | undefined
  #ending: Ending | undefined

  constructor(
    readonly number: number,
    readonly run: Run,
  ) {
    this.execution = this.#decided.promise
    // Nobody has to listen for what is left running.
    this.#settled.promise.catch(() => undefined)
  }

  begin(line: Line): void {
    this.#line = line
    const { hook, source, variables, payload, windowMs, time, seed } = this.run
    const message: RunMessage = {
      kind: 'run',
      run: this.number,
      hook,
      source,
      variables: { ...variables },
      payload: JSON.stringify(payload === undefined ? null : payload),
      windowMs,
      nowMs: time.nowMs,
      frozen: time.frozen,
      seed,
    }
    line.post(message, [])
  }

  hear(message: Exclude<FromWorker, { kind: 'ready' }>): void {
    switch (message.kind) {
      case 'log':
        this.#logs.push({ atMs: message.atMs, level: message.level, content: message.content })
        return
      case 'fetch':
        this.#fetch(message)
        return
      case 'abort':
        this.#abort(message.request)
        return
      case 'ending':
        this.#decide(message.ending)
        return
      case 'over':
        this.#over()
    }
  }

  /** The window has closed, and the thread does not come back. */
  late(): void {
    const { hook, windowMs } = this.run
    this.#stop('timed-out', timeout(hook, windowMs))
  }

  /** The thread is gone, by what the code did to it. */
  lost(error: Error | undefined): void {
    const starved = (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
    if (starved) this.#stop('out-of-memory', outOfMemory)
    else this.#stop('crashed', failure('Error', 'the thread that ran the code broke down'))
  }

  #stop(end: End, error: Failure): void {
    const { windowMs, time } = this.run
    this.#decide({
      end,
      json: undefined,
      returnedType: 'undefined',
      error: { ...error, afterMs: windowMs },
      completedMs: time.nowMs + windowMs,
    })
    this.#over()
  }

  reject(error: unknown): void {
    this.#decided.reject(error)
    this.#settled.reject(error)
    this.#release()
  }

  #decide(ending: Ending): void {
    if (this.#ending !== undefined) return
    this.#ending = ending
    if (ending.end === 'timed-out') this.#giveUp()
    this.#decided.resolve({ outcome: this.#outcome(ending), settled: this.#settled.promise })
  }

  /** The window has closed on what was under way. */
  #giveUp(): void {
    const { time, windowMs } = this.run
    for (const call of this.#outbound) {
      if (call.status !== null || call.error !== undefined) continue
      call.error = 'no answer within the window'
      call.ms = time.nowMs + windowMs - call.atMs
    }
  }

  #over(): void {
    this.#giveUp()
    this.#release()
    if (this.#ending !== undefined) this.#settled.resolve(this.#outcome(this.#ending))
  }

  #release(): void {
    clearTimeout(this.#line?.watch)
    this.#line = undefined
    this.#waiting = []
    for (const [, controller] of this.#requests) controller.abort()
    this.#requests.clear()
  }

  #fetch(request: FetchMessage): void {
    if (this.#requests.size >= maxAtOnce) {
      this.#waiting.push(request)
      return
    }
    const controller = new AbortController()
    this.#requests.set(request.request, controller)
    const { policy, answer } = this.run
    void exchange({
      request,
      policy,
      answer,
      signal: controller.signal,
      keep: (call) => this.#outbound.push(call),
      deliver: (news, spentMs, bytes) => this.#deliver(request.request, news, spentMs, bytes),
    }).finally(() => {
      this.#requests.delete(request.request)
      const next = this.#waiting.shift()
      if (next !== undefined) this.#fetch(next)
    })
  }

  #abort(request: number): void {
    this.#requests.get(request)?.abort()
    this.#waiting = this.#waiting.filter((waiting) => waiting.request !== request)
  }

  #deliver(
    request: number,
    news: ArrivalMessage['news'],
    spentMs: number,
    bytes: Uint8Array | undefined,
  ): void {
    const message: ArrivalMessage = { kind: 'arrival', run: this.number, request, news, spentMs }
    if (bytes === undefined) this.#line?.post(message, [])
    else this.#line?.post({ ...message, bytes }, [bytes.buffer as ArrayBuffer])
  }

  #outcome(ending: Ending): Outcome {
    return {
      end: ending.end,
      value: ending.json === undefined ? undefined : (JSON.parse(ending.json) as unknown),
      returnedType: ending.returnedType,
      error: ending.error,
      logs: [...this.#logs],
      outbound: this.#outbound.map((call) => ({ ...call })),
      startedMs: this.run.time.nowMs,
      completedMs: ending.completedMs,
    }
  }
}
