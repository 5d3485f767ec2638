// Replacements for real values. The n-th value of a kind gets the n-th replacement, so that nothing of the value itself
// can be computed back from it, and the same value is always replaced by the same text.

import { withCheckDigit } from '../bank/cards/cards.js'
import { Stream } from '../determinism/random.js'

const givenNames =
  'Ada Ben Cleo Dirk Elna Finn Gugu Hana Ivo Jana Kabelo Lena Milan Nomsa Otto Petra Rian Sanele Tara Umar Vera Wim Yara Zola'.split(
    ' ',
  )
const familyNames =
  'Abbot Barlow Castle Dorman Eksteen Farrow Gates Harding Ingram Joubert Kelso Larsen Marais Norden Oakes Pillay Quirk Rourke Selby Tembu Upton Venter Wolfe Yates'.split(
    ' ',
  )
const places =
  'AMBER BIRCH CEDAR DELTA EMBER FJORD GROVE HARBOUR INDIGO JASPER KESTREL LAGOON MAPLE NECTAR ORCHARD PEBBLE QUARTZ RIVER SIERRA TIMBER UPLAND VALLEY WILLOW ZENITH'.split(
    ' ',
  )
const trades =
  'GROCER BAKERY FUEL DINER BOOKS PHARMACY HARDWARE TAILOR MARKET STUDIO GARAGE CLINIC FLORIST KITCHEN OPTICS TRAVEL GARDEN CINEMA SPORTS MUSIC PAPER FABRICS LEATHER SUPPLY'.split(
    ' ',
  )

/** What kind of value is replaced: it decides what the replacement looks like. */
export const valueKinds = [
  'account id',
  'account number',
  'profile',
  'category',
  'beneficiary id',
  'card key',
  'card number',
  'authoriser',
  'person',
  'merchant or description',
  'e-mail address',
  'telephone number',
  'number',
  'secret',
  'execution',
] as const
export type ValueKind = (typeof valueKinds)[number]

/** Pairs of words, then the same with a number: never the same text twice. */
const worded = (first: readonly string[], second: readonly string[], index: number): string => {
  const round = Math.floor(index / (first.length * second.length))
  const text = `${first[index % first.length]!} ${second[Math.floor(index / first.length) % second.length]!}`
  return round === 0 ? text : `${text} ${round + 1}`
}

/** All replacements of one pull. */
export class Pseudonyms {
  readonly #byKind = new Map<ValueKind, Map<string, string>>()
  readonly #used = new Set<string>()
  readonly #forbidden: (text: string) => boolean
  readonly #drawn = new Map<ValueKind, number>()

  /** @param forbidden whether a replacement would itself be an original value */
  constructor(forbidden: (text: string) => boolean) {
    this.#forbidden = forbidden
  }

  /** The replacement of a value: digits keep their number and place, words their kind. */
  of(kind: ValueKind, value: string): string {
    let known = this.#byKind.get(kind)
    if (!known) this.#byKind.set(kind, (known = new Map<string, string>()))
    const key = keyOf(value)
    const before = known.get(key)
    if (before !== undefined) return before
    const fresh = this.#fresh(kind, value)
    known.set(key, fresh)
    return fresh
  }

  /** How many different values of each kind were replaced. */
  get counts(): ReadonlyMap<ValueKind, number> {
    return new Map(
      valueKinds.flatMap((kind) => (this.#byKind.has(kind) ? [[kind, this.#byKind.get(kind)!.size]] : [])),
    )
  }

  #fresh(kind: ValueKind, value: string): string {
    for (;;) {
      const index = this.#drawn.get(kind) ?? 0
      this.#drawn.set(kind, index + 1)
      const text = textFor(kind, value, index)
      if (this.#used.has(text) || this.#forbidden(text)) continue
      this.#used.add(text)
      return text
    }
  }
}

/** Values that differ in case and spaces alone are the same. */
export const keyOf = (value: string): string => upperCase(value.trim().replace(/\s+/g, ' '))

/** The text in capitals, each character in its place: those whose capital is longer stay as they are. */
export const upperCase = (text: string): string =>
  text.replace(/\p{Ll}/gu, (each) => (each.toUpperCase().length === each.length ? each.toUpperCase() : each))

function textFor(kind: ValueKind, value: string, index: number): string {
  switch (kind) {
    case 'person':
      return cased(value, worded(givenNames, familyNames, index))
    case 'merchant or description':
      return cased(value, worded(places, trades, index))
    case 'e-mail address':
      return `person${index + 1}@mail.example`
    case 'secret':
      return `masked-secret-${index + 1}`
    case 'beneficiary id':
      return Buffer.from(digits(kind, '0'.repeat(14), index)).toString('base64')
    case 'card number':
      return cardNumber(value, index)
    case 'execution':
      return uuid(index)
    case 'account number':
      // The first three digits say what kind of account it is.
      return value.slice(0, 3) + digits(kind, value.slice(3), index)
    default:
      return digits(kind, value, index)
  }
}

/** The same text with other digits and other letters in their places; the first digit is never 0. */
function digits(kind: ValueKind, value: string, index: number): string {
  const chance = Stream.of(index, `pseudonym/${kind}`)
  return Array.from(value)
    .map((each, place) => (/[0-9]/.test(each) ? String(chance.between(place === 0 ? 1 : 0, 9)) : each))
    .join('')
}

/** A masked or whole card number: its issuer stays, and a whole one keeps a right check digit. */
function cardNumber(value: string, index: number): string {
  const chance = Stream.of(index, 'pseudonym/card number')
  const text =
    value.slice(0, 6) +
    Array.from(value.slice(6))
      .map((each) => (/[0-9]/.test(each) ? String(chance.between(0, 9)) : each))
      .join('')
  return /^[0-9]{13,19}$/.test(text) ? withCheckDigit(text.slice(0, -1)) : text
}

function uuid(index: number): string {
  const chance = Stream.of(index, 'pseudonym/execution')
  return chance.uuid().toUpperCase()
}

/** In the case of the original: all capitals, or each word with one. */
const cased = (original: string, text: string): string =>
  original === original.toUpperCase()
    ? text.toUpperCase()
    : text.toLowerCase().replace(/\b[a-z]/g, (each) => each.toUpperCase())
