import { expect, test } from '@jest/globals'
import { createSandbox, startSandbox } from '../index.js'

const everyday = '4675778129910189600000003'

const rich = {
  name: 'rich',
  description: 'Much money.',
  clock: { now: '2026-03-25T08:00:00Z' },
  settings: { pageSize: 7 },
  accounts: [{ accountId: everyday, balance: 1_000_000.01 }],
}

test('a scenario is given written out, and reset returns to it', async () => {
  const scenario = structuredClone(rich)
  await using sandbox = await createSandbox({ scenario })
  scenario.accounts[0]!.balance = 1
  expect(sandbox.balance(everyday).currentBalance).toBe(1_000_000.01)
  expect((await sandbox.settings.get()).pageSize).toBe(7)
  expect((await sandbox.clock.get()).now).toBe('2026-03-25T08:00:00.000Z')
  await sandbox.settings.change({ pageSize: 3 })
  await sandbox.clock.advance('P40D')
  expect(sandbox.balance(everyday).currentBalance).not.toBe(1_000_000.01)
  await sandbox.reset()
  expect(sandbox.balance(everyday).currentBalance).toBe(1_000_000.01)
  expect((await sandbox.settings.get()).pageSize).toBe(7)
  expect((await sandbox.workspaces.list())[0]).toMatchObject({ scenario: 'rich' })
  await using started = await startSandbox({ scenario: rich, now: '2026-05-01' })
  const health = (await (await fetch(`${started.url}/_sandbox/health`)).json()) as { scenario: string }
  expect(health.scenario).toBe('rich')
  expect((await started.clock.get()).now).toBe('2026-05-01T00:00:00.000Z')
})

test.each([
  [{}, 'Option scenario: /name is missing\n/description is missing'],
  [{ ...rich, acounts: [] }, 'Option scenario: /acounts is not a known field'],
  [{ ...rich, extends: 'nothing' }, /^Option scenario: \/extends must be a shipped scenario: default, /],
  [[], 'Option scenario must be a name, the path of a file, or an object as such a file has it, not [].'],
  [5, 'Option scenario must be a name, the path of a file, or an object as such a file has it, not 5.'],
  [null, 'Option scenario must be a name, the path of a file, or an object as such a file has it, not null.'],
  ['', 'Option scenario must be a name, the path of a file, or an object as such a file has it, not "".'],
])('the scenario %j is the fault of its option', async (scenario, message) => {
  const refused = createSandbox({ scenario: scenario as never })
  await expect(refused).rejects.toMatchObject({ name: 'OptionError', option: 'scenario' })
  await expect(refused).rejects.toThrow(message)
})

test('a scenario that no file could hold is refused', async () => {
  const circular: Record<string, unknown> = { ...rich }
  circular.self = circular
  for (const scenario of [circular, { ...rich, seed: 5n }])
    await expect(createSandbox({ scenario: scenario as never })).rejects.toMatchObject({
      name: 'OptionError',
      option: 'scenario',
    })
})
