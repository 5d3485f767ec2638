// Puts code that passes its tests on a card of a running sandbox: `card watch --publish`.

import { textOf, type Arguments } from './arguments.js'
import { LoopError } from './loop-error.js'
import { RemoteSandbox } from './remote-sandbox.js'

export class Publisher {
  readonly #card: string
  readonly #server: string
  readonly #controlToken: string | undefined
  /** What was published last. */
  #last: string | undefined

  private constructor(card: string, server: string, controlToken: string | undefined) {
    this.#card = card
    this.#server = server
    this.#controlToken = controlToken
  }

  /** The publisher that the flags ask for; undefined when they ask for none. Throws a {@link LoopError}. */
  static of({ flags }: Arguments): Publisher | undefined {
    const card = textOf(flags, 'publish')
    const server = textOf(flags, 'server')
    if (card === undefined && server === undefined) return undefined
    if (card === undefined || server === undefined)
      throw new LoopError('--publish CARD and --server URL go together.')
    return new Publisher(card, server, textOf(flags, 'control-token'))
  }

  /** Publishes again, whatever was published last: the sandbox may have restarted. */
  forget(): void {
    this.#last = undefined
  }

  /**
   * Publishes code and variables unless they are published already; returns what to report. Rejects with a
   * {@link LoopError} when no sandbox answers there, or when it refuses.
   */
  async publish(code: string, variables: Readonly<Record<string, string>>): Promise<string[]> {
    const program = JSON.stringify([code, variables])
    if (program !== this.#last) {
      const remote = await RemoteSandbox.open(this.#server, this.#controlToken)
      await remote.publish(this.#card, code, variables)
      this.#last = program
    }
    return [` published on card ${this.#card} of ${this.#server}`]
  }
}
