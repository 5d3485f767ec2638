// The results of a backtest: totals, the changed purchases, and groups by category and by month.

import type { PastPurchase } from './backtest-purchases.js'
import type { Verdict } from './backtest-run.js'
import { csvRow } from './csv.js'
import { amount, grouped, rand } from './amounts.js'
import { categoryName, counted, printable } from './show.js'

export interface Totals {
  readonly approved: number
  readonly declined: number
  /** The code made no decision: the bank approves. */
  readonly failed: number
  readonly declinedCents: number
}

interface Changed {
  readonly id: string
  readonly dateTime: string
  readonly cardKey: string
  readonly merchant: string
  readonly category: string
  readonly cents: number
  readonly currency: string
  readonly old: Verdict
  readonly new: Verdict
}

export interface Group {
  readonly name: string
  readonly purchases: number
  readonly old: Totals | null
  readonly new: Totals
  readonly changed: number
}

/** The output of `card backtest --json`. */
export interface BacktestReport {
  readonly file: string
  readonly against: string | null
  readonly purchases: number
  readonly months: number
  readonly cards: number
  readonly old: Totals | null
  readonly new: Totals
  readonly changed: readonly Changed[]
  readonly byCategory: readonly Group[]
  readonly byMonth: readonly Group[]
}

export interface Names {
  readonly file: string
  readonly against: string | undefined
}

/** `verdicts` has those of the new version, then those of the old one, if there is one. */
export function reportOf(
  { file, against }: Names,
  purchases: readonly PastPurchase[],
  [fresh, old]: readonly Verdict[][],
): BacktestReport {
  const all = purchases.map((_, index) => index)
  const group = (name: string, indexes: readonly number[]): Group => ({
    name,
    purchases: indexes.length,
    old: old ? totalsOf(purchases, old, indexes) : null,
    new: totalsOf(purchases, fresh!, indexes),
    changed: old ? indexes.filter((index) => old[index] !== fresh![index]).length : 0,
  })
  const groups = (nameOf: (purchase: PastPurchase) => string): Group[] => {
    const byName = new Map<string, number[]>()
    for (const index of all) {
      const name = nameOf(purchases[index]!)
      const list = byName.get(name)
      if (list) list.push(index)
      else byName.set(name, [index])
    }
    return [...byName].map(([name, indexes]) => group(name, indexes))
  }
  const whole = group('all', all)
  const byMonth = groups(({ dateTime }) => dateTime.slice(0, 7)).sort((a, b) => (a.name < b.name ? -1 : 1))
  return {
    file,
    against: against ?? null,
    purchases: purchases.length,
    months: byMonth.length,
    cards: new Set(purchases.map(({ cardKey }) => cardKey)).size,
    old: whole.old,
    new: whole.new,
    changed: old ? changedOf(purchases, old, fresh!) : [],
    byCategory: groups(({ purchase }) => categoryName(purchase.merchant.categoryCode ?? '5462')).sort(
      (a, b) => b.changed - a.changed || b.purchases - a.purchases || (a.name < b.name ? -1 : 1),
    ),
    byMonth,
  }
}

function totalsOf(
  purchases: readonly PastPurchase[],
  verdicts: readonly Verdict[],
  indexes: readonly number[],
): Totals {
  const count = { approved: 0, declined: 0, failed: 0 }
  let declinedCents = 0
  for (const index of indexes) {
    const verdict = verdicts[index]!
    count[verdict]++
    if (verdict === 'declined') declinedCents += purchases[index]!.purchase.centsAmount
  }
  return { ...count, declinedCents }
}

const changedOf = (
  purchases: readonly PastPurchase[],
  old: readonly Verdict[],
  fresh: readonly Verdict[],
): Changed[] =>
  purchases.flatMap(({ id, dateTime, cardKey, purchase }, index) =>
    old[index] === fresh[index]
      ? []
      : [
          {
            id,
            dateTime,
            cardKey,
            merchant: purchase.merchant.name ?? 'Sandbox Merchant',
            category: purchase.merchant.categoryCode ?? '5462',
            cents: purchase.centsAmount,
            currency: (purchase.currencyCode ?? 'ZAR').toUpperCase(),
            old: old[index]!,
            new: fresh[index]!,
          },
        ],
  )

const marks: Readonly<Record<Verdict, string>> = { approved: '✓', declined: '✕', failed: '!' }
const shownRows = 20

/** The text report: the changed purchases first. */
export function backtestText(report: BacktestReport): string {
  const { purchases, months, cards, old, new: fresh, changed, byCategory, byMonth } = report
  const lines = [`${counted(purchases, 'purchase')}, ${counted(months, 'month')}, ${counted(cards, 'card')}`]
  lines.push('        approved  declined  failed        declined amount')
  if (old) lines.push(totalsLine('old', old))
  lines.push(totalsLine('new', fresh))
  if (old) {
    lines.push(changedLine(changed))
    for (const each of changed.slice(0, shownRows))
      lines.push(
        `  ${each.dateTime.slice(0, 10)}  ${printable(each.merchant).slice(0, 28).padEnd(28)}  ${amount(each.cents, each.currency).padStart(14)}  ${marks[each.old]}→${marks[each.new]}`,
      )
    if (changed.length > shownRows)
      lines.push(`  and ${grouped(changed.length - shownRows)} more: --csv FILE writes all`)
  }
  lines.push('', ...groupLines('category', byCategory.slice(0, shownRows), old !== null))
  if (byCategory.length > shownRows) lines.push(`  and ${byCategory.length - shownRows} more`)
  lines.push('', ...groupLines('month', byMonth, old !== null))
  return lines.join('\n')
}

const totalsLine = (name: string, { approved, declined, failed, declinedCents }: Totals): string =>
  ` ${name}  ${grouped(approved).padStart(10)}${grouped(declined).padStart(10)}${grouped(failed).padStart(8)}${rand(declinedCents).padStart(23)}`

function changedLine(changed: readonly Changed[]): string {
  const declined = changed.filter((each) => each.new === 'declined')
  const allowed = changed.filter((each) => each.old === 'declined')
  const sum = (list: readonly Changed[]): string => rand(list.reduce((total, { cents }) => total + cents, 0))
  const parts = [
    ...(declined.length > 0 ? [`${sum(declined)} now declined`] : []),
    ...(allowed.length > 0 ? [`${sum(allowed)} no longer declined`] : []),
  ]
  return ` ${counted(changed.length, 'decision')} changed${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`
}

const barWidth = 20

/** A histogram of declined purchases, old and new. */
function groupLines(title: string, groups: readonly Group[], hasOld: boolean): string[] {
  const most = Math.max(1, ...groups.flatMap((each) => [each.new.declined, each.old?.declined ?? 0]))
  const bar = (count: number): string => '█'.repeat(Math.round((count / most) * barWidth))
  const width = Math.max(...groups.map(({ name }) => name.length), title.length)
  return [
    ` ${title.padEnd(width)}  purchases  declined`,
    ...groups.map((each) => {
      const before = hasOld ? `${grouped(each.old!.declined)}→` : ''
      return ` ${each.name.padEnd(width)}  ${grouped(each.purchases).padStart(9)}  ${`${before}${grouped(each.new.declined)}`.padStart(8)}  ${bar(each.new.declined)}`.trimEnd()
    }),
  ]
}

/** One line for each purchase. */
export function backtestCsv(purchases: readonly PastPurchase[], [fresh, old]: readonly Verdict[][]): string {
  const head = [
    'id',
    'dateTime',
    'card',
    'merchant',
    'category',
    'cents',
    'currency',
    ...(old ? ['old'] : []),
    'new',
  ]
  const rows = purchases.map(({ id, dateTime, cardKey, purchase }, index) =>
    csvRow([
      id,
      dateTime,
      cardKey,
      purchase.merchant.name ?? '',
      purchase.merchant.categoryCode ?? '',
      purchase.centsAmount,
      (purchase.currencyCode ?? 'ZAR').toUpperCase(),
      ...(old ? [old[index]!] : []),
      fresh![index]!,
    ]),
  )
  return `${[head.join(','), ...rows].join('\n')}\n`
}
