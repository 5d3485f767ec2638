// Finds keys and tokens in texts, by their looks.

const token = /[A-Za-z0-9_\-+/.]{18,200}={0,2}/y
const tokenPart = /[A-Za-z0-9_\-+/.]/
/** The beginning of a path, or of an address after its scheme: then each part between slashes is judged separately. */
const pathStart = /^(?:\/|\.{1,2}\/|[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+\/)/

/** Whether a text looks like a key or a token: long, of one piece, letters and digits mixed, and no address or word. */
export function looksSecret(text: string): boolean {
  if (text.length < 20 || /[\s]/.test(text) || /^https?:/.test(text)) return false
  if (/^(?:sk|pk|xox[bap]|gh[ps]|eyJ|AKIA)[_A-Za-z0-9-]/.test(text)) return true
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/].filter((kind) => kind.test(text)).length
  return (
    kinds >= 2 && /[0-9]/.test(text) && new Set(text).size >= 10 && !/^[a-z]+(?:[-_.][a-z]+)+$/i.test(text)
  )
}

/** The text that looks like a secret and begins at this position. */
export function secretAt(text: string, at: number): string | undefined {
  const before = text[at - 1]
  if (before !== undefined && before !== '/' && tokenPart.test(before)) return undefined
  token.lastIndex = at
  const found = token.exec(text)?.[0]
  if (found === undefined) return undefined
  const part = before === '/' || pathStart.test(found) ? found.split('/', 1)[0]! : found
  return looksSecret(part) ? part : undefined
}
