// The client's profiles, accounts, cards and beneficiaries, as fixtures and scenarios store them.

import type { Behaviour } from '../protocol/behaviour.js'
import { record, type RecordFrom } from '../protocol/schema.js'
import type { InterestRates } from './ledger/ledger.js'
import type { Cents } from './money.js'
import type { BeneficiaryRecord } from './payments/beneficiaries.js'
import { productOf, usualProduct, type AccountKind } from './products.js'
import type { Account, AuthorisationSetup, BeneficiaryCategory, Profile } from './records.js'

/** A profile, and the limits that the client has set for it in online banking (cents; absent: none). */
export interface ProfileRecord extends Profile {
  readonly limits?:
    { readonly paymentCents?: number | undefined; readonly dayCents?: number | undefined } | undefined
}

/** An account as the bank stores it: the fields on the wire, and those that the service never shows. */
export interface AccountRecord extends Omit<Account, 'profileName'> {
  readonly currency: string
  readonly kind: AccountKind
  readonly overdraftCents: Cents
  readonly interest: InterestRates
  /** Null when payments need no authorisation. */
  readonly authorisation: AuthorisationSetup | null
}

/** The required data of a new account; the rest has defaults. */
export interface NewAccount {
  readonly accountId: string
  readonly accountNumber: string
  readonly profileId: string
  readonly accountName: string
  readonly productName?: string | undefined
  readonly referenceName?: string | undefined
  readonly overdraftCents?: Cents | undefined
}

/** The data with which a client opens an account. */
export interface AccountRequest extends Omit<
  NewAccount,
  'accountId' | 'accountNumber' | 'profileId' | 'accountName'
> {
  readonly profileId?: string | undefined
  readonly accountName?: string | undefined
}

/** The fields of an account that a client may change. */
export interface AccountChange {
  readonly accountName?: string | undefined
  readonly referenceName?: string | undefined
  readonly overdraftCents?: Cents | undefined
}

/** The record of a new account: the product decides its kind and interest. */
export const newAccount = ({
  productName = usualProduct,
  referenceName = productName,
  overdraftCents = 0,
  ...given
}: NewAccount): AccountRecord => ({
  ...given,
  referenceName,
  productName,
  kycCompliant: true,
  currency: 'ZAR',
  ...productOf(productName),
  overdraftCents,
  authorisation: null,
})

export interface CategoryRecord extends BeneficiaryCategory {
  readonly profileId: string
}

const text = { type: 'string', maxLength: 1000 } as const

/** A card as the bank stores it. */
export const CardRecord = record('CardRecord', 'A card as the bank stores it.', {
  cardKey: { ...text, description: 'The key of the card.' },
  pan: {
    type: 'string',
    pattern: '^[0-9]{16}$',
    description: 'The full number, 16 digits: only the encrypted card detail shows it.',
  },
  expiry: { ...text, description: 'The month in which it expires, such as 2029-08.' },
  cvv: { ...text, description: 'The three digits on its back.' },
  embossedName: { ...text, description: 'The name on the card.' },
  embossedName2: { ...text, description: 'The second line, empty when there is none.' },
  programmable: { type: 'boolean', description: 'Whether card code runs for it.' },
  virtual: { type: 'boolean', description: 'Whether it exists only as a number.' },
  status: { ...text, description: 'Active, or why it cannot be used.' },
  cardTypeCode: { ...text, description: 'The kind of card, such as VGC.' },
  accountId: { ...text, description: 'The id of its account, 25 digits.' },
})
export type CardRecord = RecordFrom<typeof CardRecord>

/** The client: what the fixtures or a scenario contain. */
export interface BankData {
  readonly profiles: readonly ProfileRecord[]
  readonly accounts: readonly AccountRecord[]
  readonly categories: readonly CategoryRecord[]
  readonly beneficiaries: readonly BeneficiaryRecord[]
  readonly cards: readonly CardRecord[]
}

/** The settings that the bank itself reads. */
export interface BankSettings {
  /** Which answers the bank gives where the service's document and the live service disagree. */
  readonly behaviour: Behaviour
  /** How long a card purchase stays pending, ms of the sandbox's clock. */
  readonly settlement: number
  /** Rows on a page of transactions; 0 returns all at once. */
  readonly pageSize: number
}

export const defaultSettings: BankSettings = {
  behaviour: 'documented',
  settlement: 2 * 86_400_000,
  pageSize: 0,
}

/** Something that happened in the bank, for listeners; `type` names it, the other members depend on it. */
export interface BankEvent {
  readonly type: string
  /** Epoch ms of the sandbox's clock. */
  readonly atMs: number
  readonly [detail: string]: unknown
}
