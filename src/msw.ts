// The public API `sandbox-server/msw`: exports only.

export { handlers, type MswOptions } from './node-api/msw.js'
