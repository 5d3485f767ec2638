// The public API: exports only.

export { ControlError, type ControlFace } from './control-face.js'
export type { Call, Reply } from './endpoint.js'
export type { HttpOptions, RequestLine } from './express.js'
export {
  createSandbox,
  startSandbox,
  type ClientCredentials,
  type LocalSandbox,
  type StartedSandbox,
} from './local-sandbox.js'
export { OptionError, type CreateOptions, type StartOptions } from './options.js'
export type { ScenarioFile } from './scenario/scenario-file.js'
