// What calls cost, counted instead of timed: bytes allocated for each call, with a heap so young that nothing is collected
// meanwhile. With NODE_V8_COVERAGE set, V8 also counts the calls of every function. Run by test/cost.test.ts.

import { createSandbox } from 'sandbox-server'

const [kind, countText] = process.argv.slice(2)
const count = Number(countText)
const sandbox = await createSandbox({ now: '2026-03-25', seed: 7 })
const { access_token: token } = await (
  await sandbox.fetch('/identity/v2/oauth2/token', {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa('sandbox-client:sandbox-secret')}`,
      'x-api-key': 'sandbox-api-key',
    },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
).json()
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
const account = '/za/pb/v1/accounts/4675778129910189600000003'
const item = {
  beneficiaryId: 'MTAxODc2NTQzMjAwMDE=',
  amount: '0.01',
  myReference: 'Housekeeping',
  theirReference: 'Naidoo March',
}
const calls = {
  accounts: { method: 'GET', path: '/za/pb/v1/accounts', headers },
  balance: { method: 'GET', path: `${account}/balance`, headers },
  transactions: { method: 'GET', path: `${account}/transactions`, headers },
  payment: {
    method: 'POST',
    path: `${account}/paymultiple`,
    headers,
    body: JSON.stringify({ paymentList: [item] }),
  },
}
const call = async () => {
  const { status } = await sandbox.handle(calls[kind])
  if (status !== 200) throw new Error(`${kind} answered ${status}`)
}
// Caches fill, schemas are compiled.
for (let i = 0; i < 200; i++) await call()
const before = process.memoryUsage().heapUsed
for (let i = 0; i < count; i++) await call()
console.log(JSON.stringify({ bytes: (process.memoryUsage().heapUsed - before) / Math.max(1, count) }))
await sandbox.close()
