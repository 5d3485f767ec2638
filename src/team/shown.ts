// A workspace as the list of workspaces shows it, kept in its row so that the list needs no workspace to be loaded.

import { show } from '../control/workspace-reading.js'
import { Clock, type ClockState } from '../determinism/clock.js'
import type { Workspace } from '../workspace/workspace.js'

/** What the row of a workspace holds. */
export function shownText(workspace: Workspace): string {
  const { name, scenario, random, clock, credentials } = workspace
  const { clientId, clientSecret, apiKeys } = credentials.clients[0]!
  return JSON.stringify({
    name,
    scenario,
    seed: random.seed,
    clock: clock.state,
    clientId,
    clientSecret,
    apiKeys,
  })
}

/** The workspace of a row, as the control API shows it. */
export function readShown(text: string): ReturnType<typeof show> {
  const { seed, clock, clientId, clientSecret, apiKeys, ...rest } = JSON.parse(text) as {
    name: string
    scenario: string
    seed: number
    clock: ClockState
    clientId: string
    clientSecret: string
    apiKeys: { key: string; alias: string }[]
  }
  const client = { clientId, clientSecret, apiKeys }
  return show({
    ...rest,
    random: { seed },
    clock: new Clock(clock),
    credentials: { clients: [client] },
  })
}

/** The clock of the workspace of a row. */
export const clockIn = (text: string): ClockState => (JSON.parse(text) as { clock: ClockState }).clock
