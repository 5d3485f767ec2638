// Makes a bank with its history from base data, seed and time. Histories are cached by seed and day, and each bank is
// a fork of one, so that a reset or another workspace is cheap.

import { Bank } from '../bank/bank.js'
import type { BankState } from '../bank/bank-state.js'
import type { BankSettings } from '../bank/client-records.js'
import type { BeneficiaryRecord } from '../bank/payments/beneficiaries.js'
import { Clock } from '../determinism/clock.js'
import { dayFromParts, dayOf, formatDaySlashed, partsOf, startOfDay, type Day } from '../determinism/day.js'
import { inTurns } from '../determinism/turns.js'
import type { Cents } from '../bank/money.js'
import { Random } from '../determinism/random.js'
import { maskPan } from '../bank/ledger/transactions.js'
import type { Fixtures } from './fixtures.js'
import { createHousehold } from './household.js'
import { createRoutineCalendar, type Routine } from './routine.js'
import type { CardRule } from '../bank/cards/card-rules.js'
import { codeErrorOf } from '../card-code/syntax-fault.js'

const histories = new WeakMap<Fixtures, Map<string, Bank>>()
const historiesKept = 8

/** Changes to the bank at the start, after its history has been made. */
export interface InitialState {
  /** Balances that accounts must have, in cents. */
  readonly balances: ReadonlyMap<string, number>
  readonly cards: readonly InitialCard[]
  /** A whole bank instead of a generated history, and its routines. */
  readonly bank?: { readonly state: BankState; readonly routines: readonly Routine[] } | undefined
}

/** What is stored with a card at the start. */
export interface InitialCard {
  readonly cardKey: string
  readonly code?: string | undefined
  readonly variables?: Readonly<Record<string, string>> | undefined
  readonly rule?: CardRule | undefined
  readonly enabled?: boolean | undefined
}

/** The input from which a bank is made. */
export interface HistoryInput {
  readonly base: Fixtures
  readonly seed: number
  readonly startMs: number
  readonly settings?: BankSettings | undefined
  readonly opening?: InitialState | undefined
}

/**
 * A bank whose history began 13 months before `startMs` and reaches up to the start, or to the first instant of its
 * day when nothing is to be opened. Callers that change it must fork it first.
 */
export async function openBankWithHistory(beginning: HistoryInput): Promise<Bank> {
  const { base, seed, startMs, settings, opening } = beginning
  if (opening?.bank) return openState(base, seed, startMs, opening.bank, settings)
  const history = begunHistory(base, startMs, seed, settings)
  // Several may run the same history in turns: none runs a day that another one has run.
  await inTurns(history.catchingUp(history.clock.now()), () => true)
  if (!opening || (opening.balances.size === 0 && opening.cards.length === 0)) return history
  // A random stream of its own, so that no identifier that is drawn here is drawn again.
  const bank = history.fork(Clock.frozenAt(startMs), new Random((seed ^ 0x5ced_a210) >>> 0))
  bank.catchUp()
  for (const [accountId, cents] of opening.balances) bringTo(bank, accountId, cents)
  for (const card of opening.cards) openCard(bank, card)
  return bank
}

/** A bank made from a state; its routines begin on the day after the start. */
function openState(
  base: Fixtures,
  seed: number,
  startMs: number,
  { state, routines }: NonNullable<InitialState['bank']>,
  settings?: BankSettings,
): Bank {
  const since = dayOf(startMs) + 1
  const bank = new Bank(base, {
    clock: Clock.frozenAt(startMs),
    random: new Random(seed),
    calendar: createRoutineCalendar(routines, seed, since),
    since,
    ...(settings && { settings }),
  })
  bank.load({ ...state, day: since, happened: 0 })
  return bank
}

/** One entry, if necessary, sets the balance that the scenario asks for. */
function bringTo(bank: Bank, accountId: string, cents: Cents): void {
  const difference = cents - bank.book(accountId).balanceCents
  if (difference === 0) return
  bank.enter(accountId, {
    direction: difference > 0 ? 'CREDIT' : 'DEBIT',
    cents: Math.abs(difference),
    transactionType: 'Deposits',
    description: 'BALANCE ADJUSTMENT',
  })
}

function openCard({ cards }: Bank, { cardKey, code, variables, rule, enabled }: InitialCard): void {
  if (variables) cards.setVariables(cardKey, variables)
  if (code !== undefined) cards.publish(cardKey, cards.saveCode(cardKey, code, codeErrorOf(code)).codeId)
  if (rule) cards.setRule(cardKey, rule)
  if (enabled !== undefined) cards.setEnabled(cardKey, enabled)
}

/** The history up to the first instant of the day of `startMs`; cached, so that every caller gets the same bank. */
export function openHistory(base: Fixtures, startMs: number, seed: number): Bank {
  const history = begunHistory(base, startMs, seed)
  history.catchUp()
  return history
}

/** The bank of a history; what {@link Bank.catchUp} has still to do is the same for all who share it. */
function begunHistory(base: Fixtures, startMs: number, seed: number, settings?: BankSettings): Bank {
  const today = dayOf(startMs)
  let kept = histories.get(base)
  if (!kept) histories.set(base, (kept = new Map<string, Bank>()))
  const key = `${seed}/${today}/${settings?.settlement ?? ''}`
  let history = kept.get(key)
  if (!history) {
    history = beginHistory(base, seed, today, settings)
    const oldest = kept.keys().next()
    if (kept.size >= historiesKept && !oldest.done) kept.delete(oldest.value)
  } else kept.delete(key)
  // The last one is the one that was used last.
  kept.set(key, history)
  return history
}

/** The bank whose history reaches up to the beginning of a day, once it has been run. */
function beginHistory(base: Fixtures, seed: number, today: Day, settings?: BankSettings): Bank {
  const { year, month } = partsOf(today)
  const since = dayFromParts(year, month - 13, 1)
  const calendar = createHousehold(
    base.accounts.map(({ accountId, habits }) => ({
      accountId,
      habits,
      cardNumbers: base.cards
        .filter((card) => card.accountId === accountId)
        .map(({ pan }) => maskPan(pan, 'x')),
    })),
    seed,
    since,
    today,
  )
  // One millisecond before the day begins: events at its first instant belong to that day.
  const clock = Clock.frozenAt(startOfDay(today) - 1)
  const beneficiaries = base.beneficiaries.map((each) => paidBefore(each, since))
  return new Bank(
    { ...base, beneficiaries },
    {
      clock,
      random: new Random(seed),
      calendar,
      since,
      ...(settings && { settings }),
    },
  )
}

/** A last payment that the history does not show was made before it, on the same day of an earlier month. */
function paidBefore(beneficiary: BeneficiaryRecord, since: Day): BeneficiaryRecord {
  const [date, month, year] = beneficiary.lastPaymentDate.split('/').map(Number)
  if (date === undefined || month === undefined || year === undefined) return beneficiary
  const day = dayFromParts(year, month, date)
  if (day < since) return beneficiary
  const first = partsOf(since)
  const last = dayFromParts(first.year, first.month - 1, Math.min(date, 28))
  return { ...beneficiary, lastPaymentDate: formatDaySlashed(last) }
}
