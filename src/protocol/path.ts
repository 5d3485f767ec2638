// Paths of calls: split, folded and filled here alone.

/** A path without its query: `/za/v1/cards` of `/za/v1/cards?limit=1`. */
export function withoutQuery(path: string): string {
  const mark = path.indexOf('?')
  return mark < 0 ? path : path.slice(0, mark)
}

/** The parameters in the query of a path. A name that occurs more than once has a list of texts. */
export function queryOf(path: string): Record<string, string | string[]> {
  const query = Object.create(null) as Record<string, string | string[]>
  const mark = path.indexOf('?')
  if (mark < 0) return query
  for (const [name, value] of new URLSearchParams(path.slice(mark + 1))) {
    const before = query[name]
    if (before === undefined) query[name] = value
    else if (typeof before === 'string') query[name] = [before, value]
    else before.push(value)
  }
  return query
}

/** Doubled slashes count as one, as on the service. */
export const foldSlashes = (path: string): string =>
  path.includes('//') ? path.replace(/\/{2,}/g, '/') : path

/** A template with its parameters, percent-encoded, and a query: `/za/v1/cards/12?page=1`. */
export function fillPath(
  template: string,
  params: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, string>> = {},
): string {
  const path = template.replace(/\{(\w+)\}/g, (part, name: string) =>
    encodeURIComponent(params[name] ?? part),
  )
  const search = new URLSearchParams(query).toString()
  return search === '' ? path : `${path}?${search}`
}
