// The client's beneficiaries in online banking: add one, pay it once, remove it.

import { beneficiaryOnWire } from '../bank/payments/beneficiaries.js'
import { Beneficiary } from '../bank/records.js'
import { defineEndpoint } from '../endpoint/endpoint.js'
import { invalid, type InputError } from '../protocol/problem.js'
import { isoDate } from '../protocol/schema.js'
import { Removed } from './deletion.js'
import { amount, readCents, readPastDay } from './amount.js'

const text = (description: string) => ({ type: 'string', minLength: 1, maxLength: 100, description }) as const

const added = { body: { beneficiaryName: 'Corner Garage', accountNumber: '62009998887' } } as const

export const beneficiaries = [
  defineEndpoint({
    method: 'POST',
    path: '/_sandbox/beneficiaries',
    summary: 'Add a beneficiary; the API can pay it once it has been paid in the online channel',
    auth: 'control',
    body: {
      title: 'BeneficiaryRequest',
      type: 'object',
      properties: {
        beneficiaryName: text('The name of the beneficiary.'),
        accountNumber: {
          type: 'string',
          pattern: '^[0-9]{5,20}$',
          description: 'An account number of 5 to 20 digits.',
        },
        bank: text('The name of the bank.'),
        code: { type: 'string', pattern: '^[0-9]{6}$', description: 'A branch code of 6 digits.' },
        profileId: text('The profile that owns it; default: the default profile.'),
        reference: text('The text on both statements.'),
        cellNo: text('A telephone number.'),
        emailAddress: text('An address.'),
        fasterPaymentAllowed: { type: 'boolean', description: 'Whether it can be paid at once.' },
        paid: { type: 'boolean', description: 'Whether it has been paid once already.' },
      },
      required: ['beneficiaryName', 'accountNumber'],
      additionalProperties: false,
    },
    response: Beneficiary,
    envelope: 'bare',
    problems: ['unknown-profile'],
    example: added,
    handle: ({ bank, body }) => beneficiaryOnWire(bank.addBeneficiary(body)),
  }),
  defineEndpoint({
    method: 'POST',
    path: '/_sandbox/beneficiaries/{beneficiaryId}/paid',
    summary: 'Mark a beneficiary as paid in the online channel, so that the API may pay it; no money moves',
    auth: 'control',
    body: {
      title: 'PaidRequest',
      type: 'object',
      properties: { amount, date: { ...isoDate, description: 'Default: today.' } },
      additionalProperties: false,
    },
    response: Beneficiary,
    envelope: 'bare',
    problems: ['unknown-beneficiary'],
    example: async (ask) => {
      const { beneficiaryId } = await ask<Beneficiary>('POST', '/_sandbox/beneficiaries', added.body)
      return { params: { beneficiaryId }, body: { amount: '250.00' } }
    },
    handle: ({ bank, params: { beneficiaryId }, body: { amount = '1.00', date } }) => {
      const errors: InputError[] = []
      const cents = readCents(amount, '/amount', errors)
      const day = readPastDay(date, bank.today(), '/date', errors)
      if (errors.length > 0) throw invalid(errors)
      return beneficiaryOnWire(bank.markPaid(beneficiaryId, cents, day))
    },
  }),
  defineEndpoint({
    method: 'DELETE',
    path: '/_sandbox/beneficiaries/{beneficiaryId}',
    summary: 'Remove a beneficiary',
    auth: 'control',
    response: Removed,
    envelope: 'bare',
    problems: ['unknown-beneficiary'],
    example: async (ask) => {
      const { beneficiaryId } = await ask<Beneficiary>('POST', '/_sandbox/beneficiaries', added.body)
      return { params: { beneficiaryId } }
    },
    handle: ({ bank, params: { beneficiaryId } }) => {
      bank.removeBeneficiary(beneficiaryId)
      return { removed: beneficiaryId }
    },
  }),
]
