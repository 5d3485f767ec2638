// The JSON Schemas of the files in fixtures/, which `npm run schemas` writes: the bank's record schemas with the bounds that
// the shipped data keep.

import { AccountState, BeneficiaryState, CategoryState, ProfileState } from '../bank/bank-state.js'
import { CardRecord } from '../bank/client-records.js'
import { clientSchema } from '../bank/credentials.js'
import { productNames } from '../bank/products.js'
import { Country, Currency, MerchantCategory } from '../bank/reference.js'
import { listOf, type Schema } from '../protocol/schema.js'
import { Habits } from './habits.js'

const some = { type: 'string', minLength: 1 } as const
const pattern = (pattern: string, description?: string) =>
  ({ type: 'string', pattern, ...(description !== undefined && { description }) }) as const
const digits = (count: number) => pattern(`^[0-9]{${count}}$`, `${count} digits.`)
const accountId = digits(25)
const profileId = digits(14)
const categoryId = digits(14)

/** A file: a list of records, each with these bounds instead of those of its schema. */
function file(
  title: string,
  description: string,
  record: Schema,
  bounds: Readonly<Record<string, Schema>> = {},
  minItems = 1,
): Schema {
  const { properties = {}, required = [] } = record
  const names = [...required, ...Object.keys(bounds).filter((name) => !(name in properties))]
  return {
    title,
    description,
    ...listOf({
      ...record,
      properties: { ...properties, ...bounds },
      required: names,
      additionalProperties: false,
    }),
    minItems,
    uniqueItems: true,
  }
}

const client = clientSchema({ client: 'Client', apiKey: 'ApiKey' }, some, {
  ...listOf(accountId),
  uniqueItems: true,
} as const)

/** The schemas by the name of the file. */
export const fixtureSchemas: Readonly<Record<string, Schema>> = {
  profiles: file('Profiles', 'The profiles of the client: private and business.', ProfileState, {
    profileId,
    profileName: some,
    defaultProfile: { type: 'boolean', description: 'True on exactly one profile.' },
    limits: {
      ...ProfileState.properties.limits,
      description: 'The limits set in online banking, in cents; an absent limit does not apply.',
      properties: {
        paymentCents: { type: 'integer', minimum: 1, description: 'The largest transfer or payment.' },
        dayCents: { type: 'integer', minimum: 1, description: 'The largest total of a day.' },
      },
    },
  }),
  accounts: file('Accounts', 'The accounts of the client, and their habits.', AccountState, {
    accountId,
    accountNumber: pattern(
      '^(100[0-9]{8}|[0-9]{13}|[0-9]{9})$',
      '11 digits beginning with 100 on a current account, 13 on savings, 9 on a loan.',
    ),
    accountName: some,
    referenceName: some,
    productName: { enum: productNames },
    profileId,
    currency: pattern('^[A-Z]{3}$', 'ISO 4217 code.'),
    habits: Habits,
  }),
  beneficiaries: file('Beneficiaries', 'The people and companies who may be paid.', BeneficiaryState, {
    beneficiaryId: pattern('^[A-Za-z0-9+/]{19}=$', 'Base64 of a 14-digit number.'),
    accountNumber: pattern('^[0-9]{6,16}$'),
    code: pattern('^[0-9]{6}$', 'Bank branch code.'),
    bank: some,
    lastPaymentAmount: pattern('^[0-9]{1,3}(,[0-9]{3})*\\.[0-9]{2}$', 'Rand, such as 2,000.00.'),
    lastPaymentDate: pattern(
      '^([0-9]{2}/[0-9]{2}/[0-9]{4}|Never been Paid)$',
      'dd/MM/yyyy, or `Never been Paid`.',
    ),
    cellNo: { type: ['string', 'null'], pattern: '^0[0-9]{9}$' },
    emailAddress: { type: ['string', 'null'], pattern: '^[^@ ]+@[^@ ]+$' },
    name: some,
    referenceAccountNumber: some,
    categoryId,
    profileId,
  }),
  'beneficiary-categories': file(
    'Beneficiary categories',
    'The groups into which each profile sorts its beneficiaries.',
    CategoryState,
    { CategoryId: categoryId, CategoryName: some, profileId },
  ),
  cards: file('Cards', 'The cards of the client.', CardRecord, {
    cardKey: pattern(
      '^[1-9][0-9]{5,6}$',
      '6 or 7 digits without a leading zero, because clients also write it as a number.',
    ),
    expiry: pattern('^20[0-9]{2}-(0[1-9]|1[0-2])$', 'Year and month.'),
    cvv: digits(3),
    embossedName: { type: 'string', minLength: 1, maxLength: 26 },
    embossedName2: {
      type: 'string',
      maxLength: 26,
      description: 'Empty when the card carries one name.',
    },
    status: { const: 'Active' },
    cardTypeCode: { enum: ['VGC', 'VBC', 'VVG'], description: 'VVG is a virtual card.' },
    accountId,
  }),
  credentials: file(
    'Credentials',
    'The clients, their secrets and their API keys. They are public.',
    client,
    {
      apiKeys: { ...client.properties.apiKeys, minItems: 1 },
    },
  ),
  countries: file(
    'Countries',
    'ISO 3166-1, South Africa and the United Kingdom first, then by name. Written by scripts/reference-fixtures.mjs.',
    Country,
    {},
    240,
  ),
  currencies: file(
    'Currencies',
    'The currencies that cards accept, in the order in which the service lists them.',
    Currency,
    {},
    4,
  ),
  'merchant-categories': file(
    'Merchant categories',
    "The service's table of merchant categories, by name. Written by scripts/reference-fixtures.mjs.",
    MerchantCategory,
    {},
    280,
  ),
}
