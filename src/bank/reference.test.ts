import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  countries,
  country,
  currencies,
  currency,
  merchantCategories,
  merchantCategory,
  toRandCents,
} from './reference.js'

const codesOf = (items: readonly { Code: string }[]) => items.map(({ Code }) => Code)
const namesOf = (items: readonly { Name: string }[]) => items.map(({ Name }) => Name)

const stripeKeys = stripeCategoryKeys()

// Digital goods, and other entries that were added to that table after the service had copied it.
const laterStripeKeys = [
  'digital_goods_applications',
  'digital_goods_games',
  'digital_goods_large_volume',
  'digital_goods_media',
  'electric_vehicle_charging',
  'emergency_services_gcas_visa_use_only',
  'government_licensed_horse_dog_racing_us_region_only',
  'government_licensed_online_casions_online_gambling_us_region_only',
  'government_owned_lotteries_non_us_region',
  'government_owned_lotteries_us_region_only',
  'marketplaces',
  'miscellaneous',
]

const irregularKeys = new Map([
  ['9223', 'bail_and_bond_payments'],
  ['5511', 'car_and_truck_dealers_new_used'],
  ['5521', 'car_and_truck_dealers_used_only'],
  ['4111', 'commuter_transport_and_ferries'],
  ['9211', 'court_costs'],
  ['1711', 'heating_plumbing_a_c'],
  ['5499', 'miscellaneous_food_stores'],
  ['4214', 'motor_freight_carriers_and_trucking'],
  ['4225', 'public_warehousing_and_storage'],
  ['4723', 't_ui_travel_germany'],
  ['7511', 'truck_stop_iteration'],
])

function stripeCategoryKeys(): string[] {
  const types = new URL('../../node_modules/stripe/esm/resources/Issuing/Cards.d.ts', import.meta.url)
  const union = /type AllowedCategory =([^;]+);/.exec(readFileSync(types, 'utf8'))?.[1] ?? ''
  return Array.from(union.matchAll(/'(\w+)'/g), ([, key]) => key!)
}

function regularKey(name: string): string {
  const words = name
    .replace(' (Not Elsewhere Classified)', '')
    .toLowerCase()
    .replace('a/c', 'ac')
    .match(/[a-z0-9]+/g)
  return words!.join('_')
}

test('countries are ISO 3166 with South Africa and the United Kingdom first, then by name', () => {
  const codes = codesOf(countries())
  expect(codes).toHaveLength(250)
  expect(new Set(codes).size).toBe(250)
  expect(codes.slice(0, 4)).toEqual(['ZA', 'GB', 'AF', 'AL'])
  const names = namesOf(countries()).slice(2, -1)
  expect(names).toEqual([...names].sort())
})

test('the last country is the one whose code and name are the text undefined, and no look-up finds it', () => {
  expect(countries().at(-1)).toEqual({ Code: 'undefined', Name: 'undefined' })
  expect(country('undefined')).toBeUndefined()
})

test('a country is found by its code in any case, with its three-letter code', () => {
  expect(country('za')).toEqual({ code: 'ZA', alpha3: 'ZAF', name: 'South Africa' })
  expect(country('ZA')).toBe(country('Za'))
  for (const code of codesOf(countries()).slice(0, -1)) expect(country(code)?.alpha3).toMatch(/^[A-Z]{3}$/)
})

test('an unknown country is undefined, also where an object would have such a property', () => {
  for (const code of ['XX', '', 'ZAF', '__proto__', 'constructor']) expect(country(code)).toBeUndefined()
})

test('currencies are 22 of ISO 4217, the rand, pound, dollar and euro first', () => {
  const codes = codesOf(currencies())
  expect(codes.slice(0, 4)).toEqual(['ZAR', 'GBP', 'USD', 'EUR'])
  expect(codes).toHaveLength(22)
  expect(Intl.supportedValuesOf('currency')).toEqual(expect.arrayContaining(codes))
  expect(currencies()[0]).toEqual({ Code: 'ZAR', Name: 'South African Rand' })
})

test('a currency is found by its code in any case', () => {
  expect(currency('zar')).toEqual({ code: 'ZAR', name: 'South African Rand', randMillionths: 1_000_000 })
  expect(currency('XAU')).toBeUndefined()
})

test('merchant categories have four digits and a name, each code once, by name', () => {
  expect(merchantCategories()).toHaveLength(283)
  expect(new Set(codesOf(merchantCategories())).size).toBe(283)
  for (const code of codesOf(merchantCategories())) expect(code).toMatch(/^\d{4}$/)
  expect(namesOf(merchantCategories())).toEqual([...namesOf(merchantCategories())].sort())
  expect(merchantCategories()).toContainEqual({ Code: '5912', Name: 'Drug Stores and Pharmacies' })
})

test('the keys of the merchant categories are those of the Stripe type definitions, except later additions', () => {
  const keys = codesOf(merchantCategories()).map((code) => merchantCategory(code).key)
  expect(new Set(keys).size).toBe(283)
  expect([...keys, ...laterStripeKeys].sort()).toEqual([...stripeKeys].sort())
})

test('every key follows from the name, except eleven known ones', () => {
  for (const code of codesOf(merchantCategories())) {
    const { key, name } = merchantCategory(code)
    expect(key).toBe(irregularKeys.get(code) ?? regularKey(name))
    if (irregularKeys.has(code)) expect(key).not.toBe(regularKey(name))
  }
})

test.each([
  ['5462', 'bakeries', 'Bakeries'],
  ['7996', 'amusement_parks_carnivals', 'Amusement Parks/Carnivals'],
  ['5912', 'drug_stores_and_pharmacies', 'Drug Stores and Pharmacies'],
  ['7623', 'ac_refrigeration_repair', 'A/C, Refrigeration Repair'],
  ['5169', 'chemicals_and_allied_products', 'Chemicals and Allied Products (Not Elsewhere Classified)'],
  ['7511', 'truck_stop_iteration', 'Truck StopIteration'],
])('merchant category %s is %s', (code, key, name) => {
  expect(merchantCategory(code)).toEqual({ code, key, name })
})

test('a merchant category is found by number and by text, with or without leading zeros', () => {
  const veterinary = { code: '0742', key: 'veterinary_services', name: 'Veterinary Services' }
  for (const code of [742, '742', '0742']) expect(merchantCategory(code)).toEqual(veterinary)
})

test('an unknown merchant category is category 0000', () => {
  const unknown = { code: '0000', key: 'unknown_category', name: 'Unknown Category' }
  for (const code of [1, '9999', '', 'bakeries', -742, 742.5, Number.NaN]) {
    expect(merchantCategory(code)).toEqual(unknown)
  }
})

test('rand are not converted, up to the largest amount', () => {
  for (const cents of [0, 1, 5500, Number.MAX_SAFE_INTEGER]) expect(toRandCents(cents, 'zar')).toBe(cents)
})

test('foreign cents are converted at the fixed rate and half a cent is rounded up', () => {
  expect(toRandCents(10_000, 'USD')).toBe(180_000)
  expect(toRandCents(100_000, 'JPY')).toBe(12_000) // 1,000 yen
  expect(toRandCents(5, 'HKD')).toBe(12) // 11.55
  expect(toRandCents(5, 'GBP')).toBe(118) // 117.5
  expect(toRandCents(2, 'JPY')).toBe(0) // 0.24
  expect(toRandCents(5, 'CAD')).toBe(66) // 65.5
})

test('an amount too small for a cent is zero, on either side', () => {
  expect(toRandCents(1, 'NGN')).toBe(0)
  expect(toRandCents(-1, 'NGN')).toBe(0)
})

test('conversion is exact where floating point is not', () => {
  expect(toRandCents(382_979_000_000_001, 'GBP')).toBe(9_000_006_500_000_024) // …023.5
})

test('a refund costs what the purchase brought in', () => {
  const codes = codesOf(currencies())
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 40 }), fc.constantFrom(...codes), (cents, code) => {
      expect(toRandCents(cents, code) + toRandCents(-cents, code)).toBe(0)
    }),
  )
})

test('an amount that cannot be converted is refused', () => {
  expect(() => toRandCents(100, 'XAU')).toThrow(
    new RangeError('There is no exchange rate for the currency XAU.'),
  )
  for (const cents of [0.5, Number.NaN, Infinity, 2 ** 53])
    expect(() => toRandCents(cents, 'USD')).toThrow(RangeError)
  expect(() => toRandCents(Number.MAX_SAFE_INTEGER, 'USD')).toThrow('more than can be counted')
})
