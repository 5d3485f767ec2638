// Runs in a copy of examples/vitest, since Vitest is no dependency of ours: `scripts/examples.mjs` copies it there.

import { createSandbox } from 'sandbox-server'
import { afterEach, expect, test, vi } from 'vitest'

const everything = [
  ...['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'],
  ...['queueMicrotask', 'performance', 'Date'],
]
const code = `
const beforeTransaction = async () => {
  await new Promise((resolve) => setTimeout(resolve, 500))
  return true
}
const afterTransaction = async () => {}`

afterEach(() => {
  vi.useRealTimers()
})

test.each([
  ['by default', undefined],
  ['of every kind', { toFake: everything }],
])('a delayed call and card code are answered under fake timers, %s', async (_, config) => {
  await using sandbox = await createSandbox({ now: '2026-03-25' })
  await sandbox.handle({
    method: 'POST',
    path: '/_sandbox/faults',
    body: { match: { path: '/za/pb/v1/accounts' }, delayMs: 5 },
  })
  vi.useFakeTimers(config)
  const answer = await sandbox.handle({ method: 'GET', path: '/za/pb/v1/accounts' })
  expect(answer.status).toBe(401)
  const purchase = { centsAmount: 100, currencyCode: 'zar', merchant: { name: 'Shop' } }
  const bought = await sandbox.handle({
    method: 'POST',
    path: '/_sandbox/cards/700615/transactions',
    body: purchase,
  })
  expect([bought.status, bought.body]).toEqual([200, expect.stringContaining('"decision"')])
})
