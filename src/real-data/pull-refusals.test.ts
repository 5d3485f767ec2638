// A service that refuses, fails or answers nonsense: what the pull lists, and when it writes nothing.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { between, folder, listening, nowMs, options } from '../../test/pulled-service.js'
import { loadScenarioFile } from '../scenario/scenario.js'
import { pullScenario } from './pull-scenario.js'

test('codes of the reference data that the sandbox does not know are listed', async () => {
  const proxy = await between((request, response) => {
    if (!request.url!.endsWith('/cards/currencies')) return false
    const Name = 'Shell'
    const result = ['ZAR', 'XQA', 'undefined', 'no code of this form', 5, 'XQB', 'XQA'].map((Code) => ({
      Code,
      Name,
    }))
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ data: { result: [...result, null] } }))
    return true
  })
  const { missing } = await pullScenario(options({ url: proxy.url, out: join(folder, 'codes.yaml') }))
  expect(missing).toEqual(['The sandbox does not know these codes of the list of currencies: XQA, XQB.'])
  await proxy.close()
})

test('an account that disappears between two pages keeps the rows that were read', async () => {
  let pages = 0
  const proxy = await between(async (request, response) => {
    if (!request.url!.includes('/transactions?fromDate')) return false
    if (request.url!.includes('page=')) {
      pages++
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end('"The specified account is invalid."')
      return true
    }
    const answer = await fetch(`${listening.url}${request.url!}`, {
      headers: { authorization: request.headers.authorization! },
    })
    const body = (await answer.json()) as { meta: { totalPages: number } }
    body.meta.totalPages = 2
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    return true
  })
  const out = join(folder, 'vanished.yaml')
  const { missing, rows } = await pullScenario(options({ url: proxy.url, out }))
  expect([rows > 1000, pages > 10]).toEqual([true, true])
  expect(missing).toEqual(['GET /za/pb/v1/accounts/{accountId}/transactions was refused with 400 (5 times).'])
  expect((await loadScenarioFile(out)).opening.bank?.state.accounts).toHaveLength(5)
  await proxy.close()
})

test('a service that fails permanently is listed, and so are balances that were not read', async () => {
  const proxy = await between((request, response) => {
    if (!request.url!.endsWith('/balance')) return false
    response.writeHead(500, { 'retry-after': '0' }).end('{"oops')
    return true
  })
  const { missing } = await pullScenario(options({ url: proxy.url, out: join(folder, 'failing.yaml') }))
  expect(missing).toEqual([
    'GET /za/pb/v1/accounts/{accountId}/balance was refused with 500 (5 times).',
    '5 of 5 balances were not read: those accounts start at the running balance of their last row, or at 0 without rows.',
  ])
  await proxy.close()
})

test('calls are repeated after 429 with Retry-After and after a temporary 500', async () => {
  const statuses = [429, 500]
  const proxy = await between((request, response) => {
    const status = request.url!.includes('/balance') ? statuses.shift() : undefined
    if (status === undefined) return false
    response.writeHead(status, { 'retry-after': '0' }).end()
    return true
  })
  const { missing } = await pullScenario(options({ url: proxy.url, out: join(folder, 'limited.yaml') }))
  expect(missing).toEqual([])
  await proxy.close()
})

test('forbidden reads are listed, and the rest is written', async () => {
  const proxy = await between((request, response) => {
    if (!/beneficiaries|code\/executions/.test(request.url!)) return false
    response.writeHead(403, { 'content-type': 'application/json' }).end('{}')
    return true
  })
  const out = join(folder, 'partly.yaml')
  const { missing } = await pullScenario(options({ url: proxy.url, out }))
  expect(missing).toContain('GET /za/pb/v1/accounts/beneficiaries was refused with 403.')
  expect((await loadScenarioFile(out)).opening.bank?.state.beneficiaries).toEqual([])
  await proxy.close()
})

test.each([
  [
    'wrong credentials',
    { credentials: { clientId: 'x', clientSecret: 'y', apiKey: 'z' } },
    'refused to sign in (401)',
  ],
  ['no bank', { url: 'http://127.0.0.1:1' }, 'cannot be reached'],
  ['no address', { url: 'bank' }, '--url must be an address'],
])('%s: one sentence and no file', async (name, more, message) => {
  const out = join(folder, `${name.replace(' ', '-')}.yaml`)
  await expect(pullScenario(options({ out, ...more }))).rejects.toThrow(message)
  expect(existsSync(out)).toBe(false)
})

test('answers that are not a bank never become a scenario', async () => {
  for (const [name, answer] of Object.entries({
    'no JSON': 'oops',
    'odd rows': JSON.stringify({
      data: { accounts: [{ accountId: 5, x: null }, null, 'y'] },
      meta: { totalPages: 'no' },
    }),
  })) {
    const proxy = await between((request, response) => {
      if (request.method !== 'GET') return false
      response
        .writeHead(200, { 'content-type': 'application/json', date: new Date(nowMs).toUTCString() })
        .end(answer)
      return true
    })
    const out = join(folder, `${name.replace(' ', '-')}.yaml`)
    await expect(pullScenario(options({ url: proxy.url, out }))).rejects.toThrow(
      /No account can be read|makes no bank/,
    )
    expect(existsSync(out)).toBe(false)
    await proxy.close()
  }
})

test('an endless answer is aborted, and an account that disappears is listed', async () => {
  const endless = await between(async (request, response) => {
    if (!request.url!.endsWith('/accounts')) return false
    response.writeHead(200, { 'content-type': 'application/json' })
    const chunk = Buffer.alloc(4 * 1024 * 1024, 32)
    while (!response.destroyed && response.write(chunk)) await new Promise(setImmediate)
    response.on('drain', () => void response.write(chunk))
    return true
  })
  const out = join(folder, 'endless.yaml')
  await expect(pullScenario(options({ url: endless.url, out }))).rejects.toThrow('more than 64 MiB')
  expect(existsSync(out)).toBe(false)
  await endless.close()
  const gone = await between((request, response) => {
    if (!/accounts\/\d+\/(?:balance|transactions)/.test(request.url!)) return false
    response.writeHead(400, { 'content-type': 'application/json' }).end('{}')
    return true
  })
  const { missing, rows } = await pullScenario(options({ url: gone.url, out: join(folder, 'gone.yaml') }))
  expect(rows).toBe(0)
  expect(missing).toContain('GET /za/pb/v1/accounts/{accountId}/balance was refused with 400 (5 times).')
  await gone.close()
})
