// The lease of this replica: renewed each second, three seconds long by the clock of the database. What a replica owns, it
// owns while its lease holds; one row is renewed, however many workspaces there are.

import { monotonicMs } from '../determinism/clock.js'
import { randomSecret } from '../determinism/random.js'
import { clearTimeout, setTimeout } from '../determinism/timers.js'
import { version } from '../protocol/version.js'
import { StoreAway } from './postgres.js'
import { leaseMs, type Listener, type Store } from './store.js'

const renewMs = 1_000
const retryMs = 250
/** The lease counts as over so much earlier here, as clocks do not run equally fast. */
const marginMs = 200

/** The lease of one replica. */
export class Lease {
  readonly #store: Store
  /** Another one after a lease was lost: what the old one owned belongs to others. */
  id = randomSecret()
  isDraining = false
  #listener: Listener = { address: '' }
  /** By {@link monotonicMs}. */
  #endMs = 0
  #timer: NodeJS.Timeout | undefined
  #renewing: Promise<void> | undefined
  #isOver = false
  #away: string | undefined
  /** Called when the lease was lost: nothing that was owned may be used any more. */
  onLost: () => void = () => undefined
  /** Called with what lists show of the main workspace, with each renewal. */
  onMain: (shown: string) => void = () => undefined
  /** Called when the store goes away (with why), and when it is back. */
  onAway: (why: string | undefined) => void = () => undefined

  constructor(store: Store) {
    this.#store = store
  }

  get address(): string {
    return this.#listener.address
  }

  /** Whether this replica may answer from memory. */
  get isHeld(): boolean {
    return monotonicMs() < this.#endMs
  }

  /** Why the store did not answer the last time; undefined when it did. */
  get away(): string | undefined {
    return this.#away
  }

  /** Registers the replica, whose address others use, and renews the lease from then on. */
  async begin(listener: Listener): Promise<void> {
    this.#listener = listener
    const sentMs = monotonicMs()
    await this.#store.register(this.id, listener, version())
    this.#endMs = sentMs + leaseMs - marginMs
    this.#plan(renewMs)
  }

  /** Resolves when the lease holds. Rejects with {@link StoreAway}. */
  async ensure(): Promise<void> {
    if (!this.isHeld) await this.renew()
  }

  /** Renews now. Rejects with {@link StoreAway}. */
  renew(): Promise<void> {
    return (this.#renewing ??= this.#renew().finally(() => (this.#renewing = undefined)))
  }

  /** Gives the lease back. */
  async end(): Promise<void> {
    this.#isOver = true
    clearTimeout(this.#timer)
    await this.#renewing?.catch(() => undefined)
    await this.#store.leave(this.id)
  }

  #plan(ms: number): void {
    if (this.#isOver) return
    this.#timer = setTimeout(() => {
      this.renew().then(
        () => this.#plan(renewMs),
        () => this.#plan(retryMs),
      )
    }, ms)
  }

  async #renew(): Promise<void> {
    const sentMs = monotonicMs()
    try {
      const renewed = await this.#store.renew(this.id, this.isDraining)
      if (!renewed) {
        this.#endMs = 0
        this.id = randomSecret()
        this.onLost()
        await this.#store.register(this.id, this.#listener, version())
      }
      this.#endMs = sentMs + leaseMs - marginMs
      if (typeof renewed?.main === 'string') this.onMain(renewed.main)
      this.#note(undefined)
    } catch (error) {
      if (error instanceof StoreAway) this.#note(error.message)
      throw error
    }
  }

  #note(away: string | undefined): void {
    const isNews = (away === undefined) !== (this.#away === undefined)
    this.#away = away
    if (isNews) this.onAway(away)
  }
}
