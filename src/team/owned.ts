// A workspace that this replica owns: its calls, and its commits. Calls that wait for a commit share it: while one is under
// way, the changes of all later calls gather for the next.

import type { Bank } from '../bank/bank.js'
import { monotonicMs } from '../determinism/clock.js'
import { setImmediate } from '../determinism/timers.js'
import type { Workspace } from '../workspace/workspace.js'
import type { Commit, Saved } from './saved.js'
import { shownText } from './shown.js'
import type { Claim, Store } from './store.js'

/** The workspace is not this replica's any more: what was changed here is gone. */
export class Lost extends Error {
  override readonly name = 'Lost'
}

interface Batch {
  readonly done: Promise<void>
  readonly settle: (error?: unknown) => void
}

/** What a workspace needs of its replica. */
export interface Owner {
  readonly store: Store
  /** The id of the replica. */
  readonly me: () => string
  /** Called after each commit with the real milliseconds that it took and its bytes. */
  readonly onCommit: (ms: number, bytes: number) => void
}

/** One workspace in the memory of its owner. */
export class Owned {
  /** Calls that are being answered. */
  underWay = 0
  /** When the last call came, by {@link monotonicMs}. */
  usedMs = monotonicMs()
  /** Set while it is being given back: later calls go elsewhere. */
  isLeaving = false
  #isDead = false
  #running: Batch | undefined
  #next: Batch | undefined
  #changes = -1
  #last: Pick<Commit, 'shown'> & { clientIds: string } = { shown: '', clientIds: '' }
  readonly #me: string
  readonly #whenIdle: (() => void)[] = []

  constructor(
    readonly workspace: Workspace,
    readonly claim: Claim,
    readonly saved: Saved,
    readonly owner: Owner,
  ) {
    this.#me = owner.me()
  }

  get isDead(): boolean {
    return this.#isDead
  }

  /** Whether calls may use it. */
  get isOpen(): boolean {
    return !this.#isDead && !this.isLeaving
  }

  /** Whether it has changes that are not stored, as far as events tell. */
  get isDirty(): boolean {
    return (
      this.#running !== undefined ||
      this.#next !== undefined ||
      this.workspace.events.changes !== this.#changes
    )
  }

  /** What there is to write without a call: after loading, this is what differs from the store. */
  compare(): Commit {
    const { workspace } = this
    return this.saved.compare(workspace, this.#bank(), shownText(workspace))
  }

  /** Everything is stored: notes what the row says. */
  settle({ shown, clientIds }: Commit): void {
    this.#last = { shown, clientIds: clientIds.join('\n') }
    this.#changes = this.workspace.events.changes
  }

  /** Resolves when every change so far is stored. Rejects with {@link Lost} or `StoreAway`; it is dead then. */
  commit(): Promise<void> {
    if (this.#isDead) return Promise.reject(new Lost(`${this.workspace.name} is not here any more`))
    if (!this.#next) {
      this.#next = batch()
      // Calls that arrived together gather before the first of them is written.
      if (!this.#running) setImmediate(() => void this.#run())
    }
    return this.#next.done
  }

  /** Nothing of it is of use any more: those who wait get the error. */
  die(error: unknown = new Lost(`${this.workspace.name} is not here any more`)): void {
    if (this.#isDead) return
    this.#isDead = true
    this.#running?.settle(error)
    this.#next?.settle(error)
    this.#next = undefined
    for (const wake of this.#whenIdle.splice(0)) wake()
  }

  begin(): void {
    this.underWay++
    this.usedMs = monotonicMs()
  }

  end(): void {
    this.underWay--
    if (this.underWay === 0) for (const wake of this.#whenIdle.splice(0)) wake()
  }

  /** Resolves when no call is being answered. */
  idle(): Promise<void> {
    if (this.underWay === 0 || this.#isDead) return Promise.resolve()
    return new Promise((resolve) => this.#whenIdle.push(resolve))
  }

  #bank(): Bank {
    return this.workspace.bank!
  }

  async #run(): Promise<void> {
    while (this.#next && !this.#isDead) {
      const running = (this.#running = this.#next)
      this.#next = undefined
      try {
        await this.#write()
        running.settle()
      } catch (error) {
        this.die(error)
        running.settle(error)
      }
      this.#running = undefined
    }
  }

  async #write(): Promise<void> {
    const { store, onCommit } = this.owner
    this.#changes = this.workspace.events.changes
    // A restart leaves the bank to be made by the next call.
    if (!this.workspace.bank) await this.workspace.open()
    const commit = this.compare()
    const { puts, deletes, newHistory, shown, clientIds } = commit
    const ids = clientIds.join('\n')
    const { shown: lastShown, clientIds: lastIds } = this.#last
    if (puts.length + deletes.length === 0 && !newHistory && shown === lastShown && ids === lastIds) return
    const beganMs = monotonicMs()
    if (!(await store.commit(this.claim, this.#me, commit)))
      throw new Lost(`${this.workspace.name} belongs to another replica`)
    this.#last = { shown, clientIds: ids }
    onCommit(
      monotonicMs() - beganMs,
      puts.reduce((sum, { value }) => sum + value.length, 0),
    )
  }
}

function batch(): Batch {
  let resolve!: () => void
  let reject!: (error: unknown) => void
  const done = new Promise<void>((good, bad) => {
    resolve = good
    reject = bad
  })
  // Nobody may be waiting for a commit that the replica makes by itself.
  done.catch(() => undefined)
  return { done, settle: (error) => (error === undefined ? resolve() : reject(error)) }
}
