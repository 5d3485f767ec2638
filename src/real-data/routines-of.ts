// Monthly routines, inferred from the rows of an account.

import { fromRand } from '../bank/money.js'
import type { Transaction } from '../bank/records.js'
import type { Routine } from '../household/routine.js'
import type { PulledAccount } from './pulled-bank.js'

const minMonths = 3
const maxRoutines = 200

/** The routines of pulled accounts: monthly entries, and purchases at recurring merchants. */
export function routinesOf(accounts: readonly PulledAccount[]): Routine[] {
  return accounts
    .map(({ account, rows }) => ({ accountId: account.accountId, ...routineOf(rows) }))
    .filter(({ monthly, spending }) => monthly.length + spending.length > 0)
}

function routineOf(rows: readonly Transaction[]): Omit<Routine, 'accountId'> {
  const months = new Set(rows.map(monthOf)).size
  const groups = new Map<string, Transaction[]>()
  for (const row of rows) {
    const key = `${row.type} ${row.description}`
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  const monthly: Routine['monthly'] = []
  const spending: Routine['spending'] = []
  for (const group of groups.values()) {
    const last = group.at(-1)!
    const description = last.description.slice(0, 200)
    if (last.cardNumber !== null && last.cardNumber !== '') {
      if (last.type !== 'DEBIT' || group.length < 2) continue
      const cents = group.map(centsOf)
      spending.push({
        perHundredMonths: Math.min(10_000, Math.round((group.length * 100) / Math.max(1, months))),
        lowCents: Math.max(1, Math.min(...cents)),
        highCents: Math.max(1, Math.max(...cents)),
        description,
        cardNumber: last.cardNumber.slice(0, 30),
      })
    } else if (isMonthly(group)) {
      const { type: direction, transactionType } = last
      monthly.push({
        date: median(group.map(dateOf)),
        direction,
        cents: centsOf(last),
        transactionType,
        description,
      })
    }
  }
  const often = spending.sort((a, b) => b.perHundredMonths - a.perHundredMonths)
  return { monthly: monthly.slice(0, maxRoutines), spending: often.slice(0, maxRoutines) }
}

/** Once in most months, on about the same day. */
function isMonthly(group: readonly Transaction[]): boolean {
  const months = new Set(group.map(monthOf))
  if (months.size < minMonths || group.length > months.size * 1.2) return false
  const middle = median(group.map(dateOf))
  return group.every((row) => Math.abs(dateOf(row) - middle) <= 3)
}

const dayText = ({ postingDate, transactionDate }: Transaction): string => postingDate ?? transactionDate
const monthOf = (row: Transaction): string => dayText(row).slice(0, 7)
const dateOf = (row: Transaction): number => Math.min(31, Math.max(1, Number(dayText(row).slice(8, 10))))
const centsOf = ({ amount }: Transaction): number => Math.max(1, fromRand(amount))

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!
