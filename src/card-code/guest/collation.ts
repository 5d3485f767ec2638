// Comparing plain texts inside the guest: a call of the worker for each comparison would make sorting 10,000 names take seconds.
// For printable ASCII the order of the Unicode root collation is a short table; everything else goes to the worker.

const signs = '\t\n\r _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$0123456789'
const { charCodeAt } = String.prototype
const { apply } = Reflect

/** Position in the order, and 0 for what the table does not hold; upper case counts as lower case. */
const weights: number[] = []
for (let code = 0; code < 128; code += 1) {
  const at = signs.indexOf(String.fromCharCode(code))
  const letter = (code | 32) - 96
  weights[code] = at >= 0 ? at + 1 : code > 64 && letter >= 1 && letter <= 26 ? 100 + letter : 0
}

/** -1, 0 or 1 as the root collation has it; undefined where a text holds more than printable ASCII. */
export const comparePlain = (a: string, b: string): number | undefined => {
  const shorter = a.length < b.length ? a.length : b.length
  let cases = 0
  let decided = 0
  for (let i = 0; i < shorter; i += 1) {
    const first: number = apply(charCodeAt, a, [i])
    const second: number = apply(charCodeAt, b, [i])
    const x = first < 128 ? weights[first]! : 0
    const y = second < 128 ? weights[second]! : 0
    if (x === 0 || y === 0) return undefined
    if (first === second || decided !== 0) continue
    if (x !== y) decided = x < y ? -1 : 1
    // Lower case comes first, when nothing else differs.
    else if (cases === 0) cases = first > second ? -1 : 1
  }
  // What follows may be an accent, which belongs to the letter before it.
  const rest = a.length < b.length ? b : a
  for (let i = shorter; i < rest.length; i += 1) {
    const code: number = apply(charCodeAt, rest, [i])
    if (code >= 128 || weights[code] === 0) return undefined
  }
  if (decided !== 0) return decided
  if (a.length !== b.length) return a.length < b.length ? -1 : 1
  return cases
}
