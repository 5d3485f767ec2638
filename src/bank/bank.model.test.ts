// Random sequences of everything that can happen to money, compared with a model that only keeps sums.
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { Problem } from '../protocol/problem.js'
import { fixtures } from '../household/fixtures.js'
import { createHousehold } from '../household/household.js'
import { checkOf } from '../protocol/validation.js'
import { emptyCalendar, purchase } from '../../test/quiet-bank.js'
import { Bank } from './bank.js'
import { defaultSettings } from './client-records.js'
import { BankStateSchema, type BankState } from './bank-state.js'
import { Clock } from '../determinism/clock.js'
import { dayOf } from '../determinism/day.js'
import { Random } from '../determinism/random.js'

const nowMs = Date.parse('2026-03-25T08:00:00Z')
const data = fixtures()
const [everyday, savings, home, car, business] = data.accounts.map(({ accountId }) => accountId) as [
  string, string, string, string, string,
] // prettier-ignore
const payees = ['MTAxODc2NTQzMjAwMDE=', 'MTAxODc2NTQzMjAwMDI='] as const

const setup = {
  numberOfAuthorisationRequired: '1',
  period: [{ id: '1', description: '36 hours' }],
  authorisersListA: [{ authoriserId: '501', name: 'S Naidoo' }],
  authorisersListB: null,
}

function openBank(): Bank {
  const bank = new Bank(data, {
    clock: Clock.frozenAt(nowMs),
    random: new Random(1),
    calendar: emptyCalendar,
    // Holds come due within a day, when no other event makes the bank look for them.
    settings: { ...defaultSettings, settlement: 5 * 3_600_000 },
    since: dayOf(nowMs),
  })
  const deposit = { direction: 'CREDIT', transactionType: 'Deposits', description: 'OPENING' } as const
  for (const id of [everyday, savings, business]) bank.enter(id, { ...deposit, cents: 30_000_000 })
  bank.setAccount({ ...bank.account(business), authorisation: setup })
  return bank
}

/** All that an export of the workspace would hold of the bank, as text. */
const exported = (bank: Bank): string => JSON.stringify([bank.state, bank.random.state, bank.clock.state])

const imported = (text: string): Bank => {
  const [state, random, clock] = JSON.parse(text) as [BankState, Random['state'], Clock['state']]
  const bank = openBank()
  bank.restore(state)
  bank.random.restore(random)
  bank.clock.restore(clock)
  return bank
}

/** What must be true of any bank at any time. */
function checkBooks(bank: Bank): void {
  for (const { accountId, overdraftCents } of bank.accounts) {
    const book = bank.book(accountId)
    let balance = 0
    let order = 0
    let day = 0
    for (const entry of book.entries) {
      balance += entry.direction === 'CREDIT' ? entry.cents : -entry.cents
      if (entry.cents <= 0 || entry.postedOrder !== ++order || entry.balanceCents !== balance)
        throw new Error(`Entry ${order} of ${accountId} does not follow: ${JSON.stringify(entry)}`)
      if (entry.postingDay < day)
        throw new Error(`Entry ${order} of ${accountId} is before the one before it`)
      day = entry.postingDay
    }
    const held = book.holds.reduce(
      (sum, { direction, cents }) => sum + (direction === 'DEBIT' ? cents : 0),
      0,
    )
    expect([book.balanceCents, bank.availableCents(accountId)]).toEqual([
      balance,
      balance + overdraftCents - held,
    ])
  }
}

const accountId = fc.constantFrom(everyday, savings, home, car, business)
const cents = fc.oneof(fc.integer({ min: 1, max: 200_000 }), fc.integer({ min: 1, max: 40_000_000 }))
const index = fc.nat({ max: 20 })
const step = fc.oneof(
  fc.record({ do: fc.constant('transfer'), from: accountId, items: fc.array(fc.tuple(accountId, cents), { minLength: 1, maxLength: 4 }) }),
  fc.record({ do: fc.constant('pay'), from: fc.constantFrom(everyday, business), items: fc.array(fc.tuple(fc.constantFrom(...payees, 'nobody'), cents), { minLength: 1, maxLength: 4 }) }),
  fc.record({ do: fc.constant('purchase'), from: accountId, cents }),
  fc.record({ do: fc.constant('hold'), from: accountId, cents, direction: fc.constantFrom('DEBIT' as const, 'CREDIT' as const) }),
  fc.record({ do: fc.constantFrom('settle', 'release', 'reverse', 'authorise', 'decline'), index }),
  fc.record({ do: fc.constant('adjust'), index, cents }),
  fc.record({ do: fc.constant('enter'), to: accountId, cents, direction: fc.constantFrom('DEBIT' as const, 'CREDIT' as const) }),
  fc.record({ do: fc.constant('wait'), ms: fc.oneof(fc.nat({ max: 3_600_000 }), fc.nat({ max: 5 * 86_400_000 })) }),
  fc.record({ do: fc.constantFrom('fork', 'import', 'reset') }),
) // prettier-ignore

/** The steps have different members; each branch below reads its own. */
interface AnyStep {
  do: string
  from: string
  to: string
  items: [string, number][]
  cents: number
  index: number
  ms: number
  direction: 'DEBIT' | 'CREDIT'
}

/** Plain sums, kept beside the bank: what each account has and holds, and what each card transaction comes to. */
class Model {
  balances = new Map<string, number>([everyday, savings, home, car, business].map((id) => [id, id === home || id === car ? 0 : 30_000_000])) // prettier-ignore
  holds = new Map<string, { from: string; signed: number; settlesMs: number }>()
  posted = new Map<string, { from: string; signed: number }>()

  add(id: string, signed: number): void {
    this.balances.set(id, this.balances.get(id)! + signed)
  }

  post(id: string): void {
    const { from, signed } = this.holds.get(id)!
    this.holds.delete(id)
    this.posted.set(id, { from, signed })
    this.add(from, signed)
  }

  available(bank: Bank, id: string): number {
    let available = this.balances.get(id)! + bank.account(id).overdraftCents
    for (const { from, signed } of this.holds.values()) if (from === id && signed < 0) available += signed
    return available
  }
}

const rand = (amount: number): string => (amount / 100).toFixed(2)

/** Applies one step to the bank and the model; returns whether it was refused. */
function take(bank: Bank, model: Model, step: AnyStep, known: string[]): boolean {
  const references = { myReference: 'm', theirReference: 't' }
  const id = known[step.index % Math.max(known.length, 1)] ?? '12345678'
  switch (step.do) {
    case 'transfer':
    case 'pay': {
      const { from, items } = step
      const result =
        step.do === 'transfer'
          ? bank.payments.transfer(from, items.map(([beneficiaryAccountId, amount]) => ({ beneficiaryAccountId, amount: rand(amount), ...references }))) // prettier-ignore
          : bank.payments.pay(from, items.map(([beneficiaryId, amount]) => ({ beneficiaryId, amount: rand(amount), ...references }))) // prettier-ignore
      const total = items.reduce((sum, [, amount]) => sum + amount, 0)
      const { limits } = bank.profile(bank.account(from).profileId)
      if (result.ErrorMessage !== null) {
        if (result.ErrorMessage.startsWith('Insufficient'))
          expect(total).toBeGreaterThan(model.available(bank, from))
        else expect(result.ErrorMessage).toMatch(/^Limit exceeded/)
        return true
      }
      expect(total).toBeLessThanOrEqual(Math.min(model.available(bank, from), limits!.dayCents!))
      if (from === business) return false
      model.add(from, -total)
      if (step.do === 'transfer') for (const [to, amount] of items) model.add(to, amount)
      return false
    }
    case 'purchase': {
      const affordable = step.cents <= model.available(bank, step.from)
      const hold = purchase(bank, { accountId: step.from, cents: step.cents, description: 'SHOP' })
      expect(hold !== undefined).toBe(affordable)
      if (!hold) return true
      known.push(hold.id)
      model.holds.set(hold.id, { from: step.from, signed: -step.cents, settlesMs: hold.settlesMs })
      return false
    }
    case 'hold': {
      const { from, cents, direction } = step
      const hold = bank.books.hold({ accountId: from, cents, direction, description: 'SHOP' })
      known.push(hold.id)
      const signed = direction === 'DEBIT' ? -cents : cents
      model.holds.set(hold.id, { from, signed, settlesMs: hold.settlesMs })
      return false
    }
    case 'settle':
      bank.books.settle(id)
      model.post(id)
      return false
    case 'release':
      bank.books.release(id)
      model.holds.delete(id)
      return false
    case 'reverse': {
      bank.books.reverse(id)
      if (model.holds.delete(id)) return false
      const { from, signed } = model.posted.get(id)!
      expect(signed).not.toBe(0)
      model.add(from, -signed)
      model.posted.set(id, { from, signed: 0 })
      return false
    }
    case 'adjust': {
      bank.books.adjust(id, step.cents)
      const hold = model.holds.get(id)
      if (hold) hold.signed = Math.sign(hold.signed) * step.cents
      else {
        const { from, signed } = model.posted.get(id)!
        const adjusted = Math.sign(signed) * step.cents
        model.add(from, adjusted - signed)
        model.posted.set(id, { from, signed: adjusted })
      }
      return false
    }
    case 'authorise':
    case 'decline': {
      const waiting = bank.payments.waiting
      const payment = waiting[step.index % Math.max(waiting.length, 1)]
      const ended = bank.payments[step.do](payment?.reference ?? 'UBP0000000000')
      if (step.do === 'decline') return false
      model.add(ended.accountId, -ended.cents)
      if (ended.kind === 'transfer') model.add(ended.targetId, ended.cents)
      return false
    }
    case 'enter': {
      const { to, cents, direction } = step
      bank.enter(to, { direction, cents, transactionType: 'Deposits', description: 'CASH' })
      model.add(to, direction === 'CREDIT' ? cents : -cents)
      return false
    }
    default: {
      bank.clock.set(bank.clock.now() + step.ms)
      bank.catchUp()
      for (const [id, { settlesMs }] of [...model.holds]) if (settlesMs <= bank.clock.now()) model.post(id)
      return false
    }
  }
}

test('whatever happens in whatever order, every cent is accounted for and a refusal changes nothing', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
      let bank = openBank()
      let model = new Model()
      let known: string[] = []
      const origin = openBank()
      const left: [Bank, string][] = []
      for (const step of steps as AnyStep[]) {
        if (step.do === 'fork') {
          left.push([bank, exported(bank)])
          const random = new Random(1)
          random.restore(bank.random.state)
          bank = bank.fork(new Clock(bank.clock.state), random)
        } else if (step.do === 'import') {
          const before = exported(bank)
          bank = imported(before)
          expect(exported(bank)).toBe(before)
        } else if (step.do === 'reset') {
          bank = origin.fork(Clock.frozenAt(nowMs), new Random(1))
          model = new Model()
          known = []
        } else {
          const before = exported(bank)
          let refused = false
          try {
            refused = take(bank, model, step, known)
          } catch (error) {
            if (!(error instanceof Problem)) throw error
            refused = true
          }
          if (refused) expect(exported(bank)).toBe(before)
        }
        checkBooks(bank)
        expect(new Map(bank.accounts.map((each) => [each.accountId, bank.book(each.accountId).balanceCents]))).toEqual(model.balances) // prettier-ignore
        expect(bank.accounts.flatMap((each) => bank.book(each.accountId).holds.map(({ id }) => id)).sort()).toEqual([...model.holds.keys()].sort()) // prettier-ignore
      }
      for (const [bank, before] of left) expect(exported(bank)).toBe(before)
    }),
    { numRuns: 100 },
  )
})

/** A bank with the shipped household from 1 February 2026 on. */
function openHousehold(seed: number): Bank {
  const since = dayOf(Date.parse('2026-02-01T00:00:00Z'))
  const accounts = data.accounts.map(({ accountId, habits }) => ({
    accountId,
    habits,
    cardNumbers: ['402167xxxxxx1118'],
  }))
  const bank = new Bank(data, {
    clock: Clock.frozenAt(nowMs),
    random: new Random(seed),
    calendar: createHousehold(accounts, seed, since),
    since,
  })
  bank.catchUp()
  return bank
}

test('a household has the same history in one step, in many steps, in forks and after an import', () => {
  fc.assert(
    fc.property(fc.nat({ max: 1000 }), fc.array(fc.nat({ max: 9 * 86_400_000 }), { maxLength: 12 }), (seed, waits) => {
      const bank = openHousehold(seed)
      const text = JSON.stringify(bank.state)
      const leap = bank.fork(Clock.frozenAt(nowMs), new Random(seed))
      const steps = bank.fork(Clock.frozenAt(nowMs), new Random(seed))
      const again = openHousehold(seed)
      again.restore(JSON.parse(text) as BankState)
      let now = nowMs
      for (const wait of waits) {
        now += wait
        steps.clock.set(now)
        steps.catchUp()
        checkBooks(steps)
      }
      for (const other of [leap, again]) {
        other.clock.set(now)
        other.catchUp()
        expect(JSON.stringify(other.state)).toBe(JSON.stringify(steps.state))
      }
      expect(JSON.stringify(bank.state)).toBe(text)
    }),
    { numRuns: 25 },
  )
}) // prettier-ignore

test('a state fits its schema, and one whose parts do not fit together is refused by path and changes nothing', async () => {
  const bank = openBank()
  bank.books.hold({ accountId: everyday, cents: 100, description: 'SHOP' })
  bank.payments.pay(business, [{ beneficiaryId: 'MTAxODc2NTQzMjAwMDY=', amount: '1', myReference: 'm', theirReference: 't' }]) // prettier-ignore
  const { state } = bank
  expect((await checkOf(BankStateSchema))(JSON.parse(JSON.stringify(state)))).toEqual([])
  const before = exported(bank)
  const book = state.books[everyday]!
  const refusals: [Partial<BankState>, string[]][] = [
    [{ accounts: [...state.accounts, state.accounts[0]!] }, ['/bank/accounts/5']],
    [{ accounts: state.accounts.slice(1) }, ['/bank/cards/cards/0/card/accountId', '/bank/cards/cards/1/card/accountId', '/bank/cards/cards/3/card/accountId', `/bank/books/${everyday}`]],
    [{ books: { ...state.books, x: { entries: [], holds: [] } } }, ['/bank/books/x']],
    [{ books: { ...state.books, [savings]: book } }, [`/bank/books/${savings}/holds/0/id`]],
    [{ books: { ...state.books, [savings]: { entries: [{ ...book.entries[0]!, cents: 0 }], holds: [] } } }, [`/bank/books/${savings}/entries/0/cents`]],
    [{ books: { ...state.books, [savings]: { entries: [{ ...book.entries[0]!, cents: 1e15 }, book.entries[0]!], holds: [] } } }, [`/bank/books/${savings}/entries/1/cents`]],
    [{ payments: { ...state.payments, waiting: state.payments.waiting.map((each) => ({ ...each, accountId: 'x' })) } }, ['/bank/payments/waiting/0/accountId']],
    [{ profiles: state.profiles.map((each) => ({ ...each, defaultProfile: false })) }, ['/bank/profiles']],
    [{ profiles: state.profiles.slice(0, 1), accounts: state.accounts, beneficiaries: [], categories: [] }, ['/bank/accounts/4/profileId']],
  ] // prettier-ignore
  for (const [change, paths] of refusals) {
    let errors: readonly { path: string }[] | undefined
    try {
      bank.restore({ ...state, ...change }, '/bank')
    } catch (error) {
      errors = (error as Problem).more.errors
    }
    expect(errors?.map(({ path }) => path)).toEqual(paths)
  }
  expect(exported(bank)).toBe(before)
})

test('a watcher that throws sees complete steps only', () => {
  const references = { myReference: 'm', theirReference: 't' }
  const items = [savings, home].map((to) => ({ beneficiaryAccountId: to, amount: '1.00', ...references }))
  const steps: [string, (bank: Bank) => unknown, number][] = [
    ['transfer', (bank) => bank.payments.transfer(everyday, items), 0],
    ['pay', (bank) => bank.payments.pay(everyday, [{ beneficiaryId: payees[0], amount: '1.00', ...references }]), -100],
    ['hold', (bank) => bank.books.hold({ accountId: everyday, cents: 100, description: 'SHOP' }), 0],
    ['settle', (bank) => bank.books.settle('51111111'), -500],
    ['reverse', (bank) => bank.books.reverse('51111111'), 0],
    ['wait', (bank) => bank.payments.transfer(business, items), 0],
    ['authorise', (bank) => bank.payments.authorise(bank.payments.waiting[0]!.reference), 0],
  ] // prettier-ignore
  const sum = (bank: Bank) =>
    bank.accounts.reduce((all, { accountId }) => all + bank.book(accountId).balanceCents, 0)
  for (const [name, step, change] of steps) {
    const [watched, plain] = [openBank(), openBank()]
    for (const bank of [watched, plain]) {
      bank.books.hold({ accountId: everyday, cents: 500, description: 'SHOP', id: '51111111' })
      bank.payments.transfer(business, items)
    }
    const before = sum(watched)
    watched.watcher = () => {
      throw new Error('broken')
    }
    expect(() => step(watched)).toThrow('broken')
    step(plain)
    expect([name, exported(watched)]).toEqual([name, exported(plain)])
    expect(sum(watched) - before).toBe(change)
    checkBooks(watched)
  }
})

test('what was paid on a day counts for that day, also when the clock goes back and forth', () => {
  const bank = openBank()
  const { profileId } = bank.account(everyday)
  bank.setProfile({ ...bank.profile(profileId), limits: { dayCents: 15_000 } })
  const pay = (amount: string) =>
    bank.payments.pay(everyday, [{ beneficiaryId: payees[0], amount, myReference: 'm', theirReference: 't' }])
      .ErrorMessage
  const now = bank.clock.now()
  expect(pay('100.00')).toBeNull()
  expect(pay('100.00')).toContain('R 50.00 that is left')
  bank.clock.set(now - 86_400_000)
  expect(pay('1.00')).toBeNull()
  bank.clock.set(now)
  expect(pay('50.01')).toContain('R 50.00 that is left')
  expect(pay('50.00')).toBeNull()
})
