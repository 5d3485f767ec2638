// The OpenAPI documents of both APIs. `npm run build` makes them; they are read when first needed.

import { readFile } from 'node:fs/promises'
import type { ApiName } from '../endpoint/endpoint.js'
import type { Behaviour } from '../protocol/behaviour.js'

const documents = new Map<string, object>()

/** The OpenAPI 3.1 document of an API, for a sandbox at `origin`: only `servers` depends on the call. */
export async function openApiDocumentOf(
  api: ApiName,
  behaviour: Behaviour,
  origin?: string,
): Promise<object> {
  const name = `${api}-${behaviour}`
  let document = documents.get(name)
  if (document === undefined) {
    const text = await readFile(new URL(`../openapi/${name}.json`, import.meta.url), 'utf8')
    document = JSON.parse(text) as object
    documents.set(name, document)
  }
  return origin === undefined ? document : { ...document, servers: [{ url: origin }] }
}
