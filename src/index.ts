// The public API: exports only.

export { ControlError, type ControlFace } from './node-api/control-client.js'
export type { Call, Reply } from './protocol/call.js'
export type { HttpOptions, RequestLine } from './http/http-options.js'
export {
  createSandbox,
  startSandbox,
  type ClientCredentials,
  type LocalSandbox,
  type StartedSandbox,
} from './node-api/local-sandbox.js'
export { OptionError, type CreateOptions, type StartOptions } from './node-api/options.js'
export type { CompareOptions, CompareReport } from './real-data/compare-with.js'
export type { Drift, DriftKind } from './real-data/drift.js'
export { compareWith, pullScenario } from './real-data/lazy.js'
export type { PullOptions, PullReport } from './real-data/pull-scenario.js'
export { RealDataError, type ServiceCredentials } from './real-data/read-client.js'
export type { ScenarioFile } from './scenario/scenario-file.js'
