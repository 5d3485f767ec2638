// A purchase as the commands accept it: from flags, from a hook argument, or from a body of the API.

import { maxCents, parseTypedRand } from '../bank/money.js'
import { merchantCategory } from '../bank/reference.js'
import { isJsonObject } from '../protocol/json.js'
import { LoopError } from './loop-error.js'

/** The use of a card; the bank fills in omitted fields. */
export interface PurchaseRequest {
  readonly centsAmount: number
  readonly currencyCode?: string
  readonly type?: 'purchase' | 'atm' | 'refund'
  readonly merchant: {
    readonly name?: string
    readonly city?: string
    readonly countryCode?: string
    readonly categoryCode?: string
  }
}

/** A purchase as flags and test files describe it. */
export interface PurchaseParts {
  readonly rand?: number | string | undefined
  readonly cents?: number | string | undefined
  readonly category?: string | number | undefined
  readonly merchant?: string | undefined
  readonly city?: string | undefined
  readonly country?: string | undefined
  readonly currency?: string | undefined
  readonly type?: 'purchase' | 'atm' | 'refund' | undefined
}

/** Applies parts to a purchase. `name` gives the user's word for a part. */
export function purchaseFrom(
  parts: PurchaseParts,
  base: PurchaseRequest = { centsAmount: 10_000, merchant: {} },
  name: (part: keyof PurchaseParts) => string = (part) => part,
): PurchaseRequest {
  const faults: string[] = []
  if (parts.rand !== undefined && parts.cents !== undefined)
    faults.push(`Give ${name('rand')} or ${name('cents')}, not both.`)
  const cents = centsOf(parts, name, faults)
  if (parts.category !== undefined && !/^\d{4}$/.test(String(parts.category)))
    faults.push(
      `${name('category')} must be a merchant category code of four digits, such as 5812, not '${parts.category}'.`,
    )
  if (parts.country !== undefined && !/^[A-Za-z]{2}$/.test(parts.country))
    faults.push(
      `${name('country')} must be a country code of two letters, such as ZA, not '${parts.country}'.`,
    )
  if (parts.currency !== undefined && !/^[A-Za-z]{3}$/.test(parts.currency))
    faults.push(
      `${name('currency')} must be a currency code of three letters, such as ZAR, not '${parts.currency}'.`,
    )
  if (faults.length > 0) throw new LoopError(faults.join('\n'))
  const { merchant } = base
  return {
    ...base,
    ...(cents !== undefined && { centsAmount: cents }),
    ...(parts.currency !== undefined && { currencyCode: parts.currency }),
    ...(parts.type !== undefined && { type: parts.type }),
    merchant: {
      ...merchant,
      ...(parts.merchant !== undefined && { name: parts.merchant }),
      ...(parts.city !== undefined && { city: parts.city }),
      ...(parts.country !== undefined && { countryCode: parts.country }),
      ...(parts.category !== undefined && { categoryCode: String(parts.category) }),
    },
  }
}

function centsOf(
  { rand, cents }: PurchaseParts,
  name: (part: keyof PurchaseParts) => string,
  faults: string[],
): number | undefined {
  if (rand === undefined && cents === undefined) return undefined
  const value = rand !== undefined ? parseTypedRand(String(rand)) : wholeCents(String(cents))
  if (value !== undefined) return value
  faults.push(
    rand !== undefined
      ? `${name('rand')} must be an amount above zero such as 600 or 84.95, not '${rand}'.`
      : `${name('cents')} must be a whole number of cents above zero such as 60000, not '${cents}'.`,
  )
  return undefined
}

function wholeCents(text: string): number | undefined {
  const digits = text.replace(/^R|\s/gi, '')
  const value = /^\d{1,12}$/.test(digits) ? Number(digits) : 0
  return value >= 1 && value <= maxCents ? value : undefined
}

/** Why card code gets another category than the purchase names; undefined when it gets the same. */
export function categoryWarning({ merchant: { categoryCode } }: PurchaseRequest): string | undefined {
  if (categoryCode === undefined || categoryCode === '0000') return undefined
  if (merchantCategory(categoryCode).code !== '0000') return undefined
  return `The bank has no merchant category ${categoryCode}: card code gets 0000.`
}

/**
 * The purchase in a JSON document: a hook argument, or the body of a simulation or a card transaction. `where` begins
 * the sentence of a refusal.
 */
export function purchaseOfDocument(value: unknown, where: string): PurchaseRequest {
  if (!isJsonObject(value))
    throw new LoopError(`${where} must contain one JSON object: the argument of a hook.`)
  const merchant = isJsonObject(value.merchant) ? value.merchant : {}
  const category = isJsonObject(merchant.category)
    ? merchant.category.code
    : (merchant.categoryCode ?? value.merchantCode)
  const country = isJsonObject(merchant.country)
    ? merchant.country.code
    : (merchant.countryCode ?? value.countryCode)
  const text = (field: unknown): string | undefined =>
    typeof field === 'string' || typeof field === 'number' ? String(field) : undefined
  if (value.centsAmount === undefined) throw new LoopError(`${where} has no centsAmount.`)
  const code = text(category)
  const parts: PurchaseParts = {
    cents: text(value.centsAmount) ?? '',
    category: code !== undefined && /^\d{1,3}$/.test(code) ? code.padStart(4, '0') : code,
    merchant: text(merchant.name ?? value.merchantName),
    city: text(merchant.city ?? value.merchantCity),
    country: text(country),
    currency: text(value.currencyCode),
  }
  const names: Partial<Record<keyof PurchaseParts, string>> = {
    cents: 'centsAmount',
    category: 'the merchant category code',
    country: 'the country code',
    currency: 'currencyCode',
  }
  return purchaseFrom(parts, { centsAmount: 1, merchant: {} }, (part) => `${where}: ${names[part] ?? part}`)
}
