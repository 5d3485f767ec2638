// Card details that only the card holder may read, encrypted with the client's key: the service does this, but does
// not document it. RSA-OAEP with SHA-1 and MGF1, which `privateDecrypt` of Node and WebCrypto's RSA-OAEP decrypt. The
// padding is made here and not by OpenSSL, so that it uses the sandbox's random numbers: the same seed gives the same
// bytes.

import { constants, createHash, createPublicKey, publicEncrypt, type KeyObject } from 'node:crypto'
import type { Stream } from '../determinism/random.js'
import { invalid, type InputError } from '../protocol/problem.js'

/** A key for the documentation's example; its private key was discarded. */
export const exampleKey = {
  modulus:
    'b94e1dda5c6feb5be1434c5f31b5670609fc9aeb4121370cbf01d9928323d4ec' +
    'f6e5ec0512ee11deb03b8b407fd68c76b85944dbc7030d0ea5c5472c7419b48f' +
    'f4513f3c9bb2a0dc13b2c386072391a89485292b90f395331133caaae0ebcf33' +
    '47abec6e2ae9fac3e49b2bb2987e126cfb9ea91c1ba170cddb21064f672a851f',
  exponent: '010001',
}

const hashBytes = 20
const fewestBits = 1024
const maxBits = 8192

/**
 * The RSA key of a modulus and an exponent in hexadecimal; throws `invalid-request` that names what is wrong with it.
 */
export function readKey(modulus: string, exponent: string): KeyObject {
  const n = bytesOf(modulus)
  const e = bytesOf(exponent)
  const errors: InputError[] = []
  if (!n) errors.push({ path: '/modulus', message: 'must be hexadecimal' })
  else if (n.length * 8 < fewestBits || n.length * 8 > maxBits || n.at(-1)! % 2 === 0)
    errors.push({
      path: '/modulus',
      message: `must be an odd number of ${fewestBits} to ${maxBits} bits`,
    })
  // No real key has a larger exponent, and the time grows with its length.
  if (!e) errors.push({ path: '/exponent', message: 'must be hexadecimal' })
  else if (e.length > 4 || e.at(-1)! % 2 === 0 || (e.length === 1 && e[0]! < 3))
    errors.push({ path: '/exponent', message: 'must be an odd number from 3 to ffffffff, such as 010001' })
  if (!n || !e || errors.length > 0) throw invalid(errors)
  try {
    const jwk = { kty: 'RSA', n: n.toString('base64url'), e: e.toString('base64url') }
    return createPublicKey({ key: jwk, format: 'jwk' })
  } catch {
    throw invalid([{ path: '/modulus', message: 'is not the modulus of an RSA key' }])
  }
}

/** The bytes of a hexadecimal number without leading zeros; 0x, colons and spaces are allowed. */
function bytesOf(hex: string): Buffer | undefined {
  const digits = hex.replace(/^\s*0x/i, '').replace(/[\s:]/g, '')
  if (!/^[0-9a-f]+$/i.test(digits)) return undefined
  const plain = digits.replace(/^0+(?=.)/, '')
  return Buffer.from(plain.length % 2 === 0 ? plain : `0${plain}`, 'hex')
}

/** Encrypts a text for the owner of a key, in base64. */
export function encryptFor(key: KeyObject, text: string, chance: Stream): string {
  const { modulusLength } = key.asymmetricKeyDetails as { modulusLength: number }
  const block = oaep(Buffer.from(text), Math.ceil(modulusLength / 8), chance)
  const encrypted = publicEncrypt({ key, padding: constants.RSA_NO_PADDING }, block)
  return encrypted.toString('base64')
}

/** RFC 8017 section 7.1.1, without a label. */
function oaep(message: Buffer, length: number, chance: Stream): Buffer {
  const data = Buffer.alloc(length - hashBytes - 1)
  createHash('sha1').digest().copy(data)
  data[data.length - message.length - 1] = 1
  message.copy(data, data.length - message.length)
  const seed = Buffer.from(chance.characters('0123456789abcdef', 2 * hashBytes), 'hex')
  const maskedData = xor(data, mgf1(seed, data.length))
  const maskedSeed = xor(seed, mgf1(maskedData, hashBytes))
  return Buffer.concat([Buffer.of(0), maskedSeed, maskedData])
}

function mgf1(seed: Buffer, length: number): Buffer {
  const parts: Buffer[] = []
  for (let counter = 0; parts.length * hashBytes < length; counter++)
    parts.push(
      createHash('sha1')
        .update(seed)
        .update(Buffer.of(0, 0, 0, counter))
        .digest(),
    )
  return Buffer.concat(parts).subarray(0, length)
}

const xor = (bytes: Buffer, mask: Buffer): Buffer => Buffer.from(bytes.map((byte, i) => byte ^ mask[i]!))
