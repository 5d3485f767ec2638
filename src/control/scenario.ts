// Scenarios at run time: which there are, and switching to another one.

import { maxSeed } from '../determinism/random.js'
import { defineEndpoint } from '../endpoint/endpoint.js'
import { scenarioNames, shippedScenario } from '../scenario/scenario.js'
import { scenarioFrom, startOf, type StartPoint } from '../scenario/start.js'
import { listOf, record } from '../protocol/schema.js'
import { show, WorkspaceReading } from './workspace-reading.js'

/** A shipped scenario by name, or a whole one. */
export const scenarioOrName = {
  type: ['string', 'object'],
  description:
    'The name of a shipped scenario, or a scenario as its file would say it (scenarios/scenario.schema.json).',
} as const

/** The start of the scenario that a body names or holds; one that has no clock takes the one that `before` was given. */
export async function startFrom(
  given: string | object,
  seed: number | undefined,
  before: StartPoint,
): Promise<StartPoint> {
  const scenario = await scenarioFrom(given, '/scenario')
  const { givenClock } = before
  const clock = scenario.nowMs === undefined ? givenClock : undefined
  return { ...startOf(scenario, { seed: seed ?? scenario.seed ?? before.seed, clock }), givenClock }
}

export const scenario = [
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/scenarios',
    summary: 'The shipped scenarios',
    auth: 'control',
    needsBank: false,
    response: record('ScenarioList', 'Scenarios.', {
      scenarios: listOf(
        record('ScenarioSummary', 'A scenario.', {
          name: { type: 'string' },
          description: { type: 'string' },
        }),
      ),
    }),
    envelope: 'bare',
    problems: [],
    handle: async () => ({
      scenarios: (await Promise.all(scenarioNames().map(shippedScenario))).map(({ name, description }) => {
        return { name, description }
      }),
    }),
  }),
  defineEndpoint({
    method: 'POST',
    path: '/_sandbox/scenario',
    summary:
      'Start anew from another scenario, by name or as its file would say it; reset returns to it from then on',
    auth: 'control',
    needsBank: false,
    body: {
      type: 'object',
      properties: {
        scenario: scenarioOrName,
        seed: {
          type: 'integer',
          minimum: 0,
          maximum: maxSeed,
          description: 'In place of that of the scenario.',
        },
      },
      required: ['scenario'],
      additionalProperties: false,
    },
    response: WorkspaceReading,
    envelope: 'bare',
    problems: [],
    example: { body: { scenario: 'payday' } },
    handle: async ({ workspace, body: { scenario, seed } }) => {
      workspace.restart(await startFrom(scenario, seed, workspace.start))
      // Now, and not with the next call: a test may read a balance without asking.
      await workspace.open()
      return show(workspace)
    },
  }),
]
