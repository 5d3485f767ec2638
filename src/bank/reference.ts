// Reference data of the bank: countries, currencies, merchant categories, and the sandbox's rates of exchange. The data
// are files below fixtures/, each read when it is first asked for: a sandbox that is never asked pays nothing.
import { readFileSync } from 'node:fs'

/** A record as the service's three reference endpoints list it (service document, "Reference item"). */
export interface ReferenceItem {
  readonly Code: string
  readonly Name: string
}

/** A country as hooks see it: `merchant.country` (service document, "Authorization / transaction object"). */
export interface Country {
  /** ISO 3166-1 alpha-2, upper case: `ZA`. */
  readonly code: string
  /** ISO 3166-1 alpha-3, upper case: `ZAF`. */
  readonly alpha3: string
  /** English short name of the standard, articles included: `Netherlands (Kingdom of the)`. */
  readonly name: string
}

/** A currency that cards may be used in, with the sandbox's fixed rate. */
export interface Currency {
  /** ISO 4217, upper case: `USD`. */
  readonly code: string
  readonly name: string
  /** What one whole unit costs, in millionths of a rand: 18000000 is R18.00. Invented, and never changes. */
  readonly randMillionths: number
}

/** A merchant category as hooks see it: `merchant.category` (service document, "Authorization / transaction object"). */
export interface MerchantCategory {
  /** Four digits, with leading zeros: `0742`. */
  readonly code: string
  /** What card code compares: `veterinary_services`. */
  readonly key: string
  readonly name: string
}

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
 * What `GET /za/v1/cards/countries` lists: ISO 3166, South Africa and the United Kingdom first, the rest by name, and
 * last the entry whose Code and Name are both the text `undefined` (service document, "Reference item").
 */
export function countries(): readonly ReferenceItem[] {
  return (countryItems ??= [...countryCollection().items, { Code: 'undefined', Name: 'undefined' }])
}

/** What `GET /za/v1/cards/currencies` lists: ZAR, GBP, USD, EUR, then the rest (service document, "Reference item"). */
export function currencies(): readonly ReferenceItem[] {
  return currencyCollection().items
}

/** What `GET /za/v1/cards/merchants` lists: four digits and a name, by name (service document, "Reference item"). */
export function merchantCategories(): readonly ReferenceItem[] {
  return merchantCategoryCollection().items
}

/** The country of an alpha-2 code in any case, or undefined where there is none. */
export function country(code: string): Country | undefined {
  return countryCollection().byCode.get(code.toUpperCase())
}

/** The currency of an ISO 4217 code in any case, or undefined where cards may not be used in it. */
export function currency(code: string): Currency | undefined {
  return currencyCollection().byCode.get(code.toUpperCase())
}

const unknownCategory: MerchantCategory = {
  code: '0000',
  key: 'unknown_category',
  name: 'Unknown Category',
}

/**
 * The merchant category of a code, which clients write as a number (742) or as text, with its leading zeros or without.
 * A code that the service's table does not hold is category `0000`, `unknown_category`, as hooks see it.
 */
export function merchantCategory(code: string | number): MerchantCategory {
  return merchantCategoryCollection().byCode.get(String(code).padStart(4, '0')) ?? unknownCategory
}

const millionth = 1_000_000n

/**
 * What an amount in some currency costs in rand cents, at the sandbox's fixed rate.
 *
 * `cents` are hundredths of a whole unit in every currency: as `centsAmount` has it, 100 JPY are 10000, although the yen
 * has no smaller coin. Half a cent is rounded up, on the size of the amount, so that -x costs what x brings in.
 *
 * @throws RangeError for a currency that `currencies()` does not list (ask `currency` first), and where `cents` or the
 * result is no integer that a number holds exactly.
 */
export function toRandCents(cents: number, currencyCode: string): number {
  const rate = currency(currencyCode)?.randMillionths
  if (rate === undefined)
    throw new RangeError(`There is no rate of exchange for the currency ${currencyCode}.`)
  if (!Number.isSafeInteger(cents)) throw new RangeError(`${cents} is not an amount in whole cents.`)
  const size = (BigInt(Math.abs(cents)) * BigInt(rate) + millionth / 2n) / millionth
  const randCents = Number(cents < 0 ? -size : size)
  if (!Number.isSafeInteger(randCents))
    throw new RangeError(`${cents} ${currencyCode} is more than can be counted.`)
  return randCents
}
