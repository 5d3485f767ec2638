// What card code may not send: hosts, headers, methods, bodies and numbers of calls that are refused.

import { expect, test } from '@jest/globals'
import { base, caught, execute, nowMs } from '../../../test/outbound-calls.js'
import { originOf } from './origin.js'
import type { Run } from './runner.js'

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
  const answerOutbound: Run['answerOutbound'] = ({ url }) =>
    Promise.resolve(
      url.startsWith('http://stub.test/')
        ? { status: 302, headers: [['location', 'http://us%er:pass@127.0.0.1:1/']], body: new Uint8Array() }
        : undefined,
    )
  const { value } = await execute(caught(`fetch('http://stub.test/')`), { answerOutbound })
  expect(value).toEqual(['FetchError', expect.stringContaining('user and password'), 'system', null])
})

test('each hop of a redirect is one of the hundred calls, and at most twenty are followed', async () => {
  let asked = 0
  const answerOutbound: Run['answerOutbound'] = ({ url }) => {
    asked++
    return Promise.resolve({ status: 302, headers: [['location', url]], body: new Uint8Array() })
  }
  const { value, outbound } = await execute(
    `const results = []
    for (let i = 0; i < 6; i++) results.push(await fetch('http://round.test/', { follow: 1e9 }).catch((e) => e.type + ': ' + e.message))
    return results`,
    { answerOutbound },
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
  const answerOutbound: Run['answerOutbound'] = async ({ body }) => {
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
    { answerOutbound, windowMs: 15_000 },
  )
  expect(value).toEqual([200, 200, 'request bodies of more than 16777216 bytes under way', 200])
  expect(highest).toBeLessThanOrEqual(16 * 2 ** 20)
})
