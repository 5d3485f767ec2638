// Which lines and branches of the code ran in all cases together.

import { coverageHits, type CoveragePoint, instrument } from '../card-code/coverage.js'
import type { Lens } from './bank-under-test.js'
import type { CardFile } from './card-file.js'

interface Share {
  readonly covered: number
  readonly total: number
  /** 100 when there is nothing to cover. */
  readonly percent: number
}

export interface CoverageReport {
  /** As text. */
  readonly lines: readonly string[]
  readonly document: {
    readonly file: string
    readonly lines: Share
    readonly branches: Share
    readonly missedLines: readonly number[]
    readonly missedBranches: readonly { readonly line: number; readonly column: number }[]
  }
}

/** Counts for one file; `report` returns what has run so far. */
export async function coverageOf(card: CardFile): Promise<{ readonly lens: Lens; report(): CoverageReport }> {
  const { source, points } = await Promise.resolve(instrument(card.code))
  const hits = new Set<number>()
  const lens: Lens = {
    input: (run) => (run.source === card.code ? { ...run, source } : run),
    outcome: (outcome) => ({
      ...outcome,
      logs: outcome.logs.filter(({ content }) => {
        const counted = coverageHits(content)
        for (const hit of counted ?? []) hits.add(hit)
        return counted === undefined
      }),
    }),
  }
  return { lens, report: () => reportOf(card, points, hits) }
}

function reportOf(
  card: CardFile,
  points: readonly CoveragePoint[],
  hits: ReadonlySet<number>,
): CoverageReport {
  // Of a bundle, only the named file counts.
  const placed = points
    .map((point, index) => ({ ...point, hit: hits.has(index), at: card.place(point.line, point.column) }))
    .filter(({ at }) => at.file === card.file)
  const lines = new Map<number, boolean>()
  for (const { kind, at, hit } of placed)
    if (kind === 'line') lines.set(at.line, (lines.get(at.line) ?? false) || hit)
  const branches = placed.filter(({ kind }) => kind === 'branch')
  const missedLines = [...lines]
    .filter(([, hit]) => !hit)
    .map(([line]) => line)
    .sort((a, b) => a - b)
  const missedBranches = branches
    .filter(({ hit }) => !hit)
    .map(({ at }) => ({ line: at.line, column: at.column ?? 1 }))
    .sort((a, b) => a.line - b.line || a.column - b.column)
  const document = {
    file: card.file,
    lines: shareOf(lines.size - missedLines.length, lines.size),
    branches: shareOf(branches.length - missedBranches.length, branches.length),
    missedLines,
    missedBranches,
  }
  const missed = [
    ...missedLines.map((line) => `${card.file}:${line}`),
    ...missedBranches.map(({ line, column }) => `${card.file}:${line}:${column}`),
  ]
  const shown =
    missed.length === 0 ? '' : ` (missed ${missed.slice(0, 10).join(', ')}${missed.length > 10 ? ', …' : ''})`
  return { document, lines: [` lines ${text(document.lines)}, branches ${text(document.branches)}${shown}`] }
}

const shareOf = (covered: number, total: number): Share => ({
  covered,
  total,
  percent: total === 0 ? 100 : Math.floor((covered / total) * 1000) / 10,
})

const text = ({ covered, total, percent }: Share): string => `${covered}/${total} (${percent} %)`
