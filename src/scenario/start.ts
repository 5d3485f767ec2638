// What a workspace starts from: a scenario, a seed and a time.

import { wallMs, type ClockState } from '../determinism/clock.js'
import { invalid } from '../protocol/problem.js'
import type { Scenario } from './builder.js'
import { scenarioNames, resolveScenario, loadShipped } from './scenario.js'

/** What a workspace starts from, and returns to when it is reset. */
export interface StartPoint {
  /** The scenario's name. */
  readonly name: string
  readonly seed: number
  readonly clock: ClockState
  /** The clock that the sandbox was started with: used by every scenario that sets none of its own. */
  readonly givenClock?: ClockState | undefined
  /** The data of the scenario; undefined: the unchanged base data. */
  readonly scenario?: Scenario | undefined
}

/** The start of a scenario: explicit options override it. */
export function startOf(
  scenario: Scenario | undefined,
  asked: { seed?: number | undefined; clock?: ClockState | undefined } = {},
): StartPoint {
  const seed = asked.seed ?? scenario?.seed ?? defaultSeed
  const clock = asked.clock ?? clockOf(scenario)
  return { name: scenario?.name ?? 'default', seed, clock, givenClock: asked.clock, scenario }
}

function clockOf({ nowMs, frozen }: { nowMs?: number | undefined; frozen?: boolean } = {}): ClockState {
  if (nowMs === undefined) return { frozen: false, ms: 0 }
  return frozen === false ? { frozen, ms: nowMs - wallMs() } : { frozen: true, ms: nowMs }
}

const defaultSeed = 1

/** The start that an export names. Rejects with `invalid-request`; `path` is put before the paths of the errors. */
export async function resolveStart(
  state: { readonly scenario: string | object; readonly seed: number; readonly clock: ClockState },
  path: string,
): Promise<StartPoint> {
  const { scenario: given, seed, clock } = state
  const scenario = given === 'default' ? undefined : await resolveGiven(given, `${path}/scenario`)
  return { name: scenario?.name ?? 'default', seed, clock, scenario }
}

/** The scenario for a shipped name or a whole file. Rejects with `invalid-request`. */
export async function resolveGiven(given: string | object, path: string): Promise<Scenario> {
  if (typeof given === 'string') {
    const names = scenarioNames()
    if (names.includes(given)) return loadShipped(given)
    throw invalid([{ path, message: `must be one of ${names.join(', ')}` }])
  }
  const resolved = await resolveScenario(given)
  if ('scenario' in resolved) return resolved.scenario
  throw invalid(
    resolved.errors.map((error) => ({ ...error, path: error.path === '/' ? path : path + error.path })),
  )
}
