// The parts in which a workspace is stored: each is one row, and a change writes only the rows that changed.

import { createHash } from 'node:crypto'

/** What a part holds; the words are those of the table. */
export type PartKind =
  | 'core'
  | 'start'
  | 'settings'
  | 'random'
  | 'faults'
  | 'stubs'
  | 'limit'
  | 'client'
  | 'grant'
  | 'profile'
  | 'account'
  | 'category'
  | 'beneficiary'
  | 'card'
  | 'version'
  | 'execution'
  | 'card-transaction'
  | 'waiting'
  | 'day-total'
  | 'book'
  | 'hold'
  | 'entries'
  | 'call'

/** One row. */
export interface Part {
  readonly kind: PartKind
  /** Unique within its kind. */
  readonly key: string
  /** Rises in the order of the list that the part belongs to. */
  readonly seq: number
  /** JSON. */
  readonly value: string
}

/** What one commit writes. */
export interface Changes {
  readonly puts: Part[]
  readonly deletes: { readonly kind: PartKind; readonly key: string }[]
}

/** A part as it is now: another `ref` than the last time means that it changed. */
export interface Item {
  readonly key: string
  readonly ref: unknown
  readonly text: () => string
}

interface Kept {
  ref: unknown
  seq: number
  bytes: number
  /** The round in which it was last seen. */
  round: number
}

/** The list of parts of one kind, as it was last written. */
export class PartList {
  readonly #kept = new Map<string, Kept>()
  #lastSeq = 0
  #round = 0
  /** The bytes of all parts. */
  bytes = 0

  constructor(readonly kind: PartKind) {}

  /** Notes a part that was loaded; with {@link loaded} the next comparison takes what it finds for what was loaded. */
  note(key: string, ref: unknown, seq: number, bytes: number): void {
    this.#kept.set(key, { ref, seq, bytes, round: 0 })
    this.#lastSeq = Math.max(this.#lastSeq, seq)
    this.bytes += bytes
  }

  /** Adds what differs from the last time; afterwards it counts as written. */
  collectChanges(items: Iterable<Item>, changes: Changes): void {
    const round = ++this.#round
    let seen = 0
    let last = 0
    for (const { key: given, ref, text } of items) {
      const key = keyOf(given)
      seen++
      let kept = this.#kept.get(key)
      if (kept?.ref === loaded) kept.ref = ref
      const isSame = kept !== undefined && kept.ref === ref && kept.seq > last
      if (!kept || !isSame) {
        const value = text()
        const bytes = Buffer.byteLength(value)
        // A part that moved behind others gets a new place; the others keep theirs.
        const seq = kept && kept.seq > last ? kept.seq : ++this.#lastSeq
        this.bytes += bytes - (kept?.bytes ?? 0)
        if (kept) Object.assign(kept, { ref, seq, bytes })
        else this.#kept.set(key, (kept = { ref, seq, bytes, round }))
        changes.puts.push({ kind: this.kind, key, seq, value })
      }
      kept.round = round
      last = kept.seq
    }
    if (seen === this.#kept.size) return
    for (const [key, { round: at, bytes }] of this.#kept)
      if (at !== round) {
        this.#kept.delete(key)
        this.bytes -= bytes
        changes.deletes.push({ kind: this.kind, key })
      }
  }
}

/** A key as the table takes it: one that is long, or holds what Postgres does not take, is replaced by its hash. */
export const keyOf = (key: string): string =>
  key.length > maxKeyLength || /[\0\ud800-\udfff]/.test(key)
    ? `sha256:${createHash('sha256').update(JSON.stringify(key)).digest('hex')}`
    : key

const maxKeyLength = 200

/** Stands for the record that a part was loaded into. */
export const loaded = Symbol('loaded')
