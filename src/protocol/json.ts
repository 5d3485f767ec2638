// JSON values whose type is not known yet.

/** The members of a JSON object, of any type. */
export type JsonObject = Readonly<Record<string, unknown>>

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value of a JSON text; the text itself when it is not JSON. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Whether a value contains the expected one: an object may have more members, a list may not have more items. */
export function containsJson(value: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return value === expected
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(expected))
    return false
  if (Array.isArray(expected) && (value as unknown[]).length !== expected.length) return false
  return Object.entries(expected).every(
    ([name, part]) =>
      Object.hasOwn(value, name) && containsJson((value as Record<string, unknown>)[name], part),
  )
}
