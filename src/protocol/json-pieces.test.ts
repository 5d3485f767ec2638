import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { parseInPieces } from './json-pieces.js'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
/** What a text means to JSON.parse; undefined when it is no JSON. */
const plain = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
const inPieces = (text: string, pieceBytes: number): unknown => {
  try {
    return parseInPieces(bytesOf(text), pieceBytes)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

test('pieces of any size mean what the whole text means', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), fc.nat(60), fc.nat(3), (text, pieceBytes, indent) => {
      const spaced = JSON.stringify(JSON.parse(text), null, indent)
      expect(inPieces(spaced, pieceBytes)).toEqual(JSON.parse(spaced))
      expect(JSON.stringify(inPieces(spaced, pieceBytes), null, indent)).toBe(spaced)
    }),
    { numRuns: 500 },
  )
})

test('what is no JSON as a whole is none in pieces', () => {
  const part = fc.constantFrom(
    '[',
    ']',
    '{',
    '}',
    ',',
    ':',
    '"a"',
    '"\\"',
    '"',
    '1',
    'null',
    ' ',
    '"b":',
    '[1,2,3]',
    'é',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 14 }), fc.nat(6), (parts, pieceBytes) => {
      const text = parts.join('')
      expect(inPieces(text, pieceBytes)).toEqual(plain(text))
    }),
    { numRuns: 20_000 },
  )
})

test('names of the prototype are members like others, the last of two counts, and a byte order mark is none', () => {
  const text = '{"__proto__":[1,2,3,4],"a":"first","a":"second","constructor":{"x":1}}'
  const value = inPieces(text, 4) as object
  expect(Object.entries(value)).toEqual(Object.entries(JSON.parse(text) as object))
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  expect(inPieces('\ufeff[1,2,3,4]', 2)).toEqual([1, 2, 3, 4])
  expect(inPieces('[\ufeff1,2,3,4]', 2)).toBeUndefined()
})

test('bytes that are no UTF-8 are refused', () => {
  expect(() => parseInPieces(Uint8Array.of(0x5b, 0x22, 0xff, 0x22, 0x5d), 1)).toThrow(
    'not valid for encoding utf-8',
  )
})
