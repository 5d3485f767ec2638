// The signals that ask the command to end.

const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Obeys signals from the moment it is made: process 1 of a container gets only signals that it listens to. Until
 * {@link Signals.whenAsked} is called, a signal ends the process.
 */
export class Signals {
  #ask: () => void = () => process.exit(0)
  readonly #obey = (): void => this.#ask()

  constructor() {
    for (const name of names) process.on(name, this.#obey)
  }

  /** Calls `ask` for each signal from now on. */
  whenAsked(ask: () => void): void {
    this.#ask = ask
  }

  /** Leaves signals to others, who listen already. */
  release(): void {
    for (const name of names) process.off(name, this.#obey)
  }
}
