// Rows as the live service was seen to send them where its document says otherwise: `behaviour: observed`.

import { dayFromParts, endOfMonth, formatDay, partsOf, type Day } from '../../determinism/day.js'
import type { AccountKind } from '../products.js'
import type { Transaction } from '../records.js'
import type { Entry } from './ledger.js'
import { postedRow, rowUuid } from './transactions.js'

/**
 * A posted row. Its `actionDate` is the day of the request. The value date of a card purchase is the last day of a
 * month. Rows of savings accounts have no type, order and value date, and share one `uuid` for each day.
 */
export function observedRow(
  { accountId, kind }: { readonly accountId: string; readonly kind: AccountKind },
  entry: Entry,
  today: Day,
): Transaction {
  const row = { ...postedRow(accountId, entry), actionDate: formatDay(today) }
  if (kind === 'savings') {
    const uuid = rowUuid(accountId, entry.postingDay, 0)
    return { ...row, transactionType: null, postedOrder: 0, valueDate: null, uuid }
  }
  const isPurchase = entry.transactionType === 'CardPurchases'
  return isPurchase ? { ...row, valueDate: formatDay(purchaseValueDay(entry.postingDay)) } : row
}

/** The last day of the month for rows that post up to the 15th, else the last day of the next month. */
function purchaseValueDay(postingDay: Day): Day {
  const { year, month, date } = partsOf(postingDay)
  return endOfMonth(date <= 15 ? postingDay : dayFromParts(year, month + 1, 1))
}
