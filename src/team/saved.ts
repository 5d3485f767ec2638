// What the store has of one workspace, and what must be written so that it has the rest.

import type { Bank } from '../bank/bank.js'
import type { BankFrame } from '../bank/bank-state.js'
import type { CardState } from '../bank/cards/cards.js'
import { grantState } from '../bank/credentials.js'
import { holdState } from '../bank/ledger/ledger.js'
import { settingsOnWire } from '../settings/settings.js'
import type { Workspace } from '../workspace/workspace.js'
import { BookParts, type BookHead } from './book-parts.js'
import { historyOf } from './histories.js'
import { PartList, type Changes, type Item, type PartKind } from './part.js'

/** The small values of a workspace that change often, as the part `core`. */
export interface Core {
  readonly startMs: number
  readonly clock: { readonly frozen: boolean; readonly ms: number }
  readonly happened: number
  readonly day: number
  readonly dayHappened: number
  readonly lastReference: number | null
}

/** What the row of a workspace says of its content, so that it can be found and listed without being loaded. */
export interface Summary {
  readonly clientIds: readonly string[]
  /** The workspace as lists show it, JSON. */
  readonly shown: string
  readonly history: string | null
  readonly rows: number
  readonly bytes: number
}

/** One commit. */
export interface Commit extends Changes, Summary {
  /** The text of a history that the store may not have. */
  readonly newHistory: { readonly id: string; readonly text: string } | undefined
}

const listKinds = [
  'core',
  'start',
  'settings',
  'random',
  'faults',
  'stubs',
  'limit',
  'client',
  'grant',
  'profile',
  'account',
  'category',
  'beneficiary',
  'card',
  'version',
  'execution',
  'card-transaction',
  'waiting',
  'day-total',
  'book',
  'hold',
  'call',
] as const satisfies readonly PartKind[]
export type ListKind = (typeof listKinds)[number]

/** Compared by their text, since they change in place. */
export const textKinds: ReadonlySet<PartKind> = new Set<PartKind>([
  'core',
  'random',
  'faults',
  'stubs',
  'limit',
  'client',
  'card',
  'book',
])

/** What is in the store of one workspace. */
export class Saved {
  readonly lists = Object.fromEntries(listKinds.map((kind) => [kind, new PartList(kind)])) as Record<
    ListKind,
    PartList
  >
  readonly books = new BookParts()
  /** The history that the row names. */
  history: string | null = null
  #records: unknown
  #revision = -1
  #cards: readonly CardState[] = []
  #isComplete = false

  /** @param hasJournal whether the journal is stored, too */
  constructor(readonly hasJournal: boolean) {}

  get rows(): number {
    return this.books.rows
  }

  get bytes(): number {
    return listKinds.reduce((sum, kind) => sum + this.lists[kind].bytes, this.books.bytes)
  }

  /** Everything that differs from the store. Afterwards it counts as stored: when that fails, this object is of no use. */
  compare(workspace: Workspace, bank: Bank, shown: string): Commit {
    const changes: Changes = { puts: [], deletes: [] }
    const { frame } = bank
    const { origin, start, settings } = workspace.kept
    this.#small(workspace, frame, changes)
    this.#list('start', [one('start', start, () => startText(workspace))], changes)
    this.#list(
      'settings',
      [one('settings', settings, () => JSON.stringify(settingsOnWire(settings)))],
      changes,
    )
    const { credentials } = workspace
    const clients = credentials.clients.map((client) => text(client.clientId, JSON.stringify(client)))
    this.#list('client', clients, changes)
    this.#list(
      'grant',
      entriesOf(credentials.grants, (_, grant) => JSON.stringify(grantState(grant))),
      changes,
    )
    this.#recordLists(bank, frame, changes)
    this.#cardLists(frame.cards.cards, changes)
    this.#list(
      'card-transaction',
      refs(frame.cards.transactions, ({ id }) => id),
      changes,
    )
    this.#list(
      'waiting',
      refs(frame.payments.waiting, ({ reference }) => reference),
      changes,
    )
    this.#list(
      'day-total',
      entriesOf(Object.entries(frame.payments.dayTotals), (...total) => JSON.stringify(total)),
      changes,
    )
    this.books.collectChanges(bank.books.all, origin.books.all, changes)
    this.#list('book', this.#heads(bank), changes)
    this.#list('hold', holds(bank), changes)
    if (this.hasJournal)
      this.#list(
        'call',
        refs(workspace.journal.entries, ({ id }) => String(id)),
        changes,
      )
    this.#isComplete = true
    return { ...changes, ...this.#summary(workspace, origin, shown) }
  }

  #summary(workspace: Workspace, origin: Bank, shown: string): Summary & Pick<Commit, 'newHistory'> {
    const { id, text } = historyOf(origin)
    const newHistory = id !== null && id !== this.history ? { id, text } : undefined
    this.history = id
    const clientIds = workspace.credentials.clients.map(({ clientId }) => clientId)
    return { clientIds, shown, history: id, rows: this.rows, bytes: this.bytes, newHistory }
  }

  #list(kind: ListKind, items: Iterable<Item>, changes: Changes): void {
    this.lists[kind].collectChanges(items, changes)
  }

  /** What changes in place is compared by its text. */
  #small(workspace: Workspace, { day, happened, payments }: BankFrame, changes: Changes): void {
    const { startMs, happened: followed } = workspace.kept
    const core: Core = {
      startMs,
      clock: workspace.clock.state,
      happened: followed,
      day,
      dayHappened: happened,
      lastReference: payments.lastReference,
    }
    this.#list('core', [text('core', JSON.stringify(core))], changes)
    this.#list('random', [text('random', JSON.stringify(workspace.random.state))], changes)
    this.#list('faults', [text('faults', JSON.stringify(workspace.faults.state))], changes)
    this.#list('stubs', [text('stubs', JSON.stringify(workspace.stubs.state))], changes)
    const limits = workspace.limiter.state.map((each) => text(each.token, JSON.stringify(each)))
    this.#list('limit', limits, changes)
  }

  #recordLists(bank: Bank, frame: BankFrame, changes: Changes): void {
    // A bank that was replaced by another may have the same number.
    if (this.#isComplete && this.#records === bank && this.#revision === bank.revision) return
    this.#records = bank
    this.#revision = bank.revision
    this.#list(
      'profile',
      refs(frame.profiles, ({ profileId }) => profileId),
      changes,
    )
    this.#list(
      'account',
      refs(frame.accounts, ({ accountId }) => accountId),
      changes,
    )
    this.#list(
      'category',
      refs(frame.categories, (_, index) => String(index)),
      changes,
    )
    this.#list(
      'beneficiary',
      refs(frame.beneficiaries, ({ beneficiaryId }) => beneficiaryId),
      changes,
    )
  }

  /** The versions of the code and the executions of a card are parts of their own: they can be long. */
  #cardLists(cards: readonly CardState[], changes: Changes): void {
    const before = this.#cards
    if (this.#isComplete && cards.length === before.length && cards.every((card, at) => card === before[at]))
      return
    this.#cards = cards
    this.#list(
      'card',
      cards.map((state) => {
        const { card, publishedId, variables, enabled, rule } = state
        const rest = { card, publishedId, variables, enabled, rule }
        return text(card.cardKey, JSON.stringify(rest))
      }),
      changes,
    )
    this.#list(
      'version',
      cards.flatMap(({ card, versions }) => owned(card.cardKey, versions, ({ codeId }) => codeId)),
      changes,
    )
    this.#list(
      'execution',
      cards.flatMap(({ card, executions }) =>
        owned(card.cardKey, executions, ({ execution }) => execution.executionId),
      ),
      changes,
    )
  }

  #heads({ books }: Bank): Item[] {
    return Array.from(books.all, ([accountId, { opening }]) => {
      const head: BookHead = { base: this.books.baseOf(accountId), ...(opening && { opening }) }
      return text(accountId, JSON.stringify([accountId, head]))
    })
  }
}

function startText({ start }: Workspace): string {
  const { name, seed, clock, scenario } = start
  return JSON.stringify({ scenario: scenario?.source ?? name, seed, clock })
}

function* holds({ books }: Bank): Generator<Item> {
  for (const [accountId, book] of books.all)
    for (const hold of book.holds)
      yield {
        key: `${accountId}/${hold.id}`,
        ref: hold,
        text: () => JSON.stringify([accountId, holdState(hold)]),
      }
}

const one = (key: string, ref: unknown, text: () => string): Item => ({ key, ref, text })

/** An item that is compared by its text. */
const text = (key: string, value: string): Item => ({ key, ref: value, text: () => value })

/** Records that are replaced when they change. */
const refs = <T>(records: readonly T[], keyOf: (record: T, index: number) => string): Item[] =>
  records.map((ref, index) => ({ key: keyOf(ref, index), ref, text: () => JSON.stringify(ref) }))

/** Records of a list that belongs to a card; the value says to which. */
const owned = <T>(owner: string, records: readonly T[], keyOf: (record: T) => string): Item[] =>
  records.map((ref) => ({
    key: `${owner}/${keyOf(ref)}`,
    ref,
    text: () => JSON.stringify([owner, ref]),
  }))

function* entriesOf<T>(
  map: Iterable<readonly [string, T]>,
  textOf: (key: string, value: T) => string,
): Generator<Item> {
  for (const [key, ref] of map) yield { key, ref, text: () => textOf(key, ref) }
}
