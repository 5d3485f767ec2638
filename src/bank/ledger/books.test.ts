import { expect, test } from '@jest/globals'
import { Problem } from '../../protocol/problem.js'
import { fixtures } from '../../household/fixtures.js'
import { emptyCalendar, purchase } from '../../../test/quiet-bank.js'
import { Bank } from '../bank.js'
import type { BankEvent } from '../client-records.js'
import { Clock } from '../../determinism/clock.js'
import { dayOf, formatDay } from '../../determinism/day.js'
import { Random } from '../../determinism/random.js'

const day = 86_400_000
const nowMs = Date.parse('2026-03-25T08:00:00Z')
const [current, savings] = fixtures().accounts.map(({ accountId }) => accountId) as [string, string]

/** A bank of the shipped client with R1,000.00 on the everyday account, on which nothing happens by itself. */
function openBank(): Bank {
  const bank = new Bank(fixtures(), {
    clock: Clock.frozenAt(nowMs),
    random: new Random(1),
    calendar: emptyCalendar,
    since: dayOf(nowMs),
  })
  bank.enter(current, deposit(100_000))
  return bank
}

const deposit = (cents: number) =>
  ({ direction: 'CREDIT', cents, transactionType: 'Deposits', description: 'SALARY' }) as const

const coffee = { accountId: current, cents: 4_550, description: 'COFFEE', cardNumber: '402167xxxxxx1118' }

const overdraft = fixtures().accounts[0]!.overdraftCents

const refusal = (attempt: () => unknown): string => {
  try {
    attempt()
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
  return 'none'
}

test('a purchase lowers the available balance at once and the current balance when it settles', () => {
  const bank = openBank()
  const { id } = purchase(bank, coffee)!
  expect(id).toMatch(/^[5-9]\d{7}$/)
  expect(bank.book(current).balanceCents).toBe(100_000)
  expect(bank.availableCents(current)).toBe(100_000 + overdraft - 4_550)
  bank.clock.set(nowMs + 2 * day - 1)
  bank.catchUp()
  expect(bank.book(current).holds).toHaveLength(1)
  bank.clock.set(nowMs + 5 * day)
  bank.catchUp()
  expect(bank.book(current).holds).toHaveLength(0)
  const entry = bank.book(current).entries.last!
  expect(entry).toMatchObject({ ...{ cents: 4_550, postedOrder: 2, balanceCents: 95_450, reference: id } })
  expect([entry.transactionDay, entry.postingDay].map(formatDay)).toEqual(['2026-03-25', '2026-03-27'])
  expect(bank.availableCents(current)).toBe(95_450 + overdraft)
})

test('a purchase beyond the available balance places nothing, and one to the cent is placed', () => {
  const bank = openBank()
  const all = bank.availableCents(current)
  expect(purchase(bank, { ...coffee, cents: all + 1 })).toBeUndefined()
  expect(bank.book(current).holds).toEqual([])
  expect(purchase(bank, { ...coffee, cents: all })).toBeDefined()
  expect(bank.availableCents(current)).toBe(0)
  expect(purchase(bank, { ...coffee, cents: 1 })).toBeUndefined()
})

test('settling twice, and settling what never was, is refused', () => {
  const bank = openBank()
  const { id } = bank.books.hold(coffee)
  expect(bank.books.settle(id)).toMatchObject({ cents: 4_550, direction: 'DEBIT' })
  expect(refusal(() => bank.books.settle(id))).toBe('not-pending')
  expect(refusal(() => bank.books.release(id))).toBe('not-pending')
  for (const unknown of ['12345678', '', '00000000', 'x'.repeat(10_000), '../settle'])
    expect(refusal(() => bank.books.settle(unknown))).toBe('unknown-transaction')
})

test('reversing a pending purchase releases it; reversing a posted one posts one correction', () => {
  const bank = openBank()
  const pending = bank.books.hold(coffee)
  expect(bank.books.reverse(pending.id)).toEqual({ status: 'pending', hold: pending })
  expect(bank.availableCents(current)).toBe(100_000 + overdraft)
  expect(refusal(() => bank.books.reverse(pending.id))).toBe('unknown-transaction')

  const { id } = bank.books.hold(coffee)
  bank.books.settle(id)
  const reversed = bank.books.reverse(id)
  expect(reversed).toMatchObject({ status: 'posted', entry: { direction: 'CREDIT', cents: 4_550 } })
  expect(bank.book(current).balanceCents).toBe(100_000)
  expect(refusal(() => bank.books.reverse(id))).toBe('already-reversed')
  expect(refusal(() => bank.books.adjust(id, 1))).toBe('already-reversed')
  expect(bank.book(current).entries.length).toBe(3)
})

test('adjusting replaces a hold and corrects a posted amount by the difference, again and again', () => {
  const bank = openBank()
  const { id } = bank.books.hold(coffee)
  expect(bank.books.adjust(id, 5_000)).toMatchObject({ status: 'pending', hold: { id, cents: 5_000 } })
  expect(bank.availableCents(current)).toBe(95_000 + overdraft)
  bank.books.settle(id)
  expect(bank.books.adjust(id, 3_000)).toMatchObject({ entry: { direction: 'CREDIT', cents: 2_000 } })
  expect(bank.books.adjust(id, 3_500)).toMatchObject({ entry: { direction: 'DEBIT', cents: 500 } })
  const { length } = bank.book(current).entries
  bank.books.adjust(id, 3_500)
  expect(bank.book(current).entries.length).toBe(length)
  expect(bank.book(current).balanceCents).toBe(96_500)
  bank.books.reverse(id)
  expect(bank.book(current).balanceCents).toBe(100_000)
})

test('an adjusted hold settles once, with its new amount', () => {
  const bank = openBank()
  const { id } = bank.books.hold(coffee)
  bank.books.adjust(id, 100)
  bank.clock.set(nowMs + 3 * day)
  bank.catchUp()
  expect(bank.book(current).balanceCents).toBe(99_900)
  expect(bank.book(current).entries.length).toBe(2)
})

test('a refund is a pending credit that raises no balance before it posts', () => {
  const bank = openBank()
  const { id } = bank.books.hold({ ...coffee, direction: 'CREDIT' })
  expect(bank.availableCents(current)).toBe(100_000 + overdraft)
  bank.books.settle(id)
  expect(bank.book(current).balanceCents).toBe(104_550)
  bank.books.reverse(id)
  expect(bank.book(current).balanceCents).toBe(100_000)
})

test('amounts that are not a positive whole number of cents are refused before anything changes', () => {
  const bank = openBank()
  const { id } = bank.books.hold(coffee)
  for (const cents of [0, -1, 0.5, NaN, Infinity, 2 ** 53]) {
    expect(refusal(() => bank.books.hold({ ...coffee, cents }))).toBe('invalid-request')
    expect(refusal(() => bank.books.adjust(id, cents))).toBe('invalid-request')
  }
  expect(refusal(() => bank.books.hold({ ...coffee, accountId: 'nobody' }))).toBe('unknown-account')
  expect(bank.book(current).heldCents).toBe(4_550)
})

test('a taken id is replaced by the next free one, on any account', () => {
  const bank = openBank()
  expect(bank.books.hold({ ...coffee, id: '19999999' }).id).toBe('19999999')
  expect(bank.books.hold({ ...coffee, accountId: savings, id: '19999999' }).id).toBe('20000000')
  expect(bank.book(current).heldCents).toBe(4_550)
})

test('a fork keeps the holds, and its changes do not affect the original', () => {
  const bank = openBank()
  const { id } = bank.books.hold(coffee)
  const fork = bank.fork(Clock.frozenAt(nowMs + 3 * day), new Random(1))
  fork.catchUp()
  expect(fork.book(current).balanceCents).toBe(95_450)
  expect(bank.books.pending(id)).toBeDefined()
  expect(bank.book(current).entries.length).toBe(1)
  expect(fork.books.newId()).not.toBe(id)
})

test('a watcher is told of holds, settlements and releases at their instants', () => {
  const bank = openBank()
  const told: BankEvent[] = []
  bank.watcher = (event) => told.push(event)
  bank.books.hold(coffee)
  bank.clock.set(nowMs + 9 * day)
  bank.catchUp()
  bank.books.release(bank.books.hold(coffee).id)
  expect(told.map(({ type, atMs }) => [type, (atMs - nowMs) / day])).toEqual([
    ['hold', 0],
    ['entry', 2],
    ['settlement', 2],
    ['hold', 9],
    ['release', 9],
  ])
})
