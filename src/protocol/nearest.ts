// "Did you mean …?": the known name that a misspelled one comes nearest to.

const maxLength = 60

/** The known name that differs least from `name`, or undefined when none is near. Letter case does not count. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > maxLength) return undefined
  let best: string | undefined
  let least = Math.max(2, Math.floor(name.length / 3)) + 1
  for (const each of known) {
    const edits = distance(name.toLowerCase(), each.toLowerCase())
    if (edits < least) [best, least] = [each, edits]
  }
  return best
}

/** Levenshtein distance; both texts are short. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    row = next
  }
  return row[b.length]!
}
