// What the bank knows of its client: profiles, accounts, cards and beneficiaries, as fixtures and scenarios hold them.

import type { Behaviour } from '../protocol/behaviour.js'
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

/** An account as the bank keeps it: the fields of the wire and what the service never shows. */
export interface AccountRecord extends Omit<Account, 'profileName'> {
  readonly currency: string
  readonly kind: AccountKind
  readonly overdraftCents: Cents
  readonly interest: InterestRates
  /** Null where payments need nobody's authorisation. */
  readonly authorisation: AuthorisationSetup | null
}

/** What must be known of an account to open it; the rest has defaults. */
export interface NewAccount {
  readonly accountId: string
  readonly accountNumber: string
  readonly profileId: string
  readonly accountName: string
  readonly productName?: string | undefined
  readonly referenceName?: string | undefined
  readonly overdraftCents?: Cents | undefined
}

/** What a client opens an account with. */
export interface AccountRequest extends Omit<
  NewAccount,
  'accountId' | 'accountNumber' | 'profileId' | 'accountName'
> {
  readonly profileId?: string | undefined
  readonly accountName?: string | undefined
}

/** What a client may change of an account. */
export interface AccountChange {
  readonly accountName?: string | undefined
  readonly referenceName?: string | undefined
  readonly overdraftCents?: Cents | undefined
}

/** The record of a new account: kind and interest follow from the product. */
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

/** A card as the bank keeps it. */
export interface CardRecord {
  readonly cardKey: string
  /** The full number, 16 digits: only the encrypted card detail shows it. */
  readonly pan: string
  readonly expiry: string
  readonly cvv: string
  readonly embossedName: string
  readonly embossedName2: string
  readonly programmable: boolean
  readonly virtual: boolean
  readonly status: string
  readonly cardTypeCode: string
  readonly accountId: string
}

/** Who the client is: what the fixtures or a scenario hold. */
export interface BankData {
  readonly profiles: readonly ProfileRecord[]
  readonly accounts: readonly AccountRecord[]
  readonly categories: readonly CategoryRecord[]
  readonly beneficiaries: readonly BeneficiaryRecord[]
  readonly cards: readonly CardRecord[]
}

/** The settings that the bank itself reads. */
export interface BankSettings {
  /** Whose answers the bank gives where the service's document and the live service disagree. */
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

/** Something that happened in the bank, for whoever watches; `type` names it, the rest depends on it. */
export interface BankEvent {
  readonly type: string
  /** Epoch ms of the sandbox's clock. */
  readonly atMs: number
  readonly [detail: string]: unknown
}
