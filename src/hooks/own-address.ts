// When card code calls the service's own address, this sandbox answers, in the same workspace: code that gets a token
// and moves money works unchanged, and never reaches the real bank. An address on which the sandbox listens is its
// own too.

import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isThisMachine } from '../card-code/host/addresses.js'
import type { OutboundAnswer, OutboundHandler, OutboundRequest } from '../card-code/host/runner.js'
import type { CardCodeOrigin, Reply } from '../protocol/call.js'
import type { Host } from '../endpoint/endpoint.js'
import type { ListenAddress } from '../protocol/call.js'
import type { Workspace } from '../workspace/workspace.js'

/** Where the calling code runs. */
export interface Caller extends Pick<Host, 'handle' | 'listensAt'> {
  readonly workspace: Workspace
  readonly cardCode: CardCodeOrigin
}

/** Answers the calls of an execution that go to the service itself; undefined leaves a call to the network. */
export function answerOwnAddress({ handle, listensAt, workspace, cardCode }: Caller): OutboundHandler {
  return async (request, signal) => {
    const url = new URL(request.url)
    const path = (await isListening(url, listensAt))
      ? url.pathname
      : ownPath(url, workspace.settings.ownAddresses)
    if (path === undefined) return undefined
    const { method, body } = request
    const headers = headersOf(request.headers)
    const call = {
      method,
      path: path + url.search,
      headers,
      body,
      origin: url.origin,
      cardCode: { ...cardCode, signal, isFrozen: workspace.clock.frozen },
    }
    return answerOf(await handle(call, workspace))
  }
}

/** Whether a URL leads to one of these servers on this machine, by any name or address of the machine. */
export async function isListening(
  { protocol, hostname, port }: URL,
  servers: Iterable<ListenAddress>,
): Promise<boolean> {
  const asked = Number(port || (protocol === 'https:' ? 443 : 80))
  const here = [...servers].filter(
    ({ scheme = 'http', port: own }) => `${scheme}:` === protocol && own === asked,
  )
  if (here.length === 0) return false
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isThisMachine(host)) return true
  // The machine has other names and addresses of its own, which lead to the same port.
  const addresses = isIP(host) ? [host] : await lookup(host, { all: true }).then(plain, () => [])
  const own = Object.values(networkInterfaces()).flatMap((each) => plain(each ?? []))
  return addresses.some(
    (address) =>
      isThisMachine(address) || own.includes(address) || here.some((server) => server.address === address),
  )
}

const plain = (list: readonly { address: string }[]): string[] =>
  list.map(({ address }) => address.replace(/%.*$/, ''))

const servicePath = /^\/+(?:za\/+(?:pb\/+)?v1|identity\/+v2)\//i

/** The service path for an address; undefined when the address is not the service's. */
export function ownPath(url: URL, ownAddresses: readonly string[]): string | undefined {
  for (const own of ownAddresses) {
    if (own === '*') {
      if (url.protocol === 'https:' && servicePath.test(url.pathname)) return url.pathname
      continue
    }
    if (!URL.canParse(own)) continue
    const { origin, pathname } = new URL(own)
    const base = pathname.replace(/\/+$/, '')
    if (url.origin === origin && (url.pathname === base || url.pathname.startsWith(`${base}/`)))
      return url.pathname.slice(base.length) || '/'
  }
  return undefined
}

function headersOf(pairs: OutboundRequest['headers']): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of pairs) {
    const key = name.toLowerCase()
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`
  }
  return headers
}

const answerOf = ({ status, headers, body, delayMs = 0 }: Reply): OutboundAnswer => ({
  status,
  spentMs: delayMs,
  headers: Object.entries(headers),
  body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
})
