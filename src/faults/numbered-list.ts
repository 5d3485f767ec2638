// An ordered list that a test edits, such as faults and stubs: each item gets an id, and the first that matches wins.

import { invalid, type InputError } from '../protocol/problem.js'

const maxItems = 1000
/** JSON of all items together, in characters: more could not be listed or exported. */
const maxLength = 16 * 1024 * 1024

/** A list of items `T`, each made from a body `B`; an id is a letter and a counter: `f1`, `f2`. */
export abstract class NumberedList<B, T extends { readonly id: string }> {
  #items: readonly T[] = []
  #count = 0
  readonly #lengths = new Map<string, number>()
  #length = 0
  readonly #letter: string
  readonly #noun: string

  /** @param kind the letter of the ids, and the word for one item */
  constructor(kind: { readonly letter: string; readonly noun: string }) {
    this.#letter = kind.letter
    this.#noun = kind.noun
  }

  /** Checks that the schema of a body cannot express. */
  protected abstract errorsOf(body: B): InputError[]

  protected abstract create(id: string, body: B): T

  /** Called after every change of the list. */
  protected changed(): void {
    // Most lists keep nothing that follows from their items.
  }

  get items(): readonly T[] {
    return this.#items
  }

  get size(): number {
    return this.#items.length
  }

  /** Appends an item; one of a timeline even beyond the maximum. Throws `invalid-request`. */
  add(body: B, isPlanned = false): T {
    const faults = this.errorsOf(body)
    if (this.size >= maxItems && !isPlanned)
      faults.push({ path: '/', message: `would be ${this.#noun} ${maxItems + 1}; delete some first` })
    const length = JSON.stringify(body).length
    if (this.#length + length > maxLength && !isPlanned)
      faults.push({
        path: '/',
        message: `would take the list beyond ${maxLength} characters; delete some first`,
      })
    if (faults.length > 0) throw invalid(faults)
    const item = this.create(`${this.#letter}${++this.#count}`, body)
    this.#items = [...this.#items, item]
    this.#lengths.set(item.id, length)
    this.#length += length
    this.changed()
    return item
  }

  /** False when there is no such item. */
  remove(id: string): boolean {
    const before = this.size
    this.#items = this.#items.filter((item) => item.id !== id)
    this.#length -= this.#lengths.get(id) ?? 0
    this.#lengths.delete(id)
    this.changed()
    return this.size < before
  }

  /** Removes all items and returns how many there were. Ids start at 1 again. */
  clear(): number {
    const removed = this.size
    this.#items = []
    this.#count = 0
    this.#lengths.clear()
    this.#length = 0
    this.changed()
    return removed
  }

  /** Loads the items of an export; ids continue after the largest. */
  protected replace(items: readonly T[]): void {
    this.#items = items
    this.#count = items.reduce((most, { id }) => Math.max(most, Number(id.slice(1)) || 0), 0)
    this.changed()
  }
}
