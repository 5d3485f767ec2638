// Workspaces: banks of their own in one server, for tests that run side by side; and the way back to the start.

import { maxSeed } from '../determinism/random.js'
import { defineEndpoint } from '../endpoint/endpoint.js'
import { listOf, record } from '../protocol/schema.js'
import { scenarioOrName, startFrom } from './scenario.js'
import { show, workspaceName, WorkspaceReading } from './workspace-reading.js'

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
    handle: ({ workspaces }) => ({ workspaces: workspaces.all.map(show) }),
  }),
  defineEndpoint({
    method: 'POST',
    path: '/_sandbox/workspaces',
    summary: 'Make a bank of its own, with credentials of its own',
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
          description: "The main workspace's by default.",
        },
      },
      additionalProperties: false,
    },
    response: WorkspaceReading,
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
      return show(workspaces.add(name ?? workspaces.freeName(), own))
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
    handle: ({ workspaces, params: { name } }) => {
      workspaces.remove(name)
      return { removed: name }
    },
  }),
]
