// Upcoming events: the calendar of the household, transactions that settle, payments that lapse, the scenario's
// timeline.

import type { Bank } from '../bank/bank.js'
import type { CalendarEvent } from '../bank/ledger/calendar.js'
import { dayOf } from '../determinism/day.js'
import { defineEndpoint } from '../endpoint/endpoint.js'
import { listOf, record, timestamp, type FromSchema } from '../protocol/schema.js'
import type { Workspace } from '../workspace/workspace.js'

const kinds = [
  'entry',
  'purchase',
  'standing-order',
  'payment',
  'interest',
  'settlement',
  'lapse',
  'timeline',
] as const

const Upcoming = record('Upcoming', 'Something that happens by itself when its time comes.', {
  at: { ...timestamp, description: 'When it happens, in UTC.' },
  kind: { enum: kinds, description: 'What it is.' },
  accountId: { type: ['string', 'null'], description: 'The account that it changes, 25 digits, or null.' },
  cents: {
    type: ['integer', 'null'],
    description: 'Rand cents, negative for money that leaves the account; null when it is not known yet.',
  },
  description: { type: 'string', description: 'What happens, in words.' },
})
type Upcoming = FromSchema<typeof Upcoming>

type Item = Omit<Upcoming, 'at'> & { readonly atMs: number }

function ofCalendar(event: CalendarEvent): Item {
  const { atMs, kind } = event
  switch (event.kind) {
    case 'entry': {
      const cents = event.direction === 'CREDIT' ? event.cents : -event.cents
      return { atMs, kind, accountId: event.accountId, cents, description: event.description }
    }
    case 'purchase':
    case 'payment':
      return { atMs, kind, accountId: event.accountId, cents: -event.cents, description: event.description }
    case 'standing-order':
      return { atMs, kind, accountId: event.fromId, cents: -event.cents, description: event.fromDescription }
    case 'interest':
      return { atMs, kind, accountId: event.accountId, cents: null, description: 'INTEREST' }
  }
}

/** The kind of a timeline event: the name of its only member besides the time. */
const timelineText = (event: object): string =>
  Object.keys(event)
    .filter((name) => name !== 'after')
    .join(', ')

function upcoming(workspace: Workspace, bank: Bank, days: number): Item[] {
  const nowMs = workspace.clock.now()
  const toMs = nowMs + days * 86_400_000
  const items: Item[] = []
  for (let day = dayOf(nowMs); day <= dayOf(toMs); day++)
    items.push(...bank.calendar.eventsOn(day).map(ofCalendar))
  for (const { accountId } of bank.accounts)
    for (const { settlesMs, direction, cents, description } of bank.book(accountId).holds)
      items.push({
        atMs: settlesMs,
        kind: 'settlement',
        accountId,
        cents: direction === 'CREDIT' ? cents : -cents,
        description,
      })
  for (const { status, lapsesMs, accountId, cents, targetName } of bank.payments.waiting)
    if (status === 'waiting')
      items.push({ atMs: lapsesMs, kind: 'lapse', accountId, cents: -cents, description: targetName })
  for (const { atMs, event } of workspace.planned)
    items.push({ atMs, kind: 'timeline', accountId: null, cents: null, description: timelineText(event) })
  return items.filter(({ atMs }) => atMs > nowMs && atMs <= toMs).sort((a, b) => a.atMs - b.atMs)
}

const maxShown = 1000

export const upcomingEvents = [
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/upcoming',
    summary: 'Upcoming events: salaries, debit orders, settlements, interest',
    auth: 'control',
    query: {
      type: 'object',
      properties: {
        days: {
          type: 'string',
          pattern: '^([1-9]|[1-5][0-9]|6[0-2])$',
          description: 'How many days to look ahead, 1 to 62; default 31.',
        },
      },
    },
    response: record('UpcomingList', 'What is coming up, soonest first; a thousand at most.', {
      upcoming: { ...listOf(Upcoming), description: 'What will happen, soonest first.' },
    }),
    envelope: 'bare',
    problems: ['invalid-request'],
    handle: ({ workspace, bank, query: { days = '31' } }) => ({
      upcoming: upcoming(workspace, bank, Number(days))
        .slice(0, maxShown)
        .map(({ atMs, ...rest }) => ({ at: new Date(atMs).toISOString(), ...rest })),
    }),
  }),
]
