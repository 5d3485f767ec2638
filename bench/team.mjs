// What a team's bank costs: durable payments, reads, forwarding, loading, and how that grows.
// Run: npm run build && node bench/team.mjs [--seconds 3] [--many 10000] [--rows 1000000]

import { Postgres } from '../dist/team/postgres.js'
import { Replica } from '../dist/team/replica.js'
import { Saved } from '../dist/team/saved.js'
import { shownText } from '../dist/team/shown.js'
import { Store } from '../dist/team/store.js'
import { migrate } from '../dist/team/schema.js'
import { Sandbox } from '../dist/sandbox/sandbox.js'
import { everyday, numbers, savings, startBank } from '../test/soak/bank.mjs'
import { accounts, ask, freshStore, startReplica, workspacesOf } from '../test/soak/team-bank.mjs'
import { figure, median, quantile } from './figures.mjs'
import { load } from './load.mjs'

const { seconds, many, rows } = numbers({ seconds: 3, many: 10_000, rows: 1_000_000 })
const nowMs = Date.parse('2026-03-25T08:00:00Z')
const flags = ['--now', '2026-03-25T08:00:00Z']

/** Calls from `count` clients at once for some seconds: how many a second, and their latencies in ms. */
async function measure(count, call, forSeconds = seconds) {
  const times = []
  const beganMs = performance.now()
  const endMs = beganMs + forSeconds * 1_000
  const loop = async (client) => {
    while (performance.now() < endMs) {
      const sentMs = performance.now()
      const { status, text } = await call(client)
      if (status !== 200) throw new Error(text)
      times.push(performance.now() - sentMs)
    }
  }
  await Promise.all(Array.from({ length: count }, (_, client) => loop(client)))
  return {
    count: times.length,
    perSecond: (times.length * 1_000) / (performance.now() - beganMs),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
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

const fleets = []
const running = new Set()

/** A store that is dropped at the end. */
async function storeOf(name) {
  const { store, drop } = await freshStore(undefined, name)
  fleets.push(drop)
  return store
}

async function replicaOf(store) {
  const replica = await startReplica(store, ...flags)
  running.add(replica)
  return replica
}

async function leave(replica) {
  await replica.end('SIGTERM')
  running.delete(replica)
}

try {
  const store = await storeOf('a')
  const first = await replicaOf(store)
  const clients = await workspacesOf(first.url, 50)
  await reads(first, clients)
  const postgres = await Postgres.open(store)
  await payments(first, clients, postgres)
  await postgres.close()
  const second = await replicaOf(store)
  await forwarding(first, second, clients)
  await leave(second)
  const third = await loading(store, first, clients)
  await manyWorkspaces(third, clients)
  await leave(third)
  await manyRows(await storeOf('rows'))
  await released(await storeOf('idle'))
} finally {
  await Promise.all([...running].map((replica) => replica.isUp() && replica.end('SIGKILL')))
  for (const drop of fleets) await drop()
}
process.exit()

/** In short turns, so that whatever else the machine does meets both. The client costs almost nothing. */
async function reads(replica, clients) {
  const alone = await startBank(...flags)
  const [same] = await workspacesOf(alone.url, 1)
  const rate = async ({ url }, { headers }) =>
    (await load(`${url}${accounts}/${everyday}/balance`, { headers, ms: 300 })).rate
  const pairs = []
  for (let round = 0; round < 60; round++) {
    const before = round % 2 === 0 ? await rate(alone, same) : undefined
    const kept = await rate(replica, clients[0])
    pairs.push([before ?? (await rate(alone, same)), kept])
  }
  await alone.end()
  const timed = pairs.slice(10)
  figure('a read with a store; ratio: without one', median(timed.map(([, kept]) => kept)), {
    unit: 'calls/s',
    ratio: median(timed.map(([plain, kept]) => plain / kept)),
    atMost: 1.15,
  })
}

async function payments(replica, clients, postgres) {
  const walOf = async () =>
    Number((await postgres.run(`select pg_current_wal_lsn() - '0/0' as bytes`))[0].bytes)
  for (const { headers } of clients) await transfer(replica.url, headers)
  await measure(50, (client) => transfer(replica.url, clients[client].headers))
  const before = await walOf()
  let turn = 0
  const few = await measure(4, () => transfer(replica.url, clients[turn++ % 50].headers))
  figure('a durable payment, 4 clients in 50 workspaces', few.perSecond, { unit: 'calls/s', atLeast: 500 })
  figure('the same: time of one, p50', few.p50, { unit: 'ms', atMost: 8 })
  const paid = await measure(50, (client) => transfer(replica.url, clients[client].headers))
  figure('a durable payment, 50 clients in 50 workspaces', paid.perSecond, {
    unit: 'calls/s',
    atLeast: 500,
  })
  figure('the same: time of one, p50', paid.p50, { unit: 'ms' })
  const bytes = ((await walOf()) - before) / (few.count + paid.count)
  figure('log of Postgres for a payment', bytes / 1_024, { unit: 'KB', atMost: 20 })
}

/** One client that asks both replicas in turns. */
async function forwarding(owner, other, clients) {
  const { headers } = clients[0]
  const once = async (url) => {
    const beganMs = performance.now()
    await balance(url, headers)
    return performance.now() - beganMs
  }
  const pairs = []
  for (let round = 0; round < 1_500; round++) pairs.push([await once(owner.url), await once(other.url)])
  const added = pairs.slice(500).map(([near, far]) => far - near)
  figure('forwarding adds, p50', median(added), { unit: 'ms', atMost: 1.5 })
}

/** Workspaces of a replica that left, called through one that has just started: the first call, less the second one. */
async function loading(store, before, clients) {
  const fresh = await replicaOf(store)
  await leave(before)
  const times = []
  for (const { headers } of clients) {
    const beganMs = performance.now()
    await balance(fresh.url, headers)
    const loadedMs = performance.now()
    await balance(fresh.url, headers)
    times.push(loadedMs - beganMs - (performance.now() - loadedMs))
  }
  figure('loading a workspace, the first one of a process', times[0], { unit: 'ms', atMost: 40 })
  figure('the same: p50 of 50', median(times), { unit: 'ms', atMost: 40 })
  return fresh
}

/** The same payments in turns in a store of 10 workspaces and in one of many: copies that the database alone makes. */
async function manyWorkspaces(few, clients) {
  const store = await storeOf('many')
  const replica = await replicaOf(store)
  const own = await workspacesOf(replica.url, 10)
  const postgres = await Postgres.open(store)
  await postgres.run(
    `insert into $schema.workspace (name, mark, client_ids, shown, epoch, history, rows, bytes)
     select 'copy-' || n, 'copy-' || n, array['copy-' || n], shown, 0, history, rows, bytes
     from $schema.workspace, generate_series(1, $1::int) n where name = 'team-9'`,
    many,
  )
  await postgres.run(
    `insert into $schema.part (workspace, kind, key, seq, version, value)
     select c.id, p.kind, p.key, p.seq, p.version, p.value from $schema.workspace c, $schema.part p
     where c.name like 'copy-%' and p.workspace = (select id from $schema.workspace where name = 'team-9')`,
  )
  await postgres.run('analyze')
  await postgres.run('checkpoint')
  const once = async (url, { headers }) => {
    const beganMs = performance.now()
    await transfer(url, headers)
    return performance.now() - beganMs
  }
  const pairs = []
  for (let round = 0; round < 1_500; round++)
    pairs.push([await once(few.url, clients[round % 10]), await once(replica.url, own[round % 10])])
  const timed = pairs.slice(500)
  figure(
    `a payment with ${many.toLocaleString('en')} workspaces in the store, p50`,
    median(timed.map(([, ms]) => ms)),
    {
      unit: 'ms',
      ratio: median(timed.map(([, ms]) => ms)) / median(timed.map(([ms]) => ms)),
      atMost: 1.25,
    },
  )
  const [{ bytes }] = await postgres.run(
    `select (pg_total_relation_size('$schema.part') + pg_total_relation_size('$schema.workspace')) / count(*) as bytes from $schema.workspace`,
  )
  figure('disk for a workspace, with indexes', Number(bytes) / 1_024, { unit: 'KB' })
  await postgres.close()
  await leave(replica)
}

/** Commits of one row in turns in workspaces whose book has more and more rows. */
async function manyRows(store) {
  const postgres = await Postgres.open(store)
  await migrate(postgres)
  const tables = new Store(postgres)
  const books = []
  for (let most = 1_000; most <= rows; most *= 10) {
    const { main } = new Sandbox({ nowMs })
    const bank = await main.open()
    const saved = new Saved(false)
    const name = `rows-${most}`
    const owner = { mark: name, owner: 'me', controlHash: null }
    const claim = await tables.add(name, owner, saved.compare(main, bank, shownText(main)))
    const enter = () =>
      bank.enter(everyday, {
        direction: 'CREDIT',
        cents: 1,
        transactionType: 'Deposits',
        description: 'bench',
      })
    const commit = () => tables.commit(claim, 'me', saved.compare(main, bank, shownText(main)))
    while (saved.rows < most) {
      for (let each = Math.min(50_000, most - saved.rows); each > 0; each--) enter()
      await commit()
    }
    books.push({ most, enter, commit, times: [] })
  }
  await postgres.run('checkpoint')
  for (let round = 0; round < 400; round++)
    for (const { enter, commit, times } of books) {
      enter()
      const beganMs = performance.now()
      await commit()
      times.push(performance.now() - beganMs)
    }
  const least = median(books[0].times.slice(100))
  for (const { most, times } of books)
    figure(`a commit with ${most.toLocaleString('en')} rows in the book, p50`, median(times.slice(100)), {
      unit: 'ms',
      ...(most > 1_000 && { ratio: median(times.slice(100)) / least, atMost: 1.25 }),
    })
  await postgres.close()
}

/** The heap before workspaces are loaded, and after they were released. */
async function released(store) {
  const replica = await Replica.start({
    store,
    host: '127.0.0.1',
    port: 0,
    http: {},
    sandbox: { nowMs },
    areCredentialsGiven: false,
  })
  const { holdings } = replica.team
  const clients = await workspacesOf(replica.url, 200)
  const use = async () => {
    for (const { headers } of clients) await balance(replica.url, headers)
  }
  const releaseAll = () => Promise.all(holdings.all.map((owned) => holdings.release(owned)))
  const heap = () => {
    for (let each = 0; each < 3; each++) globalThis.gc?.()
    return process.memoryUsage().heapUsed
  }
  await use()
  await releaseAll()
  const before = heap()
  await use()
  const held = heap()
  await releaseAll()
  figure('memory of a workspace that is held', (held - before) / 200 / 1_024, { unit: 'KB' })
  figure('memory of a workspace that was released', Math.max(0, heap() - before) / 200 / 1_024, {
    unit: 'KB',
    atMost: 1,
  })
  await replica.close(0)
}
