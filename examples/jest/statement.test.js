const { useSandbox } = require('sandbox-server/jest')
const { spent } = require('./statement.js')

const sandbox = useSandbox({ now: '2026-03-25T08:00:00Z' })
const bank = () => ({ url: 'https://bank.example', fetch: sandbox.fetch, ...sandbox.credentials })
const account = '4675778129910189600000003'
const march = { fromDate: '2026-03-01', toDate: '2026-03-31' }

test('what is spent is the sum of the debits', async () => {
  expect(await spent(bank(), account, march)).toBeGreaterThan(0)
  expect(sandbox).toHaveReceived({ method: 'GET', path: '/za/pb/v1/accounts/*/transactions' }, { exactly: 1 })
})

test('a card purchase counts once it has settled', async () => {
  const before = await spent(bank(), account, march)
  const [{ id, amount }] = await sandbox.transactions.pending(account)
  await sandbox.transactions.settle(id)
  expect(await spent(bank(), account, march)).toBeCloseTo(before + amount, 2)
})

test('a bank that fails is an error that says so', async () => {
  await sandbox.faults.add({ match: { path: '/za/**' }, fault: { status: 500 } })
  await expect(spent(bank(), account, march)).rejects.toThrow('the bank answered 500')
})
