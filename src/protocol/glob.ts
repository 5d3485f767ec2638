// Globs for paths and addresses: `*` stands for anything within a segment, `**` for anything at all. Matched by hand,
// since a regular expression made from a glob such as `*a*a*a*b` takes for ever on the wrong text.

/** The schemas of what tells calls apart by globs. */
export const callGlobs = {
  method: { type: 'string', maxLength: 20, description: 'A method, or a glob of one.', examples: ['POST'] },
  path: {
    type: 'string',
    maxLength: 300,
    description: 'A path without its query, or a glob: `*` within a segment, `**` across them.',
    examples: ['/za/pb/v1/accounts/*/paymultiple'],
  },
} as const

/** Whether all of a text fits a glob. The time is bounded by the product of their lengths for each `**`. */
export function fits(glob: string, text: string): boolean {
  let g = 0
  let t = 0
  /** Where the last star and the last double star were, and the text that they have swallowed so far. */
  let star: { g: number; t: number } | undefined
  let doubleStar: { g: number; t: number } | undefined
  for (;;) {
    if (glob[g] === '*') {
      const isDouble = glob[g + 1] === '*'
      while (glob[g] === '*') g++
      if (isDouble) {
        doubleStar = { g, t }
        star = undefined
      } else star = { g, t }
    } else if (t === text.length) {
      if (g === glob.length) return true
      // The text has ended too early: a longer swallow only makes what is left of it shorter.
      return false
    } else if (g < glob.length && glob[g] === text[t]) {
      g++
      t++
    } else if (star && text[star.t] !== '/') {
      t = ++star.t
      g = star.g
    } else if (doubleStar && doubleStar.t < text.length) {
      t = ++doubleStar.t
      g = doubleStar.g
      star = undefined
    } else return false
  }
}
