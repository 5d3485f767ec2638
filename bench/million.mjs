// An account with 1,000,000 transactions against one with 1,000: a query of 30 days costs the same. Both have the same
// number of rows in these 30 days, so that only the search differs.

import { Clock } from '../dist/determinism/clock.js'
import { Random } from '../dist/determinism/random.js'
import { Bank } from '../dist/bank/bank.js'
import { dayOf } from '../dist/determinism/day.js'
import { rowsText } from '../dist/bank/ledger/transactions.js'
import { fixtures } from '../dist/household/fixtures.js'
import { figure, median } from './figures.mjs'

const day = 86_400_000
const now = Date.parse('2026-03-15T08:00:00Z')

/** `old` rows ten years ago and before, then 100 in the last 30 days. */
function bankWith(old) {
  const clock = Clock.frozenAt(now - 4000 * day)
  const bank = new Bank(fixtures(), {
    clock,
    random: new Random(1),
    calendar: { eventsOn: () => [] },
    since: dayOf(clock.now()),
  })
  const { accountId } = bank.accounts[0]
  const posting = { direction: 'DEBIT', cents: 1234, transactionType: 'DebitOrders', description: 'FIBRE' }
  for (let i = 0; i < old; i++) bank.enter(accountId, posting)
  for (let i = 0; i < 100; i++) {
    clock.set(now - Math.floor(29 - i * 0.29) * day)
    bank.enter(accountId, posting)
  }
  const book = bank.book(accountId)
  const today = dayOf(now)
  return () => rowsText(accountId, book.between(today - 30, today)).length
}

const small = bankWith(900)
const large = bankWith(999_900)
const time = (query) => {
  const started = performance.now()
  for (let i = 0; i < 2000; i++) query()
  return performance.now() - started
}
time(small)
time(large)
const smalls = []
const larges = []
for (let round = 0; round < 15; round++) {
  smalls.push(time(small))
  larges.push(time(large))
}
figure('query of 30 days, account of 1,000,000 rows to one of 1,000', median(larges) / 2, {
  unit: 'µs',
  ratio: median(larges.map((each, i) => each / smalls[i])),
  atMost: 1.5,
})
