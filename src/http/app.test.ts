import { gzipSync } from 'node:zlib'
import { expect, test } from '@jest/globals'
import request from 'supertest'
import { sandboxAt } from '../../test/client.js'
import { createApp } from './app.js'
import type { HttpOptions, RequestLine } from './http-options.js'

const open = (options?: HttpOptions) => createApp(sandboxAt(), options)
const health = '/_sandbox/health'
const accounts = '/za/pb/v1/accounts'

const problem = (code: string) => `urn:sandbox-server:problem:${code}`

async function statusFor(host: string, options?: HttpOptions): Promise<number> {
  return (await request(open(options)).get('/nothing').set('Host', host)).status
}

test.each([
  'localhost',
  'LOCALHOST:3300',
  'localhost:1',
  'bank.localhost:3300',
  '127.0.0.1',
  '127.0.0.1:3300',
  '127.5.6.7',
  '[::1]',
  '[::1]:3300',
])('the host %s is answered', async (host) => {
  expect(await statusFor(host)).toBe(404)
})

test.each([
  'evil.example',
  'evil.example:3300',
  'localhost.evil.example',
  'localhost.evil.example:3300',
  'xlocalhost',
  '127.0.0.1.evil.example',
  '1127.0.0.1',
  '192.168.1.10:3300',
  '0.0.0.0',
  '[::2]',
  '::1',
  'localhost:',
  'localhost:123456',
  'localhost:80:80',
  'localhost@evil.example',
  'user@localhost',
  'localhost/x',
  'localhost, evil.example',
])('the host %s is refused on every path', async (host) => {
  const app = open()
  for (const path of [health, accounts, '/', '/nothing', '/identity/v2/oauth2/token']) {
    const answer = await request(app).get(path).set('Host', host)
    expect([answer.status, answer.body]).toMatchObject([
      401,
      { type: problem('host-refused'), instance: path },
    ])
  }
})

test('a host that is allowed is answered, whatever its case and port, and no other', async () => {
  const options = { allowHosts: ['Bank.Test'] }
  expect(await statusFor('bank.test', options)).toBe(404)
  expect(await statusFor('BANK.TEST:8080', options)).toBe(404)
  expect(await statusFor('x.bank.test', options)).toBe(401)
  expect(await statusFor('bank.test.evil.example', options)).toBe(401)
})

test('a host that was refused is still refused after many that were answered', async () => {
  const app = open()
  for (let port = 1; port <= 150; port++) await request(app).get(health).set('Host', `localhost:${port}`)
  expect((await request(app).get(health).set('Host', 'evil.example')).status).toBe(401)
})

const loopbackOrigins = [
  'http://localhost:5173',
  'https://localhost',
  'http://127.0.0.1:8080',
  'http://[::1]:5173',
  'http://app.localhost:3000',
]

const foreignOrigins = [
  'https://evil.example',
  'http://localhost.evil.example',
  'http://localhost.evil.example:5173',
  'http://127.0.0.1.evil.example',
  'http://evil.example/localhost',
  'http://localhost@evil.example',
  'http://192.168.1.5:5173',
  'ftp://localhost',
  'chrome-extension://localhost',
  'localhost',
  'null',
  '',
]

test.each(loopbackOrigins)('a page of %s may call the service', async (origin) => {
  const { headers } = await request(open()).get(accounts).set('Origin', origin)
  expect(headers['access-control-allow-origin']).toBe(origin)
  expect(headers.vary).toContain('Origin')
})

test.each(foreignOrigins)('a page of %p may not call, even after a preflight', async (origin) => {
  const app = open()
  for (const method of ['get', 'post', 'options'] as const) {
    const answer = await request(app)
      [method](accounts)
      .set('Origin', origin)
      .set('Access-Control-Request-Method', 'GET')
    expect([answer.status, answer.body]).toMatchObject([401, { type: problem('origin-refused') }])
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  }
})

test('a preflight is answered with what the service accepts', async () => {
  const { status, headers } = await request(open())
    .options('/identity/v2/oauth2/token')
    .set('Origin', 'http://localhost:5173')
    .set('Access-Control-Request-Method', 'POST')
    .set('Access-Control-Request-Headers', 'authorization,x-api-key')
  expect(status).toBe(204)
  expect(headers).toMatchObject({
    'access-control-allow-origin': 'http://localhost:5173',
    'access-control-allow-headers': 'authorization,x-api-key',
    'access-control-allow-methods': 'GET,HEAD,POST,PUT,DELETE',
  })
})

test('OPTIONS without an origin is a method like any other', async () => {
  const { status, headers } = await request(open()).options(accounts)
  expect([status, headers.allow]).toEqual([405, 'GET, HEAD'])
})

test('a listed origin may call everything, similar origins may not', async () => {
  const app = open({ cors: ['https://app.example'] })
  for (const path of [accounts, health]) {
    const { headers } = await request(app).get(path).set('Origin', 'https://app.example')
    expect(headers['access-control-allow-origin']).toBe('https://app.example')
    for (const other of ['http://app.example', 'https://app.example:444', 'https://app.example.evil.example'])
      expect((await request(app).get(path).set('Origin', other)).body).toMatchObject({
        type: problem('origin-refused'),
      })
  }
})

test('with * every page may call the service, and none the control API', async () => {
  const app = open({ cors: ['*'] })
  for (const origin of ['https://anything.example', 'null']) {
    const service = await request(app).get(accounts).set('Origin', origin)
    expect(service.headers['access-control-allow-origin']).toBe(origin)
    for (const path of [health, '//_sandbox/health', '/_sandbox/nothing', '/_sandbox?x'])
      expect((await request(app).get(path).set('Origin', origin)).body).toMatchObject({
        type: problem('origin-refused'),
      })
  }
})

test('a page of another site cannot call without an Origin, for example with an image', async () => {
  const statusWith = async (headers: Record<string, string>, options = {}) =>
    (await request(open(options)).get(accounts).set(headers)).status
  expect(await statusWith({ 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' })).toBe(401)
  const body = (await request(open()).get(accounts).set({ 'Sec-Fetch-Site': 'cross-site' })).body as object
  expect(body).toMatchObject({ type: problem('origin-refused') })
  const any = (
    await request(open({ cors: ['*'] }))
      .get(accounts)
      .set({ 'Sec-Fetch-Site': 'cross-site' })
  ).body as object
  expect(any).toMatchObject({ type: problem('missing-token') })
})

test('HEAD of the stream of events ends', async () => {
  const answer = await request(open()).head('/_sandbox/events')
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/event-stream'])
})

test('the control API answers pages of its own origin, and what a person types', async () => {
  const app = open()
  const statusWith = async (headers: Record<string, string>) =>
    (
      await request(app)
        .get(health)
        .set({ Host: 'localhost:3300', ...headers })
    ).status
  expect(await statusWith({ Origin: 'http://localhost:3300' })).toBe(200)
  expect(await statusWith({ Origin: 'http://localhost:5173' })).toBe(401)
  expect(await statusWith({ 'Sec-Fetch-Site': 'same-origin' })).toBe(200)
  expect(await statusWith({ 'Sec-Fetch-Site': 'none' })).toBe(200)
  expect(await statusWith({ 'Sec-Fetch-Site': 'cross-site' })).toBe(401)
  expect(await statusWith({ 'Sec-Fetch-Site': 'same-site' })).toBe(401)
  expect(await statusWith({})).toBe(200)
})

test('a page that may call can read why a body is refused', async () => {
  const answer = await request(open())
    .post('/identity/v2/oauth2/token')
    .set('Origin', 'http://localhost:5173')
    .send('a'.repeat(1_048_577))
  expect([answer.status, answer.body]).toMatchObject([400, { error: 'invalid_request' }])
  expect(answer.headers['access-control-allow-origin']).toBe('http://localhost:5173')
})

test('a body of 1 MiB is read, one byte more is not, and neither is one that unpacks to more', async () => {
  const app = open()
  const post = (body: string | Buffer, encoding = 'identity') =>
    request(app)
      .post('/identity/v2/oauth2/token')
      .set('Content-Type', 'application/octet-stream')
      .set('Content-Encoding', encoding)
      .send(body)
  expect((await post('a'.repeat(1_048_576))).body).toMatchObject({ error: 'invalid_client' })
  expect((await post(gzipSync('a'.repeat(1_048_576)), 'gzip')).body).toMatchObject({
    error: 'invalid_client',
  })
  const refused = [
    [await post('a'.repeat(1_048_577)), 'Send at most 1 MiB.'],
    [await post(gzipSync('a'.repeat(9_000_000)), 'gzip'), 'Send at most 1 MiB.'],
    [await post('not gzip', 'gzip'), 'The request cannot be read: '],
    [await post('x', 'rot13'), 'The request cannot be read: '],
  ] as const
  for (const [{ status, body, headers }, description] of refused) {
    expect([status, headers['cache-control'], headers['content-type']]).toEqual([
      400,
      'no-store',
      'application/json; charset=utf-8',
    ])
    expect(body).toEqual({
      error: 'invalid_request',
      error_description: expect.stringContaining(description),
    })
  }
})

test('at other endpoints an unreadable body is a problem', async () => {
  const post = (body: string | Buffer, encoding = 'identity') =>
    request(open()).post(accounts).set('Content-Encoding', encoding).send(body)
  expect((await post('a'.repeat(1_048_577))).body).toMatchObject({ type: problem('body-too-large') })
  expect((await post('not gzip', 'gzip')).body).toMatchObject({ type: problem('broken-request') })
})

test('every answer carries the date of the sandbox, refusals of foreign hosts too', async () => {
  const app = open()
  for (const host of ['localhost', 'evil.example'])
    expect((await request(app).get(health).set('Host', host)).headers.date).toBe(
      'Wed, 25 Mar 2026 08:00:00 GMT',
    )
})

test('each answered request is reported once, refused ones too', async () => {
  const lines: RequestLine[] = []
  const app = open({ onRequest: (line) => lines.push(line) })
  await request(app).get(`${health}?workspace=default`)
  await request(app).get(health).set('Host', 'evil.example')
  await request(app).get(health).set('Origin', 'https://evil.example')
  await request(app).post('/identity/v2/oauth2/token').send('a'.repeat(1_048_577))
  await request(app).head('/nothing')
  expect(lines.map(({ method, path, status }) => [method, path, status])).toEqual([
    ['GET', `${health}?workspace=default`, 200],
    ['GET', health, 401],
    ['GET', health, 401],
    ['POST', '/identity/v2/oauth2/token', 400],
    ['HEAD', '/nothing', 404],
  ])
  for (const { ms } of lines) expect(ms).toBeGreaterThanOrEqual(0)
})

test('a request is reported without the secrets of its query', async () => {
  const lines: RequestLine[] = []
  const app = open({ onRequest: (line) => lines.push(line) })
  await request(app).get(`${accounts}?workspace=default&client_secret=s3&apikey=s3&access_token=s3`)
  expect(lines[0]!.path).toBe(`${accounts}?workspace=default&client_secret=***&apikey=***&access_token=***`)
})

test('HEAD is answered like GET, without the body', async () => {
  const app = open()
  const [get, head] = await Promise.all([request(app).get(health), request(app).head(health)])
  expect(head.status).toBe(200)
  expect(head.headers['content-length']).toBe(get.headers['content-length'])
  expect(head.text).toBeUndefined()
})
