// The bank's products, and the properties of each.

import type { InterestRates } from './ledger/ledger.js'

/** Savings and loan accounts carry no transaction types. */
export type AccountKind = 'current' | 'savings' | 'loan'

interface Terms {
  readonly kind: AccountKind
  readonly interest: InterestRates
}

const products = {
  'Private Bank Account': { kind: 'current', interest: { creditBasisPoints: 0, debitBasisPoints: 1075 } },
  PrimeSaver: { kind: 'savings', interest: { creditBasisPoints: 735, debitBasisPoints: 0 } },
  'Cash Management Account': {
    kind: 'current',
    interest: { creditBasisPoints: 325, debitBasisPoints: 1125 },
  },
  'Money Market': { kind: 'savings', interest: { creditBasisPoints: 780, debitBasisPoints: 0 } },
  'Mortgage Loan Account': { kind: 'loan', interest: { creditBasisPoints: 0, debitBasisPoints: 1050 } },
  'Instalment Sale Loan Account': {
    kind: 'loan',
    interest: { creditBasisPoints: 0, debitBasisPoints: 1125 },
  },
} as const satisfies Readonly<Record<string, Terms>>

export type ProductName = keyof typeof products

/** The names of all products. */
export const productNames = Object.keys(products) as ProductName[]

/** The default product of an account. */
export const usualProduct = 'Private Bank Account' satisfies ProductName

/** The kind and the interest of this product; those of {@link usualProduct} when the name is unknown. */
export const productOf = (productName: string = usualProduct): Terms =>
  (products as Readonly<Record<string, Terms>>)[productName] ?? products[usualProduct]

/** The format of account numbers of each kind: how many digits, and the first digits. */
export const accountNumbers = {
  current: { digits: 11, beginning: '100' },
  savings: { digits: 13, beginning: '11' },
  loan: { digits: 9, beginning: '3' },
} as const satisfies Readonly<Record<AccountKind, { digits: number; beginning: string }>>
