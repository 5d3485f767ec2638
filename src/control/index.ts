// The sandbox's own API, under /_sandbox.

import type { Endpoint } from '../endpoint/endpoint.js'
import { accounts } from './accounts.js'
import { apiKeys } from './api-keys.js'
import { beneficiaries } from './beneficiaries.js'
import { clock } from './clock.js'
import { cardTransactions } from './card-transactions.js'
import { cards } from './cards.js'
import { faults } from './faults.js'
import { health } from './health.js'
import { openapi } from './openapi.js'
import { outbound } from './outbound.js'
import { payments } from './payments.js'
import { requests } from './requests.js'
import { scenario } from './scenario.js'
import { settings } from './settings.js'
import { state } from './state.js'
import { transactions } from './transactions.js'
import { workspaces } from './workspaces.js'

export const control = [
  ...health,
  ...openapi,
  ...workspaces,
  ...scenario,
  ...clock,
  ...settings,
  ...state,
  ...faults,
  ...requests,
  ...transactions,
  ...payments,
  ...cardTransactions,
  ...cards,
  ...outbound,
  ...accounts,
  ...beneficiaries,
  ...apiKeys,
] satisfies readonly Endpoint[]

/** Any of them, with the types that it declares. */
export type ControlEndpoint = (typeof control)[number]
