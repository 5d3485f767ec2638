// Figures of the control API, in one process: the cost of faults, journal and listeners per call, the time of reset,
// workspaces and the large scenario, and the memory of a thousand workspaces. `npm run build && node --expose-gc
// bench/control.mjs`
import { performance } from 'node:perf_hooks'
import { Sandbox } from '../dist/sandbox/sandbox.js'
import { figure, median } from './figures.mjs'

const nowMs = Date.UTC(2026, 2, 25, 8)
const accounts = '/za/pb/v1/accounts'

const signIn = async (sandbox, { clientId, clientSecret, apiKey }) => {
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const headers = {
    authorization: `Basic ${basic}`,
    'x-api-key': apiKey,
    'content-type': 'application/x-www-form-urlencoded',
  }
  const body = 'grant_type=client_credentials&scope=accounts'
  const reply = await sandbox.handle({ method: 'POST', path: '/identity/v2/oauth2/token', headers, body })
  return { authorization: `Bearer ${JSON.parse(reply.body).access_token}` }
}
const usual = { clientId: 'sandbox-client', clientSecret: 'sandbox-secret', apiKey: 'sandbox-api-key' }

const control = async (sandbox, method, path, body) => {
  const reply = await sandbox.handle({ method, path: `/_sandbox/${path}`, body })
  if (reply.status !== 200) throw new Error(`${path}: ${reply.body}`)
  return JSON.parse(reply.body)
}

const timed = async (act) => {
  const begin = performance.now()
  await act()
  return performance.now() - begin
}

/** Calls a second of GET accounts, the median of rounds that alternate between the ways to compare. */
async function compare(ways) {
  const calls = 20_000
  const rates = new Map(Object.keys(ways).map((name) => [name, []]))
  for (let round = 0; round < 15; round++)
    for (const [name, { sandbox, headers }] of Object.entries(ways)) {
      const ms = await timed(async () => {
        for (let i = 0; i < calls; i++) await sandbox.handle({ method: 'GET', path: accounts, headers })
      })
      if (round > 2) rates.get(name).push((calls / ms) * 1000)
    }
  return new Map([...rates].map(([name, all]) => [name, median(all)]))
}

const make = async () => {
  const sandbox = new Sandbox({ nowMs })
  return { sandbox, headers: await signIn(sandbox, usual) }
}

const plain = await make()
const faulty = await make()
for (let i = 0; i < 100; i++)
  await control(faulty.sandbox, 'POST', 'faults', {
    match: { method: i % 2 ? 'GET' : 'POST', path: `/za/pb/v1/accounts/*/x${i}` },
    fault: { status: 500 },
  })
const silent = await make()
silent.sandbox.main.journal.record = () => undefined
const heard = await make()
const parts = heard.sandbox.main.events.listen()
void (async () => {
  for await (const part of parts) void part
})()
const rates = await compare({ plain, faulty, silent, heard })
const base = rates.get('plain')
figure('GET accounts through handle, journal on', base, { unit: '/s', atLeast: 100_000 })
figure('the same with 100 faults', rates.get('faulty'), {
  unit: '/s',
  ratio: rates.get('faulty') / base,
  atLeast: 0.9,
})
figure('the same without a journal, to what it is with one', rates.get('silent'), {
  unit: '/s',
  ratio: rates.get('silent') / base,
  atMost: 1.05,
})
figure('the same without a listener, to what it is with one', base, {
  unit: '/s',
  ratio: base / rates.get('heard'),
  atMost: 1.3,
})

const resets = []
for (let i = 0; i < 200; i++) {
  await plain.sandbox.handle({ method: 'GET', path: accounts, headers: plain.headers })
  resets.push(await timed(() => control(plain.sandbox, 'POST', 'reset')))
  plain.headers = await signIn(plain.sandbox, usual)
}
figure('reset of the default scenario, median', median(resets), { unit: 'ms', atMost: 5 })

const many = await Sandbox.create({ scenario: 'empty' })
const large = await timed(async () => {
  await control(many, 'POST', 'scenario', { scenario: 'many-transactions' })
  await many.main.open()
})
const rows = many.main.bank.book('4675778129910189600000003').entries.length
figure(`many-transactions ready, ${rows.toLocaleString('en')} rows`, large, { unit: 'ms', atMost: 1000 })
const largeResets = []
for (let i = 0; i < 20; i++) largeResets.push(await timed(() => control(many, 'POST', 'reset')))
figure('reset of many-transactions, median', median(largeResets), { unit: 'ms' })

const host = new Sandbox({ nowMs })
await host.main.open()
globalThis.gc?.()
const before = process.memoryUsage()
const created = []
for (let i = 0; i < 1000; i++) {
  let made
  created.push(
    await timed(async () => {
      made = await control(host, 'POST', 'workspaces', {})
      const headers = await signIn(host, made)
      await host.handle({ method: 'GET', path: accounts, headers })
    }),
  )
}
globalThis.gc?.()
const after = process.memoryUsage()
figure('a workspace made, signed in to and asked, median', median(created), { unit: 'ms', atMost: 5 })
figure('heap of 1,000 workspaces', (after.heapUsed - before.heapUsed) / 1e6, { unit: 'MB' })
figure('the process with 1,000 workspaces', after.rss / 1e6, { unit: 'MB', atMost: 512 })
await Promise.all([plain, faulty, silent, heard].map(({ sandbox }) => sandbox.close()))
await Promise.all([many.close(), host.close()])
