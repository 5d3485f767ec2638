import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@jest/globals'
import { card } from '../../test/ids.js'
import { CardDesk } from '../../test/card-desk.js'
import { startSandbox, type StartedSandbox } from '../index.js'

const source = `const beforeTransaction = async (authorization) => {
  console.log(authorization)
  const response = await fetch('https://api.example.com/limit?apikey=' + process.env.API_KEY)
  const { limit } = await response.json()
  if (authorization.merchant.category.code === '7995') throw new Error('no bets')
  return authorization.centsAmount <= limit.cents
}
const afterTransaction = async () => {
  await fetch('https://hooks.example.com/spent', { method: 'POST', body: 'x' })
}
`
const secret = 'very-secret-4711'

/** Calls the control API. */
async function ask(sandbox: StartedSandbox, method: string, path: string, body: object) {
  const answer = await fetch(`${sandbox.url}/_sandbox/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(await answer.text())
}

const use = (sandbox: StartedSandbox, centsAmount: number, categoryCode: string, name: string) =>
  ask(sandbox, 'POST', 'cards/700615/transactions', { centsAmount, merchant: { categoryCode, name } })

async function usedSandbox(): Promise<StartedSandbox> {
  const sandbox = await startSandbox({ now: '2026-03-25T08:00:00Z' })
  const program = { code: source, variables: { API_KEY: secret }, publish: true, enabled: true }
  await ask(sandbox, 'PUT', 'cards/700615/program', program)
  const limit = {
    match: { url: 'https://api.example.com/**' },
    respond: { json: { limit: { cents: 50_000 } } },
  }
  await ask(sandbox, 'POST', 'outbound/stubs', limit)
  await ask(sandbox, 'POST', 'outbound/stubs', { respond: { status: 201 } })
  await use(sandbox, 10_000, '5411', 'Grocer')
  await use(sandbox, 60_000, '5812', 'Ocean Grill')
  await use(sandbox, 10_000, '7995', 'Lucky Star')
  return sandbox
}

test('executions become cases and stubs that pass, without secrets', async () => {
  await using sandbox = await usedSandbox()
  using desk = new CardDesk({ 'main.js': source, 'env.json': `{ "API_KEY": "${secret}" }` })
  expect(await desk.card(`record --server ${sandbox.url}`)).toEqual({
    code: 0,
    err: '',
    out: 'Wrote 3 cases to recorded.card.test.yaml.',
  })
  const recorded = desk.read('recorded.card.test.yaml')
  expect(recorded).not.toContain(secret)
  expect(recorded).toBe(`code: main.js
env: env.json
card: '${card}'
cases:
  2026-03-25T08:00:00.000Z Grocer:
    now: 2026-03-25T08:00:00.000Z
    swipe:
      cents: 10000
      category: '5411'
      merchant: Grocer
      city: Cape Town
      country: ZA
    stubs:
      - match:
          method: GET
          url: https://api.example.com/limit?apikey=**
        respond:
          json:
            limit:
              cents: 50000
      - match:
          method: POST
          url: https://hooks.example.com/spent
        respond:
          status: 201
    expect:
      decision: approved
      calls: 2
  2026-03-25T08:00:00.000Z Ocean Grill:
    now: 2026-03-25T08:00:00.000Z
    swipe:
      cents: 60000
      category: '5812'
      merchant: Ocean Grill
      city: Cape Town
      country: ZA
    stubs:
      - match:
          method: GET
          url: https://api.example.com/limit?apikey=**
        respond:
          json:
            limit:
              cents: 50000
    expect:
      decision: declined
      calls: 1
  2026-03-25T08:00:00.000Z Lucky Star:
    now: 2026-03-25T08:00:00.000Z
    swipe:
      cents: 10000
      category: '7995'
      merchant: Lucky Star
      city: Cape Town
      country: ZA
    stubs:
      - match:
          method: GET
          url: https://api.example.com/limit?apikey=**
        respond:
          json:
            limit:
              cents: 50000
      - match:
          method: POST
          url: https://hooks.example.com/spent
        respond:
          status: 201
    expect:
      decision: approved
      failure: threw
      calls: 2
`)
  const { code, out } = await desk.card('test')
  expect([code, out.split('\n').at(-1)]).toEqual([0, '3 of 3 passed'])
  // Existing files are not overwritten.
  expect((await desk.card(`record --server ${sandbox.url}`)).err).toBe(
    'card: recorded.card.test.yaml exists already; name another one with --out FILE.',
  )
  await desk.card(`record --server ${sandbox.url} --last 1 --out last.card.test.yaml`)
  expect(desk.read('last.card.test.yaml').match(/^ {2}2026.*$/gm)).toEqual([
    '  2026-03-25T08:00:00.000Z Lucky Star:',
  ])
})

test('simulations are recorded where the code logs its argument; answers without a body are named', async () => {
  await using sandbox = await startSandbox({ now: '2026-03-25T08:00:00Z' })
  const { port } = new URL(sandbox.url)
  const own = `http://127.0.0.1:${port}/nowhere`
  const code = `const beforeTransaction = async (a) => { console.log(a); await fetch('${own}'); return a.centsAmount < 500 }`
  using desk = new CardDesk({ 'main.js': code })
  await ask(sandbox, 'POST', 'cards/700615/simulate', { code, centsAmount: 600, merchant: { name: 'Kiosk' } })
  const { out } = await desk.card(`record --server ${sandbox.url} --card 700615`)
  expect(out).toBe(`Wrote 1 case to recorded.card.test.yaml.
The bank keeps no bodies of answers. Fill in what your code reads of:
  GET ${own}`)
  const tested = await desk.card('test')
  expect([tested.code, tested.out.split('\n').at(-1)]).toEqual([0, '1 of 1 passed'])
})

test.each([
  ['record', 'card: card record needs --server URL, such as --server http://127.0.0.1:3300.'],
  [
    'record --server file:///etc',
    "card: --server must be an address such as http://127.0.0.1:3300, not 'file:///etc'.",
  ],
  [
    'record --server http://127.0.0.1:3300 --last 0',
    "card: --last must be a whole number from 1 to 100, not '0'.",
  ],
])('card %s is refused in one sentence', async (line, sentence) => {
  using desk = new CardDesk()
  expect(await desk.card(line)).toEqual({ code: 2, out: '', err: sentence })
})

test('a sandbox without executions, or without the card, is reported', async () => {
  await using sandbox = await startSandbox({ now: '2026-03-25T08:00:00Z' })
  using desk = new CardDesk()
  expect((await desk.card(`record --server ${sandbox.url}`)).err).toMatch(/^card: No code ran there: /)
  expect((await desk.card(`record --server ${sandbox.url} --card 1`)).err).toBe(
    `card: ${sandbox.url} has no programmable card 1.`,
  )
})

/** A server that is not a sandbox, and the requests that it got. */
async function stranger(status: number, body: object) {
  const asked: string[] = []
  const server = createServer(({ method, url, headers }, response) => {
    asked.push(`${method!} ${url!} ${headers.authorization ?? '-'}`)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, asked, [Symbol.dispose]: () => void server.close() }
}

test.each([
  ['answers everything', 200, { status: 'ok' }],
  ['asks for a token of its own', 401, { type: 'about:blank' }],
])('a server that %s is not a sandbox: it gets one request, and no secret', async (_, status, body) => {
  using server = await stranger(status, body)
  using desk = new CardDesk({ 'main.js': source })
  const { code, err } = await desk.card(`record --server ${server.url} --control-token hush`)
  expect([code, err]).toEqual([
    2,
    `card: ${server.url} is not a sandbox: its /_sandbox/health answers differently. Nothing else was sent to it.`,
  ])
  expect(server.asked).toEqual(['GET /_sandbox/health -'])
})

/** A proxy in front of a sandbox: the control API requires the token behind it. */
async function proxyOf(sandbox: StartedSandbox) {
  const to = new URL(sandbox.url)
  const server = createServer((incoming, response) => {
    const { method, url: path, headers } = incoming
    const options = {
      host: to.hostname,
      port: to.port,
      method,
      path,
      headers: { ...headers, via: '1.1 test' },
    }
    const passed = request(options, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, [Symbol.dispose]: () => void server.close() }
}

test('a control API that asks for its token gets it from --control-token', async () => {
  const controlToken = 'open-sesame-1234'
  await using sandbox = await startSandbox({ now: '2026-03-25T08:00:00Z', controlToken })
  using proxy = await proxyOf(sandbox)
  using desk = new CardDesk()
  const asks = `card: ${proxy.url} asks for the token of its control API: --control-token gives it.`
  expect((await desk.card(`record --server ${proxy.url}`)).err).toBe(asks)
  expect((await desk.card(`record --server ${proxy.url} --control-token wrong-1234567890`)).err).toBe(asks)
  expect((await desk.card(`record --server ${proxy.url} --control-token ${controlToken}`)).err).toMatch(
    /^card: No code ran there: /,
  )
})
