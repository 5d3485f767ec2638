// Runs in a copy of examples/vitest, since Vitest is no dependency of ours: `scripts/examples.mjs` copies it there.

import { createSandbox } from 'sandbox-server'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'

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
  const sandbox = await createSandbox({ now: '2026-03-25' })
  onTestFinished(() => sandbox.close())
  await sandbox.handle({
    method: 'POST',
    path: '/_sandbox/faults',
    body: { match: { path: '/za/pb/v1/accounts' }, delayMs: 5 },
  })
  vi.useFakeTimers(config)
  const answer = await sandbox.handle({ method: 'GET', path: '/za/pb/v1/accounts' })
  expect(answer.status).toBe(401)
  await sandbox.cards.publish('700615', code)
  const { body } = await sandbox.handle({
    method: 'POST',
    path: '/_sandbox/cards/700615/transactions',
    body: { centsAmount: 100, currencyCode: 'zar', merchant: { name: 'Shop' } },
  })
  // The hook ran, and waited in its own time.
  const [{ startedAt, completedAt }] = JSON.parse(body).executions
  expect(Date.parse(completedAt) - Date.parse(startedAt)).toBe(500)
})
