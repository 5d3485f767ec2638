// The cards of one workspace and what is stored with them: versions of main.js, variables, the toggle, a rule,
// executions. This file does not know how code runs. Records are replaced, never changed, so that forks can share
// them.

import { quoted } from '../../protocol/quote.js'
import { createHash } from 'node:crypto'
import { invalid, Problem } from '../../protocol/problem.js'
import type { AccountRecord, CardRecord } from '../client-records.js'
import type {
  Card,
  CodeError,
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

/** One run of a hook as the bank stores it. */
export interface ExecutionRecord {
  /** As the list of executions shows it. */
  readonly execution: ListedExecution
  readonly error: ExecutionError | null
  /** The calls that the code made. */
  readonly outbound: readonly OutboundCallRecord[]
}

/** A card and everything that is stored with it. */
export interface CardState {
  readonly card: CardRecord
  /** Oldest first; the last is the saved code. Empty on a card that is not programmable. */
  readonly versions: readonly CodeRecord[]
  readonly publishedId: string | null
  readonly variables: VariablesRecord
  readonly enabled: boolean
  /** The rule that wrote the published code; null when the client wrote it. */
  readonly rule: CardRule | null
  /** Oldest first. */
  readonly executions: readonly ExecutionRecord[]
}

/** The state of all cards, for an export. */
export interface CardsState {
  readonly cards: readonly CardState[]
  readonly transactions: readonly CardTransaction[]
}

/** What the cards need from the bank that owns them. */
export interface CardsOwner {
  readonly clock: Clock
  readonly random: Random
  account(accountId: string): AccountRecord
  tell(type: string, detail: Record<string, unknown>): void
}

/** The largest main.js, in UTF-16 code units. */
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

  /** The cards at the start of the bank's history: every programmable one has the default main.js saved. */
  static of(owner: CardsOwner, records: readonly CardRecord[], since: Day): Cards {
    const cards = new Cards(owner)
    const at = new Date(startOfDay(since)).toISOString()
    for (const record of records) {
      // One stream for each card, so that another card changes nothing for the others.
      const stream = Stream.of(owner.random.seed, `card/${record.cardKey}`)
      cards.#cards.set(record.cardKey, newCard(record, at, codeId(stream)))
    }
    return cards
  }

  /** A copy of the cards for another bank; later changes affect only one of the two. */
  fork(owner: CardsOwner): Cards {
    const fork = new Cards(owner)
    for (const [key, state] of this.#cards) fork.#cards.set(key, state)
    for (const [id, transaction] of this.#transactions) fork.#transactions.set(id, transaction)
    return fork
  }

  get state(): CardsState {
    return { cards: [...this.#cards.values()], transactions: [...this.#transactions.values()] }
  }

  /** Loads an exported state. */
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
    throw new Problem('unknown-card', `No card ${quoted(cardKey)}.`)
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

  /** The card's detail, without the fields that only its holder may read. */
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

  /** A new active card on an account, valid for three years; virtual and programmable by default. */
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

  /** With any status other than `Active` the bank declines every transaction. */
  setStatus(cardKey: string, status: string): void {
    const state = this.get(cardKey)
    this.#cards.set(cardKey, { ...state, card: { ...state.card, status } })
    this.#tell(cardKey, 'status', { status })
  }

  /** The card, if it takes code. Throws `unknown-card` and `not-programmable`. */
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

  /** Saves main.js as a new version; what runs on transactions stays what was published. `error` is why it cannot run. */
  saveCode(cardKey: string, code: string, error: CodeError | null = null): CodeRecord {
    const state = this.programmable(cardKey)
    const version = this.#version(code, error)
    this.#cards.set(cardKey, { ...state, versions: keepVersions(state, version) })
    this.#tell(cardKey, 'code-saved', { codeId: version.codeId })
    return version
  }

  /** Publishes a saved version, which may be an old one; this ends an active rule. Throws `unknown-code`. */
  publish(cardKey: string, codeId: string): CodeRecord {
    const state = this.programmable(cardKey)
    const wanted = codeId.trim().toUpperCase()
    const version = state.versions.find((each) => each.codeId === wanted)
    if (!version) throw new Problem('unknown-code', `Card ${cardKey} has no saved code ${quoted(codeId)}.`)
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

  /** Replaces all variables. */
  setVariables(cardKey: string, variables: Readonly<Record<string, string>>): VariablesRecord {
    const state = this.programmable(cardKey)
    const now = this.#now()
    const record: VariablesRecord = {
      variables: { ...variables },
      createdAt: now,
      updatedAt: now,
      error: null,
    }
    // A rule stores its value in the variables: when they are replaced, the program counts as the client's own.
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

  /** Writes and publishes the code and variables of a rule, replacing those of the card, and switches the card on. */
  setRule(cardKey: string, rule: CardRule): void {
    const { code, variables } = programOf(rule)
    this.#replaceProgram(cardKey, code, variables, rule)
    this.#tell(cardKey, 'rule-set', { rule })
  }

  /** Removes the rule: nothing stays published, and the default main.js is saved again. */
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

  /** Stores an execution. */
  record(cardKey: string, record: ExecutionRecord): void {
    const state = this.#cards.get(cardKey)
    if (!state) return
    this.#keepExecutions(state, [...state.executions, record])
    const { executionId, rootCodeFunctionId, type, sandbox, authorizationApproved } = record.execution
    const detail = { cardKey, executionId, rootCodeFunctionId, hook: type, sandbox, authorizationApproved }
    this.#owner.tell('execution', { ...detail, ...happeningsOf(record) })
    this.#tellCalls(record, 0)
  }

  /** Reports each call that the code made, starting with the one at `first`. */
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

  /** Completes a stored execution; does nothing when it has been discarded meanwhile. */
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

  /** The calls of the code of all cards, in the order of the calls. */
  get outbound(): OutboundCallRecord[] {
    const calls = [...this.#cards.values()].flatMap(({ executions }) =>
      executions.flatMap((each) => each.outbound),
    )
    return calls.sort((a, b) => Number(a.sentAt > b.sentAt) - Number(a.sentAt < b.sentAt))
  }

  /** The stored transactions of a card, oldest first. */
  transactionsOf(cardKey: string): CardTransaction[] {
    return [...this.#transactions.values()].filter((each) => each.cardKey === cardKey)
  }

  /** Whether the bank decided a card transaction with this id; purchases of the household exist only in the books. */
  hasTransaction(id: string): boolean {
    return this.#transactions.has(id)
  }

  /** Throws `unknown-transaction`. */
  transaction(id: string): CardTransaction {
    const transaction = this.#transactions.get(id)
    if (transaction) return transaction
    throw new Problem('unknown-transaction', `No card transaction ${quoted(id)}.`)
  }

  /** Stores a card transaction or its new state. */
  keep(transaction: CardTransaction, event: string): void {
    this.#transactions.set(transaction.id, transaction)
    const oldest = this.#transactions.keys().next()
    if (this.#transactions.size > transactionsKept && !oldest.done) this.#transactions.delete(oldest.value)
    const { id, cardKey, decision, reason, centsAmount, currencyCode, randCents, merchant } = transaction
    const { rootCodeFunctionId } = transaction
    const amounts = { centsAmount, currencyCode, randCents }
    const detail = { id, cardKey, rootCodeFunctionId, event, decision, reason, ...amounts }
    const { name, categoryCode } = merchant
    this.#owner.tell('card-transaction', { ...detail, merchant: name, merchantCategory: categoryCode })
  }

  #version(code: string, error: CodeError | null = null): CodeRecord {
    if (code.length > maxCodeLength)
      throw invalid([{ path: '/code', message: `must NOT have more than ${maxCodeLength} characters` }])
    const now = this.#now()
    const stream = this.#owner.random.stream('code')
    return { codeId: codeId(stream), code, createdAt: now, updatedAt: now, publishedAt: null, error }
  }

  #now(): string {
    return new Date(this.#owner.clock.now()).toISOString()
  }

  #tell(cardKey: string, change: string, detail: Record<string, unknown> = {}): void {
    this.#owner.tell('card', { cardKey, change, ...detail })
  }
}

/** What a hook logged and how it ended, for its event: the first lines only, because a thousand events are stored. */
function happeningsOf({ execution, error }: ExecutionRecord) {
  const { logs, startedAt, completedAt } = execution
  return {
    ms: Date.parse(completedAt) - Date.parse(startedAt),
    error: error && { code: error.code, name: error.name, message: cut(error.message), line: error.line },
    logs: logs.slice(0, logsTold).map(({ level, content }) => ({ level, content: cut(content) })),
    moreLogs: Math.max(0, logs.length - logsTold),
  }
}

const logsTold = 20
const charactersTold = 500

/** Copied through bytes: a slice of a text would keep the whole text in memory. */
const cut = (text: string): string =>
  text.length <= charactersTold ? text : `${Buffer.from(text.slice(0, charactersTold)).toString()}…`

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

/** Adds a version; drops the oldest when there are too many, but never the published one. */
function keepVersions({ versions, publishedId }: CardState, version: CodeRecord): CodeRecord[] {
  const all = [...versions, version]
  const kept = keepLatest(all, versionsKept, versionsLength, ({ code }) => code.length)
  const published = all.find(({ codeId }) => codeId === publishedId)
  return published && !kept.includes(published) ? [published, ...kept] : kept
}

/** The last items: at most `most` of them, together at most `length` long, and always the last one. */
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

/** A card number, completed with its Luhn check digit. */
export function withCheckDigit(digits: string): string {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 2 : 1)
    sum += digit > 9 ? digit - 9 : digit
  }
  return digits + String((10 - (sum % 10)) % 10)
}
