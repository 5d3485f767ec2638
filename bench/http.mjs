// Requests per second over HTTP, start and memory, beside bare servers that are measured in turn with the sandbox.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { figure, median, quantile } from './figures.mjs'
import { load } from './load.mjs'
import { start, startBareExpress, startBareNode, startSandbox, tokenOf } from './servers.mjs'

const rounds = Number(process.env.ROUNDS ?? 5)
const account = '4675778129910189600000003'
const folder = mkdtempSync(join(tmpdir(), 'bench-'))
const file = join(folder, 'body.json')

/** The load on the sandbox and on both bare servers, in turns: a list of rounds for each. */
async function beside(path, options = {}) {
  const sandbox = await startSandbox()
  const headers = { authorization: `Bearer ${await tokenOf(sandbox)}`, 'content-type': 'application/json' }
  const { method = 'GET', body } = options
  const response = await fetch(sandbox.url + path, { headers, method, body })
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
  writeFileSync(file, await response.text())
  const servers = {
    ours: sandbox,
    node: await startBareNode(file),
    express: await startBareExpress(file),
  }
  const measured = { ours: [], node: [], express: [] }
  for (let round = 0; round < rounds; round++)
    for (const [name, { url }] of Object.entries(servers))
      measured[name].push(await load(url + path, { ...options, headers }))
  for (const server of Object.values(servers)) await server.stop()
  return measured
}

async function throughput(what, path, atLeast, options) {
  const { ours, node, express } = await beside(path, options)
  const rate = (list) => median(list.map((each) => each.rate))
  figure(`${what}, requests/s`, rate(ours), {
    node: rate(node),
    express: rate(express),
    ratio: median(ours.map((each, round) => each.rate / express[round].rate)),
    atLeast,
  })
}

async function starting(begin) {
  const times = []
  let memory = 0
  for (let round = 0; round < rounds * 2; round++) {
    const server = await begin()
    const response = await fetch(`${server.url}/_sandbox/health`)
    await response.text()
    if (response.status === 200) times.push(performance.now() - server.started)
    memory = residentMb(server.pid)
    await server.stop()
  }
  return { ms: median(times), memory }
}

const residentMb = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024

await throughput('GET accounts', '/za/pb/v1/accounts', 4)
await throughput('GET balance', `/za/pb/v1/accounts/${account}/balance`, 4)
await throughput('GET transactions, 180 days', `/za/pb/v1/accounts/${account}/transactions`, 7)
await throughput('POST paymultiple, one item', `/za/pb/v1/accounts/${account}/paymultiple`, 2, {
  method: 'POST',
  body: JSON.stringify({
    paymentList: [
      {
        beneficiaryId: 'MTAxODc2NTQzMjAwMDE=',
        amount: '0.01',
        myReference: 'Housekeeping',
        theirReference: 'Naidoo March',
      },
    ],
  }),
})

const crowd = await beside('/za/pb/v1/accounts', { connections: 200 })
const p99 = (list) => median(list.map(({ times }) => quantile(times, 0.99)))
figure('GET accounts, 200 connections, p99', p99(crowd.ours), {
  unit: 'ms',
  node: p99(crowd.node),
  express: p99(crowd.express),
  ratio: p99(crowd.ours) / p99(crowd.express),
  atMost: 1,
})

const ours = await starting(() => startSandbox())
const node = await starting(() => start('bench/bare-node.mjs', [file]))
const express = await starting(() => start('bench/bare-express.mjs', [file]))
figure('start to the first 200', ours.ms, {
  unit: 'ms',
  node: node.ms,
  express: express.ms,
  ratio: ours.ms / express.ms,
  atMost: 1.15,
})
figure('memory at rest', ours.memory, {
  unit: 'MB',
  node: node.memory,
  express: express.memory,
  ratio: ours.memory / express.memory,
  atMost: 1.1,
})
rmSync(folder, { recursive: true })
