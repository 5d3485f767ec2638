// Transfers and payments: service-interface "Transfers and payments", and the older form of transfers beside it.

import type { Bank } from '../bank/bank.js'
import type { Loose } from '../bank/payments/payments.js'
import type { ApiKeyRecord } from '../bank/credentials.js'
import { PaymentItem, TransferItem, TransferResult, type Account, type Beneficiary } from '../bank/records.js'
import { defineEndpoint, type Ask } from '../endpoint/endpoint.js'
import { invalid, type InputError } from '../protocol/problem.js'
import { record, type Schema } from '../protocol/schema.js'
import { guardAccount } from './accounts.js'

/** Items in one request, at most. Documented for payments; transfers are held to the same. */
const maxItems = 50

/** Money may go only where the key may look; an account that does not exist is left to the bank to refuse. */
function guardTargets(bank: Bank, apiKey: ApiKeyRecord, transferList: readonly Loose<TransferItem>[]): void {
  const targets = new Set(transferList.map(({ beneficiaryAccountId }) => beneficiaryAccountId))
  for (const { accountId } of bank.accounts) if (targets.has(accountId)) guardAccount(bank, apiKey, accountId)
}

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

const itemsOf = (list: unknown): Fields[] => (Array.isArray(list) ? list.map(fieldsOf) : [])

/** The item's fields in both spellings, none of them required by the schema: {@link readOldTransfer} reads them. */
const oldItemFields = {
  ...TransferItem.properties,
  ...Object.fromEntries(
    Object.entries<Schema>(TransferItem.properties).map(([name, field]) => [upperFirst(name), field]),
  ),
}

const oldList = {
  type: 'array',
  minItems: 1,
  maxItems,
  items: { type: 'object', properties: oldItemFields, additionalProperties: false },
} as const

const profileId = {
  type: ['string', 'null'],
  description:
    'When given, the account that pays must be of this profile, and so must those that transfers go to. Null and blank count as not given.',
} as const

const givenProfile = (id: unknown): string | undefined =>
  typeof id === 'string' && id !== '' ? id : undefined

/** The older body: clients in the field write every name with a capital, `AccountId` and `TransferList`. */
const OldTransfer = {
  title: 'OldTransfer',
  description: 'Transfers, with the account that pays in the body; names may begin with a capital.',
  type: 'object',
  properties: {
    accountId: { type: 'string', description: 'The account that pays.' },
    AccountId: { type: 'string', description: 'The account that pays.' },
    transferList: oldList,
    TransferList: oldList,
    profileId,
    ProfileId: profileId,
  },
  additionalProperties: false,
} as const satisfies Schema

/** The older body in the newer form, what is wrong with its names, and how its sender spells a path of the newer form. */
function readOldTransfer(body: Fields) {
  const faults: InputError[] = []
  const spelled = (fields: Fields, name: string) => (upperFirst(name) in fields ? upperFirst(name) : name)
  const read = (
    fields: Fields,
    at: string,
    names: readonly string[],
    required: readonly string[],
  ): Fields => {
    for (const name of names)
      if (name in fields && upperFirst(name) in fields)
        faults.push({ path: `${at}/${name}`, message: `is there twice, also as ${upperFirst(name)}` })
    for (const name of required)
      if (fields[spelled(fields, name)] === undefined)
        faults.push({ path: `${at}/${spelledLike(body, name)}`, message: 'is missing' })
    return Object.fromEntries(names.map((name) => [name, fields[spelled(fields, name)]]))
  }
  const outer = read(body, '', ['accountId', 'transferList', 'profileId'], ['accountId', 'transferList'])
  const list: unknown[] = Array.isArray(outer.transferList) ? outer.transferList : []
  const listName = spelled(body, 'transferList')
  const names = Object.keys(TransferItem.properties)
  const transferList = list.map((item, index) =>
    isFields(item) ? read(item, `/${listName}/${index}`, names, TransferItem.required) : {},
  )
  return {
    accountId: outer.accountId,
    transferList,
    profileId: givenProfile(outer.profileId),
    faults,
    spelledPath: (path: string): string => {
      const [, first = '', index, name] = path.split('/')
      if (index === undefined) return `/${spelled(body, first)}`
      return `/${listName}/${index}/${spelled(fieldsOf(list[Number(index)]), name ?? '')}`
    },
  }
}

/** The older body in the newer form, with everything that is wrong with it. Throws `account-refused`. */
function checkOldTransfer(bank: Bank, apiKey: ApiKeyRecord, body: Fields) {
  const { spelledPath, ...read } = readOldTransfer(body)
  const { accountId, transferList, profileId } = read
  const source = bank.accounts.find((account) => account.accountId === accountId)
  if (source) guardAccount(bank, apiKey, source.accountId)
  guardTargets(bank, apiKey, transferList)
  const ofBank = bank.payments.transferFaults(source, transferList, profileId)
  const faults = [
    ...read.faults,
    ...ofBank.map(({ path, message }) => ({ path: spelledPath(path), message })),
  ]
  if (!source && typeof accountId === 'string')
    faults.unshift({ path: spelledPath('/accountId'), message: 'is not an account of the client' })
  return { ...read, faults }
}

/** A missing name is spelled as its sender spells the others. */
const spelledLike = (body: Fields, name: string): string =>
  Object.keys(body).some((key) => /^[A-Z]/.test(key)) ? upperFirst(name) : name

function upperFirst(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
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
    summary:
      'Transfers to other accounts of the client, all or none; money or a limit that does not reach is said in ErrorMessage',
    auth: 'token',
    permission: 'transfers',
    body: {
      title: 'Transfers',
      type: 'object',
      properties: {
        transferList: { type: 'array', minItems: 1, maxItems, items: TransferItem },
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
      return bank.payments.transferFaults(bank.account(accountId), items, givenProfile(profileId))
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
    summary: 'The older form of transfers: the account that pays is in the body',
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
    bankErrors: ({ bank, grant, body }) =>
      isFields(body) ? checkOldTransfer(bank, grant.apiKey, body).faults : [],
    handle: ({ bank, grant, body }) => {
      const { accountId, transferList, profileId, faults } = checkOldTransfer(bank, grant.apiKey, body)
      // An unknown account alone is refused in the words of the newer form.
      if (faults.length === 1 && typeof accountId === 'string') bank.account(accountId)
      if (faults.length > 0) throw invalid(faults)
      const items = transferList as readonly Fields[] as readonly TransferItem[]
      return { transferResponse: bank.payments.transfer(accountId as string, items, profileId) }
    },
  }),
  defineEndpoint({
    method: 'POST',
    path: '/za/pb/v1/accounts/{accountId}/paymultiple',
    summary:
      'Payments to beneficiaries, all or none; money or a limit that does not reach is said in ErrorMessage',
    auth: 'token',
    permission: 'beneficiarypayments',
    body: {
      title: 'Payments',
      type: 'object',
      properties: {
        paymentList: { type: 'array', minItems: 1, maxItems, items: PaymentItem },
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
      return bank.payments.paymentFaults(
        bank.account(accountId),
        itemsOf(paymentList),
        givenProfile(profileId),
      )
    },
    handle: ({ bank, params: { accountId }, body }) =>
      bank.payments.pay(accountId, body.paymentList, givenProfile(body.profileId)),
  }),
]
