// Replacements for real values. The n-th value of a kind gets the n-th replacement, so that a replacement reveals
// nothing about the value, and the same value always gets the same replacement.

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

/** The kind of a replaced value decides the form of its replacement. */
const valueKinds = [
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

/** Pairs of words, then the same pairs with a number: never the same text twice. */
const worded = (first: readonly string[], second: readonly string[], index: number): string => {
  const round = Math.floor(index / (first.length * second.length))
  const text = `${first[index % first.length]!} ${second[Math.floor(index / first.length) % second.length]!}`
  return round === 0 ? text : `${text} ${round + 1}`
}

/** How often a replacement of the same form is tried. */
const maxAttempts = 1000

/** Whether a value has a meaning: one without letters and digits, such as `-`, identifies nobody and stays. */
export const isTelling = (value: string): boolean => /[\p{L}\p{N}]/u.test(value)

/** All replacements of one pull. */
export class Pseudonyms {
  readonly #byKind = new Map<ValueKind, Map<string, string>>()
  readonly #used = new Set<string>()
  readonly #forbidden: (text: string) => boolean
  readonly #drawn = new Map<ValueKind, number>()
  /** By how many digits replacements are longer than the values of a kind and length. */
  readonly #longer = new Map<string, number>()

  /** @param forbidden whether a replacement is an original value, or holds one */
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

  /** When all other values of a form are taken, such as one-digit ids, the replacement is a longer number. */
  #fresh(kind: ValueKind, value: string): string {
    const form = `${kind} ${value.length}`
    for (let attempt = 1; ; attempt++) {
      const index = this.#drawn.get(kind) ?? 0
      this.#drawn.set(kind, index + 1)
      const longer = this.#longer.get(form) ?? 0
      const text =
        longer === 0 ? textFor(kind, value, index) : digits(kind, '0'.repeat(value.length + longer), index)
      if (!this.#used.has(text) && !this.#forbidden(text)) {
        this.#used.add(text)
        return text
      }
      if (attempt % maxAttempts === 0) this.#longer.set(form, longer + 1)
    }
  }
}

/** Values that differ only in letter case and spaces count as the same. */
export const keyOf = (value: string): string => upperCase(value.trim().replace(/\s+/g, ' '))

/** The text in upper case, character by character: those whose upper case is longer stay. */
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
      return checkedAs(value, value.slice(0, 3) + digits(kind, value.slice(3), index))
    default:
      return digits(kind, value, index)
  }
}

/** The same text with other digits and letters; the first digit is never 0. */
function digits(kind: ValueKind, value: string, index: number): string {
  const chance = Stream.of(index, `pseudonym/${kind}`)
  const letter = (first: string): string => String.fromCharCode(first.charCodeAt(0) + chance.between(0, 25))
  const text = Array.from(value)
    .map((each, place) => {
      if (/\p{N}/u.test(each)) return String(chance.between(place === 0 ? 1 : 0, 9))
      if (/\p{Lu}/u.test(each)) return letter('A')
      return /\p{L}/u.test(each) ? letter('a') : each
    })
    .join('')
  return checkedAs(value, text)
}

/** A masked or whole card number: its issuer stays. */
function cardNumber(value: string, index: number): string {
  const chance = Stream.of(index, 'pseudonym/card number')
  const text =
    value.slice(0, 6) +
    Array.from(value.slice(6))
      .map((each) => (/[0-9]/.test(each) ? String(chance.between(0, 9)) : each))
      .join('')
  return checkedAs(value, text)
}

/** The text with a valid check digit (Luhn) if the value, a number of 11 digits or more, has one. */
const checkedAs = (value: string, text: string): string =>
  /^[0-9]{11,}$/.test(value) && withCheckDigit(value.slice(0, -1)) === value
    ? withCheckDigit(text.slice(0, -1))
    : text

function uuid(index: number): string {
  const chance = Stream.of(index, 'pseudonym/execution')
  return chance.uuid().toUpperCase()
}

/** In the letter case of the original: all capitals, or capitalised words. */
const cased = (original: string, text: string): string =>
  original === original.toUpperCase()
    ? text.toUpperCase()
    : text.toLowerCase().replace(/\b[a-z]/g, (each) => each.toUpperCase())
