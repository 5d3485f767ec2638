import { lookup } from 'node:dns/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { afterEach, expect, test } from '@jest/globals'
import { card, CardHolder } from '../../test/card-holder.js'
import { Client, everyday, savings, sandboxAt, standardSignIn } from '../../test/client.js'
import type { Execution } from '../bank/cards/card-records.js'
import { keptAddress } from '../protocol/redaction.js'
import { isListening, ownPath } from '../hooks/own-address.js'
import { listen } from '../http/server.js'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

/** A server of this test; returns its address. */
async function shop(answer: (request: IncomingMessage) => string): Promise<string> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(answer(request))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const outbound = async (holder: CardHolder, query = '') =>
  (await holder.client.control('GET', `outbound${query}`)).json.calls as {
    url: string
    status: number | null
    error: string | null
    method: string
    requestHeaders: [string, string][]
    executionId: string
    type: string
    sandbox: boolean
    responseBytes: number
  }[]

test('code calls a server over HTTP and decides by its answer; the call is listed without its secrets', async () => {
  const holder = await CardHolder.of()
  const asked: string[] = []
  const address = await shop((request) => {
    asked.push(`${request.method!} ${request.url!} ${request.headers['x-api-key'] as string}`)
    return JSON.stringify({ allowed: request.url!.includes('bakeries') })
  })
  await holder.post(`/${card}/environmentvariables`, { variables: { ADDRESS: address, KEY: 's3cret' } })
  await holder.publish(`
    const beforeTransaction = async (authorization) => {
      const { key } = authorization.merchant.category
      const url = process.env.ADDRESS + '/rules/' + key + '?token=s3cret&page=1'
      const response = await fetch(url, { headers: { 'X-Api-Key': process.env.KEY, 'X-Page': '1', Accept: 'text/plain' } })
      const { allowed } = await response.json()
      console.log(response.status, allowed)
      return allowed
    }
    const afterTransaction = async () => {}`)
  const bakery = await holder.buy({ centsAmount: 1, merchant: { categoryCode: '5462' } })
  expect(bakery.json.decision).toBe('approved')
  expect(bakery.json.executions[0].logs[0].content).toBe('200 true')
  const other = await holder.buy({ centsAmount: 1, merchant: { categoryCode: '5541' } })
  expect(other.json.reason).toBe('declined-by-code')
  expect(asked).toEqual([
    'GET /rules/bakeries?token=s3cret&page=1 s3cret',
    'GET /rules/service_stations?token=s3cret&page=1 s3cret',
  ])
  const calls = await outbound(holder)
  expect(calls).toHaveLength(2)
  expect(calls[0]).toMatchObject({
    executionId: bakery.json.executions[0].executionId,
    cardKey: card,
    type: 'before_transaction',
    sandbox: false,
    sentAt: '2026-03-25T08:00:00.000Z',
    method: 'GET',
    url: `${address}/rules/bakeries?token=***&page=1`,
    status: 200,
    error: null,
    requestBytes: 0,
    responseBytes: 16,
  })
  expect(Object.fromEntries(calls[0]!.requestHeaders)).toMatchObject({
    'x-api-key': 'redacted',
    'x-page': 'redacted',
    accept: 'text/plain',
  })
  expect(JSON.stringify(calls)).not.toContain('s3cret')
  expect(await outbound(holder, `?executionId=${calls[1]!.executionId}`)).toEqual([calls[1]])
  expect(await outbound(holder, '?cardKey=700622')).toEqual([])
})

const asking = (url: string) => `
  const beforeTransaction = async () => {
    try { console.log((await fetch(${JSON.stringify(url)})).status) } catch (error) { console.log(error.message) }
    return true
  }
  const afterTransaction = async () => {}`

const said = async (holder: CardHolder, url: string): Promise<string> => {
  const { json } = await holder.simulate(asking(url))
  return (json.data.result[0] as Execution).logs[0]!.content
}

test.each([
  ['allow', '200', false],
  ['loopback', '200', false],
  ['deny', 'outbound calls are switched off', true],
  [{ hosts: ['127.0.0.1'] }, '200', false],
  [{ hosts: ['api.example.com'] }, 'is not on the list of hosts', true],
])('under the policy %j a call to this machine ends in "%s"', async (policy, text, refused) => {
  const holder = await CardHolder.of()
  const address = await shop(() => '{}')
  const { status } = await holder.client.control('PUT', 'settings', { outbound: policy })
  expect(status).toBe(200)
  expect(await said(holder, address)).toContain(text)
  const [call] = await outbound(holder)
  expect([call!.status, call!.error !== null]).toEqual(refused ? [null, true] : [200, false])
})

test('metadata addresses cannot be called, whatever the policy allows', async () => {
  const holder = await CardHolder.of()
  for (const url of [
    'http://169.254.169.254/latest',
    'http://[fe80::1]/',
    'http://metadata.google.internal/',
  ])
    expect(await said(holder, url)).toMatch(/metadata/)
})

const payment = (base: string) => `
const base = ${JSON.stringify(base)}
const send = async (path, options) => {
  const response = await fetch(base + path, options)
  if (!response.ok) throw new Error(response.status + ' ' + (await response.text()))
  return response.json()
}
const beforeTransaction = async () => true
const afterTransaction = async (transaction) => {
  const { access_token } = await send('/identity/v2/oauth2/token', {
    method: 'POST',
    headers: {
      Authorization: 'Basic ' + Buffer.from(process.env.ID + ':' + process.env.SECRET).toString('base64'),
      'x-api-key': process.env.KEY,
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'accounts' }).toString(),
  })
  const change = 1000 - (transaction.centsAmount % 1000)
  const transfer = {
    beneficiaryAccountId: ${JSON.stringify(savings)},
    amount: investec.helpers.format.decimal(change / 100, 100),
    myReference: 'round up ' + transaction.reference,
    theirReference: 'round up',
  }
  const { data } = await send('/za/pb/v1/accounts/${everyday}/transfermultiple', {
    method: 'POST',
    headers: { Authorization: 'Bearer ' + access_token, 'Content-Type': 'application/json' },
    body: JSON.stringify({ transferList: [transfer] }),
  })
  console.log(data.TransferResponses[0].Status, data.ErrorMessage)
}`

const signIn = {
  ID: standardSignIn.clientId,
  SECRET: standardSignIn.clientSecret,
  KEY: standardSignIn.apiKey,
}

const moved = async (holder: CardHolder) => {
  const balances = []
  for (const id of [everyday, savings]) balances.push(Math.round((await holder.available(id)) * 100))
  return balances as [number, number]
}

test.each([
  ['any https host', 'https://api.bank.example', undefined],
  ['an address that the settings name', 'http://bank.test:8080/sandbox', ['http://bank.test:8080/sandbox/']],
])('code that requests a token and moves money works unchanged: %s', async (_, base, ownAddresses) => {
  const holder = await CardHolder.of()
  if (ownAddresses) await holder.client.control('PUT', 'settings', { ownAddresses, outbound: 'deny' })
  await holder.post(`/${card}/environmentvariables`, { variables: signIn })
  await holder.publish(payment(base))
  const [current, saved] = await moved(holder)
  const { json } = await holder.buy({ centsAmount: 12_340 })
  expect(json.executions[1].Error).toBeNull()
  expect(json.executions[1].logs[0].content).toContain('- No authorisation necessary')
  expect(await moved(holder)).toEqual([current - 12_340 - 660, saved + 660])
  const calls = await outbound(holder)
  expect(calls.map(({ method, url, status }) => [method, url, status])).toEqual([
    ['POST', `${base}/identity/v2/oauth2/token`, 200],
    ['POST', `${base}/za/pb/v1/accounts/${everyday}/transfermultiple`, 200],
  ])
})

test('the own address is that of the workspace: other credentials are refused there', async () => {
  const main = await CardHolder.of()
  const made = (await main.client.control('POST', 'workspaces', { name: 'w' })).json as {
    credentials?: object
  }
  expect(made).toBeDefined()
  const ofW = { clientId: 'sandbox-client-w', clientSecret: 'sandbox-secret-w', apiKey: 'sandbox-api-key-w' }
  const holder = CardHolder.with(await Client.of(main.client.sandbox, ofW, 'w'))
  await holder.post(`/${card}/environmentvariables`, { variables: signIn })
  await holder.publish(payment('https://api.bank.example'))
  const before = await moved(main)
  const refused = await holder.buy({ centsAmount: 12_340 })
  expect(refused.json.executions[1].Error.message).toMatch(/^401 /)
  const variables = { ID: ofW.clientId, SECRET: ofW.clientSecret, KEY: ofW.apiKey }
  await holder.post(`/${card}/environmentvariables`, { variables })
  expect((await holder.buy({ centsAmount: 12_340 })).json.executions[1].Error).toBeNull()
  expect(await moved(main)).toEqual(before)
})

test('card code cannot reach the control API at the own address', async () => {
  const holder = await CardHolder.of()
  await holder.client.control('PUT', 'settings', { ownAddresses: ['https://bank.test'] })
  for (const path of ['/_sandbox/settings', '//_sandbox/health', '/_sandbox'])
    expect(await said(holder, `https://bank.test${path}`)).toBe('404')
  expect(await said(holder, 'https://bank.test/nothing')).toBe('404')
  expect(await said(holder, 'https://bank.test/za/pb/v1/accounts')).toBe('401')
})

/** Card code that asks this address to simulate it again. */
const simulatingItself = (origin: string): string => `
  const beforeTransaction = async () => {
    const path = '${origin}/za/v1/cards/${card}/execute'
    const headers = { Authorization: 'Bearer ' + process.env.TOKEN, 'Content-Type': 'application/json' }
    const simulationcode = process.env.CODE
    const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify({ simulationcode }) })
    console.log(response.status, response.status === 200 ? 'ran' : (await response.json()).detail)
    return true
  }
  const afterTransaction = async () => {}`

test('code that simulates itself endlessly is stopped, and the server continues', async () => {
  const holder = await CardHolder.of()
  const code = simulatingItself('https://bank.example')
  const variables = { TOKEN: holder.client.token, CODE: code }
  await holder.post(`/${card}/environmentvariables`, { variables })
  const { json } = await holder.simulate(code)
  expect(json.data.result[0].logs[0].content).toBe('200 ran')
  const { executionItems } = (await holder.get(`/${card}/code/executions`)).json.data.result as {
    executionItems: Execution[]
  }
  const texts = executionItems.flatMap(({ logs }) => logs.map(({ content }) => content)).sort()
  expect(texts).toEqual(['200 ran', '200 ran', '400 Card code may start card code at most 3 times over.'])
})

test('card code that calls the address on which the sandbox listens calls the sandbox itself', async () => {
  const holder = await CardHolder.of()
  const { sandbox, token } = holder.client
  const listening = await listen(sandbox, { host: '127.0.0.1', port: 0 })
  const { port } = listening
  try {
    await holder.client.control('PUT', 'settings', { outbound: 'deny', ownAddresses: [] })
    for (const name of [
      '127.0.0.1',
      'localhost',
      '127.9.9.9',
      '[::1]',
      'a.localhost',
      '0.0.0.0',
      'localhost.',
    ]) {
      expect(await said(holder, `http://${name}:${port}/za/pb/v1/accounts`)).toBe('401')
      expect(await said(holder, `http://${name}:${port}/_sandbox/cards/${card}/transactions`)).toBe('404')
    }
    const code = simulatingItself(`http://127.0.0.1:${port}`)
    await holder.post(`/${card}/environmentvariables`, { variables: { TOKEN: token, CODE: code } })
    await holder.simulate(code)
    const { executionItems } = (await holder.get(`/${card}/code/executions`)).json.data.result as {
      executionItems: Execution[]
    }
    const texts = executionItems.flatMap(({ logs }) => logs.map(({ content }) => content))
    expect(texts).toContain('400 Card code may start card code at most 3 times over.')
    expect(texts.filter((text) => text === '200 ran')).toHaveLength(2)
  } finally {
    await listening.close()
  }
  expect(await said(holder, `http://127.0.0.1:${port}/za/pb/v1/accounts`)).toContain('switched off')
})

test.each([
  ['http://127.0.0.1:3300/', true],
  ['http://[::ffff:127.0.0.1]:3300/', true],
  ['http://LOCALHOST.:3300/', true],
  ['http://192.168.0.7:3300/', true],
  ['http://127.0.0.1:3301/', false],
  ['http://192.168.0.8:3300/', false],
  ['https://127.0.0.1:3300/', false],
])('%s leads to a sandbox that listens at 192.168.0.7:3300: %s', async (url, leads) => {
  expect(await isListening(new URL(url), [{ address: '192.168.0.7', port: 3300 }])).toBe(leads)
})

test('names and addresses of this machine lead to a sandbox that listens on it, those of others do not', async () => {
  const servers = [{ address: '0.0.0.0', port: 3300 }]
  const own = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ family }) => family === 'IPv4')
  for (const { address } of own)
    expect(await isListening(new URL(`http://${address}:3300/`), servers)).toBe(true)
  const resolvable = await lookup(hostname()).then(
    ({ address }) => own.some((each) => each.address === address) || address.startsWith('127.'),
    () => false,
  )
  expect(await isListening(new URL(`http://${hostname()}:3300/`), servers)).toBe(resolvable)
  for (const url of ['http://192.0.2.1:3300/', 'http://nowhere.invalid:3300/', `http://${hostname()}:3301/`])
    expect(await isListening(new URL(url), servers)).toBe(false)
})

test('stubs come before everything else', async () => {
  const holder = await CardHolder.of()
  holder.client.sandbox.main.outboundStubs = async ({ url }) =>
    Promise.resolve(url.includes('stub') ? { status: 418, headers: [], body: new Uint8Array() } : undefined)
  await holder.client.control('PUT', 'settings', { outbound: 'deny' })
  expect(await said(holder, 'https://stub.example/za/pb/v1/accounts')).toBe('418')
  expect(await said(holder, 'https://bank.example/za/pb/v1/accounts')).toBe('401')
  expect(await said(holder, 'https://other.example/')).toContain('switched off')
})

test('settings: some are changed, the others stay, a reset restores them', async () => {
  const sandbox = sandboxAt()
  const { client } = CardHolder.with(await Client.of(sandbox))
  const start = (await client.control('GET', 'settings')).json as { hooks: object }
  expect(start).toMatchObject({
    hooks: {
      onTimeout: 'approve',
      onError: 'approve',
      onNonBoolean: 'approve',
      onMissing: 'approve',
      declinedSimulation: 'afterTransaction',
    },
    outbound: 'allow',
    ownAddresses: ['*'],
  })
  const { json } = await client.control('PUT', 'settings', {
    hooks: { onError: 'decline' },
    ownAddresses: [],
  })
  expect(json).toEqual({ ...start, hooks: { ...start.hooks, onError: 'decline' }, ownAddresses: [] })
  await client.control('POST', 'reset')
  expect((await client.control('GET', 'settings')).json).toEqual(start)
})

test.each([
  [{ hooks: { onError: 'maybe' } }, '/hooks/onError'],
  [{ hooks: { onPanic: 'approve' } }, '/hooks/onPanic'],
  [{ hooks: null }, '/hooks'],
  [{ outbound: 'some' }, '/outbound'],
  [{ outbound: { hosts: 'x' } }, '/outbound/hosts'],
  [{ outbound: { hosts: ['api.example.com', 'http://x y'] } }, '/outbound/hosts/1'],
  [{ outbound: { hosts: ['a/b'] } }, '/outbound/hosts/0'],
  [{ outbound: { hosts: ['*.*'] } }, '/outbound/hosts/0'],
  [{ outbound: { hosts: ['localhost:port'] } }, '/outbound/hosts/0'],
  [{ ownAddresses: ['bank.example'] }, '/ownAddresses/0'],
  [{ ownAddresses: ['ftp://bank.example'] }, '/ownAddresses/0'],
  [{ ownAddresses: 'https://bank.example' }, '/ownAddresses'],
])('the settings %j are refused', async (body, path) => {
  const { client } = await CardHolder.of()
  const { status, json } = await client.control('PUT', 'settings', body)
  expect(status).toBe(400)
  expect(json.errors.map((each: { path: string }) => each.path)).toContain(path)
})

test.each([
  ['https://a.example/za/pb/v1/accounts', ['*'], '/za/pb/v1/accounts'],
  ['https://a.example/za//pb/v1/accounts', ['*'], '/za//pb/v1/accounts'],
  ['https://a.example/identity/v2/oauth2/token', ['*'], '/identity/v2/oauth2/token'],
  ['http://a.example/za/pb/v1/accounts', ['*'], undefined],
  ['https://a.example/zap/pb/v1/accounts', ['*'], undefined],
  ['https://a.example/_sandbox/health', ['*'], undefined],
  ['https://a.example/za/v1/cards', [], undefined],
  ['https://a.example/x', ['https://a.example'], '/x'],
  ['https://a.example', ['https://a.example'], '/'],
  ['https://a.example:443/x', ['https://a.example'], '/x'],
  ['https://a.example:444/x', ['https://a.example'], undefined],
  ['http://a.example/x', ['https://a.example'], undefined],
  ['https://a.example/base/x', ['https://a.example/base'], '/x'],
  ['https://a.example/basement', ['https://a.example/base'], undefined],
  ['https://user@a.example/x', ['https://a.example'], '/x'],
])('%s with own addresses %j is %s', (url, own, path) => {
  expect(ownPath(new URL(url), own)).toBe(path)
})

test.each([
  ['https://a.example/?api_key=x&API-KEY=y&q=1', 'https://a.example/?api_key=***&API-KEY=***&q=1'],
  ['https://a.example/?key=x&code=y&page=1#access_token=z', 'https://a.example/?key=***&code=***&page=1'],
  [
    'https://a.example/?pwd=x&jwt=y&otp=1&PIN=2&sig=3',
    'https://a.example/?pwd=***&jwt=***&otp=***&PIN=***&sig=***',
  ],
  [
    'https://a.example/?access_token=x&access_token=y',
    'https://a.example/?access_token=***&access_token=***',
  ],
  ['https://a.example/?%74oken=x', 'https://a.example/?%74oken=***'],
  ['https://user:pass@a.example/', 'https://a.example/'],
  [
    'https://a.example/?oauth_token=x&keyword=shipping',
    'https://a.example/?oauth_token=***&keyword=shipping',
  ],
  [
    'https://a.example/x;token=y?client_assertion=z&cvv=1',
    'https://a.example/x;token=***?client_assertion=***&cvv=***',
  ],
  ['https://a.example/?next=https://b.example/?pin=1', 'https://a.example/?next=https://b.example/?pin=***'],
  ['https://a.example/?q=%20x+y', 'https://a.example/?q=%20x+y'],
])('the address %s is stored as %s', (url, kept) => {
  expect(keptAddress(url)).toBe(kept)
})

test('the longest address that card code can call is masked at once', () => {
  const names = Array.from({ length: 10_000 }, (_, i) => `sig${i}`)
  expect(keptAddress(`https://a.example/?${names.map((name) => `${name}=x`).join('&')}`)).toBe(
    `https://a.example/?${names.map((name) => `${name}=***`).join('&')}`,
  )
})
