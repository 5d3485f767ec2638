// The public API `sandbox-server/express`.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { createHandler, type HttpOptions } from './http/app.js'
import type { LocalSandbox } from './node-api/local-sandbox.js'

export type { HttpOptions, RequestLine } from './http/app.js'

/** What `app.use` takes, in Express 4 and 5. */
export type RouterHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void

/**
 * Mounts a sandbox in an Express application: `app.use(sandboxRouter(sandbox))`, or below a path,
 * `app.use('/bank', sandboxRouter(sandbox))`. What is not of the bank goes on to the application's own handlers; a
 * body parser that comes first does no harm.
 *
 * @param options who may reach the bank: by default programs and web pages of this machine
 */
export function sandboxRouter(sandbox: LocalSandbox, options: HttpOptions = {}): RouterHandler {
  return createHandler(sandbox.core, options) as RouterHandler
}
