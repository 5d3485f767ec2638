// A workspace is one whole bank with its own time, chance, credentials, settings and journal. Its history is made
// when the first call needs it, because the data generator takes longer to load than everything else together.

import type { Bank } from '../bank/bank.js'
import type { BankState } from '../bank/bank-state.js'
import { Clock, type ClockState } from '../determinism/clock.js'
import { Credentials, markOf, type ClientRecord, type CredentialsState } from '../bank/credentials.js'
import { dayOf } from '../determinism/day.js'
import { inTurns } from '../determinism/turns.js'
import { addDuration } from '../determinism/duration.js'
import { parseRand, parseSignedRand } from '../bank/money.js'
import { Random, type StreamState } from '../determinism/random.js'
import { usualRowType } from '../bank/records.js'
import { cardTexts, maskPan } from '../bank/ledger/transactions.js'
import type { OutboundHandler } from '../card-code/host/runner.js'
import { EventHub } from '../journal/events.js'
import { Faults, type FaultState } from '../faults/faults.js'
import { invalid } from '../protocol/problem.js'
import { Journal } from '../journal/journal.js'
import { OutboundStubs, type StubState } from '../faults/outbound-stubs.js'
import { RateLimiter, type WindowState } from '../faults/rate-limit.js'
import { fixtures, type Fixtures } from '../household/fixtures.js'
import type { Scenario } from '../scenario/builder.js'
import type { TimelineEvent } from '../scenario/scenario-file.js'
import type { StartPoint } from '../scenario/start.js'
import type { HistoryInput } from '../household/history.js'
import { limitedPolicy } from '../settings/card-settings.js'
import {
  changeSettings,
  settingsOnWire,
  standardSettings,
  type Settings,
  type SettingsChange,
} from '../settings/settings.js'
import { Checkpoints } from './checkpoints.js'
import { clientsOf, mainName, withGiven, type GivenClient } from './clients.js'
import { Executions } from './executions.js'
import type { WorkspaceState } from './state.js'

export class Workspace {
  readonly name: string
  readonly clock: Clock
  readonly credentials: Credentials
  readonly journal = new Journal()
  readonly stubs = new OutboundStubs()
  /** Answers calls of card code in place of their targets, before anything else is asked. */
  outboundStubs: OutboundHandler = (request, signal) => this.stubs.answer(request, this.clock, signal)
  /** The card code that runs for calls of this workspace. */
  readonly executions = new Executions()
  readonly events = new EventHub()
  readonly limiter = new RateLimiter()
  readonly checkpoints = new Checkpoints<Mark>()
  readonly faults: Faults
  #random: Random
  #start: StartPoint
  #settings: Settings
  /** The history ends at the start, however far the clock has moved when the bank is first needed. */
  #startMs: number
  /** The bank at the start: every reset forks it. */
  #origin: Bank | undefined
  #bank: Bank | undefined
  /** The timeline of the scenario: instants, and how many of its events have happened. */
  #timeline: readonly Due[] = []
  #happened = 0
  #underWay: Promise<void> | undefined

  /** @param overrides settings of the whole sandbox, such as those of flags: they override those of every start */
  constructor(
    name: string,
    start: StartPoint,
    readonly overrides: SettingsChange = {},
    readonly client?: GivenClient,
  ) {
    this.name = name
    this.#start = start
    this.#settings = this.#settingsOf(start)
    this.clock = new Clock(start.clock)
    this.#startMs = this.clock.now()
    this.#random = new Random(start.seed)
    this.credentials = new Credentials(this.#clientsOf(start), name === mainName ? '' : markOf(name))
    this.faults = new Faults(() => this.#random)
    this.#begin()
  }

  get start(): StartPoint {
    return this.#start
  }

  /** The scenario's name. */
  get scenario(): string {
    return this.#start.name
  }

  /** The settings at a start. */
  #settingsOf({ scenario }: StartPoint): Settings {
    return changeSettings(scenario?.settings ?? standardSettings, this.overrides)
  }

  /** A state or an event does not let card code call more than the flags of this sandbox do. */
  #limited(settings: Settings): Settings {
    return { ...settings, outbound: limitedPolicy(settings.outbound, this.overrides.outbound) }
  }

  /** The clients at a start: those of the base data, under names of this workspace. */
  #clientsOf(start: StartPoint): readonly ClientRecord[] {
    return clientsOf(this.name, withGiven(baseOf(start).clients, this.client))
  }

  get random(): Random {
    return this.#random
  }

  get settings(): Settings {
    return this.#settings
  }

  /** Applies from the next call on. */
  set settings(settings: Settings) {
    this.#settings = settings
    if (this.#bank) this.#bank.settings = settings
  }

  /** The bank, once {@link open} has made it. */
  get bank(): Bank | undefined {
    return this.#bank
  }

  /** Makes the bank with its history, if that has not been done. */
  async open(): Promise<Bank> {
    if (this.#bank) return this.#bank
    const { openBankWithHistory } = await import('../household/history.js')
    while (!this.#origin) {
      const [start, startMs] = [this.#start, this.#startMs]
      const origin = await openBankWithHistory(beginningOf(start, startMs, this.#settingsOf(start)))
      // Another start may have been loaded meanwhile.
      if (start === this.#start && startMs === this.#startMs) this.#origin ??= origin
    }
    return (this.#bank ??= this.#fork(this.#origin))
  }

  /** The remaining events of the scenario's timeline, in the order of time. */
  get planned(): readonly { readonly atMs: number; readonly event: TimelineEvent }[] {
    return this.#timeline.slice(this.#happened)
  }

  /** Whether an event of the timeline is due. */
  get isDue(): boolean {
    const next = this.#timeline[this.#happened]
    return next !== undefined && next.atMs <= this.clock.now()
  }

  /** Runs the due events of the timeline among the other events of the bank, in the order of time. */
  async followTimeline(): Promise<void> {
    await this.#alone(async () => {
      const bank = await this.open()
      for (let next; (next = this.#timeline[this.#happened]) && next.atMs <= this.clock.now();) {
        if (!(await this.#reach(bank, next.atMs))) return
        this.#happened++
        this.#happen(bank, next)
      }
      await this.#reach(bank, this.clock.now())
    })
  }

  /** Runs everything that is due after the clock has moved. Other workspaces go on meanwhile; calls of this one wait. */
  async followClock(): Promise<void> {
    const bank = this.#bank
    if (this.isDue) await this.followTimeline()
    else if (bank) await this.#alone(() => this.#reach(bank, this.clock.now()))
  }

  /** Work that calls of this workspace wait for, if there is any: each sees what the calls before it have done. */
  get underWay(): Promise<void> | undefined {
    return this.#underWay
  }

  /** Does long work after the work that is under way. */
  #alone(work: () => Promise<unknown>): Promise<unknown> {
    const working = this.#underWay ? this.#underWay.then(work) : work()
    const end = (): void => {
      if (this.#underWay === ended) this.#underWay = undefined
    }
    const ended = working.then(end, end)
    this.#underWay = ended
    return working
  }

  /** Brings a bank up to an instant, unless it is replaced meanwhile, such as by a reset: then false. */
  async #reach(bank: Bank, ms: number): Promise<boolean> {
    const isCurrent = (): boolean => bank === this.#bank
    await inTurns(bank.catchingUp(ms), isCurrent)
    return isCurrent()
  }

  /** Returns to the start, in one step: bank, clock, chance, tokens, settings, faults, stubs and journal. */
  reset(): void {
    const start = this.#start
    this.clock.restore(start.clock)
    this.#random = new Random(start.seed)
    this.credentials.restore({ clients: this.#clientsOf(start), grants: [] })
    this.journal.reset()
    this.limiter.clear()
    this.#settings = this.#settingsOf(start)
    this.#begin()
    this.#bank = this.#origin && this.#fork(this.#origin)
    this.events.tell({ type: 'reset', atMs: this.clock.now(), scenario: start.name })
  }

  /** Starts again from `start`, to which resets return from now on. */
  startFrom(start: StartPoint): void {
    this.#start = start
    this.clock.restore(start.clock)
    this.#startMs = this.clock.now()
    this.#origin = undefined
    this.reset()
  }

  /** Resets return to this scenario from now on; the bank stays as it is. It may differ only in the code of cards. */
  replaceScenario(scenario: Scenario): void {
    this.#start = { ...this.#start, scenario }
    this.#origin = undefined
  }

  /** Everything except the journal, JSON-able; the bank must have been opened. */
  state(bank: Bank): WorkspaceState {
    const { name: shipped, seed, clock, scenario } = this.#start
    return {
      name: this.name,
      start: { scenario: scenario?.source ?? shipped, seed, clock, startMs: this.#startMs },
      clock: this.clock.state,
      random: this.#random.state,
      settings: settingsOnWire(this.#settings),
      credentials: this.credentials.state,
      faults: this.faults.state,
      stubs: this.stubs.state,
      happened: this.#happened,
      limits: this.limiter.state,
      bank: bank.state,
    }
  }

  /**
   * Loads a checked state, which started from `start`. Rejects with `invalid-request`, and changes nothing, when its
   * parts are inconsistent; `path` is put before the paths of the errors. From another workspace it takes the bank,
   * but not the credentials.
   */
  async restore(state: WorkspaceState, start: StartPoint, path: string): Promise<void> {
    const fill = (bank: Bank, origin: Bank): void => {
      bank.restore(state.bank, `${path}/bank`)
      const lost = lostOf(origin, state.bank)
      if (lost.length > 0)
        throw invalid(
          lost.map(([at, what]) => ({ path: `${path}/bank/${at}`, message: `lack ${what} of the start` })),
        )
    }
    await this.#alone(() => this.restoreWith(state, start, fill, path))
    this.#tellRestored('state')
  }

  /**
   * Like {@link restore}, for a state that is kept without its bank: `fill` loads the bank into a fork of the one at
   * the start, before anything else changes.
   */
  async restoreWith(
    state: Omit<WorkspaceState, 'bank'>,
    start: StartPoint,
    fill: (bank: Bank, origin: Bank) => void,
    path = '',
  ): Promise<void> {
    const { openBankWithHistory } = await import('../household/history.js')
    const { startMs } = state.start
    const random = new Random(start.seed)
    random.restore(state.random)
    const origin = await openBankWithHistory(beginningOf(start, startMs, this.#settingsOf(start)))
    const bank = origin.fork(this.clock, random)
    const settings = this.#limited(changeSettings(standardSettings, state.settings, `${path}/settings`))
    fill(bank, origin)

    this.#start = start
    this.#startMs = startMs
    this.#origin = origin
    this.#random = random
    this.clock.restore(state.clock)
    this.#begin()
    this.faults.restore(state.faults)
    this.stubs.restore(state.stubs)
    this.limiter.restore(state.limits)
    this.#happened = Math.min(state.happened, this.#timeline.length)
    if (state.name !== this.name) this.credentials.restore({ clients: this.#clientsOf(start), grants: [] })
    else {
      const { clients, grants } = state.credentials
      this.credentials.restore({ clients: withGiven(clients, this.client), grants })
    }
    this.#bank = bank
    this.settings = settings
    bank.watcher = (event) => this.events.tell(event)
  }

  /** What a store keeps besides the bank and the credentials; the bank must have been opened. */
  get kept(): KeptWorkspace {
    return {
      start: this.#start,
      startMs: this.#startMs,
      origin: this.#origin!,
      settings: this.#settings,
      happened: this.#happened,
    }
  }

  /** A mark of the whole workspace except its journal, for {@link restoreMark}. Shares what does not change. */
  mark(bank: Bank): Mark {
    return {
      start: this.#start,
      startMs: this.#startMs,
      origin: this.#origin,
      bank: bank.fork(this.clock, this.#random),
      clock: this.clock.state,
      random: this.#random.state,
      seed: this.#random.seed,
      settings: this.#settings,
      credentials: this.credentials.state,
      faults: this.faults.state,
      stubs: this.stubs.state,
      limits: this.limiter.state,
      happened: this.#happened,
    }
  }

  /** Returns to a mark of this workspace, in one step. A mark can be used again. */
  restoreMark(mark: Mark): void {
    this.#start = mark.start
    this.#startMs = mark.startMs
    this.#origin = mark.origin
    this.#random = new Random(mark.seed)
    this.#random.restore(mark.random)
    this.clock.restore(mark.clock)
    this.credentials.restore(mark.credentials)
    this.#begin()
    this.faults.restore(mark.faults)
    this.stubs.restore(mark.stubs)
    this.limiter.restore(mark.limits)
    this.#happened = mark.happened
    const bank = mark.bank.fork(this.clock, this.#random)
    this.#bank = bank
    this.settings = mark.settings
    bank.watcher = (event) => this.events.tell(event)
    this.#tellRestored('checkpoint')
  }

  #tellRestored(from: 'checkpoint' | 'state'): void {
    this.events.tell({ type: 'reset', atMs: this.clock.now(), scenario: this.#start.name, from })
  }

  /** The parts of the scenario besides the bank. */
  #begin(): void {
    const { faults = [], stubs = [], timeline = [] } = this.#start.scenario ?? {}
    this.executions.stopAll()
    this.faults.clear()
    this.stubs.clear()
    for (const rule of faults) this.faults.add(rule)
    for (const stub of stubs) this.stubs.add(stub)
    this.#happened = 0
    this.#timeline = timeline
      .map(({ after, event }) => ({ atMs: addDuration(this.#startMs, after), event }))
      .sort((a, b) => a.atMs - b.atMs)
  }

  #happen(bank: Bank, { atMs, event }: Due): void {
    const { entry, purchase, cardStatus, fault, settings } = event
    if (entry) {
      const cents = parseSignedRand(entry.amount)!
      const direction = cents > 0 ? ('CREDIT' as const) : ('DEBIT' as const)
      const posting = {
        direction,
        cents: Math.abs(cents),
        transactionType: entry.transactionType ?? usualRowType(direction),
        description: entry.description,
      }
      bank.books.postDue([{ ...posting, accountId: entry.accountId }], dayOf(atMs), atMs)
    }
    if (purchase) {
      const { pan, accountId } = bank.cards.get(purchase.cardKey).card
      const texts = cardTexts(purchase.merchant, purchase.city ?? 'JOHANNESBURG', 'ZA')
      const cents = parseRand(purchase.amount)!
      bank.books.hold(
        { accountId, cents, ...texts, cardNumber: maskPan(pan, 'x'), id: bank.books.newId() },
        atMs,
      )
    }
    if (cardStatus) bank.cards.setStatus(cardStatus.cardKey, cardStatus.status)
    if (fault) this.faults.add(fault, true)
    if (event.clearFaults) this.faults.clear()
    if (settings) this.settings = this.#limited(changeSettings(this.settings, settings))
    if (event.expireTokens) this.credentials.expireAll(atMs)
  }

  #fork(origin: Bank): Bank {
    const bank = origin.fork(this.clock, this.#random)
    bank.settings = this.#settings
    if (!this.isDue) bank.catchUp()
    bank.watcher = (event) => this.events.tell(event)
    return bank
  }
}

/** See {@link Workspace.kept}. Records are replaced, never changed. */
export interface KeptWorkspace {
  readonly start: StartPoint
  /** Epoch ms at which its history ends. */
  readonly startMs: number
  /** The bank at the start. */
  readonly origin: Bank
  readonly settings: Settings
  /** How many events of the timeline have happened. */
  readonly happened: number
}

/** A workspace at one moment: see {@link Workspace.mark}. */
export interface Mark {
  readonly start: StartPoint
  readonly startMs: number
  readonly origin: Bank | undefined
  readonly bank: Bank
  readonly clock: ClockState
  readonly random: Readonly<Record<string, StreamState>>
  readonly seed: number
  readonly settings: Settings
  readonly credentials: CredentialsState
  readonly faults: readonly FaultState[]
  readonly stubs: readonly StubState[]
  readonly limits: readonly WindowState[]
  readonly happened: number
}

/** An event of the timeline at its instant, epoch ms. */
interface Due {
  readonly atMs: number
  readonly event: TimelineEvent
}

const beginningOf = (start: StartPoint, startMs: number, settings: Settings): HistoryInput => ({
  base: baseOf(start),
  seed: start.seed,
  startMs,
  settings,
  opening: start.scenario?.opening,
})

/** The accounts and cards of a start that its calendar and timeline need, and that a state lacks. */
function lostOf(origin: Bank, { accounts, cards }: BankState): [list: string, name: string][] {
  const accountIds = new Set(accounts.map(({ accountId }) => accountId))
  const cardKeys = new Set(cards.cards.map(({ card }) => card.cardKey))
  return [
    ...origin.accounts
      .filter(({ accountId }) => !accountIds.has(accountId))
      .map(({ accountId }): [string, string] => ['accounts', `account ${accountId}`]),
    ...origin.cards.records
      .filter(({ cardKey }) => !cardKeys.has(cardKey))
      .map(({ cardKey }): [string, string] => ['cards/cards', `card ${cardKey}`]),
  ]
}

const baseOf = ({ scenario }: StartPoint): Fixtures => scenario?.base ?? fixtures()
