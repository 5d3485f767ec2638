// Everything that a pull reads from the service, unchanged.

import type { Card, CodeRecord, ListedExecution, VariablesRecord } from '../bank/cards/card-records.js'
import type {
  Account,
  AuthorisationSetup,
  Balance,
  Beneficiary,
  BeneficiaryCategory,
  Profile,
  Transaction,
} from '../bank/records.js'

/** The data of one card. */
export interface PulledCard {
  /** The card as the list has it. */
  readonly card: Card
  /** The second line on the card, empty where there is none. */
  readonly embossedName2: string
  /** The saved code, where it could be read. */
  readonly saved: CodeRecord | undefined
  /** The published code, where there is some. */
  readonly published: CodeRecord | undefined
  /** The variables of its code. */
  readonly variables: VariablesRecord
  /** Newest first, as the service lists them. */
  readonly executions: readonly ListedExecution[]
}

/** The data of one account. */
export interface PulledAccount {
  /** The account as the list has it. */
  readonly account: Account
  /** Its balance, where it could be read. */
  readonly balance: Balance | undefined
  /** Who must authorise, where it could be read. */
  readonly setup: AuthorisationSetup | undefined
  /** Oldest first. */
  readonly rows: readonly Transaction[]
  /** Pending rows. */
  readonly pending: readonly Transaction[]
}

/** A whole pulled bank. */
export interface PulledBank {
  /** The service's time, epoch ms. */
  readonly nowMs: number
  /** The profiles of the client. */
  readonly profiles: readonly Profile[]
  /** The categories of beneficiaries, each with its profile. */
  readonly categories: readonly (BeneficiaryCategory & {
    /** The profile that it belongs to, 14 digits. */
    readonly profileId: string
  })[]
  /** The beneficiaries. */
  readonly beneficiaries: readonly Beneficiary[]
  /** Each account, with its rows. */
  readonly accounts: readonly PulledAccount[]
  /** Each card, with its code. */
  readonly cards: readonly PulledCard[]
  /** What could not be read, one sentence each. */
  readonly missing: readonly string[]
}
