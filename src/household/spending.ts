// Card spending: the kinds of shops that a household and a business visit, and how much they spend there.

import { sumOf, type Cents } from '../bank/money.js'
import type { Stream } from '../determinism/random.js'
import type { Diary, Shop } from './diary.js'
import { surname, type Faker } from './names.js'

/** A kind of card spending: how often, how much, where. */
interface Spending {
  readonly perMonth: number
  readonly low: Cents
  readonly high: Cents
  /** The endings of shop names, and the merchant category of such a shop. */
  readonly trades: readonly (readonly [name: string, categoryCode: string])[]
  readonly shops: number
  readonly hours: readonly [number, number]
}

export const householdSpending: readonly Spending[] = [
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

export const businessSpending: readonly Spending[] = [
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

/** Card purchases at shops that the account visits regularly, and their usual monthly total. */
export function spender(spending: readonly Spending[], chance: Stream, names: Faker) {
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
    perMonth: sumOf(spending.map(({ perMonth, low, high }) => Math.round(perMonth * skewedMean(low, high)))),
    on(diary: Diary): void {
      for (const { perMonth, low, high, at, hours } of places)
        for (let i = diary.times(perMonth); i > 0; i--)
          diary.during(...hours).purchase(skewed(diary.chance, low, high), diary.chance.pick(at))
    },
  }
}

/** Small amounts are more frequent than large ones: the lower of two draws. */
const skewed = (chance: Stream, low: Cents, high: Cents): Cents =>
  Math.min(chance.between(low, high), chance.between(low, high))

const skewedMean = (low: Cents, high: Cents): Cents => low + (high - low) / 3
