// Requests per second over HTTP, start and memory, each as a ratio to a bare Express app measured in turn with it.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requestsPerSecond } from './load.mjs'
import { median, start, startBare, startSandbox, tokenOf } from './servers.mjs'

const rounds = Number(process.env.ROUNDS ?? 5)
const account = '4675778129910189600000003'
const folder = mkdtempSync(join(tmpdir(), 'bench-'))

async function throughput(path) {
  const sandbox = await startSandbox()
  const headers = { authorization: `Bearer ${await tokenOf(sandbox)}` }
  const body = await (await fetch(sandbox.url + path, { headers })).text()
  const file = join(folder, 'body.json')
  writeFileSync(file, body)
  const bare = await startBare(file)
  const ours = []
  const theirs = []
  for (let round = 0; round < rounds; round++) {
    theirs.push(await requestsPerSecond(bare.url + path, { headers }))
    ours.push(await requestsPerSecond(sandbox.url + path, { headers }))
  }
  await bare.stop()
  await sandbox.stop()
  return {
    ours: median(ours),
    theirs: median(theirs),
    ratio: median(ours.map((each, i) => each / theirs[i])),
    body,
  }
}

async function startTimes(begin) {
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

const row = (name, ours, theirs, ratio, promise) =>
  console.log(`| ${name} | ${ours} | ${theirs} | ${ratio.toFixed(2)} | ${promise} |`)

console.log('| What | sandbox | bare Express | ratio | promise |')
console.log('| --- | --- | --- | --- | --- |')
for (const [name, path, promise] of [
  ['GET accounts', '/za/pb/v1/accounts', '≥ 4'],
  ['GET balance', `/za/pb/v1/accounts/${account}/balance`, '≥ 4'],
  ['GET transactions, 180 days', `/za/pb/v1/accounts/${account}/transactions`, '≥ 7'],
]) {
  const { ours, theirs, ratio } = await throughput(path)
  row(`${name}, requests/s`, Math.round(ours), Math.round(theirs), ratio, promise)
}
const oursStart = await startTimes(() => startSandbox())
const bareStart = await startTimes(() => start('bench/bare-express.mjs', [join(folder, 'body.json')]))
row(
  'start to first 200, ms',
  oursStart.ms.toFixed(0),
  bareStart.ms.toFixed(0),
  oursStart.ms / bareStart.ms,
  '≤ 1.15',
)
row(
  'memory at rest, MB',
  oursStart.memory.toFixed(0),
  bareStart.memory.toFixed(0),
  oursStart.memory / bareStart.memory,
  '≤ 1.1',
)
rmSync(folder, { recursive: true })
