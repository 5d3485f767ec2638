// The state of a bank as `GET /_sandbox/state` writes it: its type, its schema, and what the schema cannot say.

import type { InputError } from '../protocol/problem.js'
import { listOf, record, type Schema } from '../protocol/schema.js'
import type { AccountRecord, BankData, CardRecord } from './client-records.js'
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

/** Everything that a bank holds. Amounts are cents, days are counted from 1970-01-01, instants are epoch ms. */
export interface BankState extends Omit<BankData, 'cards'> {
  /** How far the calendar has come: a day, and how many of its events have happened. */
  readonly day: number
  readonly happened: number
  /** By account. */
  readonly books: Readonly<Record<string, BookState>>
  readonly payments: PaymentsState
  readonly cards: CardsState
}

/** A record whose members are those of `T`; `optional` ones may be missing. */
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

/** The members of an object but for one. */
const without = <T extends object, K extends keyof T>(members: T, name: K): Omit<T, K> =>
  Object.fromEntries(Object.entries(members).filter(([each]) => each !== name)) as Omit<T, K>

const limits: Schema = {
  title: 'ProfileLimits',
  type: 'object',
  properties: { paymentCents: { type: 'integer', minimum: 0 }, dayCents: { type: 'integer', minimum: 0 } },
  additionalProperties: false,
}

/** An account has more members where its data have more, such as what it does by itself. */
const account: Schema = {
  ...recordOf<AccountRecord>('AccountState', {
    ...without(Account.properties, 'profileName'),
    currency: text,
    kind: { enum: ['current', 'savings', 'loan'] },
    overdraftCents: { type: 'integer', minimum: 0, maximum: maxCents },
    interest: recordOf<AccountRecord['interest']>('InterestRates', {
      creditBasisPoints: { type: 'integer', minimum: 0, maximum: 1_000_000 },
      debitBasisPoints: { type: 'integer', minimum: 0, maximum: 1_000_000 },
    }),
    authorisation: nullable(AuthorisationSetup),
  }),
  additionalProperties: true,
}

const entry = recordOf<EntryState>(
  'EntryState',
  {
    day,
    cents: { type: 'integer', minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    transactionType: orNull,
    description: text,
    cardNumber: text,
    reference: text,
    valueDay: day,
    actionDay: day,
    transactionDay: day,
    postedOrder: { type: 'integer', minimum: 1, maximum: 9_999_999 },
  },
  'cardNumber',
  'reference',
  'valueDay',
  'actionDay',
  'transactionDay',
  'postedOrder',
)

const opening = recordOf<BookOpening>('BookOpening', {
  cents: { type: 'integer', minimum: -maxBalanceCents, maximum: maxBalanceCents },
  postedOrder: { type: 'integer', minimum: 0, maximum: 9_999_999 },
})

const hold = recordOf<Omit<Hold, 'accountId'>>(
  'HoldState',
  {
    id: { type: 'string', pattern: '^[0-9]{8}$', description: '8 digits.' },
    direction,
    cents: positive,
    transactionType: orNull,
    description: text,
    pendingDescription: text,
    cardNumber: text,
    transactionDay: day,
    settlesMs: instant,
  },
  'pendingDescription',
)

const waiting = recordOf<WaitingPayment>('WaitingPaymentState', {
  reference: { type: 'string', pattern: '^UBP[0-9]{10}$', description: 'UBP and 10 digits.' },
  kind: { enum: ['transfer', 'payment'] },
  accountId: text,
  targetId: text,
  targetName: text,
  cents: positive,
  myReference: text,
  theirReference: text,
  faster: { type: 'boolean' },
  authoriserAId: orNull,
  authoriserBId: orNull,
  waitsMs: { type: ['integer', 'null'] },
  requestedMs: instant,
  lapsesMs: instant,
  status: { enum: ['waiting', 'authorised', 'declined', 'lapsed'] },
})

const card = recordOf<CardRecord>('CardRecord', {
  cardKey: text,
  pan: { type: 'string', pattern: '^[0-9]{16}$', description: '16 digits.' },
  expiry: text,
  cvv: text,
  embossedName: text,
  embossedName2: text,
  programmable: { type: 'boolean' },
  virtual: { type: 'boolean' },
  status: text,
  cardTypeCode: text,
  accountId: text,
})

const execution = recordOf<ExecutionRecord>('ExecutionState', {
  execution: ListedExecution,
  error: nullable(ExecutionError),
  outbound: listOf(OutboundCallRecord),
})

const cardsState = recordOf<CardsState>('CardsState', {
  cards: listOf(
    recordOf<CardState>('CardState', {
      card,
      versions: listOf(CodeRecord),
      publishedId: orNull,
      variables: VariablesRecord,
      enabled: { type: 'boolean' },
      rule: nullable(CardRuleOnWire),
      executions: listOf(execution),
    }),
  ),
  transactions: listOf(
    recordOf<CardTransaction>('CardTransactionState', {
      ...without(CardTransactionOnWire.properties, 'status'),
      reversed: { type: 'boolean' },
    }),
  ),
})

/** The schema of a {@link BankState}. */
export const BankStateSchema: Schema = recordOf<BankState>('BankState', {
  day,
  happened: { type: 'integer', minimum: 0 },
  profiles: listOf({
    ...Profile,
    title: 'ProfileState',
    properties: { ...Profile.properties, limits },
  }),
  accounts: listOf(account),
  categories: listOf(
    record('CategoryState', 'A beneficiary category and its profile.', {
      ...BeneficiaryCategory.properties,
      profileId: text,
    }),
  ),
  beneficiaries: listOf({
    ...Beneficiary,
    title: 'BeneficiaryState',
    properties: { ...Beneficiary.properties, approvedPublic: { type: 'boolean' } },
  }),
  cards: cardsState,
  books: {
    type: 'object',
    additionalProperties: recordOf<BookState>(
      'BookState',
      { opening, entries: listOf(entry), holds: listOf(hold) },
      'opening',
    ),
  },
  payments: recordOf<PaymentsState>('PaymentsState', {
    lastReference: { type: ['integer', 'null'], minimum: 0, maximum: 9_999_999_999 },
    waiting: listOf(waiting),
    dayTotals: {
      type: 'object',
      description: 'Cents paid and transferred, by profile and day: 10163536465738/2026-03-25.',
      additionalProperties: whole,
    },
  }),
})

/** What does not fit together in a state that fits its schema: names that lead nowhere, and sums that are no integers. */
export function bankStateFaults(state: BankState, path: string): InputError[] {
  const faults: InputError[] = []
  const fault = (at: string, message: string) => faults.push({ path: `${path}${at}`, message })
  const profiles = unique(state.profiles, '/profiles', ({ profileId }) => profileId, fault)
  const accounts = unique(state.accounts, '/accounts', ({ accountId }) => accountId, fault)
  unique(state.beneficiaries, '/beneficiaries', ({ beneficiaryId }) => beneficiaryId, fault)
  unique(state.cards.cards, '/cards/cards', ({ card }) => card.cardKey, fault)
  unique(state.cards.transactions, '/cards/transactions', ({ id }) => id, fault)
  unique(state.payments.waiting, '/payments/waiting', ({ reference }) => reference, fault)
  if (!state.profiles.some(({ defaultProfile }) => defaultProfile))
    fault('/profiles', 'lack a default profile')
  for (const [index, { currencyCode }] of state.cards.transactions.entries())
    if (!currency(currencyCode)) fault(`/cards/transactions/${index}/currencyCode`, 'is no known currency')
  for (const name of ['accounts', 'beneficiaries', 'categories'] as const)
    for (const [index, { profileId }] of state[name].entries())
      if (!profiles.has(profileId)) fault(`/${name}/${index}/profileId`, 'is not a profile of the state')
  for (const [index, { card, versions, publishedId }] of state.cards.cards.entries()) {
    const at = `/cards/cards/${index}`
    if (!accounts.has(card.accountId)) fault(`${at}/card/accountId`, 'is not an account of the state')
    if (card.programmable && versions.length === 0) fault(`${at}/versions`, 'must hold the saved code')
    if (publishedId !== null && !versions.some(({ codeId }) => codeId === publishedId))
      fault(`${at}/publishedId`, 'is not one of the versions')
  }
  for (const [index, { accountId }] of state.payments.waiting.entries())
    if (!accounts.has(accountId))
      fault(`/payments/waiting/${index}/accountId`, 'is not an account of the state')
  for (const accountId of accounts)
    if (!Object.hasOwn(state.books, accountId)) fault(`/books/${accountId}`, 'is missing')
  const held = new Set<string>()
  for (const [accountId, { opening, entries, holds }] of Object.entries(state.books)) {
    const at = `/books/${accountId}`
    if (!accounts.has(accountId)) fault(at, 'is not the book of an account of the state')
    let balance = opening?.cents ?? 0
    let order = opening?.postedOrder ?? 0
    for (const [index, { cents, postedOrder = order + 1 }] of entries.entries()) {
      if (postedOrder <= order) fault(`${at}/entries/${index}/postedOrder`, `must be more than ${order}`)
      order = postedOrder
      balance += cents
      if (cents === 0) fault(`${at}/entries/${index}/cents`, 'must not be 0')
      if (Math.abs(balance) > maxBalanceCents)
        fault(`${at}/entries/${index}/cents`, `takes the balance beyond ${maxBalanceCents} cents`)
    }
    for (const [index, { id }] of holds.entries()) {
      if (held.has(id)) fault(`${at}/holds/${index}/id`, 'is there twice')
      held.add(id)
    }
  }
  return faults.slice(0, 100)
}

/** The keys of records, each of which must be there once. */
function unique<T>(
  records: readonly T[],
  path: string,
  keyOf: (record: T) => string,
  fault: (at: string, message: string) => void,
): Set<string> {
  const keys = new Set<string>()
  for (const [index, each] of records.entries()) {
    const key = keyOf(each)
    if (keys.has(key)) fault(`${path}/${index}`, 'is there twice')
    keys.add(key)
  }
  return keys
}
