// Card code: 20,000 executions in a row: the mean resident memory of the last 10,000 beside that of the first, and what is
// left when the runner is closed.
// Run: npm run build && node --expose-gc bench/card-code-memory.mjs
import { createServer } from 'node:http'
import { createRunner } from '../dist/card-code/host/runner.js'
import { figure } from './figures.mjs'

const server = createServer((_request, response) => response.end('{"ok":true}'))
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = `http://127.0.0.1:${server.address().port}/`

// A mix: plain results, logs, timers, errors, formatting, bodies, and a request now and then.
const sources = [
  'const hook = (auth) => auth.centsAmount < 1000',
  'const hook = async (auth) => { console.log("seen", auth); await null; return { ok: true } }',
  'const hook = async () => { await new Promise((done) => setTimeout(done, 1)); setInterval(() => {}, 500); return 1 }',
  'const hook = (auth) => auth.missing.property',
  'const hook = () => (1234.5).toLocaleString("en-ZA", { style: "currency", currency: "ZAR" }) + moment().format()',
  'const hook = () => Buffer.from("x".repeat(10000)).toString("base64").length + new URL("http://a/b?c").href',
]
const calling = `const hook = async () => (await (await fetch(${JSON.stringify(address)})).json()).ok`

const resources = () => process.getActiveResourcesInfo().sort()
// Node opens these when a socket is destroyed: they are the process's own, not the runner's.
void [process.stdout, process.stderr]
const before = resources()
const runner = createRunner({ maxWorkers: 2 })
const execute = async (i) => {
  const { settled } = await runner.run({
    hook: 'hook',
    source: i % 100 === 0 ? calling : sources[i % sources.length],
    variables: { KNOWN: 'yes' },
    payload: { centsAmount: i },
    windowMs: 2_000,
    time: { nowMs: 1_700_000_000_000 + i, frozen: i % 100 !== 0 },
    seed: i,
    policy: 'loopback',
  })
  // A running interval ends with the window: in frozen time, at once.
  await settled
}

const half = async (from) => {
  const samples = []
  for (let i = 0; i < 10_000; i += 1) {
    await execute(from + i)
    if (i % 250 === 249) {
      globalThis.gc?.()
      samples.push(process.memoryUsage.rss())
    }
  }
  return samples.reduce((sum, bytes) => sum + bytes, 0) / samples.length
}

// The first thousands warm up: code is compiled, pools and caches fill.
for (let i = 0; i < 4_000; i += 1) await execute(i)
const began = performance.now()
const first = await half(0)
const last = await half(10_000)
const seconds = (performance.now() - began) / 1_000
await runner.close()
server.closeAllConnections()
await new Promise((resolve) => server.close(resolve))
await new Promise((resolve) => setTimeout(resolve, 50))
const left = resources().filter((name, index, all) => {
  const allowed = before.filter((other) => other === name).length
  return all.slice(0, index + 1).filter((other) => other === name).length > allowed
})
figure('20,000 executions: memory of the second half to the first', last / 2 ** 20, {
  unit: 'MB',
  ratio: last / first,
  atMost: 1.05,
})
figure('20,000 executions, one at a time', 20_000 / seconds, { unit: '/s' })
figure('handles that are left when the runner is closed', left.length, { atMost: 0 })
