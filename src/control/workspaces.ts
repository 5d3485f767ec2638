// Workspaces: separate banks in one server, for tests that run side by side; and the reset.

import { maxSeed } from '../determinism/random.js'
import { defineEndpoint } from '../endpoint/endpoint.js'
import { listOf, record } from '../protocol/schema.js'
import type { Workspaces } from '../workspace/workspaces.js'
import { Removed } from './deletion.js'
import { scenarioOrName, startFrom } from './scenario.js'
import { MadeWorkspace, show, workspaceName, WorkspaceReading } from './workspace-reading.js'

/** Tells every workspace that one was added or removed. */
function tellAll({ all }: Workspaces, name: string, change: 'made' | 'removed'): void {
  for (const { events, clock } of all) events.tell({ type: 'workspace', atMs: clock.now(), name, change })
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
    response: record('WorkspaceList', 'Workspaces.', {
      workspaces: { ...listOf(WorkspaceReading), description: 'All workspaces, the main one first.' },
    }),
    envelope: 'bare',
    problems: [],
    needsBank: false,
    handle: ({ workspaces }) => ({ workspaces: workspaces.all.map(show) }),
  }),
  defineEndpoint({
    method: 'POST',
    path: '/_sandbox/workspaces',
    summary: 'Create a separate bank with its own credentials',
    auth: 'control',
    body: {
      type: 'object',
      properties: {
        name: workspaceName,
        scenario: scenarioOrName,
        seed: {
          type: 'integer',
          minimum: 0,
          maximum: maxSeed,
          description: 'Default: the scenario of the main workspace.',
        },
      },
      additionalProperties: false,
    },
    response: MadeWorkspace,
    envelope: 'bare',
    problems: ['workspace-exists', 'too-many-workspaces', 'invalid-request'],
    example: { body: { name: 'worker-1' } },
    needsBank: false,
    handle: async ({ workspaces, body: { name, scenario, seed } }) => {
      const { start } = workspaces.main
      const own =
        scenario === undefined
          ? { ...start, seed: seed ?? start.seed }
          : await startFrom(scenario, seed, start)
      const made = workspaces.add(name ?? workspaces.freeName(), own)
      tellAll(workspaces, made.name, 'made')
      return show(made)
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
    handle: ({ workspaces, params }) => show(workspaces.get(params.name)),
  }),
  defineEndpoint({
    method: 'DELETE',
    path: '/_sandbox/workspaces/{name}',
    summary: 'Remove a workspace; its tokens and credentials become invalid',
    auth: 'control',
    response: Removed,
    envelope: 'bare',
    problems: ['unknown-workspace', 'invalid-request'],
    example: async (ask) => {
      await ask('POST', '/_sandbox/workspaces', { name: 'worker-1' })
      return { params: { name: 'worker-1' } }
    },
    needsBank: false,
    handle: ({ workspaces, params: { name } }) => {
      workspaces.remove(name)
      tellAll(workspaces, name, 'removed')
      return { removed: name }
    },
  }),
]
