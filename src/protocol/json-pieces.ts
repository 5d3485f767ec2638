// Parses a large JSON text piece by piece, out of its bytes: the text as a whole takes as much memory again as its bytes,
// and twice that if it holds a single character beyond Latin-1.

/** A part of the text of up to this many bytes is parsed at once. */
const defaultPieceBytes = 1024 * 1024
/** Below this depth nothing is taken apart. */
const maxDepth = 8

const [quote, comma, colon, backslash] = [0x22, 0x2c, 0x3a, 0x5c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** What the bytes of a JSON text mean. Throws a SyntaxError, and a TypeError for what is no UTF-8. */
export function parseInPieces(bytes: Uint8Array, pieceBytes = defaultPieceBytes): unknown {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return new Pieces(bytes, pieceBytes).value(hasMark ? 3 : 0, bytes.length, 0)
}

class Pieces {
  readonly #bytes: Uint8Array
  readonly #pieceBytes: number
  /** Where each large list and object begins and ends, so that no level reads what lies in them again. */
  readonly #ends = new Map<number, number>()

  constructor(bytes: Uint8Array, pieceBytes: number) {
    this.#bytes = bytes
    this.#pieceBytes = pieceBytes
    this.#findEnds()
  }

  #findEnds(): void {
    const bytes = this.#bytes
    const open: number[] = []
    for (let at = 0; at < bytes.length; at++)
      switch (bytes[at]) {
        case quote:
          at = this.#endOfText(at + 1)
          break
        case openList:
        case openObject:
          open.push(at)
          break
        case closeList:
        case closeObject: {
          const start = open.pop() ?? at
          if (at - start >= this.#pieceBytes) this.#ends.set(start, at)
        }
      }
  }

  /** The value between two places, with the space around it. */
  value(from: number, to: number, depth: number): unknown {
    const start = this.#afterSpace(from)
    const first = this.#bytes[this.#afterSpace(start + 1)]
    const isEmpty = first === closeList || first === closeObject
    const isLarge = to - start > this.#pieceBytes && depth < maxDepth && !isEmpty
    if (isLarge && this.#bytes[start] === openList) return this.#list(start, to, depth)
    if (isLarge && this.#bytes[start] === openObject) return this.#object(start, to, depth)
    return JSON.parse(this.#text(from, to)) as unknown
  }

  #list(start: number, to: number, depth: number): unknown[] {
    const items: unknown[] = []
    let from = start + 1
    // Small items are parsed together, as a list of their own, which begins here.
    let first = from
    const take = (end: number): void => {
      if (this.#afterSpace(first) === end) throw unexpected()
      for (const item of JSON.parse(`[${this.#text(first, end)}]`) as unknown[]) items.push(item)
    }
    for (;;) {
      const end = this.#endOfPart(from, closeList)
      const isLast = this.#bytes[end] === closeList
      if (end - from > this.#pieceBytes) {
        if (first < from) take(from - 1)
        items.push(this.value(from, end, depth + 1))
        first = end + 1
      } else if (isLast || end - first > this.#pieceBytes) {
        take(end)
        first = end + 1
      }
      from = end + 1
      if (isLast) break
    }
    this.#expectEnd(from, to)
    return items
  }

  #object(start: number, to: number, depth: number): object {
    const members = {}
    for (let from = start + 1; ;) {
      const end = this.#endOfPart(from, closeObject)
      const name = this.#afterSpace(from)
      if (this.#bytes[name] !== quote) throw unexpected()
      const afterName = this.#endOfText(name + 1) + 1
      const mark = this.#afterSpace(afterName)
      if (this.#bytes[mark] !== colon) throw unexpected()
      const value = this.value(mark + 1, end, depth + 1)
      // As JSON.parse does, also for `__proto__`.
      const member = { value, enumerable: true, configurable: true, writable: true }
      Object.defineProperty(members, JSON.parse(this.#text(name, afterName)) as string, member)
      from = end + 1
      if (this.#bytes[end] === comma) continue
      this.#expectEnd(from, to)
      return members
    }
  }

  /** The place of the comma after an item or member, or of the bracket that closes its list or object. */
  #endOfPart(from: number, close: number): number {
    const bytes = this.#bytes
    let depth = 0
    for (let at = from; at < bytes.length; at++)
      switch (bytes[at]) {
        case quote:
          at = this.#endOfText(at + 1)
          break
        case openList:
        case openObject: {
          const end = depth === 0 ? this.#ends.get(at) : undefined
          if (end === undefined) depth++
          else at = end
          break
        }
        case closeList:
        case closeObject:
          if (depth-- > 0) break
          if (bytes[at] === close) return at
          throw unexpected()
        case comma:
          if (depth === 0) return at
      }
    throw unexpected()
  }

  /** The place of the quotation mark that ends a text. */
  #endOfText(from: number): number {
    const bytes = this.#bytes
    for (let at = from; at < bytes.length; at++) {
      if (bytes[at] === quote) return at
      if (bytes[at] === backslash) at++
    }
    throw unexpected()
  }

  #afterSpace(from: number): number {
    const bytes = this.#bytes
    let at = from
    while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++
    return at
  }

  /** Nothing but space may follow a value. */
  #expectEnd(from: number, to: number): void {
    if (this.#afterSpace(from) < to) throw unexpected()
  }

  #text(from: number, to: number): string {
    return decoder.decode(this.#bytes.subarray(from, to))
  }
}

const unexpected = (): SyntaxError => new SyntaxError('Unexpected token in JSON')
