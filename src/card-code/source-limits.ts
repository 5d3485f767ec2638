// Limits on patterns in a main.js: parsers expand them in native code, which nothing can interrupt.

/** Why a main.js is refused before a parser sees it. */
export interface SourceFault {
  readonly message: string
  /** From 1. */
  readonly line: number
}

/** A property escape costs up to 1 ms; the others grow faster than their number. */
const limits = {
  property: { name: 'Unicode property escapes (\\p{…} or \\P{…})', most: 200 },
  nonWord: { name: 'escapes \\W', most: 500 },
  group: { name: 'named groups (?<name>…)', most: 500 },
} as const

// The position in the source does not matter: only a parser can distinguish a pattern from a string or a comment.
const counted = /\\([pP]\{|W)|\(\?<(?![=!])/g

/**
 * Why a source must not be parsed; undefined when it may be. Reads the text once, and stops at the first excess. Call
 * it before every parser: a source that it refuses may take a parser up to a minute.
 */
export function sourceFault(source: string): SourceFault | undefined {
  const seen = { property: 0, nonWord: 0, group: 0 }
  for (const { 1: escape, index } of source.matchAll(counted)) {
    const kind = escape === undefined ? 'group' : escape === 'W' ? 'nonWord' : 'property'
    seen[kind] += 1
    const { name, most } = limits[kind]
    if (seen[kind] > most)
      return { message: `more than ${most} ${name} in main.js`, line: lineOf(source, index) }
  }
  return undefined
}

const lineOf = (source: string, index: number): number => {
  let line = 1
  for (let at = source.indexOf('\n'); at >= 0 && at < index; at = source.indexOf('\n', at + 1)) line += 1
  return line
}
