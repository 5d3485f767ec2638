// The South African household: what happens on each day, from the accounts' habits and a seed. Every draw comes from
// a stream for seed, account and day (or month), so that one more account changes no other, and the days after the
// start continue the history. Amounts are cents.

import type { Calendar, CalendarEvent } from '../bank/ledger/calendar.js'
import { sumOf, type Cents } from '../bank/money.js'
import { dayFromParts, endOfMonth, partsOf, startOfDay, type Day } from '../determinism/day.js'
import { Stream } from '../determinism/random.js'
import { Diary } from './diary.js'
import type { HabitAccount, Habits } from './habits.js'
import { namesFrom, surname, type Faker } from './names.js'
import { businessSpending, householdSpending, spender } from './spending.js'

/** The calendar of a client's accounts from the first day of its history; the sandbox starts on `today`. */
export function createHousehold(
  accounts: readonly HabitAccount[],
  seed: number,
  since: Day,
  today = since,
): Calendar {
  const lives = accounts.map((account) => lifeOf(account, seed))
  return {
    eventsOn(day) {
      const events: CalendarEvent[] = []
      accounts.forEach((account, index) => {
        if (day === since) events.push(...opening(account, day))
        const diary = new Diary(account, day, Stream.of(seed, `${account.accountId}/${day}`))
        lives[index]!(diary)
        standingOrders(account, diary)
        regularPayments(account, diary)
        if (account.habits.rows !== undefined && day < today)
          fill(diary, account.habits.rows, day - since, today - since)
        if (day === endOfMonth(day)) diary.at(23, 50).add({ kind: 'interest', accountId: account.accountId })
        events.push(...diary.events)
      })
      return events.sort((a, b) => a.atMs - b.atMs)
    },
  }
}

/** Debit orders: day of the month, lowest and highest amount, the ending of the creditor's name. */
const debitOrders: readonly (readonly [date: number, low: Cents, high: Cents, name: string])[] = [
  [1, 490_000, 720_000, 'MEDICAL AID'],
  [1, 165_000, 240_000, 'SHORT TERM INS'],
  [1, 59_900, 99_900, 'FITNESS CLUB'],
  [2, 78_000, 140_000, 'LIFE ASSURANCE'],
  [3, 45_000, 65_000, 'ARMED RESPONSE'],
  [3, 59_900, 129_900, 'CELLULAR'],
  [5, 79_900, 119_900, 'FIBRE'],
  [5, 520_000, 750_000, 'PRIMARY SCHOOL'],
  [7, 280_000, 420_000, 'BODY CORPORATE'],
  [15, 15_900, 29_900, 'STREAMING'],
]

/** The usual monthly total of two withdrawals, two electricity tokens and two airtime purchases. */
const usualCashCents = 314_000
const friendsPerMonth = 3
const friendCents = [25_000, 230_000] as const

function lifeOf(account: HabitAccount, seed: number): (diary: Diary) => void {
  const chance = Stream.of(seed, `${account.accountId}/plan`)
  const names = namesFrom(chance)
  if (account.habits.kind === 'household') return household(account, chance, names)
  if (account.habits.kind === 'business') return business(account, seed, chance, names)
  return () => undefined
}

function household(account: HabitAccount, chance: Stream, names: Faker): (diary: Diary) => void {
  const spend = spender(householdSpending, chance, names)
  const orders = debitOrders.map(([date, low, high, name]) => {
    return { date, cents: chance.between(low, high), description: `${surname(names)} ${name}` }
  })
  const friends = Array.from({ length: 6 }, () => `${names.person.firstName()} ${names.person.lastName()}`)
  const serviceCharge = chance.between(56_000, 65_500)
  const budget = chance.between(60_000, 120_000)
  const employer = `${surname(names)} ${chance.pick(['GROUP', 'HOLDINGS', 'CONSULTING', 'ENGINEERING'])}`
  const committed =
    sumOf(orders.map(({ cents }) => cents)) +
    perMonth(account.habits.standingOrders) +
    perMonth(account.habits.payments)
  const usual = spend.perMonth + friendsPerMonth * middle(...friendCents) + usualCashCents
  // The salary covers the usual costs of a month and a little more, rounded to ten rand.
  const salary =
    Math.round((committed + usual + serviceCharge + budget) / 1000 + chance.between(20, 160)) * 1000

  return (diary) => {
    if (diary.date === 25) diary.at(1, 5).entry('CREDIT', salary, 'Deposits', `SALARY ${employer}`)
    for (const order of orders)
      if (order.date === diary.date)
        diary.during(1, 5).entry('DEBIT', order.cents, 'DebitOrders', order.description)
    spend.on(diary)
    for (let i = diary.times(2); i > 0; i--)
      diary
        .during(9, 19)
        .entry('DEBIT', diary.chance.between(3, 15) * 10_000, 'ATMWithdrawals', 'CASH WITHDRAWAL')
    for (let i = diary.times(2); i > 0; i--)
      diary
        .during(6, 22)
        .entry('DEBIT', diary.chance.between(3, 9) * 10_000, 'VASTransactions', 'PREPAID ELECTRICITY')
    for (let i = diary.times(2); i > 0; i--)
      diary
        .during(6, 22)
        .entry('DEBIT', diary.chance.between(2, 12) * 1_000, 'VASTransactions', 'PREPAID AIRTIME')
    for (let i = diary.times(friendsPerMonth); i > 0; i--) {
      const faster = diary.chance.chance(300)
      const friend = diary.chance.pick(friends)
      const cents = Math.round(diary.chance.between(...friendCents) / 500) * 500
      if (faster) diary.during(8, 22).entry('DEBIT', cents, 'FasterPay', `FASTER PAY ${friend}`)
      else diary.during(8, 22).entry('DEBIT', cents, 'OnlineBankingPayments', friend)
    }
    if (diary.date === 20) diary.at(2, 30).entry('DEBIT', budget, 'BudgetInstalments', 'BUDGET INSTALMENT')
    if (diary.day === endOfMonth(diary.day))
      diary.at(23, 40).entry('DEBIT', serviceCharge, 'FeesAndInterest', 'MONTHLY SERVICE CHARGE')
  }
}

function business(account: HabitAccount, seed: number, chance: Stream, names: Faker): (diary: Diary) => void {
  const spend = spender(businessSpending, chance, names)
  const customers = Array.from(
    { length: 12 },
    () => `${surname(names)} ${chance.pick(['HOMES', 'ESTATES', 'PROPERTIES'])}`,
  )
  const suppliers = Array.from(
    { length: 6 },
    () => `${surname(names)} ${chance.pick(['TIMBER', 'FABRICS', 'LIGHTING'])}`,
  )
  const staff = Array.from({ length: 3 }, () => {
    return { name: names.person.lastName(), cents: chance.between(140, 260) * 10_000 }
  })
  const rent = chance.between(220, 310) * 10_000
  const supplies = chance.between(85, 115) * 100_000
  const serviceCharge = chance.between(29_000, 41_000)
  const wages = sumOf(staff.map(({ cents }) => cents))
  const monthly = rent + supplies + serviceCharge + spend.perMonth + wages + perMonth(account.habits.payments)
  const invoiced = monthly + chance.between(2, 9) * 100_000
  const month = monthPlan(account.accountId, seed, invoiced, supplies)

  return (diary) => {
    if (diary.date === 1) diary.at(2, 0).entry('DEBIT', rent, 'DebitOrders', 'STUDIO RENT')
    const { income, bills } = month(diary.day)
    for (const { cents, number } of income)
      diary.during(7, 17).entry('CREDIT', cents, 'Deposits', `INV ${number} ${diary.chance.pick(customers)}`)
    for (const { cents, number } of bills)
      diary
        .during(9, 16)
        .entry('DEBIT', cents, 'OnlineBankingPayments', `${diary.chance.pick(suppliers)} ${number}`)
    if (diary.date === 25)
      for (const { name, cents } of staff)
        diary.at(8, 0).entry('DEBIT', cents, 'OnlineBankingPayments', `WAGES ${name.toUpperCase()}`)
    spend.on(diary)
    if (diary.day === endOfMonth(diary.day))
      diary.at(23, 40).entry('DEBIT', serviceCharge, 'FeesAndInterest', 'MONTHLY SERVICE CHARGE')
  }
}

interface Invoice {
  readonly cents: Cents
  readonly number: number
}

/** A month's income and bills: the totals are fixed, their parts and days are not, so the business stays solvent. */
function monthPlan(accountId: string, seed: number, invoiced: Cents, supplies: Cents) {
  let planned: { month: Day; income: Map<number, Invoice[]>; bills: Map<number, Invoice[]> } | undefined
  const parts = (chance: Stream, total: Cents, count: number, firstNumber: number) => {
    const weights = Array.from({ length: count }, () => chance.between(40, 160))
    const all = sumOf(weights)
    const byDate = new Map<number, Invoice[]>()
    weights.forEach((weight, index) => {
      const date = chance.between(2, 27)
      const invoice = { cents: Math.floor((total / all) * weight), number: firstNumber + index }
      byDate.set(date, [...(byDate.get(date) ?? []), invoice])
    })
    return byDate
  }
  return (day: Day) => {
    const { year, month, date } = partsOf(day)
    const first = dayFromParts(year, month, 1)
    if (planned?.month !== first) {
      const chance = Stream.of(seed, `${accountId}/month/${first}`)
      const number = ((year % 100) * 12 + month) * 20
      planned = {
        month: first,
        income: parts(chance, invoiced, chance.between(12, 17), number),
        bills: parts(chance, supplies, chance.between(6, 9), number * 3),
      }
    }
    return { income: planned.income.get(date) ?? [], bills: planned.bills.get(date) ?? [] }
  }
}

/** A day's share of many rows: small amounts in and out whose sum stays close to zero. */
function fill(diary: Diary, rows: number, dayNumber: number, days: number): void {
  const first = Math.floor((rows * dayNumber) / days)
  const last = Math.floor((rows * (dayNumber + 1)) / days)
  for (let row = first; row < last; row++) {
    diary.at(0, Math.floor(((row - first) * 1380) / (last - first)))
    if (row % 2 === 0) diary.entry('CREDIT', 10_000 + (row % 100), 'Deposits', `DEPOSIT ${row + 1}`)
    else diary.entry('DEBIT', 10_000 + (row % 97), 'OnlineBankingPayments', `PAYMENT ${row + 1}`, false)
  }
}

function standingOrders({ accountId, habits }: HabitAccount, diary: Diary): void {
  for (const { date, months, ...order } of habits.standingOrders ?? []) {
    if (date !== diary.date || !(months?.includes(diary.month) ?? true)) continue
    const { toAccountId, cents, fromDescription, toDescription } = order
    const transactionType = 'OnlineBankingPayments'
    diary.at(3, 0).add({
      kind: 'standing-order',
      fromId: accountId,
      toId: toAccountId,
      cents,
      transactionType,
      fromDescription,
      toDescription,
    })
  }
}

function regularPayments({ accountId, habits }: HabitAccount, diary: Diary): void {
  for (const { date, months, beneficiaryId, cents, description } of habits.payments ?? [])
    if (date === diary.date && (months?.includes(diary.month) ?? true))
      diary.at(9, 15).add({ kind: 'payment', accountId, beneficiaryId, cents, description })
}

/** The usual monthly total of payments that repeat. */
const perMonth = (payments: Habits['payments'] | Habits['standingOrders'] = []): Cents =>
  Math.round(sumOf(payments.map(({ cents, months }) => (cents * (months?.length ?? 12)) / 12)))

function opening({ accountId, habits }: HabitAccount, day: Day): CalendarEvent[] {
  const cents = Math.abs(habits.openingCents)
  if (cents === 0) return []
  const direction = habits.openingCents < 0 ? 'DEBIT' : 'CREDIT'
  const description = 'BALANCE BROUGHT FORWARD'
  const transactionType = 'Deposits'
  const row = { accountId, direction, cents, transactionType, description } as const
  return [{ kind: 'entry', atMs: startOfDay(day), ...row, ifCovered: false }]
}

const middle = (low: Cents, high: Cents): Cents => (low + high) / 2
