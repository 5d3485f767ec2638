// What a workspace starts from: a scenario, a seed and a time.

import { wallMs, type ClockState } from '../bank/clock.js'
import type { Scenario } from './scenario.js'

/** What a workspace starts from, and returns to when it is reset. */
export interface Start {
  /** The scenario's name. */
  readonly name: string
  readonly seed: number
  readonly clock: ClockState
  /** What the scenario says; undefined: the base data as it is. */
  readonly scenario?: Scenario | undefined
}

/** The start of a scenario: what is asked for goes before what it says. */
export function startOf(
  scenario: Scenario | undefined,
  asked: { seed?: number | undefined; clock?: ClockState | undefined } = {},
): Start {
  const seed = asked.seed ?? scenario?.seed ?? defaultSeed
  const clock = asked.clock ?? clockOf(scenario)
  return { name: scenario?.name ?? 'default', seed, clock, scenario }
}

function clockOf({ nowMs, frozen }: { nowMs?: number | undefined; frozen?: boolean } = {}): ClockState {
  if (nowMs === undefined) return { frozen: false, ms: 0 }
  return frozen === false ? { frozen, ms: nowMs - wallMs() } : { frozen: true, ms: nowMs }
}

export const defaultSeed = 1
