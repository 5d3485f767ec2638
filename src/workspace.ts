// A workspace is one whole bank with its own time, chance, credentials and journal. Its history is made when the first
// call needs it, since the data generator takes longer to load than everything else together.

import type { Bank, BankSettings } from './bank/bank.js'
import { Clock, type ClockState } from './bank/clock.js'
import { Credentials } from './bank/credentials.js'
import { Random } from './bank/random.js'
import { Journal } from './journal.js'
import { fixtures, type Fixtures } from './scenario/fixtures.js'

/** What a workspace starts from. */
export interface WorkspaceOptions {
  readonly name: string
  readonly seed: number
  readonly clock: ClockState
  readonly scenario: string
  readonly base?: Fixtures
  readonly settings?: BankSettings
}

export class Workspace {
  readonly name: string
  readonly scenario: string
  readonly clock: Clock
  readonly random: Random
  readonly credentials: Credentials
  readonly journal = new Journal()
  readonly #base: Fixtures
  readonly #settings: BankSettings | undefined
  /** The history is that of the start, however far the clock has come when the bank is first needed. */
  readonly #startMs: number
  #bank: Bank | undefined
  #opening: Promise<Bank> | undefined

  constructor(options: WorkspaceOptions) {
    this.name = options.name
    this.scenario = options.scenario
    this.#base = options.base ?? fixtures()
    this.#settings = options.settings
    this.clock = new Clock(options.clock)
    this.#startMs = this.clock.now()
    this.random = new Random(options.seed)
    this.credentials = new Credentials(this.#base.clients)
  }

  /** The bank, once {@link open} has made it. */
  get bank(): Bank | undefined {
    return this.#bank
  }

  /** Makes the bank with its history, if that has not been done. */
  async open(): Promise<Bank> {
    if (this.#bank) return this.#bank
    this.#opening ??= import('./scenario/world.js').then(({ openBank }) => {
      return (this.#bank = openBank(this.#base, this.#startMs, this.clock, this.random, this.#settings))
    })
    return this.#opening
  }
}
