// The threads that run card code, one run in each. There are as many as cores, and more only for runs that wait for
// an answer or a timer, or spin: more threads do not make short hooks faster. Idle threads beyond the cores end, and after a while all but one.
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { clearInterval, clearTimeout, setInterval, setTimeout } from '../../determinism/timers.js'
import { createPermits, maxPermitThreads } from '../cpu-permit.js'
import { parseImage } from '../image.js'
import type { WorkerData } from '../messages.js'
import { FairQueue } from './fair-queue.js'
import { Job } from './job.js'
import type { Run, RunResult } from './run.js'
import { Thread } from './thread.js'

// A run that takes longer than this (ms) is waiting or spinning: it does not count against the cores.
const slowMs = 5
// How many threads may exist beyond the maximum, each for a workspace that has none.
const extraThreads = 8
// How long threads may be idle, in ms, before unneeded ones end: at least once this time, at most twice.
const idleMs = 5_000

export interface PoolOptions {
  memoryMb: number
  maxWorkers: number
  isShared: boolean
}

export class Pool {
  readonly #threads = new Set<Thread>()
  readonly #options: PoolOptions
  readonly #queue = new FairQueue<Job>()
  readonly #permits = createPermits()
  readonly #slots = Array.from({ length: maxPermitThreads }, (_, slot) => slot)
  readonly #cores = availableParallelism()
  /** Threads whose current run is slow, with the number of that run. */
  readonly #slow = new Map<Thread, number>()
  /** The idle threads of the last check, with the number of runs they had had. */
  #idle = new Map<Thread, number>()
  #data: Promise<WorkerData> | undefined
  #slowTimer: NodeJS.Timeout | undefined
  #idleTimer: NodeJS.Timeout | undefined
  /** How many runs had begun at the last check for idle threads. */
  #runsBefore = 0
  #loading = 0
  #runs = 0
  #closed = false

  constructor(options: PoolOptions) {
    this.#options = options
  }

  async run(run: Run): Promise<RunResult> {
    if (this.#closed) throw new Error('The card code runner is closed.')
    run.signal?.throwIfAborted()
    const job = new Job((this.#runs += 1), run)
    this.#stopBySignal(job)
    this.#queue.push(job)
    this.#dispatch()
    return job.result
  }

  warm(): void {
    if (!this.#closed && this.#threads.size + this.#loading === 0) void this.#start()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#slowTimer)
    clearInterval(this.#idleTimer)
    const error = new Error('The card code runner is closed.')
    for (const job of this.#queue.clear()) job.reject(error)
    const threads = [...this.#threads]
    this.#threads.clear()
    await Promise.all(threads.map((thread) => thread.close(error)))
  }

  #stopBySignal(job: Job): void {
    const { signal } = job.run
    if (signal === undefined) return
    const stop = (): void => {
      const { message } = signal.reason as Error
      if (this.#queue.remove(job)) job.reject(new Error(message))
      else {
        job.stop(message)
        for (const thread of this.#threads) thread.stop(job)
      }
    }
    signal.addEventListener('abort', stop, { once: true })
    const forget = (): void => signal.removeEventListener('abort', stop)
    job.settled.then(forget, forget)
  }

  /** Gives waiting jobs to idle threads, and starts threads when none is idle. */
  #dispatch(): void {
    // The most recently idle thread is used first: its caches are warm, and the others may end.
    const idle = [...this.#threads].filter((thread) => thread.isIdle)
    while (this.#queue.size > 0 && idle.length > 0) {
      const job = this.#queue.take()!
      const thread = idle.pop()!
      thread.run(job)
    }
    this.#grow(idle.length)
    for (const thread of this.#threads) {
      if (thread.job) thread.weight = this.#queue.weightOf(thread.job)
      thread.held = thread.isBusy || (this.#queue.size > 0 && thread.isStarting)
    }
  }

  /** Starts the threads that are needed and allowed. */
  #grow(idle: number): void {
    if (this.#closed) return
    const threads = [...this.#threads]
    const starting = this.#loading + threads.filter((thread) => thread.isStarting).length
    const count = threads.length + this.#loading
    // The first thread starts alone; a spare one follows when there is work for both.
    const { isShared, maxWorkers } = this.#options
    const isSpareWanted =
      isShared && count > 0 && count < this.#cores && threads.some((thread) => thread.isBusy)
    const wanted = Math.max(this.#queue.size, isSpareWanted ? 1 : 0) - idle - starting
    const slow = threads.filter(
      (thread) => thread.awaitsAnswer || (isShared && this.#slow.get(thread) === thread.runs),
    ).length
    const allowed = Math.min(this.#cores + slow, maxWorkers)
    // A workspace with nothing running does not wait for the spinning runs of others.
    const isExtraWanted = isShared && slow === count && starting === 0 && this.#queue.hasIdleLane
    const room = isExtraWanted && count < maxWorkers + extraThreads ? 1 : allowed - count
    const most = Math.min(wanted, room, this.#slots.length - this.#loading)
    for (let i = 0; i < most; i += 1) void this.#start()
    if (this.#queue.size > 0 && this.#slowTimer === undefined) this.#watchSlow()
  }

  /** Checks shortly which of the current runs are slow. */
  #watchSlow(): void {
    const before = new Map([...this.#threads].filter((each) => each.isBusy).map((each) => [each, each.runs]))
    this.#slowTimer = setTimeout(() => {
      this.#slowTimer = undefined
      this.#slow.clear()
      for (const [thread, runs] of before)
        if (thread.isBusy && thread.runs === runs) this.#slow.set(thread, runs)
      this.#dispatch()
    }, slowMs)
  }

  async #start(): Promise<void> {
    this.#loading += 1
    try {
      this.#data ??= loadWorkerData(this.#options.memoryMb)
      const data = await this.#data
      if (!this.#closed) this.#adopt(data)
    } catch (error) {
      // Files may be readable again at the next attempt.
      this.#data = undefined
      this.#fail(error)
    } finally {
      this.#loading -= 1
    }
  }

  #adopt(data: WorkerData): void {
    const slot = this.#slots.pop()!
    const thread = new Thread(
      data,
      { permits: this.#permits, slot },
      {
        ready: (ready, job) => this.#ready(ready, job),
        ended: (ended, job, error) => this.#ended(ended, job, error),
      },
    )
    this.#threads.add(thread)
    thread.held = this.#queue.size > 0
    this.#idleTimer ??= setInterval(() => this.#endIdle(), idleMs).unref()
  }

  #ready(thread: Thread, job: Job | undefined): void {
    if (job !== undefined) this.#queue.done(job)
    // Makes it the last of the set: the most recently idle.
    if (this.#threads.delete(thread)) this.#threads.add(thread)
    this.#dispatch()
  }

  #ended(thread: Thread, job: Job | undefined, error: Error | undefined): void {
    if (job !== undefined) this.#queue.done(job)
    this.#slow.delete(thread)
    this.#slots.push(thread.slot)
    if (!this.#threads.delete(thread)) return
    if (!thread.isProven && error !== undefined) this.#fail(error)
    this.#dispatch()
    // One ready thread is kept for the next run.
    if (thread.isProven) this.warm()
  }

  /** No thread can start: waiting jobs would wait for ever, unless other threads will become free. */
  #fail(error: unknown): void {
    if (this.#threads.size === 0) for (const job of this.#queue.clear()) job.reject(error)
  }

  /** Ends idle threads beyond the cores, and all but one when nothing has run since the last check. */
  #endIdle(): void {
    const kept = this.#runs === this.#runsBefore ? 1 : this.#cores
    this.#runsBefore = this.#runs
    const before = this.#idle
    this.#idle = new Map([...this.#threads].filter((each) => each.isIdle).map((each) => [each, each.runs]))
    for (const [thread, runs] of this.#idle) {
      if (before.get(thread) !== runs) continue
      if (this.#threads.size <= kept) continue
      this.#threads.delete(thread)
      thread.end()
    }
  }
}

const loadWorkerData = async (memoryMb: number): Promise<WorkerData> => {
  const [engine, file] = await Promise.all(
    ['engine.wasm', 'prelude.image'].map((name) => readFile(new URL(`../${name}`, import.meta.url))),
  )
  const image = parseImage(file!, engine!)
  return { wasm: await WebAssembly.compile(engine!), image, memoryMb }
}
