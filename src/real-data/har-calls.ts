// Calls in an HTTP Archive from any source: a browser, a proxy, or this program.

import { jsonOrText } from '../protocol/json.js'
import { RealDataError, type ReadAnswer } from './read-client.js'

/** A recorded call. */
export interface RecordedCall {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly answer: ReadAnswer
  /** Epoch ms of the service; undefined when it is not recorded. */
  readonly atMs: number | undefined
}

/** The calls of a HAR document, without invalid entries. Throws a {@link RealDataError} for other documents. */
export function recordedCalls(har: unknown): RecordedCall[] {
  const { entries } = Object((Object(har) as { log?: unknown }).log) as { entries?: unknown }
  if (!Array.isArray(entries))
    throw new RealDataError('The file is not an HTTP Archive: it has no log.entries.', 2)
  return entries.flatMap((entry) => callOf(entry) ?? [])
}

/** A recording may be of a service behind a path, such as `https://gateway.example/bank/za/pb/v1/accounts`. */
const baseOfApi = /^\/[^]*?\/(?=(?:za|identity)\/)/

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
    path: pathname.replace(baseOfApi, '/') + search,
    answer: { status, headers: named, text, body: jsonOrText(text) },
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
