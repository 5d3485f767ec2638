// Comparing texts inside the guest: a call of the worker for each comparison would make sorting 10,000 names take seconds. Each
// text gets a sort key, once: its weights at three levels (letter, accent, case), which plain comparison puts in order. The
// weights of ASCII are a short table; those of Latin letters with accents and of common signs come from the worker when
// the first of them occurs. Texts with other characters, such as a ligature, go to the worker.
import { ask } from './bridge.js'

const signs = '\t\n\r _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$0123456789'
const { fromCharCode } = String
const codeAt: (text: string, at: number) => number = Function.prototype.call.bind(
  String.prototype.charCodeAt as any,
) as any

/** By code: the weights of the three levels, as characters; a character without an entry is not for this table. */
type Weights = (readonly [letter: string, accent: string, letterCase: string] | undefined)[]

const lowest = '\u0001'
const weightsOfAscii = (): Weights => {
  const weights: Weights = []
  for (let at = 0; at < signs.length; at += 1)
    weights[codeAt(signs, at)] = [fromCharCode(at + 2), lowest, lowest]
  for (let letter = 1; letter <= 26; letter += 1)
    for (const isUpper of [0, 1])
      weights[96 + letter - 32 * isUpper] = [fromCharCode(100 + letter), lowest, fromCharCode(1 + isUpper)]
  return weights
}

let weights = weightsOfAscii()
let isWhole = false

/** The table of the worker: characters, and the weights of each level in the same order. */
const askWeights = (): void => {
  const { characters, letters, accents, cases } = ask('collation', null)
  weights = []
  for (let at = 0; at < characters.length; at += 1)
    weights[codeAt(characters, at)] = [
      fromCharCode(letters[at] + 1),
      fromCharCode(accents[at] + 1),
      fromCharCode(cases[at] + 1),
    ]
  isWhole = true
  forget()
}

/** The options of a comparison, as in Intl.Collator. */
export interface CollationOptions {
  sensitivity: 'base' | 'accent' | 'case' | 'variant'
  numeric: boolean
}

interface Key {
  base: string
  accent: string
  case: string
  variant: string
}

// No Map: card code may replace its methods. A few computed keys are cached.
const maxKept = 20_000
const maxLength = 1_000
let kept: [plain: Record<string, Key | null>, numeric: Record<string, Key | null>] = [
  Object.create(null),
  Object.create(null),
]
let count = 0

const forget = (): void => {
  kept = [Object.create(null), Object.create(null)]
  count = 0
}

/** A text's sort key; null when the table lacks one of its characters. */
const keyOf = (text: string, numeric: boolean): Key | null => {
  const known = kept[numeric ? 1 : 0][text]
  if (known !== undefined) return known
  const made = text.length > maxLength ? null : computed(text, numeric)
  if (count >= maxKept) forget()
  count += 1
  kept[numeric ? 1 : 0][text] = made
  return made
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57

const computed = (text: string, numeric: boolean): Key | null => {
  let letters = ''
  let accents = ''
  let cases = ''
  for (let at = 0; at < text.length; at += 1) {
    const code = codeAt(text, at)
    if (numeric && isDigit(code)) {
      // Numbers are compared by value: without leading zeros, the longer one is larger.
      let end = at
      while (end < text.length && codeAt(text, end) === 48) end += 1
      let digits = ''
      for (; end < text.length && isDigit(codeAt(text, end)); end += 1) digits += text[end]!
      if (digits.length > maxDigits) return null
      letters += weights[48]![0] + fromCharCode(digits.length + 1) + digits
      accents += lowest
      cases += lowest
      at = end - 1
      continue
    }
    if (code >= 128 && !isWhole) {
      askWeights()
      return computed(text, numeric)
    }
    const weight = weights[code]
    if (weight === undefined) return null
    letters += weight[0]
    accents += weight[1]
    cases += weight[2]
  }
  const accent = letters + '\0' + accents
  return { base: letters, accent, case: letters + '\0' + cases, variant: accent + '\0' + cases }
}

// The platform's collation splits longer numbers.
const maxDigits = 250

/** -1, 0 or 1 as in the root collation; undefined when the table lacks a character of a text. */
export const comparePlain = (
  a: string,
  b: string,
  { sensitivity, numeric }: CollationOptions,
): number | undefined => {
  let first = keyOf(a, numeric)
  const before = weights
  const second = keyOf(b, numeric)
  // The second text may have loaded the larger table, which has other weights.
  if (before !== weights) first = keyOf(a, numeric)
  if (first === null || second === null) return undefined
  const x = first[sensitivity]
  const y = second[sensitivity]
  return x === y ? 0 : x < y ? -1 : 1
}

const usual: CollationOptions = { sensitivity: 'variant', numeric: false }

/** The options that this file supports; undefined when the worker must compare. */
export const collationOptions = (options: unknown): CollationOptions | undefined => {
  if (options === undefined) return usual
  if (typeof options !== 'object' || options === null) return undefined
  const given = options as Partial<CollationOptions>
  for (const name in given) if (name !== 'sensitivity' && name !== 'numeric') return undefined
  const { sensitivity = 'variant', numeric = false } = given
  const isKnown =
    sensitivity === 'variant' || sensitivity === 'base' || sensitivity === 'accent' || sensitivity === 'case'
  return isKnown && typeof numeric === 'boolean' ? { sensitivity, numeric } : undefined
}
