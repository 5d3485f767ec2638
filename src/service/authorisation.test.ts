import { expect, test } from '@jest/globals'
import { everyday, profile, savings } from '../../test/ids.js'
import { nowMs, day, nomsa, open, everything, item, payment, type Answer } from '../../test/payer.js'

const authorisation = {
  numberOfAuthorisationRequired: '2',
  period: [
    { id: '1', description: '2 days' },
    { id: '2', description: '1 week' },
  ],
  authorisersListA: [
    { authoriserId: '501', name: 'T Naidoo' },
    { authoriserId: '502', name: 'P Naidoo' },
  ],
  authorisersListB: [{ authoriserId: '502', name: 'P Naidoo' }],
}

/** As {@link open}, with an account whose payments and transfers two people must authorise. */
async function openForAuthorisers() {
  const opened = await open()
  const { send } = opened
  expect((await send('PUT', `/_sandbox/accounts/${everyday}/authorisation`, authorisation)).status).toBe(200)
  const listed = async (query = '') => (await send('GET', `/_sandbox/payments${query}`)).body.payments
  const decide = (reference: string, what: string) => send('POST', `/_sandbox/payments/${reference}/${what}`)
  return { ...opened, listed, decide }
}

test('a payment that needs authorisers waits, holds no money, and moves when it is authorised', async () => {
  const { bank, pay, transfer, listed, decide } = await openForAuthorisers()
  const available = bank.availableCents(everyday)
  const { length } = bank.book(everyday).entries
  const paid = await pay([payment({ authoriserAId: '501', authoriserBId: '502', authPeriodId: '2' })])
  const moved = await transfer([item()])
  const [first, second] = [paid, moved].map(({ body }) => body.data.TransferResponses[0]!)
  expect(first).toMatchObject({
    Status: '- Authorisation required <BR>- Payment/Transfer waits for authorisation',
    AuthorisationRequired: true,
  })
  expect(paid.body.data.ErrorMessage).toBeNull()
  expect(bank.availableCents(everyday)).toBe(available)
  expect(bank.book(everyday).entries.length).toBe(length)
  expect(await listed()).toMatchObject([
    { reference: first!.PaymentReferenceNumber, status: 'waiting', lapsesAt: '2026-04-01T08:00:00.000Z' },
    { reference: second!.PaymentReferenceNumber, status: 'waiting', lapsesAt: '2026-03-27T08:00:00.000Z' },
  ])
  expect(await decide(first!.PaymentReferenceNumber, 'authorise')).toMatchObject({
    status: 200,
    body: { status: 'authorised', amount: 10.12, kind: 'payment', targetName: 'Nomsa Dlamini' },
  })
  expect(bank.availableCents(everyday)).toBe(available - 1012)
  expect(bank.beneficiary(nomsa)!.lastPaymentAmount).toBe('10.12')
  const saved = bank.book(savings).balanceCents
  await decide(second!.PaymentReferenceNumber, 'authorise')
  expect(bank.book(savings).balanceCents).toBe(saved + 1012)
  expect(await listed('?status=waiting')).toEqual([])
  expect(await listed('?status=authorised')).toHaveLength(2)
})

test('a declined or lapsed payment never moves', async () => {
  const { sandbox, bank, pay, listed, decide } = await openForAuthorisers()
  const { body } = await pay([payment(), payment()])
  const [first, second] = body.data.TransferResponses.map((each) => each.PaymentReferenceNumber)
  expect((await decide(first!, 'decline')).body.status).toBe('declined')
  sandbox.main.clock.set(nowMs + 2 * day - 1)
  expect((await listed()).map(({ status }) => status)).toEqual(['declined', 'waiting'])
  sandbox.main.clock.set(nowMs + 2 * day)
  expect((await listed()).map(({ status }) => status)).toEqual(['declined', 'lapsed'])
  const before = everything(bank)
  for (const reference of [first!, second!])
    for (const what of ['authorise', 'decline'])
      expect((await decide(reference, what)).body.type).toBe('urn:sandbox-server:problem:not-waiting')
  for (const reference of ['UBP0000000000', 'x'.repeat(5000), '__proto__'])
    expect((await decide(reference, 'authorise')).body.type).toBe(
      'urn:sandbox-server:problem:unknown-payment',
    )
  expect((await decide('UBP0000000000', 'decline')).status).toBe(400)
  expect(everything(bank)).toBe(before)
})

test('authorising checks funds and limits again; when they do not suffice, the payment keeps waiting', async () => {
  const { sandbox, bank, pay, decide } = await openForAuthorisers()
  const all = bank.availableCents(everyday)
  const half = (Math.floor(all / 2) / 100).toFixed(2)
  const { body } = await pay([payment({ amount: half }), payment({ amount: half })])
  expect(body.data.ErrorMessage).toBeNull()
  const [first, second] = body.data.TransferResponses.map((each) => each.PaymentReferenceNumber)
  await decide(first!, 'authorise')
  bank.books.hold({ accountId: everyday, cents: 500, description: 'COFFEE' })
  const before = everything(bank)
  const refused = await decide(second!, 'authorise')
  expect(refused).toMatchObject({ status: 400, body: { type: 'urn:sandbox-server:problem:payment-refused' } })
  expect(refused.body.detail).toMatch(/^Insufficient funds/)
  expect(everything(bank)).toBe(before)
  bank.enter(everyday, {
    direction: 'CREDIT',
    cents: 90_000_000,
    transactionType: 'Deposits',
    description: 'WIN',
  })
  expect((await decide(second!, 'authorise')).status).toBe(200)

  const large = [await pay([payment({ amount: '200000' })]), await pay([payment({ amount: '200000' })])]
  const references = large.map((each) => each.body.data.TransferResponses[0]!.PaymentReferenceNumber)
  expect((await decide(references[0]!, 'authorise')).status).toBe(200)
  expect((await decide(references[1]!, 'authorise')).body.detail).toMatch(/^Limit exceeded/)
  sandbox.main.clock.set(nowMs + day)
  expect((await decide(references[1]!, 'authorise')).status).toBe(200)
})

test('authorisers and periods that the account does not have are refused by path', async () => {
  const { bank, pay, transfer } = await openForAuthorisers()
  const before = everything(bank)
  const paths = ({ status, body }: Answer) => [status, ...body.errors.map(({ path }) => path.split('/')[3])]
  const wrong = { authoriserAId: '7', authoriserBId: '501', authPeriodId: '9' }
  const fields = ['authoriserAId', 'authoriserBId', 'authPeriodId']
  expect(paths(await pay([payment(wrong)]))).toEqual([400, ...fields])
  expect(paths(await transfer([item(wrong)]))).toEqual([400, ...fields])
  const same = { authoriserAId: '502', authoriserBId: '502' }
  expect(paths(await pay([payment(same)]))).toEqual([400, 'authoriserBId'])
  expect(paths(await pay([payment({ authoriserAId: 501 })]))).toEqual([400, 'authoriserAId'])
  expect(everything(bank)).toBe(before)
  const blank = { authoriserAId: '', authoriserBId: null, authPeriodId: '' }
  expect((await pay([payment(blank)])).body.data.TransferResponses[0]!.AuthorisationRequired).toBe(true)
})

test('an authorisation setup in which nobody could authorise is refused by path', async () => {
  const { bank, send } = await open()
  const before = bank.account(everyday)
  const put = (setup: unknown) => send('PUT', `/_sandbox/accounts/${everyday}/authorisation`, setup)
  const paths = ({ body }: Answer) => body.errors.map(({ path }) => path)
  const nobody = { ...authorisation, authorisersListA: [], authorisersListB: null }
  expect(paths(await put(nobody))).toEqual(['/authorisersListA', '/authorisersListB'])
  expect(paths(await put({ ...nobody, numberOfAuthorisationRequired: '3' }))).toEqual([
    '/numberOfAuthorisationRequired',
  ])
  expect(paths(await put({}))).toEqual(['/numberOfAuthorisationRequired'])
  for (const description of ['a while', '', 'soon'])
    expect(paths(await put({ ...authorisation, period: [{ id: '1', description }] }))).toEqual([
      '/period/0/description',
    ])
  expect((await put([])).status).toBe(400)
  expect(bank.account(everyday)).toBe(before)
})

test('omitted parts of a setup have defaults, and without authorisers there are no lists', async () => {
  const { send } = await open()
  const put = async (setup: object) => {
    const answer = await send('PUT', `/_sandbox/accounts/${everyday}/authorisation`, setup)
    const path = `/za/pb/v1/profiles/${profile}/accounts/${everyday}/authorisationsetupdetails`
    expect((await send('GET', path)).body.data).toEqual(answer.body)
    return answer.body
  }
  const { authorisersListA } = authorisation
  expect(await put({ numberOfAuthorisationRequired: '1', authorisersListA })).toEqual({
    numberOfAuthorisationRequired: '1',
    period: [
      { id: '1', description: '0 Current Day' },
      { id: '2', description: '1 Working day' },
      ...[2, 3, 4, 5, 6, 7, 8, 9, 10].map((days) => ({
        id: String(days + 1),
        description: `${days} Working days`,
      })),
    ],
    authorisersListA,
    authorisersListB: null,
  })
  const none = { numberOfAuthorisationRequired: '0', period: null, authorisersListA: null, authorisersListB: null } // prettier-ignore
  expect(await put({ ...authorisation, numberOfAuthorisationRequired: '0' })).toEqual(none)
  expect(await put({ numberOfAuthorisationRequired: '0' })).toEqual(none)
})

test('the control API sets the limits of a profile, and null removes them', async () => {
  const { bank, transfer, send } = await open()
  const put = (limits: unknown) => send('PUT', `/_sandbox/profiles/${profile}/limits`, limits)
  expect((await put({ payment: '10.11', day: 10.5 })).status).toBe(200)
  expect((await transfer([item()])).body.data.ErrorMessage).toMatch(/^Limit exceeded: R 10.12 .* R 10.11/)
  const six = item({ amount: 6 })
  expect((await transfer([six, six])).body.data.ErrorMessage).toMatch(/R 10.50 that is left/)
  const before = everything(bank)
  for (const [limits, paths] of [
    [{ payment: '0', day: 'x' }, ['/payment', '/day']],
    [{ payment: null }, ['/day']],
    [{ payment: '1', day: null, week: 1 }, ['/week']],
  ] as const)
    expect((await put(limits)).body.errors.map(({ path }) => path)).toEqual(paths)
  expect((await send('PUT', '/_sandbox/profiles/1/limits', { payment: null, day: null })).status).toBe(400)
  expect(everything(bank)).toBe(before)
  await put({ payment: null, day: null })
  expect((await transfer([item({ amount: '180000' })])).body.data.ErrorMessage).toBeNull()
})
