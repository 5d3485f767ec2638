// The purchases of a backtest: from the household, a state file, recorded executions, or a CSV file.

import { cardPurchases } from '../bank/cards/card-purchases.js'
import { type Day, dayFromParts, dayOf, endOfMonth, parseInstant, partsOf } from '../determinism/day.js'
import type { Lane } from './bank-under-test.js'
import { readText } from './card-file.js'
import { readCsv } from './csv.js'
import { LoopError } from './loop-error.js'
import { type PurchaseRequest, purchaseFrom, purchaseOfDocument } from './purchase.js'
import { loggedArguments } from './recorded.js'

/** A purchase as it happened. */
export interface PastPurchase {
  readonly id: string
  /** ISO 8601, UTC. */
  readonly dateTime: string
  readonly cardKey: string
  readonly purchase: PurchaseRequest
}

const maxBytes = 64 * 1024 * 1024
const maxPurchases = 1_000_000

export interface PurchaseSource {
  /** The file of --from; by default the household's purchases. */
  readonly from: string | undefined
  readonly columns: string | undefined
  readonly months: number
  readonly card: string | undefined
}

/** The purchases, oldest first. Rejects with a {@link LoopError}. */
export async function pastPurchases(
  lane: Lane,
  cardKey: string,
  { from, columns, months, card }: PurchaseSource,
  directory: string,
): Promise<PastPurchase[]> {
  if (columns !== undefined && from?.endsWith('.csv') !== true)
    throw new LoopError('--columns goes with a CSV file in --from.')
  if (from === undefined) return household(lane, months, card)
  const text = readText(from, directory, maxBytes)
  if (from.endsWith('.csv')) return fromCsv(from, text, columns, cardKey)
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    throw new LoopError(`${from} is not JSON: ${(error as Error).message}.`)
  }
  if (typeof document === 'object' && document !== null && 'workspaces' in document) {
    await lane.control('PUT', '/_sandbox/state', document)
    return household(lane, months, card)
  }
  const logged = loggedArguments(document)
    .filter(({ type }) => type === 'before_transaction')
    .map(({ executionId, createdAt, argument }) => {
      const { dateTime, card: used } = argument as { dateTime?: unknown; card?: { id?: unknown } }
      return {
        id: executionId,
        dateTime: instantOf(dateTime) ?? instantOf(createdAt) ?? '2026-01-01T00:00:00.000Z',
        cardKey: typeof used?.id === 'string' ? used.id : cardKey,
        purchase: purchaseOfDocument(argument, `${from}, execution ${executionId}`),
      }
    })
  if (logged.length === 0)
    throw new LoopError(
      `${from} is neither a state file nor a list of executions whose logs hold the argument of beforeTransaction.`,
    )
  return sorted(logged)
}

const instantOf = (value: unknown): string | undefined => {
  const ms = typeof value === 'string' ? parseInstant(value) : undefined
  return ms === undefined ? undefined : new Date(ms).toISOString()
}

function household(lane: Lane, months: number, card: string | undefined): PastPurchase[] {
  const { bank, clock } = lane.workspace
  const from = monthsBefore(dayOf(clock.now()), months)
  return cardPurchases(bank!, { cardKey: card, from }).map(
    ({ id, dateTime, cardKey, centsAmount, currencyCode, merchant }) => ({
      id,
      dateTime,
      cardKey,
      purchase: {
        centsAmount,
        currencyCode,
        merchant: {
          name: merchant.name,
          city: merchant.city,
          countryCode: merchant.countryCode,
          categoryCode: merchant.categoryCode,
        },
      },
    }),
  )
}

/** The same date this many months ago, or the end of that month. */
function monthsBefore(day: Day, months: number): Day {
  const { year, month, date } = partsOf(day)
  const first = dayFromParts(year, month - months, 1)
  return Math.min(first + date - 1, endOfMonth(first))
}

const sorted = (purchases: PastPurchase[]): PastPurchase[] =>
  purchases.sort(
    (a, b) => Number(a.dateTime > b.dateTime) - Number(a.dateTime < b.dateTime) || (a.id < b.id ? -1 : 1),
  )

const parts = ['cents', 'rand', 'mcc', 'merchant', 'city', 'country', 'currency', 'date'] as const
type Part = (typeof parts)[number]

function fromCsv(file: string, text: string, columns: string | undefined, cardKey: string): PastPurchase[] {
  const [head, ...rows] = readCsv(text)
  if (!head || rows.length === 0)
    throw new LoopError(`${file} has no rows: it needs a header and one line for each purchase.`)
  if (rows.length > maxPurchases)
    throw new LoopError(`${file} has ${rows.length} rows; at most ${maxPurchases} are read.`)
  const at = columnsOf(file, head, columns)
  const faults: string[] = []
  const purchases = rows.flatMap((row, index): PastPurchase[] => {
    const cell = (part: Part): string | undefined => {
      const value = at[part] === undefined ? undefined : row[at[part]]?.trim()
      return value === '' ? undefined : value
    }
    const code = cell('mcc')
    const dateTime = instantOf(cell('date'))
    const where = `${file}:${index + 2}`
    if (at.date !== undefined && dateTime === undefined && faults.length < 20)
      faults.push(`${where}: the date must be written as 2026-03-25 or 2026-03-25T08:00:00Z.`)
    try {
      const purchase = purchaseFrom(
        {
          // Banks write outgoing amounts with a minus.
          cents: cell('cents')?.replace(/^-/, ''),
          rand: cell('rand')?.replace(/^-/, ''),
          category: code === undefined ? undefined : code.padStart(4, '0'),
          merchant: cell('merchant'),
          city: cell('city'),
          country: cell('country'),
          currency: cell('currency'),
        },
        { centsAmount: 1, merchant: {} },
        (part) => `${where}: the column of ${part}`,
      )
      return [{ id: String(index + 1), dateTime: dateTime ?? '2026-01-01T00:00:00.000Z', cardKey, purchase }]
    } catch (error) {
      if (!(error instanceof LoopError)) throw error
      if (faults.length < 20) faults.push(error.message)
      return []
    }
  })
  if (faults.length > 0) throw new LoopError(faults.join('\n'))
  return sorted(purchases)
}

/** The position of each part: from --columns, or from the usual names of columns. */
function columnsOf(
  file: string,
  head: readonly string[],
  mapping: string | undefined,
): Partial<Record<Part, number>> {
  const names = head.map((name) => name.trim().toLowerCase())
  const found: Partial<Record<Part, number>> = {}
  for (const part of parts) {
    const index = names.indexOf(part)
    if (index !== -1) found[part] = index
  }
  for (const pair of mapping?.split(',') ?? []) {
    const [, part, column] = /^\s*(\w+)\s*=\s*(.+?)\s*$/.exec(pair) ?? []
    const known = parts.find((each) => each === part)
    if (known === undefined || column === undefined)
      throw new LoopError(
        `--columns must be PART=COLUMN with commas between, where PART is one of ${parts.join(', ')}, not '${pair}'.`,
      )
    const index = names.indexOf(column.toLowerCase())
    if (index === -1) throw new LoopError(`${file} has no column '${column}'; it has ${head.join(', ')}.`)
    found[known] = index
  }
  if (found.cents === undefined && found.rand === undefined)
    throw new LoopError(
      `${file} needs a column cents or rand; --columns cents=NAME says which it is. It has ${head.join(', ')}.`,
    )
  return found
}
