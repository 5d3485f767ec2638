// Finds the strings, templates and comments of a script. Everything else is names and syntax.

import { tokenizer } from 'acorn'
import { sourceFault } from './source-limits.js'

/** A part of a source, from `start` up to but not including `end`. */
export interface TextRange {
  readonly start: number
  readonly end: number
}

/** The strings, template parts and comments of a script, in order; the whole source when it cannot be read. */
export function textRanges(source: string): TextRange[] {
  const whole = [{ start: 0, end: source.length }]
  if (sourceFault(source) !== undefined) return whole
  const ranges: TextRange[] = []
  try {
    const onComment = (_block: boolean, _text: string, start: number, end: number): void =>
      void ranges.push({ start, end })
    for (const { type, start, end } of tokenizer(source, { ecmaVersion: 'latest', onComment }))
      if (type.label === 'string' || type.label === 'template') ranges.push({ start, end })
  } catch {
    return whole
  }
  return ranges.sort((a, b) => a.start - b.start)
}
