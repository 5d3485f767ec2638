// Compiles small strict projects against the packed package, with `skipLibCheck: false` and none of our dependencies'
// types: node scripts/types-in-projects.mjs sandbox-server-1.0.0.tgz

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { jsConfig } from '../dist/card-loop/init.js'

const tarball = path.resolve(process.argv[2])
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
const { devDependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/** Uses the public API like a user. A line below `@ts-expect-error` must not compile. */
const nodeApi = `
import { createSandbox, startSandbox, ControlError, ServiceError } from 'sandbox-server'
import type {
  Account, Balance, Beneficiary, Card, CardTransaction, CodeRecord, CreateOptions, Execution, FaultRule,
  LocalSandbox, PendingTransaction, Profile, ScenarioFile, ServiceClient, Settings, Transaction, TransferResult,
} from 'sandbox-server'

export async function use(): Promise<void> {
  const options: CreateOptions = { now: '2026-03-25', scenario: 'payday' }
  await using sandbox: LocalSandbox = await createSandbox(options)
  await createSandbox({ scenario: './my-bank.yaml' })
  const scenario: ScenarioFile = { name: 'mine', description: 'Of my own.' }
  await sandbox.scenarios.use(scenario)
  const client: ServiceClient = sandbox.client()
  const accounts: Account[] = (await client.listAccounts()).accounts
  const balance: Balance = await client.getBalance(accounts[0]!.accountId)
  const rows: Transaction[] = (await client.listTransactions('1', { fromDate: '2026-03-01' })).transactions
  const pending: PendingTransaction[] = (await client.listPendingTransactions('1')).transactions
  const profiles: Profile[] = await client.listProfiles()
  const beneficiaries: Beneficiary[] = await client.listBeneficiaries()
  const cards: Card[] = (await client.listCards()).cards
  const code: CodeRecord = (await client.saveCode('1', { code: '' })).result
  const paid: TransferResult = await client.pay('1', { paymentList: [] })
  const pdf: Uint8Array = await client.getDocument('1', 'Statement', '2026-03-01')
  const { transaction, executions } = await sandbox.cards.transact('700615', { centsAmount: 100 })
  const held: CardTransaction = transaction
  const ran: Execution[] = executions
  const rule: FaultRule = { match: { path: '/za/**' }, fault: { status: 500 } }
  await sandbox.faults.add(rule)
  const settings: Settings = await sandbox.settings.get()
  const response: Response = await sandbox.fetch('/za/pb/v1/accounts', { headers: (await sandbox.signIn()).headers })
  const started = await startSandbox({ port: 0 })
  const url: string = started.url
  // @ts-expect-error there is no such field
  balance.curentBalance
  // @ts-expect-error a number is no duration
  await sandbox.clock.advance(1)
  try { await sandbox.reset() } catch (error) { if (error instanceof ControlError || error instanceof ServiceError) error.faults }
  void [balance, rows, pending, profiles, beneficiaries, cards, code, paid, pdf, held, ran, settings, response, url]
}
`
const express = `
import { createSandbox } from 'sandbox-server'
import { sandboxRouter, type RouterHandler } from 'sandbox-server/express'
export const router = async (): Promise<RouterHandler> => sandboxRouter(await createSandbox(), { cors: ['http://localhost:5173'] })
`
const msw = `
import { createSandbox } from 'sandbox-server'
import { handlers } from 'sandbox-server/msw'
import { setupServer } from 'msw/node'
export const server = async () => setupServer(...handlers(await createSandbox(), { baseUrl: 'https://bank.example' }))
`
const matchers = (entry, runner) => `
import { expect, test } from '${runner}'
import { useSandbox, useStartedSandbox } from 'sandbox-server/${entry}'
const sandbox = useSandbox({ now: '2026-03-25' })
const started = useStartedSandbox()
test('compiles', async () => {
  expect(sandbox).toHaveReceived({ path: '/za/**' }, { exactly: 0 })
  expect(await sandbox.cards.transact('700615', { centsAmount: 100 })).toApprove()
  expect(await sandbox.cards.transact('700615', { centsAmount: 100 })).toDecline({ despiteError: true })
  expect(sandbox.balance('1')).toHaveBalance({ current: 5 })
  expect(started.url).toBe('')
})
`

/** Code of a card in an editor, and its tests in TypeScript. */
const card = `
import { defineCardTests } from 'sandbox-server/card'
import type { Authorization, BeforeTransaction } from 'sandbox-server/card'
const decide: BeforeTransaction = async ({ centsAmount }: Authorization) => centsAmount <= 50_000
export const tests: typeof defineCardTests = defineCardTests
void decide
`
const cardCode = `// @ts-check
/** @type {BeforeTransaction} */
const beforeTransaction = async (authorization) => {
  const response = await fetch('https://limits.example.com/' + process.env.CARD, { signal: AbortSignal.timeout(1500) })
  const { most } = await response.json()
  for (const [name, value] of response.headers) console.log(name, value)
  // @ts-expect-error card code has no require
  require('fs')
  return authorization.centsAmount <= most
}
`

const strict = {
  strict: true,
  skipLibCheck: false,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  target: 'es2022',
  types: [],
}
const plain = { 'index.ts': nodeApi, 'express.ts': express, 'card.ts': card }
// msw and the test runners need the types of Node. Declarations of theirs may have errors, which are theirs: ours may not.
const withNode = { ...strict, types: ['node'] }
const projects = [
  { name: 'ESM', type: 'module', options: { module: 'nodenext' }, files: plain },
  { name: 'CommonJS', type: 'commonjs', options: { module: 'nodenext' }, files: plain },
  {
    name: 'bundler',
    type: 'module',
    options: { module: 'esnext', moduleResolution: 'bundler' },
    files: plain,
  },
  {
    name: 'MSW and Jest, ESM',
    type: 'module',
    options: { ...withNode, module: 'nodenext' },
    files: { 'msw.ts': msw, 'jest.ts': matchers('jest', '@jest/globals') },
    install: ['msw', '@jest/globals', '@types/node'],
  },
  {
    name: 'MSW and Jest, CommonJS',
    type: 'commonjs',
    options: { ...withNode, module: 'nodenext' },
    files: { 'msw.ts': msw, 'jest.ts': matchers('jest', '@jest/globals') },
    install: ['msw', '@jest/globals', '@types/node'],
  },
  {
    name: 'card code',
    type: 'commonjs',
    options: {
      ...jsConfig.compilerOptions,
      skipLibCheck: false,
      exactOptionalPropertyTypes: false,
      noUncheckedIndexedAccess: false,
    },
    files: { 'main.js': cardCode },
  },
  {
    name: 'Vitest',
    type: 'module',
    options: { ...withNode, module: 'esnext', moduleResolution: 'bundler' },
    files: { 'vitest.ts': matchers('vitest', 'vitest') },
    install: ['vitest', '@types/node'],
  },
]

/** The errors of a compiler run that are in the project's own files, or in the package. */
function faultsOf(folder) {
  const args = ['node_modules/typescript/bin/tsc', '-p', '.', '--pretty', 'false']
  const { stdout, status } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  const errors = stdout.split('\n').filter((line) => / error TS\d+: /.test(line))
  if (status !== 0 && errors.length === 0) return { ours: [stdout], theirs: 0 }
  const ours = errors.filter(
    (line) => !line.startsWith('node_modules/') || line.startsWith('node_modules/sandbox-server/'),
  )
  return { ours, theirs: errors.length - ours.length }
}

const work = mkdtempSync(path.join(tmpdir(), 'types-in-projects-'))
try {
  const versions = { ...devDependencies, vitest: '4.1.12' }
  for (const { name, type, options, files, install = [] } of projects) {
    const folder = path.join(work, name.replace(/\W+/g, '-'))
    mkdirSync(folder)
    const write = (file, value) =>
      writeFileSync(
        path.join(folder, file),
        typeof value === 'string' ? value : JSON.stringify(value, null, 2),
      )
    write('package.json', { name: 'project', private: true, type })
    write('tsconfig.json', { compilerOptions: { ...strict, ...options }, files: Object.keys(files) })
    for (const [file, text] of Object.entries(files)) write(file, text)
    const packages = ['typescript', ...install].map(
      (each) => `${each}@${versions[each].replace(/^[\^~]/, '')}`,
    )
    const run = (command, ...args) => execFileSync(command, args, { cwd: folder, stdio: 'inherit' })
    run(
      npm,
      'install',
      '--no-fund',
      '--no-audit',
      '--no-package-lock',
      '--silent',
      '--prefer-offline',
      tarball,
      ...packages,
    )
    if (install.length === 0)
      rmSync(path.join(folder, 'node_modules/@types'), { recursive: true, force: true })
    const { ours, theirs } = faultsOf(folder)
    if (ours.length > 0 || (theirs > 0 && install.length === 0))
      throw new Error(`types: ${name} does not compile:\n${ours.join('\n')}`)
    const others = theirs > 0 ? ` (${theirs} errors in declarations of ${install.join(', ')})` : ''
    console.log(`types: ${name} compiles${others}`)
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
