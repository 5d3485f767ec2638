// The latency of a client while card code spins: GET accounts, one after the other on one connection, in turns with no
// other load and with eight hooks in `while (true) {}`. Run: npm run build && node bench/spinning-hooks.mjs

import { Agent, request } from 'node:http'
import { figure, quantile } from './figures.mjs'
import { startSandbox, tokenOf } from './servers.mjs'

const rounds = Number(process.env.ROUNDS ?? 8)
const measureMs = Number(process.env.MS ?? 2000)
const spinners = 8
const card = '700615'

const sandbox = await startSandbox()
const headers = { authorization: `Bearer ${await tokenOf(sandbox)}`, 'content-type': 'application/json' }
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

const get = () =>
  new Promise((resolve, reject) => {
    request(`${sandbox.url}/za/pb/v1/accounts`, { agent, headers }, (response) => {
      response.resume()
      response.once('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`${response.statusCode}`)),
      )
    })
      .once('error', reject)
      .end()
  })

async function latencies(ms) {
  const all = []
  const ends = performance.now() + ms
  while (performance.now() < ends) {
    const began = performance.now()
    await get()
    all.push(performance.now() - began)
  }
  return all
}

const body = JSON.stringify({
  simulationcode:
    'const beforeTransaction = async () => { while (true) {} }; const afterTransaction = async () => {}',
})

/** Keeps eight hooks spinning until told to stop. */
function spin() {
  let going = true
  const loops = Array.from({ length: spinners }, async () => {
    while (going) {
      const url = `${sandbox.url}/za/v1/cards/${card}/code/execute`
      const answer = await (await fetch(url, { method: 'POST', headers, body })).json()
      const [before] = answer.data.result
      if (!['timed-out', 'killed'].includes(before.Error?.code)) throw new Error(JSON.stringify(before))
    }
  })
  return async () => {
    going = false
    await Promise.all(loops)
  }
}

await latencies(1000)
const idle = []
const busy = []
for (let round = 0; round < rounds; round++) {
  idle.push(...(await latencies(measureMs)))
  const stop = spin()
  // The hooks are all running by then, also the ones whose threads had to be started.
  await latencies(1000)
  busy.push(...(await latencies(measureMs)))
  await stop()
}
agent.destroy()
await sandbox.stop()

figure('GET accounts, one connection, p99', quantile(idle, 0.99), { unit: 'ms' })
figure(`GET accounts while ${spinners} hooks spin, p99 to idle`, quantile(busy, 0.99), {
  unit: 'ms',
  ratio: quantile(busy, 0.99) / quantile(idle, 0.99),
  atMost: 3,
})
