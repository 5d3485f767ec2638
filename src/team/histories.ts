// The history that the seed makes. It is the same for every workspace with the same start, so it is stored once, by its hash,
// and workspaces store only what came after it. A program that makes another history reads the stored one.

import { createHash } from 'node:crypto'
import type { Bank } from '../bank/bank.js'
import { Book, type BookState, type EntryState } from '../bank/ledger/ledger.js'

/** A history: its rows by account. */
export interface History {
  /** A hash of the text; null when no book has a row. */
  readonly id: string | null
  readonly text: string
}

const histories = new WeakMap<Bank, History>()

/** The history of a bank at its start; made once for each. */
export function historyOf(origin: Bank): History {
  let history = histories.get(origin)
  if (!history) histories.set(origin, (history = makeHistory(origin)))
  return history
}

function makeHistory({ books }: Bank): History {
  const rows: Record<string, readonly EntryState[]> = {}
  for (const [accountId, book] of books.all) if (book.entries.length > 0) rows[accountId] = book.entryStates()
  const text = JSON.stringify(rows)
  const id = Object.keys(rows).length === 0 ? null : createHash('sha256').update(text).digest('hex')
  return { id, text }
}

/** What is stored of a book. */
export interface StoredBook extends BookState {
  /** How many entries of the history come first. */
  readonly base: number
}

/**
 * A book with its history: that of the origin, which it shares, or the stored one when this program makes another.
 */
export function bookOf(
  accountId: string,
  { base, ...state }: StoredBook,
  origin: Book | undefined,
  history: Readonly<Record<string, readonly EntryState[]>> | undefined,
): Book {
  if (base === 0) return Book.from(accountId, state)
  if (!history) return Book.after(origin!, accountId, state)
  return Book.from(accountId, {
    ...state,
    entries: [...history[accountId]!.slice(0, base), ...state.entries],
  })
}
