// The argument of a hook, which the service calls authorization or transaction (docs/cards.md).

import type { Cents } from '../money.js'
import type { Country, MerchantCategory } from '../reference.js'

interface Merchant {
  /** The name of the merchant. */
  readonly name: string
  /** The town. */
  readonly city: string
  /** The country. */
  readonly country: Country
  /** What it sells. */
  readonly category: MerchantCategory
}

/** The purchase, in its own currency. */
export interface Purchase {
  /** The amount in hundredths of the currency. */
  readonly centsAmount: Cents
  /** ISO 4217, any letter case; hooks see it in lower case. */
  readonly currencyCode: string
  /** Where the card is used. */
  readonly merchant: Merchant
}

/** The argument of a hook. */
export interface Authorization {
  /** The number of the account. */
  readonly accountNumber: string
  /** When the card was used: an instant in UTC. */
  readonly dateTime: string
  /** The amount in hundredths of the currency: 5500 is 55.00. */
  readonly centsAmount: Cents
  /** ISO 4217 in lower case: `zar`. */
  readonly currencyCode: string
  /** Always `card`. */
  readonly type: 'card'
  /** The reference of the transaction; `simulation` in a simulation. */
  readonly reference: string
  /** The card: its key, and its masked number unless this is a simulation. */
  readonly card: {
    /** The card key. */
    readonly id: string
    /** The masked number; a simulation has none. */
    readonly display?: string
  }
  /** Where the card is used. */
  readonly merchant: {
    /** What it sells. */
    readonly category: MerchantCategory
    /** The name of the merchant. */
    readonly name: string
    /** The town. */
    readonly city: string
    /** The country. */
    readonly country: Country
  }
}

/** `card.display` is the masked number: transactions have it, simulations do not. */
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
