// Permits to compute, so that the thread which serves everybody finds a core free however many hooks loop for ever: of
// all threads only as many as there are cores, less one, compute for long at the same time. The permit goes to whoever
// has computed least, multiplied by the weight of its run: how many others its workspace and card have running. So a
// hook of a few milliseconds never waits behind those that spin. A permit that its thread does not give back in time,
// because it is inside native code that cannot be interrupted, is taken away.

import { availableParallelism } from 'node:os'

// What a run may compute without a permit, in ms: more than most hooks need.
const freeMs = 2
// How long a permit is held, in ms, and how long after that others take it away.
const sliceMs = 10
const overdueMs = 15
// How long a thread leaves a permit to others before it asks again, in ms.
const pauseMs = 1
/** Waiting for a permit does not count towards the window of a run that has computed less than this, times its weight. */
const forgivenMs = 1_000

/** The most threads that can share permits. */
export const maxPermitThreads = 64

// The shared words: a signal, the permits, then five words for each thread. A permit is the number of its holder plus one,
// or 0: taking and giving back are one atomic step each, so a thread that is ended in between cannot lose one.
const maxPermits = 64
const signalWord = 0
const firstPermit = 1
const firstSlot = firstPermit + maxPermits
const wordsEach = 5
const [isWaitingAt, turnAt, computedAt, stopAt, weightAt] = [0, 1, 2, 3, 4] as const
/** A permit that does not exist: there are fewer cores. */
const none = -1

/** What threads share. `available` is how many permits there are: all cores but one, and one at least. */
export function createPermits(available = Math.max(1, availableParallelism() - 1)): Int32Array {
  const words = new Int32Array(new SharedArrayBuffer((firstSlot + maxPermitThreads * wordsEach) * 4))
  words.fill(none, firstPermit + Math.min(available, maxPermits), firstSlot)
  return words
}

/** What a thread is given: the shared words, and which of them are its own. */
export interface CpuPermitData {
  permits: Int32Array
  /** 0 to {@link maxPermitThreads} - 1. */
  slot: number
  /** How long the present run has waited in ms without counting it towards its window; a thread's own word. */
  forgiven: Int32Array
}

const wordOf = (slot: number, at: number): number => firstSlot + slot * wordsEach + at

/** Wakes the threads that wait: each looks whether it is its turn. */
function signal(permits: Int32Array): void {
  Atomics.add(permits, signalWord, 1)
  Atomics.notify(permits, signalWord)
}

/** The word of the permit that a thread holds, or that is free (0); undefined when there is none. */
function permitOf(permits: Int32Array, holder: number): number | undefined {
  for (let word = firstPermit; word < firstSlot; word++) {
    const found = Atomics.load(permits, word)
    if (found === holder) return word
    if (found === none) return undefined
  }
  return undefined
}

/** Gives back the permit of a thread, if it holds one. */
function release(permits: Int32Array, slot: number): void {
  const word = permitOf(permits, slot + 1)
  if (word === undefined || Atomics.compareExchange(permits, word, slot + 1, 0) !== slot + 1) return
  signal(permits)
}

/** Frees the slot of a thread that has ended, with the permit that it may have held. */
export function abandon({ permits, slot }: CpuPermitData): void {
  Atomics.store(permits, wordOf(slot, isWaitingAt), 0)
  Atomics.store(permits, wordOf(slot, stopAt), 0)
  release(permits, slot)
  signal(permits)
}

/** How many permits nobody holds. */
export const freePermits = (permits: Int32Array): number =>
  permits.subarray(firstPermit, firstSlot).filter((holder) => holder === 0).length

/** Whether a thread waits for a permit at this moment. */
export const isWaiting = ({ permits, slot }: CpuPermitData): boolean =>
  Atomics.load(permits, wordOf(slot, isWaitingAt)) === 1

/** Asks the run of a thread to stop computing; `false` takes the request back, for the next run. */
export function requestStop({ permits, slot }: CpuPermitData, stop: boolean): void {
  Atomics.store(permits, wordOf(slot, stopAt), stop ? 1 : 0)
  signal(permits)
}

/** Sets the weight of the run of a thread: 1 for one that is alone, more for one of many. */
export const setWeight = ({ permits, slot }: CpuPermitData, weight: number): void =>
  void Atomics.store(permits, wordOf(slot, weightAt), weight)

/** A thread's side of it. */
export class CpuPermit {
  readonly #permits: Int32Array
  readonly #slot: number
  readonly #forgiven: Int32Array
  #ends = 0
  #isReturning = false

  constructor({ permits, slot, forgiven }: CpuPermitData) {
    this.#permits = permits
    this.#slot = slot
    this.#forgiven = forgiven
  }

  /** True once the pool wants the present run to end. */
  get stopped(): boolean {
    return this.#load(stopAt) === 1
  }

  /**
   * Called often while code computes: returns when it may go on, or when nothing is left of its window.
   *
   * @param computedMs what the run has computed so far
   * @param leftMs what is left of its window
   * @returns for how many ms it waited, as far as they do not count towards the window
   */
  goOn(computedMs: number, leftMs: number): number {
    if (computedMs < freeMs) return 0
    if (permitOf(this.#permits, this.#slot + 1) !== undefined) {
      if (performance.now() < this.#ends) return 0
      if (!this.#othersWait()) {
        this.#begin()
        return 0
      }
      release(this.#permits, this.#slot)
      Atomics.wait(this.#permits, wordOf(this.#slot, isWaitingAt), 0, pauseMs)
    }
    // The permit is given back as soon as the thread has nothing to compute.
    if (!this.#isReturning) {
      this.#isReturning = true
      setImmediate(() => {
        this.#isReturning = false
        release(this.#permits, this.#slot)
      })
    }
    const weighted = Math.floor(computedMs * Math.max(1, this.#load(weightAt)))
    const isForgiven = weighted < forgivenMs
    const began = performance.now()
    this.#store(computedAt, weighted)
    this.#take(isForgiven ? Infinity : began + leftMs)
    if (!isForgiven) return 0
    const waitedMs = performance.now() - began
    Atomics.add(this.#forgiven, 0, Math.ceil(waitedMs))
    return waitedMs
  }

  #take(untilMs: number): void {
    const watch = new HolderWatch(this.#permits)
    this.#store(isWaitingAt, 1)
    for (;;) {
      const seen = Atomics.load(this.#permits, signalWord)
      if (this.stopped || performance.now() >= untilMs) break
      const free = permitOf(this.#permits, 0)
      if (free !== undefined && this.#isFirst()) {
        if (Atomics.compareExchange(this.#permits, free, 0, this.#slot + 1) !== 0) continue
        this.#begin()
        break
      }
      Atomics.wait(this.#permits, signalWord, seen, overdueMs)
      watch.takeOverdue()
    }
    this.#store(isWaitingAt, 0)
    // Another permit may be free, and the next thread is first now.
    if (permitOf(this.#permits, 0) !== undefined) signal(this.#permits)
  }

  #begin(): void {
    Atomics.add(this.#permits, wordOf(this.#slot, turnAt), 1)
    this.#ends = performance.now() + sliceMs
  }

  /** Whether no waiting thread has computed less. */
  #isFirst(): boolean {
    const own = this.#load(computedAt)
    for (let slot = 0; slot < maxPermitThreads; slot++) {
      if (slot === this.#slot || Atomics.load(this.#permits, wordOf(slot, isWaitingAt)) !== 1) continue
      const other = Atomics.load(this.#permits, wordOf(slot, computedAt))
      if (other < own || (other === own && slot < this.#slot)) return false
    }
    return true
  }

  #othersWait(): boolean {
    for (let slot = 0; slot < maxPermitThreads; slot++)
      if (Atomics.load(this.#permits, wordOf(slot, isWaitingAt)) === 1) return true
    return false
  }

  #load(at: number): number {
    return Atomics.load(this.#permits, wordOf(this.#slot, at))
  }

  #store(at: number, value: number): void {
    Atomics.store(this.#permits, wordOf(this.#slot, at), value)
  }
}

/** Notices permits that are held beyond their slice, by the waiting thread's own clock: threads share none. */
class HolderWatch {
  /** For each permit: its holder's turn as it was first seen, and when. */
  readonly #seen = new Map<number, { turn: number; sinceMs: number }>()

  constructor(private readonly permits: Int32Array) {
    this.takeOverdue()
  }

  /** Takes away each permit that one and the same turn has held for too long since the watch saw it first. */
  takeOverdue(): void {
    const nowMs = performance.now()
    for (let word = firstPermit; word < firstSlot; word++) {
      const holder = Atomics.load(this.permits, word)
      if (holder === none) return
      if (holder === 0) {
        this.#seen.delete(word)
        continue
      }
      const turn = Atomics.load(this.permits, wordOf(holder - 1, turnAt)) * maxPermitThreads + holder
      const seen = this.#seen.get(word)
      if (seen?.turn !== turn) this.#seen.set(word, { turn, sinceMs: nowMs })
      else if (nowMs - seen.sinceMs >= sliceMs + overdueMs) release(this.permits, holder - 1)
    }
  }
}
