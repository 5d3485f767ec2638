// All endpoints of a sandbox: the service's API and its own.

import { control } from '../control/index.js'
import type { Endpoint } from '../endpoint/endpoint.js'
import { service } from '../service/index.js'

export const endpoints: readonly Endpoint[] = [...service, ...control]
