// The bank's products: what follows from the name of one.

import type { AccountRecord } from '../bank/client-records.js'

export const productNames = [
  'Private Bank Account',
  'PrimeSaver',
  'Cash Management Account',
  'Mortgage Loan Account',
  'Instalment Sale Loan Account',
] as const

const products: Readonly<Record<string, Pick<AccountRecord, 'kind' | 'interest'>>> = {
  'Private Bank Account': { kind: 'current', interest: { creditBasisPoints: 0, debitBasisPoints: 1075 } },
  'Cash Management Account': {
    kind: 'current',
    interest: { creditBasisPoints: 325, debitBasisPoints: 1125 },
  },
  PrimeSaver: { kind: 'savings', interest: { creditBasisPoints: 735, debitBasisPoints: 0 } },
  'Mortgage Loan Account': { kind: 'loan', interest: { creditBasisPoints: 0, debitBasisPoints: 1050 } },
  'Instalment Sale Loan Account': {
    kind: 'loan',
    interest: { creditBasisPoints: 0, debitBasisPoints: 1125 },
  },
}

/** What follows from the product of an account. */
export const productOf = (productName = 'Private Bank Account'): Pick<AccountRecord, 'kind' | 'interest'> =>
  products[productName] ?? products['Private Bank Account']!
