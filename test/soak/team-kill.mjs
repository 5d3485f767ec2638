// Kills a random replica of three with SIGKILL again and again while 50 workspaces pay: every acknowledged transfer is there once,
// none twice, none half, and each workspace pays again within five seconds.
// Run: npm run build && node test/soak/team-kill.mjs [--seed 1] [--kills 100] [--workspaces 50]

import { numbers } from './bank.mjs'
import {
  chanceOf,
  check,
  freshStore,
  load,
  must,
  pause,
  percentile,
  startReplica,
  workspacesOf,
} from './team-bank.mjs'

const { seed, kills, workspaces } = numbers({ seed: 1, kills: 100, workspaces: 50 })
const chance = chanceOf(seed)
const { store, drop } = await freshStore()
const flags = ['--now', '2026-03-25T08:00:00Z']
const replicas = await Promise.all([1, 2, 3].map(() => startReplica(store, ...flags)))
try {
  const clients = await workspacesOf(replicas[0].url, workspaces)
  const pick = () => {
    const up = replicas.filter((replica) => replica.isUp())
    return up[chance.below(up.length)].url
  }
  const stop = load(clients, pick)
  const gaps = []
  for (let kill = 0; kill < kills; kill++) {
    await pause(200 + chance.below(1_500))
    const at = chance.below(3)
    const killedMs = performance.now()
    await replicas[at].end('SIGKILL')
    const starting = startReplica(store, ...flags)
    for (const client of clients) client.lastMs = undefined
    while (clients.some(({ lastMs }) => lastMs === undefined)) {
      await pause(10)
      must(
        performance.now() - killedMs < 15_000,
        `no service for 15 s: ${clients.find(({ lastMs }) => !lastMs)?.lastRefusal}`,
      )
    }
    gaps.push(...clients.map(({ lastMs }) => lastMs - killedMs))
    gaps.push(performance.now() - killedMs)
    replicas[at] = await starting
  }
  await stop()
  let transfers = 0
  for (const client of clients) transfers += await check(pick(), client)
  const acknowledged = clients.reduce((sum, client) => sum + client.acknowledged.length, 0)
  const unknown = clients.reduce((sum, client) => sum + client.unknown.length, 0)
  console.log(
    `team-kill: ${kills} kills, ${workspaces} workspaces, ${acknowledged} acknowledged transfers, 0 lost, 0 twice, 0 half; ${unknown} not acknowledged, of which ${transfers - acknowledged} are there; service back after ${Math.round(percentile(gaps, 0.5))} ms (p50), ${Math.round(percentile(gaps, 0.99))} ms (p99), ${Math.round(Math.max(...gaps))} ms (most)`,
  )
} finally {
  await Promise.all(replicas.map((replica) => replica.isUp() && replica.end('SIGKILL')))
  await drop()
}
process.exit(0)
