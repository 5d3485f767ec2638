// The whole state of a workspace, out and in again.

import { defineEndpoint } from '../endpoint/endpoint.js'
import { invalid } from '../protocol/problem.js'
import { startFromState } from '../scenario/start.js'
import { record } from '../protocol/schema.js'
import { checkParts, documentOf, StateDocumentSchema, type StateDocument } from '../workspace/state.js'

export const state = [
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/state',
    summary: 'Everything that the workspace is, but for its journal, as one document',
    auth: 'control',
    response: StateDocumentSchema,
    envelope: 'bare',
    problems: [],
    handle: ({ workspace, bank }) => documentOf([workspace.state(bank)]),
  }),
  defineEndpoint({
    method: 'PUT',
    path: '/_sandbox/state',
    summary: 'Bring back a state that was exported before: all of it, or nothing when it does not fit',
    auth: 'control',
    body: StateDocumentSchema,
    response: record('Restored', 'What was brought back.', { restored: { type: 'string' } }),
    envelope: 'bare',
    problems: ['invalid-request'],
    example: async (ask) => {
      await ask('POST', '/_sandbox/workspaces', { name: 'small', scenario: 'empty' })
      const body = await ask<object>('GET', '/_sandbox/state?workspace=small')
      return { query: { workspace: 'small' }, body }
    },
    handle: async ({ workspace, body }) => {
      const document = body as unknown as StateDocument
      checkParts(document)
      const { workspaces } = document
      const found = workspaces.findIndex(({ name }) => name === workspace.name)
      if (found < 0 && workspaces.length > 1)
        throw invalid([
          { path: '/workspaces', message: `hold no workspace ${workspace.name}, and more than one other` },
        ])
      const index = Math.max(0, found)
      const given = workspaces[index]!
      const path = `/workspaces/${index}`
      await workspace.takeOver(given, await startFromState(given.start, `${path}/start`), path)
      return { restored: given.name }
    },
  }),
]
