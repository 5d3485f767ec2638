// The certificate and key for HTTPS: from files, or made for this start.

import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { wallMs } from '../determinism/clock.js'
import { selfSigned, type CertificatePair } from './certificate.js'

/** The source of a server's certificate. */
export interface TlsOptions {
  /** True serves HTTPS with a self-signed certificate made at the start. Default false. */
  readonly tls?: boolean | undefined
  /** The path of a certificate (PEM), with its chain if it has one. HTTPS is served with it. */
  readonly tlsCert?: string | undefined
  /** The path of its private key, PEM, without a passphrase. */
  readonly tlsKey?: string | undefined
}

/** A certificate or key that cannot be used. The message is one sentence, without the name of the option. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError'

  constructor(
    /** The option whose file cannot be used. */
    readonly option: 'tlsCert' | 'tlsKey',
    message: string,
  ) {
    super(message)
  }
}

/**
 * The pair to serve with; undefined when the server speaks plain HTTP.
 *
 * @param names further host names and addresses for a certificate made here, besides those of this machine
 * @throws CertificateError when a file cannot be read, or the two files do not match
 */
export function pairOf(
  { tls = false, tlsCert, tlsKey }: TlsOptions,
  names: readonly string[],
): CertificatePair | undefined {
  if (tlsCert === undefined || tlsKey === undefined) return tls ? selfSigned(names, wallMs()) : undefined
  const cert = readPem('tlsCert', tlsCert)
  const key = readPem('tlsKey', tlsKey)
  let isPair
  try {
    isPair = certificateIn(cert, tlsCert).checkPrivateKey(keyIn(key, tlsKey))
    if (isPair) createSecureContext({ cert, key })
  } catch (error) {
    if (error instanceof CertificateError) throw error
    throw new CertificateError(
      'tlsCert',
      `The certificate in ${tlsCert} cannot be used: ${messageOf(error)}.`,
    )
  }
  if (isPair) return { cert, key }
  throw new CertificateError(
    'tlsKey',
    `The key in ${tlsKey} does not belong to the certificate in ${tlsCert}; give two files that match.`,
  )
}

function readPem(option: 'tlsCert' | 'tlsKey', path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const what = option === 'tlsCert' ? 'certificate' : 'key'
    throw new CertificateError(option, `The ${what} ${path} cannot be read: ${messageOf(error)}.`)
  }
}

function certificateIn(text: string, path: string): X509Certificate {
  try {
    return new X509Certificate(text)
  } catch {
    throw new CertificateError('tlsCert', `${path} contains no certificate in PEM.`)
  }
}

function keyIn(text: string, path: string): ReturnType<typeof createPrivateKey> {
  try {
    return createPrivateKey(text)
  } catch {
    throw new CertificateError('tlsKey', `${path} contains no private key in PEM without a passphrase.`)
  }
}

/** The system's message about a file, without the path, which the sentence already contains. */
const messageOf = (error: unknown): string => (error as Error).message.replace(/, \w+(?: '.*')?$/, '')
