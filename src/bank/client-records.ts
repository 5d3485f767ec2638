// What the bank knows of its client: profiles, accounts, cards and beneficiaries, as fixtures and scenarios hold them.

import type { InterestRates } from './ledger/ledger.js'
import type { Cents } from './money.js'
import type { BeneficiaryRecord } from './payments/beneficiaries.js'
import type { Account, AuthorisationSetup, BeneficiaryCategory, Profile } from './records.js'

/** A profile, and the limits that the client has set for it in online banking (cents; absent: none). */
export interface ProfileRecord extends Profile {
  readonly limits?:
    { readonly paymentCents?: number | undefined; readonly dayCents?: number | undefined } | undefined
}

/** An account as the bank keeps it: the fields of the wire and what the service never shows. */
export interface AccountRecord extends Omit<Account, 'profileName'> {
  readonly currency: string
  /** Savings and loan accounts carry no transaction types. */
  readonly kind: 'current' | 'savings' | 'loan'
  readonly overdraftCents: Cents
  readonly interest: InterestRates
  /** Null where payments need nobody's authorisation. */
  readonly authorisation: AuthorisationSetup | null
}

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

/** `documented`: as the service's document says; `observed`: as the live service was seen to answer. */
export type Behaviour = (typeof behaviours)[number]

/** The values of the setting `behaviour`, the default first. */
export const behaviours = ['documented', 'observed'] as const

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
