// Calls in an HTTP Archive, by whoever recorded it: a browser, a proxy, or this program.

import { RealDataError, type ReadAnswer } from './read-client.js'

/** A recorded call. */
export interface RecordedCall {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly answer: ReadAnswer
  /** Epoch ms of the service; undefined when nothing says it. */
  readonly atMs: number | undefined
}

/** The calls of a HAR document; entries that are none are left out. Throws a {@link RealDataError} for another document. */
export function recordedCalls(har: unknown): RecordedCall[] {
  const { entries } = Object((Object(har) as { log?: unknown }).log) as { entries?: unknown }
  if (!Array.isArray(entries))
    throw new RealDataError('The file is no HTTP Archive: it has no log.entries.', 2)
  return entries.flatMap((entry) => callOf(entry) ?? [])
}

function callOf(entry: unknown): RecordedCall | undefined {
  const { request, response, startedDateTime } = Object(entry) as {
    request?: unknown
    response?: unknown
    startedDateTime?: unknown
  }
  const { method, url } = Object(request) as { method?: unknown; url?: unknown }
  const { status, headers, content } = Object(response) as {
    status?: unknown
    headers?: unknown
    content?: unknown
  }
  if (
    typeof method !== 'string' ||
    typeof url !== 'string' ||
    !URL.canParse(url) ||
    typeof status !== 'number'
  )
    return undefined
  const { pathname, search } = new URL(url)
  const named = headersOf(headers)
  const text = textOf(content)
  const said = named.date ?? startedDateTime
  const at = typeof said === 'string' ? Date.parse(said) : NaN
  return {
    method: method.toUpperCase(),
    path: pathname + search,
    answer: { status, headers: named, text, body: parsed(text) },
    atMs: Number.isNaN(at) ? undefined : at,
  }
}

function headersOf(list: unknown): Record<string, string> {
  const headers: Record<string, string> = Object.create(null) as Record<string, string>
  for (const each of Array.isArray(list) ? (list as unknown[]) : []) {
    const { name, value } = Object(each) as { name?: unknown; value?: unknown }
    if (typeof name === 'string' && typeof value === 'string') headers[name.toLowerCase()] = value
  }
  return headers
}

function textOf(content: unknown): string {
  const { text, encoding } = Object(content) as { text?: unknown; encoding?: unknown }
  if (typeof text !== 'string') return ''
  return encoding === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
