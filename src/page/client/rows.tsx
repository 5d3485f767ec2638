// Long lists: only the visible rows are in the document.

import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

/** The height of a row in pixels; the style sheet has the same value. */
export const rowHeight = 32
const extra = 10

/** Which rows of `count` to draw in a scrolling box, and the space that the others take. */
export function useWindow(box: RefObject<HTMLElement | null>, count: number) {
  const [place, setPlace] = useState({ top: 0, height: 800 })
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = (): void => setPlace({ top: element.scrollTop, height: element.clientHeight })
    measure()
    element.addEventListener('scroll', measure, { passive: true })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', measure)
      observer.disconnect()
    }
  }, [box.current])
  const first = Math.max(0, Math.min(count, Math.floor(place.top / rowHeight) - extra))
  const end = Math.min(count, Math.ceil((place.top + place.height) / rowHeight) + extra)
  return { first, end, above: first * rowHeight, below: Math.max(0, count - end) * rowHeight }
}

/** A table row that only takes space. */
export const Spacer = ({ height, columns }: { height: number; columns: number }): ComponentChildren =>
  height === 0 ? null : (
    <tr aria-hidden="true" class="spacer">
      <td colSpan={columns} ref={(cell) => cell?.style.setProperty('height', `${height}px`)} />
    </tr>
  )

/** A text that filters rows: as the user types it, and as it is compared. */
export function useFilter(): [text: string, set: (text: string) => void, applied: string] {
  const [text, setText] = useState('')
  return [text, setText, text.trim().toLowerCase()]
}
