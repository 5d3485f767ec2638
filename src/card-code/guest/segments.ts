// The segments of a text, fetched in pieces as they are read: time and memory are proportional to the length read.
import { ask } from './bridge.js'

interface Rules {
  locales: unknown
  options: unknown
}

interface Segment {
  segment: string
  index: number
  input: string
  isWordLike?: boolean
}

// A boundary near the end of a piece may depend on the following text, so only earlier ones are used.
const pieceLength = 2_048
const maxPiece = 65_536
const unsure = 256

function* segmentsIn(input: string, rules: Rules): Generator<Segment> {
  let start = 0
  let length = pieceLength
  while (start < input.length) {
    const last = start + length >= input.length
    const { ends, words } = ask('intl-segments', { ...rules, text: input.slice(start, start + length) })
    let from = 0
    for (let i = 0; i < ends.length; i += 1) {
      const end: number = ends[i]
      if (!last && end > length - unsure && !(length >= maxPiece && from === 0)) break
      const index = start + from
      const found: Segment = { segment: input.slice(index, start + end), index, input }
      if (words !== null) found.isWordLike = words[i]
      yield found
      from = end
    }
    // One segment is longer than the piece: read a longer piece.
    length = from === 0 ? Math.min(length * 4, maxPiece) : pieceLength
    start += from
  }
}

/** The result of `Intl.Segmenter.prototype.segment`. */
export const segmentsOf = (input: string, rules: Rules): object =>
  Object.create({
    containing: (at: unknown): Segment | undefined => {
      const index = Math.trunc(Number(at)) || 0
      if (index < 0 || index >= input.length) return undefined
      for (const found of segmentsIn(input, rules))
        if (index < found.index + found.segment.length) return found
      return undefined
    },
    [Symbol.iterator]: () => segmentsIn(input, rules),
  }) as object
