// The bank in the process: how fast it is made, what it weighs, how many calls it answers, and what importing it costs.
// Run with `node --expose-gc bench/in-process.mjs` after a build.

import { execFileSync } from 'node:child_process'
import { createSandbox } from 'sandbox-server'

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
const round = (value, places = 2) => Number(value.toFixed(places))

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
  return {
    'createSandbox, warm, median (ms)': round(median(times), 3),
    'memory each of the first 100 (MB, resident)': round((after.rss - before.rss) / 100 / 1e6, 3),
    'memory each of the first 100 (MB, heap)': round((after.heapUsed - before.heapUsed) / 100 / 1e6, 3),
  }
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
  return { 'handle of GET accounts, median (calls a second)': Math.round(median(rates)) }
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
  return {
    "import 'sandbox-server', median (ms over an empty module)": round(
      cost('sandbox-server') - cost('data:text/javascript,'),
    ),
  }
}

console.table({ ...(await creation()), ...(await calls()), ...importing() })
