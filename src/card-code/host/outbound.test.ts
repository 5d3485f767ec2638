import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import nodeFetch from 'node-fetch'
import { originOf } from './origin.js'
import { type Outcome, type Run, createRunner } from './runner.js'

const nowMs = 1_700_000_000_000
const runner = createRunner({ maxWorkers: 2 })
let base = ''
let closed: Promise<void>
let server: Server

const routes: Record<string, (request: IncomingMessage, response: ServerResponse) => void | Promise<void>> = {
  '/echo': async (request, response) => {
    const body = await buffer(request)
    const { method, headers } = request
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ method, headers, body: body.toString('base64') }))
  },
  '/bytes': (_, response) => void response.end(Buffer.from([0, 128, 255])),
  '/gzip': (_, response) => void response.setHeader('content-encoding', 'gzip').end(gzipSync('squeezed')),
  '/not-found': (_, response) => void response.writeHead(404, 'Nowhere').end('none'),
  '/bad-json': (_, response) => void response.end('<html>'),
  '/moved': (_, response) => void response.writeHead(302, { location: '/echo' }).end(),
  '/see-other': (_, response) => void response.writeHead(303, { location: '/echo' }).end(),
  '/kept': (_, response) => void response.writeHead(307, { location: '/echo' }).end(),
  '/round': (_, response) => void response.writeHead(302, { location: '/round' }).end(),
  '/to-metadata': (_, response) =>
    void response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
  '/to-file': (_, response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/to-stub': (_, response) => void response.writeHead(302, { location: 'https://bank.test/token' }).end(),
  '/cookies': (_, response) => void response.setHeader('set-cookie', ['a=1', 'b=2']).end(),
  '/nine-mb': (_, response) => void response.end(Buffer.alloc(9 * 2 ** 20, 'a')),
  '/eleven-mb': (_, response) => void response.end(Buffer.alloc(11 * 2 ** 20, 'a')),
  '/cut': (request, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('part')
    setImmediate(() => request.socket.destroy())
  },
  '/cut-chunks': (request, response) => {
    response.writeHead(200)
    response.write('part', () => setImmediate(() => request.socket.destroy()))
  },
  '/reset': (request, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('part', () => setImmediate(() => request.socket.resetAndDestroy()))
  },
  '/cut-gzip': (request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': '1000' })
    response.write(gzipSync('squeezed').subarray(0, 12), () => setImmediate(() => request.socket.destroy()))
  },
  '/no-gzip': (_, response) => void response.setHeader('content-encoding', 'gzip').end('this is no gzip'),
  '/no-head': ({ socket }) => void socket.destroy(),
  '/garbage': ({ socket }) => void socket.end('garbage\r\n\r\n'),
  '/hang': (_, response) => {
    closed = new Promise((resolve) => response.on('close', resolve))
  },
}

beforeAll(async () => {
  server = createServer((request, response) => void routes[request.url!]?.(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await runner.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const execute = async (body: string, given: Partial<Run> = {}): Promise<Outcome> => {
  const { settled } = await runner.run({
    hook: 'hook',
    source: `const base = ${JSON.stringify(base)}\nconst hook = async () => {\n${body}\n}`,
    variables: {},
    payload: null,
    windowMs: 2_000,
    time: { nowMs, frozen: true },
    seed: 1,
    policy: 'allow',
    ...given,
  })
  return settled
}
const caught = (call: string): string =>
  `return ${call}.then(() => 'none', (e) => [e.name, e.message, e.type, e.code ?? null])`

test('a request arrives with its method, headers and body, and the answer is read', async () => {
  const { value, outbound } = await execute(`
    const body = JSON.stringify({ a: 1 })
    const r = await fetch(base + '/echo', { method: 'POST', body, headers: { 'Content-Type': 'application/json', Authorization: 'Bearer secret', 'x-api-key': 'k', 'X-My-Token': 't' } })
    const { method, headers, body: sent } = await r.json()
    return [r.status, r.ok, r.statusText, r.url === base + '/echo', r.redirected, r.headers.get('content-type'), method, headers['user-agent'], headers.authorization, atob(sent)]`)
  expect(value).toEqual([
    200,
    true,
    'OK',
    true,
    false,
    'application/json',
    'POST',
    'node-fetch',
    'Bearer secret',
    '{"a":1}',
  ])
  expect(outbound).toEqual([
    {
      ...{
        method: 'POST',
        url: `${base}/echo`,
        status: 200,
        ms: expect.any(Number),
        atMs: nowMs,
        requestBytes: 7,
      },
      responseBytes: expect.any(Number),
      requestHeaders: [
        ['authorization', 'redacted'],
        ['content-type', 'application/json'],
        ['x-api-key', 'redacted'],
        ['x-my-token', 'redacted'],
      ],
    },
  ])
})

test('bytes travel both ways unchanged', async () => {
  const { value } = await execute(`
    const bytes = new Uint8Array([0, 1, 254, 255])
    const sent = await (await fetch(base + '/echo', { method: 'PUT', body: bytes })).json()
    const got = await fetch(base + '/bytes')
    const copy = got.clone()
    return [[...Buffer.from(sent.body, 'base64')], [...(await got.buffer())], [...new Uint8Array(await copy.arrayBuffer())]]`)
  expect(value).toEqual([
    [0, 1, 254, 255],
    [0, 128, 255],
    [0, 128, 255],
  ])
})

test('a form is sent as a form', async () => {
  const { value } = await execute(`
    const body = new URLSearchParams({ grant_type: 'client_credentials', q: 'a b' })
    const sent = await (await fetch(base + '/echo', { method: 'POST', body })).json()
    return [sent.headers['content-type'], atob(sent.body)]`)
  expect(value).toEqual([
    'application/x-www-form-urlencoded;charset=UTF-8',
    'grant_type=client_credentials&q=a+b',
  ])
})

test('statuses, cookies, compression and bad JSON come as in node-fetch', async () => {
  const { value } = await execute(`
    const lost = await fetch(base + '/not-found')
    const cookies = (await fetch(base + '/cookies')).headers.raw()['set-cookie']
    const squeezed = await (await fetch(base + '/gzip')).text()
    const bad = await (await fetch(base + '/bad-json')).json().catch((e) => [e.name, e.type])
    return [lost.ok, lost.status, lost.statusText, await lost.text(), cookies, squeezed, bad]`)
  expect(value).toEqual([false, 404, 'Nowhere', 'none', ['a=1', 'b=2'], 'squeezed', ['SyntaxError', null]])
})

test('redirects are followed as asked, and each hop is kept', async () => {
  const { value, outbound } = await execute(`
    const post = { method: 'POST', body: 'x' }
    const moved = await fetch(base + '/moved', post)
    const other = await (await fetch(base + '/see-other', post)).json()
    const kept = await (await fetch(base + '/kept', post)).json()
    const manual = await fetch(base + '/moved', { redirect: 'manual' })
    return [moved.redirected, moved.url === base + '/echo', (await moved.json()).method, other.method, kept.method, atob(kept.body), manual.status, manual.headers.get('location') === '/echo']`)
  expect(value).toEqual([true, true, 'GET', 'GET', 'POST', 'x', 302, true])
  expect(outbound.map(({ method, url, status }) => [method, url.slice(base.length), status])).toEqual([
    ['POST', '/moved', 302],
    ['GET', '/echo', 200],
    ['POST', '/see-other', 303],
    ['GET', '/echo', 200],
    ['POST', '/kept', 307],
    ['POST', '/echo', 200],
    ['GET', '/moved', 302],
  ])
})

test.each([
  ['error mode', `fetch(base + '/moved', { redirect: 'error' })`, 'no-redirect'],
  ['too many', `fetch(base + '/round')`, 'max-redirect'],
  ['to a file', `fetch(base + '/to-file')`, 'unsupported-redirect'],
  ['to a metadata address', `fetch(base + '/to-metadata')`, 'system'],
])('redirects that are refused: %s', async (_what, call, type) => {
  expect((await execute(caught(call))).value).toEqual(expect.arrayContaining(['FetchError', type]))
})

test('a body of nine megabytes can be read whole and in chunks; eleven are refused', async () => {
  const { value } = await execute(
    `
    const whole = (await (await fetch(base + '/nine-mb')).arrayBuffer()).byteLength
    let streamed = 0
    for await (const chunk of (await fetch(base + '/nine-mb')).body) streamed += chunk.length
    const more = await fetch(base + '/eleven-mb').then((r) => r.text()).catch((e) => e.type)
    return [whole, streamed, more]`,
    { windowMs: 15_000 },
  )
  expect(value).toEqual([9 * 2 ** 20, 9 * 2 ** 20, 'max-size'])
})

test('an answer that breaks off is an error of the body', async () => {
  const { value } = await execute(
    `const r = await fetch(base + '/cut'); return [r.status, await r.text().catch((e) => e.name)]`,
  )
  expect(value).toEqual([200, 'FetchError'])
})

// A connection that is lost, in the words of node-fetch.
test.each(['/cut', '/cut-chunks', '/reset', '/cut-gzip', '/no-gzip', '/no-head', '/garbage'])(
  'a call to %s fails as in node-fetch',
  async (path) => {
    const read = `async (fetch, url) => {
      const ways = [async (r) => r.text(), async (r) => { for await (const chunk of r.body) chunk }]
      const seen = []
      for (const way of ways) {
        let at = 'head'
        try {
          const response = await fetch(url)
          at = 'body'
          await way(response)
          seen.push('read')
        } catch (e) {
          seen.push([at, e.name, e.message, e.type ?? null, e.code ?? null, e.errno ?? null, e.syscall ?? null, e.erroredSysCall ?? null, Object.keys(e)])
        }
      }
      return seen
    }`
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the same source runs on both sides
    const plain = new Function(`return ${read}`)() as (fetch: unknown, url: string) => Promise<unknown>
    const { value } = await execute(`return (${read})(fetch, base + '${path}')`)
    expect(value).toEqual(await plain(nodeFetch, base + path))
  },
)

test('a request can be aborted, and times out by its signal', async () => {
  const { value } = await execute(
    `
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 20)
    const one = await fetch(base + '/hang', { signal: controller.signal }).catch((e) => [e.name, e.message, e.type])
    const two = await fetch(base + '/hang', { signal: AbortSignal.timeout(20) }).catch((e) => e.name)
    return [one, two]`,
    { time: { nowMs, frozen: false } },
  )
  expect(value).toEqual([['AbortError', 'The operation was aborted.', 'aborted'], 'AbortError'])
})

test('with a frozen clock a timer fires before an answer of the network that comes later', async () => {
  const answered = `fetch(base + '/hang').then(() => 'answered')`
  const { value, completedMs } = await execute(`
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 40)
    const late = await fetch(base + '/hang', { signal: controller.signal }).catch((e) => e.name)
    const raced = await Promise.race([${answered}, new Promise((r) => setTimeout(() => r('timer'), 30))])
    const order = []
    const wait = (ms) => new Promise((r) => setTimeout(r, ms)).then(() => order.push([ms, Date.now() - ${nowMs}]))
    const hang = fetch(base + '/hang', { signal: AbortSignal.timeout(60) }).catch((e) => order.push(e.name))
    await Promise.all([wait(25), wait(15), hang])
    return [late, raced, order]`)
  expect(value).toEqual(['AbortError', 'timer', [[15, 85], [25, 95], 'AbortError']])
  expect(completedMs).toBe(nowMs + 130)
})

test('with a frozen clock an answer of the network that comes in time costs no time', async () => {
  const { value } = await execute(`
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), 1900)
    const order = []
    const note = (name) => () => order.push([name, Date.now() - ${nowMs}])
    const pause = new Promise((r) => setTimeout(r, 1800)).then(note('timer'))
    await fetch(base + '/echo', { signal: controller.signal }).then(note('answer'))
    clearTimeout(timer)
    await pause
    return order`)
  expect(value).toEqual([
    ['answer', 0],
    ['timer', 1800],
  ])
})

test('a request that is not answered ends with the window, on both sides', async () => {
  const { end, outbound } = await execute(`await fetch(base + '/hang')`, { windowMs: 150 })
  expect(end).toBe('timed-out')
  expect(outbound).toMatchObject([{ status: null, error: 'no answer within the window', ms: 150 }])
  await closed
})

test('the host’s answer comes before the network and before the policy', async () => {
  const asked: unknown[] = []
  const { value, outbound, completedMs } = await execute(
    `const r = await fetch('https://bank.test/token', { method: 'POST', body: 'a=1' })
    return [r.status, await r.json(), Date.now() - ${nowMs}]`,
    {
      policy: 'deny',
      handler: async ({ method, url, body }) => {
        asked.push([method, url, Buffer.from(body!).toString()])
        const json = Buffer.from('{"access_token":"x"}')
        return Promise.resolve({
          status: 201,
          headers: [['content-type', 'application/json']],
          body: json,
          spentMs: 300,
        })
      },
    },
  )
  expect(asked).toEqual([['POST', 'https://bank.test/token', 'a=1']])
  expect(value).toEqual([201, { access_token: 'x' }, 300])
  expect(outbound).toMatchObject([{ url: 'https://bank.test/token', status: 201, ms: 300 }])
  expect(completedMs).toBe(nowMs + 300)
})

test('an answer that takes longer than the window times the hook out, at no cost of real time', async () => {
  const handler: Run['handler'] = () =>
    Promise.resolve({ status: 200, headers: [], body: new Uint8Array(), spentMs: 2_500 })
  const began = performance.now()
  const { end, completedMs } = await execute(`await fetch('http://slow.test/')`, { handler })
  expect({ end, completedMs }).toEqual({ end: 'timed-out', completedMs: nowMs + 2_000 })
  expect(performance.now() - began).toBeLessThan(1_500)
})

test('answers arrive in the order of the time that they spend', async () => {
  const handler: Run['handler'] = ({ url }) =>
    Promise.resolve({
      status: 200,
      headers: [],
      body: new Uint8Array(),
      spentMs: Number(new URL(url).pathname.slice(1)),
    })
  const { value } = await execute(
    `const order = []
    const note = (name) => () => order.push([name, Date.now() - ${nowMs}])
    await Promise.all([fetch('http://s.test/300').then(note('300')), fetch('http://s.test/100').then(note('100')), new Promise((r) => setTimeout(r, 200)).then(note('timer'))])
    return order`,
    { handler },
  )
  expect(value).toEqual([
    ['100', 100],
    ['timer', 200],
    ['300', 300],
  ])
})

test('in frozen time the host is asked for one answer after the other, and its speed changes nothing', async () => {
  const events: string[] = []
  const handler: Run['handler'] = async ({ url }) => {
    events.push(`asked ${url}`)
    // The first answer is the slowest: longer than the window.
    if (url.endsWith('/1')) await pause(250)
    events.push(`answered ${url}`)
    return { status: 200, headers: [], body: new TextEncoder().encode(url) }
  }
  const { end, value, completedMs } = await execute(
    `const order = []
    const get = (url) => fetch(url).then((r) => r.text()).then((text) => order.push(text))
    await Promise.all([get('http://s.test/1'), get('http://s.test/2')])
    return order`,
    { handler, windowMs: 200 },
  )
  expect({ end, value, completedMs }).toEqual({
    end: 'returned',
    value: ['http://s.test/1', 'http://s.test/2'],
    completedMs: nowMs,
  })
  expect(events.map((event) => event.replace('http://s.test/', ''))).toEqual([
    'asked 1',
    'answered 1',
    'asked 2',
    'answered 2',
  ])
})

test('in frozen time a call without an answer took as long as card code waited for it', async () => {
  const { outbound } = await execute(`
    await new Promise((r) => setTimeout(r, 5))
    await fetch('http://127.0.0.1:1/').catch(() => {})
    await fetch(base + '/hang', { signal: AbortSignal.timeout(70) }).catch(() => {})`)
  expect(outbound.map(({ atMs, ms, status }) => [atMs - nowMs, ms, status])).toEqual([
    [5, 0, null],
    [5, 70, null],
  ])
})

test('a redirect of the network may lead to the host’s answer', async () => {
  const handler: Run['handler'] = ({ url }) =>
    Promise.resolve(
      url === 'https://bank.test/token' ? { status: 200, headers: [], body: Buffer.from('stub') } : undefined,
    )
  const { value } = await execute(
    `const r = await fetch(base + '/to-stub'); return [await r.text(), r.url]`,
    { handler },
  )
  expect(value).toEqual(['stub', 'https://bank.test/token'])
})

test('an answer that fails is a failed request', async () => {
  const { value } = await execute(caught(`fetch('http://s.test/')`), {
    handler: () => Promise.reject(new Error('broken')),
  })
  expect(value).toEqual(['FetchError', 'broken', 'system', null])
})

test.each(['deny', 'loopback', { hosts: ['api.test'] }] as const)(
  'the policy decides what the network is asked for: %j',
  async (policy) => {
    const { value, outbound } = await execute(caught(`fetch('http://10.0.0.1/')`), { policy })
    expect(value).toEqual([
      'FetchError',
      expect.stringContaining('the sandbox does not let card code call it'),
      'system',
      'ERR_OUTBOUND_POLICY',
    ])
    expect(outbound).toMatchObject([{ status: null, error: expect.stringContaining('does not let') }])
  },
)

test('card code does not choose the Host header', async () => {
  const { value } = await execute(
    `const r = await fetch(base + '/echo', { headers: { host: 'localhost', HoSt: 'x', 'x-kept': 'y' } }); return (await r.json()).headers`,
  )
  expect(value).toMatchObject({ host: new URL(base).host, 'x-kept': 'y' })
})

test.each([
  ['headers', `{ headers: Array.from({ length: 501 }, (_, i) => ['h' + i, 'v']) }`, '500 headers'],
  ['long headers', `{ headers: { a: 'x'.repeat(70000) } }`, '65536 characters'],
])('more %s than any server accepts are refused before anything is sent', async (_name, init, said) => {
  const { value, outbound } = await execute(
    `return fetch(base + '/echo', ${init}).catch((error) => [error.name, error.message])`,
  )
  expect(value).toEqual(['FetchError', expect.stringContaining(said)])
  expect(outbound).toEqual([])
  const long = await execute(`return fetch(base + '/' + 'x'.repeat(70000)).catch((error) => error.message)`)
  expect(long.value).toContain('65536 characters')
})

test('a listed host is called', async () => {
  const { host } = new URL(base)
  expect(
    (await execute(`return (await fetch(base + '/bytes')).status`, { policy: { hosts: [host] } })).value,
  ).toBe(200)
})

test('requests that nobody waits for continue until they are answered', async () => {
  const { value, logs } = await execute(
    `fetch(base + '/bytes').then((r) => console.log(r.status)); return 'decided'`,
  )
  expect(value).toBe('decided')
  expect(logs.map(({ content }) => content)).toEqual(['200'])
})

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

test.each([
  ['trailer', 'x'],
  ['transfer-encoding', 'gzip, chunked'],
  ['connection', 'x-kept'],
  ['upgrade', 'websocket'],
  ['te', 'trailers'],
  ['content-length', '1'],
  ['expect', '100-continue'],
  ['keep-alive', 'timeout=5'],
  ['proxy-authorization', 'Basic x'],
  ['x-sandbox-card-code', '9 1 x'],
])('card code cannot set the header %s, and nothing is thrown', async (name, value) => {
  const { value: sent, outbound } = await execute(
    `const r = await fetch(base + '/echo', { method: 'POST', body: 'hello', headers: { ${JSON.stringify(name)}: ${JSON.stringify(value)}, 'x-kept': 'y' } })
    const { headers, body } = await r.json()
    return [headers[${JSON.stringify(name)}] ?? null, headers['x-kept'], atob(body)]`,
  )
  expect(sent).not.toContainEqual(value)
  expect((sent as unknown[]).slice(1)).toEqual(['y', 'hello'])
  expect(outbound[0]?.requestHeaders.map(([header]) => header)).not.toContain(name)
})

test.each(['CONNECT', 'TRACE', 'NOT A METHOD'])(
  'the method %s is refused as a failed request',
  async (method) => {
    const { value } = await execute(
      `return fetch(base + '/echo', { method: ${JSON.stringify(method)} }).then(() => 'sent', (e) => e.name)`,
    )
    expect(value).not.toBe('sent')
  },
)

test('an address with a user and password is refused, also as the target of a redirect', async () => {
  const handler: Run['handler'] = ({ url }) =>
    Promise.resolve(
      url.startsWith('http://stub.test/')
        ? { status: 302, headers: [['location', 'http://us%er:pass@127.0.0.1:1/']], body: new Uint8Array() }
        : undefined,
    )
  const { value } = await execute(caught(`fetch('http://stub.test/')`), { handler })
  expect(value).toEqual(['FetchError', expect.stringContaining('user and password'), 'system', null])
})

test('each hop of a redirect is one of the hundred calls, and at most twenty are followed', async () => {
  let asked = 0
  const handler: Run['handler'] = ({ url }) => {
    asked++
    return Promise.resolve({ status: 302, headers: [['location', url]], body: new Uint8Array() })
  }
  const { value, outbound } = await execute(
    `const results = []
    for (let i = 0; i < 6; i++) results.push(await fetch('http://round.test/', { follow: 1e9 }).catch((e) => e.type + ': ' + e.message))
    return results`,
    { handler },
  )
  const tooMany = 'max-redirect: maximum redirect reached at: http://round.test/'
  expect(value).toEqual([
    ...Array<string>(4).fill(tooMany),
    'system: more than 100 requests in one execution',
    'system: more than 100 requests in one execution',
  ])
  expect(outbound).toHaveLength(100)
  expect(asked).toBe(100)
})

test('calls to local addresses carry the mark of card code, by address and by name', async () => {
  const origin = { depth: 2, root: { executions: 0 } }
  const { port } = new URL(base)
  const { value } = await execute(
    `const marks = []
    for (const host of ['127.0.0.1', 'localhost'])
      marks.push((await (await fetch('http://' + host + ':${port}/echo')).json()).headers['x-sandbox-card-code'])
    return marks`,
    { origin, time: { nowMs, frozen: false } },
  )
  const [one, other] = value as [string, string]
  expect(one).toMatch(/^2 \d+ \S{24}$/)
  expect(other).toBe(one)
  expect(originOf({ 'x-sandbox-card-code': one })).toEqual(origin)
  expect(originOf({ 'x-sandbox-card-code': one })?.root).toBe(origin.root)
})

test('a mark of another process is accepted, and starts its own count', () => {
  expect(originOf({ 'x-sandbox-card-code': '3 1 other' })).toEqual({ depth: 3, root: { executions: 0 } })
  expect(originOf({ 'x-sandbox-card-code': 'x'.repeat(10_000) })).toEqual({
    depth: 1,
    root: { executions: 0 },
  })
  expect(originOf({})).toBeUndefined()
})

test('the bodies of open requests are bounded together', async () => {
  let held = 0
  let highest = 0
  const handler: Run['handler'] = async ({ body }) => {
    held += body!.length
    highest = Math.max(highest, held)
    await new Promise((resolve) => setImmediate(resolve))
    held -= body!.length
    return { status: 200, headers: [], body: new Uint8Array() }
  }
  const { value } = await execute(
    `const body = new Uint8Array(6 * 2 ** 20)
    const send = () => fetch('http://sink.test/', { method: 'POST', body }).then((r) => r.status, (e) => e.message)
    const first = await Promise.all([send(), send(), send()])
    return [...first, await send()]`,
    { handler, windowMs: 15_000 },
  )
  expect(value).toEqual([200, 200, 'request bodies of more than 16777216 bytes under way', 200])
  expect(highest).toBeLessThanOrEqual(16 * 2 ** 20)
})
