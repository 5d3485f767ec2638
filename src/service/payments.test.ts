import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { business, everyday, profile, savings } from '../../test/ids.js'
import { nomsa, plumber, open, everything, item, payment, type Answer } from '../../test/payer.js'

test('a transfer shows on both accounts at once, in the words of the service', async () => {
  const { bank, transfer } = await open()
  const [from, to] = [bank.book(everyday).balanceCents, bank.book(savings).balanceCents]
  const { status, body } = await transfer([item(), item({ amount: 5 })], { profileId: profile })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    data: {
      TransferResponses: [
        {
          PaymentDate: '25/03/2026',
          Status: '- No authorisation necessary <BR>- Payment/Transfer effective date 25/03/2026',
          BeneficiaryName: 'From everyday',
          BeneficiaryAccountId: savings,
          AuthorisationRequired: false,
        },
        { BeneficiaryAccountId: savings },
      ],
      ErrorMessage: null,
    },
    links: { self: `http://localhost/za/pb/v1/accounts/${everyday}/transfermultiple` },
    meta: { totalPages: 1 },
  })
  const references = body.data.TransferResponses.map((each) => each.PaymentReferenceNumber)
  for (const reference of references) expect(reference).toMatch(/^UBP\d{10}$/)
  expect(new Set(references).size).toBe(2)
  expect(bank.book(everyday).balanceCents).toBe(from - 1512)
  expect(bank.book(savings).balanceCents).toBe(to + 1512)
  expect(bank.book(everyday).entries.last).toMatchObject({
    description: 'To rainy day',
    direction: 'DEBIT',
    cents: 500,
    transactionType: 'OnlineBankingPayments',
    reference: references[1],
  })
  expect(bank.book(savings).entries.last).toMatchObject({
    description: 'From everyday',
    direction: 'CREDIT',
    transactionType: null,
  })
})

test("a payment leaves the account and is the beneficiary's last payment", async () => {
  const { bank, pay, send } = await open()
  const before = bank.book(everyday).balanceCents
  const { body } = await pay([payment({ amount: '1234.5' }), payment({ beneficiaryId: plumber })])
  expect(body.data.TransferResponses).toMatchObject([
    { BeneficiaryName: 'Nomsa Dlamini', BeneficiaryAccountId: nomsa, AuthorisationRequired: false },
    { BeneficiaryName: 'Van Wyk Plumbing', BeneficiaryAccountId: plumber },
  ])
  expect(bank.book(everyday).balanceCents).toBe(before - 123_450 - 1012)
  const listed = await send('GET', '/za/pb/v1/accounts/beneficiaries')
  expect(listed.body.data).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        beneficiaryId: nomsa,
        lastPaymentAmount: '1,234.50',
        lastPaymentDate: '25/03/2026',
      }),
    ]),
  )
})

test('two identical requests pay twice', async () => {
  const { bank, pay } = await open()
  const before = bank.book(everyday).balanceCents
  const answers = await Promise.all([pay([payment()]), pay([payment()])])
  expect(bank.book(everyday).balanceCents).toBe(before - 2024)
  const references = answers.map(({ body }) => body.data.TransferResponses[0]!.PaymentReferenceNumber)
  expect(new Set(references).size).toBe(2)
})

const badAmounts = [
  '10.123', '-5', '0', '0.00', '1e3', ' 10', '10 ', '10,00', '', '.5', '5.', '+1', '0x10', 'NaN', 'R10', '١٠', '10\n',
  '1000000000.01', '9'.repeat(400), null, true, [], {}, ['10'], 0, -5, 10.123, 1e21, 1e-7, 1_000_000_000.01,
] // prettier-ignore

test.each(badAmounts)('an amount of %j is refused by its path, and nothing moves', async (amount) => {
  const { bank, transfer, pay } = await open()
  const before = everything(bank)
  for (const [name, answer] of [
    ['transferList', await transfer([item(), item({ amount })])],
    ['paymentList', await pay([payment(), payment({ amount })])],
  ] as const) {
    expect(answer).toMatchObject({
      status: 400,
      body: { type: 'urn:sandbox-server:problem:invalid-request' },
    })
    expect(answer.body.errors.map(({ path }) => path)).toContain(`/${name}/1/amount`)
    expect(new Set(answer.body.errors.map(({ path }) => path)).size).toBe(1)
  }
  expect(everything(bank)).toBe(before)
})

test.each([
  ['51 payments', Array.from({ length: 51 }, () => payment()), ['/paymentList']],
  ['no payments', [], ['/paymentList']],
  ['no list', undefined, ['/paymentList']],
  ['a list that is an object', { 0: payment() }, ['/paymentList']],
  ['items that are no objects', [null, 'x', 7], ['/paymentList/0', '/paymentList/1', '/paymentList/2']],
  ['an unknown beneficiary', [payment({ beneficiaryId: 'MTA=' })], ['/paymentList/0/beneficiaryId']],
  ["a beneficiary named like an object's own", [payment({ beneficiaryId: '__proto__' })], ['/paymentList/0/beneficiaryId']],
  ["another profile's beneficiary", [payment(), payment({ beneficiaryId: 'MTAxODc2NTQzMjAwMDY=' })], ['/paymentList/1/beneficiaryId']],
  ['a beneficiary who was never paid', [payment({ beneficiaryId: 'MTAxODc2NTQzMjAwMDQ=' })], ['/paymentList/0/beneficiaryId']],
  ['a beneficiary that is a number', [payment({ beneficiaryId: 7 })], ['/paymentList/0/beneficiaryId']],
  ['a missing beneficiary', [payment({ beneficiaryId: undefined })], ['/paymentList/0/beneficiaryId']],
  ['empty references', [payment({ myReference: '', theirReference: ' ' })], ['/paymentList/0/myReference', '/paymentList/0/theirReference']],
  ['long references', [payment({ myReference: 'x'.repeat(10_000), theirReference: 'x'.repeat(31) })], ['/paymentList/0/myReference', '/paymentList/0/theirReference']],
  ['control characters', [payment({ myReference: 'a\nb', theirReference: '\u0000' })], ['/paymentList/0/myReference', '/paymentList/0/theirReference']],
  ['missing references', [{ beneficiaryId: nomsa, amount: '1' }], ['/paymentList/0/myReference', '/paymentList/0/theirReference']],
  ['null references', [payment({ myReference: null, theirReference: 5 })], ['/paymentList/0/myReference', '/paymentList/0/theirReference']],
  ['extra fields', [payment({ iban: 'x', 'a/b~c': 1 })], ['/paymentList/0/a~1b~0c', '/paymentList/0/iban']],
  ['authorisers where nobody has to agree', [payment({ authoriserAId: '1', authoriserBId: '2', authPeriodId: '3' })], ['/paymentList/0/authPeriodId', '/paymentList/0/authoriserAId', '/paymentList/0/authoriserBId']],
  ['faults of several items', [payment({ amount: 10.123 }), payment(), payment({ beneficiaryId: 'x', amount: 1.005 })], ['/paymentList/0/amount', '/paymentList/2/amount', '/paymentList/2/beneficiaryId']],
] as const)('paymultiple refuses %s by path and changes nothing', async (_name, paymentList, paths) => {
  const { bank, pay } = await open('sandbox-api-key', true)
  const before = everything(bank)
  const answer = await pay(paymentList)
  expect(answer.status).toBe(400)
  expect(answer.body.errors.map(({ path }) => path).sort()).toEqual([...paths])
  expect(everything(bank)).toBe(before)
}) // prettier-ignore

test.each([
  ['the account that pays', [item({ beneficiaryAccountId: everyday })], {}, ['/transferList/0/beneficiaryAccountId']],
  ['an unknown account', [item(), item({ beneficiaryAccountId: '1' })], {}, ['/transferList/1/beneficiaryAccountId']],
  ['an account of another profile', [item({ beneficiaryAccountId: business })], { profileId: profile }, ['/transferList/0/beneficiaryAccountId']],
  ['a foreign profile', [item()], { profileId: '10163536499021' }, ['/profileId', '/transferList/0/beneficiaryAccountId']],
  ['an unknown profile', [item()], { profileId: 'x' }, ['/profileId', '/transferList/0/beneficiaryAccountId']],
  ['a profile that is no text', [item()], { profileId: 7 }, ['/profileId']],
  ['no items', [], {}, ['/transferList']],
  ['51 items', Array.from({ length: 51 }, () => item()), {}, ['/transferList']],
  ['an extra field', [item()], { dryRun: true }, ['/dryRun']],
] as const)('transfermultiple refuses %s by path and changes nothing', async (_name, list, more, paths) => {
  const { bank, transfer } = await open('sandbox-api-key', true)
  const before = everything(bank)
  const answer = await transfer(list, more)
  expect(answer.status).toBe(400)
  expect(answer.body.errors.map(({ path }) => path).sort()).toEqual([...paths])
  expect(everything(bank)).toBe(before)
}) // prettier-ignore

const mixed = [
  payment({ amount: null }),
  payment({ amount: '10.123', myReference: '' }),
  payment({ beneficiaryId: 'MTA=', amount: true, iban: 'x' }),
  null,
  payment({ beneficiaryId: 7, amount: '0' }),
  payment({ beneficiaryId: 'MTAxODc2NTQzMjAwMDQ=', fasterPayment: 'yes', theirReference: undefined }),
  payment({ fasterPayment: true, authoriserAId: 'x' }),
]
const mixedPaths = [
  ['/0/amount', '/1/amount', '/1/myReference', '/2/ID', '/2/amount', '/2/iban', '/3', '/4/ID', '/4/amount'],
  ['/5/ID', '/5/fasterPayment', '/5/theirReference', '/6/authoriserAId'],
].flat()

test('errors of the schema and errors that only the bank sees are reported together', async () => {
  const { bank, pay, transfer } = await open('sandbox-api-key', true)
  const before = everything(bank)
  const paths = ({ status, body }: Answer) => [status, ...body.errors.map(({ path }) => path).sort()]
  const paid = await pay(mixed, everyday, { profileId: '10163536499021', dryRun: 1 })
  const named = mixedPaths.map((path) => `/paymentList${path.replace('ID', 'beneficiaryId')}`)
  expect(paths(paid)).toEqual([400, ...['/dryRun', ...named, '/profileId'].sort()])

  const list = [item({ amount: '1e3', note: 1 }), item({ beneficiaryAccountId: everyday, amount: [] }), 'x']
  expect(paths(await transfer(list, { profileId: 7 }))).toEqual([
    ...[400, '/profileId', '/transferList/0/amount', '/transferList/0/note'],
    ...['/transferList/1/amount', '/transferList/1/beneficiaryAccountId', '/transferList/2'],
  ])
  const many = Array.from({ length: 51 }, () => item({ beneficiaryAccountId: 'x' }))
  expect((await transfer(many)).body.errors.slice(0, 2).map(({ path }) => path)).toEqual([
    '/transferList',
    '/transferList/0/beneficiaryAccountId',
  ])
  const flood = await transfer(Array.from({ length: 5000 }, () => item({ amount: 'x' })))
  expect(flood.body.errors).toHaveLength(100)
  expect(everything(bank)).toBe(before)
})

test('without a profile a transfer may go to another profile of the client', async () => {
  const { bank, transfer } = await open()
  const before = bank.book(business).balanceCents
  const { status } = await transfer([item({ beneficiaryAccountId: business })])
  expect(status).toBe(200)
  expect(bank.book(business).balanceCents).toBe(before + 1012)
  expect(bank.book(business).entries.last!.transactionType).toBe('Deposits')
})

test('a batch of 50 whose last item is bad changes nothing', async () => {
  const { bank, pay, transfer } = await open()
  const before = everything(bank)
  const good = Array.from({ length: 49 }, () => payment({ amount: '0.01' }))
  for (const bad of [{ amount: '10.123' }, { beneficiaryId: 'MTA=' }, { myReference: '' }])
    expect((await pay([...good, payment(bad)])).status).toBe(400)
  const broke = await pay([...good, payment({ amount: '240000.00' })])
  expect(broke.status).toBe(200)
  expect(broke.body.data.TransferResponses.map((each) => each.PaymentReferenceNumber).join('')).toBe('')
  const transfers = Array.from({ length: 49 }, () => item({ amount: '0.01' }))
  expect((await transfer([...transfers, item({ beneficiaryAccountId: '1' })])).status).toBe(400)
  expect(everything(bank)).toBe(before)
  expect((await pay([...good, payment()])).body.data.TransferResponses).toHaveLength(50)
})

test('insufficient funds are reported in ErrorMessage; the exact available amount can be paid', async () => {
  const { bank, transfer } = await open()
  const before = everything(bank)
  const available = bank.availableCents(savings)
  const rand = (cents: number) => (cents / 100).toFixed(2)
  const back = (cents: number) => item({ beneficiaryAccountId: everyday, amount: rand(cents) })
  const refused = await transfer([back(available), back(1)], {}, savings)
  expect(refused.status).toBe(200)
  expect(refused.body.data.ErrorMessage).toMatch(/^Insufficient funds: R [\d,.]+ is more than the R [\d,.]+/)
  for (const each of refused.body.data.TransferResponses) {
    expect(each).toMatchObject({ PaymentReferenceNumber: '', AuthorisationRequired: false })
    expect(each.Status).toMatch(/^- Nothing was paid or transferred <BR>- Insufficient funds/)
  }
  expect(everything(bank)).toBe(before)
  const made = await transfer([back(available)], {}, savings)
  expect(made.body.data.ErrorMessage).toBeNull()
  expect(bank.availableCents(savings)).toBe(0)
})

test("a payment and a day may not exceed the profile's limits, and the next day starts at zero", async () => {
  const { sandbox, bank, transfer } = await open()
  bank.enter(everyday, {
    direction: 'CREDIT',
    cents: 500_000_000,
    transactionType: 'Deposits',
    description: 'WIN',
  })
  const send = async (amount: string) => (await transfer([item({ amount })])).body.data.ErrorMessage
  expect(await send('250000.01')).toMatch(/^Limit exceeded: R 250,000.01 .* R 250,000.00 .* one payment/)
  expect(await send('250000')).toBeNull()
  expect(await send('249999.99')).toBeNull()
  const before = everything(bank)
  expect(await send('0.02')).toMatch(/^Limit exceeded: R 0.02 is more than the R 0.01 that is left/)
  expect(everything(bank)).toBe(before)
  expect(await send('0.01')).toBeNull()
  sandbox.main.clock.set(Date.parse('2026-03-25T21:59:59.999Z'))
  expect(await send('0.01')).toMatch(/^Limit exceeded/)
  sandbox.main.clock.set(Date.parse('2026-03-25T22:00:00Z'))
  expect(await send('250000')).toBeNull()
})

test('a key without the permission, or without the account, moves nothing', async () => {
  const { bank, transfer, pay } = await open('sandbox-readonly-key')
  const before = everything(bank)
  const refused = [await transfer([item()]), await pay([payment()])]
  expect(refused.map(({ status }) => status)).toEqual([401, 401])
  expect(refused.map(({ body }) => body.detail)).toEqual([
    'The API key "Read only" lacks the permission transfers.',
    'The API key "Read only" lacks the permission beneficiarypayments.',
  ])
  expect(everything(bank)).toBe(before)
})

test('a key that may access one account may not transfer to another', async () => {
  const { sandbox, bank } = await open()
  const [first] = sandbox.main.credentials.clients
  const apiKey = { key: 'k', alias: 'One account', accounts: [everyday], permissions: ['transfers'] } as const
  sandbox.main.credentials.setClient({ ...first!, apiKeys: [apiKey] })
  const { token } = sandbox.main.credentials.issue(first!, apiKey, apiKey.permissions, sandbox.main)
  const before = everything(bank)
  const call = (path: string, body: object) =>
    sandbox.handle({ method: 'POST', path, body, headers: { authorization: `Bearer ${token}` } })
  const answers = [
    await call(`/za/pb/v1/accounts/${everyday}/transfermultiple`, { transferList: [item()] }),
    await call('/za/pb/v1/accounts/transfermultiple', { accountId: everyday, transferList: [item()] }),
    await call('/za/pb/v1/accounts/transfermultiple', { accountId: savings, transferList: [item()] }),
  ]
  // Also when the body has errors: a missing permission is reported first.
  const faulty = [item({ amount: null }), 7, item({ amount: '1e3' })]
  answers.push(
    await call(`/za/pb/v1/accounts/${everyday}/transfermultiple`, { transferList: faulty }),
    await call('/za/pb/v1/accounts/transfermultiple', { accountId: everyday, transferList: faulty }),
    await call('/za/pb/v1/accounts/transfermultiple', { accountId: savings, transferList: faulty }),
  )
  for (const { status, body } of answers) {
    expect(status).toBe(401)
    expect(body).toContain('account-refused')
  }
  expect(everything(bank)).toBe(before)
})

const old = '/za/pb/v1/accounts/transfermultiple'

// Values of each field: the first is good, the others are refused by the schema or by the bank.
const values = {
  amount: ['0.01', 0.01, null, '10.123', true, '0', undefined],
  myReference: ['m', 'm', '', 5, undefined],
  extra: [undefined, undefined, 1],
}
const good = { amount: 2, myReference: 2, extra: 2, target: 1 }

test('whatever is wrong in any items, a refusal names each error once and nothing moves', async () => {
  const { sandbox, bank, send } = await open()
  const before = everything(bank)
  const forms = {
    pay: { target: 'beneficiaryId', targets: [nomsa, 'MTA=', 7, undefined], list: 'paymentList' },
    transfer: { target: 'beneficiaryAccountId', targets: [savings, everyday, 'x', 7], list: 'transferList' },
    old: { target: 'beneficiaryAccountId', targets: [savings, everyday, 'x', 7], list: 'transferList' },
  }
  const account = `/za/pb/v1/accounts/${everyday}`
  const paths = { pay: `${account}/paymultiple`, transfer: `${account}/transfermultiple`, old }
  const choice = fc.record({
    amount: fc.nat(values.amount.length - 1),
    myReference: fc.nat(values.myReference.length - 1),
    extra: fc.nat(values.extra.length - 1),
    target: fc.nat(3),
  })
  const property = fc.asyncProperty(
    fc.constantFrom('pay', 'transfer', 'old'),
    fc.boolean(),
    fc.array(choice, { minLength: 1, maxLength: 8 }),
    async (form, capital, choices) => {
      const { target, targets, list } = forms[form]
      // Names in capitals are deviations, which `strict` would refuse.
      const strict = form !== 'old' || !capital
      sandbox.main.settings = { ...sandbox.main.settings, strict }
      const spelled = (name: string) =>
        form === 'old' && capital ? name.charAt(0).toUpperCase() + name.slice(1) : name
      const items = choices.map((chosen) => ({
        [spelled(target)]: targets[chosen.target],
        [spelled('amount')]: values.amount[chosen.amount],
        [spelled('myReference')]: values.myReference[chosen.myReference],
        [spelled('theirReference')]: 't',
        extra: values.extra[chosen.extra],
      }))
      const wrong = choices.flatMap((chosen, index) =>
        (['amount', 'myReference', 'extra', 'target'] as const)
          .filter((field) => chosen[field] >= good[field] && (field !== 'extra' || strict))
          .map((field) => (field === 'extra' ? field : spelled(field === 'target' ? target : field)))
          .map((field) => `/${spelled(list)}/${index}/${field}`),
      )
      fc.pre(wrong.length > 0)
      const from = form === 'old' ? { [spelled('accountId')]: everyday } : {}
      const answer = await send('POST', paths[form], { ...from, [spelled(list)]: items })
      expect(answer.status).toBe(400)
      expect(answer.body.errors.map(({ path }) => path).sort()).toEqual(wrong.sort())
      expect(everything(bank)).toBe(before)
    },
  )
  await fc.assert(property, { numRuns: 200 })
})

test('a given profile must be that of the paying account', async () => {
  const { bank, send, transfer, pay } = await open()
  for (const profileId of [profile, null, '']) {
    expect((await pay([payment()], everyday, { profileId })).status).toBe(200)
    expect((await transfer([item()], { profileId })).status).toBe(200)
    const older = { accountId: everyday, transferList: [item()], profileId }
    expect((await send('POST', old, older)).status).toBe(200)
  }
  const before = everything(bank)
  for (const profileId of ['10163536499021', 'x', 7])
    expect(await pay([payment()], everyday, { profileId })).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/profileId' }] },
    })
  expect(everything(bank)).toBe(before)
})

test('the older form accepts both spellings and answers one level deeper', async () => {
  const { bank, send } = await open()
  const before = bank.book(savings).balanceCents
  const capital = await send('POST', old, {
    AccountId: everyday,
    TransferList: [{ BeneficiaryAccountId: savings, Amount: 10.12, MyReference: 'm', TheirReference: 't' }],
  })
  expect(capital.body.data.transferResponse).toMatchObject({
    TransferResponses: [{ BeneficiaryName: 't', AuthorisationRequired: false }],
    ErrorMessage: null,
  })
  const small = await send('POST', old, { accountId: everyday, transferList: [item()], profileId: profile })
  expect(small.body.data.transferResponse.ErrorMessage).toBeNull()
  expect(bank.book(savings).balanceCents).toBe(before + 2024)
})

test("the older form names errors with the sender's spelling", async () => {
  const { bank, send } = await open()
  const before = everything(bank)
  const paths = async (body: object) => {
    const answer = await send('POST', old, body)
    expect(answer.status).toBe(400)
    return answer.body.errors.map(({ path }) => path)
  }
  expect(await paths({})).toEqual(['/accountId', '/transferList'])
  expect(await paths({ AccountId: everyday })).toEqual(['/TransferList'])
  expect(await paths({ AccountId: everyday, TransferList: [{ Amount: '1' }] })).toEqual([
    '/TransferList/0/BeneficiaryAccountId',
    '/TransferList/0/MyReference',
    '/TransferList/0/TheirReference',
  ])
  const bad = { BeneficiaryAccountId: 'x', Amount: 1.005, MyReference: 'm', TheirReference: 't' }
  expect(await paths({ AccountId: everyday, TransferList: [bad] })).toEqual([
    '/TransferList/0/BeneficiaryAccountId',
    '/TransferList/0/Amount',
  ])
  const twice = item({ amount: undefined, AMOUNT: '2', Amount: '2' })
  expect(await paths({ accountId: everyday, transferList: [twice] })).toEqual([
    '/transferList/0/AMOUNT',
    '/transferList/0/Amount',
    '/transferList/0/amount',
  ])
  expect(await paths({ accountId: everyday, transferList: [] })).toEqual(['/transferList'])
  expect(await paths({ accountId: everyday, transferList: [item()], profileId: 'x' })).toContain('/profileId')
  const unknown = await send('POST', old, { accountId: 'x', transferList: [item()] })
  expect([unknown.status, unknown.body.type]).toEqual([400, 'urn:sandbox-server:problem:unknown-account'])
  const small = item({ amount: null, beneficiaryAccountId: everyday })
  expect((await paths({ accountId: everyday, transferList: [small], dryRun: 1 })).sort()).toEqual([
    '/transferList/0/amount',
    '/transferList/0/beneficiaryAccountId',
  ])
  const capital = { BeneficiaryAccountId: 'x', Amount: true, myReference: 'm', MyReference: 'm' }
  const list = [capital, 'x', { ...bad, Amount: '0' }]
  expect((await paths({ AccountId: 'x', TransferList: list, ProfileId: 7 })).sort()).toEqual([
    ...['/AccountId', '/ProfileId', '/TransferList/0/Amount', '/TransferList/0/BeneficiaryAccountId'],
    ...['/TransferList/0/TheirReference', '/TransferList/1'],
    ...['/TransferList/2/Amount', '/TransferList/2/BeneficiaryAccountId'],
  ])
  expect((await paths({ AccountId: 'x', TransferList: [bad] })).sort()).toEqual([
    ...['/AccountId', '/TransferList/0/Amount', '/TransferList/0/BeneficiaryAccountId'],
  ])
  for (const body of [
    { accountId: 7, transferList: {} },
    { AccountId: null, TransferList: 'x' },
  ])
    expect((await paths(body)).map((path) => path.toLowerCase())).toEqual(['/accountid', '/transferlist'])
  expect((await send('POST', old, [])).body.errors).toEqual([{ path: '/', message: 'must be object' }])
  expect(everything(bank)).toBe(before)
})

test('a faster payment is a row of its own type, for beneficiaries who accept it', async () => {
  const { bank, pay } = await open()
  expect((await pay([payment({ fasterPayment: true })])).status).toBe(200)
  expect(bank.book(everyday).entries.last!.transactionType).toBe('FasterPay')
  bank.setBeneficiary({ ...bank.beneficiary(nomsa)!, fasterPaymentAllowed: false })
  const before = everything(bank)
  const refused = await pay([payment({ fasterPayment: true })])
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: '/paymentList/0/fasterPayment' }] } })
  expect(everything(bank)).toBe(before)
})
