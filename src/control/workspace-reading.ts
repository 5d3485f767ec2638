// A workspace as the control API shows it.

import { listOf, record } from '../protocol/schema.js'
import type { Workspace } from '../workspace/workspace.js'
import { ClockReading, reading } from './clock.js'

export const workspaceName = {
  type: 'string',
  pattern: '^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,38}[A-Za-z0-9])?$',
  description: 'A name of 1 to 40 letters, digits, dots, dashes and underscores.',
} as const

/** A workspace and its credentials. */
export const WorkspaceReading = record('Workspace', 'A separate bank, and its credentials.', {
  name: workspaceName,
  scenario: { type: 'string', description: 'The name of its scenario.' },
  seed: { type: 'integer', description: 'The seed from which its data are made.' },
  clock: ClockReading,
  clientId: { type: 'string', description: 'The client id to sign in with.' },
  clientSecret: { type: 'string', description: 'The client secret to sign in with.' },
  apiKey: { type: 'string', description: 'The first of the keys.' },
  apiKeys: {
    ...listOf(
      record('WorkspaceKey', 'A key for the x-api-key header.', {
        key: { type: 'string', description: 'The value of the x-api-key header.' },
        alias: { type: 'string', description: 'What its owner calls it.' },
      }),
    ),
    description: 'Its API keys.',
  },
})

/** A new workspace. */
export const MadeWorkspace = {
  ...WorkspaceReading,
  title: 'MadeWorkspace',
  properties: {
    ...WorkspaceReading.properties,
    controlToken: {
      type: 'string',
      description: 'With `--store`: opens the control API of this workspace alone; it is shown only here.',
    },
  },
} as const

/** What {@link show} reads of a workspace. */
interface Shown extends Pick<Workspace, 'name' | 'scenario' | 'clock'> {
  readonly random: { readonly seed: number }
  readonly credentials: { readonly clients: readonly ShownClient[] }
}

interface ShownClient {
  readonly clientId: string
  readonly clientSecret: string
  readonly apiKeys: readonly { readonly key: string; readonly alias: string }[]
}

export function show({ name, scenario, random, clock, credentials }: Shown) {
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
