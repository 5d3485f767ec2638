import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { execute } from '../../../test/outbound-calls.js'

/** Serves what TLS shows of a call. The certificate is self-signed and for localhost. */
const overTls = async (use: (address: string) => Promise<void>): Promise<void> => {
  const [key, cert] = await Promise.all(
    ['localhost-key.pem', 'localhost.pem'].map((file) => readFile(`test/tls/${file}`)),
  )
  const secure = createSecureServer({ key: key!, cert: cert! }, (request, response) => {
    const { servername } = request.socket as { servername?: string }
    response.end(JSON.stringify({ servername, host: request.headers.host }))
  })
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
  try {
    await use(`localhost:${(secure.address() as AddressInfo).port}`)
  } finally {
    await new Promise((resolve) => secure.close(resolve))
  }
}

test('an untrusted certificate is refused, as in Node', async () => {
  await overTls(async (address) => {
    const { value, outbound } = await execute(
      `return fetch('https://${address}/').catch(({ name, type, code }) => [name, type, code])`,
    )
    expect(value).toEqual(['FetchError', 'system', 'DEPTH_ZERO_SELF_SIGNED_CERT'])
    expect(outbound).toMatchObject([
      { url: `https://${address}/`, status: null, error: expect.stringContaining('self-signed certificate') },
    ])
  })
})

test('HTTPS sends the host name (SNI), trusts what the process trusts, and checks the name in the certificate', async () => {
  await overTls(async (address) => {
    const script = `
      import { createRunner } from './dist/card-code/host/runner.js'
      const runner = createRunner()
      const { outcome } = await runner.run({
        hook: 'hook',
        source: 'const hook = async () => [await (await fetch("https://${address}/")).json(), await fetch("https://127.0.0.1:${address.split(':')[1]!}/").catch((e) => e.code)]',
        variables: {}, payload: null, windowMs: 15000, time: { nowMs: 0, frozen: false }, seed: 1, policy: 'loopback',
      })
      process.stdout.write(JSON.stringify(outcome.value ?? outcome.error))
      await runner.close()`
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: 'test/tls/localhost.pem' }
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      env,
    })
    expect(JSON.parse(stdout)).toEqual([
      { servername: 'localhost', host: address },
      'ERR_TLS_CERT_ALTNAME_INVALID',
    ])
  })
})
