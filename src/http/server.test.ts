import { Agent, get } from 'node:http'
import { createConnection } from 'node:net'
import { afterEach, expect, test } from '@jest/globals'
import { accountIds, Client, everyday, sandboxAt } from '../../test/client.js'
import type { HttpOptions, RequestLine } from './http-options.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { listen, type Listening } from './server.js'

const host = '127.0.0.1'
const open: Listening[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

async function start(options: HttpOptions = {}) {
  const sandbox = sandboxAt()
  const listening = await listen(sandbox, { host, port: 0, ...options })
  open.push(listening)
  return { sandbox, ...listening }
}

/** Sends bytes unchanged; returns what arrives until the server closes or `answers` answers have arrived. */
function send(port: number, text: string, answers = 1): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(port, host, () => socket.write(text, 'latin1'))
    let received = ''
    socket.setEncoding('utf8')
    socket.on('data', (data: string) => {
      received += data
      // All our bodies are JSON objects, so an answer ends in a brace.
      const complete = received.split('HTTP/1.1 ').length - 1 >= answers && received.endsWith('}')
      if (complete) socket.destroy()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(received))
  })
}

const request = (line: string, headers = 'Host: localhost\r\n', body = '') =>
  `${line} HTTP/1.1\r\n${headers}\r\n${body}`

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])
const bodyOf = (answer: string): unknown => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))

/** The rows of all accounts, as bytes: no refused request may change them. */
async function rowsOf(sandbox: Sandbox): Promise<string> {
  const client = await Client.of(sandbox)
  const all = await Promise.all(
    accountIds.map((accountId) =>
      client.data(`/za/pb/v1/accounts/${accountId}/transactions?fromDate=2000-01-01&includePending=true`),
    ),
  )
  return JSON.stringify(all)
}

const token = '/identity/v2/oauth2/token'
const localhost = 'Host: localhost\r\n'

const refused: readonly (readonly [name: string, bytes: string, status: number])[] = [
  ['no HTTP at all', '\x16\x03\x01\x02 hello\r\n\r\n', 400],
  ['an unknown method', request('FOO /'), 400],
  ['no path', request('GET '), 400],
  ['a tab in the path', request('GET /a\tb'), 400],
  ['bytes above ASCII in the path', request('GET /za/\xe9\xff'), 400],
  ['a path of 20,000 characters', request(`GET /${'a'.repeat(20_000)}`), 400],
  ['a header of 70,000 characters', request('GET /', `${localhost}X-Long: ${'a'.repeat(70_000)}\r\n`), 400],
  ['a header without a name', request('GET /', `${localhost}: x\r\n`), 400],
  ['a length that is no number', request(`POST ${token}`, `${localhost}Content-Length: ten\r\n`), 400],
  ['a negative length', request(`POST ${token}`, `${localhost}Content-Length: -1\r\n`), 400],
  [
    'a length and chunks',
    request(`POST ${token}`, `${localhost}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n`),
    400,
  ],
  [
    'broken chunks',
    request(`POST ${token}`, `${localhost}Transfer-Encoding: chunked\r\n`, 'zz\r\n\r\n'),
    400,
  ],
  ['no Host in HTTP/1.1', request('GET /_sandbox/health', ''), 401],
  ['no Host in HTTP/1.0', 'GET /_sandbox/health HTTP/1.0\r\n\r\n', 401],
  ['an expectation', request(`POST ${token}`, `${localhost}Expect: magic\r\nContent-Length: 0\r\n`), 401],
  ['an address that is none', request('GET http://['), 404],
  ['an address that is none, from a page', request('GET http://[', `${localhost}Origin: http://[\r\n`), 401],
  ['everything', request('OPTIONS *'), 404],
  ['a path that climbs', request('GET /za/../_sandbox/health'), 404],
  ['a path that climbs, encoded', request('GET /za/%2e%2e/_sandbox/health'), 404],
  ['a percent sign that encodes nothing', request('GET /za/pb/v1/accounts/%zz/balance'), 404],
]

test('any malformed input is refused with a body, and changes nothing', async () => {
  const { sandbox, port } = await start()
  const before = await rowsOf(sandbox)
  for (const [name, bytes, status] of refused) {
    const answer = await send(port, bytes)
    expect([name, statusOf(answer)]).toEqual([name, status])
    expect(bodyOf(answer)).toEqual(expect.any(Object))
  }
  expect(await rowsOf(sandbox)).toBe(before)
})

test('an absolute address is read as its path', async () => {
  const { port } = await start()
  const answer = await send(port, request('GET http://localhost:3300/_sandbox/health?workspace=default'))
  expect(statusOf(answer)).toBe(200)
})

test('requests sent at once on one connection are answered in their order', async () => {
  const { port } = await start()
  const answers = await send(
    port,
    request('GET /_sandbox/health') + request('GET /za') + request('DELETE /_sandbox/health'),
    3,
  )
  expect([...answers.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)).toEqual([
    '200',
    '404',
    '405',
  ])
})

test('a body in chunks is read as one', async () => {
  const { port } = await start()
  const form = 'grant_type=client_credentials&scope=accounts'
  const chunks = form.replace(/./g, '1\r\n$&\r\n')
  const headers = [
    'Host: localhost',
    `Authorization: Basic ${btoa('sandbox-client:sandbox-secret')}`,
    'x-api-key: sandbox-api-key',
    'Content-Type: application/x-www-form-urlencoded',
    'Transfer-Encoding: chunked',
    '',
  ].join('\r\n')
  const answer = await send(port, request(`POST ${token}`, headers, `${chunks}0\r\n\r\n`))
  expect(statusOf(answer)).toBe(200)
  expect(bodyOf(answer)).toMatchObject({ token_type: 'Bearer' })
})

test('an aborted upload has no effect', async () => {
  const { sandbox, port } = await start()
  const before = await rowsOf(sandbox)
  for (let i = 0; i < 20; i++)
    await new Promise<void>((resolve) => {
      const socket = createConnection(port, host, () => {
        const text = request(`POST ${token}`, `${localhost}Content-Length: 1000\r\n`, 'a'.repeat(i * 40))
        socket.write(text, () => socket.destroy())
      })
      socket.on('close', () => resolve())
    })
  expect(statusOf(await send(port, request('GET /_sandbox/health')))).toBe(200)
  expect(await rowsOf(sandbox)).toBe(before)
})

test('a thousand requests at once are all answered, from the first moment', async () => {
  const { sandbox, port } = await start()
  const { token: bearer } = await Client.of(sandbox)
  const agent = new Agent({ keepAlive: true, maxSockets: 100 })
  const path = `/za/pb/v1/accounts/${everyday}/balance`
  const headers = { authorization: `Bearer ${bearer}` }
  const once = () =>
    new Promise<string>((resolve, reject) => {
      get({ host, port, path, headers, agent }, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (data: string) => (text += data))
        response.on('end', () => resolve(`${response.statusCode} ${text}`))
      }).on('error', reject)
    })
  const answers = await Promise.all(Array.from({ length: 1000 }, once))
  agent.destroy()
  expect(new Set(answers).size).toBe(1)
  expect(answers[0]).toMatch(/^200 /)
})

test('an onRequest callback that throws does not end the process', async () => {
  const { port } = await start({
    onRequest: () => {
      throw new Error('the watcher failed')
    },
  })
  for (let i = 0; i < 2; i++) expect(statusOf(await send(port, request('GET /_sandbox/health')))).toBe(200)
})

test('closing ends open connections and may be called twice at the same time', async () => {
  const listening = await start()
  const { port } = listening
  const socket = createConnection(port, host)
  const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  await new Promise<void>((resolve) => socket.on('connect', () => resolve()))
  socket.on('error', () => undefined)
  await Promise.all([listening.close(), listening.close()])
  await ended
  await listening.close()
  await expect(send(port, request('GET /_sandbox/health'))).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

test('a port that is in use is the error of the system', async () => {
  const { port } = await start()
  await expect(listen(sandboxAt(), { host, port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

test('the reported address answers', async () => {
  for (const [name, url] of [
    ['0.0.0.0', 'http://localhost:'],
    ['127.0.0.1', 'http://127.0.0.1:'],
  ] as const) {
    const listening = await listen(sandboxAt(), { host: name, port: 0 })
    open.push(listening)
    expect(listening.url).toBe(`${url}${listening.port}`)
  }
})

test('unreadable input is answered after the earlier requests on the connection', async () => {
  const { port } = await start()
  const good = request('GET /_sandbox/health') + request('GET /_sandbox/clock')
  for (const bad of [
    'BOGUS\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: localhost\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
  ]) {
    const received = await send(port, good + bad, 3)
    const statuses = [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
    expect(statuses).toEqual([200, 200, 400])
    expect(received).toContain('broken-request')
  }
})

test('one connection that reads no answers is served one request at a time', async () => {
  const lines: RequestLine[] = []
  const { sandbox, port } = await start({ onRequest: (line) => lines.push(line) })
  const { token: bearer } = await Client.of(sandbox)
  const path = `/za/pb/v1/accounts/${everyday}/transactions`
  const socket = createConnection(port, host)
  socket.pause()
  socket.write(request(`GET ${path}`, `${localhost}Authorization: Bearer ${bearer}\r\n`).repeat(500))
  // Meanwhile another client is served a hundred times.
  for (let i = 0; i < 100; i++) await send(port, request('GET /_sandbox/health'))
  const served = lines.filter((line) => line.path === path).length
  // The answers of 240 KB that the kernel buffers, and the one that waits.
  expect(served).toBeGreaterThan(0)
  expect(served).toBeLessThan(60)
  socket.destroy()
})

test('requests that wait on a connection are answered when those before are read', async () => {
  const { port } = await start()
  const count = 200
  const received = await send(port, request('GET /_sandbox/health').repeat(count), count)
  expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(count)
})

test('the refusal of a HEAD request with too many headers has no body', async () => {
  const { port } = await start()
  const received = await send(port, request('HEAD /', `${localhost}X-Long: ${'a'.repeat(20_000)}\r\n`))
  expect(statusOf(received)).toBe(400)
  expect(received).toMatch(/content-length: [1-9]\d+\r\n/)
  expect(received.split('\r\n\r\n')[1]).toBe('')
})

test('input that is not a request leaves a line in the log', async () => {
  const lines: RequestLine[] = []
  const { port } = await start({ onRequest: (line) => lines.push(line) })
  await send(port, 'BOGUS\r\n\r\n')
  expect(lines).toEqual([{ method: '-', path: '-', status: 400, ms: 0, isInJournal: false }])
})

test('closing with grace lets a request in flight finish, and ends streams and hanging calls at once', async () => {
  const { sandbox, port, ...listening } = await start()
  const delayed = { match: { path: '/za/pb/v1/accounts' }, delayMs: 300 }
  const silent = { match: { path: '/za/v1/cards' }, fault: { kind: 'hang', when: 'before' } }
  for (const body of [delayed, silent])
    expect((await sandbox.handle({ method: 'POST', path: '/_sandbox/faults', body })).status).toBe(200)
  const stream = send(port, request('GET /_sandbox/events'), 2)
  const silence = send(port, request('GET /za/v1/cards'))
  const slow = send(port, request('GET /za/pb/v1/accounts'))
  const idle = createConnection(port, host)
  const idleEnded = new Promise((resolve) => idle.on('close', resolve))
  // Until both faults have been met; the test's own time limit cannot interrupt a loop.
  for (let i = 0, met = 0; met < 2; i++) {
    if (i > 10_000) throw new Error('the calls did not come in')
    await new Promise((resolve) => setImmediate(resolve))
    const { body } = await sandbox.handle({ method: 'GET', path: '/_sandbox/faults' })
    met = (body as string).match(/"applied":1/g)?.length ?? 0
  }
  await listening.close(60_000)
  expect(statusOf(await slow)).toBe(401)
  expect(await silence).toBe('')
  expect(await stream).toContain('text/event-stream')
  await idleEnded
})
