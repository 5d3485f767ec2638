// The card transaction as the control API shows it and as the bank stores it.

import { kept, record, timestamp, type FromSchema } from '../../protocol/schema.js'

/** Why a transaction was approved or declined. */
export const reasons = [
  'approved',
  'card-disabled',
  'insufficient-funds',
  'declined-by-code',
  'code-timeout',
  'code-error',
  'code-non-boolean',
  'code-missing-hook',
] as const
export type Reason = (typeof reasons)[number]

export const cardTransactionTypes = ['purchase', 'atm', 'refund'] as const
export type CardTransactionType = (typeof cardTransactionTypes)[number]

const MerchantRecord = kept(
  record('TransactionMerchant', 'Where the card was used.', {
    name: { type: 'string', description: 'The name of the merchant.' },
    city: { type: 'string', description: 'The town of the merchant.' },
    countryCode: { type: 'string', description: 'Two letters, upper case.' },
    categoryCode: {
      type: 'string',
      description: 'Four digits; 0000 for one that the service does not know.',
    },
  }),
)

/** A card transaction as the control API shows it. */
export const CardTransactionOnWire = record('CardTransaction', 'A card transaction and its state.', {
  id: { type: 'string', description: '8 digits: the reference that all hooks of the transaction see.' },
  cardKey: { type: 'string', description: 'Empty for a purchase of the household on no known card.' },
  accountId: { type: 'string', description: 'The id of the account, 25 digits.' },
  type: {
    enum: cardTransactionTypes,
    description: 'A purchase, a withdrawal at a machine, or money that comes back.',
  },
  decision: { enum: ['approved', 'declined'], description: 'What the bank decided.' },
  reason: { enum: reasons, description: 'Why: `approved`, or what declined it.' },
  centsAmount: { type: 'integer', description: 'In the currency of the transaction.' },
  currencyCode: { type: 'string', description: 'Three letters, upper case.' },
  randCents: { type: 'integer', description: 'What the account is charged, in rand cents.' },
  merchant: MerchantRecord,
  dateTime: { ...timestamp, description: 'When the card was used, in UTC.' },
  rootCodeFunctionId: { type: 'string', description: 'That of its executions; empty when none can be.' },
  status: {
    enum: ['declined', 'pending', 'settled', 'reversed'],
    description: '`pending`: on hold; `settled`: posted to the account, or an amount of 0.',
  },
})

/** A card transaction as the bank stores it; the books know whether it is still on hold. */
export interface CardTransaction extends Readonly<Omit<FromSchema<typeof CardTransactionOnWire>, 'status'>> {
  readonly reversed: boolean
}
