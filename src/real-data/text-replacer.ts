// Replaces known values in free text, and everything that looks like an address, a number or a secret, in one linear
// pass.

import { keyOf, upperCase, type Pseudonyms, type ValueKind } from './pseudonyms.js'
import { secretAt } from './secret-literals.js'

/** A value of the real bank, and its kind. */
export interface KnownValue {
  readonly kind: ValueKind
  readonly value: string
}

/** A value at a position of a text, and its length there. */
type Found = KnownValue & { readonly length: number }

/** Shorter values occur too often in other words to be searched in free text. */
export const minSearchedLength = 4

const email = /[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5}/y
const longNumber = /[0-9](?:[ -]?[0-9]){8,24}/y
const wordStart = /[A-Za-z0-9+]/

/** Finds known values in texts by their first four characters, then by the longest match. */
export class TextReplacer {
  readonly #byStart = new Map<string, KnownValue[]>()
  readonly #pseudonyms: Pseudonyms

  constructor(known: readonly KnownValue[], pseudonyms: Pseudonyms) {
    this.#pseudonyms = pseudonyms
    for (const { kind, value } of known)
      for (const spelling of new Set([keyOf(value), upperCase(value.trim())])) {
        const start = spelling.slice(0, minSearchedLength)
        const list = this.#byStart.get(start)
        if (list) list.push({ kind, value: spelling })
        else this.#byStart.set(start, [{ kind, value: spelling }])
      }
    for (const list of this.#byStart.values()) list.sort((a, b) => b.value.length - a.value.length)
  }

  /** The text with every known value, e-mail address and long number replaced, and with secrets masked. */
  replace(text: string, onSecret?: (secret: string) => void): string {
    return this.#replace(text, (upper, at) => {
      const known = this.#known(upper, at)
      const secret = secretAt(text, at)
      // A secret may begin with a known value; a known value may look like a secret.
      if (secret === undefined || (known?.length ?? 0) >= secret.length) return known ?? patterned(text, at)
      onSecret?.(secret)
      return { kind: 'secret', value: secret, length: secret.length }
    })
  }

  /**
   * A script outside of its texts, with known values replaced. A word of a reference, such as `rent`, is an ordinary
   * word there; a person's name becomes another valid name.
   */
  replaceInCode(source: string): string {
    return this.#replace(
      source,
      (upper, at) => this.#inCode(upper, at),
      (text) => text.replaceAll(' ', '_'),
    )
  }

  /** The known values that a text holds. */
  knownIn(text: string): KnownValue[] {
    return this.#all(text, (upper, at) => this.#known(upper, at))
  }

  /** Those that a script contains outside of its texts, without single words. */
  knownInCode(source: string): KnownValue[] {
    return this.#all(source, (upper, at) => this.#inCode(upper, at))
  }

  #all(text: string, find: (upper: string, at: number) => Found | undefined): KnownValue[] {
    const upper = upperCase(text)
    return Array.from(upper, (_, at) => find(upper, at)).filter((found) => found !== undefined)
  }

  #replace(
    text: string,
    find: (upper: string, at: number) => Found | undefined,
    shown: (replacement: string) => string = (each) => each,
  ): string {
    const upper = upperCase(text)
    let result = ''
    let from = 0
    for (let at = 0; at < text.length;) {
      const found = find(upper, at)
      if (!found) {
        at++
        continue
      }
      result += text.slice(from, at) + shown(this.#pseudonyms.of(found.kind, found.value))
      at += found.length
      from = at
    }
    return from === 0 ? text : result + text.slice(from)
  }

  #known(upper: string, at: number): Found | undefined {
    for (const each of this.#byStart.get(upper.slice(at, at + minSearchedLength)) ?? [])
      if (standsAt(upper, each.value, at)) return { ...each, length: each.value.length }
    return undefined
  }

  #inCode(upper: string, at: number): Found | undefined {
    const found = this.#known(upper, at)
    return found?.kind === 'merchant or description' && /^\p{L}+$/u.test(found.value) ? undefined : found
  }
}

/** Whether a value is at a position of a text in capitals; words only as whole words, so `RENT` is not in `CURRENT`. */
function standsAt(upper: string, value: string, at: number): boolean {
  if (!upper.startsWith(value, at)) return false
  if (/^[0-9]{6,}$/.test(value)) return true
  return (
    !(isWord(upper[at - 1]) && isWord(value[0])) &&
    !(isWord(upper[at + value.length]) && isWord(value.at(-1)))
  )
}

const isWord = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character)

function patterned(text: string, at: number): Found | undefined {
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
