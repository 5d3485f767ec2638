// The sandbox as an Express application: the bank's handler, and 404 for all other paths. Loaded only when somebody
// asks for such a path.

import express, { type Express } from 'express'
import type { Sandbox } from '../sandbox/sandbox.js'
import { answerAll, createHandler } from './handler.js'
import type { ServingOptions } from './http-options.js'

/** An Express application that serves the whole API. */
export function createApp(sandbox: Sandbox, options: ServingOptions = {}): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(createHandler(sandbox, options))
  app.use(answerAll(sandbox, options))
  return app
}
