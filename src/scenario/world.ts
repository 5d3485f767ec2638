// From base data, seed and time to a bank with its history. Histories are kept by seed and day, and each bank is a fork
// of one, so that a reset or another workspace costs next to nothing.

import { Bank, type BankSettings } from '../bank/bank.js'
import { Clock } from '../bank/clock.js'
import { dayFromParts, dayOf, partsOf, startOfDay, type Day } from '../bank/day.js'
import { Random } from '../bank/random.js'
import { maskPan } from '../bank/transactions.js'
import type { Fixtures } from './fixtures.js'
import { createHousehold } from './household.js'

const histories = new WeakMap<Fixtures, Map<string, Bank>>()
const historiesKept = 8

/**
 * A bank whose history began 13 months before `startMs` and has come to the day of it. It is kept for others: whoever
 * lets anything happen in it takes a fork first.
 */
export function openHistory(base: Fixtures, startMs: number, seed: number, settings?: BankSettings): Bank {
  const today = dayOf(startMs)
  let kept = histories.get(base)
  if (!kept) histories.set(base, (kept = new Map<string, Bank>()))
  const key = `${seed}/${today}/${settings?.settlementMs ?? ''}`
  let history = kept.get(key)
  if (!history) {
    history = runHistory(base, seed, today, settings)
    const oldest = kept.keys().next()
    if (kept.size >= historiesKept && !oldest.done) kept.delete(oldest.value)
    kept.set(key, history)
  }
  return history
}

/** The history up to the beginning of a day. */
function runHistory(base: Fixtures, seed: number, today: Day, settings?: BankSettings): Bank {
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
  )
  // One millisecond before the day begins: what happens at its first instant belongs to whoever lives that day.
  const clock = Clock.frozenAt(startOfDay(today) - 1)
  const bank = new Bank(base, {
    clock,
    random: new Random(seed),
    calendar,
    since,
    ...(settings && { settings }),
  })
  bank.catchUp()
  return bank
}
