// The OpenAPI documents of both APIs, made by asking sandboxes for the examples. It takes seconds: `npm run build`
// stores them in dist/openapi, where documents.ts reads them.

import { control } from '../control/index.js'
import type { ApiName } from '../endpoint/endpoint.js'
import { sampleOf } from '../endpoint/examples.js'
import { openApiDocument } from '../endpoint/openapi.js'
import type { Behaviour } from '../protocol/behaviour.js'
import { version } from '../protocol/version.js'
import { service } from '../service/index.js'
import { Sandbox } from './sandbox.js'

/** 25 March 2026, 10:00 in South Africa: the documents are the same whenever they are made. */
const exampleMs = Date.UTC(2026, 2, 25, 8)

/** The OpenAPI 3.1 document of an API, without `servers`. Each example is the answer of a fresh sandbox. */
export const liveDocument = (api: ApiName, behaviour: Behaviour): Promise<object> =>
  openApiDocument(
    api,
    version(),
    api === 'service' ? service : control,
    async (endpoint) => {
      const sandbox = new Sandbox({ nowMs: exampleMs, behaviour })
      const sample = await sampleOf(endpoint, sandbox)
      await sandbox.close()
      return sample
    },
    behaviour,
  )
