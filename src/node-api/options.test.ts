import { expect, test } from '@jest/globals'
import { sandboxRouter } from '../express.js'
import { createSandbox, startSandbox } from '../index.js'
import { everyday } from '../../test/ids.js'

const rich = {
  name: 'rich',
  description: 'Much money.',
  clock: { now: '2026-03-25T08:00:00Z' },
  settings: { pageSize: 7 },
  accounts: [{ accountId: everyday, balance: 1_000_000.01 }],
}

test('a scenario can be given inline, and reset returns to it', async () => {
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
  [
    [],
    'Option scenario must be a name, the path of a file, or an object with the content of such a file, not [].',
  ],
  [
    5,
    'Option scenario must be a name, the path of a file, or an object with the content of such a file, not 5.',
  ],
  [
    null,
    'Option scenario must be a name, the path of a file, or an object with the content of such a file, not null.',
  ],
  [
    '',
    'Option scenario must be a name, the path of a file, or an object with the content of such a file, not "".',
  ],
])('the scenario %j is an error of its option', async (scenario, message) => {
  const refused = createSandbox({ scenario: scenario as never })
  await expect(refused).rejects.toMatchObject({ name: 'OptionError', option: 'scenario' })
  await expect(refused).rejects.toThrow(message)
})

test('a scenario that cannot be written to a file is refused', async () => {
  const circular: Record<string, unknown> = { ...rich }
  circular.self = circular
  for (const scenario of [circular, { ...rich, seed: 5n }])
    await expect(createSandbox({ scenario: scenario as never })).rejects.toMatchObject({
      name: 'OptionError',
      option: 'scenario',
    })
})

const foreign: readonly (readonly [options: Record<string, unknown>, option: string, message: string])[] = [
  [
    { cors: ['http://x/'] },
    'cors',
    'Option cors must be a list in which each item is an origin such as http://localhost:5173, or *, not ["http://x/"].',
  ],
  [
    { controlToken: 'short' },
    'controlToken',
    'Option controlToken must be 8 to 200 visible ASCII characters without a space.',
  ],
  [
    { allowHosts: ['bank.test:3300'] },
    'allowHosts',
    'Option allowHosts must be a list in which each item is a host name such as bank.test, without a port, not ["bank.test:3300"].',
  ],
  [
    { allowHosts: ['10.0.0.7:3300'] },
    'allowHosts',
    'Option allowHosts must be a list in which each item is a host name such as bank.test, without a port, not ["10.0.0.7:3300"].',
  ],
  [
    { control: false, controlToken: 'a-control-token' },
    'controlToken',
    'Option control turns off what Option controlToken opens; leave one of them out.',
  ],
  [{ control: 'no' }, 'control', 'Option control must be true or false, not "no".'],
  [{ onRequest: 'x' }, 'onRequest', 'Option onRequest must be a function, not "x".'],
]

test.each(foreign)(
  '%j is refused by startSandbox and sandboxRouter alike',
  async (options, option, message) => {
    const fault = { name: 'OptionError', option, message }
    await expect(startSandbox(options)).rejects.toMatchObject(fault)
    await using sandbox = await createSandbox()
    expect(() => sandboxRouter(sandbox, options)).toThrow(expect.objectContaining(fault))
  },
)

test('all invalid options are named at once', async () => {
  const options = { port: -1, seeed: 5, cors: 'x', controlToken: 'short' }
  await expect(startSandbox(options as never)).rejects.toMatchObject({
    option: 'port',
    message: expect.stringMatching(
      /^Option port .*\nThere is no option seeed; .*\nOption cors .*\nOption controlToken .*$/,
    ),
  })
})
