// The package's exports from this room, loaded when they are called, because most programs never use them.

import type { CompareOptions, CompareReport } from './compare-with.js'
import type { PullOptions, PullReport } from './pull-scenario.js'

/**
 * Reads a bank over its API with GET requests only (besides the token request), anonymises it, and writes a scenario
 * file. Rejects with a `RealDataError` of one sentence; then no scenario is written.
 */
export const pullScenario = async (options: PullOptions): Promise<PullReport> =>
  (await import('./pull-scenario.js')).pullScenario(options)

/**
 * Checks a service, or a recording of it, against the sandbox's declarations. Only reads unless `allow` permits more.
 * Rejects with a `RealDataError` when nothing can be compared.
 */
export const compareWith = async (options: CompareOptions): Promise<CompareReport> =>
  (await import('./compare-with.js')).compareWith(options)
