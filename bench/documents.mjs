// The cost of the OpenAPI documents: the first answer of a process, and the median of a hundred later ones. `npm run
// build && node bench/documents.mjs`

import { performance } from 'node:perf_hooks'
import { Sandbox } from '../dist/sandbox/sandbox.js'
import { figure, median } from './figures.mjs'

const sandbox = new Sandbox()
const ask = async (path) => {
  const begin = performance.now()
  const { status, body } = await sandbox.handle({ method: 'GET', path, origin: 'http://127.0.0.1:3300' })
  if (status !== 200) throw new Error(`${path}: ${body}`)
  return performance.now() - begin
}
// The first call of a sandbox loads the modules that every call needs.
await ask('/_sandbox/health')
for (const path of ['/_sandbox/openapi.json', '/_sandbox/control.json']) {
  const first = await ask(path)
  const later = []
  for (let call = 0; call < 100; call++) later.push(await ask(path))
  figure(`${path}, first answer`, first, { unit: 'ms', atMost: 5 })
  figure(`${path}, later answers, median`, median(later), { unit: 'ms', atMost: 5 })
}
await sandbox.close()
