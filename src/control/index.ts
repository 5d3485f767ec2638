// The sandbox's own API, under /_sandbox.

import type { Endpoint } from '../endpoint.js'
import { health } from './health.js'
import { openapi } from './openapi.js'
import { transactions } from './transactions.js'

export const control: readonly Endpoint[] = [...health, ...openapi, ...transactions]
