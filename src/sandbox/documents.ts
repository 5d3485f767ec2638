// The OpenAPI documents of both APIs, made when they are first asked for. They are the same for every sandbox.

import { control } from '../control/index.js'
import type { ApiName } from '../endpoint/endpoint.js'
import type { ExampleTarget } from '../endpoint/examples.js'
import type { Behaviour } from '../protocol/behaviour.js'
import { version } from '../protocol/version.js'
import { service } from '../service/index.js'

/** A sandbox for one example. */
interface ExampleSandbox extends ExampleTarget {
  close(): Promise<void>
}

const documents: Partial<Record<`${ApiName}-${Behaviour}`, Promise<object> | undefined>> = {}

/** The OpenAPI 3.1 document of an API, for a sandbox at `origin`; `create` makes the sandboxes of its examples. */
export async function openApiDocumentOf(
  api: ApiName,
  behaviour: Behaviour,
  create: () => ExampleSandbox,
  origin?: string,
): Promise<object> {
  documents[`${api}-${behaviour}`] ??= Promise.all([
    import('../endpoint/openapi.js'),
    import('../endpoint/examples.js'),
  ]).then(([{ openApiDocument }, { sampleOf }]) =>
    openApiDocument(
      api,
      version(),
      api === 'service' ? service : control,
      async (endpoint) => {
        const sandbox = create()
        const sample = await sampleOf(endpoint, sandbox)
        await sandbox.close()
        return sample
      },
      behaviour,
    ),
  )
  const document = await documents[`${api}-${behaviour}`]!.catch((error: unknown) => {
    // The next call tries again: the reason may have been a passing one, such as too many open files.
    documents[`${api}-${behaviour}`] = undefined
    throw error
  })
  return origin === undefined ? document : { ...document, servers: [{ url: origin }] }
}
