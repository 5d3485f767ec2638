import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { extractText } from 'unpdf'
import { permissions, type Permission } from '../bank/credentials.js'
import { dayFromParts, formatDay } from '../determinism/day.js'
import { formatRand } from '../bank/money.js'
import { Sandbox } from '../sandbox/sandbox.js'
import { everyday, savings } from '../../test/ids.js'

const nowMs = Date.parse('2026-03-25T08:00:00Z')

async function open({
  seed = 3,
  permitted = permissions,
}: { seed?: number; permitted?: readonly Permission[] } = {}) {
  const sandbox = new Sandbox({ seed, nowMs })
  const bank = await sandbox.main.open()
  const client = sandbox.main.credentials.clients[0]!
  const key = client.apiKeys[0]!
  const get = async (path: string) => {
    const { token } = sandbox.main.credentials.issue(client, key, permitted, sandbox.main)
    const headers = { authorization: `Bearer ${token}` }
    return sandbox.handle({ method: 'GET', path: `/za/pb/v1/accounts/${path}`, headers })
  }
  const json = async (path: string) => {
    const { status, body } = await get(path)
    return {
      status,
      ...(JSON.parse(body as string) as { data: Listed[]; type: string; errors: { path: string }[] }),
    }
  }
  return { sandbox, bank, get, json }
}

interface Listed {
  documentType: string
  documentDate: string
}

const range = '?fromDate=2020-01-01&toDate=2030-01-01'

/** The words of a PDF, as another library reads them. */
async function wordsOf(body: string | Uint8Array): Promise<string> {
  const { text } = await extractText(new Uint8Array(body as Uint8Array), { mergePages: true })
  return text.replace(/\s+/g, ' ')
}

test('every month and tax year that has ended since the first entry has its document', async () => {
  const { json, sandbox } = await open()
  const { data } = await json(`${everyday}/documents${range}`)
  const statements = data.filter((each) => each.documentType === 'Statement')
  expect(statements.map((each) => each.documentDate)).toEqual(
    Array.from({ length: 13 }, (_, index) => formatDay(dayFromParts(2025, 2 + index + 1, 0))),
  )
  const certificates = data.filter((each) => each.documentType === 'TaxCertificate')
  expect(certificates.map((each) => each.documentDate)).toEqual(['2025-02-28', '2026-02-28'])
  sandbox.main.clock.set(Date.parse('2026-03-31T21:59:59Z'))
  expect((await json(`${everyday}/documents?fromDate=2026-03-01&toDate=2026-04-30`)).data).toEqual([])
  sandbox.main.clock.set(Date.parse('2026-03-31T22:00:00Z'))
  expect((await json(`${everyday}/documents?fromDate=2026-03-01&toDate=2026-04-30`)).data).toEqual([
    { documentType: 'Statement', documentDate: '2026-03-31' },
  ])
})

test('a range includes its first and its last date, and needs both', async () => {
  const { json } = await open()
  const list = async (query: string) => (await json(`${everyday}/documents?${query}`)).data
  expect(await list('fromDate=2026-01-31&toDate=2026-02-28')).toEqual([
    { documentType: 'Statement', documentDate: '2026-01-31' },
    { documentType: 'Statement', documentDate: '2026-02-28' },
    { documentType: 'TaxCertificate', documentDate: '2026-02-28' },
  ])
  expect(await list('fromDate=2026-02-01&toDate=2026-02-27')).toEqual([])
  for (const [query, path] of [
    ['', '/fromDate'],
    ['?fromDate=2026-01-01', '/toDate'],
    ['?toDate=2026-01-01', '/fromDate'],
    ['?fromDate=2026-02-30&toDate=2026-03-01', '/fromDate'],
    ['?fromDate=2026-03-01&toDate=2026-01-01', '/fromDate'],
    ['?fromDate=x&fromDate=y&toDate=2026-01-01', '/fromDate'],
  ]) {
    const { status, errors } = await json(`${everyday}/documents${query!}`)
    expect(status).toBe(400)
    expect(errors.map((each) => each.path)).toContain(path)
  }
  const { errors } = await json(`${everyday}/documents?fromDate=2026-03-01&toDate=2026-01-01`)
  expect(errors).toEqual([{ path: '/fromDate', message: 'must not be after toDate' }])
})

test("statements of any household, account and month, read back, have the ledger's rows and balances", async () => {
  let rowsRead = 0
  const property = fc.asyncProperty(fc.nat(1_000_000), fc.nat(), fc.nat(12), async (seed, nth, month) => {
    const { bank, get } = await open({ seed })
    const { accountId } = bank.accounts[nth % bank.accounts.length]!
    const [from, to] = [dayFromParts(2025, 2 + month, 1), dayFromParts(2025, 3 + month, 0)]
    const book = bank.book(accountId)
    const reply = await get(`${accountId}/document/Statement/${formatDay(to)}`)
    // There are no statements from before the account.
    if (from < book.between(-Infinity, Infinity)[0]!.postingDay && reply.status === 400) return
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/pdf'])
    const words = await wordsOf(reply.body)
    const rows = book.between(from, to)
    rowsRead += rows.length
    expect(words).toContain(`${formatDay(from)} Opening balance ${formatRand(book.balanceAt(from - 1))}`)
    expect(words).toContain(`${formatDay(to)} Closing balance ${formatRand(book.balanceAt(to))}`)
    let at = 0
    for (const { postingDay, description, cents, balanceCents } of rows) {
      const row = `${formatDay(postingDay)} ${description} ${formatRand(cents)} ${formatRand(balanceCents)}`
      at = words.indexOf(row, at) + 1
      expect(at > 0 ? '' : row).toBe('')
    }
  })
  await fc.assert(property, { numRuns: 20, examples: [[3, 0, 12]] })
  expect(rowsRead).toBeGreaterThan(0)
})

test("a tax certificate has the year's interest and fees, and no row that only looks like them", async () => {
  const { bank, get, sandbox } = await open()
  const pretended = { amount: '77', myReference: 'CREDIT INTEREST', theirReference: 'CREDIT INTEREST' }
  bank.payments.transfer(everyday, [{ beneficiaryAccountId: savings, ...pretended }])
  const earned = (from: number, to: number) =>
    bank
      .book(savings)
      .between(from, to)
      .filter(({ description, reference }) => description === 'CREDIT INTEREST' && reference === '')
      .reduce((sum, { cents }) => sum + cents, 0)
  const last = await wordsOf((await get(`${savings}/document/TaxCertificate/2026-02-28`)).body)
  expect(last).toContain('2025-03-01 to 2026-02-28')
  expect(last).toContain(
    `Interest earned ${formatRand(earned(dayFromParts(2025, 3, 1), dayFromParts(2026, 2, 28)))}`,
  )
  expect(last).toContain(
    `Balance on 2026-02-28 ${formatRand(bank.book(savings).balanceAt(dayFromParts(2026, 2, 28)))}`,
  )
  sandbox.main.clock.set(Date.parse('2027-03-02T08:00:00Z'))
  const next = await wordsOf((await get(`${savings}/document/TaxCertificate/2027-02-28`)).body)
  expect(next).toContain(
    `Interest earned ${formatRand(earned(dayFromParts(2026, 3, 1), dayFromParts(2027, 2, 28)))}`,
  )
  const fees = await wordsOf((await get(`${everyday}/document/TaxCertificate/2026-02-28`)).body)
  expect(fees).toMatch(/Interest paid \d[\d,.]* Fees charged [1-9]/)
})

test('the same document is the same bytes', async () => {
  const path = `${everyday}/document/Statement/2025-12-31`
  const [one, other] = [await open(), await open()]
  expect(Buffer.from((await one.get(path)).body).equals(Buffer.from((await other.get(path)).body))).toBe(true)
})

test("the key's permissions decide which documents are listed and which may be fetched", async () => {
  const typesOf = ({ data }: { data: Listed[] }) => [...new Set(data.map((each) => each.documentType))]
  const statements = await open({ permitted: ['documents.statements'] })
  expect(typesOf(await statements.json(`${everyday}/documents${range}`))).toEqual(['Statement'])
  expect((await statements.get(`${everyday}/document/Statement/2026-02-28`)).status).toBe(200)
  expect(await statements.json(`${everyday}/document/TaxCertificate/2026-02-28`)).toMatchObject({
    status: 401,
    type: 'urn:sandbox-server:problem:missing-permission',
  })
  const certificates = await open({ permitted: ['documents.taxcertificates'] })
  expect(typesOf(await certificates.json(`${everyday}/documents${range}`))).toEqual(['TaxCertificate'])
  expect((await certificates.get(`${everyday}/document/TaxCertificate/2026-02-28`)).status).toBe(200)
  expect((await certificates.get(`${everyday}/document/Statement/2026-02-28`)).status).toBe(401)
  const neither = await open({ permitted: ['accounts', 'transactions'] })
  expect((await neither.get(`${everyday}/documents${range}`)).status).toBe(401)
})

test.each([
  'Statement/2026-03-31',
  'Statement/2026-02-27',
  'Statement/2026-02-30',
  'Statement/2024-12-31',
  'Statement/x',
  'Statement/9999-12-31',
  'TaxCertificate/2026-03-31',
  'TaxCertificate/2027-02-28',
  'statement/2026-02-28',
  '__proto__/2026-02-28',
  'xxxxxxxx/2026-02-28',
])('document/%s is refused as unknown', async (path) => {
  const { json } = await open()
  expect(await json(`${everyday}/document/${path}`)).toMatchObject({
    status: 400,
    type: 'urn:sandbox-server:problem:unknown-document',
  })
})

test('the date of a document is accepted in any form of ISO 8601; other texts are unknown documents', async () => {
  const { sandbox, get } = await open()
  const path = `${everyday}/document/Statement/`
  const { body, warnings } = await get(`${path}2026-02-28`)
  expect(warnings).toBeUndefined()
  const others = [
    '2026-02-28T00:00:00.000Z',
    '2026-02-28T23:59:59%2B02:00',
    '20260228',
    '2026-059',
    '2026-W09-6',
  ]
  for (const date of others) {
    const reply = await get(path + date)
    expect([date, reply.status, reply.warnings]).toEqual([
      date,
      200,
      [
        {
          code: 'value-form',
          path: '/documentDate',
          message: 'is read as 2026-02-28; write a date such as 2026-03-25',
        },
      ],
    ])
    expect(reply.body).toEqual(body)
  }
  for (const date of ['2026-02-30', '2026-02-28x', '28-02-2026', 'T00:00']) {
    const reply = await get(path + date)
    expect([date, reply.status, reply.problem?.code]).toEqual([date, 400, 'unknown-document'])
  }
  sandbox.main.settings = { ...sandbox.main.settings, strict: true }
  const refused = await get(`${path}20260228`)
  expect([refused.status, JSON.parse(refused.body as string)]).toMatchObject([
    400,
    { type: 'urn:sandbox-server:problem:invalid-request', errors: [{ path: '/documentDate' }] },
  ])
})

test('an account without entries has no documents, and an unknown one is refused', async () => {
  const { bank, json } = await open()
  bank.setAccount({ ...bank.account(savings), accountId: '4675778129910189600000099' })
  expect((await json(`4675778129910189600000099/documents${range}`)).data).toEqual([])
  expect((await json(`1/documents${range}`)).status).toBe(400)
  expect((await json('1/document/Statement/2026-02-28')).status).toBe(400)
})
