import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { card as cardKey } from '../../test/ids.js'
import type { BankState } from '../bank/bank-state.js'
import { Sandbox } from '../sandbox/sandbox.js'
import { loadScenario, loadScenarioFile } from './scenario.js'

const nowMs = Date.parse('2026-03-25T08:00:00Z')
let state: BankState
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bank-file-'))
  const original = new Sandbox({ nowMs, seed: 7 })
  state = (await original.main.open()).state
  await original.close()
})
afterAll(() => rm(folder, { recursive: true }))

const head = 'name: mine\ndescription: Mine.\nclock: { now: "2026-03-25T08:00:00Z" }\n'
const written = (more: object) =>
  loadScenario({ name: 'mine', description: 'Mine.', clock: { now: '2026-03-25T08:00:00Z' }, ...more })

test('a scenario with a whole bank starts from it, and a reset returns to it', async () => {
  const sandbox = new Sandbox({ scenario: await written({ bank: state }) })
  const bank = await sandbox.main.open()
  expect(bank.state.books).toEqual(state.books)
  expect(bank.state.accounts.map(({ accountId }) => accountId)).toEqual(
    state.accounts.map(({ accountId }) => accountId),
  )
  const { accountId } = bank.accounts[0]!
  bank.enter(accountId, { direction: 'CREDIT', cents: 1, transactionType: 'Deposits', description: 'X' })
  sandbox.main.reset()
  expect((await sandbox.main.open()).state.books).toEqual(state.books)
  await sandbox.close()
})

test('nothing happens in it without routines; routines continue from the next day', async () => {
  const { accountId } = state.accounts[0]!
  const quiet = { ...state.books[accountId]!, holds: [] }
  const bank = { ...state, books: { ...state.books, [accountId]: quiet } }
  const salary = {
    date: 25,
    direction: 'CREDIT',
    cents: 100_000,
    transactionType: 'Deposits',
    description: 'PAY',
  }
  const routines = [{ accountId, monthly: [salary], spending: [] }]
  for (const [more, rows] of [
    [{}, 0],
    [{ routines }, 2],
  ] as const) {
    const sandbox = new Sandbox({ scenario: await written({ bank, ...more }) })
    await sandbox.main.open()
    sandbox.main.clock.set(nowMs + 62 * 86_400_000)
    const opened = await sandbox.main.open()
    opened.catchUp()
    expect(opened.book(accountId).entries.length - quiet.entries.length).toBe(rows)
    await sandbox.close()
  }
})

test('a book may begin with its own balance and order', async () => {
  const { accountId } = state.accounts[0]!
  const day = 20_000
  const entries = [
    { day, cents: -500, transactionType: 'CardPurchases', description: 'A' },
    { day, cents: 700, transactionType: 'Deposits', description: 'B', postedOrder: 50 },
  ]
  const book = { opening: { cents: 12_345, postedOrder: 40 }, entries, holds: [] }
  const sandbox = new Sandbox({
    scenario: await written({ bank: { ...state, books: { ...state.books, [accountId]: book } } }),
  })
  const bank = await sandbox.main.open()
  const rows = [...bank.book(accountId).entries]
  expect(rows.map(({ postedOrder, balanceCents }) => [postedOrder, balanceCents])).toEqual([
    [41, 11_845],
    [50, 12_545],
  ])
  expect(bank.book(accountId).balanceAt(day - 1)).toBe(12_345)
  expect(bank.state.books[accountId]).toEqual(book)
  await sandbox.close()
})

test('bankFile is read below the folder of the scenario only', async () => {
  const file = join(folder, 'mine.yaml')
  await writeFile(join(folder, 'data.json'), JSON.stringify(state))
  await writeFile(file, `${head}bankFile: data.json\n`)
  expect((await loadScenarioFile(file)).opening.bank?.state.books).toEqual(state.books)
  await writeFile(file, `${head}bankFile: ../../etc/hostname\n`)
  await expect(loadScenarioFile(file)).rejects.toThrow('/bankFile must be in the folder of the scenario')
  await writeFile(file, `${head}bankFile: missing.json\n`)
  await expect(loadScenarioFile(file)).rejects.toThrow('/bankFile cannot be read')
  await expect(written({ bankFile: 'data.json' })).rejects.toThrow('is only read for scenario files on disk')
})

test('codeFile is read below the folder of the scenario, for files on disk only', async () => {
  const file = join(folder, 'coded.yaml')
  const code = 'const beforeTransaction = async () => false\n'
  const card = (name: string) => `  - { cardKey: "700615", codeFile: ${name} }\n`
  await writeFile(join(folder, 'main.js'), code)
  await writeFile(file, `${head}cards:\n${card('./main.js')}`)
  const scenario = await loadScenarioFile(file)
  expect(scenario.opening.cards.find((each) => each.cardKey === cardKey)?.code).toBe(code)
  // An export holds the code itself: whoever imports it does not have the file.
  const sandbox = new Sandbox({ scenario })
  const start = sandbox.main.state(await sandbox.main.open()).start.scenario as { cards: object[] }
  expect(start.cards).toEqual([{ cardKey, code }])
  await sandbox.close()

  await symlink('/etc', join(folder, 'link'))
  await writeFile(join(folder, 'large.js'), ' '.repeat(800_000))
  const others = ['../../etc/hostname', 'link/hostname', 'missing.js', 'large.js']
  await writeFile(file, `${head}bankFile: none.json\ncards:\n${others.map(card).join('')}`)
  await expect(loadScenarioFile(file)).rejects.toThrow(
    new RegExp(
      [
        '/bankFile cannot be read: .*',
        '/cards/0/codeFile (must be in the folder of the scenario|cannot be read: .*)',
        '/cards/1/codeFile must be in the folder of the scenario',
        '/cards/2/codeFile cannot be read: .*',
        '/cards/3/codeFile must be at most 768 KiB',
      ].join('\n.*'),
    ),
  )
  await writeFile(file, `${head}cards:\n  - { cardKey: "700615", codeFile: main.js, code: "" }\n`)
  await expect(loadScenarioFile(file)).rejects.toThrow('/cards/0/codeFile cannot be combined with `code`')
  const overHttp = { cards: [{ cardKey, codeFile: './main.js' }] }
  await expect(written(overHttp)).rejects.toThrow(
    '/cards/0/codeFile is read for scenario files on disk only; say `code`',
  )
})

test('an invalid bank is refused with every error', async () => {
  const accounts = [{ ...state.accounts[0]!, profileId: '1' }]
  await expect(written({ bank: { ...state, accounts } })).rejects.toThrow('/bank/accounts/0/profileId')
  await expect(written({ bank: { ...state, accounts: [null, 3] }, seed: -1 })).rejects.toThrow(
    '/seed must be >= 0\n/bank/accounts/0 must be object\n/bank/accounts/1 must be object',
  )
  await expect(written({ bank: state, accounts: [] })).rejects.toThrow('/accounts cannot change')
  await expect(written({ routines: [] })).rejects.toThrow('/routines can only be used with `bank`')
})
