// One sandbox plays the real service, made different on purpose; the comparison names each difference and nothing else.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { listen, type Listening } from '../http/server.js'
import { Sandbox } from '../sandbox/sandbox.js'
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

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- an answer that is changed on purpose
type Change = (answer: { status: number; headers: Record<string, string>; body: any }) => void

/** Changes named `refusal` are for wrong calls, the others for answers with data. */
const isMeant = (status: number, change: Change): boolean => status === 200 || change.name === 'refusal'

/** Compares with the sandbox behind a server that changes its answers by path. */
async function compared(changes: Readonly<Record<string, Change>>, more: Partial<CompareOptions> = {}) {
  const sent: string[] = []
  const server = createServer((request, response) => {
    void (async () => {
      sent.push(`${request.method!} ${request.url!}`)
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const headers = Object.fromEntries(
        Object.entries(request.headers).filter(([name]) => name !== 'host' && name !== 'connection'),
      )
      const original = await fetch(`${listening.url}${request.url!}`, {
        method: request.method!,
        headers: headers as Record<string, string>,
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      })
      const text = await original.text()
      const answer = {
        status: original.status,
        headers: Object.fromEntries(original.headers),
        body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text,
      }
      for (const [pattern, change] of Object.entries(changes))
        if (new RegExp(pattern).test(`${request.method!} ${request.url!}`) && isMeant(answer.status, change))
          change(answer)
      const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
      delete answer.headers['content-length']
      delete answer.headers.connection
      response.writeHead(answer.status, answer.headers).end(body)
    })().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return { report: await compareWith({ url, credentials, rate: 10_000, ...more }), sent }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test('a service that answers as declared shows no drift; only the token request is no GET', async () => {
  const { report, sent } = await compared({})
  expect(report.drifts).toEqual([])
  expect(report.skipped).toEqual([])
  expect(report.checked.length).toBeGreaterThan(15)
  expect(sent.filter((each) => !each.startsWith('GET '))).toEqual(['POST /identity/v2/oauth2/token'])
})

test('twelve differences are named, and nothing else', async () => {
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

test('what the live service was seen to send is no drift', async () => {
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

test('drift that is accepted does not count, and what may not be read is skipped', async () => {
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

test('writing is done only when it is allowed, and puts the saved code back', async () => {
  const [card] = (await real.main.open()).cards.records.filter(({ programmable }) => programmable)
  const before = (await real.main.open()).cards.savedCode(card!.cardKey).code
  const { report, sent } = await compared({}, { allow: 'write' })
  expect(report.drifts).toEqual([])
  expect(sent.filter((each) => each.startsWith('POST /za/'))).toHaveLength(3)
  const { cards } = await real.main.open()
  expect(cards.savedCode(card!.cardKey).code).toBe(before)
  expect(cards.get(card!.cardKey).publishedId).toBe(null)
})

test('a recording is held against the same declarations', async () => {
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
    await expect(compareWith({ har: other })).rejects.toThrow('no HTTP Archive')
  await expect(compareWith({ har: { log: { entries: [] } } })).rejects.toThrow('holds no call of this API')
})
