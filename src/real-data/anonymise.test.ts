import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { anonymise, looksSecret } from './anonymise.js'
import type { PulledBank } from './pulled-bank.js'
import { shaped } from './shape.js'
import { Account, Balance, Beneficiary, Profile, Transaction } from '../bank/records.js'
import { Card, CodeRecord, ListedExecution, VariablesRecord } from '../bank/cards/card-records.js'

const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789')), minLength: length, maxLength: length })
const word = fc.string({
  unit: fc.constantFrom(...Array.from('abcdefghijklmnopqrstuvwxyzéö')),
  minLength: 5,
  maxLength: 9,
})
const name = fc.tuple(word, word).map(([a, b]) => `${a} ${b}`.toUpperCase())

interface Originals {
  readonly ids: string[]
  readonly names: string[]
}

const originals: fc.Arbitrary<Originals> = fc.record({
  ids: fc.uniqueArray(digits(13), { minLength: 8, maxLength: 8 }),
  names: fc.uniqueArray(name, { minLength: 6, maxLength: 6 }),
})

/** A bank in which every original stands in its field, and again in code, logs, variables and descriptions. */
function bankOf({ ids, names }: Originals): PulledBank {
  const [id, number, profile, beneficiary, theirNumber, key, pan, phone] = ids
  const [owner, shop, payee, holder, , spelling] = names
  const everything = [...ids, ...names].join(' and ')
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
        saved: shaped(CodeRecord, { codeId: 'A', code }),
        published: undefined,
        variables: shaped(VariablesRecord, { variables: { NOTE: everything } }),
        executions: [
          shaped(ListedExecution, {
            executionId: 'B',
            logs: [{ level: 'info', content: everything.toLowerCase() }],
          }),
        ],
      },
    ],
    missing: [],
  }
}

test('no original value survives, wherever it stood', () => {
  fc.assert(
    fc.property(originals, (given) => {
      const text = JSON.stringify(anonymise(bankOf(given)).bank).toUpperCase()
      const left = [...given.ids, ...given.names, 'SOME.BODY@HOME.EXAMPLE'].filter((value) =>
        text.includes(value.toUpperCase()),
      )
      expect(left).toEqual([])
    }),
    { numRuns: 200 },
  )
})

test('the same value is always replaced by the same text, and digits keep their form', () => {
  const given = {
    ids: [
      '1000000000001',
      '1002003004005',
      '3000000000003',
      '4000000000004',
      '5000000000005',
      '6000000',
      '4022610000000011',
      '+27821234567',
    ],
    names: ['ANNA BOTHA', 'CORNER SHOP', 'PETER PAYEE', 'ANNA BOTHA', 'X', 'PIET PAYEE', 'Y', 'Z'],
  }
  const { bank, counts } = anonymise(bankOf(given))
  const [{ account, rows }] = bank.accounts as [(typeof bank.accounts)[number]]
  const [{ card }] = bank.cards as [(typeof bank.cards)[number]]
  expect(card.AccountId).toBe(account.accountId)
  expect(card.EmbossedName).toBe(account.accountName)
  expect(rows[0]!.cardNumber).toBe(card.CardNumber)
  expect(account.accountNumber).toMatch(/^100[0-9]{10}$/)
  expect(card.CardNumber).toMatch(/^402261[0-9]{10}$/)
  expect(bank.beneficiaries[0]!.cellNo).toMatch(/^\+[0-9]{11}$/)
  expect(account.productName).toBe('PrimeSaver')
  expect(counts.get('account id')).toBe(1)
})

test('an amount moves by no more than the jitter, and running balances follow', () => {
  const rows = Array.from({ length: 50 }, (_, index) => ({
    ...shaped(Transaction, {}),
    type: index % 3 === 0 ? ('CREDIT' as const) : ('DEBIT' as const),
    amount: 100 + index,
    runningBalance: 0,
    postedOrder: index + 1,
    postingDate: '2026-03-01',
  }))
  let cents = 0
  for (const row of rows)
    row.runningBalance = (cents += (row.type === 'CREDIT' ? 1 : -1) * row.amount * 100) / 100
  const before = bankOf({
    ids: Array.from({ length: 8 }, (_, i) => `${i}123456789012`),
    names: 'ABCDEFGH'.split(''),
  })
  const bank = { ...before, accounts: [{ ...before.accounts[0]!, rows }] }
  const moved = anonymise(bank, { jitterPercent: 5 }).bank.accounts[0]!.rows
  let balance = 0
  moved.forEach((row, index) => {
    expect(Math.abs(row.amount / rows[index]!.amount - 1)).toBeLessThanOrEqual(0.0500001)
    balance += Math.round((row.type === 'CREDIT' ? 1 : -1) * row.amount * 100)
    expect(Math.round(row.runningBalance * 100)).toBe(balance)
  })
  expect(moved.some((row, index) => row.amount !== rows[index]!.amount)).toBe(true)
})

test.each([
  ['sk_live_4eC39HqLyjWDarjtT1zdp7dc', true],
  ['eyJhbGciOiJIUzI1NiJ9abcdefgh', true],
  ['9f86d081884c7d659a2feaa0c55ad015', true],
  ['https://api.example.com/v1/things/12345', false],
  ['beforeTransactionHandler', false],
  ['a-long-name-of-lower-case-words', false],
  ['short', false],
])('%p looks like a secret: %p', (text, expected) => {
  expect(looksSecret(text)).toBe(expected)
})
