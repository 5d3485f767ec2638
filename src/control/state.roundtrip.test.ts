// A sandbox can read every state that it writes: the limits of input are those of a state.

import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { accountIds, Client, everyday, sandboxAt, savings } from '../../test/client.js'

type Operation = readonly [method: string, path: string, body?: object]

const longText = fc.oneof(
  fc.string({ minLength: 1, maxLength: 30 }),
  fc.constantFrom(30, 100, 101, 200, 201, 1000, 1001, 5000).map((length) => 'x'.repeat(length)),
  fc.constantFrom('\u202e', '\ud800', '\u0000', '"\\', 'é😀'),
)
const accountId = fc.constantFrom(...accountIds)
const rand = fc.oneof(
  fc.constantFrom('0.01', '999999999.99', '1000000000.00', '1000000000.01', '-1', 0, 12.5),
  fc.integer({ min: 1, max: 500_000 }).map((cents) => (cents / 100).toFixed(2)),
)
const date = fc.constantFrom(undefined, '1969-12-31', '1970-01-01', '2026-03-01', '2026-03-26')
const post = (path: string, body: object): Operation => ['POST', path, body]

const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc
    .tuple(accountId, fc.constantFrom('CREDIT', 'DEBIT'), rand, longText, date)
    .map(([id, type, amount, description, day]) =>
      post(`/_sandbox/accounts/${id}/entries`, { type, amount, description, ...(day && { date: day }) }),
    ),
  fc
    .tuple(longText, longText, fc.constantFrom(0, 0.005, 5000, 1e9, 1e9 + 1))
    .map(([accountName, referenceName, overdraft]) =>
      post('/_sandbox/accounts', { accountName, referenceName, overdraft }),
    ),
  fc
    .tuple(longText, longText, fc.boolean())
    .map(([beneficiaryName, reference, paid]) =>
      post('/_sandbox/beneficiaries', { beneficiaryName, accountNumber: '620001', reference, paid }),
    ),
  fc.tuple(rand, longText, longText).map(([amount, myReference, theirReference]) =>
    post(`/za/pb/v1/accounts/${everyday}/transfermultiple`, {
      transferList: [{ beneficiaryAccountId: savings, amount, myReference, theirReference }],
    }),
  ),
  fc
    .tuple(longText, longText)
    .map(([authoriserId, name]): Operation => [
      'PUT',
      `/_sandbox/accounts/${everyday}/authorisation`,
      { numberOfAuthorisationRequired: '1', authorisersListA: [{ authoriserId, name }] },
    ]),
  fc.tuple(rand, longText).map(([amount, authoriserAId]) =>
    post(`/za/pb/v1/accounts/${everyday}/transfermultiple`, {
      transferList: [
        { beneficiaryAccountId: savings, amount, myReference: 'a', theirReference: 'b', authoriserAId },
      ],
    }),
  ),
  fc
    .tuple(longText, longText)
    .map(([embossedName, embossedName2]) =>
      post('/_sandbox/cards', { accountId: everyday, embossedName, embossedName2 }),
    ),
  longText.map((alias) => post('/_sandbox/api-keys', { alias, accounts: 'all', permissions: ['accounts'] })),
  longText.map((clientSecret) => post('/_sandbox/client/secret', { clientSecret })),
  fc.tuple(longText, longText).map(([path, text]) =>
    post('/_sandbox/faults', {
      match: { path: `/${path}` },
      fault: { status: 500, body: text, headers: { 'x-a': text } },
    }),
  ),
  fc
    .tuple(longText, longText)
    .map(([url, text]) => post('/_sandbox/outbound/stubs', { match: { url }, respond: { text } })),
  fc
    .tuple(fc.constantFrom(1, 100_000, 100_000_000_000), fc.constantFrom('zar', 'KWD', 'JPY'), longText)
    .map(([centsAmount, currencyCode, name]) =>
      post('/_sandbox/cards/700615/transactions', { centsAmount, currencyCode, merchant: { name } }),
    ),
  fc.constantFrom('P1D', 'P40D').map((advance) => post('/_sandbox/clock', { advance })),
  fc
    .constantFrom('PT0S', 'P366D', 'P367D')
    .map((settlement): Operation => ['PUT', '/_sandbox/settings', { settlement }]),
)

test('the state after any operations is read back unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 12 }), async (operations) => {
      const client = await Client.of(sandboxAt())
      for (const [method, path, body] of operations)
        expect((await client.call(method, path, body)).status).toBeLessThan(500)
      const state = (await client.control('GET', 'state')).json as object
      const other = await Client.of(sandboxAt())
      const taken = await other.control('PUT', 'state', state)
      expect([taken.status, taken.json]).toMatchObject([200, {}])
      expect((await other.control('GET', 'state')).json).toEqual(state)
    }),
    { numRuns: 60 },
  )
})

test('a balance stays within the limits of a state, and the bank continues', async () => {
  const sandbox = sandboxAt()
  const client = await Client.of(sandbox)
  const state = (await client.control('GET', 'state')).json as {
    workspaces: [{ bank: { books: Record<string, { entries: { cents: number }[] }> } }]
  }
  const { books } = state.workspaces[0].bank
  for (const id of [everyday, savings]) {
    const { entries } = books[id]!
    entries.push({ ...entries.at(-1)!, cents: 900_000_000_000_000 })
  }
  expect((await client.control('PUT', 'state', state)).status).toBe(200)
  const entry = { type: 'CREDIT', amount: '1000000000.00', description: 'MORE' }
  const statuses = new Set<number>()
  for (let i = 0; i < 1_010; i++)
    statuses.add((await client.control('POST', `accounts/${savings}/entries`, entry)).status)
  expect([...statuses]).toEqual([200, 400])
  const refused = await client.control('POST', `accounts/${savings}/entries`, entry)
  expect(refused.json.detail).toBe('/amount takes the balance beyond 10,000,000,000,000.00 rand.')
  const [profile] = await client.data<{ profileId: string }[]>('/za/pb/v1/profiles')
  await client.control('PUT', `profiles/${profile!.profileId}/limits`, { payment: null, day: null })
  const item = { beneficiaryAccountId: savings, amount: '1000000000', myReference: 'a', theirReference: 'b' }
  const path = `/za/pb/v1/accounts/${everyday}/transfermultiple`
  const transfer = await client.post(path, { transferList: [item] })
  expect(transfer.json.data.ErrorMessage).toContain('would be too large')
  // The interest of many years does not fit either.
  expect((await client.control('POST', 'clock', { advance: 'P90D' })).status).toBe(200)
  const after = (await client.control('GET', 'state')).json as object
  expect((await client.control('PUT', 'state', after)).status).toBe(200)
})
