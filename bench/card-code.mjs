// Card code: the cost of an execution. A trivial hook through the pool, one after the other and on all cores at once,
// the first one after start, and node:vm with a fresh context (which isolates nothing) beside it. Run: npm run build &&
// node bench/card-code.mjs
import { availableParallelism } from 'node:os'
import { createContext, runInContext } from 'node:vm'
import { createRunner } from '../dist/card-code/host/runner.js'
import { figure, quantile } from './figures.mjs'

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

const timed = async (times, work) => {
  const all = []
  for (let i = 0; i < times; i += 1) {
    const began = performance.now()
    await work()
    all.push(performance.now() - began)
  }
  return all
}

const began = performance.now()
const runner = createRunner()
const { outcome } = await runner.run(run)
if (outcome.value !== true) throw new Error(JSON.stringify(outcome))
figure('first execution after start', performance.now() - began, { unit: 'ms', atMost: 120 })

await timed(2_000, () => runner.run(run))
const single = await timed(5_000, () => runner.run(run))

const lanes = Math.min(2, availableParallelism())
const pair = createRunner({ maxWorkers: lanes })
const lane = (times) => timed(times, () => pair.run(run))
await Promise.all(Array.from({ length: lanes }, () => lane(2_000)))
const start = performance.now()
await Promise.all(Array.from({ length: lanes }, () => lane(6_000)))
figure(`trivial hook, ${lanes} threads`, (lanes * 6_000) / ((performance.now() - start) / 1_000), {
  unit: '/s',
  atLeast: 4000,
})

const fresh = async () => {
  const context = createContext({ console })
  runInContext(source, context)
  return runInContext('beforeTransaction', context)(payload)
}
await timed(300, fresh)
const contexts = await timed(1_000, fresh)
figure('trivial hook, one at a time, median', quantile(single, 0.5), { unit: 'ms', atMost: 0.5 })
figure('trivial hook, one at a time, p99', quantile(single, 0.99), { unit: 'ms' })
figure('a fresh context of node:vm, which isolates nothing, median', quantile(contexts, 0.5), { unit: 'ms' })
await runner.close()
await pair.close()
