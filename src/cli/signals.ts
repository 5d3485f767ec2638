// The signals that ask the command to end.

const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Handles signals from its creation on: process 1 of a container gets only signals that it listens to. Until
 * {@link Signals.whenAsked} is called, a signal ends the process, unless a command listens to it by itself.
 */
export class Signals {
  #ask: (() => void) | undefined
  readonly #obey = (name: NodeJS.Signals): void => {
    if (this.#ask) this.#ask()
    else if (process.listenerCount(name) === 1) process.exit(0)
  }

  constructor() {
    for (const name of names) process.on(name, this.#obey)
  }

  /** Calls `ask` for each signal from now on. */
  whenAsked(ask: () => void): void {
    this.#ask = ask
  }

  /** Leaves signals to other listeners. */
  release(): void {
    for (const name of names) process.off(name, this.#obey)
  }
}
