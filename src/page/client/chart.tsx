// The running balance as a line, drawn by hand because it is the only chart. A click goes to the row.

import { useMemo, useState } from 'preact/hooks'
import type { Answer } from './api.js'
import { rand } from './format.js'

type Entry = Answer<'GET', '/_sandbox/accounts/{accountId}/entries'>['entries'][number]

const width = 1000
const height = 96

/** One point of the line, in pixels of the drawing. */
interface Point {
  readonly x: number
  readonly y: number
  readonly entry: Entry
}

/** Points from the oldest to the newest entry; at most as many as the drawing has pixels. */
function pointsOf(entries: readonly Entry[]): Point[] {
  const step = Math.max(1, Math.ceil(entries.length / width))
  const chosen = entries.filter((_, index) => index % step === 0).reverse()
  let low = 0
  let high = 1
  for (const { balanceCents } of chosen) {
    low = Math.min(low, balanceCents)
    high = Math.max(high, balanceCents)
  }
  const across = width / Math.max(1, chosen.length - 1)
  return chosen.map((entry, index) => ({
    x: Math.round(index * across * 10) / 10,
    y: Math.round((height - ((entry.balanceCents - low) / (high - low)) * height) * 10) / 10,
    entry,
  }))
}

/** A balance stays until the next entry changes it. */
const linePath = (points: readonly Point[]): string =>
  points.map(({ x, y }, index) => (index === 0 ? `M${x},${y}` : `H${x}V${y}`)).join('')

export function BalanceChart({
  entries,
  show,
}: {
  entries: readonly Entry[]
  show: (postedOrder: number) => void
}) {
  const points = useMemo(() => pointsOf(entries), [entries])
  const [near, setNear] = useState<Point>()
  const nearest = (event: MouseEvent & { currentTarget: Element }): Point | undefined => {
    const { left, width: shown } = event.currentTarget.getBoundingClientRect()
    const x = ((event.clientX - left) / shown) * width
    return points.reduce<Point | undefined>(
      (best, point) => (!best || Math.abs(point.x - x) < Math.abs(best.x - x) ? point : best),
      undefined,
    )
  }
  const oldest = entries.at(-1)
  const newest = entries[0]
  return (
    <figure class="chart">
      <svg
        viewBox={`0 -4 ${width} ${height + 8}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={
          newest && oldest
            ? `Balance from ${oldest.postingDate} to ${newest.postingDate}: ${rand(oldest.balanceCents)} to ${rand(newest.balanceCents)}`
            : 'No balance yet'
        }
        onMouseMove={(event) => setNear(nearest(event))}
        onMouseLeave={() => setNear(undefined)}
        onClick={(event) => {
          const point = nearest(event)
          if (point) show(point.entry.postedOrder)
        }}
      >
        <path d={linePath(points)} vector-effect="non-scaling-stroke" />
        {near && <line x1={near.x} x2={near.x} y1={-4} y2={height + 4} vector-effect="non-scaling-stroke" />}
      </svg>
      <figcaption aria-hidden="true">
        {near
          ? `${near.entry.postingDate} · ${rand(near.entry.balanceCents)} · ${near.entry.description}`
          : newest && oldest
            ? `${oldest.postingDate} to ${newest.postingDate}`
            : '\u00a0'}
      </figcaption>
    </figure>
  )
}
