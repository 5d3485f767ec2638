import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { anonymise, survivors } from './anonymise.js'
import { looksSecret } from './secret-literals.js'
import type { PulledBank } from './pulled-bank.js'
import { shaped } from './shape.js'
import { bankOf, originals } from '../../test/generated-bank.js'
import { Transaction } from '../bank/records.js'
import { withCheckDigit } from '../bank/cards/cards.js'
import { CodeRecord } from '../bank/cards/card-records.js'

test('no original value survives, in any place', () => {
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

const plain = {
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

/** The same bank with this code on its card. */
function withCode(code: string): PulledBank {
  const bank = bankOf(plain)
  const [card] = bank.cards as [PulledBank['cards'][number]]
  return { ...bank, cards: [{ ...card, saved: shaped(CodeRecord, { codeId: 'A', code }) }] }
}
const codeOf = ({ bank }: { bank: PulledBank }): string => bank.cards[0]!.saved!.code

test('values of any form have a replacement, each a different one', () => {
  const ids = fc.uniqueArray(
    fc.string({ unit: fc.constantFrom(...Array.from('019 -/aÉx*')), maxLength: 3 }),
    {
      minLength: 40,
      maxLength: 40,
      selector: (value) => value.trim().toUpperCase().replace(/\s+/g, ' '),
    },
  )
  fc.assert(
    fc.property(ids, (given) => {
      const { bank, counts } = anonymise({
        ...bankOf(plain),
        categories: given.map((CategoryId) => ({
          CategoryId,
          DefaultCategory: 'false',
          CategoryName: 'Home',
          profileId: '-',
        })),
      })
      const fresh = bank.categories.map(({ CategoryId }) => CategoryId)
      const telling = given.filter((value) => /[\p{L}\p{N}]/u.test(value))
      expect(new Set(fresh).size).toBe(given.length)
      expect(fresh.filter((value) => telling.includes(value))).toEqual([])
      expect(fresh.filter((value) => given.includes(value)).sort()).toEqual(
        given.filter((value) => !telling.includes(value)).sort(),
      )
      expect(counts.get('category')).toBe(telling.length + 1)
      expect(bank.categories[0]!.profileId).toBe('-')
    }),
    { numRuns: 50 },
  )
})

test('a replacement never contains an original, such as a surname of its own list', () => {
  const names = ['VENTER', 'CEDAR', 'PILLAY', 'MARAIS', 'JOUBERT', 'AMBER GROCER']
  const { bank } = anonymise(bankOf({ ...plain, names }))
  const text = JSON.stringify(bank).toUpperCase()
  expect(names.filter((name) => text.includes(name))).toEqual([])
  expect(survivors(bank, bankOf({ ...plain, names }))).toEqual([])
})

test('code names the replaced accounts and beneficiaries, and runs as before', () => {
  const given = withCode(`const limit = 86400000000, rent = 5
const account = "${plain.ids[1]!}", beneficiary = 'MTAxODc2NTQzMjAwMDE=', id = ${plain.ids[0]!}
const mail = 'https://api.example.com/v1/accounts/12?key=4eC39HqLyjWDarjtT1zdp7dc' // of Corner Shop
const botha = 'application/x-www-form-urlencoded', rents = rent + 1`)
  const [{ beneficiaryId, ...beneficiary }] = given.beneficiaries as [PulledBank['beneficiaries'][number]]
  const withId = {
    ...beneficiary,
    beneficiaryId: 'MTAxODc2NTQzMjAwMDE=',
    name: 'BOTHA',
    beneficiaryName: 'rent',
  }
  expect(beneficiaryId).toBe(plain.ids[3])
  const [account] = given.accounts as [PulledBank['accounts'][number]]
  const rows = [...account.rows, { ...account.rows[0]!, description: 'Rent' }]
  const bank = {
    ...given,
    beneficiaries: [{ ...withId, beneficiaryName: '' }],
    accounts: [{ ...account, rows }],
  }
  const result = anonymise(bank)
  const { accounts, beneficiaries } = result.bank
  const [first, second, third, fourth] = codeOf(result).split('\n')
  expect(first).toBe('const limit = 86400000000, rent = 5')
  expect(second).toBe(
    `const account = "${accounts[0]!.account.accountNumber}", beneficiary = '${beneficiaries[0]!.beneficiaryId}', id = ${accounts[0]!.account.accountId}`,
  )
  expect(third).toBe(
    `const mail = 'https://api.example.com/v1/accounts/12?key=masked-secret-1' // of ${accounts[0]!.rows[0]!.description}`,
  )
  expect(fourth).toMatch(/^const [A-Z]+_[A-Z]+ = 'application\/x-www-form-urlencoded', rents = rent \+ 1$/)
  expect(result.review).toEqual([
    'A literal of 24 characters in card 1, saved code looked like a secret and was masked.',
    'In card 1, saved code names or numbers outside of strings were replaced; see that it still runs.',
    'The variable NOTE of card 1 keeps its value, with known values replaced.',
  ])
  expect(survivors(result.bank, bank)).toEqual([])
})

test.each([
  ['ONLINE SHOPPING CARD', true, true],
  ['ONLINE SHOPPING CARD', false, false],
  ['A BOTHA', true, false],
])('%p on a card, virtual: %p, stays: %p', (EmbossedName, IsVirtualCard, stays) => {
  const given = bankOf(plain)
  const [card] = given.cards as [PulledBank['cards'][number]]
  const { bank } = anonymise({
    ...given,
    cards: [{ ...card, card: { ...card.card, EmbossedName, IsVirtualCard } }],
  })
  expect(bank.cards[0]!.card.EmbossedName === EmbossedName).toBe(stays)
})

test('a number in a text keeps a valid check digit', () => {
  const { bank } = anonymise(withCode("'8001015009087 and 4000000000000002'"))
  const [, ...numbers] = /'(\d{13}) and (\d{16})'/.exec(codeOf({ bank }))!
  for (const number of numbers) expect(withCheckDigit(number.slice(0, -1))).toBe(number)
  expect(numbers).not.toContain('8001015009087')
})

test('the same value is always replaced by the same text, and digits keep their form', () => {
  const { bank, counts } = anonymise(bankOf(plain))
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
