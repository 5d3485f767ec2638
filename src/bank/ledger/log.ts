/**
 * An append-only list that is cheap to fork: forks share their common items. A fork copies them only when it appends
 * to a list that another fork has already extended. A thousand banks with the same history store that history once.
 */
export class Log<T> {
  #items: T[]
  #length: number

  constructor(items: T[] = []) {
    this.#items = items
    this.#length = items.length
  }

  get length(): number {
    return this.#length
  }

  at(index: number): T | undefined {
    return index >= 0 && index < this.#length ? this.#items[index] : undefined
  }

  get last(): T | undefined {
    return this.at(this.#length - 1)
  }

  append(item: T): void {
    if (this.#items.length !== this.#length) this.#items = this.#items.slice(0, this.#length)
    this.#items.push(item)
    this.#length++
  }

  fork(): Log<T> {
    const fork = new Log<T>()
    fork.#items = this.#items
    fork.#length = this.#length
    return fork
  }

  slice(from = 0, to = this.#length): T[] {
    return this.#items.slice(from, Math.min(to, this.#length))
  }

  /** The first index at which `reached` is true; it must be false for all items before and true for all after. */
  search(reached: (item: T) => boolean): number {
    let low = 0
    let high = this.#length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (reached(this.#items[middle]!)) high = middle
      else low = middle + 1
    }
    return low
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let i = 0; i < this.#length; i++) yield this.#items[i]!
  }
}
