// Transfers and payments: service-interface "Transfers and payments", and the older form of transfers beside it.

import type { Bank } from '../bank/bank.js'
import type { ApiKeyRecord } from '../bank/credentials.js'
import { PaymentItem, TransferItem, TransferResult, type Account, type Beneficiary } from '../bank/records.js'
import { defineEndpoint, type Ask } from '../endpoint.js'
import { invalid, Problem, type Fault } from '../problem.js'
import { record, type Schema } from '../schema.js'
import { guardAccount } from './accounts.js'

/** Items in one request, at most. Documented for payments; transfers are held to the same. */
const maxItems = 50

/** Money may go only where the key may look; an account that does not exist is left to the bank to refuse. */
function guardTargets(bank: Bank, apiKey: ApiKeyRecord, transferList: readonly TransferItem[]): void {
  const known = new Set(bank.accounts.map(({ accountId }) => accountId))
  for (const { beneficiaryAccountId } of transferList)
    if (known.has(beneficiaryAccountId)) guardAccount(bank, apiKey, beneficiaryAccountId)
}

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

const givenProfile = (id: string | null | undefined): string | undefined =>
  id === null || id === '' ? undefined : id

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

type Fields = Readonly<Record<string, unknown>>

/** The older body in the newer form, and how its sender spells a path of the newer form. */
function readOldTransfer(body: Fields) {
  const faults: Fault[] = []
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
  const list = (outer.transferList ?? []) as Fields[]
  const listName = spelled(body, 'transferList')
  const items = list.map((item, index) =>
    read(item, `/${listName}/${index}`, Object.keys(TransferItem.properties), TransferItem.required),
  )
  if (faults.length > 0) throw invalid(faults)
  return {
    accountId: outer.accountId as string,
    transferList: items as TransferItem[],
    profileId: givenProfile(outer.profileId as string | null | undefined),
    spelledPath: (path: string): string => {
      const [, first = '', index, name] = path.split('/')
      if (index === undefined) return `/${spelled(body, first)}`
      return `/${listName}/${index}/${spelled(list[Number(index)] ?? {}, name ?? '')}`
    },
  }
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
    handle: ({ bank, grant, body }) => {
      const { accountId, transferList, profileId, spelledPath } = readOldTransfer(body)
      guardAccount(bank, grant.apiKey, accountId)
      guardTargets(bank, grant.apiKey, transferList)
      try {
        return { transferResponse: bank.payments.transfer(accountId, transferList, profileId) }
      } catch (error) {
        if (!(error instanceof Problem) || !error.more.errors) throw error
        throw invalid(error.more.errors.map(({ path, message }) => ({ path: spelledPath(path), message })))
      }
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
    handle: ({ bank, params: { accountId }, body }) =>
      bank.payments.pay(accountId, body.paymentList, givenProfile(body.profileId)),
  }),
]
