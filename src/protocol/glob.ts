// Globs for paths and addresses: `*` matches within a segment, `**` matches anything. Matched by hand, because a
// regular expression made from a glob such as `*a*a*a*b` takes exponential time on the wrong text.

/** The schemas of the globs that select calls. */
export const callGlobs = {
  method: {
    type: 'string',
    maxLength: 20,
    description: 'A method, or a glob that matches methods.',
    examples: ['POST'],
  },
  path: {
    type: 'string',
    maxLength: 300,
    description: 'A path without its query, or a glob: `*` within a segment, `**` across them.',
    examples: ['/za/pb/v1/accounts/*/paymultiple'],
  },
} as const

/** Whether the whole text matches a glob. The time is at most the product of their lengths for each `**`. */
export function fits(glob: string, text: string): boolean {
  let g = 0
  let t = 0
  /** The positions of the last star and the last double star, and how much text each has consumed so far. */
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
      // The text is too short: a star that consumes more only leaves less of it.
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
