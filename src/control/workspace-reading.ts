// A workspace as the control API shows it.

import { listOf, record } from '../protocol/schema.js'
import type { Workspace } from '../workspace/workspace.js'
import { ClockReading, reading } from './clock.js'

export const workspaceName = {
  type: 'string',
  pattern: '^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,38}[A-Za-z0-9])?$',
  description: 'A name of 1 to 40 letters, digits, dots, dashes and underscores.',
} as const

/** A workspace, and how to sign in to it. */
export const WorkspaceReading = record('Workspace', 'A bank of its own, and how to sign in to it.', {
  name: workspaceName,
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

export function show({ name, scenario, random, clock, credentials }: Workspace) {
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
