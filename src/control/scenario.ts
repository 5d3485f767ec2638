// Scenarios at run time: list them, and switch to another one.

import { maxSeed } from '../determinism/random.js'
import { defineEndpoint } from '../endpoint/endpoint.js'
import { scenarioNames, loadShipped } from '../scenario/scenario.js'
import { resolveGiven, startOf, type StartPoint } from '../scenario/start.js'
import { listOf, record } from '../protocol/schema.js'
import { show, WorkspaceReading } from './workspace-reading.js'

/** A shipped scenario by name, or a whole one. */
export const scenarioOrName = {
  type: ['string', 'object'],
  maxLength: 200,
  description:
    'The name of a shipped scenario, or the content of a scenario file (scenarios/scenario.schema.json).',
} as const

/**
 * The start of the scenario that a body names or contains; without a clock of its own it gets the one that `before`
 * was given.
 */
export async function startFrom(
  given: string | object,
  seed: number | undefined,
  before: StartPoint,
): Promise<StartPoint> {
  const scenario = await resolveGiven(given, '/scenario')
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
      scenarios: {
        ...listOf(
          record('ScenarioSummary', 'A scenario.', {
            name: { type: 'string', description: 'The name by which it is chosen.' },
            description: { type: 'string', description: 'What the bank is like.' },
          }),
        ),
        description: 'The shipped scenarios, and what each is for.',
      },
    }),
    envelope: 'bare',
    problems: [],
    handle: async () => ({
      scenarios: (await Promise.all(scenarioNames().map(loadShipped))).map(({ name, description }) => {
        return { name, description }
      }),
    }),
  }),
  defineEndpoint({
    method: 'POST',
    path: '/_sandbox/scenario',
    summary: 'Restart from another scenario, by name or with its content; reset returns to it from then on',
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
          description: 'Replaces the seed of the scenario.',
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
      workspace.startFrom(await startFrom(scenario, seed, workspace.start))
      // Now, and not at the next call: a test may read a balance directly.
      await workspace.open()
      return show(workspace)
    },
  }),
]
