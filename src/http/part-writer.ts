// Writes the parts of a stream. Parts that come close together are sent as one: a listener to the events of a busy bank
// would otherwise cost more than the bank itself.

import type { ServerResponse } from 'node:http'
import { clearTimeout, setTimeout } from '../determinism/timers.js'

/** How long parts are gathered before they are sent together, in ms; a part after a pause is sent at once. */
const gatherMs = 10
/** So many characters are sent without waiting for more. */
const maxGathered = 65_536

/** Writes to one response, no faster than its client reads. */
export class PartWriter {
  readonly #response: ServerResponse
  #gathered = ''
  #pause: ReturnType<typeof setTimeout> | undefined
  #drained: Promise<void> | undefined
  #wake: (() => void) | undefined

  constructor(response: ServerResponse) {
    this.#response = response
    response.on('drain', () => this.#wake?.())
    response.on('close', () => {
      clearTimeout(this.#pause)
      this.#wake?.()
    })
  }

  /** Resolves when there is room for more, also once the client has disconnected. */
  async write(part: string): Promise<void> {
    this.#gathered += part
    if (!this.#pause || this.#gathered.length > maxGathered) this.#send()
    await this.#drained
  }

  /** Sends what is left, and ends the response. */
  end(): void {
    this.#send()
    clearTimeout(this.#pause)
    this.#response.end()
  }

  #send(): void {
    clearTimeout(this.#pause)
    this.#pause = undefined
    if (this.#gathered === '' || this.#response.destroyed) return
    const text = this.#gathered
    this.#gathered = ''
    const hasRoom = this.#response.write(text)
    this.#drained = hasRoom ? undefined : new Promise((resolve) => (this.#wake = resolve))
    this.#pause = setTimeout(() => {
      this.#send()
    }, gatherMs)
  }
}
