// The window of a run. With a running clock it is real time. With a frozen clock it is work, counted in steps of the
// engine: a machine that is busy must not decide which hooks run out of their window. Real time then only ends what
// would not end otherwise.

import { type RunMessage, realWindowMs } from '../messages.js'

/** How many steps make one ms. The engine takes a step after some 10,000 loops, calls or tries of a pattern. */
const stepsPerMs = 1
export class RunWindow {
  #deadline: number
  #stepsLeft: number

  constructor({ windowMs, frozen }: RunMessage) {
    this.#stepsLeft = frozen ? windowMs * stepsPerMs : Infinity
    this.#deadline = performance.now() + realWindowMs(windowMs, frozen)
  }

  /** What is left in real time, in ms. */
  get leftMs(): number {
    return this.#deadline - performance.now()
  }

  get isClosed(): boolean {
    return this.#stepsLeft <= 0 || this.leftMs <= 0
  }

  /** Counts work: the engine reports it while it computes. */
  step(steps = 1): void {
    this.#stepsLeft -= steps
  }

  /** Excludes real time that passed while others computed. */
  forgive(ms: number): void {
    this.#deadline += ms
  }

  close(): void {
    this.#deadline = -Infinity
  }
}
