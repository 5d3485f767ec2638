// Transfers and payments, and the older form of transfers.

import type { Bank } from '../bank/bank.js'
import type { Loose } from '../bank/payments/payments.js'
import type { ApiKeyRecord } from '../bank/credentials.js'
import { PaymentItem, TransferItem, TransferResult, type Account, type Beneficiary } from '../bank/records.js'
import { defineEndpoint, type Ask } from '../endpoint/endpoint.js'
import { isJsonObject, type JsonObject } from '../protocol/json.js'
import { invalid, type InputError } from '../protocol/problem.js'
import { maxIdLength, record, type Schema } from '../protocol/schema.js'
import { guardAccount } from './accounts.js'

/** The most items in one request. Documented for payments; the same limit applies to transfers. */
const maxItems = 50

/** Money may only go to accounts that the key may access; the bank refuses accounts that do not exist. */
function guardTargets(bank: Bank, apiKey: ApiKeyRecord, transferList: readonly Loose<TransferItem>[]): void {
  const targets = new Set(transferList.map(({ beneficiaryAccountId }) => beneficiaryAccountId))
  for (const { accountId } of bank.accounts) if (targets.has(accountId)) guardAccount(bank, apiKey, accountId)
}

const fieldsOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})

const itemsOf = (list: unknown): JsonObject[] =>
  Array.isArray(list) ? list.slice(0, maxItems).map(fieldsOf) : []

const profileId = {
  type: ['string', 'null'],
  maxLength: maxIdLength,
  description:
    'When given, the paying account and the targets of transfers must belong to this profile. Null and blank count as omitted.',
} as const

const givenProfile = (id: unknown): string | undefined =>
  typeof id === 'string' && id !== '' ? id : undefined

/** The older body, which contains the paying account. */
const OldTransfer = {
  title: 'OldTransfer',
  description: 'Transfers, with the paying account in the body.',
  type: 'object',
  properties: {
    accountId: { type: 'string', maxLength: maxIdLength, description: 'The account that pays.' },
    transferList: {
      type: 'array',
      minItems: 1,
      maxItems,
      items: TransferItem,
      description: '1 to 50 transfers. All are made, or none.',
    },
    profileId,
  },
  required: ['accountId', 'transferList'],
  additionalProperties: false,
} as const satisfies Schema

/** The errors that the bank finds in an older body. Throws `account-refused`. */
function oldTransferErrors(bank: Bank, apiKey: ApiKeyRecord, body: JsonObject): readonly InputError[] {
  const { accountId, transferList, profileId } = body
  const source = bank.accounts.find((account) => account.accountId === accountId)
  if (source) guardAccount(bank, apiKey, source.accountId)
  const items = itemsOf(transferList)
  guardTargets(bank, apiKey, items)
  const errors = bank.payments.transferErrors(source, items, givenProfile(profileId))
  if (source || typeof accountId !== 'string') return errors
  return [{ path: '/accountId', message: 'is not an account of the client' }, ...errors]
}

const exampleTransfer = async (ask: Ask) => {
  const { accounts } = await ask<{ accounts: Account[] }>('GET', '/za/pb/v1/accounts')
  const [from, to] = accounts
  const references = { myReference: 'Rainy day', theirReference: 'From everyday' }
  return {
    from: from!.accountId,
    transferList: [{ beneficiaryAccountId: to!.accountId, amount: '250.00', ...references }],
  }
}

const examplePayments = async (ask: Ask) => {
  const [first] = await ask<Beneficiary[]>('GET', '/za/pb/v1/accounts/beneficiaries')
  const { beneficiaryId } = first!
  return [{ beneficiaryId, amount: '120.50', myReference: 'Housekeeping', theirReference: 'Naidoo March' }]
}

export const payments = [
  defineEndpoint({
    method: 'POST',
    path: '/za/pb/v1/accounts/{accountId}/transfermultiple',
    name: 'transfer',
    summary:
      'Transfers to other accounts of the client, all or none; insufficient funds and exceeded limits are reported in ErrorMessage',
    auth: 'token',
    permission: 'transfers',
    body: {
      title: 'Transfers',
      type: 'object',
      properties: {
        transferList: {
          type: 'array',
          minItems: 1,
          maxItems,
          items: TransferItem,
          description: '1 to 50 transfers. All are made, or none.',
        },
        profileId,
      },
      required: ['transferList'],
      additionalProperties: false,
    },
    response: TransferResult,
    envelope: 'links',
    problems: ['unknown-account', 'account-refused', 'invalid-request'],
    example: async (ask) => {
      const { transferList } = await exampleTransfer(ask)
      return { body: { transferList } }
    },
    bankErrors: ({ bank, grant, params: { accountId }, body }) => {
      const { transferList, profileId } = fieldsOf(body)
      const items = itemsOf(transferList)
      guardTargets(bank, grant.apiKey, items)
      return bank.payments.transferErrors(bank.account(accountId), items, givenProfile(profileId))
    },
    handle: ({ bank, grant, params: { accountId }, body }) => {
      const { transferList } = body
      guardTargets(bank, grant.apiKey, transferList)
      return bank.payments.transfer(accountId, transferList, givenProfile(body.profileId))
    },
  }),
  defineEndpoint({
    method: 'POST',
    path: '/za/pb/v1/accounts/transfermultiple',
    name: 'transferOldForm',
    summary: 'The older form of transfers: the paying account is in the body',
    auth: 'token',
    permission: 'transfers',
    body: OldTransfer,
    response: record('OldTransferResult', 'The result, one level deeper.', {
      transferResponse: TransferResult,
    }),
    envelope: 'links',
    problems: ['unknown-account', 'account-refused', 'invalid-request'],
    example: async (ask) => {
      const { from, transferList } = await exampleTransfer(ask)
      return { body: { accountId: from, transferList } }
    },
    bankErrors: ({ bank, grant, body }) => oldTransferErrors(bank, grant.apiKey, fieldsOf(body)),
    handle: ({ bank, grant, body }) => {
      const { accountId, transferList } = body
      const isKnown = bank.accounts.some((account) => account.accountId === accountId)
      const errors = isKnown ? [] : oldTransferErrors(bank, grant.apiKey, body)
      // An unknown account alone is refused with the words of the newer form.
      if (errors.length > 1) throw invalid(errors)
      guardAccount(bank, grant.apiKey, accountId)
      guardTargets(bank, grant.apiKey, transferList)
      return {
        transferResponse: bank.payments.transfer(accountId, transferList, givenProfile(body.profileId)),
      }
    },
  }),
  defineEndpoint({
    method: 'POST',
    path: '/za/pb/v1/accounts/{accountId}/paymultiple',
    name: 'pay',
    summary:
      'Payments to beneficiaries, all or none; insufficient funds and exceeded limits are reported in ErrorMessage',
    auth: 'token',
    permission: 'beneficiarypayments',
    body: {
      title: 'Payments',
      type: 'object',
      properties: {
        paymentList: {
          type: 'array',
          minItems: 1,
          maxItems,
          items: PaymentItem,
          description: '1 to 50 payments. All are made, or none.',
        },
        profileId,
      },
      required: ['paymentList'],
      additionalProperties: false,
    },
    response: TransferResult,
    envelope: 'links',
    problems: ['unknown-account', 'account-refused', 'invalid-request'],
    example: async (ask) => ({ body: { paymentList: await examplePayments(ask) } }),
    bankErrors: ({ bank, params: { accountId }, body }) => {
      const { paymentList, profileId } = fieldsOf(body)
      return bank.payments.paymentErrors(
        bank.account(accountId),
        itemsOf(paymentList),
        givenProfile(profileId),
      )
    },
    handle: ({ bank, params: { accountId }, body }) =>
      bank.payments.pay(accountId, body.paymentList, givenProfile(body.profileId)),
  }),
]
