// One QuickJS in its own WebAssembly memory, with the prelude evaluated once. A copy of the memory taken then is written
// back after every run: a fraction of a millisecond, where building a new context with the prelude takes twenty.
import {
  type QuickJSContext,
  type QuickJSHandle,
  newQuickJSWASMModuleFromVariant,
  newVariant,
} from 'quickjs-emscripten-core'
import type { WorkerData } from '../messages.js'
import { variant } from './variant.js'

const page = 65_536
// Enough for nearly every run: memory that has grown costs a rebuild of the machine after the run.
const initialPages = 384
// The engine's static data lie below the first bound, its stack between the two, its heap above the second.
const dataEnd = 128 * 1024
const heapStart = 5 * 1024 * 1024
// Jobs run in small batches, so that endless promise chains meet the deadline between two of them.
const jobsPerBatch = 500

/** What answers the box: an operation, its JSON, its bytes; the answer crosses as text, a number or bytes. */
export type BridgeHost = (
  operation: string,
  json: string,
  bytes: Uint8Array | undefined,
) => string | number | ArrayBuffer | undefined

export interface MachineOptions extends WorkerData {
  host: BridgeHost
  /** True once the present run's time is up: the engine asks it often and stops what it is doing. */
  expired: () => boolean
}

/** How an entry into the box ended: normally, with an error of the box still inside, or with the engine itself hurt. */
export type Entry = 'done' | 'interrupted' | 'threw' | { broken: unknown }

export interface Machine {
  begin(json: string): Entry
  /** Evaluates main.js. The prelude reports an error of its top level or of the parser by the bridge. */
  load(source: string): Entry
  /** Calls the hook with the payload. The prelude reports what reading the hook throws. */
  call(hook: string, payload: string): Entry | 'missing'
  deliver(json: string, bytes: Uint8Array | undefined): Entry
  /** Runs promise jobs until none is left or the time is up. */
  drain(): Entry
  /** False once the memory has grown: the machine is then given up. */
  usable(): boolean
  /** Puts the memory back as it was before the first run. */
  restore(): void
  /** True when card code has asked for more memory than it may have. */
  exhausted(): boolean
}

/** Builds a machine: engine, prelude, snapshot. */
export const createMachine = async (options: MachineOptions): Promise<Machine> => {
  const pages = Math.max(initialPages, Math.ceil((options.memoryMb * 1024 * 1024) / page))
  const memory = new WebAssembly.Memory({ initial: initialPages, maximum: pages })
  const growth = watchGrowth(memory)
  const engine = await newQuickJSWASMModuleFromVariant(
    newVariant(variant, { wasmModule: options.wasm, wasmMemory: memory }),
  )
  assertLayout(memory)
  const context = engine.newContext()
  refuseNull(context)
  context.runtime.setMaxStackSize(1 << 20)
  context.runtime.setInterruptHandler(() => options.expired())

  const { begin, start, deliver, fail } = installPrelude(context, options, growth)
  const nothing = context.undefined
  // Handles that are made on first use must exist before the copy, or they would point into memory that moved on.
  const { alive } = context.global
  if (!alive) throw new Error('The engine did not start.')
  const snapshot = takeSnapshot(new Uint8Array(memory.buffer))

  const entry = <E extends Entry | 'missing' = Entry>(enter: () => E): E | { broken: unknown } => {
    try {
      return enter()
    } catch (error) {
      return { broken: error }
    }
  }
  const invoke = (fn: QuickJSHandle, ...args: QuickJSHandle[]): Entry => {
    const result = context.callFunction(fn, nothing, ...args)
    for (const arg of args) arg.dispose()
    if (result.error === undefined) {
      result.value.dispose()
      return 'done'
    }
    result.error.dispose()
    return options.expired() ? 'interrupted' : 'threw'
  }
  const drain = (): Entry =>
    entry(() => {
      while (context.runtime.hasPendingJob()) {
        if (options.expired()) return 'interrupted'
        const result = context.runtime.executePendingJobs(jobsPerBatch)
        if (result.error !== undefined) {
          result.error.dispose()
          if (options.expired()) return 'interrupted'
          // A job that found no memory to reject its promise with leaves nobody who would settle the run.
          if (growth.refused) return 'threw'
        }
      }
      return 'done'
    })

  return {
    begin: (json) => entry(() => invoke(begin, context.newString(json))),
    load: (source) =>
      entry(() => {
        const result = context.evalCode(source, 'main.js', { type: 'global' })
        if (result.error === undefined) {
          result.value.dispose()
          return 'done'
        }
        if (options.expired()) return 'interrupted'
        return invoke(fail, result.error)
      }),
    call: (hook, payload) =>
      entry<Entry | 'missing'>(() => {
        // A hook declared with const or let is no property of the global object: only code finds it.
        const found = context.evalCode(`typeof ${hook} === 'function' ? ${hook} : undefined`, 'prelude.js')
        if (found.error !== undefined) return options.expired() ? 'interrupted' : invoke(fail, found.error)
        if (context.typeof(found.value) !== 'function') return 'missing'
        return invoke(start, found.value, context.newString(payload))
      }),
    deliver: (json, body) =>
      entry(() => {
        const text = context.newString(json)
        return body === undefined
          ? invoke(deliver, text)
          : invoke(deliver, text, context.newArrayBuffer(body.slice().buffer))
      }),
    drain,
    usable: () => memory.buffer.byteLength === initialPages * page,
    // The view is made anew each time: it would be detached by growth.
    restore: () => {
      growth.refused = false
      snapshot(new Uint8Array(memory.buffer))
    },
    exhausted: () => growth.refused,
  }
}

interface Growth {
  refused: boolean
}

/** Notes whether the engine's last request for memory was refused: it asks for more than it needs first, then for less. */
const watchGrowth = (memory: WebAssembly.Memory): Growth => {
  const growth = { refused: false }
  const grow = memory.grow.bind(memory)
  memory.grow = (more) => {
    growth.refused = true
    const before = grow(more)
    growth.refused = false
    return before
  }
  return growth
}

/** What the engine itself throws when memory is exhausted. */
const noMemory = (): Error => Object.assign(new Error('out of memory'), { name: 'InternalError' })

/** Copies a text in or out: one that finds no memory would arrive as an empty one. */
const needsMemory = <T>(growth: Growth, copy: () => T): T => {
  const before = growth.refused
  growth.refused = false
  const copied = copy()
  if (wasRefused(growth)) throw noMemory()
  growth.refused = before
  return copied
}

const wasRefused = ({ refused }: Growth): boolean => refused

/** The engine's `malloc` returns 0 when memory is exhausted: texts and bytes for the guest would be written to address 0. */
const refuseNull = (context: QuickJSContext): void => {
  const { module } = context as unknown as { module: { _malloc: (bytes: number) => number } }
  const malloc = module._malloc
  module._malloc = (bytes) => {
    const address = malloc(bytes)
    if (address === 0) throw noMemory()
    return address
  }
}

const assertLayout = (memory: WebAssembly.Memory): void => {
  const between = new Uint8Array(memory.buffer).subarray(dataEnd, heapStart)
  if (between.some((byte) => byte !== 0))
    throw new Error('The engine keeps its memory in a way that is not known here.')
}

const takeSnapshot = (now: Uint8Array): ((memory: Uint8Array) => void) => {
  let heapEnd = now.length
  while (heapEnd > heapStart && now[heapEnd - 1] === 0) heapEnd -= 1
  const data = now.slice(0, dataEnd)
  const heap = now.slice(heapStart, heapEnd)
  return (memory) => {
    memory.set(data, 0)
    memory.set(heap, heapStart)
  }
}

interface Entries {
  begin: QuickJSHandle
  start: QuickJSHandle
  deliver: QuickJSHandle
  fail: QuickJSHandle
}

/** The state of a promise, or what it is settled with: nothing in the language tells it at once. */
const promisePart = (context: QuickJSContext, part: string, promise: QuickJSHandle): QuickJSHandle => {
  const state = context.getPromiseState(promise)
  const settled =
    state.type === 'fulfilled' ? state.value : state.type === 'rejected' ? state.error : undefined
  if (part === 'promise-value') return settled === promise ? promise.dup() : (settled ?? context.undefined)
  if (settled !== promise) settled?.dispose()
  return context.newString(state.type)
}

const installPrelude = (context: QuickJSContext, options: MachineOptions, growth: Growth): Entries => {
  const bridge = context.newFunction('host', (...args) => {
    const [operation, json, body] = args
    const name = operation === undefined ? '' : context.getString(operation)
    const data = json === undefined ? 'null' : needsMemory(growth, () => context.getString(json))
    if (body !== undefined && (name === 'promise-state' || name === 'promise-value'))
      return promisePart(context, name, body)
    let bytes: Uint8Array | undefined
    if (body !== undefined && context.typeof(body) === 'object') {
      const lifetime = context.getArrayBuffer(body)
      bytes = lifetime.value.slice()
      lifetime.dispose()
    }
    const answer = options.host(name, data, bytes)
    if (answer === undefined) return context.undefined
    if (typeof answer === 'number') return context.newNumber(answer)
    return needsMemory(growth, () =>
      typeof answer === 'string' ? context.newString(answer) : context.newArrayBuffer(answer),
    )
  })
  const install = context.unwrapResult(context.evalCode(options.prelude, 'prelude.js', { type: 'global' }))
  const entries = context.unwrapResult(context.callFunction(install, context.undefined, bridge))
  const get = (name: string): QuickJSHandle => context.getProp(entries, name)
  const found = { begin: get('begin'), start: get('start'), deliver: get('deliver'), fail: get('fail') }
  for (const handle of [bridge, install, entries]) handle.dispose()
  return found
}
