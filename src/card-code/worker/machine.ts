// One QuickJS in its own WebAssembly memory. It starts from the image that the build made of the evaluated prelude, and the
// image is written back after every run: a fraction of a millisecond, where evaluating the prelude takes a quarter of a second.
import {
  type EmscriptenModuleLoaderOptions,
  type JSValuePointer,
  type QuickJSContext,
  type QuickJSHandle,
  newQuickJSWASMModuleFromVariant,
  newVariant,
} from 'quickjs-emscripten-core'
import type { WorkerData } from '../messages.js'
import { type Image, type ImageAddresses, assertLayout, restoreImage, ownCopy, takeImage } from '../image.js'
import { variant } from './variant.js'

const page = 65_536
// Enough for nearly every run: after a run that grew the memory, the thread ends.
const initialPages = 384
// Jobs run in small batches, so that endless promise chains meet the deadline between two of them.
const jobsPerBatch = 500

/** Answers the guest: an operation, its JSON, its bytes; the answer crosses as text, a number or bytes. */
type BridgeHost = (
  operation: string,
  json: string,
  bytes: Uint8Array | undefined,
) => string | number | ArrayBuffer | undefined

export interface MachineOptions extends WorkerData {
  host: BridgeHost
  /** True once the current run's time is up: the engine asks often, and stops. */
  expired: () => boolean
}

/** How an entry into the guest ended: normally, with a pending error of the guest, or with a damaged engine. */
export type Entry = 'done' | 'interrupted' | 'threw' | { broken: unknown }

type EntryName = 'begin' | 'start' | 'deliver' | 'fail'

/** The engine, with the image of the evaluated prelude in its memory. */
export class Machine {
  readonly #memory: WebAssembly.Memory
  readonly #growth: Growth
  readonly #context: QuickJSContext
  readonly #image: Image
  readonly #expired: () => boolean
  /** The functions of the prelude. */
  readonly #entries: Readonly<Record<EntryName, QuickJSHandle>>

  private constructor({ memory, growth, context }: Engine, image: Image, expired: () => boolean) {
    this.#memory = memory
    this.#growth = growth
    this.#context = context
    this.#image = image
    this.#expired = expired
    this.restore()
    const handle = (name: EntryName): QuickJSHandle =>
      memoryOf(context).heapValueHandle(image.addresses[name] as JSValuePointer)
    this.#entries = {
      begin: handle('begin'),
      start: handle('start'),
      deliver: handle('deliver'),
      fail: handle('fail'),
    }
  }

  static async create(options: MachineOptions): Promise<Machine> {
    const engine = await createEngine(options)
    // A private copy: copying from shared memory takes several times as long, and every run copies.
    const image = ownCopy(options.image)
    if (engine.addresses.join() !== image.addresses.before.join())
      throw new Error('The image was made with another engine.')
    return new Machine(engine, image, options.expired)
  }

  begin(json: string): Entry {
    return entered(() => this.#invoke('begin', this.#context.newString(json)))
  }

  /** Evaluates main.js. The prelude reports an error of its top level or of the parser through the bridge. */
  load(source: string): Entry {
    return entered(() => {
      const result = this.#context.evalCode(source, 'main.js', { type: 'global' })
      if (result.error === undefined) {
        result.value.dispose()
        return 'done'
      }
      return this.#expired() ? 'interrupted' : this.#invoke('fail', result.error)
    })
  }

  /** Calls the hook with the payload. The prelude reports an error of reading the hook. */
  call(hook: string, payload: string): Entry | 'missing' {
    return entered<Entry | 'missing'>(() => {
      const context = this.#context
      // A hook declared with const or let is not a property of the global object: only code finds it.
      const found = context.evalCode(`typeof ${hook} === 'function' ? ${hook} : undefined`, 'prelude.js')
      if (found.error !== undefined)
        return this.#expired() ? 'interrupted' : this.#invoke('fail', found.error)
      if (context.typeof(found.value) !== 'function') return 'missing'
      return this.#invoke('start', found.value, context.newString(payload))
    })
  }

  deliver(json: string, bytes: Uint8Array | undefined): Entry {
    return entered(() => {
      const text = this.#context.newString(json)
      return bytes === undefined
        ? this.#invoke('deliver', text)
        : this.#invoke('deliver', text, this.#context.newArrayBuffer(bytes.slice().buffer))
    })
  }

  /** Runs promise jobs until none is left or the time is up. */
  drain(): Entry {
    const { runtime } = this.#context
    return entered(() => {
      while (runtime.hasPendingJob()) {
        if (this.#expired()) return 'interrupted'
        const result = runtime.executePendingJobs(jobsPerBatch)
        if (result.error !== undefined) {
          result.error.dispose()
          if (this.#expired()) return 'interrupted'
          // When a job lacks the memory to reject its promise, nothing else would settle the run.
          if (this.#growth.refused) return 'threw'
        }
      }
      return 'done'
    })
  }

  /** False once the memory has grown, since it cannot shrink. */
  usable(): boolean {
    return this.#memory.buffer.byteLength === initialPages * page
  }

  /** Restores the memory to its state before the first run. */
  restore(): void {
    this.#growth.refused = false
    // The view is created each time: growing the memory detaches it.
    restoreImage(this.#image, new Uint8Array(this.#memory.buffer))
  }

  /** True when card code has asked for more memory than it may have. */
  exhausted(): boolean {
    return this.#growth.refused
  }

  /** Calls a function of the prelude, and disposes of the arguments. */
  #invoke(name: EntryName, ...args: QuickJSHandle[]): Entry {
    const context = this.#context
    const result = context.callFunction(this.#entries[name], context.undefined, ...args)
    for (const arg of args) arg.dispose()
    if (result.error === undefined) {
      result.value.dispose()
      return 'done'
    }
    result.error.dispose()
    return this.#expired() ? 'interrupted' : 'threw'
  }
}

function entered<E extends Entry | 'missing' = Entry>(enter: () => E): E | { broken: unknown } {
  try {
    return enter()
  } catch (error) {
    return { broken: error }
  }
}

interface Growth {
  refused: boolean
}

/**
 * Records whether the engine's last request for memory was refused: it first asks for more than it needs, then for
 * less.
 */
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

/** Copies a text in or out: without memory it would arrive empty. */
const needsMemory = <T>(growth: Growth, copy: () => T): T => {
  const before = growth.refused
  growth.refused = false
  const copied = copy()
  if (wasRefused(growth)) throw noMemory()
  growth.refused = before
  return copied
}

const wasRefused = ({ refused }: Growth): boolean => refused

/** The engine's `malloc` returns 0 when memory is exhausted: data for the guest would be written to address 0. */
const refuseNull = (context: QuickJSContext): void => {
  const { module } = context as unknown as { module: { _malloc: (bytes: number) => number } }
  const malloc = module._malloc
  module._malloc = (bytes) => {
    const address = malloc(bytes)
    if (address === 0) throw noMemory()
    return address
  }
}

/** The state of a promise, or its value or reason: the language has no synchronous way to read it. */
const promisePart = (context: QuickJSContext, part: string, promise: QuickJSHandle): QuickJSHandle => {
  const state = context.getPromiseState(promise)
  const settled =
    state.type === 'fulfilled' ? state.value : state.type === 'rejected' ? state.error : undefined
  if (part === 'promise-value') return settled === promise ? promise.dup() : (settled ?? context.undefined)
  if (settled !== promise) settled?.dispose()
  return context.newString(state.type)
}

/** The function by which the guest asks the host. */
const newBridge = (context: QuickJSContext, host: BridgeHost, growth: Growth): QuickJSHandle =>
  context.newFunction('host', (...args) => {
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
    const answer = host(name, data, bytes)
    if (answer === undefined) return context.undefined
    if (typeof answer === 'number') return context.newNumber(answer)
    return needsMemory(growth, () =>
      typeof answer === 'string' ? context.newString(answer) : context.newArrayBuffer(answer),
    )
  })

interface Engine {
  memory: WebAssembly.Memory
  growth: Growth
  context: QuickJSContext
  bridge: QuickJSHandle
  /** Where the parts are that the host refers to, in the order in which they were made. */
  addresses: number[]
}

/**
 * The engine copies the program's name and the machine's language, `en_US.UTF-8`, into its memory first: a name that
 * pads the language to a fixed length keeps everything after it at the same address on every machine.
 */
const programName = (): string => {
  const { navigator } = globalThis as { navigator?: { language?: string } }
  return 'card-code'.padEnd(64 - (navigator?.language ?? 'C').length, '.')
}

/** The engine without the prelude. Whatever is allocated here is allocated in the same order each time. */
const createEngine = async (options: Omit<MachineOptions, 'image'>): Promise<Engine> => {
  const pages = Math.max(initialPages, Math.ceil((options.memoryMb * 1024 * 1024) / page))
  const memory = new WebAssembly.Memory({ initial: initialPages, maximum: pages })
  const growth = watchGrowth(memory)
  const engine = await newQuickJSWASMModuleFromVariant(
    newVariant(variant, {
      wasmModule: options.wasm,
      wasmMemory: memory,
      emscriptenModule: { thisProgram: programName() } as EmscriptenModuleLoaderOptions,
    }),
  )
  const context = engine.newContext()
  refuseNull(context)
  context.runtime.setMaxStackSize(1 << 20)
  context.runtime.setInterruptHandler(() => options.expired())
  const bridge = newBridge(context, options.host, growth)
  const { rt, ctx } = memoryOf(context)
  // A handle that is made on first use must exist before the image is taken, or it would point into memory that moved on.
  const addresses = [rt.value, ctx.value, context.global.value, bridge.value]
  return { memory, growth, context, bridge, addresses }
}

/** The library's own record of a context's parts, which its types do not export. */
interface ContextMemory {
  rt: { value: number }
  ctx: { value: number }
  heapValueHandle(address: JSValuePointer): QuickJSHandle
}

const memoryOf = (context: QuickJSContext): ContextMemory =>
  (context as unknown as { memory: ContextMemory }).memory

/** Evaluates the prelude in a new engine and takes the image of its memory: the build does this once. */
export const buildImage = async (wasm: Buffer<ArrayBuffer>, prelude: string): Promise<Image> => {
  const { memory, context, bridge, addresses } = await createEngine({
    wasm: await WebAssembly.compile(wasm),
    memoryMb: 0,
    host: () => undefined,
    expired: () => false,
  })
  assertLayout(new Uint8Array(memory.buffer))
  const install = context.unwrapResult(context.evalCode(prelude, 'prelude.js', { type: 'global' }))
  const entries = context.unwrapResult(context.callFunction(install, context.undefined, bridge))
  const entry = (name: string): number => context.getProp(entries, name).value
  const found: ImageAddresses = {
    before: addresses,
    begin: entry('begin'),
    start: entry('start'),
    deliver: entry('deliver'),
    fail: entry('fail'),
  }
  for (const handle of [bridge, install, entries]) handle.dispose()
  if (memory.buffer.byteLength !== initialPages * page)
    throw new Error('The prelude needs more memory than a machine starts with.')
  return takeImage(new Uint8Array(memory.buffer), found)
}
