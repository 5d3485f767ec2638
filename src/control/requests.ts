// The journal of calls: list, export, and verify.

import { CallQuery, CallRecord, callRecord, differences } from '../journal/call-record.js'
import { defineEndpoint } from '../endpoint/endpoint.js'
import { EventStream } from '../protocol/call.js'
import { Count, verified, type Counts } from '../journal/expectation.js'
import { harOf } from '../journal/har.js'
import { listOf, record } from '../protocol/schema.js'
import { version } from '../protocol/version.js'
import type { Workspace } from '../workspace/workspace.js'
import { Deleted } from './deletion.js'

const filter = {
  type: 'object',
  properties: {
    method: { type: 'string', maxLength: 20, description: 'A method, or a glob that matches methods.' },
    path: { type: 'string', maxLength: 300, description: 'A path without its query, or a glob.' },
    status: {
      type: 'string',
      pattern: '^[1-5][0-9][0-9]$',
      description: 'A status from 100 to 599, such as 429.',
    },
    client: { type: 'string', maxLength: 200, description: 'The client id.' },
    after: {
      type: 'string',
      pattern: '^[0-9]{1,15}$',
      description: 'The number of a call: only later calls.',
    },
    limit: {
      type: 'string',
      pattern: '^[0-9]{1,4}$',
      description: 'How many of the newest, up to 9999.',
    },
  },
} as const

interface Filter {
  readonly method?: string | undefined
  readonly path?: string | undefined
  readonly status?: string | undefined
  readonly client?: string | undefined
  readonly after?: string | undefined
  readonly limit?: string | undefined
}

const recordsOf = ({ journal, name }: Workspace, after = 0): CallRecord[] =>
  journal.entries.filter(({ id }) => id > after).map((entry) => callRecord(entry, name))

function filtered(workspace: Workspace, { after = '0', limit, status, method, path, client }: Filter) {
  const query: CallQuery = {
    ...(method !== undefined && { method }),
    ...(path !== undefined && { path }),
    ...(client !== undefined && { client }),
    ...(status !== undefined && { status: Number(status) }),
  }
  const found = recordsOf(workspace, Number(after)).filter((call) => differences(call, query).length === 0)
  return limit === undefined ? found : found.slice(Math.max(0, found.length - Number(limit)))
}

/** Compares the journal with an expectation. Throws `verification-failed` with the nearest calls. */
function verify(workspace: Workspace, match: CallQuery, count?: Counts) {
  const { dropped } = workspace.journal
  const matched = verified({
    calls: recordsOf(workspace),
    differences: (call) => differences(call, match),
    count,
    show: ({ id, method, path, query, status, request }) => {
      return { id, method, path, query, status, body: request.body }
    },
    note: dropped === 0 ? '' : ` ${dropped} older calls are no longer kept.`,
  })
  return { matched: matched.length, calls: matched.map(({ id }) => id) }
}

export const requests = [
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/requests',
    summary: 'The calls that were made, oldest first; the last thousand are stored',
    auth: 'control',
    needsBank: false,
    query: filter,
    response: record('CallList', 'Calls, oldest first.', {
      requests: { ...listOf(CallRecord), description: 'The calls, oldest first.' },
      dropped: { type: 'integer', description: 'Older calls that are no longer kept.' },
    }),
    envelope: 'bare',
    problems: [],
    handle: ({ workspace, query }) => ({
      requests: filtered(workspace, query),
      dropped: workspace.journal.dropped,
    }),
  }),
  defineEndpoint({
    method: 'DELETE',
    path: '/_sandbox/requests',
    summary: 'Clear the journal',
    auth: 'control',
    needsBank: false,
    response: Deleted,
    envelope: 'bare',
    problems: [],
    handle: ({ workspace: { journal } }) => {
      const deleted = journal.entries.length
      journal.clear()
      return { deleted }
    },
  }),
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/requests/har',
    summary: 'The calls that were made as an HTTP Archive (HAR 1.2)',
    auth: 'control',
    needsBank: false,
    query: filter,
    response: { type: 'object', description: 'A HAR 1.2 document.' },
    envelope: 'bare',
    problems: [],
    handle: ({ workspace, query, call: { origin = 'http://localhost' } }) =>
      harOf(filtered(workspace, query), version(), origin),
  }),
  defineEndpoint({
    method: 'POST',
    path: '/_sandbox/requests/verify',
    summary: 'Whether calls were made as expected: 200, or 409 with the nearest calls',
    auth: 'control',
    needsBank: false,
    body: {
      type: 'object',
      properties: { match: CallQuery, count: Count },
      required: ['match'],
      additionalProperties: false,
    },
    response: record('Verification', 'The calls that were expected.', {
      matched: { type: 'integer', description: 'How many calls matched.' },
      calls: { ...listOf({ type: 'integer' }), description: 'Their numbers.' },
    }),
    envelope: 'bare',
    problems: ['verification-failed'],
    example: { body: { match: { path: '/za/pb/v1/**' }, count: { exactly: 0 } } },
    handle: ({ workspace, body: { match, count } }) => verify(workspace, match, count),
  }),
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/events',
    summary:
      'Calls, card transactions, executions, settlements, clock moves and more, as server-sent events; hello comes first, then, after a Last-Event-ID, the missed events of the last thousand',
    auth: 'control',
    query: {
      type: 'object',
      properties: {
        types: {
          type: 'string',
          maxLength: 500,
          description: 'Types of events, with commas; all by default.',
        },
      },
    },
    response: { type: 'string', description: 'Server-sent events: `event` is the type, `data` is JSON.' },
    produces: 'text/event-stream',
    envelope: 'bare',
    problems: ['too-many-streams'],
    example: null,
    handle: ({ workspace, query: { types }, header }) =>
      new EventStream(
        workspace.events.listen(
          types === undefined ? undefined : types.split(',').map((type) => type.trim()),
          header('last-event-id'),
        ),
      ),
  }),
]
