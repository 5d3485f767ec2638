// The public API `sandbox-server/express`: exports only.

export type { HttpOptions, RequestLine } from './http/http-options.js'
export { OptionError } from './node-api/options.js'
export { sandboxRouter, type RouterHandler } from './node-api/router.js'
