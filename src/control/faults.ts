// Injected faults: set, list, delete.

import { defineEndpoint } from '../endpoint/endpoint.js'
import { FaultList, FaultReading, FaultRule } from '../faults/faults.js'
import { deleteAll, Deleted, deleteOne, tellChange } from './deletion.js'

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
      tellChange(meant, 'fault', reading.id)
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
    handle: ({ workspace }) => deleteAll(workspace, 'fault'),
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
    handle: ({ workspace, params: { id } }) => deleteOne(workspace, 'fault', id),
  }),
]
