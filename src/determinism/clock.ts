// The only time in the program. Everything that depends on time asks the clock of its workspace.

/** What a clock holds, as `GET /_sandbox/state` writes it: frozen at an instant, or running beside the wall clock. */
export interface ClockState {
  readonly frozen: boolean
  /** Epoch ms when frozen; otherwise the distance to the wall clock in ms. */
  readonly ms: number
}

/** The sandbox's clock: runs beside the wall clock, or stands still where it was frozen. Times are epoch ms. */
export class Clock {
  #frozen: boolean
  #ms: number

  constructor(state: ClockState = { frozen: false, ms: 0 }) {
    this.#frozen = state.frozen
    this.#ms = state.ms
  }

  /** A clock that stands still at `ms`. */
  static frozenAt(ms: number): Clock {
    return new Clock({ frozen: true, ms })
  }

  /** The sandbox's time now, epoch ms. */
  now(): number {
    return this.#frozen ? this.#ms : Date.now() + this.#ms
  }

  get frozen(): boolean {
    return this.#frozen
  }

  get state(): ClockState {
    return { frozen: this.#frozen, ms: this.#ms }
  }

  /** Takes over a state that was exported before. */
  restore(state: ClockState): void {
    this.#frozen = state.frozen
    this.#ms = state.ms
  }

  /** Moves to an instant (epoch ms); a running clock runs on from there. */
  set(ms: number): void {
    this.#ms = this.#frozen ? ms : ms - Date.now()
  }

  freeze(): void {
    if (this.#frozen) return
    this.#ms = this.now()
    this.#frozen = true
  }

  resume(): void {
    if (!this.#frozen) return
    this.#ms -= Date.now()
    this.#frozen = false
  }
}

/** Milliseconds of real time since some fixed moment: for measuring, never for data. */
export const monotonicMs = (): number => performance.now()

/** The wall clock's epoch ms: the default start of a sandbox that was given no `--now`. */
export const wallMs = (): number => Date.now()
