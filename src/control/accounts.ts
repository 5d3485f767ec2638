// Changes accounts: opens one, changes it, and posts money that enters or leaves.

import type { Bank } from '../bank/bank.js'
import type { AccountRecord } from '../bank/client-records.js'
import { parseSignedRand, toRand } from '../bank/money.js'
import { Account, rowTypes, Transaction, usualRowType } from '../bank/records.js'
import { postedRow } from '../bank/ledger/transactions.js'
import { defineEndpoint } from '../endpoint/endpoint.js'
import { invalid, type InputError } from '../protocol/problem.js'
import { productNames } from '../bank/products.js'
import { isoDate, record } from '../protocol/schema.js'
import { amount, readCents, readPastDay } from './amount.js'

const text = (description: string) => ({ type: 'string', minLength: 1, maxLength: 100, description }) as const

/** An account as the control API shows it. */
const AccountReading = record('AccountReading', 'An account and its overdraft limit.', {
  ...Account.properties,
  overdraft: { type: 'number', description: 'Rand.' },
  currentBalance: { type: 'number', description: 'Rand.' },
})

const show = (bank: Bank, account: AccountRecord) => ({
  ...bank.accountOnWire(account),
  overdraft: toRand(account.overdraftCents),
  currentBalance: toRand(bank.book(account.accountId).balanceCents),
})

/** The cents of an overdraft in rand, which may be zero; undefined when none is given. */
function overdraftCents(overdraft: number | undefined): number | undefined {
  if (overdraft === undefined) return undefined
  const cents = parseSignedRand(overdraft)
  if (cents === undefined)
    throw invalid([{ path: '/overdraft', message: 'must be an amount of whole cents' }])
  return cents
}

const overdraft = { type: 'number', minimum: 0, maximum: 1_000_000_000, description: 'Rand.' } as const

export const accounts = [
  defineEndpoint({
    method: 'POST',
    path: '/_sandbox/accounts',
    summary: 'Open an account, without money',
    auth: 'control',
    body: {
      title: 'AccountRequest',
      type: 'object',
      properties: {
        productName: { enum: productNames, description: 'The product, which decides what the account is.' },
        profileId: text('Whose it is: the default profile when nothing is said.'),
        accountName: text('The name of its owner.'),
        referenceName: text('The name that its owner has given it.'),
        overdraft,
      },
      additionalProperties: false,
    },
    response: AccountReading,
    envelope: 'bare',
    problems: ['unknown-profile'],
    example: { body: { productName: 'PrimeSaver', referenceName: 'Holiday' } },
    handle: ({ bank, body: { overdraft, ...given } }) =>
      show(bank, bank.openAccount({ ...given, overdraftCents: overdraftCents(overdraft) })),
  }),
  defineEndpoint({
    method: 'PUT',
    path: '/_sandbox/accounts/{accountId}',
    summary: 'Rename an account or change its overdraft; omitted fields stay',
    auth: 'control',
    body: {
      title: 'AccountChange',
      type: 'object',
      properties: {
        accountName: text('The name of its owner.'),
        referenceName: text('The name that its owner has given it.'),
        overdraft,
      },
      minProperties: 1,
      additionalProperties: false,
    },
    response: AccountReading,
    envelope: 'bare',
    problems: ['unknown-account'],
    example: { body: { referenceName: 'Groceries', overdraft: 5000 } },
    handle: ({ bank, params: { accountId }, body: { overdraft, ...names } }) =>
      show(bank, bank.changeAccount(accountId, { ...names, overdraftCents: overdraftCents(overdraft) })),
  }),
  defineEndpoint({
    method: 'POST',
    path: '/_sandbox/accounts/{accountId}/entries',
    summary:
      'Post money that enters or leaves: a salary, a debit order, a fee; posted now, with an earlier date if one is given',
    auth: 'control',
    body: {
      title: 'EntryRequest',
      type: 'object',
      properties: {
        type: { enum: ['CREDIT', 'DEBIT'], description: 'Whether money comes (CREDIT) or leaves (DEBIT).' },
        amount,
        description: { type: 'string', minLength: 1, maxLength: 200, description: 'The text of the row.' },
        transactionType: {
          enum: rowTypes,
          description: 'Default: Deposits or DebitOrders.',
        },
        date: {
          ...isoDate,
          description: 'The transaction, value and action date of the row, which posts today.',
        },
      },
      required: ['type', 'amount', 'description'],
      additionalProperties: false,
    },
    response: Transaction,
    envelope: 'bare',
    problems: ['unknown-account'],
    example: { body: { type: 'CREDIT', amount: '25000.00', description: 'SALARY ACME' } },
    handle: ({ bank, params: { accountId }, body: { type, amount, description, transactionType, date } }) => {
      bank.account(accountId)
      const errors: InputError[] = []
      const cents = readCents(amount, '/amount', errors)
      const day = readPastDay(date, bank.today(), '/date', errors)
      if (errors.length > 0) throw invalid(errors)
      const entry = bank.enter(accountId, {
        direction: type,
        cents,
        transactionType: transactionType ?? usualRowType(type),
        description,
        ...(date !== undefined && { valueDay: day, actionDay: day, transactionDay: day }),
      })
      return postedRow(accountId, entry)
    },
  }),
]
