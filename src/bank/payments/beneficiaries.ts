// Beneficiaries as the bank keeps them, and what their records say of payments.

import { formatDaySlashed, type Day } from '../../determinism/day.js'
import { formatRand, type Cents } from '../money.js'
import type { Beneficiary } from '../records.js'

/** A beneficiary; approved public ones may be paid, but lists leave them out. */
export interface BeneficiaryRecord extends Beneficiary {
  readonly approvedPublic?: boolean | undefined
}

/** What a beneficiary's `lastPaymentDate` says before the first payment. */
export const neverPaid = 'Never been Paid'

/** Whether nobody has paid a beneficiary yet who has to be paid in online banking first. */
export const isNeverPaid = ({ lastPaymentDate, approvedPublic }: BeneficiaryRecord): boolean =>
  lastPaymentDate === neverPaid && !approvedPublic

/** What a beneficiary's record says after a payment. */
export const lastPayment = (cents: Cents, day: Day) => ({
  lastPaymentAmount: formatRand(cents),
  lastPaymentDate: formatDaySlashed(day),
})
