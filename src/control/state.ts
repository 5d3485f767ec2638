// Exports and imports the whole state of a workspace.

import { defineEndpoint } from '../endpoint/endpoint.js'
import { JsonText } from '../protocol/call.js'
import { invalid } from '../protocol/problem.js'
import { resolveStart } from '../scenario/start.js'
import { record } from '../protocol/schema.js'
import {
  checkParts,
  documentText,
  StateDocumentSchema,
  stateText,
  type StateDocument,
} from '../workspace/state.js'

export const state = [
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/state',
    summary: 'The whole workspace except its journal, as one document',
    auth: 'control',
    response: StateDocumentSchema,
    envelope: 'bare',
    problems: [],
    handle: ({ workspace, bank }) => new JsonText(documentText([stateText(workspace.state(bank))])),
  }),
  defineEndpoint({
    method: 'PUT',
    path: '/_sandbox/state',
    summary: 'Import an exported state: all of it, or nothing when it is invalid',
    auth: 'control',
    body: StateDocumentSchema,
    response: record('Restored', 'What was brought back.', {
      restored: { type: 'string', description: 'The id of the checkpoint that the workspace went back to.' },
    }),
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
      await workspace.restore(given, await resolveStart(given.start, `${path}/start`), path)
      return { restored: given.name }
    },
  }),
]
