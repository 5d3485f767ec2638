// The report of a comparison: a table for the terminal, and a page without scripts.

import type { CompareReport } from './compare-with.js'
import type { Drift } from './drift.js'

/** The report as text, grouped by endpoint. */
export function driftTable(report: CompareReport): string {
  const lines: string[] = []
  for (const [endpoint, drifts] of byEndpoint(report.drifts)) {
    lines.push(endpoint)
    const width = Math.max(...drifts.map(({ path }) => path.length))
    for (const drift of drifts)
      lines.push(`  ${drift.kind.padEnd(10)} ${drift.path.padEnd(width)}  ${sentenceOf(drift)}`)
    lines.push('')
  }
  for (const each of report.skipped) lines.push(`skipped: ${each}`)
  for (const each of report.unfinished) lines.push(`unfinished: ${each}`)
  lines.push(summaryOf(report))
  return lines.join('\n')
}

/** The report as one HTML file. */
export function driftPage(report: CompareReport): string {
  const rows = byEndpoint(report.drifts).map(
    ([endpoint, drifts]) =>
      `<h2>${escaped(endpoint)}</h2><table><tr><th>Kind</th><th>Where</th><th>Difference</th></tr>${drifts
        .map(
          (drift) =>
            `<tr><td>${drift.kind}</td><td><code>${escaped(drift.path)}</code></td><td>${escaped(sentenceOf(drift))}</td></tr>`,
        )
        .join('')}</table>`,
  )
  const skipped = [...report.skipped, ...report.unfinished]
    .map((each) => `<li>${escaped(each)}</li>`)
    .join('')
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Drift</title>
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.25rem .75rem .25rem 0;border-bottom:1px solid #8884;vertical-align:top}
h2{font-size:1rem;margin-top:2rem}</style>
<h1>The service and the sandbox</h1><p>${escaped(summaryOf(report))}</p>
${rows.join('\n')}
${skipped === '' ? '' : `<h2>Not compared</h2><ul>${skipped}</ul>`}
</html>
`
}

function byEndpoint(drifts: readonly Drift[]): [string, Drift[]][] {
  const groups = new Map<string, Drift[]>()
  for (const drift of drifts) groups.set(drift.endpoint, [...(groups.get(drift.endpoint) ?? []), drift])
  return [...groups]
}

const sentenceOf = ({ situation, expected, seen }: Drift): string =>
  `${situation === '' ? '' : `${situation}: `}expected ${expected}, seen ${seen}`

function summaryOf({ drifts, accepted, checked }: CompareReport): string {
  const more = accepted > 0 ? ` (${accepted} more are accepted)` : ''
  return drifts.length === 0
    ? `No drift in ${checked.length} endpoints${more}.`
    : `${drifts.length} differences in ${checked.length} endpoints${more}.`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
