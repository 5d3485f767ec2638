// The box's time and what is due in it. Frozen time moves only by what is waited for: the agenda jumps to the next item
// and a timer of three seconds costs no real time. Otherwise box time is the real time since the run began.

export interface Item {
  due: number
  order: number
  run: () => void
}

/** Items by the time at which they are due; those of one time in the order in which they came. */
export class Agenda {
  #items: Item[] = []
  #order = 0
  #spent = 0
  readonly #startedAt = performance.now()

  constructor(
    readonly startedMs: number,
    readonly frozen: boolean,
  ) {}

  /** The box's time, ms since the epoch. */
  now(): number {
    return this.startedMs + this.elapsed()
  }

  /** Box time since the run began, in ms. */
  elapsed(): number {
    return this.frozen ? this.#spent : performance.now() - this.#startedAt
  }

  /** Moves frozen time on to a point (in ms since the run began). */
  spendUntil(elapsed: number): void {
    if (this.frozen && elapsed > this.#spent) this.#spent = elapsed
  }

  get size(): number {
    return this.#items.length
  }

  /** Enters an item, due at a box time (in ms since the run began). */
  add(due: number, run: () => void): Item {
    const item = { due, order: (this.#order += 1), run }
    this.#items.push(item)
    this.#rise(this.#items.length - 1)
    return item
  }

  /** The next item, left in its place. */
  next(): Item | undefined {
    return this.#items[0]
  }

  /** Takes the next item out. */
  take(): Item | undefined {
    const first = this.#items[0]
    const last = this.#items.pop()
    if (first !== last && last !== undefined) {
      this.#items[0] = last
      this.#sink(0)
    }
    return first
  }

  #before(a: number, b: number): boolean {
    const [first, second] = [this.#items[a]!, this.#items[b]!]
    return first.due !== second.due ? first.due < second.due : first.order < second.order
  }

  #swap(a: number, b: number): void {
    const held = this.#items[a]!
    this.#items[a] = this.#items[b]!
    this.#items[b] = held
  }

  #rise(from: number): void {
    for (let at = from; at > 0;) {
      const parent = (at - 1) >> 1
      if (!this.#before(at, parent)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  #sink(from: number): void {
    for (let at = from; ;) {
      let least = at
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < this.#items.length && this.#before(child, least)) least = child
      }
      if (least === at) return
      this.#swap(at, least)
      at = least
    }
  }
}
