// One replica of a team's bank: finds the workspace of each call, answers it when it owns the workspace, takes the workspace
// when nobody does, and hands the call to the owner otherwise.

import { monotonicMs } from '../determinism/clock.js'
import { clearInterval, setInterval, setTimeout } from '../determinism/timers.js'
import type { DatedReply } from '../http/http-options.js'
import type { Call } from '../protocol/call.js'
import { Problem } from '../protocol/problem.js'
import { parseCall, type ParsedCall } from '../sandbox/request.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { mainName } from '../workspace/clients.js'
import type { Handed, News } from './envelope.js'
import { HandedAndLost, NotHanded, type Forwarder } from './forward.js'
import { Holdings, type Happenings, type HoldingOptions } from './holdings.js'
import type { Lease } from './lease.js'
import { Lost, type Owned } from './owned.js'
import { StoreAway } from './postgres.js'
import { checkQuotas, type Quotas } from './quotas.js'
import { Sets } from './sets.js'
import { clockIn } from './shown.js'
import type { Place, Store } from './store.js'
import { Targets, type Target } from './target.js'

/** How long a call waits for a workspace that moves from one replica to another. */
const moveMs = 5_000
const pauseMs = 50
/** How often to look for changes without a call, and for workspaces that nobody uses. */
const lookMs = 500

/** The caller of a call, and what it is called in the logs. */
export interface From {
  readonly requestId: string
  /** Whether another replica has handed the call over: it goes no further. */
  readonly isHanded?: boolean
  readonly mayTake?: boolean
  /** Called with the name of the workspace that answers. */
  readonly onTarget?: (name: string) => void
}

/** The receiver of a handed call does not own the workspace; with `retarget` the token belongs to another one. */
export class Elsewhere extends Error {
  override readonly name = 'Elsewhere'

  constructor(readonly retarget: boolean) {
    super('the workspace is elsewhere')
  }
}

/** One replica. */
export class Team {
  readonly holdings: Holdings
  readonly targets: Targets
  readonly #sandbox: Sandbox
  readonly #store: Store
  readonly #lease: Lease
  readonly #forwarder: Forwarder
  readonly #sets: Sets
  readonly #happenings: Happenings
  readonly #quotas: Quotas
  readonly #looking: NodeJS.Timeout
  /** Where workspaces were the last time. */
  readonly #places = new Map<string, Place>()
  #lastCallMs = 0

  constructor(sandbox: Sandbox, store: Store, lease: Lease, forwarder: Forwarder, options: HoldingOptions) {
    this.#sandbox = sandbox
    this.#store = store
    this.#lease = lease
    this.#forwarder = forwarder
    this.#happenings = options.happenings
    this.#quotas = options.quotas
    this.targets = new Targets(sandbox, store)
    this.holdings = new Holdings(sandbox, store, lease, options)
    this.#sets = new Sets(sandbox, store, this.holdings, (news) => void this.#announce(news))
    lease.onLost = () => this.holdings.dropAll()
    // Refusals that concern no workspace show the time of the main one, wherever that is.
    lease.onMain = (shown) => {
      if (!this.holdings.get(mainName)) sandbox.main.clock.restore(clockIn(shown))
    }
    this.#looking = setInterval(() => this.holdings.look(), lookMs)
    this.#looking.unref()
  }

  /** Answers a call, wherever its workspace is. Rejects only with {@link Elsewhere}, for calls that were handed over. */
  async handle(parsed: ParsedCall, known: Target | undefined, from: From): Promise<DatedReply> {
    this.#lastCallMs = monotonicMs()
    try {
      const owned = this.#readable(parsed, known)
      if (owned) {
        from.onTarget?.(known!.name)
        const reply = await this.#carryOut(owned, parsed, known!, true)
        if (reply) return reply
      }
      return await this.answer(parsed, known ?? (await this.targets.find(parsed)), from)
    } catch (error) {
      if (error instanceof Elsewhere) throw error
      return this.#sandbox.refuse(refusalOf(error), parsed.call.method, parsed.call.path)
    }
  }

  /** The workspace of a call that is answered from memory, without asking anything: most reads. */
  #readable({ call: { method } }: ParsedCall, known: Target | undefined): Owned | undefined {
    if (known?.mark === undefined || known.name === mainName || method !== 'GET') return undefined
    return this.#lease.isHeld ? this.holdings.get(known.name) : undefined
  }

  /** Answers a call that another replica hands over. Rejects with {@link Elsewhere} when the workspace is not here. */
  async handleHanded(call: Call, name: string, from: From): Promise<DatedReply> {
    this.#lastCallMs = monotonicMs()
    const parsed = parseCall(call)
    try {
      const { mark, task } = this.targets.known(parsed) ?? { mark: this.targets.markOf(parsed) }
      return await this.answer(
        parsed,
        { name, ...(mark !== undefined && { mark }), ...(task && { task }) },
        from,
      )
    } catch (error) {
      if (error instanceof Elsewhere) throw error
      return this.#sandbox.refuse(refusalOf(error), call.method, call.path)
    }
  }

  /** Answers a call of a target that is known. Rejects with a `Problem`, with `StoreAway` or with {@link Elsewhere}. */
  async answer(parsed: ParsedCall, target: Target, from: From): Promise<DatedReply> {
    // Card code has no control API: the sandbox refuses it.
    if (target.task === 'list' && !parsed.call.cardCode) return this.#sets.list(parsed)
    const endMs = monotonicMs() + moveMs
    let { name } = target
    for (;;) {
      from.onTarget?.(name)
      const owned = this.holdings.get(name)
      if (owned) {
        const reply = await this.#here(owned, parsed, target.name === name ? target : { ...target, name })
        if (reply) return reply
        if (target.mark !== undefined && name === mainName) {
          // The token may be of a workspace that was made after its place was noted.
          const found = await this.targets.ofMark(target.mark)
          if (from.isHanded && found.name !== name) throw new Elsewhere(true)
          name = found.name
        }
      } else {
        const reply = await this.#elsewhere(name, parsed, target, from)
        if (reply === 'none') {
          if (target.task !== undefined) return await this.#sandbox.handleParsed(parsed)
          if (target.mark !== undefined) this.targets.forget(target.mark)
          name = mainName
        } else if (reply) return reply
      }
      if (monotonicMs() > endMs)
        throw new Problem(
          'store-unavailable',
          `The workspace ${name} is moving to another replica; try again.`,
          {
            headers: { 'retry-after': '1' },
          },
        )
    }
  }

  /** Answers here; undefined when the workspace was lost, or the token is not its own. */
  async #here(owned: Owned, parsed: ParsedCall, target: Target): Promise<DatedReply | undefined> {
    const { call } = parsed
    const isReading = call.method === 'GET' || call.method === 'HEAD'
    const { workspace } = owned
    if (!this.#lease.isHeld) await this.#lease.ensure()
    if (owned.isDead) return undefined
    if (!isReading && this.#lease.away !== undefined) throw new StoreAway(this.#lease.away, false)
    if (
      target.mark !== undefined &&
      target.name === mainName &&
      !workspace.credentials.grant(parsed.authorization.token!) &&
      (await this.targets.ofMark(target.mark)).name !== mainName
    )
      return undefined
    if (!isReading && target.task !== 'create') checkQuotas(this.#quotas, owned, call.method, parsed.path)
    return this.#carryOut(owned, parsed, target, isReading)
  }

  /** Calls the bank, and waits until the answer may be sent; undefined when the workspace was lost meanwhile. */
  async #carryOut(
    owned: Owned,
    parsed: ParsedCall,
    target: Target,
    isReading: boolean,
  ): Promise<DatedReply | undefined> {
    const { workspace } = owned
    owned.begin()
    try {
      const reply =
        target.task === undefined
          ? await this.#sandbox.handleParsed(parsed, workspace)
          : await this.#sets.perform(owned, parsed, target)
      // A workspace that was deleted has nothing left to store.
      if (target.task !== 'delete' || reply.status !== 200) {
        const settling = this.#settle(owned, isReading)
        if (settling) await settling
      }
      return { ...reply, atMs: workspace.clock.now() }
    } catch (error) {
      if (!(error instanceof Lost)) throw error
      if (isReading) return undefined
      throw new Problem(
        'store-unavailable',
        'This replica lost the workspace; the call has changed nothing.',
        {
          headers: { 'retry-after': '1' },
        },
      )
    } finally {
      owned.end()
    }
  }

  /** Resolves when the answer may be sent: what it says is stored, and the workspace is still here; undefined when so now. */
  #settle(owned: Owned, isReading: boolean): Promise<void> | undefined {
    const { faults, settings } = owned.workspace
    const counts = faults.size > 0 || settings.rateLimit !== null
    if (!isReading || counts || owned.isDirty) return owned.commit()
    return this.#lease.isHeld && !owned.isDead ? undefined : this.#holdAgain(owned)
  }

  async #holdAgain(owned: Owned): Promise<void> {
    await this.#lease.ensure()
    if (owned.isDead) throw new Lost('the workspace was lost')
  }

  /** Finds the owner and hands the call over, or takes the workspace: then undefined, and the call is tried again. */
  async #elsewhere(
    name: string,
    parsed: ParsedCall,
    target: Target,
    from: From,
  ): Promise<DatedReply | 'none' | undefined> {
    // Whoever hands a call over has asked the store just now: what was noted here before may be older.
    let place = from.isHanded ? undefined : this.#places.get(name)
    if (!place || place.owner === this.#lease.id) {
      place = await this.#store.find(name)
      if (!place) return 'none'
    }
    const { owner, address } = place
    if (owner !== null && address !== null && owner !== this.#lease.id) {
      if (from.isHanded) throw new Elsewhere(false)
      this.#places.set(name, place)
      return this.#hand(address, name, parsed, target, { ...from, mayTake: false })
    }
    if (this.#lease.isDraining) {
      if (from.isHanded) throw new Elsewhere(false)
      const [other] = await this.#store.others(this.#lease.id)
      if (other) return this.#hand(other.address, name, parsed, target, { ...from, mayTake: true })
    } else if (from.isHanded && from.mayTake !== true && owner !== this.#lease.id) throw new Elsewhere(false)
    await this.holdings.take(name)
    return undefined
  }

  /** The reply of another replica; undefined when it has not carried the call out. */
  async #hand(
    address: string,
    name: string,
    parsed: ParsedCall,
    target: Target,
    from: From,
  ): Promise<DatedReply | undefined> {
    const { call } = parsed
    const handed: Handed = { call, name, requestId: from.requestId, mayTake: from.mayTake === true }
    const beganMs = monotonicMs()
    try {
      const answer = await this.#forwarder.send(address, handed)
      this.#happenings.onForward(monotonicMs() - beganMs)
      if ('reply' in answer) return answer.reply
      if (answer.retarget && target.mark !== undefined) {
        const found = await this.targets.ofMark(target.mark)
        if (found.name !== name) return await this.answer(parsed, found, from)
      }
    } catch (error) {
      const isReading = call.method === 'GET' || call.method === 'HEAD'
      if (error instanceof HandedAndLost && !isReading)
        throw new Problem(
          'store-unavailable',
          'The replica that had the call went away; it may have been carried out. Read before you repeat it.',
          { headers: { 'retry-after': '1' } },
        )
      if (!(error instanceof NotHanded) && !(error instanceof HandedAndLost)) throw error
    }
    this.#places.delete(name)
    await pause(pauseMs)
    return undefined
  }

  /** Tells the other replicas that a workspace was made or removed; one that does not answer has no listener that waits. */
  async #announce(news: News): Promise<void> {
    try {
      const others = await this.#store.others(this.#lease.id)
      await Promise.allSettled(others.map(({ address }) => this.#forwarder.announce(address, news)))
    } catch {
      // The store is away; lists tell what is there.
    }
  }

  /** Tells the listeners of the workspaces that are here. */
  hear({ name, change }: News): void {
    for (const { workspace } of this.holdings.all) {
      const { events, clock } = workspace
      events.tell({ type: 'workspace', atMs: clock.now(), name, change })
    }
  }

  /** Gives every workspace to the other replicas, and waits until they get the calls. */
  async drain(maxMs: number): Promise<void> {
    const endMs = monotonicMs() + maxMs
    this.#lease.isDraining = true
    await this.#lease.renew().catch(() => undefined)
    const others = await this.#store.others(this.#lease.id).catch(() => [])
    if (others.length === 0) return
    await this.holdings.releaseAll(maxMs)
    // Load balancers and replicas send calls for a while: they are handed on.
    while (monotonicMs() < endMs && monotonicMs() - this.#lastCallMs < 1_000) await pause(pauseMs)
  }

  /** Stores what is left and leaves. */
  async close(): Promise<void> {
    clearInterval(this.#looking)
    await this.holdings.releaseAll(5_000)
    await this.#lease.end().catch(() => undefined)
    this.#forwarder.close()
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** The store is away: the caller should try again. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof StoreAway)) return error
  const detail = error.isSent
    ? 'The store went away; the call may have been carried out. Read before you repeat it.'
    : 'The store does not answer; the call has changed nothing.'
  return new Problem('store-unavailable', detail, { headers: { 'retry-after': '1' } })
}
