// Everything that a pull reads from the service, as the service says it.

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

/** What is read of one card. */
export interface PulledCard {
  readonly card: Card
  readonly embossedName2: string
  readonly saved: CodeRecord | undefined
  readonly published: CodeRecord | undefined
  readonly variables: VariablesRecord
  /** Newest first, as the service lists them. */
  readonly executions: readonly ListedExecution[]
}

/** What is read of one account. */
export interface PulledAccount {
  readonly account: Account
  readonly balance: Balance | undefined
  readonly setup: AuthorisationSetup | undefined
  /** Oldest first. */
  readonly rows: readonly Transaction[]
  readonly pending: readonly Transaction[]
}

/** A whole pulled bank. */
export interface PulledBank {
  /** The service's time, epoch ms. */
  readonly nowMs: number
  readonly profiles: readonly Profile[]
  readonly categories: readonly (BeneficiaryCategory & { readonly profileId: string })[]
  readonly beneficiaries: readonly Beneficiary[]
  readonly accounts: readonly PulledAccount[]
  readonly cards: readonly PulledCard[]
  /** What could not be read, one sentence each. */
  readonly missing: readonly string[]
}
