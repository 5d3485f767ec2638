// The state of a bank as `GET /_sandbox/state` writes it: its type, its schema, and the checks that the schema cannot
// express.

import type { InputError } from '../protocol/problem.js'
import { kept, listOf, record, type Schema } from '../protocol/schema.js'
import { CardRecord, type AccountRecord, type BankData } from './client-records.js'
import {
  CodeRecord,
  ExecutionError,
  ListedExecution,
  OutboundCallRecord,
  VariablesRecord,
} from './cards/card-records.js'
import { CardRuleOnWire } from './cards/card-rules.js'
import { CardTransactionOnWire, type CardTransaction } from './cards/card-transaction-records.js'
import type { CardsState, CardState, ExecutionRecord } from './cards/cards.js'
import type { BookOpening, BookState, EntryState, Hold } from './ledger/ledger.js'
import { maxBalanceCents, maxCents } from './money.js'
import type { PaymentsState, WaitingPayment } from './payments/payments.js'
import { currency } from './reference.js'
import { Account, AuthorisationSetup, Beneficiary, BeneficiaryCategory, Profile } from './records.js'

/** The whole state of a bank. Amounts are cents, days count from 1970-01-01, instants are epoch ms. */
export interface BankState extends Omit<BankData, 'cards'> {
  /** How far the calendar has run: a day, and how many of its events have happened. */
  readonly day: number
  readonly happened: number
  /** By account. */
  readonly books: Readonly<Record<string, BookState>>
  readonly payments: PaymentsState
  readonly cards: CardsState
}

/** The state without the books. */
export type BankFrame = Omit<BankState, 'books'>

/** The schema of a record with the members of `T`; those in `optional` may be missing. */
const recordOf = <T>(
  title: string,
  properties: Readonly<Record<keyof T, Schema>>,
  ...optional: (keyof T)[]
): Schema => ({
  title,
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name as keyof T)),
  additionalProperties: false,
})

const text = { type: 'string', maxLength: 1000 } as const
const orNull = { type: ['string', 'null'], maxLength: 1000 } as const
const whole = { type: 'integer' } as const
const day = { type: 'integer', minimum: 0, maximum: 100_000, description: 'Days since 1970-01-01.' } as const
const instant = {
  type: 'integer',
  minimum: 0,
  maximum: 8_640_000_000_000_000,
  description: 'Epoch ms.',
} as const
const positive = { type: 'integer', minimum: 1, maximum: maxCents, description: 'Cents.' } as const
const direction = { enum: ['DEBIT', 'CREDIT'] } as const
const nullable = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] })

/** All members of an object except one. */
const without = <T extends object, K extends keyof T>(members: T, name: K): Omit<T, K> =>
  Object.fromEntries(Object.entries(members).filter(([each]) => each !== name)) as Omit<T, K>

const limits: Schema = {
  title: 'ProfileLimits',
  type: 'object',
  properties: {
    paymentCents: { type: 'integer', minimum: 0, description: 'The most that one payment may be, in cents.' },
    dayCents: { type: 'integer', minimum: 0, description: 'The most that may be paid on a day, in cents.' },
  },
  additionalProperties: false,
}

export const ProfileState = {
  ...Profile,
  title: 'ProfileState',
  properties: { ...Profile.properties, limits: { ...limits, description: 'The limits of payments.' } },
} satisfies Schema

export const CategoryState = record('CategoryState', 'A beneficiary category and its profile.', {
  ...BeneficiaryCategory.properties,
  profileId: { ...text, description: 'The profile that owns it, 14 digits.' },
})

export const BeneficiaryState = {
  ...Beneficiary,
  title: 'BeneficiaryState',
  properties: {
    ...Beneficiary.properties,
    approvedPublic: {
      type: 'boolean',
      description:
        'Whether it is an approved public beneficiary, which may be paid without an earlier payment.',
    },
  },
} satisfies Schema

/** An account may have more members, such as its standing orders. */
export const AccountState: Schema = {
  ...recordOf<AccountRecord>('AccountState', {
    ...without(Account.properties, 'profileName'),
    currency: { ...text, description: 'Three letters, such as ZAR.' },
    kind: { enum: ['current', 'savings', 'loan'], description: 'What the product is.' },
    overdraftCents: {
      type: 'integer',
      minimum: 0,
      maximum: maxCents,
      description: 'How far the balance may go below zero, in cents.',
    },
    interest: {
      ...recordOf<AccountRecord['interest']>('InterestRates', {
        creditBasisPoints: {
          type: 'integer',
          minimum: 0,
          maximum: 1_000_000,
          description: 'Yearly interest on a balance above zero: 100 is 1 %.',
        },
        debitBasisPoints: {
          type: 'integer',
          minimum: 0,
          maximum: 1_000_000,
          description: 'Yearly interest on a balance below zero: 100 is 1 %.',
        },
      }),
      description: 'What the account earns and costs.',
    },
    authorisation: {
      ...nullable(AuthorisationSetup),
      description: 'Who must agree before money leaves, or null.',
    },
  }),
  additionalProperties: true,
}

const entry = recordOf<EntryState>(
  'EntryState',
  {
    day,
    cents: {
      type: 'integer',
      minimum: -Number.MAX_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The amount in cents, negative for a debit.',
    },
    transactionType: { ...orNull, description: 'The category of the row, or null.' },
    description: { ...text, description: 'The text of the row.' },
    cardNumber: { ...text, description: 'The masked number of the card, where there is one.' },
    reference: { ...text, description: 'What the entry belongs to, such as a card transaction.' },
    valueDay: day,
    actionDay: day,
    transactionDay: day,
    postedOrder: {
      type: 'integer',
      minimum: 1,
      maximum: 9_999_999,
      description: 'Its order, where it is not the next one.',
    },
  },
  'cardNumber',
  'reference',
  'valueDay',
  'actionDay',
  'transactionDay',
  'postedOrder',
)

const opening = recordOf<BookOpening>('BookOpening', {
  cents: {
    type: 'integer',
    minimum: -maxBalanceCents,
    maximum: maxBalanceCents,
    description: 'The balance before the first entry, in cents.',
  },
  postedOrder: {
    type: 'integer',
    minimum: 0,
    maximum: 9_999_999,
    description: 'The order of the last row before the first entry.',
  },
})

const hold = recordOf<Omit<Hold, 'accountId'>>(
  'HoldState',
  {
    id: { type: 'string', pattern: '^[0-9]{8}$', description: '8 digits.' },
    direction: { ...direction, description: 'Whether money will leave (DEBIT) or come (CREDIT).' },
    cents: positive,
    transactionType: { ...orNull, description: 'The category of the row, or null.' },
    description: { ...text, description: 'The text of the posted row.' },
    pendingDescription: { ...text, description: 'The text of the pending row, where it is another.' },
    cardNumber: { ...text, description: 'The masked number of the card.' },
    transactionDay: day,
    settlesMs: instant,
  },
  'pendingDescription',
)

const waiting = recordOf<WaitingPayment>('WaitingPaymentState', {
  reference: { type: 'string', pattern: '^UBP[0-9]{10}$', description: 'UBP and 10 digits.' },
  kind: {
    enum: ['transfer', 'payment'],
    description: 'To an own account (transfer) or to a beneficiary (payment).',
  },
  accountId: { ...text, description: 'The account that pays, 25 digits.' },
  targetId: { ...text, description: 'The account or the beneficiary that is paid.' },
  targetName: { ...text, description: 'The name of whom is paid.' },
  cents: positive,
  myReference: { ...text, description: 'The text on your statement.' },
  theirReference: { ...text, description: 'The text on their statement.' },
  faster: { type: 'boolean', description: 'Whether it is to arrive at once.' },
  authoriserAId: { ...orNull, description: 'Who was asked to authorise first, or null.' },
  authoriserBId: { ...orNull, description: 'Who was asked to authorise second, or null.' },
  waitsMs: {
    type: ['integer', 'null'],
    description: 'How long it may wait, in milliseconds, or null where nobody has to agree.',
  },
  requestedMs: instant,
  lapsesMs: instant,
  status: {
    enum: ['waiting', 'authorised', 'declined', 'lapsed'],
    description: 'Where the approval stands.',
  },
})

const execution = recordOf<ExecutionRecord>('ExecutionState', {
  execution: ListedExecution,
  error: { ...nullable(ExecutionError), description: 'What went wrong, or null.' },
  outbound: { ...listOf(OutboundCallRecord), description: 'The calls that it made, oldest first.' },
})

const cardsState = recordOf<CardsState>('CardsState', {
  cards: {
    ...listOf(
      recordOf<CardState>('CardState', {
        card: { ...CardRecord, description: 'The card itself.' },
        versions: { ...listOf(CodeRecord), description: 'Every saved version of main.js, oldest first.' },
        publishedId: { ...orNull, description: 'The `codeId` of the version that runs, or null.' },
        variables: VariablesRecord,
        enabled: { type: 'boolean', description: 'Whether card code runs for the card.' },
        rule: {
          ...nullable(CardRuleOnWire),
          description: 'The rule without code that is in force, or null.',
        },
        executions: { ...listOf(execution), description: 'Runs of hooks, oldest first.' },
      }),
    ),
    description: 'Each card, with its code.',
  },
  transactions: {
    ...listOf(
      recordOf<CardTransaction>('CardTransactionState', {
        ...without(CardTransactionOnWire.properties, 'status'),
        reversed: { type: 'boolean', description: 'Whether it was undone.' },
      }),
    ),
    description: 'Card transactions, oldest first.',
  },
})

/** The schema of a {@link BankState}. */
export const BankStateSchema: Schema = kept(
  recordOf<BankState>('BankState', {
    day,
    happened: {
      type: 'integer',
      minimum: 0,
      description: 'How many events of the household have happened on `day`.',
    },
    profiles: {
      ...listOf(ProfileState),
      description: 'The profiles of the client.',
    },
    accounts: { ...listOf(AccountState), description: 'The accounts.' },
    categories: {
      ...listOf(CategoryState),
      description: 'The categories of beneficiaries.',
    },
    beneficiaries: {
      ...listOf(BeneficiaryState),
      description: 'The beneficiaries.',
    },
    cards: { ...cardsState, description: 'The cards, and what was done with them.' },
    books: {
      type: 'object',
      additionalProperties: recordOf<BookState>(
        'BookState',
        {
          opening: {
            ...opening,
            description: 'What the book begins with, where its first rows are not known.',
          },
          entries: { ...listOf(entry), description: 'Posted entries, in their order.' },
          holds: {
            ...listOf(hold),
            description: 'What has been approved and has not settled, oldest first.',
          },
        },
        'opening',
      ),
      description: 'The entries of each account, by its id.',
    },
    payments: {
      ...recordOf<PaymentsState>('PaymentsState', {
        lastReference: {
          type: ['integer', 'null'],
          minimum: 0,
          maximum: 9_999_999_999,
          description: 'The number of the last payment reference, or null.',
        },
        waiting: { ...listOf(waiting), description: 'Payments that need authorisation, oldest first.' },
        dayTotals: {
          type: 'object',
          description: 'Cents paid and transferred, by profile and day: 10163536465738/2026-03-25.',
          additionalProperties: whole,
        },
      }),
      description: 'What waits for authorisation, and the totals of the day.',
    },
  }),
)

/** Reports an error of a state; `at` is its JSON pointer. */
type Report = (at: string, message: string) => void

/** What is inconsistent in a state that matches its schema: references to nothing, and sums that are not integers. */
export function bankStateErrors(state: BankState, path: string): InputError[] {
  const errors: InputError[] = []
  const report: Report = (at, message) => errors.push({ path: `${path}${at}`, message })
  const accounts = unique(state.accounts, '/accounts', ({ accountId }) => accountId, report)
  checkProfiles(state, report)
  checkCards(state, accounts, report)
  checkPayments(state, accounts, report)
  checkBooks(state, accounts, report)
  return errors.slice(0, 100)
}

function checkProfiles(state: BankState, report: Report): void {
  const profiles = unique(state.profiles, '/profiles', ({ profileId }) => profileId, report)
  unique(state.beneficiaries, '/beneficiaries', ({ beneficiaryId }) => beneficiaryId, report)
  if (!state.profiles.some(({ defaultProfile }) => defaultProfile))
    report('/profiles', 'lack a default profile')
  for (const name of ['accounts', 'beneficiaries', 'categories'] as const)
    for (const [index, { profileId }] of state[name].entries())
      if (!profiles.has(profileId)) report(`/${name}/${index}/profileId`, 'is not a profile of the state')
}

function checkCards({ cards }: BankState, accounts: ReadonlySet<string>, report: Report): void {
  unique(cards.cards, '/cards/cards', ({ card }) => card.cardKey, report)
  unique(cards.transactions, '/cards/transactions', ({ id }) => id, report)
  for (const [index, { currencyCode }] of cards.transactions.entries())
    if (!currency(currencyCode))
      report(`/cards/transactions/${index}/currencyCode`, 'is not a known currency')
  for (const [index, { card, versions, publishedId }] of cards.cards.entries()) {
    const at = `/cards/cards/${index}`
    if (!accounts.has(card.accountId)) report(`${at}/card/accountId`, 'is not an account of the state')
    if (card.programmable && versions.length === 0) report(`${at}/versions`, 'must hold the saved code')
    if (publishedId !== null && !versions.some(({ codeId }) => codeId === publishedId))
      report(`${at}/publishedId`, 'is not one of the versions')
  }
}

function checkPayments({ payments }: BankState, accounts: ReadonlySet<string>, report: Report): void {
  unique(payments.waiting, '/payments/waiting', ({ reference }) => reference, report)
  for (const [index, { accountId }] of payments.waiting.entries())
    if (!accounts.has(accountId))
      report(`/payments/waiting/${index}/accountId`, 'is not an account of the state')
}

function checkBooks({ books }: BankState, accounts: ReadonlySet<string>, report: Report): void {
  for (const accountId of accounts)
    if (!Object.hasOwn(books, accountId)) report(`/books/${accountId}`, 'is missing')
  const held = new Set<string>()
  for (const [accountId, book] of Object.entries(books)) {
    const at = `/books/${accountId}`
    if (!accounts.has(accountId)) report(at, 'is not the book of an account of the state')
    checkEntries(book, at, report)
    for (const [index, { id }] of book.holds.entries()) {
      if (held.has(id)) report(`${at}/holds/${index}/id`, 'occurs twice')
      held.add(id)
    }
  }
}

/** The order and the balances that follow from the entries of a book. */
function checkEntries({ opening, entries }: BookState, at: string, report: Report): void {
  let balance = opening?.cents ?? 0
  let order = opening?.postedOrder ?? 0
  for (const [index, { cents, postedOrder = order + 1 }] of entries.entries()) {
    if (postedOrder <= order) report(`${at}/entries/${index}/postedOrder`, `must be more than ${order}`)
    order = postedOrder
    balance += cents
    if (cents === 0) report(`${at}/entries/${index}/cents`, 'must not be 0')
    if (Math.abs(balance) > maxBalanceCents)
      report(`${at}/entries/${index}/cents`, `takes the balance beyond ${maxBalanceCents} cents`)
  }
}

/** The keys of records, each of which must be unique. */
function unique<T>(
  records: readonly T[],
  path: string,
  keyOf: (record: T) => string,
  report: Report,
): Set<string> {
  const keys = new Set<string>()
  for (const [index, each] of records.entries()) {
    const key = keyOf(each)
    if (keys.has(key)) report(`${path}/${index}`, 'occurs twice')
    keys.add(key)
  }
  return keys
}
