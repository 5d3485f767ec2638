// The body of a request or a response.
import { define } from './bridge.js'
import { Buffer } from './encoding.js'

/** Bytes that arrive in chunks and are read once: with `for await`, with `on('data')`, or whole. */
export class Body {
  readonly #chunks: Uint8Array[] = []
  #ended = false
  #failure: unknown
  readonly #waiting: (() => void)[] = []
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
  /** The whole body, up to a limit. */
  async bytes(limit?: { max: number; refuse: () => Error }): Promise<Uint8Array> {
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of this) {
      length += chunk.length
      if (limit !== undefined && length > limit.max) throw limit.refuse()
      chunks.push(chunk)
    }
    if (chunks.length === 1) return chunks[0]!
    return Buffer.concat(chunks)
  }
  /** Two bodies that each give what this body would have given. */
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
  once(event: string, listener: (value?: unknown) => void): this {
    let isDone = false
    return this.on(event, (value) => {
      if (isDone) return
      isDone = true
      listener(value)
    })
  }
  get [Symbol.toStringTag](): string {
    return 'Readable'
  }
  readonly #listeners: Record<'end' | 'error', ((value?: unknown) => void)[]> = { end: [], error: [] }
}

// Other members of a stream of Node are refused by name.
const missing = [
  'pipe',
  'unpipe',
  'read',
  'pause',
  'resume',
  'setEncoding',
  'destroy',
  'off',
  'removeListener',
]
for (const name of missing)
  define(
    name,
    () => {
      throw new TypeError(
        `body.${name}() is not there in the sandbox: read the body with text(), or with for await (const chunk of body)`,
      )
    },
    Body.prototype,
  )
