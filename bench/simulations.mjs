// Simulations of card transactions, each with two hooks: simulations per second for eight clients, in the process and
// over HTTP, and the wait of one client. Also the first execution: cold, and after the runner was warmed up. Run: npm
// run build && node bench/simulations.mjs

import { Agent, request } from 'node:http'
import { Sandbox } from '../dist/sandbox/sandbox.js'
import { figure, median, quantile } from './figures.mjs'
import { startSandbox, tokenOf } from './servers.mjs'

const measureMs = Number(process.env.MS ?? 3000)
const clients = 8
const path = '/za/v1/cards/700615/code/execute'
const body = JSON.stringify({
  simulationcode:
    'const beforeTransaction = async (authorization) => authorization.centsAmount < 50000\n' +
    'const afterTransaction = async (transaction) => console.log(transaction.reference)',
})

/** How many times per second `clients` loops complete `work`. */
async function rate(work) {
  let count = 0
  let ends = Infinity
  const loops = Array.from({ length: clients }, async () => {
    while (performance.now() < ends) {
      await work()
      count++
    }
  })
  await new Promise((resolve) => setTimeout(resolve, measureMs / 3))
  const [before, began] = [count, performance.now()]
  ends = began + measureMs
  await new Promise((resolve) => setTimeout(resolve, measureMs))
  const result = (count - before) / ((performance.now() - began) / 1000)
  await Promise.all(loops)
  return result
}

async function latencies(work) {
  const all = []
  const ends = performance.now() + measureMs
  while (performance.now() < ends) {
    const began = performance.now()
    await work()
    all.push(performance.now() - began)
  }
  return all
}

const signIn = 'Basic ' + Buffer.from('sandbox-client:sandbox-secret').toString('base64')

/** A sandbox in the process, and a function that simulates there. */
async function inProcess() {
  const sandbox = new Sandbox()
  const token = await sandbox.handle({
    method: 'POST',
    path: '/identity/v2/oauth2/token',
    headers: {
      authorization: signIn,
      'x-api-key': 'sandbox-api-key',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  })
  const authorization = `Bearer ${JSON.parse(token.body).access_token}`
  const headers = { authorization, 'content-type': 'application/json' }
  const simulate = async () => {
    const reply = await sandbox.handle({ method: 'POST', path, headers, body })
    const result = reply.status === 200 ? JSON.parse(reply.body).data.result : []
    if (result.length !== 2 || result.some(({ Error: error }) => error)) throw new Error(reply.body)
  }
  return { sandbox, simulate }
}

async function firstExecutions() {
  const cold = []
  const warm = []
  for (let i = 0; i < 5; i++) {
    for (const [list, prepare] of [
      [cold, async () => {}],
      [
        warm,
        async (sandbox) => {
          sandbox.warmCardCode()
          // The promise is for a bank that has been idle for a second.
          await new Promise((resolve) => setTimeout(resolve, 1000))
        },
      ],
    ]) {
      const { sandbox, simulate } = await inProcess()
      await prepare(sandbox)
      const began = performance.now()
      await simulate()
      list.push(performance.now() - began)
      await sandbox.close()
    }
  }
  return { cold: median(cold), warm: median(warm) }
}

if (process.env.ONLY !== 'load') {
  const first = await firstExecutions()
  figure('first simulation, nothing loaded', first.cold, { unit: 'ms', atMost: 120 })
  figure('first simulation, idle for a second before', first.warm, { unit: 'ms', atMost: 30 })
}

const { sandbox, simulate } = await inProcess()
for (let i = 0; i < 500; i++) await simulate()
const alone = await latencies(simulate)
figure('simulation in the process, one client, median', median(alone), { unit: 'ms' })
figure(`simulations in the process, ${clients} clients`, await rate(simulate), { unit: '/s', atLeast: 1500 })
await sandbox.close()

const server = await startSandbox()
const headers = { authorization: `Bearer ${await tokenOf(server)}`, 'content-type': 'application/json' }
const agent = new Agent({ keepAlive: true })
const post = () =>
  new Promise((resolve, reject) => {
    const length = Buffer.byteLength(body)
    request(
      `${server.url}${path}`,
      { method: 'POST', agent, headers: { ...headers, 'content-length': length } },
      (response) => {
        response.resume()
        response.once('end', () =>
          response.statusCode === 200 ? resolve() : reject(new Error(`${response.statusCode}`)),
        )
      },
    )
      .once('error', reject)
      .end(body)
  })
for (let i = 0; i < 500; i++) await post()
const overHttp = await latencies(post)
figure('simulation over HTTP, one client, median', median(overHttp), { unit: 'ms', atMost: 1.2 })
figure('simulation over HTTP, one client, p99', quantile(overHttp, 0.99), { unit: 'ms' })
figure(`simulations over HTTP, ${clients} clients`, await rate(post), { unit: '/s', atLeast: 900 })
agent.destroy()
await server.stop()
