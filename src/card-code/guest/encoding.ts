// Text and bytes. The host's own encoder and decoder do the work, so that every label and every malformed byte is
// treated as in Node.
import { Buffer } from 'buffer'
import { ask, askBytes, define, noOptions } from './bridge.js'
import { invalidType, needs } from './node-errors.js'

/** The bytes of a text in UTF-8. */
export const utf8 = (text: string): Uint8Array => new Uint8Array(askBytes('encode', text))

/** The bytes of a view or a buffer, copied into a new buffer. */
export const bytesOf = (source: ArrayBuffer | ArrayBufferView): Uint8Array =>
  source instanceof ArrayBuffer
    ? new Uint8Array(source.slice(0))
    : new Uint8Array(source.buffer, source.byteOffset, source.byteLength).slice()

/** Decodes bytes with the host's decoder. */
export const decode = (bytes: Uint8Array, label = 'utf-8', fatal = false, ignoreBOM = false): string =>
  ask('decode', { label, fatal, ignoreBOM }, bytesOf(bytes).buffer as ArrayBuffer)

const asText = (value: any): string => `${value}`

class TextEncoder {
  get encoding(): string {
    return 'utf-8'
  }
  encode(text: unknown = ''): Uint8Array {
    return utf8(asText(text))
  }
  encodeInto(text: unknown, target: Uint8Array): { read: number; written: number } {
    if (typeof text !== 'string') throw invalidType('src', 'of type string', text)
    if (!(target instanceof Uint8Array)) throw invalidType('dest', 'an instance of Uint8Array', target)
    const bytes = utf8(text)
    let written = Math.min(bytes.length, target.length)
    // A character is written as a whole or not at all.
    while (written < bytes.length && (bytes[written]! & 0xc0) === 0x80) written -= 1
    target.set(bytes.subarray(0, written))
    const read = written === bytes.length ? text.length : decode(bytes.subarray(0, written)).length
    return { read, written }
  }
  get [Symbol.toStringTag](): string {
    return 'TextEncoder'
  }
}

class TextDecoder {
  readonly #encoding: string
  readonly #fatal: boolean
  readonly #ignoreBOM: boolean
  #held: Uint8Array = new Uint8Array()
  #isUnderWay = false
  constructor(label: unknown = 'utf-8', options: { fatal?: boolean; ignoreBOM?: boolean } = noOptions) {
    this.#encoding = ask('encoding', asText(label))
    this.#fatal = Boolean(options?.fatal)
    this.#ignoreBOM = Boolean(options?.ignoreBOM)
  }
  get encoding(): string {
    return this.#encoding
  }
  get fatal(): boolean {
    return this.#fatal
  }
  get ignoreBOM(): boolean {
    return this.#ignoreBOM
  }
  decode(input?: unknown, options: { stream?: boolean } = noOptions): string {
    const given = input === undefined ? new Uint8Array() : input
    if (!(given instanceof ArrayBuffer) && !ArrayBuffer.isView(given))
      throw Object.assign(
        new TypeError(
          'The "list" argument must be an instance of SharedArrayBuffer, ArrayBuffer or ArrayBufferView.',
        ),
        { code: 'ERR_INVALID_ARG_TYPE' },
      )
    const held = this.#held
    const more = bytesOf(given)
    const all = new Uint8Array(held.length + more.length)
    all.set(held)
    all.set(more, held.length)
    // A byte order mark counts only at the start of a stream.
    const ignoreBOM = this.#ignoreBOM || this.#isUnderWay
    const streams = Boolean(options?.stream)
    const known = { label: this.#encoding, fatal: this.#fatal, ignoreBOM }
    const keep: number = streams
      ? ask('undecoded', { ...known, fatal: false }, bytesOf(all).buffer as ArrayBuffer)
      : 0
    this.#held = all.slice(all.length - keep)
    const text = decode(all.subarray(0, all.length - keep), known.label, known.fatal, ignoreBOM)
    this.#isUnderWay = streams && (this.#isUnderWay || all.length > keep)
    return text
  }
  get [Symbol.toStringTag](): string {
    return 'TextDecoder'
  }
}

/** Installs TextEncoder, TextDecoder, atob and btoa. */
export const installEncoding = (): void => {
  define('TextEncoder', TextEncoder)
  define('TextDecoder', TextDecoder)
  for (const name of ['atob', 'btoa']) {
    const convert = (...given: unknown[]): string => {
      needs(given, 'input')
      return ask(name, asText(given[0]))
    }
    Object.defineProperty(convert, 'length', { value: 1, configurable: true })
    Object.defineProperty(convert, 'name', { value: name, configurable: true })
    define(name, convert)
  }
}

export { Buffer }
