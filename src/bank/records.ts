// The account records as they go over the wire: one JSON Schema each, and the type made from it. The fields are those
// of service-interface "Resources and their fields" and the ones that the service sends beyond the document.

import { isoDate, listOf, record, type FromSchema } from '../protocol/schema.js'

const accountId = { type: 'string', description: '25 digits.' } as const
const rand = { type: 'number', description: 'Rand, two decimals at most.' } as const
const dateOrNull = { type: ['string', 'null'], format: 'date' } as const

/** Resources, "Account". */
export const Account = record('Account', 'An account that the API key may access.', {
  accountId,
  accountNumber: { type: 'string' },
  accountName: { type: 'string' },
  referenceName: { type: 'string' },
  productName: { type: 'string' },
  kycCompliant: { type: 'boolean' },
  profileId: { type: 'string', description: '14 digits.' },
  profileName: { type: 'string' },
})
export type Account = FromSchema<typeof Account>

/** Resources, "Balance". */
export const Balance = record('Balance', 'What an account holds, and what may be spent from it.', {
  accountId,
  currentBalance: { ...rand, description: 'Rand: the sum of all posted transactions.' },
  availableBalance: { ...rand, description: 'Rand: current balance plus overdraft less pending debits.' },
  budgetBalance: rand,
  straightBalance: rand,
  cashBalance: rand,
  currency: { type: 'string', description: 'Three letters.' },
})
export type Balance = FromSchema<typeof Balance>

/** Resources, "Account transaction". Pending rows have nulls where a posted row has its card and days. */
export const Transaction = record('Transaction', 'One row of an account.', {
  accountId,
  type: { enum: ['DEBIT', 'CREDIT'] },
  transactionType: { type: ['string', 'null'], description: 'Null on savings and loan accounts.' },
  status: { enum: ['POSTED', 'PENDING'] },
  description: { type: 'string' },
  cardNumber: { type: ['string', 'null'], description: 'Masked; empty when no card is involved.' },
  postedOrder: { type: 'integer', description: '0 until the transaction has settled.' },
  postingDate: { ...dateOrNull, description: 'When the amount was deducted from the balance.' },
  valueDate: dateOrNull,
  actionDate: dateOrNull,
  transactionDate: { ...isoDate, description: 'When the card was swiped or the payment issued.' },
  amount: { type: 'number', description: 'Rand, positive: the sign is in `type`.' },
  runningBalance: { ...rand, description: 'Rand, after this row; negative with a minus sign.' },
  uuid: {
    type: 'string',
    description: 'Last 5 of the account id, date as yyyymmdd, postedOrder in 7 digits.',
  },
})
export type Transaction = FromSchema<typeof Transaction>

/** A row of `pending-transactions`. */
export const PendingTransaction = record('PendingTransaction', 'A row that has not settled.', {
  accountId,
  type: { enum: ['DEBIT', 'CREDIT'] },
  status: { const: 'PENDING' },
  description: { type: 'string' },
  transactionDate: isoDate,
  amount: { type: 'number', description: 'Rand, positive.' },
})
export type PendingTransaction = FromSchema<typeof PendingTransaction>

export const Profile = record('Profile', 'One profile of the client.', {
  profileId: { type: 'string', description: '14 digits.' },
  profileName: { type: 'string' },
  defaultProfile: { type: 'boolean' },
})
export type Profile = FromSchema<typeof Profile>

const textOrNull = { type: ['string', 'null'] } as const

export const Beneficiary = record('Beneficiary', 'Somebody who may be paid.', {
  beneficiaryId: { type: 'string', description: 'Base64 of a 14-digit number.' },
  accountNumber: { type: 'string' },
  code: { type: 'string', description: 'Bank branch code.' },
  bank: { type: 'string' },
  beneficiaryName: { ...textOrNull, description: 'Null where only `name` is known.' },
  lastPaymentAmount: { type: 'string', description: 'Such as 2,000.00.' },
  lastPaymentDate: { type: 'string', description: 'dd/MM/yyyy, or `Never been Paid`.' },
  cellNo: textOrNull,
  emailAddress: textOrNull,
  name: { type: 'string', description: 'Whom it is, also where the other names are null.' },
  referenceAccountNumber: { type: 'string' },
  referenceName: textOrNull,
  categoryId: { type: 'string' },
  profileId: { type: 'string' },
  fasterPaymentAllowed: { type: 'boolean' },
})
export type Beneficiary = FromSchema<typeof Beneficiary>

export const BeneficiaryCategory = record('BeneficiaryCategory', 'A group of beneficiaries.', {
  CategoryId: { type: 'string', description: '14 digits.' },
  DefaultCategory: { enum: ['true', 'false'] },
  CategoryName: { type: 'string' },
})
export type BeneficiaryCategory = FromSchema<typeof BeneficiaryCategory>

const authorisers = {
  ...listOf(
    record('Authoriser', 'Who may authorise.', {
      authoriserId: { type: 'string', maxLength: 100 },
      name: { type: 'string', maxLength: 200 },
    }),
  ),
  type: ['array', 'null'],
} as const

export const AuthorisationSetup = record(
  'AuthorisationSetup',
  'Who must agree before money leaves the account.',
  {
    numberOfAuthorisationRequired: { type: 'string', description: 'A number: 0, 1 or 2.' },
    period: {
      ...listOf(
        record('AuthorisationPeriod', 'How long it may wait.', {
          id: { type: 'string', maxLength: 100 },
          description: { type: 'string', maxLength: 200 },
        }),
      ),
      type: ['array', 'null'],
    },
    authorisersListA: authorisers,
    authorisersListB: authorisers,
  },
)
export type AuthorisationSetup = FromSchema<typeof AuthorisationSetup>

/** A rand amount as requests carry it; `parseRand` reads it. */
const requestedRand = {
  type: ['string', 'number'],
  pattern: '^(?=.*[1-9])[0-9]{1,12}([.][0-9]{1,2})?$',
  exclusiveMinimum: 0,
  description: 'A positive amount of rand with two decimals at most, such as "10.12".',
  examples: ['10.12'],
} as const

/** As long as the user reference of an electronic funds transfer may be. */
const reference = {
  type: 'string',
  maxLength: 30,
  // Linear, unlike a pattern with two stars: control characters, lone surrogates and bidirectional overrides are refused.
  pattern: '^(?!\\s*$)[^\\p{Cc}\\p{Cs}\\u202A-\\u202E\\u2066-\\u2069]*$',
} as const
const myReference = {
  ...reference,
  description:
    'A text of 1 to 30 characters, without control characters and text direction overrides: the description on the own account.',
} as const
const theirReference = {
  ...reference,
  description:
    "A text of 1 to 30 characters, without control characters and text direction overrides: the description on the receiver's account.",
} as const

const authoriserFields = {
  authoriserAId: {
    ...textOrNull,
    description: 'Of list A of the authorisation setup; anybody when left out.',
  },
  authoriserBId: {
    ...textOrNull,
    description: 'Of list B of the authorisation setup; anybody when left out.',
  },
  authPeriodId: {
    ...textOrNull,
    description: 'A period of the authorisation setup; the first when left out.',
  },
} as const

/** An item of a `transferList`. */
export const TransferItem = {
  title: 'TransferItem',
  description: 'Money for another account of the client.',
  type: 'object',
  properties: {
    beneficiaryAccountId: { type: 'string', description: 'The accountId of the account that receives.' },
    amount: requestedRand,
    myReference,
    theirReference,
    ...authoriserFields,
  },
  required: ['beneficiaryAccountId', 'amount', 'myReference', 'theirReference'],
  additionalProperties: false,
} as const
export type TransferItem = FromSchema<typeof TransferItem>

/** An item of a `paymentList`. */
export const PaymentItem = {
  title: 'PaymentItem',
  description: 'Money for a beneficiary.',
  type: 'object',
  properties: {
    beneficiaryId: { type: 'string' },
    amount: requestedRand,
    myReference,
    theirReference,
    ...authoriserFields,
    fasterPayment: {
      type: 'boolean',
      description: "Paid within seconds, where the beneficiary's bank takes it.",
    },
  },
  required: ['beneficiaryId', 'amount', 'myReference', 'theirReference'],
  additionalProperties: false,
} as const
export type PaymentItem = FromSchema<typeof PaymentItem>

/** Resources, "Transfer / payment response". */
export const TransferResult = record('TransferResult', 'What became of the items, all of them or none.', {
  TransferResponses: listOf(
    record('TransferResponse', 'What became of one item.', {
      PaymentReferenceNumber: {
        type: 'string',
        description: 'UBP and 10 digits; empty when nothing was paid.',
      },
      PaymentDate: { type: 'string', description: 'dd/MM/yyyy.' },
      Status: { type: 'string', description: 'Free text with HTML line breaks.' },
      BeneficiaryName: { type: 'string', description: 'Of a transfer, its theirReference.' },
      BeneficiaryAccountId: {
        type: 'string',
        description: 'The accountId of a transfer, the beneficiaryId of a payment.',
      },
      AuthorisationRequired: { type: 'boolean', description: 'The money waits for authorisers.' },
    }),
  ),
  ErrorMessage: { type: ['string', 'null'], description: 'Why nothing was paid; null on success.' },
})
export type TransferResult = FromSchema<typeof TransferResult>

/** An item of the countries, currencies and merchant categories. */
export const ReferenceItem = record('ReferenceItem', 'A code and what it stands for.', {
  Code: { type: 'string' },
  Name: { type: 'string' },
})
export type ReferenceItem = FromSchema<typeof ReferenceItem>
