// Banks full of identifiers, and a service that answers them: for the tests that none of an owner's values survives a pull.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { Card, CodeRecord, ListedExecution, VariablesRecord } from '../src/bank/cards/card-records.js'
import { Account, Balance, Beneficiary, Profile, Transaction } from '../src/bank/records.js'
import type { PulledBank } from '../src/real-data/pulled-bank.js'
import { shaped } from '../src/real-data/shape.js'

const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789')), minLength: length, maxLength: length })
const word = fc.string({
  unit: fc.constantFrom(...Array.from('abcdefghijklmnopqrstuvwxyzéö')),
  minLength: 5,
  maxLength: 9,
})
const name = fc.tuple(word, word).map(([a, b]) => `${a} ${b}`.toUpperCase())

/** The values that identify the owner of a bank. */
export interface Originals {
  readonly ids: string[]
  readonly names: string[]
}

export const originals: fc.Arbitrary<Originals> = fc.record({
  ids: fc.uniqueArray(digits(13), { minLength: 8, maxLength: 8 }),
  names: fc.uniqueArray(name, { minLength: 6, maxLength: 6 }),
})

/** A bank in which every original value is in its field, and again in code, logs, variables and descriptions. */
export function bankOf({ ids, names }: Originals): PulledBank {
  const [id, number, profile, beneficiary, theirNumber, key, pan, phone] = ids
  const [owner, shop, payee, holder, , spelling] = names
  const everything = [...ids, ...names].join(' and ')
  const at = '2026-03-20T08:00:00Z'
  const account = {
    accountId: id,
    accountNumber: number!,
    accountName: owner!,
    referenceName: 'Everyday',
    productName: 'PrimeSaver',
    profileId: profile!,
    profileName: owner!,
  }
  const row = {
    accountId: id,
    description: shop!,
    cardNumber: pan!,
    postingDate: '2026-03-01',
    transactionDate: '2026-03-01',
    amount: 5,
    runningBalance: 5,
    postedOrder: 1,
  }
  const code = `// ${everything}\nconst a = "${everything}", ${spelling!.split(' ')[0]!.toLowerCase()} = 1 /* ${owner!} */\n\`${shop!}\``
  return {
    nowMs: Date.parse('2026-03-25T08:00:00Z'),
    profiles: [shaped(Profile, { profileId: profile, profileName: owner, defaultProfile: true })],
    categories: [],
    beneficiaries: [
      shaped(Beneficiary, {
        beneficiaryId: beneficiary,
        accountNumber: theirNumber,
        beneficiaryName: payee,
        name: spelling,
        cellNo: phone,
        emailAddress: 'some.body@home.example',
        referenceAccountNumber: payee,
        referenceName: payee,
        profileId: profile,
        categoryId: profile,
      }),
    ],
    accounts: [
      {
        account: shaped(Account, account),
        balance: shaped(Balance, { accountId: id, currency: 'ZAR' }),
        setup: undefined,
        rows: [shaped(Transaction, row)],
        pending: [shaped(Transaction, { ...row, description: `PAID ${everything}` })],
      },
    ],
    cards: [
      {
        card: shaped(Card, {
          CardKey: key,
          CardNumber: pan,
          AccountNumber: number,
          AccountId: id,
          EmbossedName: holder,
          IsProgrammable: true,
        }),
        embossedName2: names[4]!,
        saved: shaped(CodeRecord, { codeId: 'A', code, createdAt: at, updatedAt: at }),
        published: undefined,
        variables: shaped(VariablesRecord, { variables: { NOTE: everything } }),
        executions: [
          shaped(ListedExecution, {
            executionId: 'B',
            createdAt: at,
            startedAt: at,
            completedAt: at,
            updatedAt: at,
            logs: [{ createdAt: at, level: 'info', content: everything.toLowerCase() }],
          }),
        ],
      },
    ],
    missing: [],
  }
}

/** The service's answer to a GET of this bank; undefined for unknown paths. */
function answerOf(bank: PulledBank, path: string, query: URLSearchParams): unknown {
  const [{ account, balance, rows, pending }] = bank.accounts as [PulledBank['accounts'][number]]
  const [{ card, embossedName2, saved, variables, executions }] = bank.cards as [PulledBank['cards'][number]]
  const ownAccount = `/za/pb/v1/accounts/${account.accountId}`
  const ownCard = `/za/v1/cards/${card.CardKey}`
  const from = query.get('fromDate') ?? ''
  const to = query.get('toDate') ?? ''
  const posted = rows.filter(({ postingDate }) => postingDate! >= from && postingDate! <= to)
  const waiting = query.get('includePending') === 'true' ? pending : []
  const answers: Readonly<Record<string, unknown>> = {
    '/za/pb/v1/profiles': bank.profiles,
    '/za/pb/v1/accounts': { accounts: [account] },
    '/za/pb/v1/accounts/beneficiaries': bank.beneficiaries,
    '/za/pb/v1/accounts/beneficiarycategories': bank.categories,
    [`${ownAccount}/balance`]: balance,
    [`${ownAccount}/transactions`]: {
      transactions: [...waiting.map((row) => ({ ...row, status: 'PENDING' })), ...posted],
    },
    '/za/v1/cards': { cards: [card] },
    [ownCard]: { result: { EmbossName2: embossedName2 } },
    [`${ownCard}/code`]: { result: saved },
    [`${ownCard}/environmentvariables`]: { result: variables },
    [`${ownCard}/code/executions`]: { result: { executionItems: executions } },
  }
  return answers[path]
}

/** A service with the bank that was set last. */
export async function serveBanks() {
  let bank: PulledBank | undefined
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://bank.example')
    const data = request.method === 'GET' ? answerOf(bank!, pathname, searchParams) : undefined
    const body =
      request.method === 'POST' ? { access_token: 'x', expires_in: 1799 } : { data, meta: { totalPages: 1 } }
    response
      .writeHead(request.method === 'GET' && data === undefined ? 404 : 200, {
        'content-type': 'application/json',
        date: new Date(bank!.nowMs).toUTCString(),
      })
      .end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    give: (next: PulledBank) => void (bank = next),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
