import { expect, test } from '@jest/globals'
import { createSandbox, startSandbox } from '../index.js'
import type { Reply } from '../protocol/call.js'

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

test('no scenario, workspace, event or state lets card code call this machine where others reach it', async () => {
  const scenario = {
    name: 'open',
    description: 'Lets card code call everything.',
    settings: { outbound: 'allow' as const },
    timeline: [{ after: 'P1D', settings: { outbound: { hosts: ['localhost'] } } }],
  }
  await using known = await createSandbox({ scenario })
  await using open = await startSandbox({ host: '0.0.0.0', scenario })
  await open.workspaces.create({ name: 'other', scenario })
  const ask = async (method: string, path: string, body?: object): Promise<Reply> =>
    open.handle({ method, path: `/_sandbox/${path}?workspace=other`, body })
  const policies = async (): Promise<unknown[]> => {
    const { body } = await ask('GET', 'settings')
    return [
      (await open.settings.get()).outbound,
      (JSON.parse(body as string) as { outbound: unknown }).outbound,
    ]
  }
  expect(await policies()).toEqual(['public', 'public'])
  await open.clock.advance('P2D')
  await ask('POST', 'clock', { advance: 'P2D' })
  await open.client().listAccounts()
  expect(await policies()).toEqual(['public', 'public'])
  const state = await known.snapshot()
  await open.restore(state)
  expect((await ask('PUT', 'state', state)).status).toBe(200)
  expect(await policies()).toEqual(['public', 'public'])
  // What forbids more stays.
  await open.settings.change({ outbound: 'deny' })
  await open.restore(await open.snapshot())
  expect(await policies()).toEqual(['deny', 'public'])
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
