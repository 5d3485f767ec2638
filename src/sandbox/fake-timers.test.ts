// Delays of faults are for the timeouts of the client under test: fake timers of the test must not stop them.

import { afterEach, expect, jest, test } from '@jest/globals'
import { createSandbox } from '../index.js'

afterEach(() => {
  jest.useRealTimers()
})

test.each([
  ['modern', {}],
  ['legacy', { legacyFakeTimers: true }],
] as const)('a delayed call is answered under the %s fake timers of Jest', async (_, config) => {
  await using sandbox = await createSandbox({ now: '2026-03-25' })
  jest.useFakeTimers(config)
  await sandbox.handle({
    method: 'POST',
    path: '/_sandbox/faults',
    body: { match: { path: '/za/pb/v1/accounts' }, delayMs: 5 },
  })
  const answer = await sandbox.handle({ method: 'GET', path: '/za/pb/v1/accounts' })
  expect(answer.status).toBe(401)
})
