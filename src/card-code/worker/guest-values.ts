/** How much of the log is kept, in characters. */
export const maxLogLength = 1024 * 1024

/** The fields of a value that card code sent; none, if it is not an object. */
export const fieldsOf = (data: unknown): Record<string, unknown> =>
  typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {}

/** The text of a value that card code sent, at most `most` characters of it. */
export const cut = (text: unknown, most: number): string => {
  const whole = String(text)
  return whole.length > most ? `${whole.slice(0, most)}…` : whole
}

const maxIndented = 50

/**
 * Indents a text within groups of console. A text with very many lines stays as it is: indented, it would be a
 * hundred times as long.
 */
export const indented = (text: string, depth: number): string =>
  depth === 0 || text.length > maxLogLength / maxIndented
    ? text
    : text.replace(/^/gm, '  '.repeat(Math.min(depth, maxIndented)))

/** Whether a value that card code sent is a whole number from 0 on. */
export const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= Number.MAX_SAFE_INTEGER
