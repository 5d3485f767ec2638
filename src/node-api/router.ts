// A sandbox inside the user's own Express application.

import { createHandler } from '../http/handler.js'
import type { HttpOptions } from '../http/http-options.js'
import type { LocalSandbox } from './local-sandbox.js'
import { readRouterOptions } from './read-options.js'

/** A handler for `app.use` in Express 4 and 5: request, response and the next handler. */
export type RouterHandler = (request: object, response: object, next: (error?: unknown) => void) => void

/**
 * Mounts a sandbox in an Express application: `app.use(sandboxRouter(sandbox))`, or below a path, `app.use('/bank',
 * sandboxRouter(sandbox))`. Paths that the bank does not have go on to the application's own handlers. A body parser
 * may come before it.
 *
 * @param options who may reach the bank: by default programs and web pages of this machine
 * @throws OptionError that names every invalid option
 */
export function sandboxRouter(sandbox: LocalSandbox, options: HttpOptions = {}): RouterHandler {
  return createHandler(sandbox.core, readRouterOptions(options)) as RouterHandler
}
