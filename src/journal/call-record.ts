// Calls of the journal as they are shown: without secrets, with their query separated, and how they are searched.

import type { BankEvent } from '../bank/client-records.js'
import { callGlobs, fits } from '../protocol/glob.js'
import type { JournalEntry } from './journal.js'
import { containsJson, jsonOrText } from '../protocol/json.js'
import { queryOf, withoutQuery } from '../protocol/path.js'
import { shownAddress, shownBody, shownHeader, shownParameter } from '../protocol/redaction.js'
import { record, timestamp, type FromSchema } from '../protocol/schema.js'
import { Warnings } from '../protocol/warning.js'

const headers = { type: 'object', additionalProperties: { type: 'string' } } as const

/** One call as `GET /_sandbox/requests` shows it. */
export const CallRecord = record('CallRecord', 'One call, without its secrets.', {
  id: { type: 'integer', description: '1 for the first since the start or the last reset.' },
  time: { ...timestamp, description: "When it came, in UTC of the bank's clock." },
  ms: { type: 'number', description: "By the sandbox's clock: 0 while it stands still." },
  client: { type: ['string', 'null'], description: 'The client id.' },
  workspace: { type: 'string', description: 'The workspace that answered.' },
  method: { type: 'string', description: 'The HTTP method.' },
  path: { type: 'string', description: 'As the endpoint declares it: what filters and faults match.' },
  pathAsSent: { type: 'string', description: 'The path as the client wrote it, without its query.' },
  query: { type: 'object', description: 'Text, or a list of texts when a name occurs more than once.' },
  status: { type: ['integer', 'null'], description: 'Null when no answer came.' },
  fault: { type: ['string', 'null'], description: 'The id of the fault that affected the call.' },
  problem: {
    anyOf: [
      { type: 'null' },
      record('CallProblem', 'Why the call was refused.', {
        code: { type: 'string', description: 'The code of the problem, such as invalid-request.' },
        detail: { type: 'string', description: 'What was wrong, and what would be right.' },
      }),
    ],
    description: 'Set for a refusal, even when the body of the answer does not contain it.',
  },
  warnings: Warnings,
  request: record('CallRequest', 'What was sent; bodies are cut at 8 KiB.', {
    headers: { ...headers, description: 'The headers, secrets masked.' },
    body: { type: 'string', description: 'The body as text, secrets masked, cut at 8 KiB.' },
  }),
  response: record('CallResponse', 'What was answered; bodies are cut at 8 KiB.', {
    headers: { ...headers, description: 'The headers, secrets masked.' },
    body: { type: 'string', description: 'The body as text, secrets masked, cut at 8 KiB.' },
  }),
})
export type CallRecord = FromSchema<typeof CallRecord>

export function callRecord(entry: JournalEntry, workspace: string): CallRecord {
  return {
    id: entry.id,
    time: new Date(entry.atMs).toISOString(),
    ms: entry.ms,
    client: entry.clientId,
    workspace,
    method: entry.method,
    path: shownAddress(entry.canonicalPath),
    pathAsSent: shownAddress(withoutQuery(entry.path)),
    query: shownQuery(entry.path),
    status: entry.status === 0 ? null : entry.status,
    fault: entry.fault,
    problem: entry.problem && { ...entry.problem },
    warnings: entry.warnings.map((warning) => ({ ...warning })),
    request: { headers: shownHeaders(entry.requestHeaders), body: shownBody(entry.requestBody) },
    response: { headers: shownHeaders(entry.responseHeaders), body: shownBody(entry.responseBody) },
  }
}

/**
 * A call as the event stream tells it.
 *
 * @param realMs how long it took by the wall clock, which differs in every run
 */
export function callEvent(entry: JournalEntry, realMs: number): BankEvent {
  const { id, atMs, ms, method, status, fault, problem, warnings } = entry
  return {
    type: 'call',
    atMs,
    id,
    ms,
    client: entry.clientId,
    method,
    path: shownAddress(entry.canonicalPath),
    address: shownAddress(entry.path),
    status: status || null,
    realMs: Math.round(realMs * 10) / 10,
    fault,
    problem,
    warnings,
  }
}

/** The query of a path, secrets masked. */
function shownQuery(path: string): Record<string, string | string[]> {
  const masked = Object.entries(queryOf(path)).map(([name, value]) => [
    name,
    typeof value === 'string' ? shownParameter(name, value) : value.map((each) => shownParameter(name, each)),
  ])
  return Object.fromEntries(masked) as Record<string, string | string[]>
}

type Headers = JournalEntry['requestHeaders']

function shownHeaders(given: Headers): Record<string, string> {
  const shown: [string, string][] = []
  for (const [name, value] of Object.entries(given))
    if (value !== undefined) shown.push([name, shownHeader(name, [value].flat().join(', '))])
  return Object.fromEntries(shown)
}

/** Selects calls of the journal. */
export const CallQuery = {
  title: 'CallQuery',
  description: 'Selects calls; an omitted member matches every call.',
  type: 'object',
  properties: {
    ...callGlobs,
    status: { type: 'integer', description: 'Of the answer.' },
    client: { type: 'string', maxLength: 200, description: 'The client id.' },
    query: {
      type: 'object',
      additionalProperties: { type: 'string', maxLength: 10_000 },
      maxProperties: 100,
      description: 'Query parameters that the call has, with these values.',
    },
    headers: {
      type: 'object',
      additionalProperties: { type: 'string', maxLength: 10_000 },
      maxProperties: 100,
      description: 'Headers that the call has, in any case of their names; secret ones cannot be asked for.',
    },
    body: {
      description:
        'What the JSON or form body must contain: an object matches one that has at least its members.',
    },
  },
  additionalProperties: false,
} as const
export type CallQuery = FromSchema<typeof CallQuery>

/** The parts of the query that a call does not match; empty when it matches. */
export function differences(call: CallRecord, query: CallQuery): string[] {
  const found: string[] = []
  const differ = (name: string, isEqual: boolean): void => {
    if (!isEqual) found.push(name)
  }
  if (query.method !== undefined) differ('method', fits(query.method.toUpperCase(), call.method))
  if (query.path !== undefined) differ('path', fits(query.path, call.path))
  if (query.status !== undefined) differ('status', query.status === call.status)
  if (query.client !== undefined) differ('client', query.client === call.client)
  for (const [name, value] of Object.entries(query.query ?? {}))
    differ(`query.${name}`, [call.query[name]].flat().includes(value))
  const lower = new Map(
    Object.entries(call.request.headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
  for (const [name, value] of Object.entries(query.headers ?? {}))
    differ(`headers.${name}`, lower.get(name.toLowerCase()) === value)
  if (query.body !== undefined) differ('body', containsJson(parsedBody(call.request.body), query.body))
  return found
}

function parsedBody(text: string): unknown {
  const value = jsonOrText(text)
  return value === text && text.includes('=') ? Object.fromEntries(new URLSearchParams(text)) : value
}
