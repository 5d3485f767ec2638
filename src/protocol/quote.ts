// What a client sent, as messages quote it.

const maxQuoted = 60

/** The beginning of a text that may be long. */
export const cut = (text: string, max = maxQuoted): string =>
  text.length > max ? `${text.slice(0, max)}…` : text

/** A text in quotation marks, its control characters escaped, at most 60 characters of it. */
export const quoted = (text: string): string => JSON.stringify(cut(text))
