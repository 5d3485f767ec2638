// Reference data of the bank: countries, currencies, merchant categories, and the sandbox's exchange rates. The data
// are files in fixtures/, each read when it is first needed.

import { readFileSync } from 'node:fs'
import { record, type RecordFrom } from '../protocol/schema.js'

const name = { type: 'string', minLength: 1 } as const

/** A record of the service's three reference endpoints (service document, "Reference item"). */
export interface ReferenceItem {
  /** The code, such as ZA, ZAR or 5462. */
  readonly Code: string
  /** What the code stands for. */
  readonly Name: string
}

/** A country as hooks see it: `merchant.country` (service document, "Authorization / transaction object"). */
export const Country = record('Country', 'A country.', {
  code: { type: 'string', pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2 code: ZA.' },
  alpha3: { type: 'string', pattern: '^[A-Z]{3}$', description: 'ISO 3166-1 alpha-3 code: ZAF.' },
  name: { ...name, description: 'English short name of the standard, articles included.' },
})
export type Country = RecordFrom<typeof Country>

/** A currency that cards accept, with the sandbox's fixed rate. */
export const Currency = record('Currency', 'A currency that cards accept.', {
  code: { type: 'string', pattern: '^[A-Z]{3}$', description: 'ISO 4217 code: USD.' },
  name: { ...name, description: 'Its name in English: US Dollar.' },
  randMillionths: {
    type: 'integer',
    minimum: 1,
    description:
      'The fixed exchange rate: the price of one whole unit in millionths of a rand. 18000000 is R18.00. Invented; it never changes.',
  },
})
export type Currency = RecordFrom<typeof Currency>

/** A merchant category as hooks see it: `merchant.category` (service document, "Authorization / transaction object"). */
export const MerchantCategory = record('MerchantCategory', 'A merchant category.', {
  code: { type: 'string', pattern: '^[0-9]{4}$', description: 'ISO 18245 code, with leading zeros: 0742.' },
  key: {
    type: 'string',
    pattern: '^[a-z0-9]+(_[a-z0-9]+)*$',
    description: 'What card code compares: veterinary_services.',
  },
  name: { ...name, description: 'Its name in English: Veterinary Services.' },
})
export type MerchantCategory = RecordFrom<typeof MerchantCategory>

interface Collection<T> {
  readonly byCode: ReadonlyMap<string, T>
  readonly items: readonly ReferenceItem[]
}

function collection<T extends { readonly code: string; readonly name: string }>(
  file: string,
): () => Collection<T> {
  let loaded: Collection<T> | undefined
  return () => (loaded ??= load())

  function load(): Collection<T> {
    const records = JSON.parse(
      readFileSync(new URL(`../../fixtures/${file}`, import.meta.url), 'utf8'),
    ) as readonly T[]
    return {
      byCode: new Map(records.map((record) => [record.code, record])),
      items: records.map(({ code, name }) => ({ Code: code, Name: name })),
    }
  }
}

const countryCollection = collection<Country>('countries.json')
const currencyCollection = collection<Currency>('currencies.json')
const merchantCategoryCollection = collection<MerchantCategory>('merchant-categories.json')

let countryItems: readonly ReferenceItem[] | undefined

/**
 * The answer of `GET /za/v1/cards/countries`: ISO 3166, South Africa and the United Kingdom first, the rest by name,
 * and last the entry whose Code and Name are both the text `undefined` (service document, "Reference item").
 */
export function countries(): readonly ReferenceItem[] {
  return (countryItems ??= [...countryCollection().items, { Code: 'undefined', Name: 'undefined' }])
}

/**
 * The answer of `GET /za/v1/cards/currencies`: ZAR, GBP, USD, EUR, then the rest (service document, "Reference
 * item").
 */
export function currencies(): readonly ReferenceItem[] {
  return currencyCollection().items
}

/**
 * The answer of `GET /za/v1/cards/merchants`: four digits and a name, sorted by name (service document, "Reference
 * item").
 */
export function merchantCategories(): readonly ReferenceItem[] {
  return merchantCategoryCollection().items
}

/** The country of an alpha-2 code in any letter case; undefined when there is none. */
export function country(code: string): Country | undefined {
  return countryCollection().byCode.get(code.toUpperCase())
}

/** The currency of an ISO 4217 code in any letter case; undefined when cards do not accept it. */
export function currency(code: string): Currency | undefined {
  return currencyCollection().byCode.get(code.toUpperCase())
}

const unknownCategory: MerchantCategory = {
  code: '0000',
  key: 'unknown_category',
  name: 'Unknown Category',
}

/**
 * The merchant category of a code, which clients write as a number (742) or as text, with or without leading zeros. A
 * code that is not in the service's table gives category `0000`, `unknown_category`, as hooks see it.
 */
export function merchantCategory(code: string | number): MerchantCategory {
  return merchantCategoryCollection().byCode.get(String(code).padStart(4, '0')) ?? unknownCategory
}

const millionth = 1_000_000n

/**
 * Converts an amount to rand cents at the sandbox's fixed rate.
 *
 * `cents` are hundredths of a whole unit in every currency: in `centsAmount`, 100 JPY are 10000, although the yen has
 * no smaller coin. Half a cent is rounded away from zero, so that -x costs exactly what x brings in.
 *
 * @throws RangeError for a currency that `currencies()` does not list (ask `currency` first), and when `cents` or the
 * result is not an integer that a number represents exactly.
 */
export function toRandCents(cents: number, currencyCode: string): number {
  const rate = currency(currencyCode)?.randMillionths
  if (rate === undefined) throw new RangeError(`There is no exchange rate for the currency ${currencyCode}.`)
  if (!Number.isSafeInteger(cents)) throw new RangeError(`${cents} is not an amount in whole cents.`)
  const size = (BigInt(Math.abs(cents)) * BigInt(rate) + millionth / 2n) / millionth
  const randCents = Number(cents < 0 ? -size : size)
  if (!Number.isSafeInteger(randCents))
    throw new RangeError(`${cents} ${currencyCode} is more than can be counted.`)
  return randCents
}
