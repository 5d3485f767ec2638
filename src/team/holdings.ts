// The workspaces that this replica owns: taken from the store when a call needs them, and given back when nobody does.

import { monotonicMs } from '../determinism/clock.js'
import { setTimeout } from '../determinism/timers.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { Lease } from './lease.js'
import { load } from './load.js'
import { Lost, Owned } from './owned.js'
import { executionQuota, type Quotas } from './quotas.js'
import type { Claim, Store } from './store.js'

/** What happened, for metrics and logs. */
export interface Happenings {
  readonly onForward: (ms: number) => void
  readonly onCommit: (ms: number, bytes: number) => void
  readonly onHoldings: (change: 'taken' | 'released' | 'lost') => void
}

/** How workspaces are held. */
export interface HoldingOptions {
  /** How long an unused workspace stays in memory. */
  readonly idleMs: number
  /** Whether the journal is stored. */
  readonly hasJournal: boolean
  readonly quotas: Quotas
  readonly happenings: Happenings
}

/** The workspaces of this replica. */
export class Holdings {
  readonly #sandbox: Sandbox
  readonly #store: Store
  readonly #lease: Lease
  readonly #options: HoldingOptions
  readonly #happenings: Happenings
  readonly #owned = new Map<string, Owned>()
  readonly #taking = new Map<string, Promise<void>>()

  constructor(sandbox: Sandbox, store: Store, lease: Lease, options: HoldingOptions) {
    this.#sandbox = sandbox
    this.#store = store
    this.#lease = lease
    this.#options = options
    this.#happenings = options.happenings
  }

  get all(): readonly Owned[] {
    return [...this.#owned.values()]
  }

  /** The id of this replica. */
  get me(): string {
    return this.#lease.id
  }

  get hasJournal(): boolean {
    return this.#options.hasJournal
  }

  /** The workspace, if calls may use it here. */
  get(name: string): Owned | undefined {
    const owned = this.#owned.get(name)
    if (!owned) return undefined
    if (owned.isDead) this.#forget(owned)
    return owned.isOpen ? owned : undefined
  }

  /** Takes a workspace if it is free; calls that need the same one wait together. */
  async take(name: string): Promise<void> {
    // One that is leaving is stored first.
    const leaving = this.#owned.get(name)
    if (leaving?.isLeaving) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      return
    }
    let taking = this.#taking.get(name)
    if (!taking) {
      taking = this.#take(name).finally(() => this.#taking.delete(name))
      this.#taking.set(name, taking)
    }
    await taking
  }

  async #take(name: string): Promise<void> {
    if (this.get(name)) return
    await this.#lease.ensure()
    const me = this.#lease.id
    const claim = await this.#store.claim(name, me)
    if (!claim) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      return
    }
    const owned = await this.#load(name, claim)
    // The lease may have been lost while it was loaded: then somebody else may own it.
    if (this.#lease.id !== me) return
    this.#sandbox.workspaces.put(owned.workspace)
    this.#owned.set(name, owned)
    this.#happenings.onHoldings('taken')
  }

  async #load(name: string, claim: Claim): Promise<Owned> {
    const { hasJournal, quotas, happenings } = this.#options
    const workspace = this.#sandbox.workspaces.make(name)
    workspace.executions.quota = executionQuota(quotas)
    const parts = await this.#store.parts(claim.id, hasJournal ? [] : ['call'])
    const readHistory = (id: string): Promise<string> => this.#store.history(id)
    const saved = await load(workspace, { history: claim.history, parts }, readHistory, hasJournal)
    const { onCommit } = happenings
    const owned = new Owned(workspace, claim, saved, {
      store: this.#store,
      me: () => this.#lease.id,
      onCommit,
    })
    // Takes what was loaded for what is stored; a history of another program is written out.
    const rest = owned.compare()
    owned.settle(rest)
    if (rest.puts.length + rest.deletes.length > 0 || rest.newHistory)
      if (!(await this.#store.commit(claim, this.#lease.id, rest)))
        throw new Lost(`${name} belongs to another replica`)
    return owned
  }

  /** Drops a workspace that was deleted. */
  removed(owned: Owned): void {
    owned.die()
    this.#owned.delete(owned.workspace.name)
  }

  /** The lease was lost: others may own everything. */
  dropAll(): void {
    for (const owned of this.all) {
      owned.die()
      this.#forget(owned)
    }
  }

  /** Stores late changes, and gives back what nobody uses. */
  look(): void {
    for (const owned of this.all) {
      if (owned.isDead) this.#forget(owned)
      else if (owned.isOpen && owned.isDirty && this.#lease.away === undefined)
        owned.commit().catch(() => undefined)
      else if (this.#isIdle(owned)) void this.release(owned).catch(() => undefined)
    }
  }

  #isIdle({ isOpen, underWay, usedMs, workspace }: Owned): boolean {
    return (
      isOpen && underWay === 0 && !workspace.events.isHeard && monotonicMs() - usedMs > this.#options.idleMs
    )
  }

  /** Stores a workspace and gives it back; running calls finish first, for at most `maxMs`. */
  async release(owned: Owned, maxMs = 10_000): Promise<void> {
    if (!owned.isOpen) return
    owned.isLeaving = true
    const late = new Promise<void>((resolve) => setTimeout(resolve, maxMs).unref())
    await Promise.race([owned.idle(), late])
    try {
      owned.workspace.executions.stopAll()
      await owned.commit()
      await this.#store.release(owned.claim, this.#lease.id, monotonicMs() - owned.usedMs)
      this.#happenings.onHoldings('released')
    } finally {
      owned.die()
      this.#forget(owned)
    }
  }

  async releaseAll(maxMs: number): Promise<void> {
    await Promise.allSettled(this.all.map((owned) => this.release(owned, maxMs)))
  }

  /** The sandbox lets go of a workspace that is dead. */
  #forget(owned: Owned): void {
    const { name } = owned.workspace
    if (this.#owned.get(name) !== owned) return
    this.#owned.delete(name)
    this.#sandbox.workspaces.drop(name)
  }
}
