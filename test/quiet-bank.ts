// A bank without scheduled events, for tests of the domain.

import type { Bank } from '../src/bank/bank.js'
import type { Calendar } from '../src/bank/ledger/calendar.js'
import type { HoldRequest } from '../src/bank/ledger/books.js'
import type { Hold } from '../src/bank/ledger/ledger.js'

/** A calendar without events. */
export const emptyCalendar: Calendar = { eventsOn: () => [] }

/** Places the hold of a purchase when the account has the money; otherwise undefined, and nothing changes. */
export const purchase = (bank: Bank, request: HoldRequest): Hold | undefined =>
  request.cents <= bank.availableCents(request.accountId) ? bank.books.hold(request) : undefined
