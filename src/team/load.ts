// Makes a workspace from its rows in the store: the same, byte for byte.

import type { BankFrame } from '../bank/bank-state.js'
import type { CardState } from '../bank/cards/cards.js'
import type { EntryState } from '../bank/ledger/ledger.js'
import { resolveStart } from '../scenario/start.js'
import type { WorkspaceState } from '../workspace/state.js'
import type { Workspace } from '../workspace/workspace.js'
import type { BookHead } from './book-parts.js'
import { bookOf, historyOf, type StoredBook } from './histories.js'
import { loaded, type Part, type PartKind } from './part.js'
import { Saved, textKinds, type Core } from './saved.js'

type Rows = ReadonlyMap<PartKind, readonly Part[]>

/** What is read of one workspace. */
export interface StoredWorkspace {
  readonly history: string | null
  /** Sorted by `seq`. */
  readonly parts: readonly Part[]
}

/**
 * Brings a workspace back. `readHistory` gives the text of a stored history, which is needed when this program would make
 * another one.
 */
export async function load(
  workspace: Workspace,
  { history, parts }: StoredWorkspace,
  readHistory: (id: string) => Promise<string>,
  hasJournal: boolean,
): Promise<Saved> {
  const rows: Rows = grouped(parts)
  const list = <T>(kind: PartKind): T[] => (rows.get(kind) ?? []).map(({ value }) => JSON.parse(value) as T)
  const single = <T>(kind: PartKind) => list<T>(kind)[0]!
  const core = single<Core>('core')
  const begun = single<{ scenario: string | object; seed: number; clock: Core['clock'] }>('start')
  const start = await resolveStart(begun, '')
  const frame = frameOf(core, rows, list)
  const books = booksOf(rows)
  const state: Omit<WorkspaceState, 'bank'> = {
    name: workspace.name,
    start: { ...begun, startMs: core.startMs },
    clock: core.clock,
    random: single('random'),
    settings: single('settings'),
    credentials: { clients: list('client'), grants: list('grant') },
    faults: single('faults'),
    stubs: single('stubs'),
    happened: core.happened,
    limits: list('limit'),
  }
  const saved = new Saved(hasJournal)
  let needed: string | undefined
  const fill = (text?: string): Promise<void> =>
    workspace.restoreWith(state, start, (bank, origin) => {
      const own = historyOf(origin).id
      if (history !== null && own !== history && text === undefined) {
        needed = history
        return
      }
      const other = text === undefined ? undefined : (JSON.parse(text) as Record<string, EntryState[]>)
      bank.books.load(
        Array.from(books, ([accountId, book]) => [
          accountId,
          bookOf(accountId, book, origin.books.all.get(accountId), other),
        ]),
      )
      bank.loadFrame(frame)
    })
  await fill()
  if (needed !== undefined) await fill(await readHistory(needed))
  note(saved, workspace, rows, books, needed !== undefined)
  saved.history = needed === undefined ? history : null
  if (hasJournal) workspace.journal.restore(list('call'))
  return saved
}

function grouped(parts: readonly Part[]): Map<PartKind, Part[]> {
  const rows = new Map<PartKind, Part[]>()
  for (const part of parts) {
    const of = rows.get(part.kind)
    if (of) of.push(part)
    else rows.set(part.kind, [part])
  }
  return rows
}

function frameOf(core: Core, rows: Rows, list: <T>(kind: PartKind) => T[]): BankFrame {
  const versions = byOwner<CardState['versions'][number]>(rows.get('version'))
  const executions = byOwner<CardState['executions'][number]>(rows.get('execution'))
  const cards = list<Omit<CardState, 'versions' | 'executions'>>('card').map((state): CardState => {
    const { card, publishedId, variables, enabled, rule } = state
    const { cardKey } = card
    return {
      card,
      versions: versions.get(cardKey) ?? [],
      publishedId,
      variables,
      enabled,
      rule,
      executions: executions.get(cardKey) ?? [],
    }
  })
  const totals = list<[key: string, cents: number]>('day-total')
  return {
    day: core.day,
    happened: core.dayHappened,
    profiles: list('profile'),
    accounts: list('account'),
    categories: list('category'),
    beneficiaries: list('beneficiary'),
    cards: { cards, transactions: list('card-transaction') },
    payments: {
      lastReference: core.lastReference,
      waiting: list('waiting'),
      dayTotals: Object.fromEntries(totals),
    },
  }
}

/** Parts whose value says to which card or account they belong. */
function byOwner<T>(parts: readonly Part[] = []): Map<string, T[]> {
  const found = new Map<string, T[]>()
  for (const { value } of parts) {
    const [owner, record] = JSON.parse(value) as [string, T]
    const of = found.get(owner)
    if (of) of.push(record)
    else found.set(owner, [record])
  }
  return found
}

/** A book as it was read, and its segments: their first indexes, and their bytes. */
interface ReadBook extends StoredBook {
  readonly entries: EntryState[]
  readonly segments: Map<number, number>
}

function booksOf(rows: Rows): Map<string, ReadBook> {
  const books = new Map<string, ReadBook>()
  const holds = byOwner<StoredBook['holds'][number]>(rows.get('hold'))
  for (const [accountId, [head]] of byOwner<BookHead>(rows.get('book')))
    books.set(accountId, {
      ...head!,
      entries: [],
      holds: holds.get(accountId) ?? [],
      segments: new Map(),
    })
  for (const { seq, value } of rows.get('entries') ?? []) {
    const [accountId, states] = JSON.parse(value) as [string, EntryState[]]
    const { entries, segments } = books.get(accountId)!
    for (const state of states) entries.push(state)
    segments.set(seq, Buffer.byteLength(value))
  }
  return books
}

/** Tells `saved` what the store has, so that the first commit writes only what differs. */
function note(
  saved: Saved,
  workspace: Workspace,
  rows: Rows,
  books: ReadonlyMap<string, ReadBook>,
  isOutdated: boolean,
): void {
  for (const [kind, parts] of rows)
    if (kind !== 'entries')
      for (const { key, seq, value } of parts)
        saved.lists[kind].note(key, refOf(kind, value), seq, Buffer.byteLength(value))
  const { all } = workspace.bank!.books
  for (const [accountId, { base, segments }] of books)
    if (isOutdated) saved.books.noteOutdated(accountId, segments)
    else saved.books.note(accountId, all.get(accountId)!, base, segments)
}

/** What is compared by its value has it; a record is what was made of the row. */
function refOf(kind: PartKind, value: string): unknown {
  if (kind === 'day-total') return (JSON.parse(value) as [string, number])[1]
  return textKinds.has(kind) ? value : loaded
}
