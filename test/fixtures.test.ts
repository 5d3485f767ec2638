import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { permissions } from '../src/bank/credentials.js'
import { parseDay } from '../src/determinism/day.js'
import { fixtures } from '../src/household/fixtures.js'

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8'))

const { accounts, beneficiaries, cards, categories, clients, profiles } = fixtures()
const profileIds = profiles.map(({ profileId }) => profileId)
const accountIds = accounts.map(({ accountId }) => accountId)

const collections = [
  'profiles',
  'accounts',
  'beneficiaries',
  'beneficiary-categories',
  'cards',
  'credentials',
] as const

test.each(collections)('fixtures/%s.json matches its schema', (name) => {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true })
  ajv.validate(read(`${name}.schema.json`) as object, read(`${name}.json`))
  expect(ajv.errors).toBeNull()
})

test.each(collections)(
  'the schema of fixtures/%s.json refuses an unknown field and a missing one',
  (name) => {
    const fits = new Ajv2020({ allowUnionTypes: true }).compile(read(`${name}.schema.json`) as object)
    const [first, ...rest] = read(`${name}.json`) as [object, ...object[]]
    expect(fits([{ ...first, extra: 1 }, ...rest])).toBe(false)
    const field = Object.keys(first)[0]!
    expect(fits([Object.fromEntries(Object.entries(first).filter(([key]) => key !== field)), ...rest])).toBe(
      false,
    )
    expect(fits([])).toBe(false)
  },
)

test('identifiers are unique', () => {
  for (const ids of [
    profileIds,
    accountIds,
    accounts.map(({ accountNumber }) => accountNumber),
    beneficiaries.map(({ beneficiaryId }) => beneficiaryId),
    categories.map(({ CategoryId }) => CategoryId),
    cards.map(({ cardKey }) => cardKey),
    cards.map(({ pan }) => pan),
    cards.map(({ pan }) => pan.slice(0, 6) + pan.slice(-4)),
    clients.flatMap(({ apiKeys }) => apiKeys.map(({ key }) => key)),
    accountIds.map((accountId) => accountId.slice(-5)),
  ])
    expect(new Set(ids).size).toBe(ids.length)
})

test('the targets of references exist', () => {
  for (const { profileId } of [...accounts, ...beneficiaries, ...categories])
    expect(profileIds).toContain(profileId)
  for (const { accountId } of cards) expect(accountIds).toContain(accountId)
  for (const { categoryId, profileId } of beneficiaries)
    expect(categories).toContainEqual(expect.objectContaining({ CategoryId: categoryId, profileId }))
  for (const { habits } of accounts)
    for (const { toAccountId } of habits.standingOrders ?? []) expect(accountIds).toContain(toAccountId)
  for (const { profileId, habits } of accounts)
    for (const { beneficiaryId } of habits.payments ?? [])
      expect(beneficiaries).toContainEqual(expect.objectContaining({ beneficiaryId, profileId }))
  for (const { apiKeys } of clients)
    for (const { accounts: allowed, permissions: permitted } of apiKeys) {
      if (allowed !== 'all') for (const accountId of allowed) expect(accountIds).toContain(accountId)
      for (const permission of permitted) expect(permissions).toContain(permission)
    }
})

test('account numbers and products match the kind of account', () => {
  const numbers = { current: /^100\d{8}$/, savings: /^\d{13}$/, loan: /^\d{9}$/ }
  const products = {
    current: ['Private Bank Account', 'Cash Management Account'],
    savings: ['PrimeSaver'],
    loan: ['Mortgage Loan Account', 'Instalment Sale Loan Account'],
  }
  for (const { accountNumber, kind, productName, habits } of accounts) {
    expect(accountNumber).toMatch(numbers[kind])
    expect(products[kind]).toContain(productName)
    expect(habits.openingCents < 0).toBe(kind === 'loan')
  }
  for (const product of Object.values(products).flat())
    expect(accounts.map(({ productName }) => productName)).toContain(product)
})

test('a beneficiary id is the base64 of 14 digits, and its last payment is a day that exists', () => {
  for (const { beneficiaryId, lastPaymentDate, lastPaymentAmount } of beneficiaries) {
    expect(atob(beneficiaryId)).toMatch(/^\d{14}$/)
    expect(btoa(atob(beneficiaryId))).toBe(beneficiaryId)
    if (lastPaymentDate === 'Never been Paid') expect(lastPaymentAmount).toBe('0.00')
    else expect(parseDay(lastPaymentDate.split('/').reverse().join('-'))).toBeDefined()
  }
  expect(beneficiaries.some(({ approvedPublic }) => approvedPublic)).toBe(true)
})

test('card numbers have valid check digits and belong to current accounts', () => {
  for (const { pan, accountId } of cards) {
    expect(pan).toMatch(/^402(167|261)\d{10}$/)
    expect(luhn(pan)).toBe(0)
    expect(accounts.find((account) => account.accountId === accountId)?.kind).toBe('current')
  }
})

/** The check sum of a card number, 0 when it is right. */
function luhn(pan: string): number {
  let sum = 0
  for (let i = 0; i < pan.length; i++) {
    const digit = Number(pan[pan.length - 1 - i])
    sum += i % 2 === 0 ? digit : digit < 5 ? digit * 2 : digit * 2 - 9
  }
  return sum % 10
}

test('one profile is the default, and one category of each profile', () => {
  expect(profiles.filter(({ defaultProfile }) => defaultProfile)).toHaveLength(1)
  for (const profileId of profileIds)
    expect(
      categories.filter((each) => each.profileId === profileId && each.DefaultCategory === 'true'),
    ).toHaveLength(1)
})

test('the well-known credentials exist, and the second key only reads one account', () => {
  expect(clients[0]).toMatchObject({ clientId: 'sandbox-client', clientSecret: 'sandbox-secret' })
  expect(clients[0]?.apiKeys).toMatchObject([
    { key: 'sandbox-api-key', accounts: 'all', permissions },
    {
      key: 'sandbox-readonly-key',
      accounts: [accountIds[0]],
      permissions: ['accounts', 'balances', 'transactions'],
    },
  ])
})
