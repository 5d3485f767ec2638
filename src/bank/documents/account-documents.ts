// Which documents an account has, and their contents: a statement for each month that has ended since its first
// entry, and a tax certificate for each such South African tax year (March to February).

import type { Bank } from '../bank.js'
import { dayFromParts, endOfMonth, formatDay, parseDay, partsOf, type Day } from '../../determinism/day.js'
import type { DocumentAccount, StatementData, TaxCertificateData } from './documents.js'
import { interestTexts, type Book, type Entry } from '../ledger/ledger.js'
import type { Cents } from '../money.js'

export const documentTypes = ['Statement', 'TaxCertificate'] as const
export type DocumentType = (typeof documentTypes)[number]

/** A document as its list shows it. */
export interface AccountDocument {
  readonly documentType: DocumentType
  /** ISO 8601 date: the last day that the document covers. */
  readonly documentDate: string
}

/**
 * The documents of an account dated from day `from` to day `to`, both included, oldest first. Throws
 * `unknown-account`.
 */
export function documentsOf(bank: Bank, accountId: string, from: Day, to: Day): AccountDocument[] {
  const first = bank.book(accountId).entries.at(0)?.postingDay
  if (first === undefined) return []
  const documents: AccountDocument[] = []
  const last = Math.min(to, bank.today() - 1)
  for (let day = endOfMonth(Math.max(from, first)); day <= last; day = endOfMonth(day + 1)) {
    const documentDate = formatDay(day)
    documents.push({ documentType: 'Statement', documentDate })
    if (partsOf(day).month === 2) documents.push({ documentType: 'TaxCertificate', documentDate })
  }
  return documents
}

/** The last day of a document; undefined when the account has none with this type and date. */
export function documentDay(
  bank: Bank,
  accountId: string,
  { documentType, documentDate }: { documentType: string; documentDate: string },
): Day | undefined {
  const day = parseDay(documentDate)
  if (day === undefined) return undefined
  return documentsOf(bank, accountId, day, day).some((each) => each.documentType === documentType)
    ? day
    : undefined
}

/** The contents of the statement for the month that ends on `lastDay`: balances and rows of the ledger. */
export function statementOf(bank: Bank, accountId: string, lastDay: Day): StatementData {
  const { year, month } = partsOf(lastDay)
  const firstDay = dayFromParts(year, month, 1)
  const book = bank.book(accountId)
  return {
    ...heading(bank, accountId),
    fromDate: formatDay(firstDay),
    toDate: formatDay(lastDay),
    openingCents: book.balanceAt(firstDay - 1),
    closingCents: book.balanceAt(lastDay),
    rows: book.between(firstDay, lastDay).map((entry) => ({
      postingDate: formatDay(entry.postingDay),
      description: entry.description,
      amountCents: signed(entry),
      balanceCents: entry.balanceCents,
    })),
  }
}

/** The contents of the tax certificate for the tax year that ends on `lastDay`. */
export function taxCertificateOf(bank: Bank, accountId: string, lastDay: Day): TaxCertificateData {
  const { year } = partsOf(lastDay)
  const firstDay = dayFromParts(year - 1, 3, 1)
  const book = bank.book(accountId)
  const { account, ...rest } = heading(bank, accountId)
  return {
    ...rest,
    account,
    taxYear: { fromDate: formatDay(firstDay), toDate: formatDay(lastDay) },
    certificateNumber: `TC-${year}-${account.accountNumber}`,
    openingCents: book.balanceAt(firstDay - 1),
    closingCents: book.balanceAt(lastDay),
    ...yearOf(book, firstDay, lastDay),
  }
}

function yearOf(book: Book, firstDay: Day, lastDay: Day) {
  let interestEarnedCents: Cents = 0
  let interestPaidCents: Cents = 0
  let feesCents: Cents = 0
  for (const entry of book.between(firstDay, lastDay)) {
    const { description, reference, transactionType } = entry
    // Rows made by a payment carry its reference; the bank's interest rows have none.
    if (reference === '' && description === interestTexts.earned) interestEarnedCents += signed(entry)
    else if (reference === '' && description === interestTexts.owed) interestPaidCents -= signed(entry)
    else if (transactionType === 'FeesAndInterest') feesCents -= signed(entry)
  }
  return { interestEarnedCents, interestPaidCents, feesCents }
}

function heading(bank: Bank, accountId: string): { bank: { name: string }; account: DocumentAccount } {
  const account = bank.accountOnWire(bank.account(accountId))
  const { accountNumber, accountName, productName, referenceName, profileName } = account
  return {
    bank: { name: 'Sandbox Bank' },
    account: { accountNumber, accountName, productName, referenceName, profileName },
  }
}

const signed = ({ direction, cents }: Entry): Cents => (direction === 'CREDIT' ? cents : -cents)
