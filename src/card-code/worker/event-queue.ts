// Card code's time, and the events that are due in it. Frozen time moves only when the run waits: it jumps to the
// next event, so that a timer of three seconds costs no real time. While the network is asked, the order is unknown,
// so an event takes its real time. Running (not frozen) time is the real time since the run began.

export interface Item {
  due: number
  /** Frozen: how far the real time must have come before the event runs while the network is asked. */
  wake: number
  order: number
  /** Of an answer in frozen time: the number of its request, which decides between answers that are due together. */
  request: number
  /** How many items came before it. */
  inserted: number
  run: () => void
}

/** Events by due time; events with the same time in the order in which they were added. */
export class EventQueue {
  #items: Item[] = []
  #order = 0
  #inserted = 0
  #spent = 0
  #flowed = 0
  #flowsSince: number | undefined
  #startedAt = performance.now()

  constructor(
    readonly startedMs: number,
    readonly frozen: boolean,
  ) {}

  /** Card code's time, ms since the epoch. */
  now(): number {
    return this.startedMs + this.elapsed()
  }

  /** Card code's time since the run began, in ms. */
  elapsed(): number {
    return this.frozen ? this.#spent : performance.now() - this.#startedAt
  }

  /** Excludes real time that passed while the thread could not run. */
  skip(ms: number): void {
    this.#startedAt += ms
  }

  /** Moves frozen time forward to an event. */
  spendUntil({ due, wake }: Item): void {
    if (!this.frozen) return
    this.#spent = Math.max(this.#spent, due)
    // A jump moves the real time along: later events still wait for their distance.
    this.#flowed += Math.max(0, wake - this.flow())
  }

  /** Switches real time on or off: it counts while an answer of the network is awaited. */
  set flows(flows: boolean) {
    this.#flowed = this.flow()
    this.#flowsSince = flows ? performance.now() : undefined
  }

  /** How much real time the event still has to wait in frozen time while the network is asked, in ms. */
  waitFor({ wake }: Item): number {
    return wake - this.flow()
  }

  /** Frozen time that has passed, plus the real time for which the network was awaited beyond it, in ms. */
  flow(): number {
    return this.#flowed + (this.#flowsSince === undefined ? 0 : performance.now() - this.#flowsSince)
  }

  /** Adds an event that is due at a time (in ms since the run began). */
  add(due: number, run: () => void): void {
    this.#insert({ due, order: (this.#order += 1), request: 0, run })
  }

  /**
   * Adds a part of an answer. In frozen time the order of requests decides between answers that are due together, not
   * which of them happened to come first.
   */
  addAnswer(due: number, request: number, run: () => void): void {
    if (this.frozen) this.#insert({ due, order: this.#order, request, run })
    else this.add(due, run)
  }

  #insert(item: Omit<Item, 'wake' | 'inserted'>): void {
    const wake = this.flow() + item.due - this.elapsed()
    this.#items.push({ ...item, wake, inserted: (this.#inserted += 1) })
    this.#rise(this.#items.length - 1)
  }

  /** The next event, which stays in the queue. */
  next(): Item | undefined {
    return this.#items[0]
  }

  /** Removes and returns the next event. */
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
    const apart =
      first.due - second.due ||
      first.order - second.order ||
      first.request - second.request ||
      first.inserted - second.inserted
    return apart < 0
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
