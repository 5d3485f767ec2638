// crypto.subtle as far as signing and checking a webhook needs it: digest, and HMAC keys in raw form.
import { exception } from './dom-exception.js'
import { ask, define } from './bridge.js'
import { Buffer, bytesOf } from './encoding.js'

const hashes = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512']

const nameOf = (algorithm: any): string => {
  const name = typeof algorithm === 'string' ? algorithm : String(algorithm?.name)
  return name.toUpperCase()
}

const hashOf = (algorithm: any): string => {
  const hash = nameOf(algorithm)
  if (!hashes.includes(hash)) throw exception('Unrecognized algorithm name', 'NotSupportedError')
  return hash
}

const notHere = (what: string): Error =>
  exception(
    `crypto.subtle.${what} is not supported by the sandbox: only digest and HMAC are`,
    'NotSupportedError',
  )

class CryptoKey {
  readonly type = 'secret'
  readonly #bytes: Uint8Array
  constructor(
    bytes: Uint8Array,
    readonly extractable: boolean,
    readonly algorithm: object,
    readonly usages: string[],
  ) {
    this.#bytes = bytes
  }
  static bytes(key: CryptoKey): Uint8Array {
    return key.#bytes
  }
  get [Symbol.toStringTag](): string {
    return 'CryptoKey'
  }
}

const bytesOfInput = (data: any): ArrayBuffer => {
  if (!(data instanceof ArrayBuffer) && !ArrayBuffer.isView(data))
    throw new TypeError('The data must be an ArrayBuffer, a Buffer or a typed array')
  return bytesOf(data).buffer as ArrayBuffer
}

const digest = (algorithm: string, data: ArrayBuffer, key: string | null): ArrayBuffer =>
  bytesOf(Buffer.from(ask('digest', { algorithm, key }, data), 'base64')).buffer as ArrayBuffer

const hmac = (key: unknown, usage: string, data: unknown): ArrayBuffer => {
  if (!(key instanceof CryptoKey)) throw new TypeError('The key must be a CryptoKey')
  if (!key.usages.includes(usage)) throw exception(`Unable to use this key to ${usage}`, 'InvalidAccessError')
  const { hash } = key.algorithm as { hash: { name: string } }
  return digest(hash.name, bytesOfInput(data), Buffer.from(CryptoKey.bytes(key)).toString('base64'))
}

const subtle: Record<string, (...args: any[]) => Promise<unknown>> = {
  digest: async (algorithm, data) => digest(hashOf(algorithm), bytesOfInput(data), null),
  importKey: async (format, data, algorithm, extractable, usages) => {
    if (format !== 'raw' || nameOf(algorithm) !== 'HMAC') throw notHere('importKey of this kind')
    const bytes = new Uint8Array(bytesOfInput(data))
    const hash = { name: hashOf(algorithm.hash) }
    const made = { name: 'HMAC', hash, length: bytes.length * 8 }
    return new CryptoKey(bytes, Boolean(extractable), made, [...usages])
  },
  exportKey: async (format, key) => {
    if (format !== 'raw' || !(key instanceof CryptoKey)) throw notHere('exportKey of this kind')
    if (!key.extractable) throw exception('key is not extractable', 'InvalidAccessError')
    return bytesOf(CryptoKey.bytes(key)).buffer
  },
  sign: async (algorithm, key, data) => {
    if (nameOf(algorithm) !== 'HMAC') throw notHere('sign of this kind')
    return hmac(key, 'sign', data)
  },
  verify: async (algorithm, key, signature, data) => {
    if (nameOf(algorithm) !== 'HMAC') throw notHere('verify of this kind')
    return Buffer.from(hmac(key, 'verify', data)).equals(Buffer.from(bytesOfInput(signature)))
  },
}

/** Installs crypto.subtle; missing members are refused by name. */
export const installDigests = (): void => {
  for (const name of ['encrypt', 'decrypt', 'generateKey', 'deriveKey', 'deriveBits', 'wrapKey', 'unwrapKey'])
    subtle[name] = async () => {
      throw notHere(name)
    }
  define('subtle', subtle, (globalThis as any).crypto, true)
}
