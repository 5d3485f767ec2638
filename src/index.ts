// The public API: exports only.

export type * from './node-api/api-types.js'
export type { ControlClient } from './node-api/control-client.js'
export { ControlError, ServiceError } from './node-api/refused-call.js'
export type { SignedIn, SignInOptions } from './node-api/service-client.js'
export type { ClientCredentials } from './protocol/authorization.js'
export type { Call, Reply } from './protocol/call.js'
export type { HttpOptions, RequestLine } from './http/http-options.js'
export {
  createSandbox,
  startSandbox,
  type LocalSandbox,
  type StartedSandbox,
} from './node-api/local-sandbox.js'
export {
  OptionError,
  type CreateOptions,
  type StartOptions,
  type TestOptions,
} from './node-api/option-types.js'
export type { CompareOptions, CompareReport } from './real-data/compare-with.js'
export type { Drift, DriftKind } from './real-data/drift.js'
export { compareWith, pullScenario } from './real-data/lazy.js'
export type { PullOptions, PullReport } from './real-data/pull-scenario.js'
export { RealDataError, type ServiceCredentials } from './real-data/read-client.js'
