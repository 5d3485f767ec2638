// The only source of chance in the program. Numbers depend on the seed alone. Each purpose has its own stream, so
// that one more token never changes the next payment reference.

import { randomBytes } from 'node:crypto'

/** 144 unpredictable bits as text: for secrets of this process, never for data. */
export const processSecret = (): string => randomBytes(18).toString('base64url')

/** 64 unpredictable bits in hexadecimal: for names of temporary files. */
export const randomName = (): string => randomBytes(8).toString('hex')

/** 128 unpredictable bits in hexadecimal: for credentials. */
export const randomSecret = (): string => randomBytes(16).toString('hex')

/** The largest seed. */
export const maxSeed = 4_294_967_295

/** A 32-bit hash of a text (FNV-1a with a final avalanche): the same on every machine. */
export function hash(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** The whole state of a stream: four 32-bit numbers. */
export type StreamState = readonly [number, number, number, number]

/** One stream of random numbers (sfc32). It uses only integer arithmetic, so every machine draws the same numbers. */
export class Stream {
  #a: number
  #b: number
  #c: number
  #d: number

  constructor(state: StreamState) {
    ;[this.#a, this.#b, this.#c, this.#d] = state
  }

  /** The stream for a seed and a label. */
  static of(seed: number, label: string): Stream {
    const stream = new Stream([seed >>> 0, hash(label), 0x9e3779b9, 1])
    for (let i = 0; i < 12; i++) stream.uint32()
    return stream
  }

  get state(): StreamState {
    return [this.#a, this.#b, this.#c, this.#d]
  }

  /** 0 to 2^32 - 1. */
  uint32(): number {
    const t = (((this.#a + this.#b) | 0) + this.#d) | 0
    this.#d = (this.#d + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + t) | 0
    return t >>> 0
  }

  /** 0 or more, below 1. */
  fraction(): number {
    return this.uint32() / 4294967296
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.fraction() * (high - low + 1))
  }

  /** True with a probability of `permille` in 1,000. */
  chance(permille: number): boolean {
    return this.between(0, 999) < permille
  }

  pick<T>(from: readonly T[]): T {
    return from[this.between(0, from.length - 1)]!
  }

  /** `count` characters from an alphabet. */
  characters(alphabet: string, count: number): string {
    let text = ''
    for (let i = 0; i < count; i++) text += alphabet[this.between(0, alphabet.length - 1)]!
    return text
  }

  /** `count` decimal digits; the first is not zero. */
  digits(count: number): string {
    return this.characters('123456789', 1) + this.characters('0123456789', count - 1)
  }

  /** A version 4 UUID in lower case. */
  uuid(): string {
    const hex = '0123456789abcdef'
    const part = (count: number) => this.characters(hex, count)
    return `${part(8)}-${part(4)}-4${part(3)}-${this.characters('89ab', 1)}${part(3)}-${part(12)}`
  }
}

/** The streams of one workspace. Each is made from the seed when it is first used. */
export class Random {
  readonly #streams = new Map<string, Stream>()

  constructor(readonly seed: number) {}

  /** The stream for a purpose, such as `tokens`. It continues where it last stopped. */
  stream(label: string): Stream {
    let stream = this.#streams.get(label)
    if (!stream) this.#streams.set(label, (stream = Stream.of(this.seed, label)))
    return stream
  }

  /** The position of each stream, for an export. */
  get state(): Record<string, StreamState> {
    return Object.fromEntries([...this.#streams].map(([label, stream]) => [label, stream.state]))
  }

  /** Loads the streams of an export. */
  restore(state: Readonly<Record<string, StreamState>>): void {
    this.#streams.clear()
    for (const [label, words] of Object.entries(state)) this.#streams.set(label, new Stream(words))
  }
}
