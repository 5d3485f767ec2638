import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import { accountIds, everyday, savings } from '../../test/client.js'
import type { Bank } from '../bank/bank.js'
import { Clock } from '../determinism/clock.js'
import { neverPaid } from '../bank/payments/beneficiaries.js'
import { dayFromParts, dayOf, endOfMonth, partsOf } from '../determinism/day.js'
import { formatRand } from '../bank/money.js'
import type { Entry } from '../bank/ledger/ledger.js'
import { Random } from '../determinism/random.js'
import { rowTypes } from '../bank/records.js'
import { postedRow } from '../bank/ledger/transactions.js'
import { fixtures } from './fixtures.js'
import { openHistory } from './history.js'

const [, , homeLoan, carLoan, business] = accountIds
const standardMs = Date.parse('2026-03-15T08:00:00Z')

/** Seeds and days on which a calendar is easily wrong: a leap day, the ends of years and months. */
const cases = [
  [1, '2026-03-15'],
  [2, '2024-02-29'],
  [3, '2025-12-31'],
  [4, '2026-01-01'],
  [5, '2024-03-01'],
  [4_294_967_295, '2026-07-25'],
  [0, '1980-01-01'],
  [7, '2200-12-31'],
] as const

const open = (seed: number, day: string, base = fixtures()) =>
  openHistory(base, Date.parse(`${day}T08:00:00Z`), seed)

const rowsOf = (bank: Bank, accountId: string): Entry[] => bank.book(accountId).entries.slice()

const textOf = (bank: Bank, ids: readonly string[] = accountIds): string =>
  JSON.stringify(
    ids.map((accountId) => {
      const { entries, holds } = bank.book(accountId)
      return [entries.slice().map((entry) => postedRow(accountId, entry)), holds]
    }),
  )

const fingerprint = (text: string): string => createHash('sha256').update(text).digest('hex')

test.each(cases)('seed %d on %s: books add up', (seed, day) => {
  const bank = open(seed, day)
  for (const accountId of accountIds) {
    let balance = 0
    let last = -Infinity
    rowsOf(bank, accountId).forEach((entry, index) => {
      balance += entry.direction === 'CREDIT' ? entry.cents : -entry.cents
      expect(Number.isSafeInteger(entry.cents) && entry.cents > 0).toBe(true)
      expect([entry.balanceCents, entry.postedOrder]).toEqual([balance, index + 1])
      expect(entry.postingDay).toBeGreaterThanOrEqual(last)
      expect(entry.transactionDay).toBeLessThanOrEqual(entry.postingDay)
      last = entry.postingDay
    })
    expect(bank.book(accountId).balanceCents).toBe(balance)
    expect(last).toBeLessThan(dayOf(Date.parse(`${day}T08:00:00Z`)))
  }
})

test.each(cases)('seed %d on %s: a believable household', (seed, day) => {
  const bank = open(seed, day)
  const today = dayOf(Date.parse(`${day}T08:00:00Z`))
  const rows = rowsOf(bank, everyday)
  expect(bank.book(everyday).between(today - 180, today).length).toBeGreaterThanOrEqual(500)
  expect(new Set(rows.map(({ transactionType }) => transactionType))).toEqual(new Set(rowTypes))
  const salaries = rows.filter(({ description }) => description.startsWith('SALARY '))
  expect(salaries.length).toBeGreaterThanOrEqual(12)
  for (const { postingDay, direction } of salaries)
    expect([partsOf(postingDay).date, direction]).toEqual([25, 'CREDIT'])
  expect(new Set(salaries.map(({ cents }) => cents)).size).toBe(1)
  const overdraft = fixtures().accounts[0]!.overdraftCents
  for (const { balanceCents } of rows) {
    expect(balanceCents).toBeGreaterThan(-overdraft)
    expect(balanceCents).toBeLessThan(30_000_000)
  }
  for (const { balanceCents } of rowsOf(bank, business))
    expect(Math.abs(balanceCents)).toBeLessThan(60_000_000)
  for (const { description } of rows) expect(description).toMatch(/^[\p{L}\p{N} .'&/-]{3,45}$/u)
  const cardNumbers = rows
    .filter((row) => row.transactionType === 'CardPurchases')
    .map((row) => row.cardNumber)
  for (const cardNumber of cardNumbers) expect(cardNumber).toMatch(/^402(167|261)xxxxxx\d{4}$/)
})

test.each(cases)('seed %d on %s: savings earn interest and loans are repaid', (seed, day) => {
  const bank = open(seed, day)
  const interest = rowsOf(bank, savings).filter(({ description }) => description === 'CREDIT INTEREST')
  expect(interest.length).toBeGreaterThanOrEqual(12)
  for (const { postingDay, cents } of interest) {
    expect(postingDay).toBe(endOfMonth(postingDay))
    // 7.35 % a year of R84,500 to R150,000 is R475 to R940 a month.
    expect(cents > 45_000 && cents < 95_000).toBe(true)
  }
  for (const loan of [homeLoan, carLoan]) {
    const rows = rowsOf(bank, loan)
    const owed = rows
      .filter(({ description }) => description === 'INSTALMENT RECEIVED')
      .map((row) => -row.balanceCents)
    expect(owed.length).toBeGreaterThanOrEqual(12)
    for (const [index, cents] of owed.entries()) expect(cents).toBeLessThan(owed[index - 1] ?? Infinity)
    expect(rows.some(({ description }) => description === 'DEBIT INTEREST')).toBe(true)
  }
  for (const accountId of [savings, homeLoan, carLoan])
    for (const { transactionType } of rowsOf(bank, accountId)) expect(transactionType).toBeNull()
})

test('the same seed and time give the same bytes, another seed gives another household', () => {
  const again = { ...fixtures() }
  expect(textOf(open(1, '2026-03-15', again))).toBe(textOf(open(1, '2026-03-15')))
  const other = open(2, '2026-03-15')
  for (const accountId of [everyday, business])
    expect(textOf(other, [accountId])).not.toBe(textOf(open(1, '2026-03-15'), [accountId]))
  expect(other.accounts).toEqual(open(1, '2026-03-15').accounts)
})

test('the household cannot spend more than it has: only charges and interest take it below its overdraft', () => {
  const clock = Clock.frozenAt(standardMs)
  const bank = open(1, '2026-03-15').fork(clock, new Random(1))
  bank.catchUp()
  const before = bank.book(everyday).entries.length
  const unpaid: unknown[] = []
  bank.watcher = (event) => event.type === 'unpaid' && unpaid.push(event.description)
  bank.enter(everyday, {
    direction: 'DEBIT',
    cents: bank.availableCents(everyday),
    transactionType: 'OnlineBankingPayments',
    description: 'ALL OF IT',
  })
  expect(bank.availableCents(everyday)).toBe(0)
  clock.set(Date.parse('2026-03-24T20:00:00Z'))
  bank.catchUp()
  expect(bank.availableCents(everyday)).toBe(0)
  expect(bank.book(everyday).holds).toEqual([])
  expect(unpaid.length).toBeGreaterThan(20)
  // The salary of the 25th arrives before later debits.
  clock.set(Date.parse('2026-04-02T08:00:00Z'))
  bank.catchUp()
  const after = rowsOf(bank, everyday).slice(before + 1)
  expect(after.some(({ description }) => description.startsWith('SALARY'))).toBe(true)
  expect(after.some(({ description }) => description === 'MONTHLY SERVICE CHARGE')).toBe(true)
  expect(after.some(({ description }) => description === 'HOME LOAN INSTALMENT')).toBe(true)
  expect(bank.availableCents(everyday)).toBeGreaterThanOrEqual(0)
})

test('no two purchases of the calendar have the same reference', () => {
  for (const seed of [1, 2, 3, 24]) {
    const bank = open(seed, '2026-03-15')
    const references = accountIds.flatMap((accountId) => {
      const { entries, holds } = bank.book(accountId)
      return [...entries.slice().map(({ reference }) => reference), ...holds.map(({ id }) => id)]
    })
    const given = references.filter((reference) => reference !== '')
    expect(given.length).toBeGreaterThan(1000)
    expect(new Set(given).size).toBe(given.length)
    expect(given.every((reference) => /^[1-4]\d{7}$/.test(reference))).toBe(true)
  }
})

/** Changes when any row of the shipped household does, on whatever machine or version of Node: then say so in the changelog. */
const known = '3b4cb7356bb8d7514cbfde3eee2dc3de87e736cc33abcd54f50cb1bea04aeb38'

test('the rows of seed 1 are the rows that were shipped', () => {
  expect(fingerprint(textOf(openHistory(fixtures(), standardMs, 1)))).toBe(known)
})

test('another process in another time zone and language makes the same bytes', () => {
  const dist = new URL('../../dist/', import.meta.url)
  const script = `
    const [{ openHistory }, { fixtures }, { postedRow }, { createHash }] = await Promise.all(
      ['./household/history.js', './household/fixtures.js', './bank/ledger/transactions.js'].map((path) => import(new URL(path, ${JSON.stringify(dist.href)}).href)).concat(import('node:crypto')))
    const bank = openHistory(fixtures(), ${standardMs}, 1)
    const text = JSON.stringify(${JSON.stringify(accountIds)}.map((accountId) => {
      const { entries, holds } = bank.book(accountId)
      return [entries.slice().map((entry) => postedRow(accountId, entry)), holds]
    }))
    console.log(createHash('sha256').update(text).digest('hex'))`
  const env = { ...process.env, TZ: 'Pacific/Kiritimati', LANG: 'ar_EG.UTF-8', LC_ALL: 'ar_EG.UTF-8' }
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    env,
    cwd: fileURLToPath(dist),
    encoding: 'utf8',
  })
  expect(printed.trim()).toBe(known)
})

test.each(cases)(
  'seed %d on %s: the last payment of a beneficiary is a row, or was made before the history',
  (seed, day) => {
    const bank = open(seed, day)
    const { year, month } = partsOf(dayOf(Date.parse(`${day}T08:00:00Z`)))
    const since = dayFromParts(year, month - 13, 1)
    const rows = accountIds.flatMap((accountId) => rowsOf(bank, accountId))
    let shown = 0
    for (const { beneficiaryId, lastPaymentDate, lastPaymentAmount } of bank.beneficiaries()) {
      if (lastPaymentDate === neverPaid) continue
      const [date, month, year] = lastPaymentDate.split('/').map(Number)
      const last = dayFromParts(year!, month!, date!)
      const { description } = fixtures()
        .accounts.flatMap(({ habits }) => habits.payments ?? [])
        .find((payment) => payment.beneficiaryId === beneficiaryId)!
      const paid = rows.filter((row) => row.description === description)
      if (paid.length === 0) expect(last).toBeLessThan(since)
      else {
        shown++
        expect([paid.at(-1)!.postingDay, formatRand(paid.at(-1)!.cents)]).toEqual([last, lastPaymentAmount])
      }
    }
    expect(shown).toBeGreaterThan(0)
  },
)

test('a beneficiary of an account without a history was last paid before the start', () => {
  const base = fixtures()
  const accounts = base.accounts.map((account) => ({
    ...account,
    habits: { kind: 'quiet', openingCents: 0 } as const,
  }))
  for (const [day, dates] of [
    ['2026-03-15', ['01/01/2025', '17/01/2025', '02/01/2025', '28/01/2025']],
    ['2030-01-01', ['01/10/2025', '17/07/2025', '02/09/2025', '29/09/2025']],
  ] as const) {
    const bank = open(1, day, { ...base, accounts })
    const paid = bank.beneficiaries().filter(({ lastPaymentDate }) => lastPaymentDate !== neverPaid)
    expect(paid.map(({ lastPaymentDate }) => lastPaymentDate)).toEqual(dates)
  }
})

test('one more account, first or last, does not change the others', () => {
  const base = fixtures()
  const [first] = base.accounts
  const more = {
    ...first!,
    accountId: '9999999999999999999999999',
    accountNumber: '10099999999',
    habits: { ...first!.habits, standingOrders: [], payments: [] },
  }
  const card = { ...base.cards[0]!, cardKey: '999999', pan: '4021670099999999', accountId: more.accountId }
  const before = textOf(open(1, '2026-03-15'))
  for (const accounts of [
    [...base.accounts, more],
    [more, ...base.accounts],
  ]) {
    const bank = open(1, '2026-03-15', { ...base, accounts, cards: [...base.cards, card] })
    expect(bank.book(more.accountId).entries.length).toBeGreaterThan(500)
    expect(textOf(bank)).toBe(before)
  }
})
