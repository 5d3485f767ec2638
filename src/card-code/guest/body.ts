// The body of a request or a response.
import { Buffer } from './encoding.js'

/** Bytes that arrive piece by piece, to be read once: by `for await`, by `on('data')`, or whole. */
export class Body {
  #chunks: Uint8Array[] = []
  #ended = false
  #failure: unknown
  #waiting: (() => void)[] = []
  disturbed = false

  static of(bytes: Uint8Array): Body {
    const body = new Body()
    if (bytes.length > 0) body.push(bytes)
    body.end()
    return body
  }
  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#wake()
  }
  end(failure?: unknown): void {
    if (this.#ended) return
    this.#ended = true
    this.#failure = failure
    this.#wake()
  }
  #wake(): void {
    for (const resume of this.#waiting.splice(0)) resume()
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    this.disturbed = true
    for (;;) {
      const chunk = this.#chunks.shift()
      if (chunk !== undefined)
        yield Buffer.from(chunk.buffer as ArrayBuffer, chunk.byteOffset, chunk.byteLength)
      else if (this.#failure !== undefined) throw this.#failure
      else if (this.#ended) return
      else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }
  async bytes(): Promise<Uint8Array> {
    const chunks: Uint8Array[] = []
    for await (const chunk of this) chunks.push(chunk)
    if (chunks.length === 1) return chunks[0]!
    return Buffer.concat(chunks)
  }
  /** Two bodies that each give what this one would have given. */
  tee(): [Body, Body] {
    const pair: [Body, Body] = [new Body(), new Body()]
    const pass = async (): Promise<void> => {
      try {
        for await (const chunk of this) for (const body of pair) body.push(chunk)
        for (const body of pair) body.end()
      } catch (error) {
        for (const body of pair) body.end(error)
      }
    }
    void pass()
    return pair
  }
  /** The events of a Node stream, as far as reading needs them. */
  on(event: string, listener: (value?: unknown) => void): this {
    if (event === 'data') {
      const flow = async (): Promise<void> => {
        try {
          for await (const chunk of this) listener(chunk)
          for (const ended of this.#listeners.end) ended()
        } catch (error) {
          for (const failed of this.#listeners.error) failed(error)
        }
      }
      void flow()
    } else if (event === 'end' || event === 'error') this.#listeners[event].push(listener)
    return this
  }
  readonly #listeners: Record<'end' | 'error', ((value?: unknown) => void)[]> = { end: [], error: [] }
}
