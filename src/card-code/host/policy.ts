// Which addresses card code may call. Names are judged before they are resolved and addresses after: a name that
// resolves to the metadata service, now or at its second look-up, is refused where the connection is made.
import { lookup as resolve } from 'node:dns'
import { BlockList, type LookupFunction, isIP } from 'node:net'

/**
 * What card code may reach on the network: `allow` everything but link-local and cloud metadata addresses, `loopback`
 * this machine only, `deny` nothing, or a list of hosts (`api.example.com`, `*.example.com`, `localhost:8080`).
 */
export type OutboundPolicy = 'allow' | 'loopback' | 'deny' | { readonly hosts: readonly string[] }

const metadata = new BlockList()
metadata.addSubnet('169.254.0.0', 16, 'ipv4')
metadata.addSubnet('fe80::', 10, 'ipv6')
for (const address of ['100.100.100.200', '168.63.129.16', '192.0.0.192'])
  metadata.addAddress(address, 'ipv4')
for (const address of ['fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254']) metadata.addAddress(address, 'ipv6')

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

const metadataNames = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
])

/** The IPv4 address that an IPv6 address carries: mapped, compatible, translated (64:ff9b::/96) or 6to4. */
const embedded = (address: string): string | undefined => {
  // The URL parser writes every form in one way; a zone index is no part of the address.
  const plain = new URL(`http://[${address.split('%')[0]!}]`).hostname.slice(1, -1)
  const words = expand(plain)
  const dotted = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join('.')
  if (words[0] === 0x2002) return dotted(words[1]!, words[2]!)
  const [a, b, c, d, e, f, high, low] = words as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const zeros = (a | b | c | d | e) === 0
  if (zeros && (f === 0xffff || (f === 0 && high !== 0))) return dotted(high, low)
  // IPv4-translated (::ffff:0:a.b.c.d) and the well-known translation prefix.
  if ((a | b | c | d) === 0 && e === 0xffff && f === 0) return dotted(high, low)
  return a === 0x64 && b === 0xff9b ? dotted(high, low) : undefined
}

const expand = (address: string): number[] => {
  const [head = '', tail] = address.split('::')
  const words = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16))
  const first = words(head)
  const last = tail === undefined ? [] : words(tail)
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last]
}

const within = (list: BlockList, address: string): boolean => {
  if (isIP(address) === 4) return list.check(address, 'ipv4')
  const plain = address.split('%')[0]!
  const inner = embedded(plain)
  return list.check(plain, 'ipv6') || (inner !== undefined && list.check(inner, 'ipv4'))
}

const listed = (policy: { readonly hosts: readonly string[] }, host: string, port: string): boolean =>
  policy.hosts.some((entry) => {
    const [, name = '', only] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry.trim().toLowerCase()) ?? []
    if (only !== undefined && only !== port) return false
    const wanted = name.replace(/^\[|\]$/g, '')
    return wanted.startsWith('*.') ? host.endsWith(wanted.slice(1)) : host === wanted
  })

const bare = (hostname: string): string =>
  hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()

/** Whether a URL's host is this machine by what it says: a loopback name or address, or the unspecified address. */
export const isThisMachine = (hostname: string): boolean => {
  const host = bare(hostname)
  if (isIP(host) !== 0) return within(loopback, host) || host === '0.0.0.0' || host === '::'
  return host === 'localhost' || host.endsWith('.localhost')
}

/** Why the policy refuses an address that a name resolved to; undefined when it does not. */
export const refuseAddress = (address: string, policy: OutboundPolicy): string | undefined => {
  if (policy === 'deny') return 'outbound calls are switched off'
  if (policy === 'loopback') return within(loopback, address) ? undefined : `${address} is not this machine`
  return within(metadata, address) ? `${address} is a link-local or metadata address` : undefined
}

/** Why the policy refuses a URL by what it says; undefined when it does not. A name's addresses are judged later. */
export const refuseUrl = (url: URL, policy: OutboundPolicy): string | undefined => {
  if (policy === 'deny') return 'outbound calls are switched off'
  const host = bare(url.hostname)
  const literal = isIP(host) !== 0
  if (typeof policy === 'object') {
    const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port
    if (!listed(policy, host, port)) return `${url.host} is not on the list of hosts`
    // An address that the list spells out is meant.
    return literal || !metadataNames.has(host) ? undefined : `${host} is a metadata service`
  }
  if (metadataNames.has(host)) return `${host} is a metadata service`
  return literal ? refuseAddress(host, policy) : undefined
}

/** A refusal of the policy, as the connection's error. */
export class PolicyError extends Error {
  readonly code = 'ERR_OUTBOUND_POLICY'
}

/** Name resolution that judges every address before a connection is made to it. */
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
      const [first] = addresses
      if (refused !== undefined || first === undefined) callback(new PolicyError(refused ?? 'no address'), [])
      else if (options.all === true) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
