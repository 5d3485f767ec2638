// Calls of card code to a server: what arrives there, and how answers and failures look, as in node-fetch.

import { expect, test } from '@jest/globals'
import nodeFetch from 'node-fetch'
import { base, caught, execute, nowMs } from '../../../test/outbound-calls.js'

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

test('a small answer that unpacks to more than ten megabytes is refused', async () => {
  const { value } = await execute(
    `
    const types = []
    for (const coding of ['gzip', 'deflate', 'br'])
      types.push(await fetch(base + '/bomb-' + coding).then((r) => r.text()).catch((e) => e.type))
    return types`,
    { windowMs: 15_000 },
  )
  expect(value).toEqual(['max-size', 'max-size', 'max-size'])
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

test('requests that nobody waits for continue until they are answered', async () => {
  const { value, logs } = await execute(
    `fetch(base + '/bytes').then((r) => console.log(r.status)); return 'decided'`,
  )
  expect(value).toBe('decided')
  expect(logs.map(({ content }) => content)).toEqual(['200'])
})
