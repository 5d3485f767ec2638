// The threads: started when the first code runs, one execution in each, one warm spare, and a watchdog outside that ends
// a thread which does not come back.
import { readFile } from 'node:fs/promises'
// From the module, so that a test which fakes the global timers does not stop the watchdog.
import { setImmediate, setTimeout } from 'node:timers'
import { Worker } from 'node:worker_threads'
import { Job } from './job.js'
import type { WorkerData } from '../messages.js'
import type { Run, RunResult } from './run.js'
import { parseWorkerMessage } from './worker-message.js'
import { type CpuPermitData, createHolding, createTurns, giveBack } from '../cpu-permit.js'
import { wasmFile } from './wasm-file.js'

// What a thread may exceed its window by before the watchdog takes it for lost.
const graceMs = 250

interface Thread {
  holding: Int32Array
  worker: Worker
  ready: boolean
  /** It has come up once: what fails later is this thread's own affair. */
  proven: boolean
  job: Job | undefined
  /** It has been told to end: what it still says is too late. */
  ending: boolean
  /** Whether it keeps the process alive: while somebody waits for it, and no longer. */
  held: boolean
}

export interface PoolOptions {
  memoryMb: number
  maxWorkers: number
}

export class Pool {
  readonly #threads = new Set<Thread>()
  readonly #queue: Job[] = []
  #data: Promise<WorkerData> | undefined
  readonly #turns = createTurns()
  #starting = 0
  #runs = 0
  #closed = false

  constructor(private readonly options: PoolOptions) {}

  async run(run: Run): Promise<RunResult> {
    if (this.#closed) throw new Error('The card code runner is closed.')
    const job = new Job((this.#runs += 1), run)
    this.#queue.push(job)
    this.#dispatch()
    return job.result
  }

  async close(): Promise<void> {
    this.#closed = true
    const error = new Error('The card code runner is closed.')
    for (const job of this.#queue.splice(0)) job.reject(error)
    const threads = [...this.#threads]
    this.#threads.clear()
    await Promise.all(
      threads.map(async ({ worker, job }) => {
        job?.reject(error)
        await worker.terminate()
      }),
    )
  }

  /** Gives waiting jobs to idle threads, and sees to it that a thread is ready for the next. */
  #dispatch(): void {
    for (const thread of this.#threads) {
      if (this.#queue.length === 0) break
      if (thread.ready && thread.job === undefined) this.#give(thread, this.#queue.shift()!)
    }
    const idle = [...this.#threads].filter(({ job }) => job === undefined).length + this.#starting
    // The first thread comes up alone; the spare follows when there is work for both.
    const spare = this.#threads.size > 0 ? 1 : 0
    const wanted = Math.max(this.#queue.length, spare) - idle
    const room = this.options.maxWorkers - this.#threads.size - this.#starting
    for (let i = 0; i < Math.min(wanted, room); i += 1) void this.#start()
    this.#hold()
  }

  /** Idle threads keep no process alive; one at work does, and one that is coming up while a run waits for it. */
  #hold(): void {
    for (const thread of this.#threads) {
      const held = thread.job !== undefined || (this.#queue.length > 0 && !thread.ready)
      if (held === thread.held) continue
      thread.held = held
      if (held) thread.worker.ref()
      else thread.worker.unref()
    }
  }

  async #start(): Promise<void> {
    this.#starting += 1
    try {
      const workerData = await (this.#data ??= loadWorkerData(this.options.memoryMb))
      if (!this.#closed) this.#adopt(workerData)
    } catch (error) {
      for (const job of this.#queue.splice(0)) job.reject(error)
    } finally {
      this.#starting -= 1
    }
  }

  #adopt(workerData: WorkerData): void {
    const holding = createHolding()
    const worker = new Worker(new URL('../worker/worker.js', import.meta.url), {
      workerData: { ...workerData, turns: this.#turns, holding } satisfies WorkerData & CpuPermitData,
      env: {},
      argv: [],
      execArgv: [],
      // Otherwise the thread would be tied to this process's own output, which it has no use for.
      stdout: true,
      stderr: true,
      // Less stack, and deep recursion in the box would escape as an error of the host.
      resourceLimits: { stackSizeMb: 32, maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 },
    })
    const thread: Thread = {
      worker,
      holding,
      ready: false,
      proven: false,
      job: undefined,
      ending: false,
      held: true,
    }
    this.#threads.add(thread)
    worker.on('message', (message: unknown) => {
      // The one guarded place: whatever a message does, it ends its run and not the process.
      try {
        if (this.#heard(thread, message)) return
      } catch {
        // Told below.
      }
      this.#distrust(thread)
    })
    worker.on('error', (error) => this.#lost(thread, error))
    worker.on('exit', () => this.#lost(thread, undefined))
    this.#hold()
  }

  #give(thread: Thread, job: Job): void {
    thread.job = job
    job.begin({
      post: (message, transfer) => thread.worker.postMessage(message, transfer),
      watch: setTimeout(() => {
        // The loop of this thread may have been busy itself: what has arrived meanwhile is heard first.
        setImmediate(() => {
          if (thread.job !== job) return
          // Nobody waits until the thread has really ended.
          job.late()
          thread.ending = true
          void thread.worker.terminate()
        })
      }, job.run.windowMs + graceMs),
    })
  }

  /** Takes a message; false when it cannot be what a worker in order sends. */
  #heard(thread: Thread, received: unknown): boolean {
    if (thread.ending) return true
    const message = parseWorkerMessage(received)
    if (message === undefined) return false
    if (message.kind === 'ready') {
      thread.ready = true
      thread.proven = true
      this.#dispatch()
      return true
    }
    const { job } = thread
    if (job?.number !== message.run) return true
    if (!job.hear(message)) return false
    if (message.kind !== 'over') return true
    thread.job = undefined
    thread.ready = !message.rebuilding
    this.#dispatch()
    return true
  }

  /** Ends a thread that card code has got hold of, and the run that it had. */
  #distrust(thread: Thread): void {
    thread.ending = true
    thread.job?.lost(undefined)
    void thread.worker.terminate()
  }

  #lost(thread: Thread, error: Error | undefined): void {
    if (!this.#threads.delete(thread)) return
    giveBack(this.#turns, thread.holding)
    if (!thread.proven && error !== undefined) {
      // It never came up: whoever waits would wait for ever.
      for (const job of this.#queue.splice(0)) job.reject(error)
      return
    }
    thread.job?.lost(error)
    this.#dispatch()
  }
}

const loadWorkerData = async (memoryMb: number): Promise<WorkerData> => {
  const [bytes, prelude] = await Promise.all([
    readFile(wasmFile()),
    readFile(new URL('../prelude.js', import.meta.url), 'utf8'),
  ])
  return { wasm: await WebAssembly.compile(bytes), prelude, memoryMb }
}
