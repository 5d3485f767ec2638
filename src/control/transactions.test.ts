import { expect, test } from '@jest/globals'
import { Sandbox } from '../sandbox/sandbox.js'
import { everyday } from '../../test/ids.js'

const nowMs = Date.parse('2026-03-25T10:00:00Z')
const account = everyday

async function send(sandbox: Sandbox, method: string, path: string) {
  const reply = await sandbox.handle({ method, path })
  return { status: reply.status, body: JSON.parse(reply.body as string) as Record<string, unknown> }
}

interface Pending {
  id: string
  amount: number
  settlesAt: string
}

const pendingOf = async (sandbox: Sandbox) =>
  (await send(sandbox, 'GET', `/_sandbox/accounts/${account}/pending`)).body.transactions as Pending[]

test("a purchase of the household's day is listed with its id and posts when it is settled", async () => {
  const sandbox = new Sandbox({ seed: 7, nowMs })
  const before = await pendingOf(sandbox)
  expect(before.length).toBeGreaterThan(0)
  const { id, amount } = before[0]!
  const bank = await sandbox.main.open()
  const { length } = bank.book(account).entries
  const settled = await send(sandbox, 'POST', `/_sandbox/transactions/${id}/settle`)
  expect(settled).toMatchObject({
    status: 200,
    body: {
      accountId: account,
      amount,
      status: 'POSTED',
      postedOrder: length + 1,
      postingDate: '2026-03-25',
    },
  })
  expect((await pendingOf(sandbox)).map((each) => each.id)).toEqual(before.slice(1).map((each) => each.id))
  const again = await send(sandbox, 'POST', `/_sandbox/transactions/${id}/settle`)
  expect(again).toMatchObject({ status: 400, body: { type: 'urn:sandbox-server:problem:not-pending' } })
})

test('an unknown account or transaction is refused', async () => {
  const sandbox = new Sandbox({ nowMs })
  expect(await send(sandbox, 'GET', '/_sandbox/accounts/1/pending')).toMatchObject({ status: 400 })
  for (const id of ['99999999', '1', 'x'.repeat(5000), '%00'])
    expect(await send(sandbox, 'POST', `/_sandbox/transactions/${id}/settle`)).toMatchObject({
      status: 400,
      body: { type: 'urn:sandbox-server:problem:unknown-transaction' },
    })
})
