// Which addresses card code may call. Names are checked before they are resolved, and addresses after: a name that
// resolves to the metadata service, now or at its second look-up, is refused when connecting.
import { lookup as resolve } from 'node:dns'
import { type LookupFunction, isIP } from 'node:net'
import { bareHost, isLocalAddress, kindOf } from './addresses.js'

/**
 * What card code may reach on the network. `allow`: everything but link-local and cloud metadata addresses; `public`:
 * the same without this machine and private networks; `loopback`: only this machine; `deny`: nothing; or a list of
 * hosts (`api.example.com`, `*.example.com`, `localhost:8080`).
 */
export type OutboundPolicy = 'allow' | 'public' | 'loopback' | 'deny' | { readonly hosts: readonly string[] }

const metadataNames = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.packet.net',
  'metadata.platformequinix.com',
  'instance-data',
  'instance-data.ec2.internal',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
])

const listed = (policy: { readonly hosts: readonly string[] }, host: string, port: string): boolean =>
  policy.hosts.some((entry) => {
    const [, name = '', only] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry.trim().toLowerCase()) ?? []
    if (only !== undefined && only !== port) return false
    const wanted = name.replace(/^\[|\]$/g, '')
    return wanted.startsWith('*.') ? host.endsWith(wanted.slice(1)) : host === wanted
  })

/** Why the policy refuses an address that a name resolved to; undefined when it does not. */
export const refuseAddress = (address: string, policy: OutboundPolicy): string | undefined => {
  if (policy === 'deny') return 'outbound calls are switched off'
  const kind = kindOf(address)
  if (policy === 'loopback') return kind === 'loopback' ? undefined : `${address} is not this machine`
  if (kind === 'metadata') return `${address} is a link-local or metadata address`
  if (policy !== 'public' || !isLocalAddress(address)) return undefined
  return `${address} is this machine or a private network, and only public addresses are allowed`
}

/** Why the policy refuses a URL as written; undefined when it does not. The addresses of a name are checked later. */
export const refuseUrl = (url: URL, policy: OutboundPolicy): string | undefined => {
  if (policy === 'deny') return 'outbound calls are switched off'
  const host = bareHost(url.hostname)
  const literal = isIP(host) !== 0
  if (typeof policy === 'object') {
    const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port
    if (!listed(policy, host, port)) return `${url.host} is not on the list of hosts`
    // A literal address on the list is meant to be called.
    return literal || !metadataNames.has(host) ? undefined : `${host} is a metadata service`
  }
  if (metadataNames.has(host)) return `${host} is a metadata service`
  return literal ? refuseAddress(host, policy) : undefined
}

/** A refusal of the policy, as the connection's error. */
class PolicyError extends Error {
  readonly code = 'ERR_OUTBOUND_POLICY'
}

/** A name leads to this machine or a private network: the call is sent again with the mark of card code. */
export class LocalNameError extends Error {
  constructor(readonly addresses: readonly { address: string; family: number }[]) {
    super('the name leads to a local address')
  }
}

/**
 * Name resolution that checks every address before a connection is made to it. Fails with a {@link PolicyError} for a
 * refused address, and with a {@link LocalNameError} when some of the addresses are local.
 */
export const guardedLookup =
  (policy: OutboundPolicy): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, [])
        return
      }
      const refused = addresses
        .map(({ address }) => refuseAddress(address, policy))
        .find((why) => why !== undefined)
      const local = addresses.filter(({ address }) => isLocalAddress(address))
      const [first] = addresses
      if (refused !== undefined || first === undefined) callback(new PolicyError(refused ?? 'no address'), [])
      else if (local.length > 0) callback(new LocalNameError(local), [])
      else if (options.all === true) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }

/** Name resolution that returns addresses that were checked before. */
export const pinnedLookup =
  (addresses: readonly { address: string; family: number }[]): LookupFunction =>
  (_hostname, options, callback) => {
    if (options.all === true) callback(null, [...addresses])
    else callback(null, addresses[0]!.address, addresses[0]!.family)
  }
