// What clients send is bounded by the limits that an exported state has, too.

import { expect, test } from '@jest/globals'
import { Client, everyday, sandboxAt } from '../../test/client.js'

test.each([
  ['1969-12-31', '/date must not be before 1970-01-01.'],
  ['2026-03-26', "/date must not be after the sandbox's today."],
])('an entry of %s is refused', async (date, detail) => {
  const client = await Client.of(sandboxAt())
  const entry = { type: 'CREDIT', amount: '1.00', description: 'OLD', date }
  const refused = await client.control('POST', `accounts/${everyday}/entries`, entry)
  expect([refused.status, refused.json.detail]).toEqual([400, detail])
  const first = await client.control('POST', `accounts/${everyday}/entries`, { ...entry, date: '1970-01-01' })
  expect([first.status, first.json.valueDate]).toEqual([200, '1970-01-01'])
})

test.each([
  ['a bidirectional override', 'rent \u202e000.1'],
  ['an isolate', '\u2066rent'],
  ['a lone surrogate', 'rent \ud800'],
  ['nothing but spaces', ' \t '],
  ['a control character behind many letters', `${'a'.repeat(80_000)}\u0000`],
])('a reference with %s is refused', async (_, myReference) => {
  const client = await Client.of(sandboxAt())
  const list = await client.data<{ beneficiaryId: string }[]>('/za/pb/v1/accounts/beneficiaries')
  const [{ beneficiaryId } = { beneficiaryId: '' }] = list
  const item = { beneficiaryId, amount: '1.00', myReference, theirReference: 'é 😀 rent' }
  const path = `/za/pb/v1/accounts/${everyday}/paymultiple`
  const refused = await client.post(path, { paymentList: [item] })
  expect(refused.status).toBe(400)
  const paths = (refused.json.errors as { path: string }[]).map((error) => error.path)
  expect(new Set(paths)).toEqual(new Set(['/paymentList/0/myReference']))
  const paid = await client.post(path, { paymentList: [{ ...item, myReference: 'عقد rent' }] })
  expect(paid.status).toBe(200)
})

test('a workspace has a hundred streams of events, which end with it', async () => {
  const sandbox = sandboxAt()
  const client = await Client.of(sandbox)
  await client.control('POST', 'workspaces', { name: 'busy' })
  const { events } = sandbox.workspaces.get('busy')
  const streams = Array.from({ length: 100 }, () => events.listen())
  const refused = await sandbox.handle({
    method: 'GET',
    path: '/_sandbox/events?workspace=busy',
    headers: {},
  })
  expect([refused.status, JSON.parse(refused.body as string)]).toMatchObject([
    400,
    { type: 'urn:sandbox-server:problem:too-many-streams' },
  ])
  expect((await sandbox.handle({ method: 'GET', path: '/_sandbox/events', headers: {} })).status).toBe(200)
  await client.control('DELETE', 'workspaces/busy')
  for (const stream of streams) expect(await stream.next()).toEqual({ done: true, value: undefined })
  const main = sandbox.main.events.listen()
  await sandbox.close()
  expect((await main.next()).done).toBe(true)
})
