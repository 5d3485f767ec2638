// What the client does with beneficiaries in online banking: add one, pay it once, remove it.

import type { Bank } from '../bank/bank.js'
import { lastPayment, neverPaid, type BeneficiaryRecord } from '../bank/payments/beneficiaries.js'
import { parseDay } from '../determinism/day.js'
import { Beneficiary } from '../bank/records.js'
import { defineEndpoint } from '../endpoint/endpoint.js'
import { invalid, Problem, type InputError } from '../protocol/problem.js'
import { isoDate, record } from '../protocol/schema.js'
import { amount, readCents } from './amount.js'

const text = (description: string) => ({ type: 'string', minLength: 1, maxLength: 100, description }) as const

function shown(record: BeneficiaryRecord): Beneficiary {
  const beneficiary = { ...record }
  delete beneficiary.approvedPublic
  return beneficiary
}

/** Throws `unknown-beneficiary`. */
function find(bank: Bank, beneficiaryId: string): BeneficiaryRecord {
  const beneficiary = bank.beneficiary(beneficiaryId)
  if (beneficiary) return beneficiary
  throw new Problem(
    'unknown-beneficiary',
    `No beneficiary ${JSON.stringify(beneficiaryId.slice(0, 60))}; GET /za/pb/v1/accounts/beneficiaries lists them.`,
  )
}

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
        beneficiaryName: text('Whom it is.'),
        accountNumber: {
          type: 'string',
          pattern: '^[0-9]{5,20}$',
          description: 'An account number of 5 to 20 digits.',
        },
        bank: text('The name of the bank.'),
        code: { type: 'string', pattern: '^[0-9]{6}$', description: 'A branch code of 6 digits.' },
        profileId: text('Whose it is: the default profile when nothing is said.'),
        reference: text('What stands on both statements.'),
        cellNo: text('A telephone number.'),
        emailAddress: text('An address.'),
        fasterPaymentAllowed: { type: 'boolean' },
        paid: { type: 'boolean', description: 'Whether it has been paid once already.' },
      },
      required: ['beneficiaryName', 'accountNumber'],
      additionalProperties: false,
    },
    response: Beneficiary,
    envelope: 'bare',
    problems: ['unknown-profile'],
    example: added,
    handle: ({ bank, body }) => {
      const { profileId = bank.profiles.find((each) => each.defaultProfile)!.profileId } = body
      bank.profile(profileId)
      const stream = bank.random.stream('beneficiaries')
      let beneficiaryId: string
      do beneficiaryId = Buffer.from(stream.digits(14)).toString('base64')
      while (bank.beneficiary(beneficiaryId))
      const { beneficiaryName, reference = beneficiaryName } = body
      const category = bank.categories(profileId).find(({ DefaultCategory }) => DefaultCategory === 'true')
      const beneficiary: BeneficiaryRecord = {
        beneficiaryId,
        accountNumber: body.accountNumber,
        code: body.code ?? '250655',
        bank: body.bank ?? 'Example Bank',
        beneficiaryName,
        lastPaymentAmount: '0.00',
        lastPaymentDate: neverPaid,
        cellNo: body.cellNo ?? null,
        emailAddress: body.emailAddress ?? null,
        name: beneficiaryName,
        referenceAccountNumber: reference,
        referenceName: reference,
        categoryId: category?.CategoryId ?? '',
        profileId,
        fasterPaymentAllowed: body.fasterPaymentAllowed ?? true,
        ...(body.paid && lastPayment(100, bank.today())),
      }
      bank.setBeneficiary(beneficiary)
      bank.tell('beneficiary', { beneficiaryId, change: 'added' })
      return shown(beneficiary)
    },
  }),
  defineEndpoint({
    method: 'POST',
    path: '/_sandbox/beneficiaries/{beneficiaryId}/paid',
    summary: 'Mark a beneficiary as paid in the online channel, which lets the API pay it; no money moves',
    auth: 'control',
    body: {
      title: 'PaidRequest',
      type: 'object',
      properties: { amount, date: { ...isoDate, description: 'Today when nothing is said.' } },
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
      const before = find(bank, beneficiaryId)
      const faults: InputError[] = []
      const cents = readCents(amount, '/amount', faults)
      const day = date === undefined ? bank.today() : parseDay(date)!
      if (day > bank.today())
        faults.push({ path: '/date', message: "must not come after the sandbox's today" })
      if (faults.length > 0) throw invalid(faults)
      const beneficiary = { ...before, ...lastPayment(cents, day) }
      bank.setBeneficiary(beneficiary)
      bank.tell('beneficiary', { beneficiaryId, change: 'paid' })
      return shown(beneficiary)
    },
  }),
  defineEndpoint({
    method: 'DELETE',
    path: '/_sandbox/beneficiaries/{beneficiaryId}',
    summary: 'Remove a beneficiary',
    auth: 'control',
    response: record('Removed', 'What was removed.', { removed: { type: 'string' } }),
    envelope: 'bare',
    problems: ['unknown-beneficiary'],
    example: async (ask) => {
      const { beneficiaryId } = await ask<Beneficiary>('POST', '/_sandbox/beneficiaries', added.body)
      return { params: { beneficiaryId } }
    },
    handle: ({ bank, params: { beneficiaryId } }) => {
      find(bank, beneficiaryId)
      bank.removeBeneficiary(beneficiaryId)
      bank.tell('beneficiary', { beneficiaryId, change: 'removed' })
      return { removed: beneficiaryId }
    },
  }),
]
