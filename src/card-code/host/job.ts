// One run as the main thread sees it: it collects logs and outbound calls, sends requests, and resolves when the hook
// has settled and again when nothing of the run is left.
import type { Transferable } from 'node:worker_threads'
import {
  type ArrivalMessage,
  type End,
  type Ending,
  type HookFailure,
  type FetchMessage,
  type FromWorker,
  type RunMessage,
  type ToWorker,
  failure,
  outOfMemory,
  timeout,
} from '../messages.js'
import { Aborted, type OutboundCall, type OutboundHandler, exchange, maxCalls } from './outbound.js'
import type { Owner } from './fair-queue.js'
import type { LogItem, Outcome, Run, RunResult } from './run.js'

// How many requests of one run may be open at a time: a flood must not hold up other runs.
const maxAtOnce = 32
// How many bytes of answers may be on their way to the thread: a thread that computes does not read them.
const maxBytesUnderWay = 4 * 1024 * 1024
// The worker bounds the log itself; a working worker never sends more than this.
const maxLogs = 1_001
const maxLogLength = 2_500_000

type AbortMessage = Extract<FromWorker, { kind: 'abort' }>

/** Sends a message to the thread of the run. */
type Post = (message: ToWorker, transfer: Transferable[]) => void

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

export class Job implements Owner {
  readonly result: Promise<RunResult>
  readonly #decided = deferred<RunResult>()
  readonly #settled = deferred<Outcome>()
  readonly #logs: LogItem[] = []
  readonly #outbound: OutboundCall[] = []
  readonly #requests = new Map<number, AbortController>()
  #waiting: FetchMessage[] = []
  #logLength = 0
  #bytesUnderWay = 0
  readonly #wakers: (() => void)[] = []
  #post: Post | undefined
  /** The host's answer to the last request, in frozen time. */
  #answered: Promise<unknown> = Promise.resolve()
  #ending: Ending | undefined

  constructor(
    readonly number: number,
    readonly run: Run,
  ) {
    this.result = this.#decided.promise
    // Nobody waits for what is still running.
    this.#settled.promise.catch(() => undefined)
  }

  /** Resolves with the last outcome, when nothing of the run is left. */
  get settled(): Promise<Outcome> {
    return this.#settled.promise
  }

  get lane(): string {
    return this.run.owner?.lane ?? ''
  }

  get card(): string {
    return this.run.owner?.card ?? ''
  }

  /** Whether a call of the run is open. */
  get awaitsAnswer(): boolean {
    return this.#requests.size > 0
  }

  begin(post: Post): void {
    this.#post = post
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
    post(message, [])
  }

  /** Handles a message of the worker. False when a working worker would never send it. */
  hear(message: Exclude<FromWorker, { kind: 'ready' }>): boolean {
    switch (message.kind) {
      case 'log':
        this.#logLength += message.content.length
        if (this.#logs.length >= maxLogs || this.#logLength > maxLogLength) return false
        this.#logs.push({ atMs: message.atMs, level: message.level, content: message.content })
        return true
      case 'fetch':
        if (this.#requests.has(message.request) || this.#waiting.length >= maxCalls) return false
        this.#fetch(message)
        return true
      case 'abort':
        this.#abort(message)
        return true
      case 'taken':
        this.#bytesUnderWay = Math.max(0, this.#bytesUnderWay - message.bytes)
        if (this.#bytesUnderWay < maxBytesUnderWay) for (const wake of this.#wakers.splice(0)) wake()
        return true
      case 'ending':
        this.#decide(message.ending)
        return true
      case 'over':
        this.#over()
        return true
    }
  }

  /** The window has closed, and the thread does not answer. */
  late(): void {
    const { hook, windowMs } = this.run
    this.#stop('timed-out', timeout(hook, windowMs))
  }

  /** The worker died because of the code that it ran, or is ended because it can no longer be trusted. */
  lost(error: Error | undefined): void {
    const starved = (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
    if (starved) this.#stop('out-of-memory', outOfMemory)
    else this.#stop('crashed', failure('Error', 'the thread that ran the code failed'))
  }

  /** Nobody waits for the run any more. */
  stop(reason: string): void {
    this.#stop('timed-out', failure('AbortError', `${this.run.hook} was stopped: ${reason}`), 0)
  }

  #stop(end: End, error: HookFailure, afterMs = this.run.windowMs): void {
    this.#decide({
      end,
      json: undefined,
      returnedType: 'undefined',
      error: { ...error, afterMs },
      completedMs: this.run.time.nowMs + afterMs,
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

  /** Marks the calls that had no answer when the window closed. */
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
    this.#post = undefined
    this.#waiting = []
    for (const wake of this.#wakers.splice(0)) wake()
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
    const { policy, origin } = this.run
    void exchange({
      request,
      isFrozen: this.run.time.frozen,
      policy,
      origin,
      answerOutbound: this.#answerOutbound,
      signal: controller.signal,
      keep: (call) => this.#outbound.length < maxCalls && this.#outbound.push(call) > 0,
      deliver: (news, spentMs, bytes) => this.#deliver(request.request, news, spentMs, bytes),
      room: () => this.#room(),
    })
      // A thread that has just ended takes no message: then there is nobody to tell.
      .catch(() => undefined)
      .finally(() => {
        this.#requests.delete(request.request)
        const next = this.#waiting.shift()
        if (next !== undefined) this.#fetch(next)
      })
  }

  /**
   * Asks the host. In frozen time one request after the other: when requests run card code themselves, the speed of
   * their threads must not decide which of them changes the bank first.
   */
  readonly #answerOutbound: OutboundHandler = (request, signal) => {
    const { answerOutbound, time } = this.run
    const ask = async () => {
      signal.throwIfAborted()
      return answerOutbound?.(request, signal)
    }
    if (!time.frozen) return ask()
    const answer = this.#answered.then(ask)
    this.#answered = answer.catch(() => undefined)
    return answer
  }

  #abort({ request, atMs }: AbortMessage): void {
    this.#requests.get(request)?.abort(new Aborted(atMs))
    this.#waiting = this.#waiting.filter((waiting) => waiting.request !== request)
  }

  #deliver(
    request: number,
    news: ArrivalMessage['news'],
    spentMs: number,
    bytes: Uint8Array | undefined,
  ): void {
    const message: ArrivalMessage = { kind: 'arrival', run: this.number, request, news, spentMs }
    if (bytes === undefined) this.#post?.(message, [])
    else {
      this.#bytesUnderWay += bytes.length
      this.#post?.({ ...message, bytes }, [bytes.buffer as ArrayBuffer])
    }
  }

  /** Resolves when the thread can take more bytes, or never will again. */
  async #room(): Promise<void> {
    while (this.#post !== undefined && this.#bytesUnderWay >= maxBytesUnderWay)
      await new Promise<void>((resolve) => this.#wakers.push(resolve))
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
