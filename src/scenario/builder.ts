// Builds a scenario: applies a file to the base data of the scenario that it extends, and notes every error with its
// path.

import type { InitialCard, InitialState } from '../household/history.js'
import { bankStateErrors } from '../bank/bank-state.js'
import { setupOf } from '../bank/payments/authorisation-setup.js'
import { newAccount, type CardRecord, type ProfileRecord } from '../bank/client-records.js'
import { newBeneficiary, neverPaid, unpaid, type BeneficiaryRecord } from '../bank/payments/beneficiaries.js'
import { readRule } from '../bank/cards/card-rules.js'
import { parseSignedRand } from '../bank/money.js'
import { parseInstant } from '../determinism/day.js'
import { parseDuration, type Duration } from '../determinism/duration.js'
import { faultErrors, type FaultRule } from '../faults/faults.js'
import { stubErrors, type OutboundStub } from '../faults/outbound-stubs.js'
import type { InputError } from '../protocol/problem.js'
import { applyChange, standardSettings, type Settings } from '../settings/settings.js'
import type { FittingFile } from './fitting.js'
import type { CodeFile } from './other-files.js'
import { fixtures, type Fixtures } from '../household/fixtures.js'
import { productOf } from '../bank/products.js'
import type {
  ScenarioAccount,
  ScenarioBeneficiary,
  ScenarioCard,
  ScenarioFile,
  TimelineEvent,
} from './scenario-file.js'

/** An event of the timeline, and when it happens. */
interface TimelineItem {
  readonly after: Duration
  readonly event: TimelineEvent
}

/** A scenario, checked and applied to the scenario that it extends. */
export interface Scenario {
  readonly name: string
  /** The file as it was read, unless it is a shipped one: an export needs it to find the scenario again. */
  readonly source: ScenarioFile | undefined
  readonly description: string
  readonly seed?: number | undefined
  /** Epoch ms; without it the clock starts at the machine's time. */
  readonly nowMs?: number | undefined
  readonly frozen: boolean
  readonly base: Fixtures
  readonly opening: InitialState
  readonly settings: Settings
  readonly faults: readonly FaultRule[]
  readonly stubs: readonly OutboundStub[]
  readonly timeline: readonly TimelineItem[]
  /** The files on disk from which the code of cards was read. */
  readonly codeFiles?: readonly CodeFile[]
}

type BaseAccount = Fixtures['accounts'][number]
type StandingOrders = NonNullable<BaseAccount['habits']['standingOrders']>

/** Base data while a scenario is applied to it. */
export class ScenarioBuilder {
  readonly errors: InputError[] = []
  #profiles: ProfileRecord[]
  readonly #accounts: Map<string, BaseAccount>
  readonly #beneficiaries: Map<string, BeneficiaryRecord>
  readonly #cards: Map<string, CardRecord>
  #clients: Fixtures['clients']
  #categories: Fixtures['categories']
  readonly #balances: Map<string, number>
  readonly #openings: Map<string, InitialCard>
  #settings: Settings
  #bank: InitialState['bank']
  /** The target accounts of standing orders in the file. */
  readonly #led: { readonly path: string; readonly accountId: string }[] = []

  constructor(parent: Scenario | undefined) {
    const base = parent?.base ?? fixtures()
    this.#profiles = [...base.profiles]
    this.#accounts = new Map(base.accounts.map((each) => [each.accountId, each]))
    this.#beneficiaries = new Map(base.beneficiaries.map((each) => [each.beneficiaryId, each]))
    this.#cards = new Map(base.cards.map((each) => [each.cardKey, each]))
    this.#clients = base.clients
    this.#categories = base.categories
    this.#balances = new Map(parent?.opening.balances)
    this.#openings = new Map(parent?.opening.cards.map((each) => [each.cardKey, each]))
    this.#settings = parent?.settings ?? standardSettings
    this.#bank = parent?.opening.bank
  }

  apply(file: FittingFile): void {
    this.#wholeBank(file)
    this.#once('accounts', 'accountId', file.accounts)
    this.#once('beneficiaries', 'beneficiaryId', file.beneficiaries)
    this.#once('cards', 'cardKey', file.cards)
    this.#drop(file.without ?? {})
    if (file.limits) this.#limit(file.limits)
    file.accounts?.forEach((each, index) => this.#account(each, `/accounts/${index}`))
    file.beneficiaries?.forEach((each, index) => this.#beneficiary(each, `/beneficiaries/${index}`))
    file.cards?.forEach((each, index) => this.#card(each, `/cards/${index}`))
    for (const { path, accountId } of this.#led)
      if (!this.#accounts.has(accountId)) this.#refuse(path, 'is not an account')
    this.#boundRows()
    this.#credentials(file.credentials)
    file.faults?.forEach((rule, index) => this.#take(faultErrors(rule), `/faults/${index}`))
    file.outboundStubs?.forEach((stub, index) => this.#take(stubErrors(stub), `/outboundStubs/${index}`))
    file.timeline?.forEach((event, index) => this.#event(event, `/timeline/${index}`))
    this.#settings = this.#changed(file.settings, '/settings')
    if (file.clock && parseInstant(file.clock.now) === undefined)
      this.#refuse(
        '/clock/now',
        'must be a date or an instant from 1980 to 2200, such as 2026-03-25T08:00:00Z',
      )
  }

  scenario(file: ScenarioFile, parent: Scenario | undefined, isShipped: boolean): Scenario {
    const timeline = (file.timeline ?? []).map((event) => ({ after: parseDuration(event.after)!, event }))
    const isUntouched = Object.entries(file).every(
      ([key, value]) => value === undefined || besideBase.includes(key as keyof ScenarioFile),
    )
    return {
      name: file.name,
      source: isShipped ? undefined : file,
      description: file.description,
      seed: file.seed ?? parent?.seed,
      ...clockOf(file, parent),
      // The same base data is the same object, so that its history is shared.
      base: isUntouched ? (parent?.base ?? fixtures()) : this.#base(),
      opening: { balances: this.#balances, cards: [...this.#openings.values()], bank: this.#bank },
      settings: this.#settings,
      faults: [...(parent?.faults ?? []), ...(file.faults ?? [])],
      stubs: [...(parent?.stubs ?? []), ...(file.outboundStubs ?? [])],
      timeline: [...(parent?.timeline ?? []), ...timeline],
    }
  }

  #base(): Fixtures {
    return {
      profiles: this.#profiles,
      accounts: [...this.#accounts.values()],
      beneficiaries: [...this.#beneficiaries.values()],
      cards: [...this.#cards.values()],
      clients: this.#clients,
      categories: this.#categories,
    }
  }

  /** Replaces the whole base data with a bank; nothing else may change them then. */
  #wholeBank(file: FittingFile): void {
    const { bank, routines = [] } = file
    if (file.bankFile !== undefined)
      this.#refuse('/bankFile', 'is only read for scenario files on disk; use `bank`')
    if (!bank) {
      if (file.routines) this.#refuse('/routines', 'can only be used with `bank`')
      return
    }
    for (const name of ['accounts', 'beneficiaries', 'cards', 'without', 'limits'] as const)
      if (file[name])
        this.#refuse(`/${name}`, 'cannot change a `bank` that is given as a whole; change it there')
    const errors = bankStateErrors(bank, '/bank')
    this.errors.push(...errors)
    if (errors.length > 0) return
    const known = new Set(bank.accounts.map(({ accountId }) => accountId))
    routines.forEach(({ accountId }, index) => {
      if (!known.has(accountId)) this.#refuse(`/routines/${index}/accountId`, 'is not an account of `bank`')
    })
    this.#profiles = [...bank.profiles]
    this.#categories = bank.categories
    refill(
      this.#accounts,
      bank.accounts,
      ({ accountId }) => accountId,
      (account) => ({ ...account, habits: noHabits }),
    )
    refill(
      this.#beneficiaries,
      bank.beneficiaries,
      ({ beneficiaryId }) => beneficiaryId,
      (each) => each,
    )
    refill(
      this.#cards,
      bank.cards.cards,
      ({ card }) => card.cardKey,
      ({ card }) => card,
    )
    this.#balances.clear()
    this.#openings.clear()
    this.#bank = { state: bank, routines }
  }

  #refuse(path: string, message: string): void {
    this.errors.push({ path, message })
  }

  #take(errors: readonly InputError[], path: string): void {
    for (const error of errors) this.#refuse(error.path === '/' ? path : path + error.path, error.message)
  }

  /** A file may name a thing only once: of two changes to it, the second would silently win. */
  #once<K extends string>(list: string, id: K, items: readonly Readonly<Record<K, string>>[] = []): void {
    const known = new Set<string>()
    items.forEach((item, index) => {
      if (known.has(item[id])) this.#refuse(`/${list}/${index}/${id}`, 'occurs twice')
      known.add(item[id])
    })
  }

  #drop({ accounts, beneficiaries, cards }: NonNullable<ScenarioFile['without']>): void {
    const drop = (map: Map<string, unknown>, which: 'all' | string[] | undefined, name: string): void => {
      if (which === 'all') map.clear()
      else
        which?.forEach((id, index) => {
          if (!map.delete(id)) this.#refuse(`/without/${name}/${index}`, 'is not in the extended scenario')
        })
    }
    drop(this.#accounts, accounts, 'accounts')
    drop(this.#beneficiaries, beneficiaries, 'beneficiaries')
    drop(this.#cards, cards, 'cards')
    for (const card of this.#cards.values())
      if (!this.#accounts.has(card.accountId)) this.#cards.delete(card.cardKey)
    for (const id of this.#balances.keys()) if (!this.#accounts.has(id)) this.#balances.delete(id)
    for (const key of this.#openings.keys()) if (!this.#cards.has(key)) this.#openings.delete(key)
    for (const account of this.#accounts.values()) {
      const { standingOrders } = account.habits
      const kept = standingOrders?.filter(({ toAccountId }) => this.#accounts.has(toAccountId))
      if (kept?.length !== standingOrders?.length)
        this.#accounts.set(account.accountId, {
          ...account,
          habits: { ...account.habits, standingOrders: kept },
        })
    }
  }

  #limit({ payment, day }: NonNullable<ScenarioFile['limits']>): void {
    const cents = (
      rand: number | null | undefined,
      before: number | undefined,
      path: string,
    ): number | undefined => {
      if (rand === undefined || rand === null) return rand === null ? undefined : before
      const value = parseSignedRand(rand)
      if (value === undefined) this.#refuse(path, 'must be an amount of whole cents')
      return value
    }
    this.#profiles.forEach((profile, index) => {
      const paymentCents = cents(payment, profile.limits?.paymentCents, '/limits/payment')
      const dayCents = cents(day, profile.limits?.dayCents, '/limits/day')
      const limits = {
        ...(paymentCents !== undefined && { paymentCents }),
        ...(dayCents !== undefined && { dayCents }),
      }
      this.#profiles[index] = { ...profile, limits }
    })
  }

  #account(given: ScenarioAccount, path: string): void {
    const {
      accountId,
      balance,
      overdraft,
      history,
      rows,
      authorisers,
      openingBalance,
      standingOrders,
      ...named
    } = given
    const product = productOf(given.productName ?? this.#accounts.get(accountId)?.productName)
    const before: BaseAccount =
      this.#accounts.get(accountId) ?? quietAccount(accountId, this.#profiles[0]!.profileId)
    const cents = (rand: number | undefined, name: string): number | undefined => {
      const value = rand === undefined ? undefined : parseSignedRand(rand)
      if (rand !== undefined && value === undefined)
        this.#refuse(`${path}/${name}`, 'must be an amount of whole cents')
      return value
    }
    const overdraftCents = cents(overdraft, 'overdraft')
    const balanceCents = cents(balance, 'balance')
    const openingCents = cents(openingBalance, 'openingBalance')
    if (!this.#profiles.some(({ profileId }) => profileId === (given.profileId ?? before.profileId)))
      this.#refuse(`${path}/profileId`, 'is not a profile')
    const defined = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
    const account: BaseAccount = {
      ...before,
      ...defined,
      ...(given.productName !== undefined && product),
      ...(overdraftCents !== undefined && { overdraftCents }),
      ...(authorisers !== undefined && { authorisation: authorisers && setupOf(authorisers) }),
      habits: {
        ...before.habits,
        ...(history === 'none' && { kind: 'quiet', openingCents: 0, standingOrders: [], payments: [] }),
        ...(history !== undefined && history !== 'none' && { kind: history }),
        ...(openingCents !== undefined && { openingCents }),
        ...(standingOrders && { standingOrders: this.#standingOrders(standingOrders, path) }),
        ...(rows !== undefined && { rows }),
      },
    }
    this.#accounts.set(accountId, account)
    if (balanceCents !== undefined) this.#balances.set(accountId, balanceCents)
  }

  /** The accounts that they lead to are looked up once all are known. */
  #standingOrders(orders: NonNullable<ScenarioAccount['standingOrders']>, path: string): StandingOrders {
    return orders.map(({ amount, ...order }, index) => {
      const at = `${path}/standingOrders/${index}`
      const cents = parseSignedRand(amount)
      if (cents === undefined) this.#refuse(`${at}/amount`, 'must be an amount of whole cents')
      this.#led.push({ path: `${at}/toAccountId`, accountId: order.toAccountId })
      return { ...order, cents: cents ?? 0 }
    })
  }

  /** All accounts together: each row takes memory, whichever account it belongs to. */
  #boundRows(): void {
    const rows = [...this.#accounts.values()].reduce((sum, { habits }) => sum + (habits.rows ?? 0), 0)
    if (rows > maxRows)
      this.#refuse('/accounts', `must have at most ${maxRows} rows together, and have ${rows}`)
  }

  /** The settings with this change, or unchanged when it has errors. */
  #changed(change: ScenarioFile['settings'], path: string): Settings {
    if (!change) return this.#settings
    const { settings, errors } = applyChange(this.#settings, change, path)
    this.errors.push(...errors)
    return settings
  }

  #beneficiary(given: ScenarioBeneficiary, path: string): void {
    const { beneficiaryId, paid, ...named } = given
    const profileId = given.profileId ?? this.#profiles[0]!.profileId
    const before = this.#beneficiaries.get(beneficiaryId)
    if (!this.#profiles.some((profile) => profile.profileId === profileId))
      this.#refuse(`${path}/profileId`, 'is not a profile')
    const category = this.#categories.find((each) => each.profileId === profileId)
    const defined = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
    const name = given.beneficiaryName ?? before?.name ?? 'Beneficiary'
    const beneficiary: BeneficiaryRecord = {
      ...newBeneficiary({
        beneficiaryId,
        profileId,
        categoryId: category?.CategoryId ?? '10190000000011',
        beneficiaryName: name,
      }),
      ...before,
      ...defined,
      name,
      ...(paid === true && (before?.lastPaymentDate ?? neverPaid) === neverPaid && onceBefore),
      ...(paid === false && unpaid),
    }
    this.#beneficiaries.set(beneficiaryId, beneficiary)
  }

  #card(given: ScenarioCard, path: string): void {
    const { cardKey, code, codeFile, variables, rule, enabled, ...named } = given
    if (codeFile !== undefined)
      this.#refuse(`${path}/codeFile`, 'is read for scenario files on disk only; say `code`')
    const before = this.#cards.get(cardKey)
    const defined = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
    const card: CardRecord = {
      cardKey,
      pan: `402167${cardKey.padStart(10, '0')}`,
      expiry: '2030-12',
      cvv: '123',
      embossedName: 'MRS T NAIDOO',
      embossedName2: '',
      programmable: true,
      virtual: false,
      status: 'Active',
      cardTypeCode: 'VGC',
      accountId: this.#accounts.keys().next().value ?? '',
      ...before,
      ...defined,
    }
    this.#cards.set(cardKey, card)
    if (!this.#accounts.has(card.accountId))
      this.#refuse(`${path}/accountId`, 'is not an account of the scenario')
    const stored = [code, variables, rule, enabled].some((each) => each !== undefined)
    if (!stored) return
    if (!card.programmable)
      this.#refuse(`${path}/programmable`, 'must be true on a card with code, variables or a rule')
    if (rule && (code !== undefined || variables))
      this.#refuse(`${path}/rule`, 'writes code and variables itself; leave them out')
    const read = rule && readRule(rule)
    if (read && 'errors' in read) this.#take(read.errors, `${path}/rule`)
    this.#openings.set(cardKey, {
      ...this.#openings.get(cardKey),
      cardKey,
      ...(code !== undefined && { code, rule: undefined }),
      ...(variables && { variables, rule: undefined }),
      ...(read && 'rule' in read && { rule: read.rule, code: undefined, variables: undefined }),
      ...(enabled !== undefined && { enabled }),
    })
  }

  #credentials(given: ScenarioFile['credentials']): void {
    const known = new Set<string>()
    given?.forEach((client, index) => {
      if (known.has(client.clientId)) this.#refuse(`/credentials/${index}/clientId`, 'occurs twice')
      known.add(client.clientId)
      client.apiKeys.forEach((apiKey, number) => {
        const path = `/credentials/${index}/apiKeys/${number}`
        if (known.has(`key ${apiKey.key}`)) this.#refuse(`${path}/key`, 'occurs twice')
        known.add(`key ${apiKey.key}`)
        if (apiKey.accounts === 'all') return
        apiKey.accounts.forEach((id, at) => {
          if (!this.#accounts.has(id))
            this.#refuse(`${path}/accounts/${at}`, 'is not an account of the scenario')
        })
      })
    })
    this.#clients = given ?? this.#clients.map((client) => this.#withKnownAccounts(client))
  }

  /** Keys of the usual clients lose access to accounts that the scenario removes. */
  #withKnownAccounts(client: Fixtures['clients'][number]): Fixtures['clients'][number] {
    const apiKeys = client.apiKeys.map((apiKey) => {
      const { accounts } = apiKey
      if (accounts === 'all' || accounts.every((id) => this.#accounts.has(id))) return apiKey
      return { ...apiKey, accounts: accounts.filter((id) => this.#accounts.has(id)) }
    })
    return apiKeys.every((apiKey, index) => apiKey === client.apiKeys[index])
      ? client
      : { ...client, apiKeys }
  }

  #event(event: TimelineEvent, path: string): void {
    const { after, ...things } = event
    const named = Object.entries(things).filter(([, thing]) => thing !== undefined)
    if (!parseDuration(after))
      this.#refuse(`${path}/after`, 'must be an ISO 8601 duration, such as P1D or PT90S')
    if (named.length !== 1) this.#refuse(path, 'must have exactly one event besides `after`')
    const { entry, purchase, cardStatus, fault, settings } = event
    if (entry) {
      if (!this.#accounts.has(entry.accountId))
        this.#refuse(`${path}/entry/accountId`, 'is not an account of the scenario')
      if (!parseSignedRand(entry.amount))
        this.#refuse(`${path}/entry/amount`, 'must be an amount of whole cents, not 0')
    }
    for (const [name, card] of [
      ['purchase', purchase],
      ['cardStatus', cardStatus],
    ] as const)
      if (card && !this.#cards.has(card.cardKey))
        this.#refuse(`${path}/${name}/cardKey`, 'is not a card of the scenario')
    if (purchase && !parseSignedRand(purchase.amount))
      this.#refuse(`${path}/purchase/amount`, 'must be an amount of whole cents')
    if (fault) this.#take(faultErrors(fault), `${path}/fault`)
    this.#changed(settings, `${path}/settings`)
  }
}

/** The keys of a scenario file that leave the base data alone. */
function clockOf({ clock }: ScenarioFile, parent: Scenario | undefined): Pick<Scenario, 'nowMs' | 'frozen'> {
  if (!clock) return { nowMs: parent?.nowMs, frozen: parent?.frozen ?? true }
  return { nowMs: parseInstant(clock.now), frozen: clock.frozen ?? true }
}

const besideBase: readonly (keyof ScenarioFile)[] = [
  '$schema',
  'name',
  'description',
  'extends',
  'seed',
  'clock',
  'settings',
  'faults',
  'outboundStubs',
  'timeline',
]

/** Rows before the start, of all accounts together. */
const maxRows = 1_000_000

const noHabits = { kind: 'quiet', openingCents: 0 } as const

/** Makes a map contain exactly these records. */
function refill<T, R>(
  map: Map<string, R>,
  records: readonly T[],
  keyOf: (record: T) => string,
  valueOf: (record: T) => R,
): void {
  map.clear()
  for (const each of records) map.set(keyOf(each), valueOf(each))
}

const onceBefore = { lastPaymentAmount: '100.00', lastPaymentDate: '01/10/2025' }

const quietAccount = (accountId: string, profileId: string): BaseAccount => ({
  ...newAccount({
    accountId,
    accountNumber: `100${accountId.slice(-8)}`,
    accountName: 'Mrs T Naidoo',
    referenceName: 'Account',
    profileId,
  }),
  habits: noHabits,
})
