// The report of a backtest as one page: without scripts and external resources, with charts as SVG.

import type { BacktestReport, Group, Totals } from './backtest-report.js'
import { amount, grouped, rand } from './amounts.js'
import { counted } from './show.js'

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const style = `:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;margin:1rem 0}th,td{padding:.25rem .75rem;text-align:right;border-bottom:1px solid #8884}
th:first-child,td:first-child,.text{text-align:left}svg text{font:12px system-ui,sans-serif;fill:currentColor}
.old{fill:#8a8f98}.new{fill:#c2571a}.box{overflow-x:auto}`

/** The most changed purchases on the page; the CSV file has all. */
const maxRows = 1_000

export function backtestHtml(report: BacktestReport): string {
  const { file, against, purchases, months, cards, old, new: fresh, changed, byCategory, byMonth } = report
  const title = `Backtest of ${file}${against === null ? '' : ` against ${against}`}`
  const about = `${counted(purchases, 'purchase')}, ${counted(months, 'month')}, ${counted(cards, 'card')}`
  const parts = [
    `<h1>${escaped(title)}</h1>`,
    `<p>${about}</p>`,
    table(
      ['', 'approved', 'declined', 'failed', 'declined amount'],
      [...(old ? [totalsRow('old', old)] : []), totalsRow('new', fresh)],
    ),
  ]
  if (old) {
    const rows = changed
      .slice(0, maxRows)
      .map((each) => [
        each.dateTime.slice(0, 10),
        escaped(each.merchant),
        each.category,
        amount(each.cents, each.currency),
        each.old,
        each.new,
      ])
    parts.push(`<h2>${counted(changed.length, 'decision')} changed</h2>`)
    if (rows.length > 0) parts.push(table(['date', 'merchant', 'category', 'amount', 'old', 'new'], rows))
    if (changed.length > maxRows) parts.push(`<p>and ${grouped(changed.length - maxRows)} more</p>`)
  }
  parts.push(
    '<h2>Declined by month</h2>',
    chart(byMonth),
    '<h2>Declined by category</h2>',
    chart(byCategory.slice(0, 20)),
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title><style>${style}</style></head><body>
${parts.join('\n')}
</body></html>
`
}

const totalsRow = (name: string, { approved, declined, failed, declinedCents }: Totals): string[] => [
  name,
  grouped(approved),
  grouped(declined),
  grouped(failed),
  rand(declinedCents),
]

/** Cells are already HTML. */
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<div class="box"><table><thead><tr>${head.map((cell) => `<th>${cell}</th>`).join('')}</tr></thead><tbody>${rows
    .map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('')}</tbody></table></div>`

/** Bars of declined purchases: old above new. */
function chart(groups: readonly Group[]): string {
  const [left, width, row] = [270, 420, 34]
  const most = Math.max(1, ...groups.flatMap((each) => [each.new.declined, each.old?.declined ?? 0]))
  const length = (count: number): number => Math.round((count / most) * width)
  const bars = groups.map((each, index) => {
    const y = index * row
    const label = escaped(each.name.length > 42 ? `${each.name.slice(0, 41)}…` : each.name)
    const before = each.old
      ? `<rect class="old" x="${left}" y="${y + 4}" width="${length(each.old.declined)}" height="11"/>`
      : ''
    const counts = each.old
      ? `${grouped(each.old.declined)} → ${grouped(each.new.declined)}`
      : grouped(each.new.declined)
    const end = left + Math.max(length(each.new.declined), length(each.old?.declined ?? 0)) + 6
    return `<text x="0" y="${y + 20}">${label}</text>${before}<rect class="new" x="${left}" y="${y + 16}" width="${length(each.new.declined)}" height="11"/><text x="${end}" y="${y + 20}">${counts}</text>`
  })
  const height = groups.length * row
  return `<div class="box"><svg role="img" aria-label="Declined purchases" width="${left + width + 90}" height="${height}" viewBox="0 0 ${left + width + 90} ${height}">${bars.join('')}</svg></div>`
}
