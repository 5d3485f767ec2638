// How messages quote what a client sent.

const maxQuoted = 60

/** The beginning of a text that may be long. */
export const cut = (text: string, max = maxQuoted): string =>
  text.length > max ? `${text.slice(0, max)}…` : text

/** A text in quotation marks: at most 60 characters, control characters escaped. */
export const quoted = (text: string): string => JSON.stringify(cut(text))

/** The beginning of a text that stands in a sentence without quotation marks: at most 120 characters. */
export const excerpt = (text: string): string => cut(text, 120)
