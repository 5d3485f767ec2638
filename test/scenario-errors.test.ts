// A scenario with errors is refused with all of them: the API names paths, the command names file, line and path.

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { Sandbox } from '../src/sandbox/sandbox.js'
import { Client, everyday, sandboxAt } from './client.js'
import { card } from './ids.js'

const run = promisify(execFile)
const accounts = '/za/pb/v1/accounts'

test.each([
  ['nothing', '/scenario'],
  ['../package', '/scenario'],
  [{ name: 'x' }, '/scenario/description'],
  [{ name: 'x', description: 'y', extends: 'none' }, '/scenario/extends'],
  [{ name: 'x', description: 'y', acounts: [] }, '/scenario/acounts'],
  [{ name: 'x', description: 'y', clock: { now: 'soon' } }, '/scenario/clock/now'],
  [
    { name: 'x', description: 'y', accounts: [{ accountId: everyday, balance: 0.001 }] },
    '/scenario/accounts/0/balance',
  ],
  [
    { name: 'x', description: 'y', cards: [{ cardKey: '1234567', accountId: '1'.repeat(25) }] },
    '/scenario/cards/0/accountId',
  ],
  [{ name: 'x', description: 'y', timeline: [{ after: 'P1D' }] }, '/scenario/timeline/0'],
  [
    { name: 'x', description: 'y', accounts: [{ accountId: everyday, openingBalance: 0.001 }] },
    '/scenario/accounts/0/openingBalance',
  ],
  [
    {
      name: 'x',
      description: 'y',
      accounts: [
        {
          accountId: everyday,
          standingOrders: [
            {
              toAccountId: '1'.repeat(25),
              amount: 5,
              date: 1,
              fromDescription: 'a',
              toDescription: 'b',
            },
          ],
        },
      ],
    },
    '/scenario/accounts/0/standingOrders/0/toAccountId',
  ],
  [{ name: 'x', description: 'y', settings: { settlement: 'soon' } }, '/scenario/settings/settlement'],
  [
    { name: 'x', description: 'y', faults: [{ fault: { status: 500, kind: 'reset' } }] },
    '/scenario/faults/0/fault',
  ],
])('an invalid scenario changes nothing: %j', async (scenario, path) => {
  const client = await Client.of(sandboxAt())
  const refused = await client.control('POST', 'scenario', { scenario })
  expect(refused.status).toBe(400)
  expect(refused.json.errors).toContainEqual(expect.objectContaining({ path }))
  expect((await client.get(accounts)).status).toBe(200)
})

/** The faults of a scenario, as `/path message`. */
async function errorsOf(scenario: unknown): Promise<string[]> {
  const { json } = await (await Client.of(sandboxAt())).control('POST', 'scenario', { scenario })
  return (json.errors as { path: string; message: string }[]).map(({ path, message }) => `${path} ${message}`)
}

test('errors of the schema, of the extended scenario and of the meaning are reported together', async () => {
  const faulty = {
    name: 'Mine',
    extends: 'nothing',
    clock: { now: 'soon', frozen: 'yes' },
    settings: { settlement: 'later', pageSize: 'many', rateLimit: { requests: 1, per: 'a while' } },
    faults: [5, { fault: { status: 500, kind: 'reset' } }],
    accounts: [
      { accountId: everyday, balnce: 5, balance: 0.001 },
      { accountId: '1' },
      { accountId: everyday },
    ],
    cards: [{ cardKey: '1234567', accountId: '1'.repeat(25) }],
  }
  const found = await errorsOf(faulty)
  expect(
    found.map((fault) => fault.replace(/(must be a shipped scenario|must be (a|an) \w+).*/, '$1')),
  ).toEqual(
    expect.arrayContaining([
      '/scenario/description is missing',
      '/scenario/name is not a name in lower case with dashes',
      '/scenario/clock/frozen must be boolean',
      '/scenario/settings/pageSize must be integer',
      '/scenario/faults/0 must be object',
      '/scenario/accounts/0/balnce is not a known field; did you mean balance?',
      '/scenario/accounts/1/accountId is not an account id of 25 digits',
      '/scenario/extends must be a shipped scenario',
      '/scenario/clock/now must be a date',
      '/scenario/settings/settlement must be an ISO',
      '/scenario/settings/rateLimit/per must be an ISO',
      '/scenario/accounts/0/balance must be an amount',
      '/scenario/accounts/2/accountId occurs twice',
    ]),
  )
  expect(found.filter((fault) => fault.startsWith('/scenario/faults/1'))).toHaveLength(1)
  expect(found).toHaveLength(14)
  expect(await errorsOf({ ...faulty, extends: 'default' })).toContain(
    '/scenario/cards/0/accountId is not an account of the scenario',
  )
})

test('all errors of the meaning of a scenario are reported together', async () => {
  const found = await errorsOf({
    name: 'x',
    description: 'y',
    clock: { now: 'soon' },
    settings: { settlement: 'later', ownAddresses: [] },
    accounts: [{ accountId: everyday, overdraft: 0.001 }],
    cards: [{ cardKey: card }, { cardKey: card }],
    beneficiaries: [{ beneficiaryId: 'MTAxODc2NTQzMjAwMDE=' }, { beneficiaryId: 'MTAxODc2NTQzMjAwMDE=' }],
    timeline: [{ after: 'soon', settings: { settlement: 'later' } }],
  })
  expect(found.map((fault) => fault.split(' ')[0]).sort()).toEqual([
    '/scenario/accounts/0/overdraft',
    '/scenario/beneficiaries/1/beneficiaryId',
    '/scenario/cards/1/cardKey',
    '/scenario/clock/now',
    '/scenario/settings/settlement',
    '/scenario/timeline/0/after',
    '/scenario/timeline/0/settings/settlement',
  ])
  expect(found).toContain('/scenario/cards/1/cardKey occurs twice')
})

test('a beneficiary id is the base64 of 14 digits, whichever they are', async () => {
  const withId = (beneficiaryId: string) => ({
    name: 'x',
    description: 'y',
    beneficiaries: [{ beneficiaryId }],
  })
  for (const wrong of [
    'x',
    '10187654320001',
    btoa('1018765432000'),
    btoa('1018765432000x'),
    btoa('101876543200011'),
  ])
    expect(await errorsOf(withId(wrong))).toEqual([
      '/scenario/beneficiaries/0/beneficiaryId is not base64 of a 14-digit number',
    ])
  const client = await Client.of(sandboxAt())
  for (let digit = 0; digit < 10; digit++) {
    const id = btoa(String(digit).repeat(14))
    expect((await client.control('POST', 'scenario', { scenario: withId(id) })).status).toBe(200)
  }
  for (const code of [0x2f, 0x3a])
    for (let at = 0; at < 14; at++) {
      const text = Array.from('01234567890123').map((digit, index) =>
        index === at ? String.fromCharCode(code) : digit,
      )
      expect(await errorsOf(withId(btoa(text.join(''))))).toHaveLength(1)
    }
})

test.each([
  [Array.from({ length: 300 }, () => 5)],
  [Array.from({ length: 300 }, () => ({}))],
  [[{ accountId: everyday, authorisers: { required: 1 } }, null, {}]],
  [{ length: 1 }],
])('accounts that are %j are refused, with at most a hundred errors', async (accounts) => {
  const found = await errorsOf({
    name: 'x',
    description: 'y',
    accounts,
    __proto__: null,
    clock: { now: 'soon' },
  })
  expect(found.length).toBeGreaterThan(0)
  expect(found.length).toBeLessThanOrEqual(101)
})

test('the command lists, shows and validates; an error names file, line and path', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'scenario-'))
  const file = join(folder, 'mine.yaml')
  const command = (...operands: string[]) => run(process.execPath, ['dist/command/cli.js', ...operands])
  try {
    expect((await command('scenario', 'list')).stdout).toContain('\nrate-limited ')
    expect((await command('scenario', 'show', 'payday')).stdout).toContain('name: payday')
    await writeFile(
      file,
      'name: mine\ndescription: My own.\nextends: empty\naccounts:\n  - accountId: "1"\n    balnce: 5\n',
    )
    const refused = await command('scenario', 'validate', file).catch(
      (error: unknown) => error as { code: number; stderr: string },
    )
    expect(refused).toMatchObject({ code: 2 })
    const { stderr } = refused as { stderr: string }
    expect(stderr).toContain(`${file}:5: /accounts/0/accountId is not an account id of 25 digits`)
    expect(stderr).toContain(`${file}:6: /accounts/0/balnce is not a known field`)
    await writeFile(file, 'name: mine\ndescription: [broken\n')
    await expect(command('scenario', 'validate', file)).rejects.toMatchObject({
      stderr: expect.stringContaining(`${file}:3: `),
    })
    await writeFile(file, 'name: mine\ndescription: My own.\nextends: empty\n')
    expect((await command('scenario', 'validate', file)).stdout).toBe(
      `${file}: the scenario mine is valid.\n`,
    )
    const client = await Client.of(await Sandbox.create({ scenario: file }))
    expect((await client.get(accounts)).json.data.accounts).toHaveLength(1)
    const other = join(folder, 'other.yaml')
    await writeFile(other, 'name: Other\n')
    const several = command('scenario', 'validate', other, file, join(folder, 'none.yaml'))
    await expect(several).rejects.toMatchObject({
      code: 2,
      stdout: `${file}: the scenario mine is valid.\n`,
      stderr: [
        `sandbox-server: ${other}:1: /description is missing`,
        `sandbox-server: ${other}:1: /name is not a name in lower case with dashes`,
        `sandbox-server: There is no file ${join(folder, 'none.yaml')}.`,
        '',
      ].join('\n'),
    })
  } finally {
    await rm(folder, { recursive: true })
  }
})
