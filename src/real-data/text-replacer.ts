// Replaces known values inside free text, and what looks like an address, a number or a secret, in one linear pass.

import { keyOf, upperCase, type Pseudonyms, type ValueKind } from './pseudonyms.js'

/** A value of the real bank, and what kind it is. */
export interface KnownValue {
  readonly kind: ValueKind
  readonly value: string
}

/** Shorter values are too common in other words to be looked for in free text. */
export const minSearchedLength = 4

const email = /[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5}/y
const longNumber = /[0-9](?:[ -]?[0-9]){8,24}/y
const wordStart = /[A-Za-z0-9+]/

/** Finds known values in texts by their first four characters, then by the longest that fits. */
export class TextReplacer {
  readonly #byStart = new Map<string, KnownValue[]>()
  readonly #pseudonyms: Pseudonyms

  constructor(known: readonly KnownValue[], pseudonyms: Pseudonyms) {
    this.#pseudonyms = pseudonyms
    for (const each of known) {
      const key = keyOf(each.value)
      const start = key.slice(0, minSearchedLength)
      const list = this.#byStart.get(start)
      if (list) list.push({ ...each, value: key })
      else this.#byStart.set(start, [{ ...each, value: key }])
    }
    for (const list of this.#byStart.values()) list.sort((a, b) => b.value.length - a.value.length)
  }

  /** The text with every known value, e-mail address and long number replaced. */
  replace(text: string): string {
    const upper = upperCase(text)
    let result = ''
    let from = 0
    for (let at = 0; at < text.length;) {
      const found = this.#known(upper, at) ?? patterned(text, at)
      if (!found) {
        at++
        continue
      }
      result += text.slice(from, at) + this.#pseudonyms.of(found.kind, found.value)
      at += found.length
      from = at
    }
    return from === 0 ? text : result + text.slice(from)
  }

  #known(upper: string, at: number): (KnownValue & { length: number }) | undefined {
    for (const each of this.#byStart.get(upper.slice(at, at + minSearchedLength)) ?? [])
      if (standsAt(upper, each.value, at)) return { ...each, length: each.value.length }
    return undefined
  }
}

/** Whether a value stands at a place of a text in capitals; words only as whole words, so `RENT` is not in `CURRENT`. */
export function standsAt(upper: string, value: string, at: number): boolean {
  if (!upper.startsWith(value, at)) return false
  if (/^[0-9]{6,}$/.test(value)) return true
  return (
    !(isWord(upper[at - 1]) && isWord(value[0])) &&
    !(isWord(upper[at + value.length]) && isWord(value.at(-1)))
  )
}

const isWord = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character)

function patterned(text: string, at: number): (KnownValue & { length: number }) | undefined {
  if (!wordStart.test(text[at]!) || (at > 0 && wordStart.test(text[at - 1]!))) return undefined
  email.lastIndex = at
  const address = email.exec(text)?.[0]
  if (address !== undefined) return { kind: 'e-mail address', value: address, length: address.length }
  longNumber.lastIndex = at
  const number = longNumber.exec(text)?.[0]
  if (number !== undefined && !/^[0-9]{4}-[0-9]{2}-[0-9]{2}/.test(number))
    return { kind: 'number', value: number, length: number.length }
  return undefined
}
