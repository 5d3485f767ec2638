// Rows of an account as the service shows them: posted entries and holds in their form on the wire, and their
// descriptions.

import { formatDay, type Day } from '../../determinism/day.js'
import type { Book, Entry, Hold } from './ledger.js'
import { toRand } from '../money.js'
import type { PendingTransaction, Transaction } from '../records.js'

/** A posted entry as the service shows it. */
export function postedRow(accountId: string, entry: Entry): Transaction {
  return {
    accountId,
    type: entry.direction,
    transactionType: entry.transactionType,
    status: 'POSTED',
    description: entry.description,
    cardNumber: entry.cardNumber,
    postedOrder: entry.postedOrder,
    postingDate: formatDay(entry.postingDay),
    valueDate: formatDay(entry.valueDay),
    actionDate: formatDay(entry.actionDay),
    transactionDate: formatDay(entry.transactionDay),
    amount: toRand(entry.cents),
    runningBalance: toRand(entry.balanceCents),
    uuid: rowUuid(accountId, entry.postingDay, entry.postedOrder),
  }
}

const written = new WeakMap<Entry, string>()

/** The JSON text of {@link postedRow}. An entry never changes, so it is serialised once. */
function postedRowText(accountId: string, entry: Entry): string {
  let text = written.get(entry)
  if (text === undefined) written.set(entry, (text = JSON.stringify(postedRow(accountId, entry))))
  return text
}

/** The JSON texts of entries, with commas between them. */
export const rowsText = (accountId: string, entries: readonly Entry[]): string =>
  entries.map((entry) => postedRowText(accountId, entry)).join(',')

interface RangeBytes {
  readonly first: number
  readonly end: number
  readonly bytes: Uint8Array
}

const ranges = new WeakMap<Book, RangeBytes>()
const maxRangeKept = 5000

/**
 * `{"transactions": […]}` of the entries from `first` up to but not including `end`, as UTF-8. The last range is
 * cached: a book only grows at its end, so the same range always has the same bytes, and encoding is most of the cost
 * of a long answer.
 */
export function rangeBytes(
  accountId: string,
  book: Book,
  { first, end }: { first: number; end: number },
): Uint8Array {
  const known = ranges.get(book)
  if (known?.first === first && known.end === end) return known.bytes
  const bytes = Buffer.from(`{"transactions":[${rowsText(accountId, book.entries.slice(first, end))}]}`)
  if (end - first <= maxRangeKept) ranges.set(book, { first, end, bytes })
  return bytes
}

/**
 * A hold as `includePending=true` shows it among the posted rows; `runningBalance` is the account's current balance.
 */
export function pendingRow(hold: Hold, balanceCents: number): Transaction {
  return {
    accountId: hold.accountId,
    type: hold.direction,
    transactionType: hold.transactionType,
    status: 'PENDING',
    description: hold.pendingDescription ?? hold.description,
    cardNumber: null,
    postedOrder: 0,
    postingDate: null,
    valueDate: null,
    actionDate: null,
    transactionDate: formatDay(hold.transactionDay),
    amount: toRand(hold.cents),
    runningBalance: toRand(balanceCents),
    uuid: rowUuid(hold.accountId, hold.transactionDay, 0),
  }
}

/** A row of `pending-transactions`. */
export function pendingTransaction(hold: Hold): PendingTransaction {
  return {
    accountId: hold.accountId,
    type: hold.direction,
    status: 'PENDING',
    description: hold.pendingDescription ?? hold.description,
    transactionDate: formatDay(hold.transactionDay),
    amount: toRand(hold.cents),
  }
}

/** The `uuid` of a row: end of the account id, day, and order. */
export const rowUuid = (accountId: string, day: Day, postedOrder: number): string =>
  accountId.slice(-5) + formatDay(day).replaceAll('-', '') + String(postedOrder).padStart(7, '0')

/**
 * The description of a card transaction, cut as card networks cut it: the merchant's name in 23 columns, the city in
 * 13, the country in 2, upper case: `KURUMAN FRESH PRODUCE H KURUMAN ZA`.
 */
export const cardDescription = (merchant: string, city: string, country: string): string =>
  [merchant.slice(0, 23), city.slice(0, 13), country.slice(0, 2)]
    .map((part) => part.trim().toUpperCase())
    .filter((part) => part !== '')
    .join(' ')

/**
 * The texts of a card transaction's row: posted, as {@link cardDescription}; pending, as terminals send it, in columns of
 * 25, 13 and 2: `Amazon Retail            Lagos        ZA`.
 */
export const cardTexts = (
  merchant: string,
  city: string,
  country: string,
): { description: string; pendingDescription: string } => ({
  description: cardDescription(merchant, city, country),
  pendingDescription: merchant.slice(0, 25).padEnd(25) + city.slice(0, 13).padEnd(13) + country.slice(0, 2),
})

/** A card number with its middle masked: `402167XXXXXX1111` on cards, with a lower-case x in transactions. */
export const maskPan = (pan: string, mask: 'X' | 'x'): string =>
  pan.slice(0, 6) + mask.repeat(6) + pan.slice(-4)
