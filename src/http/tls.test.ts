import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get, type RequestOptions } from 'node:https'
import { connect as connectPlain } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type ConnectionOptions } from 'node:tls'
import { afterAll, expect, test } from '@jest/globals'
import { startSandbox } from '../index.js'
import { selfSigned } from './certificate.js'

const folder = mkdtempSync(join(tmpdir(), 'tls-'))
afterAll(() => rmSync(folder, { recursive: true }))

const fileOf = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const nowMs = Date.parse('2026-03-25T08:00:00Z')

interface Answer {
  readonly status: number | undefined
  readonly type: string | undefined
  readonly body: string
}

const ask = (url: string, options: RequestOptions = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    get(url, { agent: false, ...options }, (response) => {
      const { statusCode: status, headers } = response
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => (body += part))
      response.on('end', () => resolve({ status, type: headers['content-type'], body }))
    }).on('error', reject)
  })

test('a client that trusts the certificate is served, and another one refuses it', async () => {
  await using sandbox = await startSandbox({ tls: true, now: '2026-03-25' })
  expect(sandbox.url).toBe(`https://127.0.0.1:${sandbox.port}`)
  const address = `${sandbox.url}/_sandbox/ca.pem`
  const { body: ca, ...answer } = await ask(address, { rejectUnauthorized: false })
  expect(answer).toEqual({ status: 200, type: 'application/x-pem-file' })
  expect(ca).toBe(sandbox.certificate)
  for (const name of ['127.0.0.1', 'localhost']) {
    const { status } = await ask(`https://${name}:${sandbox.port}/_sandbox/health`, { ca, family: 4 })
    expect(status).toBe(200)
  }
  await expect(ask(`${sandbox.url}/_sandbox/health`)).rejects.toMatchObject({
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  })
  await expect(
    ask(`https://127.0.0.1:${sandbox.port}/`, { ca, servername: 'bank.test' }),
  ).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
})

test('links.self says https', async () => {
  await using sandbox = await startSandbox({ tls: true })
  const { headers } = await sandbox.signIn()
  const { body } = await ask(`${sandbox.url}/za/pb/v1/accounts`, {
    ca: sandbox.certificate!,
    headers: { ...headers },
  })
  expect((JSON.parse(body) as { links: { self: string } }).links.self).toBe(
    `${sandbox.url}/za/pb/v1/accounts`,
  )
})

test('without TLS there is no certificate', async () => {
  await using sandbox = await startSandbox()
  expect(sandbox.certificate).toBeUndefined()
  expect((await fetch(`${sandbox.url}/_sandbox/ca.pem`)).status).toBe(404)
})

test('a server with TLS ends handshakes, idle and kept connections when it stops', async () => {
  const sandbox = await startSandbox({ tls: true })
  const to: ConnectionOptions & { port: number; host: string } = { port: sandbox.port, host: '127.0.0.1' }
  const silent = connectPlain(to.port, to.host)
  const idle = connect({ ...to, ca: sandbox.certificate! })
  const ended = [silent, idle].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
  await Promise.all([
    new Promise((resolve) => silent.once('connect', resolve)),
    new Promise((resolve) => idle.once('secureConnect', resolve)),
  ])
  await sandbox.close()
  await Promise.all(ended)
})

test('a fault breaks the connection under TLS too', async () => {
  await using sandbox = await startSandbox({ tls: true })
  const ca = sandbox.certificate!
  await sandbox.faults.add({ match: { path: '/za/pb/v1/accounts' }, fault: { kind: 'reset' } })
  await expect(ask(`${sandbox.url}/za/pb/v1/accounts`, { ca })).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect((await ask(`${sandbox.url}/_sandbox/health`, { ca })).status).toBe(200)
})

test('HTTPS uses a pair of files', async () => {
  const pair = selfSigned(['bank.test', 'fe80::1%eth0', '::ffff:10.0.0.1'], Date.parse('2026-11-01'))
  expect(new X509Certificate(pair.cert).subjectAltName).toBe(
    'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, DNS:bank.test, ' +
      'IP Address:FE80:0:0:0:0:0:0:1, IP Address:0:0:0:0:0:FFFF:A00:1',
  )
  await using sandbox = await startSandbox({
    tlsCert: fileOf('cert.pem', pair.cert),
    tlsKey: fileOf('key.pem', pair.key),
  })
  expect(sandbox.certificate).toBe(pair.cert)
  const { status } = await ask(`${sandbox.url}/_sandbox/health`, {
    ca: pair.cert,
    checkServerIdentity: () => undefined,
  })
  expect(status).toBe(200)
})

const one = selfSigned([], nowMs)
const other = selfSigned([], nowMs)
const cert = fileOf('one.pem', one.cert)
const key = fileOf('one-key.pem', one.key)
const locked = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
  cipher: 'aes-256-cbc',
  passphrase: 'x',
})

test.each([
  [
    { tlsCert: cert, tlsKey: fileOf('other-key.pem', other.key) },
    'tlsKey',
    `Option tlsKey: The key in ${folder}/other-key.pem does not belong to the certificate in ${cert}; give two files that match.`,
  ],
  [
    { tlsCert: cert, tlsKey: fileOf('locked.pem', locked.toString()) },
    'tlsKey',
    `Option tlsKey: ${folder}/locked.pem contains no private key in PEM without a passphrase.`,
  ],
  [{ tlsCert: key, tlsKey: key }, 'tlsCert', `Option tlsCert: ${key} contains no certificate in PEM.`],
  [
    { tlsCert: `${folder}/none.pem`, tlsKey: key },
    'tlsCert',
    `Option tlsCert: The certificate ${folder}/none.pem cannot be read: ENOENT: no such file or directory.`,
  ],
  [
    { tlsCert: folder, tlsKey: key },
    'tlsCert',
    `Option tlsCert: The certificate ${folder} cannot be read: EISDIR: illegal operation on a directory.`,
  ],
  [{ tlsCert: cert }, 'tlsCert', 'Option tlsCert needs Option tlsKey as well.'],
  [{ tlsKey: key }, 'tlsKey', 'Option tlsKey needs Option tlsCert as well.'],
])('%j is refused in one sentence', async (options, option, message) => {
  await expect(startSandbox(options)).rejects.toMatchObject({ name: 'OptionError', option, message })
})
