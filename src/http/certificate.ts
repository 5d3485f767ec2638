// A self-signed certificate, made when a server starts. node:crypto makes keys and signatures but no certificates, so
// the few required fields of X.509 (RFC 5280) are encoded here, in DER.

import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { isIP } from 'node:net'

/** A certificate and its private key, both PEM. */
export interface CertificatePair {
  /** The certificate, PEM. */
  readonly cert: string
  /** The private key, PEM. */
  readonly key: string
}

const dayMs = 86_400_000

/**
 * A certificate for `localhost`, the loopback addresses and further names, valid for a year from a day before
 * `nowMs`. It is its own authority, so that clients can be told to trust it.
 */
export function selfSigned(names: readonly string[], nowMs: number): CertificatePair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const id = createHash('sha256').update(spki).digest()
  const name = sequence(set(sequence(oid('2.5.4.3'), utf8('sandbox-server'))))
  const algorithm = sequence(oid('1.2.840.10045.4.3.2'))
  const body = sequence(
    tagged(0xa0, integer(Buffer.of(2))),
    // A positive number of 16 bytes, different for each key.
    integer(Buffer.concat([Buffer.of(0x01), id.subarray(0, 15)])),
    algorithm,
    name,
    sequence(time(nowMs - dayMs), time(nowMs + 365 * dayMs)),
    name,
    spki,
    tagged(
      0xa3,
      sequence(
        extension('2.5.29.19', sequence(boolean(true), integer(Buffer.of(0))), true),
        // digitalSignature and keyCertSign.
        extension('2.5.29.15', der(0x03, Buffer.of(2, 0x84)), true),
        extension('2.5.29.37', sequence(oid('1.3.6.1.5.5.7.3.1'))),
        extension('2.5.29.14', der(0x04, id.subarray(0, 20))),
        extension('2.5.29.17', sequence(...namesOf(names))),
      ),
    ),
  )
  const signature = sign('sha256', body, privateKey)
  const whole = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.of(0), signature])))
  const lines = whole.toString('base64').replace(/.{64}/g, '$&\n').trimEnd()
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** The names as alternative names: tag 2 is a DNS name, tag 7 an address. */
function namesOf(names: readonly string[]): Buffer[] {
  // The zone of an address (`fe80::1%eth0`) is this machine's own name for an interface.
  const all = new Set(['localhost', '127.0.0.1', '::1', ...names.map((name) => name.replace(/%.*/, ''))])
  return [...all].map((name) => {
    if (isIP(name) === 0) return der(0x82, Buffer.from(name, 'latin1'))
    return der(0x87, isIP(name) === 4 ? Buffer.from(name.split('.').map(Number)) : addressBytes(name))
  })
}

/** The 16 bytes of an IPv6 address. */
function addressBytes(address: string): Buffer {
  // The URL parser writes an embedded IPv4 address as groups too.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'))
  const before = groups(head)
  const after = groups(tail ?? '')
  const middle = Array<string>(8 - before.length - after.length).fill('0')
  const bytes = Buffer.alloc(16)
  for (const [index, group] of [...before, ...middle, ...after].entries())
    bytes.writeUInt16BE(parseInt(group, 16), index * 2)
  return bytes
}

/** One element: tag, length, content. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content])
  const size = length < 0x100 ? Buffer.of(0x81, length) : Buffer.of(0x82, length >> 8, length & 0xff)
  return Buffer.concat([Buffer.of(tag), size, content])
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, Buffer.concat(parts))
const set = (...parts: readonly Buffer[]): Buffer => der(0x31, Buffer.concat(parts))
const tagged = (tag: number, content: Buffer): Buffer => der(tag, content)
const integer = (bytes: Buffer): Buffer => der(0x02, bytes)
const boolean = (value: boolean): Buffer => der(0x01, Buffer.of(value ? 0xff : 0))
const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text))

const extension = (id: string, value: Buffer, isCritical = false): Buffer =>
  sequence(oid(id), ...(isCritical ? [boolean(true)] : []), der(0x04, value))

/** UTCTime up to 2049, GeneralizedTime after that. */
function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '')
  return digits < '2050' ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits))
}

/** An object identifier: base 128, the first two numbers in one. */
function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  const bytes = [first * 40 + second, ...rest].flatMap((number) => {
    const digits = [number & 0x7f]
    for (let left = number >>> 7; left > 0; left >>>= 7) digits.unshift((left & 0x7f) | 0x80)
    return digits
  })
  return der(0x06, Buffer.from(bytes))
}
