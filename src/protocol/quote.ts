// How messages quote what a client sent, and commands quote words for a shell.

const maxQuoted = 60

/** The beginning of a text that may be long. */
export const cut = (text: string, max = maxQuoted): string =>
  text.length > max ? `${text.slice(0, max)}…` : text

/** A text in quotation marks: at most 60 characters, control characters escaped. */
export const quoted = (text: string): string => JSON.stringify(cut(text))

/** The beginning of a text that stands in a sentence without quotation marks: at most 120 characters. */
export const excerpt = (text: string): string => cut(text, 120)

/** A text in single quotes, in which shells and readers of .env files expand nothing. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A text as one word of a shell, quoted if necessary. */
export const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : shellQuoted(text))
