// Parses a YAML text to a value with the line of every part. It loads the YAML parser, so import it only when the first
// text is read.

import { Document, isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml'
import { pointerNames } from '../protocol/json-pointer.js'
import { maxErrors } from '../protocol/validation.js'

/** A parsed YAML text. */
export interface YamlText {
  /** The value; undefined when there are errors. */
  readonly value: unknown
  /** Why the text could not be parsed at all: the end of a sentence that begins with the name of the file. */
  readonly unreadable: string | undefined
  readonly errors: readonly { readonly line: number; readonly text: string }[]
  /** The line of the value at a JSON pointer, or of the nearest enclosing value that exists. From 1. */
  readonly lineOf: (path: string) => number
  /** The line of the key at a JSON pointer; that of the value when there is no such key. */
  readonly keyLineOf: (path: string) => number
}

/** A scenario's bank is in another file. */
const maxTextLength = 16 * 1024 * 1024
/** Deeper than any schema; the parser needs stack for each level. */
const maxNesting = 100

/** Reads a YAML text, or JSON. Never throws. */
export function readYaml(text: string): YamlText {
  const refused = (unreadable: string): YamlText => ({
    value: undefined,
    unreadable,
    errors: [],
    lineOf: () => 1,
    keyLineOf: () => 1,
  })
  if (text.length > maxTextLength) return refused(`must have at most ${maxTextLength} characters.`)
  if (depthOf(text) > maxNesting) return refused(`must not nest values more than ${maxNesting} deep.`)
  const lines = new LineCounter()
  let document: Document.Parsed
  try {
    // The parser would compare each key with all others of its map: duplicates are found below, in one pass.
    document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false })
  } catch (error) {
    return refused(`cannot be read: ${(error as Error).message}.`)
  }
  const lineOf = (path: string): number => {
    const parts = pointerNames(path)
    for (; parts.length > 0; parts.pop()) {
      const node = document.getIn(parts, true)
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
    }
    return 1
  }
  const keyLineOf = (path: string): number => {
    const parts = pointerNames(path)
    const name = parts.pop()
    const around: unknown = parts.length === 0 ? document.contents : document.getIn(parts, true)
    const pair = isMap(around)
      ? around.items.find(({ key }) => isScalar(key) && String(key.value) === name)
      : undefined
    return isNode(pair?.key) && pair.key.range ? lines.linePos(pair.key.range[0]).line : lineOf(path)
  }
  const readAs = (value: unknown, errors: YamlText['errors']): YamlText => ({
    value,
    unreadable: undefined,
    errors,
    lineOf,
    keyLineOf,
  })
  const broken = brokenIn(document).map(({ pos, message }) => ({
    line: lines.linePos(pos).line,
    text: message,
  }))
  if (broken.length > 0) return readAs(undefined, broken.slice(0, maxErrors))
  try {
    return readAs(document.toJS(), [])
  } catch (error) {
    return readAs(undefined, [{ line: 1, text: (error as Error).message }])
  }
}

function brokenIn(document: Document.Parsed): { pos: number; message: string }[] {
  const broken = [...document.errors, ...document.warnings].map(({ pos, message }) => ({
    pos: pos[0],
    message,
  }))
  visit(document, {
    Map(_, map) {
      const keys = new Set<unknown>()
      for (const { key } of map.items) {
        const value = isScalar(key) ? key.value : key
        const pos = isNode(key) ? (key.range?.[0] ?? 0) : 0
        if (keys.has(value)) broken.push({ pos, message: 'Map keys must be unique' })
        if (isMap(key)) broken.push({ pos, message: 'A key must be a text' })
        keys.add(value)
      }
    },
  })
  return broken
}

/**
 * An upper bound of how deep a YAML text nests: open brackets, indentation, and indicators before a value. Brackets
 * inside texts count too; no scenario comes close to the limit.
 */
function depthOf(text: string): number {
  let deepest = 0
  let brackets = 0
  const indents: number[] = []
  for (let at = 0; at < text.length;) {
    const end = (text.indexOf('\n', at) + 1 || text.length + 1) - 1
    let start = at
    let dashes = 0
    for (; text[start] === ' ' || (text[start + 1] === ' ' && /[-?]/.test(text[start]!)); start++)
      if (text[start] !== ' ') dashes++
    if (start < end) {
      while (indents.length > 0 && indents.at(-1)! >= start - at) indents.pop()
      indents.push(start - at)
    }
    for (let place = start; place < end; place++) {
      const char = text[place]
      if (char === '[' || char === '{') brackets++
      else if (char === ']' || char === '}') brackets = Math.max(0, brackets - 1)
      if (brackets > deepest) deepest = brackets
    }
    deepest = Math.max(deepest, brackets + indents.length + dashes)
    at = end + 1
  }
  return deepest
}

/** A YAML text with values replaced at paths; everything else, including comments, is unchanged. */
export function setInYaml(
  text: string,
  changes: readonly (readonly [path: readonly (string | number)[], value: unknown])[],
): string {
  const document = parseDocument(text)
  for (const [path, value] of changes) document.setIn(path, value)
  return document.toString({ lineWidth: 0 })
}

/** A value as YAML. */
export function writeYaml(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false })
  return document.toString({ lineWidth: 0, collectionStyle: 'block', singleQuote: true })
}
