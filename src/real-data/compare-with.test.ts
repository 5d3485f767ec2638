// One sandbox plays the real service, made different on purpose; the comparison names each difference and nothing else.

import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { listen, type Listening } from '../http/server.js'
import { Sandbox } from '../sandbox/sandbox.js'
import { changedService, type Change } from '../../test/changed-service.js'
import { compareWith, type CompareOptions } from './compare-with.js'

let real: Sandbox
let listening: Listening
const credentials = { clientId: '', clientSecret: '', apiKey: '' }

beforeAll(async () => {
  real = new Sandbox({ nowMs: Date.parse('2026-03-25T08:00:00Z'), seed: 3 })
  listening = await listen(real, { host: '127.0.0.1', port: 0 })
  const { clientId, clientSecret, apiKeys } = real.main.credentials.clients[0]!
  Object.assign(credentials, { clientId, clientSecret, apiKey: apiKeys[0]!.key })
})
afterAll(async () => {
  await listening.close()
  await real.close()
})

/** Compares with the sandbox behind a server that changes its answers by path. */
async function compared(changes: Readonly<Record<string, Change>>, more: Partial<CompareOptions> = {}) {
  const { url, sent, close } = await changedService(listening.url, changes)
  try {
    return { report: await compareWith({ url, credentials, rate: 10_000, ...more }), sent }
  } finally {
    close()
  }
}

test('a service that answers as declared shows no drift; only the token request is not a GET', async () => {
  const { report, sent } = await compared({})
  expect(report.drifts).toEqual([])
  expect(report.skipped).toEqual([])
  expect(report.checked.length).toBeGreaterThan(15)
  expect(sent.filter((each) => !each.startsWith('GET '))).toEqual(['POST /identity/v2/oauth2/token'])
})

test('thirteen differences are named, and nothing else', async () => {
  const list = /^GET \/za\/pb\/v1\/accounts$/.source
  const { report } = await compared({
    [list]: ({ body }) => {
      delete body.data.accounts[0].kycCompliant
      body.data.accounts[1].branch = 'Sandton 42'
    },
    'accounts/\\d+/balance$': function refusal(answer) {
      if (answer.status === 200) answer.body.data.currentBalance = String(answer.body.data.currentBalance)
      else answer.status = 404
    },
    'accounts/\\d+/transactions.*includePending': ({ body }) => {
      for (const row of body.data.transactions)
        if (row.status === 'POSTED') row.transactionDate = '25/03/2026'
    },
    'accounts/\\d+/transactions.*toDate=2026-03-25$': ({ body }) => {
      if (body.data.transactions.length > 0) body.data.transactions[0].transactionType = 'CryptoPurchases'
    },
    'pending-transactions$': ({ body }) => {
      for (const row of body.data.transactions) row.description = null
    },
    'GET /za/pb/v1/profiles$': ({ body }) => {
      delete body.meta
    },
    'accounts/beneficiaries$': ({ body }) => {
      body.links.self = null
    },
    'GET /za/v1/cards$': ({ headers }) => {
      headers['content-type'] = 'text/plain'
    },
    'fromDate=2026-13-45': function refusal(answer) {
      answer.body = { oops: true }
    },
    'oauth2/token': ({ headers, body }) => {
      body.expires_in = '1799'
      headers['cache-control'] = 'public'
    },
  })
  expect(
    report.drifts.map(({ endpoint, situation, kind, path, seen }) => [endpoint, situation, kind, path, seen]),
  ).toEqual(
    expect.arrayContaining([
      ['GET /za/pb/v1/accounts', '', 'missing', '/data/accounts/*/kycCompliant', 'nothing'],
      ['GET /za/pb/v1/accounts', '', 'unknown', '/data/accounts/*/branch', '"Xxxxxxx 99"'],
      [
        'GET /za/pb/v1/accounts/{accountId}/balance',
        '',
        'type',
        '/data/currentBalance',
        expect.stringMatching(/^"-?9/),
      ],
      ['GET /za/pb/v1/accounts/{accountId}/balance', 'unknown account', 'status', 'status', '404'],
      [
        'GET /za/pb/v1/accounts/{accountId}/transactions',
        '',
        'format',
        '/data/transactions/*/transactionDate',
        '"99/99/9999"',
      ],
      [
        'GET /za/pb/v1/accounts/{accountId}/transactions',
        '',
        'value',
        '/data/transactions/*/transactionType',
        'CryptoPurchases',
      ],
      ['GET /za/pb/v1/accounts/{accountId}/transactions', 'bad date', 'error-body', '/', '{"xxxx":xxxx}'],
      [
        'GET /za/pb/v1/accounts/{accountId}/pending-transactions',
        '',
        'null',
        '/data/transactions/*/description',
        'xxxx',
      ],
      ['GET /za/pb/v1/profiles', '', 'envelope', '/meta', 'nothing'],
      ['GET /za/pb/v1/accounts/beneficiaries', '', 'envelope', '/links/self', 'xxxx'],
      ['GET /za/v1/cards', '', 'header', 'content-type', 'text/plain'],
      ['POST /identity/v2/oauth2/token', '', 'type', '/expires_in', '"9999"'],
      ['POST /identity/v2/oauth2/token', '', 'header', 'cache-control', 'public'],
    ]),
  )
  expect(report.drifts).toHaveLength(13)
})

test('known answers of the live service are no drift', async () => {
  const { report } = await compared({
    'accounts/0+/balance': function refusal(answer) {
      answer.body = JSON.stringify("The specified account is invalid. (Parameter 'accountId')")
    },
    beneficiarycategories$: (answer) => {
      answer.body = { profileId: ['The profileId field is required.'] }
    },
    'code/executions$': ({ body }) => {
      for (const item of body.data.result.executionItems) item.Error = null
    },
    'GET /za/v1/cards/\\d+/code$': ({ body }) => {
      body.data.result.createdAt = '2026-03-25T08:00:00.5Z'
    },
  })
  expect(report.drifts).toEqual([])
})

test('accepted drift does not count, and forbidden reads are skipped', async () => {
  const change: Record<string, Change> = {
    'accounts/beneficiaries$': (answer) => (answer.status = 403),
    'GET /za/v1/cards$': ({ body }) => (body.extra = 1),
  }
  const { report } = await compared(change)
  expect(report.skipped).toEqual([
    'GET /za/pb/v1/accounts/beneficiaries was refused with 403: the API key lacks its permission.',
  ])
  expect(report.drifts).toHaveLength(1)
  const again = await compared(change, { accepted: report.drifts })
  expect([again.report.drifts, again.report.accepted]).toEqual([[], 1])
})

test('writes happen only when they are allowed, and the saved code is restored', async () => {
  const [card] = (await real.main.open()).cards.records.filter(({ programmable }) => programmable)
  const before = (await real.main.open()).cards.savedCode(card!.cardKey).code
  const { report, sent } = await compared({}, { allow: 'write' })
  expect(report.drifts).toEqual([])
  expect(sent.filter((each) => each.startsWith('POST /za/'))).toHaveLength(3)
  const { cards } = await real.main.open()
  expect(cards.savedCode(card!.cardKey).code).toBe(before)
  expect(cards.get(card!.cardKey).publishedId).toBe(null)
})

test('a recording is compared with the same declarations', async () => {
  const entry = (path: string, status: number, body: unknown, type = 'application/json') => ({
    startedDateTime: '2026-03-25T08:00:00Z',
    request: { method: 'GET', url: `https://bank.example${path}` },
    response: {
      status,
      headers: [{ name: 'Content-Type', value: type }],
      content: { text: JSON.stringify(body) },
    },
  })
  const rest = { links: { self: 'x' }, meta: { totalPages: 1 } }
  const har = {
    log: {
      entries: [
        entry('/za/pb/v1/profiles', 200, { data: [{ profileId: 5 }], ...rest }),
        entry('/logo.png', 200, 'x'),
        null,
        { request: 5 },
        entry('/za/pb/v1/accounts', 401, '', 'text/plain'),
      ],
    },
  }
  const { drifts, checked } = await compareWith({ har })
  expect(checked).toEqual(['GET /za/pb/v1/profiles', 'GET /za/pb/v1/accounts'])
  expect(drifts.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
    'missing /data/*/profileName',
    'missing /data/*/defaultProfile',
    'type /data/*/profileId',
  ])
  for (const other of [5, null, {}, { log: { entries: 'x' } }])
    await expect(compareWith({ har: other })).rejects.toThrow('not an HTTP Archive')
  await expect(compareWith({ har: { log: { entries: [] } } })).rejects.toThrow('holds no call of this API')
})

test("answers without a body, from a browser's cache, are skipped; a gateway may be in front of the service", async () => {
  const entry = (status: number, content: object, path = '/za/pb/v1/accounts') => ({
    request: { method: 'GET', url: `https://gateway.example/bank/prod${path}` },
    response: { status, headers: [{ name: 'content-type', value: 'application/json' }], content },
  })
  const body = JSON.stringify({ data: [], links: { self: 'x' }, meta: { totalPages: 1 } })
  const har = {
    log: {
      entries: [
        {
          ...entry(204, {}),
          request: { method: 'OPTIONS', url: 'https://gateway.example/bank/prod/za/pb/v1/accounts' },
        },
        entry(304, { size: 0 }),
        entry(0, {}),
        entry(200, { size: 90_000 }),
        entry(200, { text: Buffer.from(body).toString('base64'), encoding: 'base64' }, '/za/pb/v1/profiles'),
      ],
    },
  }
  const { drifts, skipped, checked } = await compareWith({ har })
  expect(drifts).toEqual([])
  expect(skipped).toEqual(['GET /za/pb/v1/accounts was recorded without its body.'])
  expect(checked).toEqual(['GET /za/pb/v1/profiles'])
})

test('each value outside a list counts, also besides an accepted one', async () => {
  const types = (names: string[]): Record<string, Change> => ({
    'transactions.*includePending': ({ body }) => {
      names.forEach((name, index) => (body.data.transactions[index].transactionType = name))
    },
  })
  const seenIn = (drifts: readonly { seen: string }[]) => drifts.map(({ seen }) => seen)
  const { report } = await compared(types(['CryptoPurchases']))
  expect(seenIn(report.drifts)).toEqual(['CryptoPurchases'])
  const again = await compared(types(['CryptoPurchases', 'MoonRent']), { accepted: report.drifts })
  expect([seenIn(again.report.drifts), again.report.accepted]).toEqual([['MoonRent'], 1])
})

test('a list of another shape is drift, and an endpoint that keeps failing is unfinished', async () => {
  const { report } = await compared({
    'GET /za/pb/v1/profiles$': ({ body }) => (body.data = { profileId: 1 }),
    'GET /za/v1/cards$': ({ body }) => (body.data.cards = [null, 'x']),
    'accounts/beneficiaries$': (answer) => {
      answer.status = 500
      answer.headers['retry-after'] = '0'
    },
  })
  expect(report.drifts.map(({ endpoint, kind, path }) => `${endpoint} ${kind} ${path}`)).toEqual([
    'GET /za/pb/v1/profiles envelope /data',
    'GET /za/v1/cards null /data/cards/*',
    'GET /za/v1/cards type /data/cards/*',
  ])
  expect(report.unfinished).toEqual([
    'GET /za/pb/v1/accounts/beneficiaries could not be compared: it kept answering 500.',
  ])
})

test('saved code is restored also when the answer to saving is lost, or the comparison is interrupted', async () => {
  const { cards } = await real.main.open()
  const [card] = cards.records.filter(({ programmable }) => programmable)
  const code = 'const beforeTransaction = async () => false'
  cards.saveCode(card!.cardKey, code)
  const controller = new AbortController()
  const lost = compared(
    {
      'POST /za/v1/cards/\\d+/code$': (answer) => {
        if (controller.signal.aborted) return
        controller.abort()
        answer.headers['content-type'] = 'bad\nheader'
      },
    },
    { allow: 'write', signal: controller.signal },
  )
  await expect(lost).rejects.toMatchObject({ exitCode: 130 })
  expect(cards.savedCode(card!.cardKey).code).toBe(code)
})

test('a service that refuses to sign in is called once', async () => {
  const signIns = () =>
    real.main.journal.entries.filter(({ path }) => path === '/identity/v2/oauth2/token').length
  const before = signIns()
  const failing = compared({}, { credentials: { ...credentials, clientSecret: 'no' } })
  await expect(failing).rejects.toThrow('refused to sign in (401)')
  expect(signIns()).toBe(before + 1)
})
