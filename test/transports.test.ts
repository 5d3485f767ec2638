import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import express, { type Express } from 'express'
import { getResponse } from 'msw'
import { setupServer } from 'msw/node'
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sandboxRouter } from '../src/express.js'
import { createSandbox, type LocalSandbox } from '../src/index.js'
import { handlers } from '../src/msw.js'
import { listen } from '../src/http/server.js'
import { frozenMs, transportCases, type Case } from './transport-cases.js'

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type Send = (call: Case) => Promise<Answer>

/** A way into a sandbox, at its own address. */
type Way = (sandbox: LocalSandbox, run: (send: Send) => Promise<void>) => Promise<void>

/** Headers of HTTP itself; `nosniff` is for browsers, which reach the sandbox over HTTP alone. */
const ofTransport = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
  'x-content-type-options',
])

/** An answer without parts that must differ: headers of HTTP itself, and the requested address. */
const answerOf = (
  status: number,
  headers: Iterable<[string, string]>,
  body: Uint8Array,
  url: string,
): Answer => ({
  status,
  headers: Object.fromEntries([...headers].filter(([name]) => !ofTransport.has(name)).sort()),
  body: digest(Buffer.from(body).toString('latin1').replaceAll(url, 'https://bank.example')),
})

/** The beginning and the hash of a long body, so that a difference is readable. */
const digest = (text: string): string =>
  text.length < 1000 ? text : `${text.slice(0, 1000)}… ${createHash('sha256').update(text).digest('hex')}`

const byFetch =
  (fetch: (address: string, init: RequestInit) => Promise<Response>, url: string): Send =>
  async ({ method, path, headers, body }) => {
    const response = await fetch(url + path, { method, headers, body: body ?? null })
    return answerOf(response.status, response.headers, new Uint8Array(await response.arrayBuffer()), url)
  }

const ways: Record<string, Way> = {
  handle: (sandbox, run) =>
    run(async ({ method, path, headers, body }) => {
      // A text sent by fetch has the type text/plain by default.
      const named = typeof body === 'string' && { 'content-type': 'text/plain;charset=UTF-8' }
      const call = { method, path, headers: { ...named, ...headers }, body, origin: 'https://bank.example' }
      const { status, headers: names, body: text } = await sandbox.handle(call)
      return answerOf(status, Object.entries(names), Buffer.from(method === 'HEAD' ? '' : text), call.origin)
    }),
  fetch: (sandbox, run) => run(byFetch(sandbox.fetch, 'https://bank.example')),
  server: async (sandbox, run) => {
    const listening = await listen(sandbox.core, { host: '127.0.0.1', port: 0 })
    await run(byFetch(fetch, listening.url)).finally(() => listening.close())
  },
  Express: async (sandbox, run) => {
    const app = express().disable('x-powered-by')
    app.use(sandboxRouter(sandbox))
    app.use((request, response) => void response.status(404).json({ mine: request.path }))
    const { url, close } = await serve(app)
    await run(byFetch(fetch, url)).finally(close)
  },
  MSW: async (sandbox, run) => {
    const server = setupServer(...handlers(sandbox, { baseUrl: 'https://bank.example' }))
    server.listen({ onUnhandledRequest: 'error' })
    await run(byFetch(fetch, 'https://bank.example')).finally(() => server.close())
  },
}

async function serve(app: Express) {
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = (): Promise<void> =>
    new Promise((resolve) => server.close(() => resolve()).closeAllConnections())
  return { url: `http://127.0.0.1:${port}`, close }
}

const options = { now: frozenMs }

/** Every case in order against a fresh sandbox. */
async function answersOf(way: Way, cases: readonly Case[]): Promise<Answer[]> {
  const answers: Answer[] = []
  await way(await createSandbox(options), async (send) => {
    for (const each of cases) answers.push(await send(each))
  })
  return answers
}

const probe = await createSandbox(options)
const first = (await transportCases(probe.core, '')).find(({ name }) => name === 'token good')!
const { access_token: token } = JSON.parse((await probe.handle(first)).body as string) as Record<
  string,
  string
>
const cases = [first, ...(await transportCases(probe.core, token!))]

describe('every way into the sandbox gives the same answers', () => {
  const answers = new Map<string, Answer[]>()
  beforeAll(async () => {
    for (const [name, way] of Object.entries(ways)) answers.set(name, await answersOf(way, cases))
  })

  test('to at least 150 cases, of which the better part is answered with 200', () => {
    expect(cases.length).toBeGreaterThanOrEqual(150)
    const good = answers.get('handle')!.filter(({ status }) => status === 200)
    expect(good.length).toBeGreaterThan(50)
  })

  test.each(cases.map(({ name }, index) => [name, index] as const))('%s', (_, index) => {
    const expected = answers.get('handle')![index]!
    for (const [way, each] of answers) {
      const answer = each[index]!
      // The application's answer to paths that the bank lacks; also a 404.
      if (way === 'Express' && expected.status === 404) expect(answer.status).toBe(404)
      else expect({ way, ...answer }).toEqual({ way, ...expected })
    }
  })
})

describe('in an application of its own', () => {
  let url: string
  let close: () => Promise<void>

  beforeAll(async () => {
    const sandbox = await createSandbox(options)
    const app = express()
    app.use(express.json(), express.urlencoded())
    app.use('/bank', sandboxRouter(sandbox))
    app.use((_, response) => void response.json({ mine: true }))
    ;({ url, close } = await serve(app))
  })
  afterAll(() => close())

  test('the bank is below its path, behind the body parsers of the application', async () => {
    const { headers, body } = first
    const response = await fetch(`${url}/bank${first.path}`, {
      method: 'POST',
      headers,
      body: body as string,
    })
    expect(response.status).toBe(200)
    const { access_token } = (await response.json()) as { access_token: string }
    const accounts = await fetch(`${url}/bank/za/pb/v1/accounts`, {
      headers: { authorization: `Bearer ${access_token}` },
    })
    expect(await accounts.json()).toMatchObject({ links: { self: `${url}/bank/za/pb/v1/accounts` } })
    const moved = await fetch(`${url}/bank/_sandbox/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"advance":"P1D"}',
    })
    expect(moved.status).toBe(200)
  })

  test('other paths go on to the application', async () => {
    for (const path of ['/za/pb/v1/accounts', '/bank/nothing', '/'])
      expect(await (await fetch(url + path)).json()).toEqual({ mine: true })
  })

  test('a foreign page may not use the bank', async () => {
    const foreign = { headers: { origin: 'https://evil.example' } }
    expect((await fetch(`${url}/bank/za/pb/v1/accounts`, foreign)).status).toBe(401)
    expect((await fetch(`${url}/mine`, foreign)).status).toBe(200)
  })
})

test('MSW answers below base addresses with paths', async () => {
  const sandbox = await createSandbox(options)
  const all = handlers(sandbox, { baseUrl: ['https://gateway.example/bank/', 'https://bank.example'] })
  const status = async (address: string) => (await getResponse(all, new Request(address)))?.status
  expect(await status('https://gateway.example/bank/_sandbox/health')).toBe(200)
  expect(await status('https://bank.example/_sandbox/health?workspace=default')).toBe(200)
  for (const address of [
    'https://gateway.example/banker/x',
    'https://bank.example.com/',
    'http://bank.example/',
  ])
    expect(await status(address)).toBeUndefined()
})

test('handlers for an invalid address are refused', async () => {
  const sandbox = await createSandbox()
  for (const baseUrl of ['', 'bank.example', '/bank', 'data:x'])
    expect(() => handlers(sandbox, { baseUrl })).toThrow(/baseUrl must be an address/)
})

test('a broken connection is a network error under MSW too', async () => {
  const sandbox = await createSandbox(options)
  const server = setupServer(...handlers(sandbox, { baseUrl: 'https://bank.example' }))
  server.listen({ onUnhandledRequest: 'error' })
  const fault = { match: { path: '/za/**' }, fault: { kind: 'reset', when: 'before' } }
  const set = await sandbox.handle({ method: 'POST', path: '/_sandbox/faults', body: fault })
  expect(set.status).toBe(200)
  await expect(fetch('https://bank.example/za/pb/v1/accounts')).rejects.toMatchObject({ name: 'TypeError' })
  expect((await fetch('https://bank.example/_sandbox/health')).status).toBe(200)
  server.close()
})
