// What a hook is given: service-interface "Authorization / transaction object passed to hooks".

import type { Cents } from '../money.js'
import type { Country, MerchantCategory } from '../reference.js'

export interface Merchant {
  readonly name: string
  readonly city: string
  readonly country: Country
  readonly category: MerchantCategory
}

/** What is being bought, in the currency in which it is. */
export interface Purchase {
  readonly centsAmount: Cents
  /** ISO 4217, in any case; hooks see it in lower case. */
  readonly currencyCode: string
  readonly merchant: Merchant
}

/** The argument of a hook. */
export interface Authorization {
  readonly accountNumber: string
  readonly dateTime: string
  readonly centsAmount: Cents
  readonly currencyCode: string
  readonly type: 'card'
  readonly reference: string
  readonly card: { readonly id: string; readonly display?: string }
  readonly merchant: {
    readonly category: MerchantCategory
    readonly name: string
    readonly city: string
    readonly country: Country
  }
}

/** `card.display` is the masked number: real transactions have it, simulations do not. */
export function authorizationOf(
  { centsAmount, currencyCode, merchant: { category, name, city, country } }: Purchase,
  about: {
    readonly accountNumber: string
    readonly dateTime: string
    readonly reference: string
    readonly card: Authorization['card']
  },
): Authorization {
  const { accountNumber, dateTime, reference, card } = about
  return {
    accountNumber,
    dateTime,
    centsAmount,
    currencyCode: currencyCode.toLowerCase(),
    type: 'card',
    reference,
    card,
    merchant: {
      category: { code: category.code, key: category.key, name: category.name },
      name,
      city,
      country: { code: country.code, alpha3: country.alpha3, name: country.name },
    },
  }
}
