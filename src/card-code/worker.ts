// The thread that runs card code: one machine, one execution at a time, everything else by message.
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { Execution } from './execution.js'
import { type Machine, type WorkerData, createMachine } from './machine.js'
import type { FromWorker, ToWorker } from './messages.js'

const { wasm, prelude, memoryMb } = workerData as WorkerData
const port = parentPort!
const post = (message: FromWorker): void => port.postMessage(message)

// The engine reads the zone from here: card code sees UTC, as on the real service, whatever the machine's zone is.
Date.prototype.getTimezoneOffset = () => 0

// How long an entry into the box may compute, in ms, before its thread gives way.
const patienceMs = 50

// Code that computes for long must not hold up the thread that serves everybody else: its own gives way. Linux knows a
// priority for each thread, elsewhere it would be the whole process's. There is no way back up, so that the thread is
// replaced after this run.
let lowered = process.platform !== 'linux' ? undefined : false

const giveWay = (): void => {
  if (lowered !== false) return
  lowered = true
  setPriority(0, 10)
}

let current: Execution | undefined
let machine = await build()

function build(): Promise<Machine> {
  return createMachine({
    wasm,
    prelude,
    memoryMb,
    host: (operation, json, bytes) => current?.host(operation, json, bytes),
    expired: () => {
      if (current === undefined) return false
      if (current.computingMs() > patienceMs) giveWay()
      return current.expired()
    },
  })
}

const over = (run: number, broken: boolean): void => {
  current = undefined
  const spent = broken || lowered === true || !machine.usable()
  // The pool hears first: the restoring is not part of anybody's wait.
  post({ kind: 'over', run, rebuilding: spent })
  if (lowered === true) process.exit()
  else if (!spent) machine.restore()
  else {
    void build().then((fresh) => {
      machine = fresh
      post({ kind: 'ready' })
    })
  }
}

port.on('message', (message: ToWorker) => {
  if (message.kind === 'run') {
    const { run } = message
    current = new Execution(message, machine, post, (broken) => over(run, broken))
    current.start()
  } else if (message.run === current?.message.run) current.arrive(message)
})
post({ kind: 'ready' })
