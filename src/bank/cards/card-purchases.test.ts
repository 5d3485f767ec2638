import { expect, test } from '@jest/globals'
import { everyday } from '../../../test/client.js'
import { Clock } from '../../determinism/clock.js'
import { dayFromParts, parseDay } from '../../determinism/day.js'
import { Random } from '../../determinism/random.js'
import { fixtures } from '../../household/fixtures.js'
import { openHistory } from '../../household/history.js'
import type { Bank } from '../bank.js'
import { maskPan } from '../ledger/transactions.js'
import { country, merchantCategory } from '../reference.js'
import { approve, readAttempt } from './card-transactions.js'
import { cardPurchases } from './card-purchases.js'

const startMs = Date.parse('2026-03-15T08:00:00Z')
const history = openHistory(fixtures(), startMs, 1)

function bankNow(): Bank {
  const bank = history.fork(Clock.frozenAt(startMs), new Random(1))
  bank.catchUp()
  return bank
}

const [card] = history.cards.records

test('every card row of the household is listed once, with its merchant', () => {
  const bank = bankNow()
  const purchases = cardPurchases(bank)
  const rows = bank.accounts.flatMap(({ accountId }) => {
    const { entries, holds } = bank.book(accountId)
    const isCard = (row: { transactionType: string | null }) => row.transactionType === 'CardPurchases'
    return [
      ...entries
        .slice()
        .filter(isCard)
        .map(({ reference }) => reference),
      ...holds.filter(isCard).map(({ id }) => id),
    ]
  })
  expect(rows.length).toBeGreaterThan(500)
  expect(purchases.map(({ id }) => id).sort()).toEqual(rows.sort())
  const times = purchases.map(({ dateTime }) => dateTime)
  expect(times).toEqual([...times].sort())
  for (const { merchant, currencyCode, centsAmount, randCents } of purchases) {
    expect(merchantCategory(merchant.categoryCode).key).not.toBe('unknown_category')
    expect(country(merchant.countryCode)?.code).toBe('ZA')
    expect([currencyCode, centsAmount]).toEqual(['ZAR', randCents])
    expect(merchant.name.length > 3 && merchant.city.length > 2).toBe(true)
  }
  expect(new Set(purchases.map(({ merchant }) => merchant.categoryCode)).size).toBeGreaterThan(12)
})

test('purchases are found by card and by days, both included', () => {
  const bank = bankNow()
  const from = dayFromParts(2026, 2, 3)
  const to = dayFromParts(2026, 2, 9)
  const all = cardPurchases(bank, { cardKey: card!.cardKey })
  const days = all.filter(({ dateTime }) => {
    const day = parseDay(dateTime.slice(0, 10))!
    return day >= from && day <= to
  })
  expect(days.length).toBeGreaterThan(5)
  expect(cardPurchases(bank, { cardKey: card!.cardKey, from, to })).toEqual(days)
  expect(new Set(all.map(({ cardKey }) => cardKey))).toEqual(new Set([card!.cardKey]))
  expect(() => cardPurchases(bank, { cardKey: '9' })).toThrow('No card')
})

test("a terminal's purchase is listed in its own currency; a refund and a withdrawal are not", () => {
  const bank = bankNow()
  const day = dayFromParts(2026, 3, 15)
  const own = bank.cards.records.find(({ accountId }) => accountId === everyday)!
  const before = cardPurchases(bank, { cardKey: own.cardKey, from: day })
  const identity = (id: string) => ({ id, dateTime: '2026-03-15T08:00:00.000Z', rootCodeFunctionId: '' })
  const merchant = { name: 'Bookshop', city: 'London', countryCode: 'GB', categoryCode: '5942' }
  const abroad = readAttempt(own, { centsAmount: 1250, currencyCode: 'gbp', merchant })
  approve(bank, abroad, identity('90000001'))
  approve(bank, readAttempt(own, { centsAmount: 500, type: 'refund' }), identity('90000002'))
  approve(bank, readAttempt(own, { centsAmount: 500, type: 'atm' }), identity('90000003'))
  const added = cardPurchases(bank, { cardKey: own.cardKey, from: day }).slice(before.length)
  expect(added).toEqual([
    {
      id: '90000001',
      cardKey: own.cardKey,
      accountId: everyday,
      dateTime: '2026-03-15T08:00:00.000Z',
      centsAmount: 1250,
      currencyCode: 'GBP',
      randCents: abroad.randCents,
      merchant,
      status: 'pending',
    },
  ])
})

test('a purchase of which only the row is known has its text as the name of the merchant', () => {
  const bank = bankNow()
  const own = bank.cards.records.find(({ accountId }) => accountId === everyday)!
  const row = { accountId: everyday, cents: 700, cardNumber: maskPan(own.pan, 'x') }
  bank.books.hold({ ...row, id: '90000008', description: 'NOVEL CORNER WINDHOEK NA' })
  bank.books.hold({ ...row, id: '90000009', description: 'KIOSK' })
  const [first, second] = cardPurchases(bank, { cardKey: own.cardKey }).filter(({ id }) => id > '9')
  expect(first).toMatchObject({
    dateTime: '2026-03-14T22:00:00.000Z',
    centsAmount: 700,
    merchant: { name: 'NOVEL CORNER WINDHOEK', city: '', countryCode: 'NA', categoryCode: '0000' },
  })
  expect(second?.merchant).toEqual({ name: 'KIOSK', city: '', countryCode: 'ZA', categoryCode: '0000' })
})
