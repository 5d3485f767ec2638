// Card code: what an execution costs. A trivial hook through the pool, one after the other and on all cores at once, the
// first one after start, and node:vm with a fresh context (which isolates nothing) beside it. Run: npm run build && node bench/card-code.mjs
import { availableParallelism } from 'node:os'
import { createContext, runInContext } from 'node:vm'
import { createRunner } from '../dist/card-code/host/runner.js'

const source = 'const beforeTransaction = async (authorization) => authorization.centsAmount < 1000'
const payload = {
  accountNumber: '10011001100',
  centsAmount: 500,
  currencyCode: 'zar',
  merchant: { name: 'Shop' },
}
const run = {
  ...{ hook: 'beforeTransaction', source, variables: {}, payload, windowMs: 2_000, seed: 1, policy: 'deny' },
  time: { nowMs: 1_700_000_000_000, frozen: false },
}

const quantile = (sorted, q) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))]

const timed = async (times, work) => {
  const all = []
  for (let i = 0; i < times; i += 1) {
    const began = performance.now()
    await work()
    all.push(performance.now() - began)
  }
  return all.sort((a, b) => a - b)
}

const row = (name, value) => console.log(name.padEnd(52), value)
const ms = (value) => `${value.toFixed(3)} ms`

const began = performance.now()
const runner = createRunner()
const { outcome } = await runner.run(run)
if (outcome.value !== true) throw new Error(JSON.stringify(outcome))
row('first execution after start', ms(performance.now() - began))

await timed(2_000, () => runner.run(run))
const single = await timed(5_000, () => runner.run(run))
row('trivial hook, one at a time: median', ms(quantile(single, 0.5)))
row('trivial hook, one at a time: p99', ms(quantile(single, 0.99)))

const lanes = Math.min(2, availableParallelism())
const pair = createRunner({ maxWorkers: lanes })
const lane = (times) => timed(times, () => pair.run(run))
await Promise.all(Array.from({ length: lanes }, () => lane(2_000)))
const start = performance.now()
await Promise.all(Array.from({ length: lanes }, () => lane(6_000)))
row(
  `trivial hook, ${lanes} threads: executions a second`,
  Math.round((lanes * 6_000) / ((performance.now() - start) / 1_000)),
)

const fresh = async () => {
  const context = createContext({ console })
  runInContext(source, context)
  return runInContext('beforeTransaction', context)(payload)
}
await timed(300, fresh)
row('node:vm, fresh context, no isolation: median', ms(quantile(await timed(1_000, fresh), 0.5)))
await runner.close()
await pair.close()
