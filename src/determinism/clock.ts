// The only source of time in the program. Everything that depends on time asks the clock of its workspace.

/** The state of a clock, as `GET /_sandbox/state` writes it: frozen at an instant, or running beside the wall clock. */
export interface ClockState {
  readonly frozen: boolean
  /** Epoch ms when frozen; otherwise the offset from the wall clock in ms. */
  readonly ms: number
}

/** The sandbox's clock: it runs beside the wall clock, or is frozen at an instant. Times are epoch ms. */
export class Clock {
  #frozen: boolean
  #ms: number

  constructor(state: ClockState = { frozen: false, ms: 0 }) {
    this.#frozen = state.frozen
    this.#ms = state.ms
  }

  /** A clock that is frozen at `ms`. */
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

  /** Loads an exported state. */
  restore(state: ClockState): void {
    this.#frozen = state.frozen
    this.#ms = state.ms
  }

  /** Moves to an instant (epoch ms); a running clock continues from there. */
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

/** Milliseconds of real time since a fixed moment: for measuring, never for data. */
export const monotonicMs = (): number => performance.now()

/** The wall clock in epoch ms: where a sandbox starts when no `--now` is given. */
export const wallMs = (): number => Date.now()
