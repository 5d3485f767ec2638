// What the package exports of this room: loaded when it is called, since most programs never do.

import type { CompareOptions, CompareReport } from './compare-with.js'
import type { PullOptions, PullReport } from './pull-scenario.js'

/**
 * Reads a bank over its API with GET alone (besides the token request), anonymises it, and writes a scenario file.
 * Rejects with a `RealDataError` of one sentence; then no scenario is written.
 */
export const pullScenario = async (options: PullOptions): Promise<PullReport> =>
  (await import('./pull-scenario.js')).pullScenario(options)

/**
 * Holds a service, or a recording of it, against what the sandbox declares. Only reads unless `allow` says otherwise.
 * Rejects with a `RealDataError` when nothing can be compared.
 */
export const compareWith = async (options: CompareOptions): Promise<CompareReport> =>
  (await import('./compare-with.js')).compareWith(options)
