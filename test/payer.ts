// A client that pays, for tests: a sandbox with a token, the calls, and items that fit.

import type { Bank } from '../src/bank/bank.js'
import { Sandbox } from '../src/sandbox/sandbox.js'
import { everyday, savings, standardSignIn } from './ids.js'

export const nowMs = Date.parse('2026-03-25T08:00:00Z')
export const day = 86_400_000
export const nomsa = 'MTAxODc2NTQzMjAwMDE='
export const plumber = 'MTAxODc2NTQzMjAwMDI='

export interface Answer {
  status: number
  body: {
    data: Result & { transferResponse: Result }
    type: string
    errors: { path: string; message: string }[]
    payments: { reference: string; status: string; amount: number; lapsesAt: string }[]
    status: string
    detail: string
  }
}
interface Result {
  TransferResponses: {
    PaymentReferenceNumber: string
    PaymentDate: string
    Status: string
    BeneficiaryName: string
    BeneficiaryAccountId: string
    AuthorisationRequired: boolean
  }[]
  ErrorMessage: string | null
}

/** A sandbox with a token for one of the shipped API keys, and the whole state of its bank as text. */
export async function open(apiKey = 'sandbox-api-key', strict = false) {
  const sandbox = new Sandbox({ seed: 1, nowMs, strict })
  const bank = await sandbox.main.open()
  bank.catchUp()
  const client = sandbox.main.credentials.client(standardSignIn.clientId)!
  const key = client.apiKeys.find(({ key }) => key === apiKey)!
  const token = () => sandbox.main.credentials.issue(client, key, key.permissions, sandbox.main).token
  const send = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const headers = { authorization: `Bearer ${token()}`, 'content-type': 'application/json' }
    const reply = await sandbox.handle({ method, path, headers, body: body && JSON.stringify(body) } as never)
    return { status: reply.status, body: JSON.parse(reply.body as string) as Answer['body'] }
  }
  const transfer = (transferList: unknown, more: object = {}, from = everyday) =>
    send('POST', `/za/pb/v1/accounts/${from}/transfermultiple`, { transferList, ...more })
  const pay = (paymentList: unknown, from = everyday, more: object = {}) =>
    send('POST', `/za/pb/v1/accounts/${from}/paymultiple`, { paymentList, ...more })
  return { sandbox, bank, send, transfer, pay }
}

export const everything = (bank: Bank): string =>
  JSON.stringify([
    bank.accounts.map(({ accountId }) => [[...bank.book(accountId).entries], bank.book(accountId).holds]),
    bank.payments.state,
    bank.beneficiaries(),
    bank.random.stream('payments').state,
  ])

export const item = (more: object = {}) => ({
  beneficiaryAccountId: savings,
  amount: '10.12',
  myReference: 'To rainy day',
  theirReference: 'From everyday',
  ...more,
})
export const payment = (more: object = {}) => ({
  beneficiaryId: nomsa,
  amount: '10.12',
  myReference: 'Nomsa March',
  theirReference: 'Naidoo March',
  ...more,
})
