// The public API: exports only.

export type { Call, Reply } from './endpoint.js'
export { Sandbox, type SandboxOptions } from './sandbox.js'
