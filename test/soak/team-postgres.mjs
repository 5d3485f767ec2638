// Stops and starts a Postgres of its own under load: meanwhile writes fail with a clear refusal, and nothing that was acknowledged is lost.
// Needs the programs of Postgres (PG_BIN, or /usr/lib/postgresql/*/bin), and root to run them as the user postgres.
// Run: npm run build && node test/soak/team-postgres.mjs [--stops 3] [--seconds 5] [--workspaces 20]

import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { check, freshStore, load, must, pause, startReplica, workspacesOf } from './team-bank.mjs'
import { numbers } from './bank.mjs'

const { stops, seconds, workspaces } = numbers({ stops: 3, seconds: 5, workspaces: 20 })
const lib = '/usr/lib/postgresql'
const bin = process.env.PG_BIN ?? join(lib, readdirSync(lib).sort().at(-1), 'bin')
const folder = mkdtempSync(join(tmpdir(), 'team-postgres-'))
const uid = Number(execFileSync('id', ['-u', 'postgres']))
const gid = Number(execFileSync('id', ['-g', 'postgres']))
chownSync(folder, uid, gid)
const run = (name, ...args) => execFileSync(join(bin, name), args, { uid, gid, cwd: folder, stdio: 'ignore' })
const port = await new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port: free } = server.address()
    server.close(() => resolve(free))
  })
})
const data = join(folder, 'data')
const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}`
const start = () => run('pg_ctl', '-D', data, '-w', '-o', options, '-l', join(folder, 'log'), 'start')
const stopServer = () => run('pg_ctl', '-D', data, '-w', '-m', 'immediate', 'stop')
run('initdb', '-D', data, '-A', 'trust', '-U', 'postgres')
start()
const { store } = await freshStore(`postgres://postgres@127.0.0.1:${port}/postgres`)
const flags = ['--now', '2026-03-25T08:00:00Z']
const replicas = await Promise.all([1, 2].map(() => startReplica(store, ...flags)))
try {
  const clients = await workspacesOf(replicas[0].url, workspaces)
  let turn = 0
  const refusals = new Map()
  let isDown = false
  let paidWhileDown = 0
  const stop = load(
    clients,
    () => replicas[turn++ % 2].url,
    (status, client) => {
      if (status === 200 && isDown) paidWhileDown++
      if (status === 200) return
      const code = /problem:([\w-]+)/.exec(client.lastRefusal ?? '')?.[1] ?? ''
      refusals.set(`${status} ${code}`, (refusals.get(`${status} ${code}`) ?? 0) + 1)
    },
  )
  const backMs = []
  for (let each = 0; each < stops; each++) {
    await pause(1_500)
    stopServer()
    await pause(300)
    isDown = true
    await pause(seconds * 1_000)
    isDown = false
    start()
    const beganMs = performance.now()
    for (const client of clients) client.lastMs = undefined
    while (clients.some(({ lastMs }) => lastMs === undefined)) {
      await pause(10)
      must(
        performance.now() - beganMs < 15_000,
        `no service for 15 s after Postgres was back: ${clients.find(({ lastMs }) => !lastMs)?.lastRefusal}`,
      )
    }
    backMs.push(performance.now() - beganMs)
  }
  await stop()
  must(paidWhileDown === 0, `${paidWhileDown} transfers were acknowledged without Postgres`)
  must(
    [...refusals.keys()].every((key) => key === '500 store-unavailable'),
    JSON.stringify([...refusals]),
  )
  let transfers = 0
  for (const client of clients) transfers += await check(replicas[0].url, client)
  const acknowledged = clients.reduce((sum, client) => sum + client.acknowledged.length, 0)
  console.log(
    `team-postgres: ${stops} stops of ${seconds} s, ${acknowledged} acknowledged transfers, 0 lost, 0 twice, ${transfers - acknowledged} more there; refusals ${JSON.stringify([...refusals])}; service back after ${Math.round(Math.max(...backMs))} ms at most`,
  )
} finally {
  await Promise.all(replicas.map((replica) => replica.isUp() && replica.end('SIGKILL')))
  stopServer()
  rmSync(folder, { recursive: true, force: true })
}
process.exit(0)
