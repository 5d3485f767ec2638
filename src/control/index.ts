// The sandbox's own API, under /_sandbox.

import type { Endpoint } from '../endpoint/endpoint.js'
import { accountReading } from './account-reading.js'
import { accounts } from './accounts.js'
import { apiKeys } from './api-keys.js'
import { beneficiaries } from './beneficiaries.js'
import { cardProgram } from './card-program.js'
import { cardReading } from './card-reading.js'
import { checkpoints } from './checkpoints.js'
import { clock } from './clock.js'
import { cardTransactions } from './card-transactions.js'
import { cards } from './cards.js'
import { faults } from './faults.js'
import { guide } from './guide.js'
import { health } from './health.js'
import { lint } from './lint.js'
import { openapi } from './openapi.js'
import { outbound } from './outbound.js'
import { payments } from './payments.js'
import { requests } from './requests.js'
import { scenario } from './scenario.js'
import { settings } from './settings.js'
import { state } from './state.js'
import { transactions } from './transactions.js'
import { upcomingEvents } from './upcoming.js'
import { workspaces } from './workspaces.js'

export const control = [
  ...guide,
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
  ...cardReading,
  ...cardProgram,
  ...lint,
  ...outbound,
  ...accounts,
  ...accountReading,
  ...beneficiaries,
  ...apiKeys,
  ...checkpoints,
  ...upcomingEvents,
] satisfies readonly Endpoint[]

/** Any of them, with its declared types. */
export type ControlEndpoint = (typeof control)[number]
