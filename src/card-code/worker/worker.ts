// The thread that runs card code: one machine, one execution at a time, everything else by message.
import { platform, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { RunningHook } from './execution.js'
import { Machine } from './machine.js'
import { readProgram } from './program.js'
import type { FromWorker, ToWorker, WorkerData } from '../messages.js'
import { CpuPermit, type CpuPermitData } from '../cpu-permit.js'

const { wasm, image, memoryMb, ...shared } = workerData as WorkerData & CpuPermitData
const port = parentPort!
const post = (message: FromWorker): void => port.postMessage(message)

// The engine reads the zone from here: card code sees UTC, as on the real service, whatever the machine's zone is.
Date.prototype.getTimezoneOffset = () => 0

const permit = new CpuPermit(shared)
let current: RunningHook | undefined
const machine = await Machine.create({
  wasm,
  image,
  memoryMb,
  host: (operation, json, bytes) => current?.host(operation, json, bytes),
  expired: () => {
    if (current === undefined) return false
    const { window } = current
    window.step()
    current.forgive(permit.goOn(current.computedMs(), window.leftMs))
    if (permit.stopped) current.stop()
    return window.isClosed
  },
})
// Linux alone has priorities for threads; elsewhere this would slow down the whole process. A woken thread that serves
// goes before one that computes. The first run waits for the engine, which therefore starts at full priority.
if (platform() === 'linux') setPriority(0, 10)

const over = (run: number, broken: boolean): void => {
  const computedMs = Math.max(0, (current?.computedMs() ?? 0) - permit.countedWaitMs)
  permit.countedWaitMs = 0
  current = undefined
  const isSpent = broken || !machine.usable()
  // The pool is told first: nobody should wait while the memory is restored.
  post({ kind: 'over', run, isSpent, computedMs })
  if (!isSpent) machine.restore()
}

port.on('message', (message: ToWorker) => {
  if (message.kind === 'run') {
    const { run } = message
    current = new RunningHook(message, machine, post, (broken) => over(run, broken))
    current.start()
  } else if (message.run !== current?.message.run) return
  else if (message.kind === 'stop') current.stop()
  else current.arrive(message)
})
post({ kind: 'ready' })

/** Runs a hook for nobody: V8 compiles the engine function by function, which makes a first run ten times as long. */
setImmediate(() => {
  if (current !== undefined) return
  machine.begin(JSON.stringify({ variables: {}, seed: 0 }))
  machine.load(readProgram('const beforeTransaction = async ({ id }) => id !== 0').code)
  machine.call('beforeTransaction', '{"id":1}')
  machine.drain()
  machine.restore()
})
