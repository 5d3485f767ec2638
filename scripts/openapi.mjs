// The OpenAPI documents of both APIs, one for each behaviour, in dist/openapi: making them takes seconds, reading them
// milliseconds. They contain no `servers`: each answer adds its own.

import { mkdir, writeFile } from 'node:fs/promises'
import { behaviours } from '../dist/protocol/behaviour.js'
import { liveDocument } from '../dist/sandbox/live-documents.js'

const folder = new URL('../dist/openapi/', import.meta.url)
await mkdir(folder, { recursive: true })
for (const api of ['service', 'control'])
  for (const behaviour of behaviours)
    await writeFile(
      new URL(`${api}-${behaviour}.json`, folder),
      JSON.stringify(await liveDocument(api, behaviour)),
    )
