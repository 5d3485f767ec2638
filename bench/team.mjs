// What a team's bank costs: durable payments, reads, forwarding, loading, and how that grows.
// Run: npm run build && node bench/team.mjs [--seconds 5] [--many 10000] [--rows 1000000]

import { Postgres } from '../dist/team/postgres.js'
import { load as loadWorkspace } from '../dist/team/load.js'
import { Saved } from '../dist/team/saved.js'
import { shownText } from '../dist/team/shown.js'
import { Store } from '../dist/team/store.js'
import { migrate } from '../dist/team/schema.js'
import { Sandbox } from '../dist/sandbox/sandbox.js'
import { everyday, numbers, savings, startBank } from '../test/soak/bank.mjs'
import { accounts, ask, freshStore, percentile, startReplica, workspacesOf } from '../test/soak/team-bank.mjs'

const { seconds, many, rows } = numbers({ seconds: 5, many: 10_000, rows: 1_000_000 })
const nowMs = Date.parse('2026-03-25T08:00:00Z')
const flags = ['--now', '2026-03-25T08:00:00Z']
const figures = {}
const ms = (value) => Math.round(value * 100) / 100

/** Calls from `count` clients at once for some seconds: how many a second, and their latencies. */
async function measure(count, call) {
  const times = []
  const endMs = performance.now() + seconds * 1_000
  const loop = async (client) => {
    while (performance.now() < endMs) {
      const beganMs = performance.now()
      const { status, text } = await call(client)
      if (status !== 200) throw new Error(text)
      times.push(performance.now() - beganMs)
    }
  }
  await Promise.all(Array.from({ length: count }, (_, client) => loop(client)))
  return {
    perSecond: Math.round(times.length / seconds),
    p50: ms(percentile(times, 0.5)),
    p99: ms(percentile(times, 0.99)),
  }
}

const transfer = (url, headers) =>
  ask(url, 'POST', `${accounts}/${everyday}/transfermultiple`, {
    headers,
    body: {
      transferList: [
        { beneficiaryAccountId: savings, amount: '0.01', myReference: 'bench', theirReference: 'bench' },
      ],
    },
  })
const balance = (url, headers) => ask(url, 'GET', `${accounts}/${everyday}/balance`, { headers })

const { store, drop } = await freshStore()
const running = []
try {
  const first = await startReplica(store, ...flags)
  running.push(first)
  const clients = await workspacesOf(first.url, 50)
  // In turns, and before the payments: a database that cleans up behind them takes its share of the machine.
  const alone = await startBank(...flags)
  const same = await workspacesOf(alone.url, 8)
  const reads = []
  for (let round = 0; round < 4; round++) {
    const without = await measure(8, (client) => balance(alone.url, same[client].headers))
    reads.push([without, await measure(8, (client) => balance(first.url, clients[client].headers))])
  }
  const middle = (at) =>
    percentile(
      reads.slice(1).map((pair) => pair[at].perSecond),
      0.5,
    )
  figures['reads a second without and with a store, 8 clients'] = [middle(0), middle(1)]
  await alone.end()

  for (const { headers } of clients) await transfer(first.url, headers)
  const postgres = await Postgres.open(store)
  const walOf = async () =>
    Number((await postgres.run(`select pg_current_wal_lsn() - '0/0' as bytes`))[0].bytes)
  const before = await walOf()
  let turn = 0
  const few = await measure(4, () => transfer(first.url, clients[turn++ % 50].headers))
  figures['payments, 4 clients in 50 workspaces'] = few
  const paid = await measure(50, (client) => transfer(first.url, clients[client].headers))
  figures['payments, 50 clients in 50 workspaces'] = paid
  figures['bytes of the log of Postgres for a payment'] = Math.round(
    ((await walOf()) - before) / ((paid.perSecond + few.perSecond) * seconds),
  )

  const second = await startReplica(store, ...flags)
  running.push(second)
  await measure(1, () => balance(second.url, clients[0].headers))
  const near = await measure(1, () => balance(first.url, clients[0].headers))
  const far = await measure(1, () => balance(second.url, clients[0].headers))
  figures['forwarding adds, ms (p50)'] = ms(far.p50 - near.p50)

  const tables = new Store(postgres)
  const loads = []
  for (let each = 0; each < 30; each++) {
    const workspace = new Sandbox({ nowMs }).workspaces.make('team-0')
    const beganMs = performance.now()
    const read = await tables.snapshot('team-0')
    await loadWorkspace(workspace, read, (id) => tables.history(id), false)
    loads.push(performance.now() - beganMs)
  }
  figures['loading a workspace, ms'] = { first: ms(loads[0]), p50: ms(percentile(loads, 0.5)) }
  const [{ bytes }] = await postgres.run(
    `select (pg_total_relation_size('$schema.part') + pg_total_relation_size('$schema.workspace')) / count(*) as bytes from $schema.workspace`,
  )
  figures['bytes on disk for a workspace, with indexes'] = Number(bytes)

  // A copy of one workspace many times, made by the database alone.
  await postgres.run(
    `insert into $schema.workspace (name, mark, client_ids, shown, epoch, history, rows, bytes)
     select 'copy-' || n, 'copy-' || n, array['copy-' || n], shown, 0, history, rows, bytes
     from $schema.workspace, generate_series(1, $1::int) n where name = 'team-49'`,
    many,
  )
  await postgres.run(
    `insert into $schema.part (workspace, kind, key, seq, version, value)
     select c.id, p.kind, p.key, p.seq, p.version, p.value from $schema.workspace c, $schema.part p
     where c.name like 'copy-%' and p.workspace = (select id from $schema.workspace where name = 'team-49') and p.kind <> 'entries'`,
  )
  await postgres.run('analyze')
  figures[`payments, 4 clients, ${many} more workspaces in the store`] = await measure(4, (client) =>
    transfer(first.url, clients[client].headers),
  )

  const commits = []
  const own = await Postgres.open(store.replace('schema=', 'schema=r_'))
  await migrate(own)
  const sandbox = new Sandbox({ nowMs })
  const bank = await sandbox.main.open()
  const saved = new Saved(false)
  const rowStore = new Store(own)
  const claim = await rowStore.add(
    'default',
    { mark: '', owner: 'me', controlHash: null },
    saved.compare(sandbox.main, bank, shownText(sandbox.main)),
  )
  const enter = () =>
    bank.enter(everyday, { direction: 'CREDIT', cents: 1, transactionType: 'Deposits', description: 'bench' })
  const commitOnce = () =>
    rowStore.commit(claim, 'me', saved.compare(sandbox.main, bank, shownText(sandbox.main)))
  for (let most = 1_000; most <= rows; most *= 10) {
    while (saved.rows < most) {
      for (let each = 0; each < Math.min(50_000, most - saved.rows); each++) enter()
      await commitOnce()
    }
    const times = []
    for (let each = 0; each < 300; each++) {
      enter()
      const beganMs = performance.now()
      await commitOnce()
      times.push(performance.now() - beganMs)
    }
    commits.push({ rows: most, p50: ms(percentile(times, 0.5)) })
  }
  figures['one commit, ms, by rows in the book'] = commits
  await own.run('drop schema $schema cascade')
  await own.close()
  await postgres.close()
  console.log(JSON.stringify(figures, null, 2))
} finally {
  await Promise.all(running.map((replica) => replica.end('SIGKILL')))
  await drop()
}
process.exit(0)
