// Where an IP address leads: the public network, this machine, a private network, or a cloud's metadata service. An
// IPv6 address that contains an IPv4 address (`::ffff:127.0.0.1`, `64:ff9b::7f00:1`) leads where that address leads.
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** The target of an address. `unspecified` (`0.0.0.0`, `::`) connects to this machine on most systems. */
export type AddressKind = 'metadata' | 'loopback' | 'unspecified' | 'private' | 'public'

/** Metadata services outside the link-local ranges: AWS, Google, Alibaba, Azure, Oracle, Scaleway, Linode. */
const metadata = [
  'fd00:ec2::/64',
  'fd20:ce::254/128',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  'fd00:42::42/128',
  'fd00:a9fe:a9fe::1/128',
].map((range) => ipaddr.parseCIDR(range))

/** The strictest first: when an address has several readings, the strictest of them counts. */
const strictness: readonly AddressKind[] = ['metadata', 'loopback', 'unspecified', 'private', 'public']

/** The target of a literal IP address as URLs and name resolution write it, with or without a zone. */
export function kindOf(address: string): AddressKind {
  const parsed = ipaddr.parse(address.replace(/%.*$/, ''))
  const carried = parsed.kind() === 'ipv6' ? carriedBy(parsed.toByteArray()) : undefined
  if (carried === undefined) return plainKind(parsed)
  const kinds = carried.map((bytes) => plainKind(ipaddr.fromByteArray(bytes)))
  return strictness.find((kind) => kinds.includes(kind))!
}

function plainKind(address: ipaddr.IPv4 | ipaddr.IPv6): AddressKind {
  const isMetadata = metadata.some(
    ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
  )
  const range = address.range()
  if (isMetadata || range === 'linkLocal') return 'metadata'
  if (range === 'loopback' || range === 'unspecified') return range
  return range === 'unicast' ? 'public' : 'private'
}

const startsWith = (bytes: readonly number[], ...start: number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte)

/** The IPv4 addresses that an IPv6 address contains; undefined when there are none. */
function carriedBy(bytes: number[]): number[][] | undefined {
  const last = bytes.slice(12)
  // 6to4, 2002:a.b.c.d::/48.
  if (startsWith(bytes, 0x20, 0x02)) return [bytes.slice(2, 6)]
  // Translated by NAT64: the well-known prefix, and the local one, whose operator chooses the position.
  if (startsWith(bytes, 0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0)) return [last]
  if (startsWith(bytes, 0, 0x64, 0xff, 0x9b, 0, 1))
    return [last, [bytes[6]!, bytes[7]!, bytes[9]!, bytes[10]!]]
  if (!startsWith(bytes, 0, 0, 0, 0, 0, 0, 0, 0)) return undefined
  const [high, low] = [bytes.slice(8, 10).join('.'), bytes.slice(10, 12).join('.')]
  // Mapped (::ffff:a.b.c.d), translated (::ffff:0:a.b.c.d), and compatible (::a.b.c.d, except :: and ::1).
  if ((high === '0.0' && low === '255.255') || (high === '255.255' && low === '0.0')) return [last]
  const isCompatible = high === '0.0' && low === '0.0' && (last[0] !== 0 || last[1] !== 0)
  return isCompatible ? [last] : undefined
}

/** Whether an address leads to this machine: loopback, unspecified, or that of a network interface. */
export const isOwnAddress = (address: string): boolean => {
  const kind = kindOf(address)
  if (kind === 'loopback' || kind === 'unspecified') return true
  const own = ipaddr.process(address.replace(/%.*$/, '')).toString()
  return Object.values(networkInterfaces()).some((list) =>
    list?.some((each) => ipaddr.process(each.address.replace(/%.*$/, '')).toString() === own),
  )
}

/** Whether an address leads to this machine or a private network. */
export const isLocalAddress = (address: string): boolean =>
  kindOf(address) !== 'public' || isOwnAddress(address)

/** The name or address of a URL's host, without brackets and without the final dot of a full name. */
export const bareHost = (hostname: string): string =>
  hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()

/** Whether a URL's host is literally this machine: a loopback name or address, or the unspecified address. */
export const isThisMachine = (hostname: string): boolean => {
  const host = bareHost(hostname)
  if (isIP(host) === 0) return host === 'localhost' || host.endsWith('.localhost')
  const kind = kindOf(host)
  return kind === 'loopback' || kind === 'unspecified'
}
