// The cards of one workspace, and what is stored against them: versions of main.js, variables, the toggle, a rule, the
// executions that ran. It knows nothing of how code runs. Records are replaced, never changed, so that forks share them.

import { createHash } from 'node:crypto'
import { invalid, Problem } from '../../protocol/problem.js'
import type { AccountRecord, CardRecord } from '../client-records.js'
import type {
  Card,
  CodeRecord,
  ExecutionError,
  ListedExecution,
  OutboundCallRecord,
  VariablesRecord,
} from './card-records.js'
import { programOf, type CardRule } from './card-rules.js'
import { defaultMainJs } from './card-template.js'
import type { CardTransaction } from './card-transaction-records.js'
import type { Clock } from '../../determinism/clock.js'
import { dayOf, partsOf, startOfDay, type Day } from '../../determinism/day.js'
import { Stream, type Random } from '../../determinism/random.js'
import { maskPan } from '../ledger/transactions.js'

/** One run of a hook as the bank keeps it. */
export interface ExecutionRecord {
  /** As the list of executions shows it. */
  readonly execution: ListedExecution
  readonly error: ExecutionError | null
  /** The calls that the code made. */
  readonly outbound: readonly OutboundCallRecord[]
}

/** A card and all that is stored against it. */
export interface CardState {
  readonly card: CardRecord
  /** Oldest first; the last is the saved code. Empty on a card that is not programmable. */
  readonly versions: readonly CodeRecord[]
  readonly publishedId: string | null
  readonly variables: VariablesRecord
  readonly enabled: boolean
  /** The rule that wrote the published code; null when it is the client's own. */
  readonly rule: CardRule | null
  /** Oldest first. */
  readonly executions: readonly ExecutionRecord[]
}

/** All of it, for an export. */
export interface CardsState {
  readonly cards: readonly CardState[]
  readonly transactions: readonly CardTransaction[]
}

/** What the cards need of the bank that they belong to. */
export interface CardsOwner {
  readonly clock: Clock
  readonly random: Random
  account(accountId: string): AccountRecord
  tell(type: string, detail: Record<string, unknown>): void
}

/** The largest main.js, in UTF-16 units. */
export const maxCodeLength = 262_144
const versionsKept = 500
const versionsLength = 16 * 1024 * 1024
const executionsKept = 100
const executionsLength = 8 * 1024 * 1024
const transactionsKept = 5_000

/** The cards of one bank. Every method checks first and then changes everything in one step. */
export class Cards {
  readonly #owner: CardsOwner
  readonly #cards = new Map<string, CardState>()
  readonly #transactions = new Map<string, CardTransaction>()

  private constructor(owner: CardsOwner) {
    this.#owner = owner
  }

  /** Cards as they are when the bank's history begins: every programmable one with the default main.js saved. */
  static of(owner: CardsOwner, records: readonly CardRecord[], since: Day): Cards {
    const cards = new Cards(owner)
    const at = new Date(startOfDay(since)).toISOString()
    for (const record of records) {
      // A stream of its own for each card, so that one card more changes nothing of the others.
      const stream = Stream.of(owner.random.seed, `card/${record.cardKey}`)
      cards.#cards.set(record.cardKey, newCard(record, at, codeId(stream)))
    }
    return cards
  }

  /** The same cards for another bank, each going its own way from here. */
  fork(owner: CardsOwner): Cards {
    const fork = new Cards(owner)
    for (const [key, state] of this.#cards) fork.#cards.set(key, state)
    for (const [id, transaction] of this.#transactions) fork.#transactions.set(id, transaction)
    return fork
  }

  get state(): CardsState {
    return { cards: [...this.#cards.values()], transactions: [...this.#transactions.values()] }
  }

  /** Takes over what an export held. */
  restore({ cards, transactions }: CardsState): void {
    this.#cards.clear()
    this.#transactions.clear()
    for (const state of cards) this.#cards.set(state.card.cardKey, state)
    for (const transaction of transactions) this.#transactions.set(transaction.id, transaction)
  }

  get records(): CardRecord[] {
    return Array.from(this.#cards.values(), ({ card }) => card)
  }

  /** Throws `unknown-card`. */
  get(cardKey: string): CardState {
    const state = this.#cards.get(cardKey)
    if (state) return state
    throw new Problem('unknown-card', `No card ${excerpt(cardKey)}.`)
  }

  /** The card as the service lists it. */
  onWire(card: CardRecord): Card {
    return {
      CardKey: card.cardKey,
      CardNumber: maskPan(card.pan, 'X'),
      IsProgrammable: card.programmable,
      Status: card.status,
      CardTypeCode: card.cardTypeCode,
      AccountNumber: this.#owner.account(card.accountId).accountNumber,
      AccountId: card.accountId,
      EmbossedName: card.embossedName,
      IsVirtualCard: card.virtual,
    }
  }

  /** The card's detail, without what only its holder may read. */
  detail(card: CardRecord) {
    return {
      CardKeyHash: createHash('sha256').update(card.cardKey).digest('hex'),
      MaskedCardNumber: maskPan(card.pan, 'X'),
      EmbossName: card.embossedName,
      EmbossName2: card.embossedName2,
      Status: card.status,
      AccountNumber: this.#owner.account(card.accountId).accountNumber,
      IsVirtualCard: card.virtual,
      ExtendedDetails: null,
    }
  }

  /** A new card on an account, active, good for three years; virtual and programmable if nothing else is said. */
  create(
    accountId: string,
    embossedName: string,
    embossedName2: string,
    { virtual = true, programmable = true }: { virtual?: boolean; programmable?: boolean } = {},
  ): CardRecord {
    const stream = this.#owner.random.stream('cards')
    const siblings = this.records
    let cardKey: string
    let pan: string
    do cardKey = stream.digits(7)
    while (this.#cards.has(cardKey))
    do pan = withCheckDigit(`402167${stream.characters('0123456789', 9)}`)
    while (siblings.some((card) => card.pan === pan))
    const now = this.#owner.clock.now()
    const { year, month } = partsOf(dayOf(now))
    const card: CardRecord = {
      cardKey,
      pan,
      expiry: `${year + 3}-${String(month).padStart(2, '0')}`,
      cvv: stream.characters('0123456789', 3),
      embossedName,
      embossedName2,
      programmable,
      virtual,
      status: 'Active',
      cardTypeCode: virtual
        ? 'VVG'
        : (siblings.find((each) => each.accountId === accountId && !each.virtual)?.cardTypeCode ?? 'VGC'),
      accountId,
    }
    this.#cards.set(cardKey, newCard(card, new Date(now).toISOString(), codeId(stream)))
    this.#tell(cardKey, 'created')
    return card
  }

  /** Anything but `Active` makes the bank decline every transaction. */
  setStatus(cardKey: string, status: string): void {
    const state = this.get(cardKey)
    this.#cards.set(cardKey, { ...state, card: { ...state.card, status } })
    this.#tell(cardKey, 'status', { status })
  }

  /** The card, if code can be stored against it. Throws `unknown-card` and `not-programmable`. */
  programmable(cardKey: string): CardState {
    const state = this.get(cardKey)
    if (state.card.programmable) return state
    throw new Problem('not-programmable', `Card ${cardKey} is not programmable: it takes no code.`)
  }

  savedCode(cardKey: string): CodeRecord {
    return this.programmable(cardKey).versions.at(-1)!
  }

  /** Undefined when nothing is published. */
  publishedCode(cardKey: string): CodeRecord | undefined {
    const { publishedId, versions } = this.programmable(cardKey)
    return versions.find((version) => version.codeId === publishedId)
  }

  /** Saves main.js as a new version; what runs on transactions stays what was published. */
  saveCode(cardKey: string, code: string): CodeRecord {
    const state = this.programmable(cardKey)
    const version = this.#version(code)
    this.#cards.set(cardKey, { ...state, versions: keepVersions(state, version) })
    this.#tell(cardKey, 'code-saved', { codeId: version.codeId })
    return version
  }

  /** Publishes a saved version, also an older one; a rule that was active no longer is. Throws `unknown-code`. */
  publish(cardKey: string, codeId: string): CodeRecord {
    const state = this.programmable(cardKey)
    const wanted = codeId.trim().toUpperCase()
    const version = state.versions.find((each) => each.codeId === wanted)
    if (!version) throw new Problem('unknown-code', `Card ${cardKey} has no saved code ${excerpt(codeId)}.`)
    const now = this.#now()
    const published = { ...version, publishedAt: now, updatedAt: now }
    this.#cards.set(cardKey, {
      ...state,
      versions: state.versions.map((each) => (each === version ? published : each)),
      publishedId: published.codeId,
      rule: null,
    })
    this.#tell(cardKey, 'code-published', { codeId: published.codeId })
    return published
  }

  /** Replaces the whole set of variables. */
  setVariables(cardKey: string, variables: Readonly<Record<string, string>>): VariablesRecord {
    const state = this.programmable(cardKey)
    const now = this.#now()
    const record: VariablesRecord = {
      variables: { ...variables },
      createdAt: now,
      updatedAt: now,
      error: null,
    }
    // A rule keeps its value in the variables: with others in their place it is the client's own program.
    this.#cards.set(cardKey, { ...state, variables: record, rule: null })
    this.#tell(cardKey, 'variables-replaced', { names: Object.keys(variables) })
    return record
  }

  /** The toggle: whether published code runs on the card's transactions. */
  setEnabled(cardKey: string, enabled: boolean): void {
    const state = this.programmable(cardKey)
    this.#cards.set(cardKey, { ...state, enabled })
    this.#tell(cardKey, 'toggled', { enabled })
  }

  /** Writes and publishes what carries a rule out, in place of code and variables, and switches the card on. */
  setRule(cardKey: string, rule: CardRule): void {
    const { code, variables } = programOf(rule)
    this.#replaceProgram(cardKey, code, variables, rule)
    this.#tell(cardKey, 'rule-set', { rule })
  }

  /** Takes the rule off: nothing is published any more, and the default main.js is saved again. */
  clearRule(cardKey: string): void {
    if (!this.programmable(cardKey).rule) return
    this.#replaceProgram(cardKey, defaultMainJs, {}, null)
    this.#tell(cardKey, 'rule-cleared')
  }

  #replaceProgram(
    cardKey: string,
    code: string,
    variables: Record<string, string>,
    rule: CardRule | null,
  ): void {
    const state = this.programmable(cardKey)
    const now = this.#now()
    const version = { ...this.#version(code), publishedAt: rule && now }
    this.#cards.set(cardKey, {
      ...state,
      versions: keepVersions(state, version),
      publishedId: rule && version.codeId,
      variables: { variables, createdAt: now, updatedAt: now, error: null },
      enabled: state.enabled || rule !== null,
      rule,
    })
  }

  /** Keeps an execution. */
  record(cardKey: string, record: ExecutionRecord): void {
    const state = this.#cards.get(cardKey)
    if (!state) return
    this.#keepExecutions(state, [...state.executions, record])
    const { executionId, rootCodeFunctionId, type, sandbox, authorizationApproved } = record.execution
    const detail = { cardKey, executionId, rootCodeFunctionId, hook: type, sandbox, authorizationApproved }
    this.#owner.tell('execution', detail)
    this.#tellCalls(record, 0)
  }

  /** Tells of each call that the code made, from the one at `first` on. */
  #tellCalls({ execution, outbound }: ExecutionRecord, first: number): void {
    const { executionId, rootCodeFunctionId } = execution
    for (const { cardKey, method, url, status, error, ms } of outbound.slice(first))
      this.#owner.tell('outbound', {
        cardKey,
        executionId,
        rootCodeFunctionId,
        method,
        url,
        status,
        error,
        ms,
      })
  }

  /** Completes an execution that is still kept; one that was forgotten meanwhile stays forgotten. */
  complete(cardKey: string, record: ExecutionRecord): void {
    const state = this.#cards.get(cardKey)
    const id = record.execution.executionId
    const before = state?.executions.find(({ execution }) => execution.executionId === id)
    if (!state || !before) return
    const completed = state.executions.map((each) => (each.execution.executionId === id ? record : each))
    this.#keepExecutions(state, completed)
    this.#tellCalls(record, before.outbound.length)
  }

  #keepExecutions(state: CardState, executions: readonly ExecutionRecord[]): void {
    const kept = keepLatest(executions, executionsKept, executionsLength, lengthOf)
    this.#cards.set(state.card.cardKey, { ...state, executions: kept })
  }

  /** What the code of all cards has called, in the order of the calls. */
  get outbound(): OutboundCallRecord[] {
    const calls = [...this.#cards.values()].flatMap(({ executions }) =>
      executions.flatMap((each) => each.outbound),
    )
    return calls.sort((a, b) => Number(a.sentAt > b.sentAt) - Number(a.sentAt < b.sentAt))
  }

  /** The card transactions of a card that are kept, oldest first. */
  transactionsOf(cardKey: string): CardTransaction[] {
    return [...this.#transactions.values()].filter((each) => each.cardKey === cardKey)
  }

  /** Whether the bank decided a card transaction of this id; purchases of the household are in the books alone. */
  hasTransaction(id: string): boolean {
    return this.#transactions.has(id)
  }

  /** Throws `unknown-transaction`. */
  transaction(id: string): CardTransaction {
    const transaction = this.#transactions.get(id)
    if (transaction) return transaction
    throw new Problem('unknown-transaction', `No card transaction ${excerpt(id)}.`)
  }

  /** Keeps a card transaction, or what has become of it. */
  keep(transaction: CardTransaction, event: string): void {
    this.#transactions.set(transaction.id, transaction)
    const oldest = this.#transactions.keys().next()
    if (this.#transactions.size > transactionsKept && !oldest.done) this.#transactions.delete(oldest.value)
    const { id, cardKey, decision, reason, centsAmount, currencyCode, randCents, merchant } = transaction
    const { rootCodeFunctionId } = transaction
    const amounts = { centsAmount, currencyCode, randCents }
    const detail = { id, cardKey, rootCodeFunctionId, event, decision, reason, ...amounts }
    this.#owner.tell('card-transaction', { ...detail, merchant: merchant.name })
  }

  #version(code: string): CodeRecord {
    if (code.length > maxCodeLength)
      throw invalid([{ path: '/code', message: `must NOT have more than ${maxCodeLength} characters` }])
    const now = this.#now()
    const stream = this.#owner.random.stream('code')
    return { codeId: codeId(stream), code, createdAt: now, updatedAt: now, publishedAt: null, error: null }
  }

  #now(): string {
    return new Date(this.#owner.clock.now()).toISOString()
  }

  #tell(cardKey: string, change: string, detail: Record<string, unknown> = {}): void {
    this.#owner.tell('card', { cardKey, change, ...detail })
  }
}

const codeId = (stream: Stream): string => stream.uuid().toUpperCase()

function newCard(card: CardRecord, at: string, firstCodeId: string): CardState {
  const template = { code: defaultMainJs, createdAt: at, updatedAt: at, publishedAt: null, error: null }
  return {
    card,
    versions: card.programmable ? [{ codeId: firstCodeId, ...template }] : [],
    publishedId: null,
    variables: { variables: {}, createdAt: at, updatedAt: at, error: null },
    enabled: card.programmable,
    rule: null,
    executions: [],
  }
}

/** The versions with one more; the oldest go when there are too many, but never the one that is published. */
function keepVersions({ versions, publishedId }: CardState, version: CodeRecord): CodeRecord[] {
  const all = [...versions, version]
  const kept = keepLatest(all, versionsKept, versionsLength, ({ code }) => code.length)
  const published = all.find(({ codeId }) => codeId === publishedId)
  return published && !kept.includes(published) ? [published, ...kept] : kept
}

/** The last items: at most `most` of them, together at most `length` long, and always the very last. */
function keepLatest<T>(
  items: readonly T[],
  most: number,
  length: number,
  lengthOf: (item: T) => number,
): T[] {
  let first = items.length - 1
  let sum = lengthOf(items[first]!)
  while (first > 0 && items.length - first < most && (sum += lengthOf(items[first - 1]!)) <= length) first--
  return items.slice(first)
}

const lengthOf = ({ execution, outbound }: ExecutionRecord): number =>
  execution.logs.reduce((sum, { content }) => sum + content.length + 60, 0) +
  outbound.reduce(
    (sum, { url, error, requestHeaders }) =>
      requestHeaders.reduce(
        (length, header) => length + header.join('').length + 60,
        sum + url.length + (error?.length ?? 0) + 200,
      ),
    0,
  )

/** A card number with the digit that makes it pass the Luhn check. */
export function withCheckDigit(digits: string): string {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 2 : 1)
    sum += digit > 9 ? digit - 9 : digit
  }
  return digits + String((10 - (sum % 10)) % 10)
}

/** A client's text in a sentence: bounded, in quotes, control characters escaped. */
const excerpt = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
