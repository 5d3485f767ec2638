// paymultiple with 50 items: requests per second over HTTP and through handle, and the cost of an item on an account
// with 1,000,000 rows against one with about 1,000.

import { Sandbox } from '../dist/sandbox/sandbox.js'
import { figure, median } from './figures.mjs'
import { requestsPerSecond } from './load.mjs'
import { startSandbox, tokenOf } from './servers.mjs'

const rounds = Number(process.env.ROUNDS ?? 41)
const account = '4675778129910189600000003'
const path = `/za/pb/v1/accounts/${account}/paymultiple`
const items = 50
const item = {
  beneficiaryId: 'MTAxODc2NTQzMjAwMDE=',
  amount: '0.01',
  myReference: 'Housekeeping',
  theirReference: 'Naidoo March',
}
const body = JSON.stringify({ paymentList: Array.from({ length: items }, () => item) })

async function overHttp() {
  const sandbox = await startSandbox()
  const headers = { authorization: `Bearer ${await tokenOf(sandbox)}`, 'content-type': 'application/json' }
  const rate = await requestsPerSecond(sandbox.url + path, { method: 'POST', headers, body })
  await sandbox.stop()
  return rate
}

/** A sandbox in this process: `prepare` fills its account with rows, `pay` makes requests. */
async function inProcess(rows) {
  const sandbox = new Sandbox({ nowMs: Date.parse('2026-03-15T08:00:00Z') })
  const { main } = sandbox
  const posting = { direction: 'DEBIT', cents: 1, transactionType: 'DebitOrders', description: 'FIBRE' }
  let headers
  return {
    async prepare() {
      const bank = await main.open()
      const missing = rows - bank.book(account).entries.length
      for (let i = 0; i < missing; i++) bank.enter(account, posting)
      // The account must not run out of money.
      bank.enter(account, { ...posting, direction: 'CREDIT', cents: Math.max(missing, 0) + 1_000_000 })
      const client = main.credentials.clients[0]
      const { token } = main.credentials.issue(client, client.apiKeys[0], client.apiKeys[0].permissions, main)
      headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    },
    async pay(requests) {
      const started = performance.now()
      for (let i = 0; i < requests; i++) {
        const reply = await sandbox.handle({ method: 'POST', path, headers, body })
        if (reply.status !== 200 || !reply.body.includes('"ErrorMessage":null')) throw new Error(reply.body)
      }
      return performance.now() - started
    },
    reset: () => main.reset(),
  }
}

const requests = 40
const small = await inProcess(0)
const large = await inProcess(1_000_000)
await small.prepare()
await large.prepare()
await small.pay(200)
await large.pay(200)
const smalls = []
const larges = []
for (let round = 0; round < rounds; round++) {
  // The small account starts again, so that it stays small; the large one grows by 2,000 rows a round.
  small.reset()
  await small.prepare()
  await small.pay(1)
  smalls.push(await small.pay(requests))
  await large.prepare()
  await large.pay(1)
  larges.push(await large.pay(requests))
}
const perItem = (times) => (median(times) / requests / items) * 1000
const ratio = median(larges.map((each, i) => each / smalls[i]))
const http = []
for (let round = 0; round < 3; round++) http.push(await overHttp())

figure('paymultiple of 50 over HTTP, requests/s', median(http), { atLeast: 500 })
figure('paymultiple of 50 through handle, requests/s', (requests * 1000) / median(smalls), { atLeast: 500 })
figure('one item of it, account of 1,000,000 rows to one of 1,000', perItem(larges), {
  unit: 'µs',
  ratio,
  atMost: 1.2,
})
