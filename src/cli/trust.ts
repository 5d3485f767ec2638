// A file with the bank's certificate, for a program that uses the bank.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from './room-commands.js'

/** What makes a program trust a certificate. */
export interface Trust {
  readonly variables: Readonly<Record<string, string>>
  /** Removes the file. */
  end(): void
}

/**
 * Writes the certificate (PEM) to a new file and names it in `NODE_EXTRA_CA_CERTS`, together with the previous
 * content of that variable. Does nothing without a certificate.
 */
export function trustIn(certificate: string | undefined, environment: Environment): Trust {
  if (certificate === undefined) return { variables: {}, end: () => undefined }
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-server-'))
  const file = join(folder, 'ca.pem')
  writeFileSync(file, [certificate, before(environment.NODE_EXTRA_CA_CERTS)].join('\n'))
  return {
    variables: { NODE_EXTRA_CA_CERTS: file },
    end: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The certificates of a file; Node also starts without those that it cannot read. */
function before(file: string | undefined): string {
  try {
    return file ? readFileSync(file, 'utf8') : ''
  } catch {
    return ''
  }
}
