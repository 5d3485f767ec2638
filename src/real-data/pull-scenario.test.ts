// One sandbox plays the real service; what is pulled from it starts another one, which must answer the same.

import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { bankOf, originals, serveBanks } from '../../test/generated-bank.js'
import { asker, between, credentials, folder, nowMs, options, real } from '../../test/pulled-service.js'
import type { BookState } from '../bank/ledger/ledger.js'
import { parseDay } from '../determinism/day.js'
import { Sandbox } from '../sandbox/sandbox.js'
import { loadScenarioFile } from '../scenario/scenario.js'
import { pullScenario, type PullReport } from './pull-scenario.js'

const range = '?fromDate=2025-01-01&toDate=2026-03-31'
let file: string
let report: PullReport
const seen: IncomingMessage[] = []

beforeAll(async () => {
  file = join(folder, 'my-bank.yaml')
  const proxy = await between((request) => {
    seen.push(request)
    return false
  })
  report = await pullScenario(options({ url: proxy.url, out: file, from: parseDay('2025-01-01') }))
  await proxy.close()
}, 60_000)

/** Fields whose values are replaced: each value always by the same one. */
const replaced =
  /^(accountId|accountNumber|accountName|referenceName|profileId|profileName|description|cardNumber|uuid|beneficiaryId|beneficiaryName|name|referenceAccountNumber|cellNo|emailAddress|categoryId|CategoryId|CardKey|CardNumber|AccountNumber|AccountId|EmbossedName|CardKeyHash|MaskedCardNumber|EmbossName|EmbossName2|code|executionId|rootCodeFunctionId|content|self|authoriserId|API_TOKEN|LIMIT)$/

function compare(a: unknown, b: unknown, path: string, pairs: Map<string, unknown>): void {
  if (typeof a === 'object' && a !== null) {
    expect([path, Object.keys(a)]).toEqual([path, Object.keys(Object(b) as object)])
    for (const [name, value] of Object.entries(a))
      compare(value, (b as Record<string, unknown>)[name], `${path}/${name}`, pairs)
    return
  }
  const name = path.split('/').at(-1)!
  if (!replaced.test(name) || a === '' || a === null) {
    expect([path, b]).toEqual([path, a])
    return
  }
  const key = `${name} ${JSON.stringify(a)}`
  if (!pairs.has(key)) pairs.set(key, b)
  expect([path, b]).toEqual([path, pairs.get(key)])
}

test('another sandbox answers every read with the same rows, balances, order, pending rows and cards', async () => {
  const copy = new Sandbox({ scenario: await loadScenarioFile(file) })
  const [askReal, askCopy] = await Promise.all([asker(real), asker(copy)])
  const pairs = new Map<string, unknown>()
  const both = async (path: (id: string) => string, ids: [string, string] = ['', '']) => {
    const [a, b] = await Promise.all([askReal('GET', path(ids[0])), askCopy('GET', path(ids[1]))])
    expect([path(ids[0]), a.status, b.status]).toEqual([path(ids[0]), 200, 200])
    compare(a.body, b.body, '', pairs)
    return [a.body.data, b.body.data]
  }
  const [accounts, accountsCopy] = await both(() => '/za/pb/v1/accounts')
  let rows = 0
  for (const [index, { accountId, profileId }] of accounts.accounts.entries()) {
    const other = accountsCopy.accounts[index]
    const ids: [string, string] = [accountId, other.accountId]
    const own = (rest: string) => (id: string) => `/za/pb/v1/accounts/${id}/${rest}`
    await both(own('balance'), ids)
    const [list] = await both(own(`transactions${range}`), ids)
    rows += list.transactions.length as number
    await both(own(`transactions${range}&includePending=true`), ids)
    await both(own('transactions?transactionType=CardPurchases'), ids)
    await both(own('pending-transactions'), ids)
    await both(own(`documents${range}`), ids)
    const [a, b] = await Promise.all([
      askReal('GET', `/za/pb/v1/profiles/${profileId}/accounts/${accountId}/authorisationsetupdetails`),
      askCopy(
        'GET',
        `/za/pb/v1/profiles/${other.profileId}/accounts/${other.accountId}/authorisationsetupdetails`,
      ),
    ])
    compare(a.body, b.body, '', pairs)
  }
  expect(rows).toBeGreaterThan(1000)
  const [profiles, profilesCopy] = await both(() => '/za/pb/v1/profiles')
  for (const [index, { profileId }] of profiles.entries()) {
    const ids: [string, string] = [profileId, profilesCopy[index].profileId]
    await both((id) => `/za/pb/v1/profiles/${id}/accounts`, ids)
    await both((id) => `/za/pb/v1/accounts/beneficiarycategories?profileId=${id}`, ids)
  }
  await both(() => '/za/pb/v1/accounts/beneficiaries')
  const [cards, cardsCopy] = await both(() => '/za/v1/cards')
  for (const [index, card] of cards.cards.entries()) {
    const ids: [string, string] = [card.CardKey, cardsCopy.cards[index].CardKey]
    await both((key) => `/za/v1/cards/${key}`, ids)
    if (!card.IsProgrammable) continue
    await both((key) => `/za/v1/cards/${key}/code`, ids)
    await both((key) => `/za/v1/cards/${key}/code/executions`, ids)
    await both((key) => `/za/v1/cards/${key}/environmentvariables`, ids)
  }
  await copy.close()
})

test('besides the token request only GET is sent', () => {
  const others = seen.filter(({ method }) => method !== 'GET')
  expect(others.map(({ method, url }) => `${method!} ${url!}`)).toEqual(['POST /identity/v2/oauth2/token'])
  expect(seen.length).toBe(report.requests)
  for (const list of ['countries', 'currencies', 'merchants'])
    expect(seen.filter(({ url }) => url === `/za/v1/cards/${list}`)).toHaveLength(1)
})

test('neither credentials nor originals are in what was written, and the report counts what was replaced', () => {
  const text = readFileSync(file, 'utf8') + readFileSync(report.dataFile!, 'utf8')
  const { clientSecret, apiKey } = credentials
  for (const original of [
    clientSecret,
    apiKey,
    'sk_live_4eC39HqLyjWDarjtT1zdp7dc',
    'me@home.example',
    'Naidoo',
    'Rent Sipho',
  ])
    expect([original, text.toUpperCase().includes(original.toUpperCase())]).toEqual([original, false])
  expect(report.replaced).toMatchObject({
    'account id': report.accounts,
    secret: 1,
    'e-mail address': expect.any(Number),
  })
  expect(report.review.join('\n')).toContain('looked like a secret and was masked')
  expect(report.missing).toEqual([])
  expect(existsSync(`${file}.partial`)).toBe(false)
})

test('no original value is in the bytes of the files, whatever bank is pulled', async () => {
  const service = await serveBanks()
  const out = join(folder, 'generated.yaml')
  const withDataFile = new Set<boolean>()
  await fc.assert(
    fc.asyncProperty(originals, fc.constantFrom(1, 600), async (given, rows) => {
      const bank = bankOf(given)
      const [account] = bank.accounts as [(typeof bank.accounts)[number]]
      const [row] = account.rows as [(typeof account.rows)[number]]
      const many = Array.from({ length: rows }, (_, index) => ({
        ...row,
        status: 'POSTED' as const,
        type: 'CREDIT' as const,
        postedOrder: index + 1,
        runningBalance: 5 * (index + 1),
        description:
          index === 0 ? row.description : `${given.names[index % given.names.length]!} ${index} ZA`,
      }))
      service.give({ ...bank, accounts: [{ ...account, rows: many }] })
      const more = { url: service.url, out, force: true, rate: 1e9, withVariables: true }
      const pulled = await pullScenario(options({ ...more, from: parseDay('2026-02-01') }))
      expect([pulled.rows, pulled.cards]).toEqual([rows, 1])
      const files = [pulled.file, pulled.dataFile].filter((each) => each !== undefined)
      withDataFile.add(files.length === 2)
      const bytes = Buffer.concat(files.map((each) => readFileSync(each)))
      const text = bytes.toString('utf8').toUpperCase()
      const values = [...given.ids, ...given.names, 'some.body@home.example']
      expect(values.filter((value) => text.includes(value.toUpperCase()))).toEqual([])
    }),
    { numRuns: 12, endOnFailure: true },
  )
  expect(withDataFile).toEqual(new Set([true, false]))
  service.close()
})

test('with --continue the bank continues day by day, without it nothing happens', async () => {
  const out = join(folder, 'continued.yaml')
  await pullScenario(options({ out, continue: true, keepNames: true, jitterPercent: 5 }))
  const grown = async (path: string) => {
    const sandbox = new Sandbox({ scenario: await loadScenarioFile(path) })
    const bank = await sandbox.main.open()
    const count = () =>
      bank.accounts.reduce((sum, { accountId }) => sum + bank.book(accountId).entries.length, 0)
    sandbox.main.clock.set(nowMs + 3 * 86_400_000)
    bank.catchUp()
    const before = count()
    sandbox.main.clock.set(nowMs + 63 * 86_400_000)
    bank.catchUp()
    await sandbox.close()
    return count() - before
  }
  expect(await grown(file)).toBe(0)
  expect(await grown(out)).toBeGreaterThan(30)
})

test('a service that answers like the live one is pulled, too', async () => {
  const { settings } = real.main
  real.main.settings = { ...settings, behaviour: 'observed' }
  try {
    const out = join(folder, 'observed.yaml')
    const { missing } = await pullScenario(options({ out }))
    expect(missing).toEqual([])
    const { accounts, books } = (await loadScenarioFile(out)).opening.bank!.state
    const bank = await real.main.open()
    expect(accounts.map(({ accountId }) => sumOf(books[accountId]!))).toEqual(
      bank.accounts.map(({ accountId }) => bank.book(accountId).balanceCents),
    )
  } finally {
    real.main.settings = settings
  }
})

const sumOf = ({ opening, entries }: BookState): number =>
  entries.reduce((sum, { cents }) => sum + cents, opening?.cents ?? 0)
