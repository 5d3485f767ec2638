// Workspaces: banks of their own in one server, for tests that run side by side; and the way back to the start.

import { maxSeed } from '../bank/random.js'
import { defineEndpoint } from '../endpoint.js'
import { listOf, record } from '../schema.js'
import type { Workspace } from '../workspace.js'
import { ClockReading, reading } from './clock.js'

const name = {
  type: 'string',
  pattern: '^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,38}[A-Za-z0-9])?$',
  description: 'A name of 1 to 40 letters, digits, dots, dashes and underscores.',
} as const

/** A workspace, and how to sign in to it. */
export const WorkspaceReading = record('Workspace', 'A bank of its own, and how to sign in to it.', {
  name,
  scenario: { type: 'string' },
  seed: { type: 'integer' },
  clock: ClockReading,
  clientId: { type: 'string' },
  clientSecret: { type: 'string' },
  apiKey: { type: 'string', description: 'The first of the keys.' },
  apiKeys: listOf(
    record('WorkspaceKey', 'A key for the x-api-key header.', {
      key: { type: 'string' },
      alias: { type: 'string' },
    }),
  ),
})

function show({ name, scenario, random, clock, credentials }: Workspace) {
  const { clientId, clientSecret, apiKeys } = credentials.clients[0]!
  return {
    name,
    scenario,
    seed: random.seed,
    clock: reading(clock),
    clientId,
    clientSecret,
    apiKey: apiKeys[0]?.key ?? '',
    apiKeys: apiKeys.map(({ key, alias }) => ({ key, alias })),
  }
}

export const workspaces = [
  defineEndpoint({
    method: 'POST',
    path: '/_sandbox/reset',
    summary: 'Return to the start: bank, clock, tokens, settings, faults and journal',
    auth: 'control',
    response: WorkspaceReading,
    envelope: 'bare',
    problems: [],
    needsBank: false,
    handle: ({ workspace }) => {
      workspace.reset()
      return show(workspace)
    },
  }),
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/workspaces',
    summary: 'The workspaces, the main one first',
    auth: 'control',
    response: record('WorkspaceList', 'Workspaces.', { workspaces: listOf(WorkspaceReading) }),
    envelope: 'bare',
    problems: [],
    needsBank: false,
    handle: ({ sandbox }) => ({ workspaces: sandbox.workspaces.map(show) }),
  }),
  defineEndpoint({
    method: 'POST',
    path: '/_sandbox/workspaces',
    summary: 'Make a bank of its own, with credentials of its own',
    auth: 'control',
    body: {
      type: 'object',
      properties: {
        name,
        seed: {
          type: 'integer',
          minimum: 0,
          maximum: maxSeed,
          description: "The main workspace's by default.",
        },
      },
      additionalProperties: false,
    },
    response: WorkspaceReading,
    envelope: 'bare',
    problems: ['workspace-exists', 'too-many-workspaces'],
    example: { body: { name: 'worker-1' } },
    needsBank: false,
    handle: ({ sandbox, body }) => {
      const { start } = sandbox.main
      const name = body.name ?? sandbox.freeName()
      return show(sandbox.addWorkspace(name, { ...start, seed: body.seed ?? start.seed }))
    },
  }),
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/workspaces/{name}',
    summary: 'One workspace',
    auth: 'control',
    response: WorkspaceReading,
    envelope: 'bare',
    problems: ['unknown-workspace'],
    example: { params: { name: 'default' } },
    needsBank: false,
    handle: ({ sandbox, params }) => show(sandbox.workspace(params.name)),
  }),
  defineEndpoint({
    method: 'DELETE',
    path: '/_sandbox/workspaces/{name}',
    summary: 'Remove a workspace; its tokens and credentials are worthless from then on',
    auth: 'control',
    response: record('Removed', 'What was removed.', { removed: { type: 'string' } }),
    envelope: 'bare',
    problems: ['unknown-workspace', 'invalid-request'],
    example: async (ask) => {
      await ask('POST', '/_sandbox/workspaces', { name: 'worker-1' })
      return { params: { name: 'worker-1' } }
    },
    needsBank: false,
    handle: ({ sandbox, params: { name } }) => {
      sandbox.removeWorkspace(name)
      return { removed: name }
    },
  }),
]
