// Beneficiaries as the bank stores them, and what their records say about payments.

import { formatDaySlashed, type Day } from '../../determinism/day.js'
import { formatRand, type Cents } from '../money.js'
import type { Beneficiary } from '../records.js'

/** A beneficiary; approved public ones may be paid, but lists leave them out. */
export interface BeneficiaryRecord extends Beneficiary {
  readonly approvedPublic?: boolean | undefined
}

/** What a beneficiary's `lastPaymentDate` says before the first payment. */
export const neverPaid = 'Never been Paid'

/** The fields of a beneficiary that has never been paid. */
export const unpaid = { lastPaymentAmount: '0.00', lastPaymentDate: neverPaid } as const

/** The required data of a new beneficiary; the rest has defaults. */
export interface NewBeneficiary {
  readonly beneficiaryId: string
  readonly profileId: string
  readonly categoryId: string
  readonly beneficiaryName: string
  readonly accountNumber?: string | undefined
  /** Branch code. */
  readonly code?: string | undefined
  readonly bank?: string | undefined
  /** The text on both statements; default: the name. */
  readonly reference?: string | undefined
  readonly cellNo?: string | undefined
  readonly emailAddress?: string | undefined
  readonly fasterPaymentAllowed?: boolean | undefined
}

/** The data with which a client adds a beneficiary. */
export interface BeneficiaryRequest extends Omit<
  NewBeneficiary,
  'beneficiaryId' | 'profileId' | 'categoryId'
> {
  readonly profileId?: string | undefined
  readonly paid?: boolean | undefined
}

/** The record of a new beneficiary who has never been paid. */
export const newBeneficiary = ({
  beneficiaryName,
  accountNumber = '62000000000',
  code = '250655',
  bank = 'Example Bank',
  reference = beneficiaryName,
  cellNo,
  emailAddress,
  fasterPaymentAllowed = true,
  beneficiaryId,
  profileId,
  categoryId,
}: NewBeneficiary): BeneficiaryRecord => ({
  beneficiaryId,
  accountNumber,
  code,
  bank,
  beneficiaryName,
  ...unpaid,
  cellNo: cellNo ?? null,
  emailAddress: emailAddress ?? null,
  name: beneficiaryName,
  referenceAccountNumber: reference,
  referenceName: reference,
  categoryId,
  profileId,
  fasterPaymentAllowed,
})

/** The record as the service lists it. */
export function beneficiaryOnWire(record: BeneficiaryRecord): Beneficiary {
  const beneficiary = { ...record }
  delete beneficiary.approvedPublic
  return beneficiary
}

/** Whether a beneficiary must first be paid in online banking. */
export const isNeverPaid = ({ lastPaymentDate, approvedPublic }: BeneficiaryRecord): boolean =>
  lastPaymentDate === neverPaid && !approvedPublic

/** What a beneficiary's record says after a payment. */
export const lastPayment = (cents: Cents, day: Day) => ({
  lastPaymentAmount: formatRand(cents),
  lastPaymentDate: formatDaySlashed(day),
})
