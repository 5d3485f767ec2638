// The books of a workspace as rows of the store. A commit appends its entries as one small segment; every 64 of them are
// merged. What a book shares with the history at the start is not written: see histories.ts.

import type { Book, BookOpening, EntryState } from '../bank/ledger/ledger.js'
import type { Entry } from '../bank/ledger/ledger.js'
import { keyOf, type Changes } from './part.js'

/** How many small segments are merged into one. */
const mergedSegments = 64
/** How many entries a segment holds when many are written at once. */
const bulkEntries = 1_000

/** How a book begins, as its part of kind `book` says it. */
export interface BookHead {
  /** How many entries are those of the history. */
  readonly base: number
  readonly opening?: BookOpening | undefined
}

interface Written {
  base: number
  /** How many entries there are in all, with those of the history. */
  count: number
  last: Entry | undefined
  /** The first index of each segment, with its bytes. */
  segments: Map<number, number>
  /** The first indexes of the segments since the last merge. */
  small: number[]
}

/** What was written of each book. */
export class BookParts {
  readonly #written = new Map<string, Written>()
  bytes = 0

  /** How many entries are stored. */
  get rows(): number {
    let rows = 0
    for (const { base, count } of this.#written.values()) rows += count - base
    return rows
  }

  /** How many entries of a book are those of the history. */
  baseOf(accountId: string): number {
    return this.#written.get(accountId)?.base ?? 0
  }

  /** Notes a book that was loaded, with the first index and the bytes of each of its segments. */
  note(accountId: string, book: Book, base: number, segments: ReadonlyMap<number, number>): void {
    const small = [...segments.keys()].slice(-mergedSegments + 1)
    const { length: count, last } = book.entries
    this.#written.set(accountId, { base, count, last, segments: new Map(segments), small })
    for (const bytes of segments.values()) this.bytes += bytes
  }

  /** Notes rows of a book that are to be replaced, since they belong to another history. */
  noteOutdated(accountId: string, segments: ReadonlyMap<number, number>): void {
    this.#written.set(accountId, {
      base: 0,
      count: Infinity,
      last: undefined,
      segments: new Map(segments),
      small: [],
    })
    for (const bytes of segments.values()) this.bytes += bytes
  }

  /** Adds to `changes` what must be written so that the store holds these books. */
  collectChanges(
    books: ReadonlyMap<string, Book>,
    origins: ReadonlyMap<string, Book>,
    changes: Changes,
  ): void {
    for (const [accountId, book] of books)
      this.#collectChanges(accountId, book, origins.get(accountId), changes)
    if (this.#written.size === books.size) return
    for (const [accountId, written] of this.#written)
      if (!books.has(accountId)) {
        this.#deleteAll(accountId, written, changes)
        this.#written.delete(accountId)
      }
  }

  #collectChanges(accountId: string, book: Book, origin: Book | undefined, changes: Changes): void {
    const { entries } = book
    const written = this.#written.get(accountId)
    if (written && written.count <= entries.length && entries.at(written.count - 1) === written.last) {
      if (written.count < entries.length) this.#append(accountId, book, written, changes)
      return
    }
    if (written) this.#deleteAll(accountId, written, changes)
    const base = sharedWith(origin, book)
    const fresh: Written = { base, count: base, last: undefined, segments: new Map(), small: [] }
    this.#written.set(accountId, fresh)
    for (let from = base; from < entries.length; from += bulkEntries)
      this.#put(
        accountId,
        from,
        book.entryStates(from, Math.min(from + bulkEntries, entries.length)),
        fresh,
        changes,
      )
    fresh.count = entries.length
    fresh.last = entries.last
  }

  #append(accountId: string, book: Book, written: Written, changes: Changes): void {
    const { entries } = book
    const from = written.count
    written.count = entries.length
    written.last = entries.last
    written.small.push(from)
    if (written.small.length < mergedSegments) {
      this.#put(accountId, from, book.entryStates(from), written, changes)
      return
    }
    const first = written.small[0]!
    for (const each of written.small.splice(0))
      if (each !== first) this.#delete(accountId, each, written, changes)
    this.#put(accountId, first, book.entryStates(first), written, changes)
  }

  #put(
    accountId: string,
    from: number,
    states: readonly EntryState[],
    written: Written,
    changes: Changes,
  ): void {
    const value = JSON.stringify([accountId, states])
    const bytes = Buffer.byteLength(value)
    this.bytes += bytes - (written.segments.get(from) ?? 0)
    written.segments.set(from, bytes)
    const key = segmentKey(accountId, from)
    const deleted = changes.deletes.findIndex((each) => each.kind === 'entries' && each.key === key)
    if (deleted >= 0) changes.deletes.splice(deleted, 1)
    changes.puts.push({ kind: 'entries', key, seq: from, value })
  }

  #delete(accountId: string, from: number, written: Written, changes: Changes): void {
    const bytes = written.segments.get(from)
    if (bytes === undefined) return
    this.bytes -= bytes
    written.segments.delete(from)
    changes.deletes.push({ kind: 'entries', key: segmentKey(accountId, from) })
  }

  #deleteAll(accountId: string, written: Written, changes: Changes): void {
    for (const from of [...written.segments.keys()]) this.#delete(accountId, from, written, changes)
  }
}

const segmentKey = (accountId: string, from: number): string => keyOf(`${accountId}/${from}`)

/** How many entries a book shares with that of the history: all of those, or none. */
function sharedWith(origin: Book | undefined, book: Book): number {
  const count = origin?.entries.length ?? 0
  const isShared =
    count > 0 &&
    count <= book.entries.length &&
    book.entries.at(count - 1) === origin!.entries.last &&
    book.opening === origin!.opening
  return isShared ? count : 0
}
