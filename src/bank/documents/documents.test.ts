import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { extractTextItems } from 'unpdf'
import { statementPdf, taxCertificatePdf } from './documents.js'
import type { StatementData, StatementRow, TaxCertificateData } from './documents.js'

const bank = { name: 'The Sandbox Bank' }

const account = {
  accountNumber: '10012420003',
  accountName: 'Mr J Soap',
  productName: 'Private Bank Account',
  referenceName: 'Everyday account',
  profileName: 'Joe & Zoë Soap',
}

function statement(amounts: readonly number[], openingCents = 0): StatementData {
  let balanceCents = openingCents
  const rows = amounts.map((amountCents, index): StatementRow => {
    balanceCents += amountCents
    const postingDate = `2026-10-${String(1 + Math.floor((index * 31) / amounts.length)).padStart(2, '0')}`
    return { postingDate, description: `PURCHASE ${index} CAPE TOWN ZA`, amountCents, balanceCents }
  })
  const period = { fromDate: '2026-10-01', toDate: '2026-10-31' }
  return { bank, account, ...period, openingCents, closingCents: balanceCents, rows }
}

const described = (description: string): StatementData => {
  const { rows, ...rest } = statement([-100])
  return { ...rest, rows: [{ ...rows[0]!, description }] }
}

const certificate: TaxCertificateData = {
  bank,
  account,
  taxYear: { fromDate: '2025-03-01', toDate: '2026-02-28' },
  certificateNumber: 'TC-2026-10012420003',
  openingCents: -120_050,
  closingCents: 9_876_543,
  interestEarnedCents: 45_678,
  interestPaidCents: 1_234,
  feesCents: 66_000,
}

interface Piece {
  readonly text: string
  readonly start: number
  readonly end: number
}

// What another PDF library reads: for each page its lines from the top, for each line its pieces from the left.
async function read(pdf: Uint8Array): Promise<Piece[][][]> {
  const { items } = await extractTextItems(new Uint8Array(pdf))
  return items.map((page) => {
    const lines = new Map<number, Piece[]>()
    for (const { str, x, y, width } of page) {
      if (str.trim() === '') continue
      const line = lines.get(y) ?? []
      lines.set(y, [...line, { text: str, start: x, end: x + width }])
    }
    const fromTop = [...lines].sort(([a], [b]) => b - a)
    return fromTop.map(([, pieces]) => pieces.sort((a, b) => a.start - b.start))
  })
}

const textsOf = (line: readonly Piece[]) => line.map(({ text }) => text)

function centsOf(amount: string): number {
  expect(amount).toMatch(/^-?\d{1,3}(,\d{3})*\.\d\d$/)
  return Number(amount.replace(/[,.]/g, ''))
}

// The table of a statement: a debit is told from a credit by the column that its right edge is in.
async function tableOf(pdf: Uint8Array) {
  const lines = (await read(pdf)).flat()
  const edge = (title: string) => lines.flat().find(({ text }) => text === title)!.end
  const [debitEdge, creditEdge, balanceEdge] = [edge('Debit'), edge('Credit'), edge('Balance (ZAR)')]
  const at = (line: readonly Piece[], right: number) =>
    line.find(({ end }) => Math.abs(end - right) < 0.5)?.text
  const balanceOf = (title: string) => {
    const line = lines.find((pieces) => pieces.length === 3 && pieces[1]!.text === title)!
    return { date: line[0]!.text, cents: centsOf(at(line, balanceEdge)!) }
  }
  const rows = lines
    .filter((line) => /^\d{4}-\d\d-\d\d$/.test(line[0]!.text) && line.length === 4)
    .map((line): StatementRow => {
      const [debit, credit] = [at(line, debitEdge), at(line, creditEdge)]
      expect([debit, credit].filter((amount) => amount !== undefined)).toHaveLength(1)
      return {
        postingDate: line[0]!.text,
        description: line[1]!.text,
        amountCents: debit === undefined ? centsOf(credit!) : -centsOf(debit),
        balanceCents: centsOf(at(line, balanceEdge)!),
      }
    })
  const totals = lines.find(([first]) => first!.text === 'Total debits and credits')!
  return {
    opening: balanceOf('Opening balance'),
    closing: balanceOf('Closing balance'),
    rows,
    debitCents: centsOf(at(totals, debitEdge)!),
    creditCents: centsOf(at(totals, creditEdge)!),
  }
}

test('a statement read back has the opening balance, rows, totals and closing balance of its data', async () => {
  const data = statement([-12_345, 2_500_000, -5, -99_999_999, 123_456_789_01, -100], -7_000_42)
  expect(await tableOf(await statementPdf(data))).toEqual({
    opening: { date: '2026-10-01', cents: -7_000_42 },
    closing: { date: '2026-10-31', cents: data.closingCents },
    rows: data.rows,
    debitCents: 12_345 + 5 + 99_999_999 + 100,
    creditCents: 2_500_000 + 123_456_789_01,
  })
})

test('a statement names the bank, the account, whose it is and the period', async () => {
  const [page] = await read(await statementPdf(statement([-100])))
  expect(page!.slice(0, 1).map(textsOf)).toEqual([['The Sandbox Bank', 'Account statement']])
  expect(page!.flatMap(textsOf)).toEqual(
    expect.arrayContaining([...Object.values(account), '2026-10-01 to 2026-10-31', 'Page 1 of 1']),
  )
})

test('a statement without rows still has its two balances', async () => {
  const { opening, rows, closing, debitCents, creditCents } = await tableOf(
    await statementPdf(statement([], 5)),
  )
  expect({ opening: opening.cents, rows, closing: closing.cents }).toEqual({
    opening: 5,
    rows: [],
    closing: 5,
  })
  expect([debitCents, creditCents]).toEqual([0, 0])
})

test('each page of a long statement has the header, the column titles and its number', async () => {
  const pages = await read(await statementPdf(statement(Array<number>(190).fill(-100))))
  expect(pages).toHaveLength(5)
  for (const [index, page] of pages.entries()) {
    expect(textsOf(page[0]!)).toEqual(['The Sandbox Bank', 'Account statement'])
    expect(page.map(textsOf)).toContainEqual(['Date', 'Description', 'Debit', 'Credit', 'Balance (ZAR)'])
    expect(page.at(-1)!.at(-1)!.text).toBe(`Page ${index + 1} of 5`)
    if (index > 0) expect(textsOf(page[1]!)).toEqual(['Mr J Soap, 10012420003', '2026-10-01 to 2026-10-31'])
  }
})

test('no row is lost where a page ends, and no page is empty', async () => {
  for (const count of [32, 33, 34, 35, 36, 37, 74, 75, 76, 77, 78, 79]) {
    const data = statement(Array<number>(count).fill(-100))
    const pdf = await statementPdf(data)
    expect((await tableOf(pdf)).rows).toEqual(data.rows)
    for (const page of await read(pdf))
      expect(page.flat().filter(({ text }) => text.includes('.00'))).not.toEqual([])
  }
})

test('five thousand rows are written whole and in order', async () => {
  const data = statement(Array.from({ length: 5000 }, (_, index) => (index % 7 === 0 ? 900_000 : -index)))
  const started = performance.now()
  const pdf = await statementPdf(data)
  expect(performance.now() - started).toBeLessThan(10_000)
  expect((await tableOf(pdf)).rows).toEqual(data.rows)
})

test.each([
  [0, '0.00'],
  [5, '0.05'],
  [-5, '-0.05'],
  [100, '1.00'],
  [99_999, '999.99'],
  [123_456, '1,234.56'],
  [-123_456_789, '-1,234,567.89'],
  [Number.MAX_SAFE_INTEGER, '90,071,992,547,409.91'],
])('%d cents are written as %s', async (openingCents, written) => {
  const lines = (await read(await statementPdf(statement([], openingCents)))).flat()
  expect(lines.map(textsOf)).toContainEqual(['2026-10-01', 'Opening balance', written])
})

test('a long description is cut where its column ends', async () => {
  for (const description of ['KURUMAN FRESH PRODUCE '.repeat(10), 'W'.repeat(1_000_000), 'i'.repeat(500)]) {
    const lines = (await read(await statementPdf(described(description)))).flat()
    const shown = lines.flat().find(({ text }) => text.endsWith('…'))!
    expect(description.startsWith(shown.text.slice(0, -1))).toBe(true)
    expect(shown.text.length).toBeGreaterThan(20)
    expect(shown.end).toBeLessThan(319)
    expect(shown.end).toBeGreaterThan(295)
  }
})

test.each([
  ['CAFÉ ZOË – 50 € “NETT” (PTY)\\', 'CAFÉ ZOË – 50 € “NETT” (PTY)\\'],
  ['CAFE\u0301', 'CAFÉ'],
  ['PIZZA 🍕 PLACE', 'PIZZA ? PLACE'],
  ['中文 SHOP', '?? SHOP'],
  ['A\u0000B\u0007C\tD\r\nE\u007fF\u0085G', 'A?B?C?D??E?F?G'],
  ['HALF \ud83c OF IT', 'HALF ? OF IT'],
  ['\u202eRTL\u200b', '?RTL?'],
])('the description %j is written as %j', async (description, written) => {
  expect((await tableOf(await statementPdf(described(description)))).rows[0]!.description).toBe(written)
})

test('whatever the texts are, a document is written that can be read', async () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 300 })
  const anyAccount = fc.record({
    accountNumber: anyText,
    accountName: anyText,
    productName: anyText,
    referenceName: anyText,
    profileName: anyText,
  })
  await fc.assert(
    fc.asyncProperty(anyAccount, anyText, anyText, async (hostile, name, description) => {
      const texts = { account: hostile, bank: { name } }
      const [page] = await read(await statementPdf({ ...described(description), ...texts }))
      expect(page!.map((line) => line.at(-1)!.text)).toContain('Page 1 of 1')
      expect(Math.max(...page!.flat().map(({ end }) => end))).toBeLessThan(550)
      await read(await taxCertificatePdf({ ...certificate, ...texts, certificateNumber: description }))
    }),
    { numRuns: 50 },
  )
})

test('the same data give the same bytes, and other data others', async () => {
  const data = statement([-12_345, 500])
  expect(Buffer.compare(await statementPdf(data), await statementPdf(structuredClone(data)))).toBe(0)
  expect(Buffer.compare(await statementPdf(data), await statementPdf({ ...data, closingCents: 1 }))).not.toBe(
    0,
  )
  expect(Buffer.compare(await taxCertificatePdf(certificate), await taxCertificatePdf(certificate))).toBe(0)
})

test('a document is dated by its own last day and contains nothing compressed by zlib', async () => {
  for (const [pdf, day] of [
    [await statementPdf(statement([-100])), '2026-10-31'],
    [await taxCertificatePdf(certificate), '2026-02-28'],
  ] as const) {
    const source = Buffer.from(pdf).toString('latin1')
    expect(source).toMatch(/^%PDF-1\.7/)
    expect(source).not.toContain('FlateDecode')
    expect(source.match(/D:\d{14}Z/g)).toEqual([`D:${day.replaceAll('-', '')}000000Z`])
    expect(source.match(/\d{4}-\d\d-\d\dT[\d:]+Z/g)).toEqual([`${day}T00:00:00Z`])
  }
})

test('a tax certificate read back has the figures of its data', async () => {
  const [page] = await read(await taxCertificatePdf(certificate))
  const lines = page!.map(textsOf)
  expect(lines[0]).toEqual(['The Sandbox Bank', 'Tax certificate'])
  expect(lines).toEqual(
    expect.arrayContaining([
      ['Certificate number', 'TC-2026-10012420003'],
      ['Balance on 2025-03-01', '-1,200.50'],
      ['Interest earned', '456.78'],
      ['Interest paid', '12.34'],
      ['Fees charged', '660.00'],
      ['Balance on 2026-02-28', '98,765.43'],
    ]),
  )
  expect(lines.flat()).toEqual(
    expect.arrayContaining([...Object.values(account), '2025-03-01 to 2026-02-28', 'Page 1 of 1']),
  )
})

test('a long statement lets others run between its pages', async () => {
  let turns = 0
  let isDone = false
  const count = (): void => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const pdf = await statementPdf(statement(Array.from({ length: 2_000 }, (_, index) => index + 1)))
  isDone = true
  const pages = Buffer.from(pdf).toString('latin1').split('/Type /Page\n').length - 1
  expect(pages).toBeGreaterThan(40)
  expect(turns).toBeGreaterThanOrEqual(pages)
})
