// Text and bytes. The host's own encoder and decoder do the work, so that every label and every malformed byte is
// treated as in Node; Buffer is the npm package of that name.
import { Buffer } from 'buffer'
import { ask, askBytes, define, override } from './bridge.js'

/** The bytes of a text in UTF-8. */
export const utf8 = (text: string): Uint8Array => new Uint8Array(askBytes('encode', text))

/** The bytes that a view or a buffer holds, copied into a buffer of their own. */
export const bytesOf = (source: ArrayBuffer | ArrayBufferView): Uint8Array =>
  source instanceof ArrayBuffer
    ? new Uint8Array(source.slice(0))
    : new Uint8Array(source.buffer, source.byteOffset, source.byteLength).slice()

/** Decodes bytes with the host's decoder. */
export const decode = (bytes: Uint8Array, label = 'utf-8', fatal = false, ignoreBOM = false): string =>
  ask('decode', { label, fatal, ignoreBOM }, bytesOf(bytes).buffer as ArrayBuffer)

class TextEncoder {
  get encoding(): string {
    return 'utf-8'
  }
  encode(text: unknown = ''): Uint8Array {
    return utf8(String(text))
  }
  encodeInto(text: string, target: Uint8Array): { read: number; written: number } {
    let read = 0
    let written = 0
    for (const character of text) {
      const bytes = utf8(character)
      if (written + bytes.length > target.length) break
      target.set(bytes, written)
      written += bytes.length
      read += character.length
    }
    return { read, written }
  }
}

class TextDecoder {
  readonly encoding: string
  readonly fatal: boolean
  readonly ignoreBOM: boolean
  #held: number[] = []
  constructor(label = 'utf-8', options: { fatal?: boolean; ignoreBOM?: boolean } = {}) {
    this.encoding = ask('encoding', label)
    this.fatal = Boolean(options.fatal)
    this.ignoreBOM = Boolean(options.ignoreBOM)
  }
  decode(input?: ArrayBuffer | ArrayBufferView, options: { stream?: boolean } = {}): string {
    const given = input === undefined ? new Uint8Array() : bytesOf(input)
    const all = this.#held.length === 0 ? given : Uint8Array.from([...this.#held, ...given])
    const keep = options.stream === true && this.encoding === 'utf-8' ? unfinished(all) : 0
    this.#held = keep === 0 ? [] : Array.from(all.subarray(all.length - keep))
    return decode(all.subarray(0, all.length - keep), this.encoding, this.fatal, this.ignoreBOM)
  }
}

/** How many bytes at the end begin a UTF-8 character that the next chunk will finish. */
const unfinished = (bytes: Uint8Array): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? back : 0
  }
  return 0
}

// Text into bytes and back is the host's Buffer's work: exactly as in Node, and many times as fast as interpreted code.
const nativeText = (): void => {
  const { from, byteLength } = Buffer as any
  const { toString } = Buffer.prototype as any
  const known = (encoding: unknown): boolean =>
    typeof encoding === 'string' &&
    /^(?:utf-?8|hex|base64(?:url)?|latin1|binary|ascii|ucs-?2|utf-?16le)$/i.test(encoding)
  const bytes = (text: string, encoding: string): Buffer => from(askBytes('buffer-bytes', { text, encoding }))
  override(Buffer, {
    from: (value: any, encoding: any = 'utf8', length?: any) => {
      if (typeof value === 'string' && known(encoding)) return bytes(value, encoding)
      return typeof value === 'string'
        ? from(value, encoding)
        : from(value, encoding === 'utf8' ? undefined : encoding, length)
    },
    isEncoding: known,
    byteLength: (value: any, encoding: any = 'utf8') =>
      typeof value === 'string' && known(encoding)
        ? bytes(value, encoding).length
        : byteLength(value, encoding),
  })
  override(Buffer.prototype, {
    toString(this: Buffer, encoding: any = 'utf8', start?: any, end?: any) {
      if (!known(encoding)) return toString.call(this, encoding, start, end)
      const view = start === undefined && end === undefined ? this : this.slice(start, end)
      return ask('buffer-text', encoding, bytesOf(view).buffer as ArrayBuffer)
    },
  })
}

/** Puts Buffer, TextEncoder, TextDecoder, atob and btoa into the world. */
export const installEncoding = (): void => {
  nativeText()
  define('Buffer', Buffer)
  define('TextEncoder', TextEncoder)
  define('TextDecoder', TextDecoder)
  define('atob', (text: unknown) => ask('atob', String(text)))
  define('btoa', (text: unknown) => ask('btoa', String(text)))
}

export { Buffer }
