// Stops a replica that owns workspaces for 15 s with SIGSTOP and lets it go on, while clients pay: others take its workspaces, what it
// writes late is refused, its clients get an error or the right answer, and nothing that was acknowledged is lost.
// Run: npm run build && node test/soak/team-pause.mjs [--pauses 2] [--seconds 15] [--workspaces 20]

import {
  accounts,
  ask,
  check,
  freshStore,
  load,
  must,
  pause,
  startReplica,
  workspacesOf,
} from './team-bank.mjs'
import { everyday, numbers } from './bank.mjs'

const { pauses, seconds, workspaces } = numbers({ pauses: 2, seconds: 15, workspaces: 20 })
const { store, drop } = await freshStore()
const flags = ['--now', '2026-03-25T08:00:00Z']
const replicas = await Promise.all([1, 2, 3].map(() => startReplica(store, ...flags)))
try {
  const clients = await workspacesOf(replicas[0].url, workspaces)
  let turn = 0
  // Clients of the stopped replica wait, as they would for a machine that is overloaded.
  const stop = load(clients, () => replicas[turn++ % 3].url)
  let refused = 0
  for (let each = 0; each < pauses; each++) {
    await pause(1_000)
    const { signal, url } = replicas[each % 3]
    signal('SIGSTOP')
    await pause(seconds * 1_000)
    for (const client of clients) client.lastMs = undefined
    signal('SIGCONT')
    // The first things that the former owner is asked.
    const answers = await Promise.all(
      clients.map(async (client) => {
        const path = `${accounts}/${everyday}/transactions?fromDate=2020-01-01`
        const before = client.acknowledged.length
        const { status, json } = await ask(url, 'GET', path, { headers: client.headers })
        if (status !== 200) return status
        const rows = new Set(json.data.transactions.map(({ description }) => description))
        const missing = client.acknowledged.slice(0, before).filter((reference) => !rows.has(reference))
        must(missing.length === 0, `an old answer for ${client.name} without ${missing.join(', ')}`)
        return status
      }),
    )
    refused += answers.filter((status) => status !== 200).length
    const endMs = performance.now() + 10_000
    while (clients.some(({ lastMs }) => lastMs === undefined)) {
      await pause(10)
      must(performance.now() < endMs, 'no service for 10 s after the pause')
    }
  }
  await stop()
  let transfers = 0
  for (const client of clients) transfers += await check(replicas[0].url, client)
  const acknowledged = clients.reduce((sum, client) => sum + client.acknowledged.length, 0)
  console.log(
    `team-pause: ${pauses} pauses of ${seconds} s, ${acknowledged} acknowledged transfers, 0 lost, 0 twice, 0 half, ${transfers - acknowledged} more there; no old answer, ${refused} refused`,
  )
} finally {
  await Promise.all(replicas.map((replica) => replica.isUp() && replica.end('SIGKILL')))
  await drop()
}
process.exit(0)
