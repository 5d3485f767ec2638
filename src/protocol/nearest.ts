// "Did you mean …?": finds the known name nearest to a misspelled one.

const maxLength = 60

/** The known name that differs least from `name`; undefined when none is near. Letter case does not count. */
export const nearest = (name: string, known: readonly string[]): string | undefined =>
  allNearest(name, known)[0]

/** What to say behind "is not known": the name that was likely meant, or else all that are known. */
export function insteadOf(name: string, known: readonly string[]): string {
  const meant = nearest(name, known)
  if (meant !== undefined) return `; did you mean ${meant}?`
  return known.length === 0 ? '' : `; known are ${known.join(', ')}`
}

/** The known names that differ least from `name`, equally much; empty when none is near. */
export function allNearest(name: string, known: readonly string[]): string[] {
  if (name.length > maxLength) return []
  let best: string[] = []
  let least = Math.max(2, Math.floor(name.length / 3))
  for (const each of known) {
    const edits = distance(name.toLowerCase(), each.toLowerCase())
    if (edits < least) best = []
    if (edits <= least) best.push(each)
    least = Math.min(least, edits)
  }
  return best
}

/** How many letters to add, remove, replace, or swap with the next one; both texts are short. */
function distance(one: string, other: string): number {
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const cost = one[i - 1] === other[j - 1] ? 0 : 1
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const swapped = isSwap ? before[j - 2]! + 1 : Infinity
      next.push(Math.min(row[j - 1]! + cost, row[j]! + 1, next[j - 1]! + 1, swapped))
    }
    before = row
    row = next
  }
  return row.at(-1)!
}
