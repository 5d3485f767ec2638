// A workspace is one whole bank with its own time, chance, credentials, settings and journal. Its history is made when
// the first call needs it, since the data generator takes longer to load than everything else together.

import type { Bank } from './bank/bank.js'
import { Clock, type ClockState } from './bank/clock.js'
import { Credentials, markOf, type ClientRecord } from './bank/credentials.js'
import { Random } from './bank/random.js'
import type { Answer } from './card-code/runner.js'
import { EventHub } from './events.js'
import { Faults } from './faults.js'
import { Journal } from './journal.js'
import { RateLimiter } from './rate-limit.js'
import { fixtures, type Fixtures } from './scenario/fixtures.js'
import { standardSettings, type Settings } from './settings.js'

/** What a workspace starts from, and returns to when it is reset. */
export interface Start {
  /** The scenario's name. */
  readonly scenario: string
  readonly seed: number
  readonly clock: ClockState
  readonly base?: Fixtures
  readonly settings?: Settings
}

/** The workspace of everybody who has no other. */
export const mainName = 'default'

export class Workspace {
  readonly name: string
  readonly clock: Clock
  readonly random: Random
  readonly credentials: Credentials
  readonly journal = new Journal()
  /** Answers calls of card code in place of whom they are for, before anything else is asked. */
  outboundStubs: Answer | undefined
  readonly events = new EventHub()
  readonly limiter = new RateLimiter()
  readonly faults: Faults
  #start: Start
  #settings: Settings
  /** The history is that of the start, however far the clock has come when the bank is first needed. */
  #startMs: number
  /** The bank as it was at the start: every reset takes a fork of it. */
  #origin: Bank | undefined
  #bank: Bank | undefined

  constructor(name: string, start: Start) {
    this.name = name
    this.#start = start
    this.#settings = start.settings ?? standardSettings
    this.clock = new Clock(start.clock)
    this.#startMs = this.clock.now()
    this.random = new Random(start.seed)
    this.faults = new Faults(this.random)
    const clients = clientsOf(name, baseOf(start))
    this.credentials = new Credentials(clients, name === mainName ? '' : markOf(name))
  }

  get start(): Start {
    return this.#start
  }

  get scenario(): string {
    return this.#start.scenario
  }

  get settings(): Settings {
    return this.#settings
  }

  /** From the next call on the workspace decides by these. */
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
    const { openHistory } = await import('./scenario/world.js')
    // Nothing waits from here on, so that a reset in between cannot leave the bank of another start behind.
    this.#origin ??= openHistory(baseOf(this.#start), this.#startMs, this.#start.seed, this.#start.settings)
    return (this.#bank ??= this.#fork(this.#origin))
  }

  /** Returns to the start, in one step: bank, clock, chance, tokens, settings, faults and journal. */
  reset(): void {
    this.clock.restore(this.#start.clock)
    this.random.restore({})
    this.credentials.restore({ clients: clientsOf(this.name, baseOf(this.#start)), grants: [] })
    this.journal.reset()
    this.faults.clear()
    this.limiter.clear()
    this.#settings = this.#start.settings ?? standardSettings
    this.#bank = this.#origin && this.#fork(this.#origin)
  }

  #fork(origin: Bank): Bank {
    const bank = origin.fork(this.clock, this.random)
    bank.settings = this.#settings
    bank.catchUp()
    bank.watcher = (event) => this.events.tell(event)
    return bank
  }
}

const baseOf = ({ base }: Start): Fixtures => base ?? fixtures()

/** A workspace's clients: those of the base data, with the workspace's name added to whatever somebody signs in with. */
function clientsOf(name: string, { clients }: Fixtures): readonly ClientRecord[] {
  if (name === mainName) return clients
  return clients.map(({ clientId, clientSecret, apiKeys }) => ({
    clientId: `${clientId}-${name}`,
    clientSecret: `${clientSecret}-${name}`,
    apiKeys: apiKeys.map((apiKey) => ({ ...apiKey, key: `${apiKey.key}-${name}` })),
  }))
}
