// Files of earlier versions still load. The files of test/upgrades/ never change: a new format gets new files.

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import { createSandbox } from '../src/index.js'
import type { StateDocument } from '../src/node-api/api-types.js'

const fileOf = (name: string): string => fileURLToPath(new URL(`./upgrades/${name}`, import.meta.url))

test('a state of version 1 loads, with its accounts, rows and clock', async () => {
  await using sandbox = await createSandbox()
  await sandbox.restore(JSON.parse(await readFile(fileOf('state-1.json'), 'utf8')) as StateDocument)
  expect(await sandbox.clock.get()).toEqual({ now: '2026-03-25T00:00:00.000Z', frozen: true })
  const account = '4770681162082517659105486'
  expect(sandbox.balance(account)).toMatchObject({ currentBalance: 1250.5, availableBalance: 1250.5 })
  const { transactions } = await sandbox.client().listTransactions(account)
  expect(transactions.map(({ description, amount }) => [description, amount])).toEqual([['Salary', 1250.5]])
})

test('a scenario file of the first version loads, with its accounts, faults and timeline', async () => {
  await using sandbox = await createSandbox({ scenario: fileOf('scenario-1.yaml') })
  const account = '4675778129910189600000031'
  expect(sandbox.balance(account).currentBalance).toBe(800)
  expect((await sandbox.faults.list()).map(({ fault }) => fault)).toEqual([{ status: 503 }])
  await sandbox.clock.advance('P1D')
  expect(sandbox.balance(account).currentBalance).toBe(1000)
})
