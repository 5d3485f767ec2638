// The believable South African household: from the accounts' habits and a seed, what happens on each day. Every draw
// comes from a stream that seed, account and day (or month) name, so that one account more changes no other, and the
// days after the start go on where the history ends. Amounts are cents.

import { faker as southAfrican } from '@faker-js/faker/locale/en_ZA'
import type { Calendar, CalendarEvent } from '../bank/ledger/calendar.js'
import { dayFromParts, endOfMonth, partsOf, startOfDay, type Day } from '../determinism/day.js'
import type { Cents } from '../bank/money.js'
import { hash, Stream } from '../determinism/random.js'
import { cardDescription } from '../bank/ledger/transactions.js'

type Faker = typeof southAfrican

/** What an account does by itself. A quiet account has its interest and what others pay into it. */
export interface Habits {
  readonly kind: 'household' | 'business' | 'quiet'
  /** The balance with which the history begins; negative on a loan. */
  readonly openingCents: Cents
  readonly standingOrders?: readonly StandingOrder[] | undefined
  readonly payments?: readonly RegularPayment[] | undefined
  /** So many rows besides, spread over the days before the start. */
  readonly rows?: number | undefined
}

export interface StandingOrder {
  readonly toAccountId: string
  readonly cents: Cents
  /** Day of the month, 1 to 28. */
  readonly date: number
  readonly fromDescription: string
  readonly toDescription: string
}

/** What is paid to a beneficiary again and again. */
export interface RegularPayment {
  readonly beneficiaryId: string
  readonly cents: Cents
  /** Day of the month, 1 to 28. */
  readonly date: number
  /** Months of the year, 1 to 12; every month when absent. */
  readonly months?: readonly number[] | undefined
  readonly description: string
}

/** What the calendar needs to know of an account. */
export interface HabitAccount {
  readonly accountId: string
  readonly habits: Habits
  /** Masked numbers of the cards that spend from the account. */
  readonly cardNumbers: readonly string[]
}

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

/** What one account writes down for one day. */
class Diary {
  readonly events: CalendarEvent[] = []
  readonly date: number
  readonly month: number
  readonly weekday: number
  #atMs = 0
  #purchases = 0

  constructor(
    readonly account: HabitAccount,
    readonly day: Day,
    readonly chance: Stream,
  ) {
    const parts = partsOf(day)
    this.date = parts.date
    this.month = parts.month
    this.weekday = parts.weekday
  }

  at(hour: number, minute: number): this {
    this.#atMs = startOfDay(this.day) + (hour * 60 + minute) * 60_000
    return this
  }

  /** Some time of the day between two hours. */
  during(from: number, to: number): this {
    return this.at(from, this.chance.between(0, (to - from) * 60 - 1))
  }

  add(event: WithoutTime<CalendarEvent>): void {
    this.events.push({ ...event, atMs: this.#atMs })
  }

  entry(
    direction: 'DEBIT' | 'CREDIT',
    cents: Cents,
    transactionType: string,
    description: string,
    ifCovered = direction === 'DEBIT' && transactionType !== 'FeesAndInterest',
  ): void {
    const { accountId } = this.account
    this.add({ kind: 'entry', accountId, direction, cents, transactionType, description, ifCovered })
  }

  purchase(cents: Cents, shop: Shop): void {
    const { accountId, cardNumbers } = this.account
    if (cardNumbers.length === 0) return
    const cardNumber = this.chance.pick(cardNumbers)
    const reference = referenceOf(this.account.accountId, this.day, this.#purchases++)
    const merchant = { name: shop.name, city: shop.city, countryCode: 'ZA', categoryCode: shop.categoryCode }
    const description = cardDescription(merchant.name, merchant.city, merchant.countryCode)
    this.add({ kind: 'purchase', accountId, cardNumber, cents, description, reference, merchant })
  }

  /** How often something that happens `perMonth` times a month happens today. */
  times(perMonth: number): number {
    const permille = Math.round((perMonth * 1000) / 30)
    return Math.floor(permille / 1000) + (this.chance.chance(permille % 1000) ? 1 : 0)
  }
}

/**
 * The 8 digits of a calendar's purchase: never the same twice on one account, since day and place in the day go through
 * a one-to-one map. They begin with 1 to 4; those of live card transactions begin with 5 to 9.
 */
function referenceOf(accountId: string, day: Day, place: number): string {
  const own = hash(accountId)
  const digits = ((day * 100 + place) * 7_654_321 + own) % 10_000_000
  return `${(own % 4) + 1}${String(digits).padStart(7, '0')}`
}

type WithoutTime<E> = E extends unknown ? Omit<E, 'atMs'> : never

interface Shop {
  readonly name: string
  readonly city: string
  /** Merchant category, four digits. */
  readonly categoryCode: string
}

/** A way to spend with a card: how often, how much, where. */
interface Spending {
  readonly perMonth: number
  readonly low: Cents
  readonly high: Cents
  /** What shop names end in, and the merchant category of such a shop. */
  readonly trades: readonly (readonly [name: string, categoryCode: string])[]
  readonly shops: number
  readonly hours: readonly [number, number]
}

const householdSpending: readonly Spending[] = [
  {
    perMonth: 14,
    low: 11_500,
    high: 168_000,
    trades: [
      ['SUPERMARKET', '5411'],
      ['FOODS', '5411'],
      ['FRESH PRODUCE', '5499'],
    ],
    shops: 5,
    hours: [8, 20],
  },
  {
    perMonth: 5,
    low: 62_000,
    high: 142_000,
    trades: [
      ['SERVICE STATION', '5541'],
      ['FUEL STOP', '5541'],
      ['MOTORS', '5541'],
    ],
    shops: 4,
    hours: [6, 21],
  },
  {
    perMonth: 11,
    low: 14_500,
    high: 96_000,
    trades: [
      ['GRILL', '5812'],
      ['RISTORANTE', '5812'],
      ['CURRY HOUSE', '5812'],
      ['BISTRO', '5812'],
    ],
    shops: 9,
    hours: [12, 22],
  },
  {
    perMonth: 15,
    low: 3_800,
    high: 14_500,
    trades: [
      ['COFFEE CO', '5814'],
      ['BAKERY', '5462'],
      ['ROASTERY', '5814'],
    ],
    shops: 5,
    hours: [7, 17],
  },
  {
    perMonth: 10,
    low: 3_500,
    high: 31_000,
    trades: [
      ['QUICK SHOP', '5499'],
      ['KIOSK', '5499'],
      ['CORNER CAFE', '5499'],
    ],
    shops: 6,
    hours: [7, 21],
  },
  {
    perMonth: 7,
    low: 1_500,
    high: 6_000,
    trades: [
      ['PARKING', '7523'],
      ['PARKADE', '7523'],
    ],
    shops: 4,
    hours: [8, 20],
  },
  {
    perMonth: 6,
    low: 4_800,
    high: 21_000,
    trades: [
      ['CABS', '4121'],
      ['RIDES', '4121'],
    ],
    shops: 3,
    hours: [6, 23],
  },
  {
    perMonth: 3,
    low: 8_900,
    high: 74_000,
    trades: [
      ['PHARMACY', '5912'],
      ['CHEMIST', '5912'],
    ],
    shops: 3,
    hours: [9, 18],
  },
  {
    perMonth: 2,
    low: 29_900,
    high: 189_000,
    trades: [
      ['CLOTHING', '5651'],
      ['OUTFITTERS', '5699'],
      ['SHOES', '5661'],
    ],
    shops: 5,
    hours: [10, 18],
  },
  {
    perMonth: 2,
    low: 11_000,
    high: 142_000,
    trades: [
      ['HARDWARE', '5251'],
      ['GARDEN CENTRE', '5261'],
    ],
    shops: 3,
    hours: [9, 17],
  },
  {
    perMonth: 4,
    low: 9_900,
    high: 88_000,
    trades: [
      ['ONLINE', '5964'],
      ['BOOKS', '5942'],
      ['DIGITAL', '5964'],
    ],
    shops: 5,
    hours: [6, 23],
  },
  {
    perMonth: 1,
    low: 45_000,
    high: 138_000,
    trades: [
      ['DENTAL', '8021'],
      ['OPTOMETRIST', '8042'],
      ['FAMILY PRACTICE', '8011'],
    ],
    shops: 3,
    hours: [9, 17],
  },
]

const businessSpending: readonly Spending[] = [
  {
    perMonth: 8,
    low: 48_000,
    high: 148_000,
    trades: [
      ['SERVICE STATION', '5541'],
      ['MOTORS', '5541'],
    ],
    shops: 3,
    hours: [6, 18],
  },
  {
    perMonth: 6,
    low: 18_000,
    high: 380_000,
    trades: [
      ['HARDWARE', '5251'],
      ['TIMBERS', '5211'],
      ['PAINTS', '5231'],
    ],
    shops: 5,
    hours: [8, 17],
  },
  {
    perMonth: 4,
    low: 9_000,
    high: 64_000,
    trades: [
      ['STATIONERS', '5943'],
      ['COURIERS', '4215'],
    ],
    shops: 3,
    hours: [8, 17],
  },
]

/** Debit orders: day of the month, lowest and highest amount, what the debtor's name ends in. */
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

/** What two withdrawals, two tokens of electricity and two of airtime come to in a usual month. */
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
    sum(orders.map(({ cents }) => cents)) +
    sum((account.habits.standingOrders ?? []).map(({ cents }) => cents)) +
    paidMonthly(account.habits)
  const usual = spend.perMonth + friendsPerMonth * middle(...friendCents) + usualCashCents
  // The salary covers what the month usually costs and a little more, to the nearest ten rand.
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
  const wages = sum(staff.map(({ cents }) => cents))
  const monthly = rent + supplies + serviceCharge + spend.perMonth + wages + paidMonthly(account.habits)
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

/** A month's income and bills: the totals are fixed, their parts and days are not, so the business stays afloat. */
function monthPlan(accountId: string, seed: number, invoiced: Cents, supplies: Cents) {
  let planned: { month: Day; income: Map<number, Invoice[]>; bills: Map<number, Invoice[]> } | undefined
  const parts = (chance: Stream, total: Cents, count: number, firstNumber: number) => {
    const weights = Array.from({ length: count }, () => chance.between(40, 160))
    const all = sum(weights)
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

/** Card purchases at shops that the account keeps going back to, and what they come to in a usual month. */
function spender(spending: readonly Spending[], chance: Stream, names: Faker) {
  const home = names.location.city().toUpperCase()
  const places = spending.map((each) => ({
    ...each,
    at: Array.from({ length: each.shops }, (): Shop => {
      const last = surname(names)
      const [trade, categoryCode] = chance.pick(each.trades)
      const city = chance.chance(800) ? home : names.location.city().toUpperCase()
      return { name: `${last} ${trade}`, city, categoryCode }
    }),
  }))
  return {
    perMonth: sum(spending.map(({ perMonth, low, high }) => Math.round(perMonth * skewedMean(low, high)))),
    on(diary: Diary): void {
      for (const { perMonth, low, high, at, hours } of places)
        for (let i = diary.times(perMonth); i > 0; i--)
          diary.during(...hours).purchase(skewed(diary.chance, low, high), diary.chance.pick(at))
    },
  }
}

/** A day's share of many rows: small amounts in and out that stay close to nothing together. */
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
  for (const { date, toAccountId, cents, fromDescription, toDescription } of habits.standingOrders ?? []) {
    if (date !== diary.date) continue
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

/** What regular payments come to in a usual month. */
const paidMonthly = ({ payments = [] }: Habits): Cents =>
  Math.round(sum(payments.map(({ cents, months }) => (cents * (months?.length ?? 12)) / 12)))

function opening({ accountId, habits }: HabitAccount, day: Day): CalendarEvent[] {
  const cents = Math.abs(habits.openingCents)
  if (cents === 0) return []
  const direction = habits.openingCents < 0 ? 'DEBIT' : 'CREDIT'
  const description = 'BALANCE BROUGHT FORWARD'
  const transactionType = 'Deposits'
  const row = { accountId, direction, cents, transactionType, description } as const
  return [{ kind: 'entry', atMs: startOfDay(day), ...row, ifCovered: false }]
}

/** A faker of its own that draws from our stream: faker's shared one belongs to whoever uses this process. */
function namesFrom(chance: Stream): Faker {
  const Own = southAfrican.constructor as new (options: object) => Faker
  const randomizer = { next: () => chance.fraction(), seed: () => undefined }
  return new Own({ locale: southAfrican.rawDefinitions, randomizer })
}

const surname = (names: Faker): string => names.person.lastName().toUpperCase()

/** Small amounts are more frequent than large ones: the lower of two draws. */
const skewed = (chance: Stream, low: Cents, high: Cents): Cents =>
  Math.min(chance.between(low, high), chance.between(low, high))

const skewedMean = (low: Cents, high: Cents): Cents => low + (high - low) / 3

const middle = (low: Cents, high: Cents): Cents => (low + high) / 2

const sum = (amounts: readonly Cents[]): Cents => amounts.reduce((total, cents) => total + cents, 0)
