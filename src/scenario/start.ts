// What a workspace starts from: a scenario, a seed and a time.

import { wallMs, type ClockState } from '../determinism/clock.js'
import { invalid, Problem } from '../protocol/problem.js'
import type { Scenario } from './builder.js'
import { scenarioNames, scenarioOf, shippedScenario } from './scenario.js'

/** What a workspace starts from, and returns to when it is reset. */
export interface StartPoint {
  /** The scenario's name. */
  readonly name: string
  readonly seed: number
  readonly clock: ClockState
  /** The clock that whoever started the sandbox asked for: it holds for every scenario that has none of its own. */
  readonly givenClock?: ClockState | undefined
  /** What the scenario says; undefined: the base data as it is. */
  readonly scenario?: Scenario | undefined
}

/** The start of a scenario: what is asked for goes before what it says. */
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

export const defaultSeed = 1

/** The start that an export names. Rejects with `invalid-request`; `path` stands before the paths of the faults. */
export async function startFromState(
  state: { readonly scenario: string | object; readonly seed: number; readonly clock: ClockState },
  path: string,
): Promise<StartPoint> {
  const { scenario: given, seed, clock } = state
  const scenario = given === 'default' ? undefined : await scenarioFrom(given, `${path}/scenario`)
  return { name: scenario?.name ?? 'default', seed, clock, scenario }
}

/** The scenario that a shipped name or a whole file means. Rejects with `invalid-request`. */
export async function scenarioFrom(given: string | object, path: string): Promise<Scenario> {
  if (typeof given === 'string') {
    const names = scenarioNames()
    if (names.includes(given)) return shippedScenario(given)
    throw invalid([{ path, message: `must be one of ${names.join(', ')}` }])
  }
  try {
    return await scenarioOf(given)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { errors = [] } = error.more
    throw invalid(errors.map((fault) => ({ ...fault, path: fault.path === '/' ? path : path + fault.path })))
  }
}
