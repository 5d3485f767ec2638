// The public API `sandbox-server/express`: exports only.

export type { HttpOptions, RequestLine } from './http/http-options.js'
export { OptionError } from './node-api/option-types.js'
export { sandboxRouter, type RouterHandler } from './node-api/router.js'
