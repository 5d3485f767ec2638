// How cost grows with work: milliseconds for each size, and as ratio the slope between the smallest and the largest size on
// a log-log scale. 0 is flat, 1 is linear. Run `npm run build && node --expose-gc bench/growth.mjs`.

import { Sandbox } from '../dist/sandbox/sandbox.js'
import { statementPdf } from '../dist/bank/documents/documents.js'
import { figure, median, shown } from './figures.mjs'

const nowMs = Date.parse('2026-03-25T08:00:00Z')
const signIn = {
  method: 'POST',
  path: '/identity/v2/oauth2/token',
  headers: {
    authorization: `Basic ${Buffer.from('sandbox-client:sandbox-secret').toString('base64')}`,
    'x-api-key': 'sandbox-api-key',
    'content-type': 'application/x-www-form-urlencoded',
  },
  body: 'grant_type=client_credentials',
}

/** A sandbox and its calls; throws when one is refused. */
async function opened() {
  const sandbox = new Sandbox({ nowMs })
  const call = async (method, path, body, headers = {}) => {
    const reply = await sandbox.handle({ method, path, body, headers })
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${reply.body}`)
    return typeof reply.body === 'string' ? reply.body : Buffer.from(reply.body).toString()
  }
  const token = JSON.parse(await call('POST', signIn.path, signIn.body, signIn.headers)).access_token
  const authorization = `Bearer ${token}`
  return { sandbox, call, asClient: (method, path, body) => call(method, path, body, { authorization }) }
}

/** The median of a few runs, ms. */
async function medianMs(run, runs = 21) {
  const times = []
  for (let i = 0; i < runs; i++) {
    const started = performance.now()
    await run()
    times.push(performance.now() - started)
  }
  return medianMs(times)
}

const flat = 0.2
const linear = 1.1

/** States the cost of the largest size, and the slope over all sizes. */
async function grow(what, sizes, atMost, measure, unit = 'ms') {
  const figures = []
  for (const size of sizes) figures.push(await measure(size))
  const slope = Math.log(figures.at(-1) / figures[0]) / Math.log(sizes.at(-1) / sizes[0])
  console.log(sizes.map((size, index) => `  ${size.toLocaleString('en')}: ${shown(figures[index])}`).join(''))
  const range = `${sizes[0].toLocaleString('en')} to ${sizes.at(-1).toLocaleString('en')}`
  figure(`${what}; slope from ${range}`, figures.at(-1), { unit, ratio: slope, atMost })
}

const everyday = '4675778129910189600000003'
const savings = '4675778129910189600000004'
const accounts = '/za/pb/v1/accounts'

async function withRows(rows) {
  const sandbox = await opened()
  const bank = await sandbox.sandbox.main.open()
  for (let i = 0; i < rows; i++)
    bank.books.post(
      everyday,
      { direction: i % 2 ? 'DEBIT' : 'CREDIT', cents: 100, transactionType: 'Deposits', description: 'ROW' },
      bank.today(),
    )
  return sandbox
}

const rowCounts = [1_000, 10_000, 100_000, 1_000_000]
await grow('rows: query of 30 days', rowCounts, flat, async (rows) => {
  const { asClient } = await withRows(rows)
  return medianMs(() =>
    asClient('GET', `${accounts}/${everyday}/transactions?fromDate=2026-04-01&toDate=2026-04-30`),
  )
})
await grow('rows: transfer', rowCounts, flat, async (rows) => {
  const { asClient } = await withRows(rows)
  const item = { beneficiaryAccountId: savings, amount: '0.01', myReference: 'a', theirReference: 'b' }
  return medianMs(() =>
    asClient('POST', `${accounts}/${everyday}/transfermultiple`, { transferList: [item] }),
  )
})
await grow('rows on one statement', [100, 1_000, 10_000], linear, async (count) => {
  const row = {
    postingDate: '2026-03-01',
    description: 'PURCHASE CAPE TOWN ZA',
    amountCents: -1,
    balanceCents: 9,
  }
  const names = {
    accountNumber: '1',
    accountName: 'A',
    productName: 'P',
    referenceName: 'R',
    profileName: 'N',
  }
  const period = { fromDate: '2026-03-01', toDate: '2026-03-31', openingCents: 0, closingCents: 0 }
  const rows = Array.from({ length: count }, () => row)
  return medianMs(() => statementPdf({ bank: { name: 'B' }, account: names, ...period, rows }), 3)
})
await grow('workspaces: create one more', [1, 100, 1_000, 9_000], flat, async (count) => {
  const { call } = await opened()
  let last = 0
  const add = () => call('POST', '/_sandbox/workspaces', { name: `n${++last}` })
  for (let i = 1; i < count; i++) await add()
  return medianMs(add)
})
await grow('workspaces: sign in to the last', [1, 100, 1_000, 9_000], flat, async (count) => {
  const { call } = await opened()
  for (let i = 0; i < count; i++) await call('POST', '/_sandbox/workspaces', { name: `n${i}` })
  const name = `n${count - 1}`
  const basic = Buffer.from(`sandbox-client-${name}:sandbox-secret-${name}`).toString('base64')
  const headers = {
    ...signIn.headers,
    authorization: `Basic ${basic}`,
    'x-api-key': `sandbox-api-key-${name}`,
  }
  return medianMs(() => call('POST', signIn.path, signIn.body, headers))
})
await grow('faults: a call that none fits', [1, 10, 100, 1_000], linear, async (count) => {
  const { call, asClient } = await opened()
  for (let i = 0; i < count; i++)
    await call('POST', '/_sandbox/faults', { match: { path: `/za/none/${i}/**` }, delayMs: 1 })
  return medianMs(() => asClient('GET', accounts), 201)
})
await grow('calls in the journal: a call', [1, 100, 1_000, 10_000], flat, async (count) => {
  const { asClient } = await opened()
  for (let i = 0; i < count; i++) await asClient('GET', accounts)
  return medianMs(() => asClient('GET', accounts), 201)
})
await grow('listeners: a call', [1, 10, 100], linear, async (count) => {
  const { sandbox, asClient } = await opened()
  for (let i = 0; i < count; i++) sandbox.main.events.listen()
  return medianMs(() => asClient('GET', accounts), 201)
})
const card = '700615'
const executePath = `/za/v1/cards/${card}/code/execute`
const simulate = (asClient, simulationcode) =>
  asClient('POST', executePath, JSON.stringify({ simulationcode }))
const hook = 'const beforeTransaction = async () => true\n'
await grow('executions kept: one more', [1, 100, 1_000], flat, async (count) => {
  const { sandbox, asClient } = await opened()
  for (let i = 0; i < count; i++) await simulate(asClient, hook)
  const ms = await medianMs(() => simulate(asClient, hook), 101)
  await sandbox.close()
  return ms
})
await grow('characters of main.js: a simulation', [1_000, 10_000, 100_000], linear, async (length) => {
  const { sandbox, asClient } = await opened()
  const code = `${hook}const unused = () => 'a text of some length'\n`.padEnd(
    length,
    '// a comment of some length\n',
  )
  await simulate(asClient, code)
  const ms = await medianMs(() => simulate(asClient, code), 51)
  await sandbox.close()
  return ms
})
await grow('lines of log: a simulation', [10, 100, 1_000], linear, async (count) => {
  const { sandbox, asClient } = await opened()
  const code = `const beforeTransaction = async () => { for (let i = 0; i < ${count}; i++) console.log('line', i); return true }`
  await simulate(asClient, code)
  const ms = await medianMs(() => simulate(asClient, code), 51)
  await sandbox.close()
  return ms
})
await grow(
  'workspaces: heap of all',
  [10, 100, 1_000],
  linear,
  async (count) => {
    const { call } = await opened()
    globalThis.gc?.()
    const before = process.memoryUsage().heapUsed
    for (let i = 0; i < count; i++) await call('POST', '/_sandbox/workspaces', { name: `n${i}` })
    globalThis.gc?.()
    return (process.memoryUsage().heapUsed - before) / 1e6
  },
  'MB',
)
