// One worker thread: starts it, gives it runs, and ends it when it does not answer.
import { Worker } from 'node:worker_threads'
import { abandon, type CpuPermitData, isWaiting, requestStop, setWeight } from '../cpu-permit.js'
import { type FromWorker, type WorkerData, realWindowMs } from '../messages.js'
import { monotonicMs } from '../../determinism/clock.js'
import { clearTimeout, setImmediate, setTimeout } from '../../determinism/timers.js'
import type { Job } from './job.js'
import { outsideCardCode } from './origin.js'
import { parseWorkerMessage } from './worker-message.js'

// By how many ms a run may exceed its window before its thread counts as lost; and how often a thread that then waits
// for a permit is checked again.
const graceMs = 250
const lookAgainMs = 50

/** What a thread reports to the pool. */
export interface ThreadEvents {
  /** The thread can take its first or next run: passes the job that it has ended, if any. */
  ready: (thread: Thread, job: Job | undefined) => void
  /** The thread has ended, with its job if it had one, and with an error when it failed. */
  ended: (thread: Thread, job: Job | undefined, error: Error | undefined) => void
}

export class Thread {
  readonly #worker: Worker
  readonly #permit: CpuPermitData
  readonly #events: ThreadEvents
  #job: Job | undefined
  #watch: NodeJS.Timeout | undefined
  #isReady = false
  #isProven = false
  #isEnding = false
  #isGone = false
  #isHeld = true
  /** How many runs it has had. */
  #runs = 0
  #beganMs = 0

  constructor(data: WorkerData, permit: Omit<CpuPermitData, 'forgiven'>, events: ThreadEvents) {
    this.#events = events
    this.#permit = { ...permit, forgiven: new Int32Array(new SharedArrayBuffer(4)) }
    // Its messages must not carry the context of the call that happens to start it.
    this.#worker = outsideCardCode(
      () =>
        new Worker(new URL('../worker.js', import.meta.url), {
          workerData: { ...data, ...this.#permit } satisfies WorkerData & CpuPermitData,
          env: {},
          argv: [],
          execArgv: [],
          // Otherwise the thread would depend on the output of this process, which it does not need.
          stdout: true,
          stderr: true,
          // With less stack, deep recursion of card code would escape as an error of the host.
          resourceLimits: { stackSizeMb: 32, maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 4 },
        }),
    )
    this.#worker.on('message', (message: unknown) => {
      // The one guarded place: whatever a message holds, it ends its run and not the process.
      try {
        if (this.#hear(message)) return
      } catch {
        // As a message that cannot be read.
      }
      this.#job?.lost(undefined)
      this.end()
    })
    this.#worker.on('error', (error) => this.#gone(error))
    this.#worker.on('exit', () => this.#gone(undefined))
  }

  get slot(): number {
    return this.#permit.slot
  }

  /** Whether it can take a run now. */
  get isIdle(): boolean {
    return this.#isReady && this.#job === undefined && !this.#isEnding
  }

  /** Whether it is starting. */
  get isStarting(): boolean {
    return !this.#isReady && this.#job === undefined && !this.#isEnding
  }

  /** Whether it has started once: later failures are its own. */
  get isProven(): boolean {
    return this.#isProven
  }

  get isBusy(): boolean {
    return this.#job !== undefined
  }

  /** The job that it runs. */
  get job(): Job | undefined {
    return this.#job
  }

  /** The weight of its run among those that want to compute. */
  set weight(weight: number) {
    setWeight(this.#permit, weight)
  }

  /** How many runs it has had. */
  get runs(): number {
    return this.#runs
  }

  /** Whether its run waits for an external answer. */
  get awaitsAnswer(): boolean {
    return this.#job?.awaitsAnswer === true
  }

  /** How long its run has taken, without what it waited for its first permits. */
  get #sinceBeganMs(): number {
    return Math.max(0, monotonicMs() - this.#beganMs - Atomics.load(this.#permit.forgiven, 0))
  }

  /** Whether it keeps the process alive. */
  set held(isHeld: boolean) {
    if (isHeld === this.#isHeld) return
    this.#isHeld = isHeld
    if (isHeld) this.#worker.ref()
    else this.#worker.unref()
  }

  /** Starts a run. */
  run(job: Job): void {
    this.#job = job
    this.#runs += 1
    this.#beganMs = monotonicMs()
    Atomics.store(this.#permit.forgiven, 0, 0)
    requestStop(this.#permit, false)
    const { windowMs, time } = job.run
    this.#watchFor(job, realWindowMs(windowMs, time.frozen) + graceMs)
    job.begin((message, transfer) => this.#worker.postMessage(message, transfer))
  }

  /** Stops its run, whose outcome nobody waits for. */
  stop(job: Job): void {
    if (this.#job !== job) return
    requestStop(this.#permit, true)
    this.#worker.postMessage({ kind: 'stop', run: job.number })
    this.#watchFor(job, graceMs)
  }

  /** Ends it, whatever it is doing. */
  end(): void {
    this.#isEnding = true
    clearTimeout(this.#watch)
    void this.#worker.terminate()
  }

  async close(error: Error): Promise<void> {
    clearTimeout(this.#watch)
    this.#isEnding = true
    this.#job?.reject(error)
    this.#job = undefined
    await this.#worker.terminate()
  }

  /** Ends the thread when the run is not over in time. Time spent waiting for a permit is added once it has passed. */
  #watchFor(job: Job, ms: number, forgivenMs = 0): void {
    clearTimeout(this.#watch)
    this.#watch = setTimeout(() => {
      // This thread itself may have been busy: messages that have arrived meanwhile are handled first.
      setImmediate(() => {
        if (this.#job !== job) return
        const forgiven = Atomics.load(this.#permit.forgiven, 0)
        if (forgiven > forgivenMs) this.#watchFor(job, forgiven - forgivenMs, forgiven)
        else if (isWaiting(this.#permit)) this.#watchFor(job, lookAgainMs, forgivenMs)
        else {
          // Nobody waits until the thread has really ended.
          job.late()
          this.end()
        }
      })
    }, ms)
  }

  /** Handles a message; false when a working worker would never send it. */
  #hear(received: unknown): boolean {
    if (this.#isEnding) return true
    const message: FromWorker | undefined = parseWorkerMessage(received)
    if (message === undefined) return false
    if (message.kind === 'ready') {
      this.#isReady = true
      this.#isProven = true
      this.#events.ready(this, undefined)
      return true
    }
    const job = this.#job
    if (job?.number !== message.run) return true
    if (message.kind !== 'over') return job.hear(message)
    clearTimeout(this.#watch)
    this.#job = undefined
    job.hear(message)
    job.run.onComputed?.(Math.min(message.computedMs, this.#sinceBeganMs))
    // Memory that has grown is given back when the thread ends, and otherwise when it pleases the garbage collector.
    if (message.isSpent) this.end()
    this.#events.ready(this, job)
    return true
  }

  #gone(error: Error | undefined): void {
    clearTimeout(this.#watch)
    abandon(this.#permit)
    this.#isEnding = true
    const job = this.#job
    this.#job = undefined
    job?.lost(error)
    // It did not say how long it computed: it counts as computing all the time.
    job?.run.onComputed?.(this.#sinceBeganMs)
    if (this.#isGone) return
    this.#isGone = true
    this.#events.ended(this, job, error)
  }
}
