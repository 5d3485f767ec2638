// Transfers and payments that wait for authorisation: here the authorisers act, as they do in online banking.

import { parseRand, toRand, type Cents } from '../bank/money.js'
import type { WaitingPayment } from '../bank/payments/payments.js'
import {
  authorisersNeeded,
  noAuthorisation,
  setupErrors,
  standardPeriods,
} from '../bank/payments/authorisation-setup.js'
import { AuthorisationSetup, type Account, type Beneficiary, type TransferResult } from '../bank/records.js'
import { defineEndpoint, type Ask } from '../endpoint/endpoint.js'
import { invalid, type InputError } from '../protocol/problem.js'
import { listOf, record, timestamp, type FromSchema } from '../protocol/schema.js'

const statuses = ['waiting', 'authorised', 'declined', 'lapsed'] as const

/** A transfer or payment that waits, or waited, for authorisation. */
export const PaymentForAuthorisation = record(
  'PaymentForAuthorisation',
  'A transfer or payment that needs authorisation.',
  {
    reference: { type: 'string', description: 'The PaymentReferenceNumber: UBP and 10 digits.' },
    kind: {
      enum: ['transfer', 'payment'],
      description: 'To an own account (transfer) or to a beneficiary (payment).',
    },
    accountId: { type: 'string', description: 'The account that pays.' },
    targetId: { type: 'string', description: 'The accountId of a transfer, the beneficiaryId of a payment.' },
    targetName: { type: 'string', description: 'The name of the receiver.' },
    amount: { type: 'number', description: 'Rand.' },
    myReference: { type: 'string', description: 'The text on your statement.' },
    theirReference: { type: 'string', description: 'The text on their statement.' },
    authoriserAId: {
      type: ['string', 'null'],
      description: 'The authoriser that the client named; null: anybody of list A.',
    },
    authoriserBId: {
      type: ['string', 'null'],
      description: 'The authoriser that the client named; null: anybody of list B.',
    },
    requestedAt: { ...timestamp, description: 'When it was requested, in UTC.' },
    lapsesAt: { ...timestamp, description: "When it lapses, on the sandbox's clock." },
    status: { enum: statuses, description: 'Whether it waits, and how it ended.' },
  },
)
export type PaymentForAuthorisation = FromSchema<typeof PaymentForAuthorisation>

const shown = (payment: WaitingPayment): PaymentForAuthorisation => ({
  reference: payment.reference,
  kind: payment.kind,
  accountId: payment.accountId,
  targetId: payment.targetId,
  targetName: payment.targetName,
  amount: toRand(payment.cents),
  myReference: payment.myReference,
  theirReference: payment.theirReference,
  authoriserAId: payment.authoriserAId,
  authoriserBId: payment.authoriserBId,
  requestedAt: new Date(payment.requestedMs).toISOString(),
  lapsesAt: new Date(payment.lapsesMs).toISOString(),
  status: payment.status,
})

const limit = {
  type: ['string', 'number', 'null'],
  maxLength: 40,
  description: 'Rand, such as "250000.00"; null: no limit.',
} as const

/** The limits of a profile, as the client sets them in online banking. */
const LimitsBody = {
  title: 'Limits',
  description: "The limits of a profile's payments and transfers.",
  type: 'object',
  properties: { payment: limit, day: limit },
  required: ['payment', 'day'],
  additionalProperties: false,
} as const

/** A setup; members with defaults may be omitted. */
const SetupRequest = {
  ...AuthorisationSetup,
  title: 'AuthorisationSetupRequest',
  required: ['numberOfAuthorisationRequired'],
} as const

const exampleSetup: AuthorisationSetup = {
  numberOfAuthorisationRequired: '1',
  period: [{ id: '1', description: '2 days' }],
  authorisersListA: [{ authoriserId: '501', name: 'T Naidoo' }],
  authorisersListB: null,
}

/** The reference of a waiting payment, for examples. */
async function exampleWaiting(ask: Ask) {
  const { accounts } = await ask<{ accounts: Account[] }>('GET', '/za/pb/v1/accounts')
  const [{ beneficiaryId }] = await ask<[Beneficiary]>('GET', '/za/pb/v1/accounts/beneficiaries')
  const { accountId } = accounts[0]!
  await ask('PUT', `/_sandbox/accounts/${accountId}/authorisation`, exampleSetup)
  const references = { myReference: 'Housekeeping', theirReference: 'Naidoo March' }
  const { TransferResponses } = await ask<TransferResult>(
    'POST',
    `/za/pb/v1/accounts/${accountId}/paymultiple`,
    { paymentList: [{ beneficiaryId, amount: '120.50', ...references }] },
  )
  return { params: { reference: TransferResponses[0]!.PaymentReferenceNumber } }
}

export const payments = [
  defineEndpoint({
    method: 'PUT',
    path: '/_sandbox/accounts/{accountId}/authorisation',
    summary:
      'Set who must authorise payments from an account; "0" needs nobody, and no lists; the default periods are the current day and 1 to 10 working days',
    auth: 'control',
    body: SetupRequest,
    response: AuthorisationSetup,
    envelope: 'bare',
    problems: ['unknown-account', 'invalid-request'],
    example: { body: exampleSetup },
    handle: ({ bank, params: { accountId }, body }) => {
      const account = bank.account(accountId)
      const { numberOfAuthorisationRequired, period, authorisersListA = null, authorisersListB = null } = body
      const setup: AuthorisationSetup = {
        numberOfAuthorisationRequired,
        period: period ?? [...standardPeriods],
        authorisersListA,
        authorisersListB,
      }
      const errors = setupErrors(setup)
      if (errors.length > 0) throw invalid(errors)
      const authorisation = authorisersNeeded(setup) > 0 ? setup : null
      bank.setAccount({ ...account, authorisation })
      return authorisation ?? noAuthorisation
    },
  }),
  defineEndpoint({
    method: 'PUT',
    path: '/_sandbox/profiles/{profileId}/limits',
    summary: 'Set the limits of a profile: for one payment or transfer, and for all of a day',
    auth: 'control',
    body: LimitsBody,
    response: LimitsBody,
    envelope: 'bare',
    problems: ['unknown-profile', 'invalid-request'],
    example: { body: { payment: '5000.00', day: '20000.00' } },
    handle: ({ bank, params: { profileId }, body }) => {
      const profile = bank.profile(profileId)
      const errors: InputError[] = []
      const read = (name: 'payment' | 'day'): Cents | undefined => {
        const amount = body[name]
        if (amount === null) return undefined
        const cents = parseRand(amount)
        if (cents === undefined)
          errors.push({ path: `/${name}`, message: 'must be a positive amount of rand, or null' })
        return cents
      }
      const limits = { paymentCents: read('payment'), dayCents: read('day') }
      if (errors.length > 0) throw invalid(errors)
      bank.setProfile({ ...profile, limits })
      return body
    },
  }),
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/payments',
    summary: 'Transfers and payments that wait or waited for authorisation, oldest first',
    auth: 'control',
    query: {
      type: 'object',
      properties: { status: { enum: statuses, description: 'Only those in this state.' } },
    },
    response: record('PaymentsForAuthorisation', 'What needs or needed authorisation.', {
      payments: {
        ...listOf(PaymentForAuthorisation),
        description: 'Payments that need authorisation, oldest first.',
      },
    }),
    envelope: 'bare',
    problems: ['invalid-request'],
    handle: ({ bank, query: { status } }) => ({
      payments: bank.payments.waiting
        .filter((payment) => status === undefined || payment.status === status)
        .map(shown),
    }),
  }),
  defineEndpoint({
    method: 'POST',
    path: '/_sandbox/payments/{reference}/authorise',
    summary: 'All authorisers agree: the money moves, if funds and limits still suffice',
    auth: 'control',
    response: PaymentForAuthorisation,
    envelope: 'bare',
    problems: ['unknown-payment', 'not-waiting', 'payment-refused', 'unknown-account'],
    example: exampleWaiting,
    handle: ({ bank, params: { reference } }) => shown(bank.payments.authorise(reference)),
  }),
  defineEndpoint({
    method: 'POST',
    path: '/_sandbox/payments/{reference}/decline',
    summary: 'An authoriser declines: no money moves',
    auth: 'control',
    response: PaymentForAuthorisation,
    envelope: 'bare',
    problems: ['unknown-payment', 'not-waiting'],
    example: exampleWaiting,
    handle: ({ bank, params: { reference } }) => shown(bank.payments.decline(reference)),
  }),
]
