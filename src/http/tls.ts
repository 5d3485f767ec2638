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

/** Why a certificate or key cannot be used: one sentence, without the name of the option. */
export interface CertificateFault {
  /** The option whose file cannot be used. */
  readonly option: 'tlsCert' | 'tlsKey'
  /** What is wrong, with the name of the file. */
  readonly message: string
}

/**
 * The pair to serve with, undefined when the server speaks plain HTTP; or why there is none: a file cannot be read, or
 * the two files do not match.
 *
 * @param names further host names and addresses for a certificate made here, besides those of this machine
 */
export function pairOf(
  { tls = false, tlsCert, tlsKey }: TlsOptions,
  names: readonly string[],
): { readonly pair: CertificatePair | undefined } | { readonly fault: CertificateFault } {
  if (tlsCert === undefined || tlsKey === undefined)
    return { pair: tls ? selfSigned(names, wallMs()) : undefined }
  const refused = (option: CertificateFault['option'], message: string) => ({ fault: { option, message } })
  const cert = tried(() => readFileSync(tlsCert, 'utf8'))
  if ('error' in cert)
    return refused('tlsCert', `The certificate ${tlsCert} cannot be read: ${messageOf(cert.error)}.`)
  const key = tried(() => readFileSync(tlsKey, 'utf8'))
  if ('error' in key) return refused('tlsKey', `The key ${tlsKey} cannot be read: ${messageOf(key.error)}.`)
  const certificate = tried(() => new X509Certificate(cert.value))
  if ('error' in certificate) return refused('tlsCert', `${tlsCert} contains no certificate in PEM.`)
  const privateKey = tried(() => createPrivateKey(key.value))
  if ('error' in privateKey)
    return refused('tlsKey', `${tlsKey} contains no private key in PEM without a passphrase.`)
  if (!certificate.value.checkPrivateKey(privateKey.value))
    return refused(
      'tlsKey',
      `The key in ${tlsKey} does not belong to the certificate in ${tlsCert}; give two files that match.`,
    )
  const pair = { cert: cert.value, key: key.value }
  const context = tried(() => createSecureContext(pair))
  if ('error' in context)
    return refused('tlsCert', `The certificate in ${tlsCert} cannot be used: ${messageOf(context.error)}.`)
  return { pair }
}

/** The result of a function of the platform, or the error that it throws. */
function tried<T>(act: () => T): { readonly value: T } | { readonly error: unknown } {
  try {
    return { value: act() }
  } catch (error) {
    return { error }
  }
}

/** The system's message about a file, without the path, which the sentence already contains. */
const messageOf = (error: unknown): string => (error as Error).message.replace(/, \w+(?: '.*')?$/, '')
