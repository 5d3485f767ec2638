// Prints how cost grows with work: milliseconds for each size, and the slope between the smallest and the largest size on a
// log-log scale. 0 is flat, 1 is linear. Run `npm run build && node bench/growth.mjs`.

import { Sandbox } from '../dist/sandbox/sandbox.js'
import { statementPdf } from '../dist/bank/documents/documents.js'

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
async function median(run, runs = 21) {
  const times = []
  for (let i = 0; i < runs; i++) {
    const started = performance.now()
    await run()
    times.push(performance.now() - started)
  }
  return times.sort((a, b) => a - b)[runs >> 1]
}

async function print(what, sizes, measure) {
  const figures = []
  for (const size of sizes) figures.push(await measure(size))
  const [first, last] = [figures[0], figures.at(-1)]
  const slope = Math.log(last / first) / Math.log(sizes.at(-1) / sizes[0])
  const cells = sizes.map((size, index) => `${size}: ${figures[index].toFixed(3)}`).join('  ')
  console.log(`${what.padEnd(34)} slope ${slope.toFixed(2).padStart(5)}   ${cells}`)
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
await print('rows: query of 30 days', rowCounts, async (rows) => {
  const { asClient } = await withRows(rows)
  return median(() =>
    asClient('GET', `${accounts}/${everyday}/transactions?fromDate=2026-04-01&toDate=2026-04-30`),
  )
})
await print('rows: transfer', rowCounts, async (rows) => {
  const { asClient } = await withRows(rows)
  const item = { beneficiaryAccountId: savings, amount: '0.01', myReference: 'a', theirReference: 'b' }
  return median(() => asClient('POST', `${accounts}/${everyday}/transfermultiple`, { transferList: [item] }))
})
await print('rows on one statement', [100, 1_000, 5_000], async (count) => {
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
  return median(() => statementPdf({ bank: { name: 'B' }, account: names, ...period, rows }), 3)
})
await print('workspaces: create one more', [1, 100, 1_000, 9_000], async (count) => {
  const { call } = await opened()
  let last = 0
  const add = () => call('POST', '/_sandbox/workspaces', { name: `n${++last}` })
  for (let i = 1; i < count; i++) await add()
  return median(add)
})
await print('workspaces: sign in to the last', [1, 100, 1_000, 9_000], async (count) => {
  const { call } = await opened()
  for (let i = 0; i < count; i++) await call('POST', '/_sandbox/workspaces', { name: `n${i}` })
  const name = `n${count - 1}`
  const basic = Buffer.from(`sandbox-client-${name}:sandbox-secret-${name}`).toString('base64')
  const headers = {
    ...signIn.headers,
    authorization: `Basic ${basic}`,
    'x-api-key': `sandbox-api-key-${name}`,
  }
  return median(() => call('POST', signIn.path, signIn.body, headers))
})
await print('faults: a call that none fits', [1, 10, 100, 1_000], async (count) => {
  const { call, asClient } = await opened()
  for (let i = 0; i < count; i++)
    await call('POST', '/_sandbox/faults', { match: { path: `/za/none/${i}/**` }, delayMs: 1 })
  return median(() => asClient('GET', accounts), 201)
})
await print('journal: a call', [1, 100, 1_000, 10_000], async (count) => {
  const { asClient } = await opened()
  for (let i = 0; i < count; i++) await asClient('GET', accounts)
  return median(() => asClient('GET', accounts), 201)
})
await print('listeners: a call', [1, 10, 100], async (count) => {
  const { sandbox, asClient } = await opened()
  for (let i = 0; i < count; i++) sandbox.main.events.listen()
  return median(() => asClient('GET', accounts), 201)
})
