// What the bank decides when the hooks of a card fail, time out, are missing or return no boolean.

import { expect, test } from '@jest/globals'
import { card, CardHolder } from '../../test/card-holder.js'
import type { Execution } from '../bank/cards/card-records.js'

interface Answer {
  decision: string
  reason: string
  executions: Execution[]
}

test.each([
  ['onTimeout', 'code-timeout', 'await new Promise(() => {})', 'timed-out'],
  ['onError', 'code-error', 'throw new TypeError("no")', 'threw'],
  ['onError', 'code-error', 'return (', 'syntax-error'],
  ['onNonBoolean', 'code-non-boolean', 'return', 'non-boolean'],
  ['onNonBoolean', 'code-non-boolean', 'return 0', 'non-boolean'],
  ['onNonBoolean', 'code-non-boolean', 'return "false"', 'non-boolean'],
  ['onNonBoolean', 'code-non-boolean', 'return new Boolean(false)', 'non-boolean'],
  ['onMissing', 'code-missing-hook', '', 'missing-hook'],
])('%s: %s when code does "%s"', async (policy, reason, body, code) => {
  const holder = await CardHolder.of()
  const before =
    policy === 'onMissing' ? '' : `const beforeTransaction = async () => { console.log('so far'); ${body} }`
  await holder.publish(`${before}\nconst afterTransaction = async () => {}`)
  const approved = (await holder.buy({ centsAmount: 100 })).json as Answer
  expect([approved.decision, approved.reason]).toEqual(['approved', 'approved'])
  expect(approved.executions[0]!.authorizationApproved).toBe(true)
  const others = { onTimeout: 'approve', onError: 'approve', onNonBoolean: 'approve', onMissing: 'approve' }
  await holder.client.control('PUT', 'settings', { hooks: { ...others, [policy]: 'decline' } })
  const declined = (await holder.buy({ centsAmount: 100 })).json as Answer
  expect([declined.decision, declined.reason]).toEqual(['declined', reason])
  for (const { executions } of [approved, declined]) {
    const { Error: error, logs } = executions[0]!
    expect(error!.code).toBe(code)
    expect(error!.message).not.toBe('')
    expect(logs.map(({ content }) => content)).toEqual(
      code === 'syntax-error' || code === 'missing-hook' ? [] : ['so far'],
    )
  }
  const simulated = await holder.simulate(`${before}\nconst afterTransaction = async () => {}`)
  expect(simulated.json.data.result[0].authorizationApproved).toBe(false)
})

test('a hook that spins for ever is stopped when its window closes', async () => {
  const holder = await CardHolder.of()
  await holder.publish('const beforeTransaction = async () => { while (true) {} }')
  const { executions, reason } = (await holder.buy({ centsAmount: 100 })).json as Answer
  expect(reason).toBe('approved')
  expect(executions[0]!.Error).toMatchObject({ code: 'timed-out', afterMs: 2_000 })
})

test('the error of an execution says what failed, where, and after how long', async () => {
  const holder = await CardHolder.of()
  await holder.publish(`const beforeTransaction = async () => {
  await new Promise((done) => setTimeout(done, 300))
  null.x
}`)
  const { executions } = (await holder.buy({ centsAmount: 100 })).json as Answer
  expect(executions[0]!.Error).toEqual({
    code: 'threw',
    name: 'TypeError',
    message: "Cannot read properties of null (reading 'x')",
    stack: expect.stringContaining('main.js:3'),
    line: 3,
    afterMs: 300,
  })
  await holder.publish('const beforeTransaction = async () => await new Promise(() => {})')
  const late = (await holder.buy({ centsAmount: 100 })).json as Answer
  expect(late.executions[0]!.Error).toMatchObject({ code: 'timed-out', afterMs: 2_000 })
})

test('a missing afterTransaction is reported, missing optional hooks are skipped', async () => {
  const holder = await CardHolder.of()
  await holder.publish('const beforeTransaction = async () => true')
  const { executions, transaction } = (await holder.buy({ centsAmount: 100 })).json as Answer & {
    transaction: { id: string }
  }
  expect(executions.map(({ type, Error: error }) => [type, error?.code])).toEqual([
    ['before_transaction', undefined],
    ['after_transaction', 'missing-hook'],
  ])
  const reversed = await holder.client.control('POST', `transactions/${transaction.id}/reverse`)
  expect(reversed.json.executions).toEqual([])
  await holder.publish('const beforeTransaction = async () => false')
  expect(
    ((await holder.buy({ centsAmount: 100 })).json as Answer).executions.map(({ type }) => type),
  ).toEqual(['before_transaction'])
  const { json } = await holder.get(`/${card}/code/executions`)
  expect(json.data.result.executionItems).toHaveLength(3)
})

test('an after hook that fails does not change the decision', async () => {
  const holder = await CardHolder.of()
  await holder.publish(`const beforeTransaction = async () => true
    const afterTransaction = async () => { throw new Error('later') }`)
  await holder.client.control('PUT', 'settings', { hooks: { onError: 'decline' } })
  const { json } = await holder.buy({ centsAmount: 100 })
  expect(json.decision).toBe('approved')
  expect(json.executions[1]).toMatchObject({ authorizationApproved: null, Error: { code: 'threw' } })
})
