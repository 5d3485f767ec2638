// Permits to compute. They keep a core free for the main thread, however many hooks loop for ever: only as many
// threads as there are cores, less one, may compute for long at the same time. A permit goes to the thread that has
// computed least, multiplied by the weight of its run (how many others its workspace and card have running). So a
// hook of a few milliseconds never waits behind spinning ones. A permit that its thread does not return in time,
// because it is inside native code that cannot be interrupted, is taken away.

import { availableParallelism } from 'node:os'

// How long a run may compute without a permit, in ms: more than most hooks need.
const freeMs = 2
// How long a permit is held, in ms, and how long after that other threads may take it away.
const sliceMs = 10
const overdueMs = 15
// How long a thread leaves a permit to others before it asks again, in ms.
const pauseMs = 1
/**
 * Waiting for a permit does not count towards the window of a run that has computed less than this, times its weight.
 */
const forgivenMs = 1_000

/** The most threads that can share permits. */
export const maxPermitThreads = 64

// The shared words: a signal, the permits, then five words for each thread. A permit holds the number of its holder
// plus one, or 0. Taking and returning it is one atomic step, so a thread that is ended in between cannot lose one.
const maxPermits = 64
const signalWord = 0
const firstPermit = 1
const firstSlot = firstPermit + maxPermits
const wordsEach = 5
const [isWaitingAt, turnAt, computedAt, stopAt, weightAt] = [0, 1, 2, 3, 4] as const
/** Marks a permit that does not exist because there are fewer cores. */
const none = -1

/** The state that threads share. `available` is the number of permits: all cores but one, and at least one. */
export function createPermits(available = Math.max(1, availableParallelism() - 1)): Int32Array {
  const words = new Int32Array(new SharedArrayBuffer((firstSlot + maxPermitThreads * wordsEach) * 4))
  words.fill(none, firstPermit + Math.min(available, maxPermits), firstSlot)
  return words
}

/** What a thread receives: the shared words, and the position of its own. */
export interface CpuPermitData {
  permits: Int32Array
  /** 0 to {@link maxPermitThreads} - 1. */
  slot: number
  /**
   * How long the current run has waited, in ms, without counting it towards its window; one of the thread's own
   * words.
   */
  forgiven: Int32Array
}

const wordOf = (slot: number, at: number): number => firstSlot + slot * wordsEach + at

/** Wakes the waiting threads: each checks whether it is its turn. */
function signal(permits: Int32Array): void {
  Atomics.add(permits, signalWord, 1)
  Atomics.notify(permits, signalWord)
}

/** The word of the permit that a thread holds, or of a free one (0); undefined when there is none. */
function permitOf(permits: Int32Array, holder: number): number | undefined {
  for (let word = firstPermit; word < firstSlot; word++) {
    const found = Atomics.load(permits, word)
    if (found === holder) return word
    if (found === none) return undefined
  }
  return undefined
}

/** Returns the permit of a thread, if it holds one. */
function release(permits: Int32Array, slot: number): void {
  const word = permitOf(permits, slot + 1)
  if (word === undefined || Atomics.compareExchange(permits, word, slot + 1, 0) !== slot + 1) return
  signal(permits)
}

/** Frees the slot of a thread that has ended, and the permit that it may have held. */
export function abandon({ permits, slot }: CpuPermitData): void {
  Atomics.store(permits, wordOf(slot, isWaitingAt), 0)
  Atomics.store(permits, wordOf(slot, stopAt), 0)
  release(permits, slot)
  signal(permits)
}

/** How many permits are free. */
export const freePermits = (permits: Int32Array): number =>
  permits.subarray(firstPermit, firstSlot).filter((holder) => holder === 0).length

/** Whether a thread is waiting for a permit. */
export const isWaiting = ({ permits, slot }: CpuPermitData): boolean =>
  Atomics.load(permits, wordOf(slot, isWaitingAt)) === 1

/** Asks the run of a thread to stop computing; `false` withdraws the request for the next run, and wakes nobody. */
export function requestStop({ permits, slot }: CpuPermitData, stop: boolean): void {
  Atomics.store(permits, wordOf(slot, stopAt), stop ? 1 : 0)
  if (stop) signal(permits)
}

/** Sets the weight of a thread's run: 1 when it runs alone, more when it is one of many. */
export const setWeight = ({ permits, slot }: CpuPermitData, weight: number): void =>
  void Atomics.store(permits, wordOf(slot, weightAt), weight)

/** A thread's view of the permits. */
export class CpuPermit {
  readonly #permits: Int32Array
  readonly #slot: number
  readonly #forgiven: Int32Array
  /** How long the thread has waited for permits, in ms, that counts towards windows. */
  countedWaitMs = 0
  #ends = 0
  #isReturning = false

  constructor({ permits, slot, forgiven }: CpuPermitData) {
    this.#permits = permits
    this.#slot = slot
    this.#forgiven = forgiven
  }

  /** True once the pool wants the current run to end. */
  get stopped(): boolean {
    return this.#load(stopAt) === 1
  }

  /**
   * Called often while code computes. Returns when the run may continue, or when its window is over.
   *
   * @param computedMs how long the run has computed so far
   * @param leftMs what is left of its window
   * @returns how long it waited, in ms, as far as that does not count towards the window
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
    // The permit is returned as soon as the thread has nothing to compute.
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
    const waitedMs = performance.now() - began
    if (!isForgiven) {
      this.countedWaitMs += waitedMs
      return 0
    }
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
    // Another permit may be free, and now the next thread is first.
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

/** Detects permits that are held too long, by the waiting thread's own clock: threads share no clock. */
class HolderWatch {
  /** For each permit: the holder's turn as first seen, and when. */
  readonly #seen = new Map<number, { turn: number; sinceMs: number }>()

  readonly #permits: Int32Array

  constructor(permits: Int32Array) {
    this.#permits = permits
    this.takeOverdue()
  }

  /** Takes away each permit that has been held in the same turn for too long. */
  takeOverdue(): void {
    const nowMs = performance.now()
    for (let word = firstPermit; word < firstSlot; word++) {
      const holder = Atomics.load(this.#permits, word)
      if (holder === none) return
      if (holder === 0) {
        this.#seen.delete(word)
        continue
      }
      const turn = Atomics.load(this.#permits, wordOf(holder - 1, turnAt)) * maxPermitThreads + holder
      const seen = this.#seen.get(word)
      if (seen?.turn !== turn) this.#seen.set(word, { turn, sinceMs: nowMs })
      else if (nowMs - seen.sinceMs >= sliceMs + overdueMs) release(this.#permits, holder - 1)
    }
  }
}
