// "Did you mean": the known name that is spelt almost like one.

const maxLength = 40

/** The nearest of the names, at most a third of its letters away; undefined when none is near. */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  if (text.length > maxLength) return undefined
  let best: string | undefined
  let least = Infinity
  for (const name of names) {
    const changes = distance(text.toLowerCase(), name.toLowerCase())
    if (changes < least && changes <= Math.max(1, Math.floor(name.length / 3)))
      [best, least] = [name, changes]
  }
  return best
}

/** How many letters have to be added, removed, replaced, or swapped with the next one. */
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
