import { expect, test } from '@jest/globals'
import { startSandbox } from '../index.js'

test('for this machine only, the credentials are the well-known ones', async () => {
  await using sandbox = await startSandbox()
  expect(sandbox.credentials).toEqual({
    clientId: 'sandbox-client',
    clientSecret: 'sandbox-secret',
    apiKey: 'sandbox-api-key',
  })
  expect((await sandbox.settings.get()).outbound).toBe('allow')
})

test('when other machines can reach the bank, credentials are random and card code may call public addresses only', async () => {
  await using first = await startSandbox({ host: '0.0.0.0' })
  await using second = await startSandbox({ host: '0.0.0.0' })
  expect(first.credentials.clientSecret).toMatch(/^[0-9a-f]{32}$/)
  expect(first.credentials.apiKey).toMatch(/^[0-9a-f]{32}$/)
  expect(second.credentials.clientSecret).not.toBe(first.credentials.clientSecret)
  const keys = first.core.main.credentials.clients.flatMap(({ apiKeys }) => apiKeys.map(({ key }) => key))
  expect(keys.filter((key) => key.startsWith('sandbox'))).toEqual([])
  expect((await first.settings.get()).outbound).toBe('public')
  const before = first.credentials
  await first.reset()
  expect(first.credentials).toEqual(before)
  expect((await first.settings.get()).outbound).toBe('public')
})

test('a state with the well-known credentials does not restore them', async () => {
  await using known = await startSandbox()
  await using open = await startSandbox({ host: '0.0.0.0' })
  const before = open.credentials
  await open.restore(await known.snapshot())
  expect(open.credentials).toEqual(before)
})

test('given credentials and policies are used everywhere', async () => {
  const given = { clientId: 'my-client', clientSecret: 'my-secret-1', apiKey: 'my-api-key' }
  for (const host of ['127.0.0.1', '0.0.0.0']) {
    await using sandbox = await startSandbox({ ...given, host, outbound: 'allow' })
    expect(sandbox.credentials).toEqual(given)
    expect((await sandbox.settings.get()).outbound).toBe('allow')
    expect(sandbox.url).toContain(host === '0.0.0.0' ? 'http://localhost:' : 'http://127.0.0.1:')
  }
})
