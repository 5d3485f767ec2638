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
export type { ScenarioFile } from './scenario/scenario-file.js'
