// The card transaction as the control API shows it and as the bank keeps it.

import { record, timestamp, type FromSchema } from '../../protocol/schema.js'

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

export const transactionTypes = ['purchase', 'atm', 'refund'] as const
export type TransactionType = (typeof transactionTypes)[number]

const MerchantRecord = record('TransactionMerchant', 'Where the card was used.', {
  name: { type: 'string' },
  city: { type: 'string' },
  countryCode: { type: 'string', description: 'Two letters, upper case.' },
  categoryCode: { type: 'string', description: 'Four digits; 0000 for one that the service does not know.' },
})

/** A card transaction as the control API shows it. */
export const CardTransactionOnWire = record('CardTransaction', 'A card transaction and what became of it.', {
  id: { type: 'string', description: '8 digits: the reference that all hooks of the transaction see.' },
  cardKey: { type: 'string', description: 'Empty for a purchase of the household on no known card.' },
  accountId: { type: 'string' },
  type: { enum: transactionTypes },
  decision: { enum: ['approved', 'declined'] },
  reason: { enum: reasons },
  centsAmount: { type: 'integer', description: 'In the currency of the transaction.' },
  currencyCode: { type: 'string', description: 'Three letters, upper case.' },
  randCents: { type: 'integer', description: 'What the account is charged, in rand cents.' },
  merchant: MerchantRecord,
  dateTime: timestamp,
  rootCodeFunctionId: { type: 'string', description: 'That of its executions; empty when none can be.' },
  status: {
    enum: ['declined', 'pending', 'settled', 'reversed'],
    description: '`pending`: on hold; `settled`: posted to the account, or over nothing.',
  },
})

/** A card transaction as the bank keeps it: whether it is still on hold, the books know. */
export interface CardTransaction extends Readonly<Omit<FromSchema<typeof CardTransactionOnWire>, 'status'>> {
  readonly reversed: boolean
}
