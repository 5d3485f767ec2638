// Replaces three replicas one after the other under load, as a deployment does: no call fails. Clients choose among replicas that say
// that they are ready, and send again only what was never sent, as load balancers do.
// Run: npm run build && node test/soak/team-rolling.mjs [--rounds 1] [--workspaces 20]

import { ask, check, freshStore, load, must, pause, startReplica, workspacesOf } from './team-bank.mjs'
import { numbers } from './bank.mjs'

const { rounds, workspaces } = numbers({ rounds: 1, workspaces: 20 })
const { store, drop } = await freshStore()
const flags = ['--now', '2026-03-25T08:00:00Z']
const replicas = await Promise.all([1, 2, 3].map(() => startReplica(store, ...flags)))
const ready = new Set(replicas)
const probing = setInterval(() => {
  for (const replica of replicas)
    ask(replica.url, 'GET', '/readyz', { timeoutMs: 1_000 }).then(
      ({ status }) => (status === 200 ? ready.add(replica) : ready.delete(replica)),
      () => ready.delete(replica),
    )
}, 100)
try {
  const clients = await workspacesOf(replicas[0].url, workspaces)
  let turn = 0
  const pick = () => {
    const all = [...ready]
    return all[turn++ % all.length].url
  }
  const failed = []
  const stop = load(clients, pick, (status, client) => {
    if (status !== 200 && status !== 'not sent') failed.push(`${status} ${client.lastRefusal ?? ''}`)
  })
  let slowestMs = 0
  for (let round = 0; round < rounds; round++)
    for (let at = 0; at < 3; at++) {
      await pause(1_000)
      const leaving = replicas[at]
      const beganMs = performance.now()
      await leaving.end('SIGTERM')
      slowestMs = Math.max(slowestMs, performance.now() - beganMs)
      ready.delete(leaving)
      replicas[at] = await startReplica(store, ...flags)
    }
  await pause(1_000)
  await stop()
  must(failed.length === 0, `${failed.length} calls failed: ${failed.slice(0, 3).join('; ')}`)
  let transfers = 0
  for (const client of clients) transfers += await check(replicas[0].url, client)
  console.log(
    `team-rolling: ${3 * rounds} replicas replaced, ${transfers} transfers, 0 failed, 0 lost; the slowest left in ${Math.round(slowestMs)} ms`,
  )
} finally {
  clearInterval(probing)
  await Promise.all(replicas.map((replica) => replica.isUp() && replica.end('SIGKILL')))
  await drop()
}
process.exit(0)
