// An ordered list of what a test sets, such as faults and stubs: each gets an id, and the first that matches wins.

import { invalid, type InputError } from '../protocol/problem.js'

const maxItems = 1000

/** A list of items `T`, each made from a body `B`; ids are a letter and a number that counts up: `f1`, `f2`. */
export abstract class NumberedList<B, T extends { readonly id: string }> {
  #items: readonly T[] = []
  #count = 0
  readonly #letter: string
  readonly #noun: string

  /** @param kind the letter of the ids, and what one item is called */
  constructor(kind: { readonly letter: string; readonly noun: string }) {
    this.#letter = kind.letter
    this.#noun = kind.noun
  }

  /** What the schema of a body cannot express. */
  protected abstract faultsOf(body: B): InputError[]

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

  /** Adds an item behind the others; one of a timeline even beyond the largest number. Throws `invalid-request`. */
  add(body: B, isPlanned = false): T {
    const faults = this.faultsOf(body)
    if (this.size >= maxItems && !isPlanned)
      faults.push({ path: '/', message: `would be ${this.#noun} ${maxItems + 1}; delete some first` })
    if (faults.length > 0) throw invalid(faults)
    const item = this.create(`${this.#letter}${++this.#count}`, body)
    this.#items = [...this.#items, item]
    this.changed()
    return item
  }

  /** False when there is no such item. */
  remove(id: string): boolean {
    const before = this.size
    this.#items = this.#items.filter((item) => item.id !== id)
    this.changed()
    return this.size < before
  }

  /** Removes all items and says how many there were. Ids count from 1 again. */
  clear(): number {
    const removed = this.size
    this.#items = []
    this.#count = 0
    this.changed()
    return removed
  }

  /** Takes over items of an export; ids go on after the largest. */
  protected replace(items: readonly T[]): void {
    this.#items = items
    this.#count = items.reduce((most, { id }) => Math.max(most, Number(id.slice(1)) || 0), 0)
    this.changed()
  }
}
