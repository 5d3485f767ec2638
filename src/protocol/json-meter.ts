// Measures JSON before it is parsed: how deep it nests, how many values it holds, and about how much memory they will
// take. A megabyte of `[[[…` overflows the stack of the code that serialises it, and `{},{},…` takes 25 times its text.

import { Problem } from './problem.js'

/** The limits of a JSON text. */
export interface JsonLimits {
  /** Levels of nested lists and objects. */
  readonly depth: number
  /** Values and names together. */
  readonly values?: number
  /** Heap bytes for each byte of text, beyond the first 16 MB. */
  readonly heapRatio?: number
}

/** The limits of every body; scenario files in YAML have the same depth. */
export const bodyLimits: JsonLimits = { depth: 100, values: 200_000 }
/** The limits of a state: a scenario and the bodies of faults are nested in it. */
export const stateLimits: JsonLimits = { depth: 200, heapRatio: 2.5 }

/** The ratio is not checked below this much memory. */
const freeHeapBytes = 16 * 1024 * 1024

// About how many heap bytes V8 uses for each, on 64 bits.
const objectBytes = 64
const listBytes = 48
const valueBytes = 12
const textBytes = 24
const shapeBytes = 250

const [quote, comma, colon, backslash] = [0x22, 0x2c, 0x3a, 0x5c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Takes a JSON text in pieces, as UTF-8. Invalid JSON is measured too; the parser refuses it later. */
class JsonMeter {
  readonly #limits: JsonLimits
  #isInText = false
  #isEscaped = false
  #depth = 0
  #values = 0
  #textBytes = 0
  #heapBytes = 0
  /** The hash of the last text, by which names are compared. */
  #hash = 0
  /** The heap bytes of the last text. */
  #lastText = 0
  /** For each open object a hash of its names: objects with the same names share one layout. */
  readonly #shapes: Int32Array
  readonly #knownShapes = new Set<number>()

  constructor(limits: JsonLimits) {
    this.#limits = limits
    this.#shapes = new Int32Array(limits.depth + 1)
  }

  /** Measures one more piece. Throws `broken-json` or `body-too-large` when a limit is passed. */
  add(piece: Uint8Array): void {
    const shapes = this.#shapes
    const { length } = piece
    let depth = this.#depth
    let values = 0
    // Continues a text that began in the previous piece.
    let at = this.#isInText ? this.#endOfText(piece, 0) + 1 : 0
    let heapBytes = at
    for (; at < length; at++)
      switch (piece[at]) {
        case quote: {
          const first = at
          this.#hash = 7
          at = this.#endOfText(piece, at + 1)
          this.#lastText = textBytes + at - first
          heapBytes += this.#lastText
          break
        }
        case colon:
          // The text before it was a name, which V8 stores once for all objects that have it.
          shapes[depth] = Math.imul(shapes[depth]! + this.#hash, 33)
          heapBytes -= this.#lastText
          values++
          break
        case comma:
          values++
          heapBytes += valueBytes
          break
        case openObject:
        case openList:
          heapBytes += piece[at] === openObject ? objectBytes : listBytes
          values++
          if (++depth >= shapes.length) throw tooDeep(this.#limits)
          shapes[depth] = 0
          break
        case closeObject:
        case closeList:
          if (depth > 0 && this.#isNewShape(shapes[depth--]!)) heapBytes += shapeBytes
      }
    this.#depth = depth
    this.#values += values
    this.#heapBytes += heapBytes
    this.#textBytes += length
    this.#check()
  }

  /**
   * The index of the quotation mark that ends a text, or the length of the piece when the text continues in the next.
   */
  #endOfText(piece: Uint8Array, from: number): number {
    let hash = this.#hash
    let isEscaped = this.#isEscaped
    let at = from
    for (; at < piece.length; at++) {
      const byte = piece[at]!
      if (isEscaped) isEscaped = false
      else if (byte === backslash) isEscaped = true
      else if (byte === quote) break
      hash = (Math.imul(hash, 31) + byte) | 0
    }
    this.#isEscaped = isEscaped
    this.#isInText = at === piece.length
    this.#hash = hash
    return at
  }

  #isNewShape(shape: number): boolean {
    const { size } = this.#knownShapes
    return shape !== 0 && this.#knownShapes.add(shape).size > size
  }

  #check(): void {
    const { values = Infinity, heapRatio = Infinity } = this.#limits
    if (this.#values > values)
      throw new Problem('body-too-large', `The body may hold at most ${values} lists, objects and values.`)
    if (this.#heapBytes > freeHeapBytes + heapRatio * this.#textBytes)
      throw new Problem('body-too-large', 'The body holds more small values than its size allows.')
  }
}

const tooDeep = ({ depth }: JsonLimits): Problem =>
  new Problem('broken-json', `The body nests lists and objects more than ${depth} deep.`)

/** Checks often, so that little work is spent on a text that is refused. */
const pieceBytes = 65_536

/** Measures a whole text, as UTF-8. Throws `broken-json` or `body-too-large` when a limit is passed. */
export function measureJson(text: Uint8Array, limits: JsonLimits): void {
  const meter = new JsonMeter(limits)
  for (let at = 0; at < text.length; at += pieceBytes) meter.add(text.subarray(at, at + pieceBytes))
}
