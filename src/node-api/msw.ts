// The bank as a replacement for the network, for code that calls the production address.

import { http, HttpResponse, type HttpHandler } from 'msw'
import { originOf, withoutOrigin } from '../card-code/host/origin.js'
import { callOf, responseOf } from './fetch.js'
import type { LocalSandbox } from './local-sandbox.js'

/** The addresses at which the bank answers. */
export interface MswOptions {
  /** The address that the code under test calls, such as `https://bank.example`, with or without a path; or several. */
  readonly baseUrl: string | readonly string[]
}

/**
 * Handlers for `setupServer` and `setupWorker` of msw 2 and 3. They answer everything below `baseUrl`, including the
 * token endpoint, card code and the control API.
 *
 * @throws TypeError when `baseUrl` is not an address
 */
export function handlers(sandbox: LocalSandbox, { baseUrl }: MswOptions): HttpHandler[] {
  return [baseUrl].flat().map((address) => {
    const { prefix, below } = addressOf(address)
    return http.all(below, async ({ request }) => {
      const call = await callOf(request, prefix)
      const origin = originOf(call.headers)
      const cardCode = origin && { ...origin, signal: request.signal }
      const reply = await sandbox.handle(
        cardCode ? { ...call, headers: withoutOrigin(call.headers ?? {}), cardCode } : call,
      )
      // msw turns this into a network error; a rejection would become a 500.
      return reply.disturbance === 'reset' ? HttpResponse.error() : responseOf(reply, request)
    })
  })
}

/** The path of a base address, and a pattern for the addresses below it. */
function addressOf(address: string): { prefix: string; below: RegExp } {
  const { origin, pathname } = URL.canParse(address) ? new URL(address) : { origin: 'null', pathname: '' }
  if (origin === 'null')
    throw new TypeError(
      `baseUrl must be an address such as https://bank.example, not ${JSON.stringify(address)}.`,
    )
  const prefix = pathname.replace(/\/+$/, '')
  return { prefix, below: new RegExp(`^${(origin + prefix).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?:/|$)`) }
}
