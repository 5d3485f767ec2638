// The base data of the bank: its client. Read from fixtures/ when first needed; each file has its JSON Schema.

import { readFileSync } from 'node:fs'
import type { AccountRecord, CardRecord, CategoryRecord, ProfileRecord } from '../bank/client-records.js'
import type { BeneficiaryRecord } from '../bank/payments/beneficiaries.js'
import type { ClientRecord } from '../bank/credentials.js'
import type { Habits } from './habits.js'

/** All collections of fixtures/. */
export interface Fixtures {
  readonly profiles: readonly ProfileRecord[]
  readonly accounts: readonly (AccountRecord & { readonly habits: Habits })[]
  readonly categories: readonly CategoryRecord[]
  readonly beneficiaries: readonly BeneficiaryRecord[]
  readonly cards: readonly CardRecord[]
  readonly clients: readonly ClientRecord[]
}

let loaded: Fixtures | undefined

/** The shipped base data; always the same object, which must not be changed. */
export function fixtures(): Fixtures {
  loaded ??= {
    profiles: read('profiles') as Fixtures['profiles'],
    accounts: read('accounts') as Fixtures['accounts'],
    categories: read('beneficiary-categories') as Fixtures['categories'],
    beneficiaries: read('beneficiaries') as Fixtures['beneficiaries'],
    cards: read('cards') as Fixtures['cards'],
    clients: read('credentials') as Fixtures['clients'],
  }
  return loaded
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../fixtures/${name}.json`, import.meta.url), 'utf8'))
