// Moments of a workspace to go back to, such as just before a reset.

/** A stored moment; the newest is last. */
export interface Checkpoint<M> {
  /** `c1` for the first. */
  readonly id: string
  readonly name: string
  /** Epoch ms of the sandbox's clock. */
  readonly atMs: number
  readonly mark: M
}

const maxCheckpoints = 20

/** The checkpoints of one workspace: the last twenty. */
export class Checkpoints<M> {
  #kept: readonly Checkpoint<M>[] = []
  #count = 0

  /** Oldest first. */
  get list(): readonly Checkpoint<M>[] {
    return this.#kept
  }

  add(name: string, atMs: number, mark: M): Checkpoint<M> {
    const checkpoint = { id: `c${++this.#count}`, name, atMs, mark }
    this.#kept = [...this.#kept, checkpoint].slice(-maxCheckpoints)
    return checkpoint
  }

  find(id: string): Checkpoint<M> | undefined {
    return this.#kept.find((each) => each.id === id)
  }

  /** False when there is none with this id. */
  remove(id: string): boolean {
    const before = this.#kept.length
    this.#kept = this.#kept.filter((each) => each.id !== id)
    return this.#kept.length < before
  }
}
