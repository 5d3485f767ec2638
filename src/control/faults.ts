// Injected faults: set, list, delete.

import { quoted } from '../protocol/quote.js'
import { defineEndpoint } from '../endpoint/endpoint.js'
import { FaultList, FaultReading, FaultRule } from '../faults/faults.js'
import { Problem } from '../protocol/problem.js'
import { record } from '../protocol/schema.js'
import type { Workspace } from '../workspace/workspace.js'

/** Reports that a fault was set or removed; null: all of them. */
const tellChange = ({ events, clock }: Workspace, id: string | null): void =>
  events.tell({ type: 'fault', atMs: clock.now(), id })

const Deleted = record('Deleted', 'How many were deleted.', {
  deleted: { type: 'integer', description: 'How many were removed.' },
})

const twice = {
  body: {
    match: { method: 'POST', path: '/za/pb/v1/accounts/*/paymultiple' },
    fault: { kind: 'reset', when: 'afterCommit' },
    times: 1,
  },
} as const

export const faults = [
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/faults',
    summary: 'The faults that are set, and how often each was applied',
    auth: 'control',
    needsBank: false,
    response: FaultList,
    envelope: 'bare',
    problems: [],
    handle: ({ workspace }) => ({ faults: workspace.faults.list }),
  }),
  defineEndpoint({
    method: 'POST',
    path: '/_sandbox/faults',
    summary: 'Set a fault: a status, a broken connection, a delay; the first rule that matches a call wins',
    auth: 'control',
    needsBank: false,
    body: FaultRule,
    response: FaultReading,
    envelope: 'bare',
    problems: [],
    example: twice,
    handle: ({ workspaces, workspace, body }) => {
      const named = body.match?.workspace
      const meant = named === undefined ? workspace : workspaces.get(named)
      const { reading } = meant.faults.add(body)
      tellChange(meant, reading.id)
      return reading
    },
  }),
  defineEndpoint({
    method: 'DELETE',
    path: '/_sandbox/faults',
    summary: 'Delete all faults',
    auth: 'control',
    needsBank: false,
    response: Deleted,
    envelope: 'bare',
    problems: [],
    handle: ({ workspace }) => {
      const deleted = workspace.faults.clear()
      tellChange(workspace, null)
      return { deleted }
    },
  }),
  defineEndpoint({
    method: 'DELETE',
    path: '/_sandbox/faults/{id}',
    summary: 'Delete one fault',
    auth: 'control',
    needsBank: false,
    response: Deleted,
    envelope: 'bare',
    problems: ['unknown-fault'],
    example: async (ask) => {
      const { id } = await ask<{ id: string }>('POST', '/_sandbox/faults', twice.body)
      return { params: { id } }
    },
    handle: ({ workspace, params: { id } }) => {
      if (!workspace.faults.remove(id))
        throw new Problem('unknown-fault', `No fault ${quoted(id)}; GET /_sandbox/faults lists them.`)
      tellChange(workspace, id)
      return { deleted: 1 }
    },
  }),
]
