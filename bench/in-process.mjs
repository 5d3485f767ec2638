// The bank in the process: the time to create it, its memory, its calls per second, and the cost of importing it. Run
// with `node --expose-gc bench/in-process.mjs` after a build.

import { execFileSync } from 'node:child_process'
import { createSandbox } from 'sandbox-server'
import { figure, median } from './figures.mjs'

async function creation() {
  const kept = [await createSandbox({ now: '2026-03-25' })]
  globalThis.gc?.()
  const before = process.memoryUsage()
  const times = []
  for (let i = 0; i < 100; i++) {
    const startMs = performance.now()
    kept.push(await createSandbox({ now: '2026-03-25' }))
    times.push(performance.now() - startMs)
  }
  globalThis.gc?.()
  const after = process.memoryUsage()
  figure('createSandbox(), warm, median', median(times), { unit: 'ms', atMost: 15 })
  figure('each of the first 100 sandboxes, resident', (after.rss - before.rss) / 100 / 1e6, {
    unit: 'MB',
    atMost: 5,
  })
  figure('each of the first 100 sandboxes, heap', (after.heapUsed - before.heapUsed) / 100 / 1e6, {
    unit: 'MB',
  })
}

async function calls() {
  const sandbox = await createSandbox({ now: '2026-03-25' })
  const { clientId, clientSecret, apiKey } = sandbox.credentials
  const token = await sandbox.handle({
    method: 'POST',
    path: '/identity/v2/oauth2/token',
    headers: {
      authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
      'x-api-key': apiKey,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  })
  const headers = { authorization: `Bearer ${JSON.parse(token.body).access_token}` }
  const call = { method: 'GET', path: '/za/pb/v1/accounts', headers }
  const { status } = await sandbox.handle(call)
  if (status !== 200) throw new Error(`GET accounts answered ${status}`)
  const rates = []
  for (let round = 0; round < 7; round++) {
    const count = 100_000
    const startMs = performance.now()
    for (let i = 0; i < count; i++) await sandbox.handle(call)
    rates.push((count / (performance.now() - startMs)) * 1000)
  }
  figure('GET accounts through handle of createSandbox()', median(rates), { unit: '/s', atLeast: 100_000 })
}

/** Milliseconds that importing takes over an empty module, each in fresh processes. */
function importing() {
  const cost = (specifier) => {
    const program = `const t = performance.now(); await import(${JSON.stringify(specifier)}); console.log(performance.now() - t)`
    const runs = Array.from({ length: 11 }, () =>
      Number(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })),
    )
    return median(runs)
  }
  const empty = cost('data:text/javascript,')
  figure("import 'sandbox-server' over an empty module", cost('sandbox-server') - empty, {
    unit: 'ms',
    atMost: 80,
  })
}

await creation()
await calls()
importing()
