// The account records on the wire: one JSON Schema each, and the type made from it. They have the
// fields that the service documents, and the ones that it sends besides (docs/fidelity.md).

import { isoDate, listOf, maxIdLength, record, type FromSchema } from '../protocol/schema.js'

/** The most authorisers in a list of one account, and the most periods. */
const maxSetupItems = 100

const accountId = { type: 'string', description: '25 digits.' } as const
const rand = { type: 'number', description: 'Rand, with at most two decimals.' } as const
const dateOrNull = { type: ['string', 'null'], format: 'date' } as const

/** An account. */
export const Account = record('Account', 'An account that the API key may access.', {
  accountId,
  accountNumber: { type: 'string', description: 'The number on statements.' },
  accountName: { type: 'string', description: 'The name of its owner.' },
  referenceName: { type: 'string', description: 'What its owner calls it.' },
  productName: { type: 'string', description: 'The product, such as Private Bank Account.' },
  kycCompliant: { type: 'boolean', description: 'Whether the bank has verified who its owner is.' },
  profileId: { type: 'string', description: '14 digits.' },
  profileName: { type: 'string', description: 'The name of the profile that it belongs to.' },
})
export type Account = FromSchema<typeof Account>

/** The balance of an account, in rand. */
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

/** The categories of rows, as `transactionType` has them. */
export const rowTypes = [
  'CardPurchases',
  'DebitOrders',
  'OnlineBankingPayments',
  'Deposits',
  'FeesAndInterest',
  'ATMWithdrawals',
  'FasterPay',
  'VASTransactions',
  'BudgetInstalments',
] as const

/** The category of money that a test adds or removes without naming one. */
export const usualRowType = (direction: 'CREDIT' | 'DEBIT'): (typeof rowTypes)[number] =>
  direction === 'CREDIT' ? 'Deposits' : 'DebitOrders'

/** A row of an account. Pending rows have null for the card and for every day but `transactionDate`. */
export const Transaction = record('Transaction', 'One row of an account.', {
  accountId,
  type: { enum: ['DEBIT', 'CREDIT'], description: 'Whether money left (DEBIT) or came (CREDIT).' },
  transactionType: { type: ['string', 'null'], description: 'Null on savings and loan accounts.' },
  status: { enum: ['POSTED', 'PENDING'], description: 'POSTED once it has settled, PENDING until then.' },
  description: { type: 'string', description: 'The text of the row.' },
  cardNumber: {
    type: ['string', 'null'],
    description: 'Masked; empty when no card is involved; null while pending.',
  },
  postedOrder: { type: 'integer', description: '0 until the transaction has settled.' },
  postingDate: {
    ...dateOrNull,
    description: 'The day on which it was posted to the account; null while pending.',
  },
  valueDate: { ...dateOrNull, description: 'The day from which it counts for interest, such as 2026-03-25.' },
  actionDate: { ...dateOrNull, description: 'The day on which it was carried out, such as 2026-03-25.' },
  transactionDate: { ...isoDate, description: 'When the card was swiped or the payment issued.' },
  amount: { type: 'number', description: 'Rand, positive: the sign is in `type`.' },
  runningBalance: {
    ...rand,
    description: 'Rand, after this row, negative with a minus sign; of a pending row the current balance.',
  },
  uuid: {
    type: 'string',
    description:
      'Last 5 of the account id, date as yyyymmdd, postedOrder in 7 digits; not unique while pending.',
  },
})
export type Transaction = FromSchema<typeof Transaction>

/** A row of `pending-transactions`. */
export const PendingTransaction = record('PendingTransaction', 'A row that has not settled.', {
  accountId,
  type: { enum: ['DEBIT', 'CREDIT'], description: 'Whether money will leave (DEBIT) or come (CREDIT).' },
  status: { const: 'PENDING', description: 'Always PENDING.' },
  description: { type: 'string', description: 'The text of the row.' },
  transactionDate: { ...isoDate, description: 'When the card was used, such as 2026-03-25.' },
  amount: { type: 'number', description: 'Rand, positive.' },
})
export type PendingTransaction = FromSchema<typeof PendingTransaction>

export const Profile = record('Profile', 'One profile of the client.', {
  profileId: { type: 'string', description: '14 digits.' },
  profileName: { type: 'string', description: 'The name of the profile.' },
  defaultProfile: { type: 'boolean', description: 'Whether it is used when a request names no profile.' },
})
export type Profile = FromSchema<typeof Profile>

const textOrNull = { type: ['string', 'null'] } as const

export const Beneficiary = record('Beneficiary', 'A person or company who may be paid.', {
  beneficiaryId: { type: 'string', description: 'Base64 of a 14-digit number.' },
  accountNumber: { type: 'string', description: 'The number of the account that is paid.' },
  code: { type: 'string', description: 'Bank branch code.' },
  bank: { type: 'string', description: 'The name of the bank.' },
  beneficiaryName: { ...textOrNull, description: 'Null where only `name` is known.' },
  lastPaymentAmount: { type: 'string', description: 'Such as 2,000.00.' },
  lastPaymentDate: { type: 'string', description: 'dd/MM/yyyy, or `Never been Paid`.' },
  cellNo: { ...textOrNull, description: 'A telephone number, or null.' },
  emailAddress: { ...textOrNull, description: 'An email address, or null.' },
  name: { type: 'string', description: 'The name of the beneficiary, also where the other names are null.' },
  referenceAccountNumber: {
    type: 'string',
    description: 'The reference on the statement of the beneficiary.',
  },
  referenceName: { ...textOrNull, description: 'The reference on your own statement, or null.' },
  categoryId: { type: 'string', description: 'Its category: a `CategoryId`.' },
  profileId: { type: 'string', description: 'The profile that may pay it, 14 digits.' },
  fasterPaymentAllowed: { type: 'boolean', description: 'Whether it can be paid at once.' },
})
export type Beneficiary = FromSchema<typeof Beneficiary>

export const BeneficiaryCategory = record('BeneficiaryCategory', 'A group of beneficiaries.', {
  CategoryId: { type: 'string', description: '14 digits.' },
  DefaultCategory: {
    enum: ['true', 'false'],
    description: 'Whether it is the default of its profile: the text `true` or `false`.',
  },
  CategoryName: { type: 'string', description: 'The name of the category.' },
})
export type BeneficiaryCategory = FromSchema<typeof BeneficiaryCategory>

const authorisers = {
  ...listOf(
    record('Authoriser', 'Who may authorise.', {
      authoriserId: {
        type: 'string',
        maxLength: 100,
        description: 'Goes into `authoriserAId` or `authoriserBId` of a payment.',
      },
      name: { type: 'string', maxLength: 200, description: 'The name of the person.' },
    }),
  ),
  type: ['array', 'null'],
  maxItems: maxSetupItems,
} as const

export const AuthorisationSetup = record(
  'AuthorisationSetup',
  'Who must agree before money leaves the account.',
  {
    numberOfAuthorisationRequired: { type: 'string', maxLength: 10, description: 'A number: 0, 1 or 2.' },
    period: {
      ...listOf(
        record('AuthorisationPeriod', 'How long it may wait.', {
          id: { type: 'string', maxLength: 100, description: 'Goes into `authPeriodId` of a payment.' },
          description: {
            type: 'string',
            maxLength: 200,
            description: 'The period in words, such as `2 days`.',
          },
        }),
      ),
      type: ['array', 'null'],
      maxItems: maxSetupItems,
      description:
        'How long a payment may wait: one of these ids goes into `authPeriodId`. Null without authorisation.',
    },
    authorisersListA: { ...authorisers, description: 'Who may authorise first. Null without authorisation.' },
    authorisersListB: {
      ...authorisers,
      description: 'Who may authorise second. Null unless two must agree.',
    },
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

/** The length of the user reference of an electronic funds transfer. */
const reference = {
  type: 'string',
  maxLength: 30,
  // Linear, unlike a pattern with two stars: refuses control characters, lone surrogates and bidirectional overrides.
  pattern: '^(?!\\s*$)[^\\p{Cc}\\p{Cs}\\u202A-\\u202E\\u2066-\\u2069]*$',
} as const
const myReference = {
  ...reference,
  description:
    'A text of 1 to 30 characters, without control characters and text direction overrides: the description on the paying account.',
} as const
const theirReference = {
  ...reference,
  description:
    'A text of 1 to 30 characters, without control characters and text direction overrides: the description on the receiving account.',
} as const

const idOrNull = { ...textOrNull, maxLength: maxIdLength } as const

const authoriserFields = {
  authoriserAId: {
    ...idOrNull,
    description: 'The id of an authoriser of list A; when left out, anybody of the list may authorise.',
  },
  authoriserBId: {
    ...idOrNull,
    description: 'Of list B of the authorisation setup; anybody when left out.',
  },
  authPeriodId: {
    ...idOrNull,
    description: 'A period of the authorisation setup; the first when left out.',
  },
} as const

/** An item of a `transferList`. */
export const TransferItem = {
  title: 'TransferItem',
  description: 'Money for another account of the client.',
  type: 'object',
  properties: {
    beneficiaryAccountId: {
      type: 'string',
      maxLength: maxIdLength,
      description: 'The accountId of the account that receives.',
    },
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
    beneficiaryId: {
      type: 'string',
      maxLength: maxIdLength,
      description: 'Whom to pay: an id from the list of beneficiaries.',
    },
    amount: requestedRand,
    myReference,
    theirReference,
    ...authoriserFields,
    fasterPayment: {
      type: 'boolean',
      description: "Paid within seconds, if the beneficiary's bank supports it.",
    },
  },
  required: ['beneficiaryId', 'amount', 'myReference', 'theirReference'],
  additionalProperties: false,
} as const
export type PaymentItem = FromSchema<typeof PaymentItem>

/** The answer for one item of a transfer or payment. */
export const TransferResult = record('TransferResult', 'What became of the items, all of them or none.', {
  TransferResponses: {
    ...listOf(
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
    description:
      'What became of each item, in the order of the request. Empty where `ErrorMessage` says why none was made.',
  },
  ErrorMessage: { type: ['string', 'null'], description: 'Why nothing was paid; null on success.' },
})
export type TransferResult = FromSchema<typeof TransferResult>

/** An item of the countries, currencies and merchant categories. */
export const ReferenceItem = record('ReferenceItem', 'A code and what it stands for.', {
  Code: { type: 'string', description: 'The code, such as ZA, ZAR or 5462.' },
  Name: { type: 'string', description: 'What the code stands for.' },
})
export type ReferenceItem = FromSchema<typeof ReferenceItem>
