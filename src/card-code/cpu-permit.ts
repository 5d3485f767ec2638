// Code that computes for long takes turns: of all threads together only so many at a time go on computing, so that the
// thread which serves everybody else finds a core free, however many hooks spin in while(true){}. The threads' lower
// priority on Linux (worker.ts) is not enough by itself: a woken thread may wait for the slice of the one that runs.

import { availableParallelism } from 'node:os'

// What a hook may compute, in ms, before it has to take turns: far more than hooks usually need.
const freeMs = 2
// How long a turn is, and how long a thread leaves the next one to others, in ms.
const turnMs = 10
const pauseMs = 1

/** What threads share: how many turns are free. Made once, given to each thread. */
export const createTurns = (): Int32Array =>
  new Int32Array(new SharedArrayBuffer(4)).fill(Math.max(1, availableParallelism() - 1))

/** What a thread shares with the pool: 1 while it has a turn. */
export const createHolding = (): Int32Array => new Int32Array(new SharedArrayBuffer(4))

/** What a thread is given of all this. */
export interface CpuPermitData {
  turns: Int32Array
  holding: Int32Array
}

/** Gives a thread's turn back, if it has one: by itself, or by the pool when the thread was ended with it. */
export function giveBack(turns: Int32Array, holding: Int32Array): void {
  if (Atomics.exchange(holding, 0, 0) === 0) return
  Atomics.add(turns, 0, 1)
  Atomics.notify(turns, 0, 1)
}

/** A thread's side of it. */
export class CpuPermit {
  #ends = 0

  constructor(
    private readonly turns: Int32Array,
    private readonly holding: Int32Array,
  ) {}

  /** Asked often while code computes: blocks until it may go on, or until nothing is left of its window. */
  goOn(computedMs: number, leftMs: number): void {
    if (computedMs < freeMs) return
    if (this.holding[0] === 1) {
      if (performance.now() < this.#ends) return
      giveBack(this.turns, this.holding)
      // Whoever waited longest comes first: it has to wake up before this thread asks again.
      Atomics.wait(this.holding, 0, 0, pauseMs)
    } else setImmediate(() => giveBack(this.turns, this.holding)) // When the computing is over, so is the turn.
    this.#take(performance.now() + leftMs)
  }

  #take(untilMs: number): void {
    for (;;) {
      const free = Atomics.load(this.turns, 0)
      if (free > 0 && Atomics.compareExchange(this.turns, 0, free, free - 1) === free) break
      const left = untilMs - performance.now()
      if (left <= 0) return
      if (free <= 0) Atomics.wait(this.turns, 0, free, left)
    }
    Atomics.store(this.holding, 0, 1)
    this.#ends = performance.now() + turnMs
  }
}
