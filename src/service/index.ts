// Every endpoint of the service. A new resource adds its list here.

import type { Endpoint } from '../endpoint/endpoint.js'
import { accounts } from './accounts.js'
import { beneficiaries } from './beneficiaries.js'
import { documents } from './documents.js'
import { payments } from './payments.js'
import { cardCode } from './card-code.js'
import { cards } from './cards.js'
import { profiles } from './profiles.js'
import { reference } from './reference.js'
import { token } from './token.js'

/** The service's API, in the order of the documentation. */
export const service: readonly Endpoint[] = [
  ...token,
  ...accounts,
  ...payments,
  ...documents,
  ...profiles,
  ...beneficiaries,
  ...reference,
  ...cards,
  ...cardCode,
]
