// One sandbox plays the real service; what is pulled from it starts another one, which must answer the same.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { parseDay } from '../determinism/day.js'
import type { BookState } from '../bank/ledger/ledger.js'
import { listen, type Listening } from '../http/server.js'
import { Sandbox } from '../sandbox/sandbox.js'
import { loadScenarioFile } from '../scenario/scenario.js'
import { bankOf, originals, serveBanks } from '../../test/generated-bank.js'
import { pullScenario, type PullOptions, type PullReport } from './pull-scenario.js'

const nowMs = Date.parse('2026-03-25T08:00:00Z')
const range = '?fromDate=2025-01-01&toDate=2026-03-31'
let real: Sandbox
let listening: Listening
let folder: string
let file: string
let report: PullReport
const seen: IncomingMessage[] = []

const credentials = { clientId: 'sandbox-client', clientSecret: 'sandbox-secret', apiKey: 'sandbox-key' }

/** Asks a sandbox with its first client and key. */
async function asker(sandbox: Sandbox) {
  const { clientId, clientSecret, apiKeys } = sandbox.main.credentials.clients[0]!
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const signedIn = await sandbox.handle({
    method: 'POST',
    path: '/identity/v2/oauth2/token',
    headers: {
      authorization: `Basic ${basic}`,
      'x-api-key': apiKeys[0]!.key,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  })
  const { access_token: token } = JSON.parse(String(signedIn.body)) as { access_token: string }
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what answers hold is what the test is about
  return async (method: string, path: string, body?: object): Promise<{ status: number; body: any }> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const reply = await sandbox.handle({ method, path, headers, ...(body && { body }) })
    return { status: reply.status, body: JSON.parse(Buffer.from(reply.body).toString()) }
  }
}

/** Forwards requests to a listening sandbox, and lets `meddle` answer instead. */
async function between(
  meddle: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server: Server = createServer((request, response) => {
    void (async () => {
      if (await meddle(request, response)) return
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const answer = await fetch(`${listening.url}${request.url!}`, {
        method: request.method!,
        headers: Object.fromEntries(
          Object.entries(request.headers).filter(
            ([name]) => !['host', 'connection', 'content-length'].includes(name),
          ),
        ) as Record<string, string>,
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      })
      const headers = Object.fromEntries(
        [...answer.headers].filter(([name]) => !/encoding|length|connection/.test(name)),
      )
      response.writeHead(answer.status, headers).end(Buffer.from(await answer.arrayBuffer()))
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

const options = (more: Partial<PullOptions> & { out: string }): PullOptions => ({
  url: listening.url,
  credentials,
  rate: 1000,
  ...more,
})

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pull-'))
  real = new Sandbox({ nowMs, seed: 9 })
  listening = await listen(real, { host: '127.0.0.1', port: 0 })
  const { clientId, clientSecret, apiKeys } = real.main.credentials.clients[0]!
  Object.assign(credentials, { clientId, clientSecret, apiKey: apiKeys[0]!.key })
  const ask = await asker(real)
  const { accounts } = (await ask('GET', '/za/pb/v1/accounts')).body.data
  const moved = await ask('POST', `/za/pb/v1/accounts/${accounts[0].accountId}/transfermultiple`, {
    transferList: [
      {
        beneficiaryAccountId: accounts[1].accountId,
        amount: '10.12',
        myReference: 'Rent Sipho',
        theirReference: 'Rent',
      },
    ],
  })
  expect(moved.status).toBe(200)
  const { cards } = (await ask('GET', '/za/v1/cards')).body.data
  const card = cards.find(({ IsProgrammable }: { IsProgrammable: boolean }) => IsProgrammable)
  const code = `// written for ${accounts[0].accountName}
const key = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc'
const beforeTransaction = async (a) => { console.log('of', '${accounts[0].accountNumber}', a.merchant.name); return true }
const afterTransaction = async () => console.log('mail me@home.example')`
  const saved = await ask('POST', `/za/v1/cards/${card.CardKey}/code`, { code })
  await ask('POST', `/za/v1/cards/${card.CardKey}/publish`, {
    codeid: saved.body.data.result.codeId,
    code: '',
  })
  await ask('POST', `/za/v1/cards/${card.CardKey}/environmentvariables`, {
    variables: { LIMIT: '5', API_TOKEN: 'x1' },
  })
  await ask('POST', `/za/v1/cards/${card.CardKey}/code/execute`, { simulationcode: code, centsAmount: '100' })
  file = join(folder, 'my-bank.yaml')
  const proxy = await between((request) => {
    seen.push(request)
    return false
  })
  report = await pullScenario(options({ url: proxy.url, out: file, from: parseDay('2025-01-01') }))
  await proxy.close()
}, 60_000)

afterAll(async () => {
  await listening.close()
  await real.close()
  rmSync(folder, { recursive: true })
})

/** Fields whose values are replaced: each value always by the same one. */
const replaced =
  /^(accountId|accountNumber|accountName|referenceName|profileId|profileName|description|cardNumber|uuid|beneficiaryId|beneficiaryName|name|referenceAccountNumber|cellNo|emailAddress|categoryId|CategoryId|CardKey|CardNumber|AccountNumber|AccountId|EmbossedName|CardKeyHash|MaskedCardNumber|EmbossName|EmbossName2|code|executionId|rootCodeFunctionId|content|self|authoriserId|API_TOKEN|LIMIT)$/

function compare(a: unknown, b: unknown, path: string, pairs: Map<string, unknown>): void {
  if (typeof a === 'object' && a !== null) {
    expect([path, Object.keys(a)]).toEqual([path, Object.keys(Object(b) as object)])
    for (const [name, value] of Object.entries(a))
      compare(value, (b as Record<string, unknown>)[name], `${path}/${name}`, pairs)
    return
  }
  const name = path.split('/').at(-1)!
  if (!replaced.test(name) || a === '' || a === null) {
    expect([path, b]).toEqual([path, a])
    return
  }
  const key = `${name} ${JSON.stringify(a)}`
  if (!pairs.has(key)) pairs.set(key, b)
  expect([path, b]).toEqual([path, pairs.get(key)])
}

test('another sandbox answers every read with the same rows, balances, order, pending rows and cards', async () => {
  const copy = new Sandbox({ scenario: await loadScenarioFile(file) })
  const [askReal, askCopy] = await Promise.all([asker(real), asker(copy)])
  const pairs = new Map<string, unknown>()
  const both = async (path: (id: string) => string, ids: [string, string] = ['', '']) => {
    const [a, b] = await Promise.all([askReal('GET', path(ids[0])), askCopy('GET', path(ids[1]))])
    expect([path(ids[0]), a.status, b.status]).toEqual([path(ids[0]), 200, 200])
    compare(a.body, b.body, '', pairs)
    return [a.body.data, b.body.data]
  }
  const [accounts, accountsCopy] = await both(() => '/za/pb/v1/accounts')
  let rows = 0
  for (const [index, { accountId, profileId }] of accounts.accounts.entries()) {
    const other = accountsCopy.accounts[index]
    const ids: [string, string] = [accountId, other.accountId]
    const own = (rest: string) => (id: string) => `/za/pb/v1/accounts/${id}/${rest}`
    await both(own('balance'), ids)
    const [list] = await both(own(`transactions${range}`), ids)
    rows += list.transactions.length as number
    await both(own(`transactions${range}&includePending=true`), ids)
    await both(own('transactions?transactionType=CardPurchases'), ids)
    await both(own('pending-transactions'), ids)
    await both(own(`documents${range}`), ids)
    const [a, b] = await Promise.all([
      askReal('GET', `/za/pb/v1/profiles/${profileId}/accounts/${accountId}/authorisationsetupdetails`),
      askCopy(
        'GET',
        `/za/pb/v1/profiles/${other.profileId}/accounts/${other.accountId}/authorisationsetupdetails`,
      ),
    ])
    compare(a.body, b.body, '', pairs)
  }
  expect(rows).toBeGreaterThan(1000)
  const [profiles, profilesCopy] = await both(() => '/za/pb/v1/profiles')
  for (const [index, { profileId }] of profiles.entries()) {
    const ids: [string, string] = [profileId, profilesCopy[index].profileId]
    await both((id) => `/za/pb/v1/profiles/${id}/accounts`, ids)
    await both((id) => `/za/pb/v1/accounts/beneficiarycategories?profileId=${id}`, ids)
  }
  await both(() => '/za/pb/v1/accounts/beneficiaries')
  const [cards, cardsCopy] = await both(() => '/za/v1/cards')
  for (const [index, card] of cards.cards.entries()) {
    const ids: [string, string] = [card.CardKey, cardsCopy.cards[index].CardKey]
    await both((key) => `/za/v1/cards/${key}`, ids)
    if (!card.IsProgrammable) continue
    await both((key) => `/za/v1/cards/${key}/code`, ids)
    await both((key) => `/za/v1/cards/${key}/code/executions`, ids)
    await both((key) => `/za/v1/cards/${key}/environmentvariables`, ids)
  }
  await copy.close()
})

test('besides the token request only GET is sent', () => {
  const others = seen.filter(({ method }) => method !== 'GET')
  expect(others.map(({ method, url }) => `${method!} ${url!}`)).toEqual(['POST /identity/v2/oauth2/token'])
  expect(seen.length).toBe(report.requests)
  for (const list of ['countries', 'currencies', 'merchants'])
    expect(seen.filter(({ url }) => url === `/za/v1/cards/${list}`)).toHaveLength(1)
})

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

test('an interruption is one sentence that says what was stored; values of variables and refusals are not stored', async () => {
  const out = join(folder, 'interrupted.yaml')
  const controller = new AbortController()
  const proxy = await between((request, response) => {
    if (request.url!.endsWith('/accounts/beneficiaries')) {
      response.writeHead(403).end()
      return true
    }
    if (!request.url!.endsWith('/cards/countries') || controller.signal.aborted) return false
    controller.abort()
    return true
  })
  const given = options({ url: proxy.url, out, signal: controller.signal })
  await expect(pullScenario(given)).rejects.toMatchObject({
    exitCode: 130,
    message: expect.stringMatching(
      /^Interrupted; \d+ answers are kept in .*interrupted\.yaml\.partial \(real data, readable by you alone\), and the same command goes on from there\.$/,
    ),
  })
  const kept = readFileSync(`${out}.partial`, 'utf8')
  expect([existsSync(out), kept.includes('API_TOKEN'), kept.includes('/accounts/beneficiaries"')]).toEqual([
    false,
    false,
    false,
  ])
  const { cards, missing } = await pullScenario(options({ url: proxy.url, out, signal: undefined }))
  expect([cards, missing.length]).toEqual([4, 1])
  await proxy.close()
})

test('an interruption ends it at once, also while it waits for its rate limit or for a busy service', async () => {
  const controller = new AbortController()
  const waiting: string[] = []
  const proxy = await between((request, response) => {
    if (request.method !== 'GET') return false
    response.writeHead(429, { 'retry-after': '100' }).end()
    return true
  })
  const onProgress = (text: string): void => {
    waiting.push(text)
    if (text.includes('waiting')) controller.abort()
  }
  const given = options({
    url: proxy.url,
    out: join(folder, 'busy.yaml'),
    signal: controller.signal,
    onProgress,
  })
  await expect(pullScenario(given)).rejects.toMatchObject({ exitCode: 130, message: 'Interrupted.' })
  expect(waiting.at(-1)).toBe('the service answered 429: waiting 100 s')
  expect(existsSync(join(folder, 'busy.yaml.partial'))).toBe(false)
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

test('neither credentials nor originals are in what was written, and the report counts what was replaced', () => {
  const text = readFileSync(file, 'utf8') + readFileSync(report.dataFile!, 'utf8')
  const { clientSecret, apiKey } = credentials
  for (const original of [
    clientSecret,
    apiKey,
    'sk_live_4eC39HqLyjWDarjtT1zdp7dc',
    'me@home.example',
    'Naidoo',
    'Rent Sipho',
  ])
    expect([original, text.toUpperCase().includes(original.toUpperCase())]).toEqual([original, false])
  expect(report.replaced).toMatchObject({
    'account id': report.accounts,
    secret: 1,
    'e-mail address': expect.any(Number),
  })
  expect(report.review.join('\n')).toContain('looked like a secret and was masked')
  expect(report.missing).toEqual([])
  expect(existsSync(`${file}.partial`)).toBe(false)
})

test('no original value is in the bytes of the files, whatever bank is pulled', async () => {
  const service = await serveBanks()
  const out = join(folder, 'generated.yaml')
  const withDataFile = new Set<boolean>()
  await fc.assert(
    fc.asyncProperty(originals, fc.constantFrom(1, 600), async (given, rows) => {
      const bank = bankOf(given)
      const [account] = bank.accounts as [(typeof bank.accounts)[number]]
      const [row] = account.rows as [(typeof account.rows)[number]]
      const many = Array.from({ length: rows }, (_, index) => ({
        ...row,
        status: 'POSTED' as const,
        type: 'CREDIT' as const,
        postedOrder: index + 1,
        runningBalance: 5 * (index + 1),
        description:
          index === 0 ? row.description : `${given.names[index % given.names.length]!} ${index} ZA`,
      }))
      service.give({ ...bank, accounts: [{ ...account, rows: many }] })
      const more = { url: service.url, out, force: true, rate: 1e9, withVariables: true }
      const pulled = await pullScenario(options({ ...more, from: parseDay('2026-02-01') }))
      expect([pulled.rows, pulled.cards]).toEqual([rows, 1])
      const files = [pulled.file, pulled.dataFile].filter((each) => each !== undefined)
      withDataFile.add(files.length === 2)
      const bytes = Buffer.concat(files.map((each) => readFileSync(each)))
      const text = bytes.toString('utf8').toUpperCase()
      const values = [...given.ids, ...given.names, 'some.body@home.example']
      expect(values.filter((value) => text.includes(value.toUpperCase()))).toEqual([])
    }),
    { numRuns: 12, endOnFailure: true },
  )
  expect(withDataFile).toEqual(new Set([true, false]))
  service.close()
})

test('an existing file is kept unless it is forced', async () => {
  const out = join(folder, 'kept.yaml')
  writeFileSync(out, 'mine')
  const before = seen.length
  await expect(pullScenario(options({ out }))).rejects.toThrow('exists; --force replaces it')
  expect(readFileSync(out, 'utf8')).toBe('mine')
  expect(seen.length).toBe(before)
  await pullScenario(options({ out, force: true }))
  expect(readFileSync(out, 'utf8')).toContain('name: kept')
})

test('an interrupted pull leaves no scenario, and the next one continues where it stopped', async () => {
  const out = join(folder, 'resumed.yaml')
  let asked: string[] = []
  let isBroken = true
  const proxy = await between((request, response) => {
    asked.push(request.url!)
    if (!isBroken || !request.url!.startsWith('/za/v1/cards')) return false
    response.destroy()
    return true
  })
  await expect(pullScenario(options({ url: proxy.url, out }))).rejects.toThrow('cannot be reached')
  expect(existsSync(out)).toBe(false)
  expect(statSync(`${out}.partial`).mode & 0o777).toBe(0o600)
  isBroken = false
  asked = []
  await pullScenario(options({ url: proxy.url, out }))
  expect(asked.filter((url) => url.startsWith('/za/pb/v1/accounts'))).toEqual([])
  expect(existsSync(`${out}.partial`)).toBe(false)
  await proxy.close()
})

test('data that another client has read is neither continued nor replaced', async () => {
  const out = join(folder, 'shared.yaml')
  let asked = 0
  let isBroken = true
  const proxy = await between((request, response) => {
    asked++
    if (!isBroken || !request.url!.startsWith('/za/v1/cards')) return false
    response.destroy()
    return true
  })
  await expect(pullScenario(options({ url: proxy.url, out }))).rejects.toThrow('cannot be reached')
  const kept = readFileSync(`${out}.partial`, 'utf8')
  expect(kept).not.toContain(credentials.clientId)
  asked = 0
  const other = { ...credentials, clientId: 'another-client' }
  await expect(pullScenario(options({ url: proxy.url, out, credentials: other }))).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(/shared\.yaml\.partial holds answers that another client has read; /),
  })
  expect([asked, readFileSync(`${out}.partial`, 'utf8')]).toEqual([0, kept])
  isBroken = false
  await pullScenario(options({ url: proxy.url, out }))
  expect(existsSync(`${out}.partial`)).toBe(false)
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

test('with --continue the bank continues day by day, without it nothing happens', async () => {
  const out = join(folder, 'continued.yaml')
  await pullScenario(options({ out, continue: true, keepNames: true, jitterPercent: 5 }))
  const grown = async (path: string) => {
    const sandbox = new Sandbox({ scenario: await loadScenarioFile(path) })
    const bank = await sandbox.main.open()
    const count = () =>
      bank.accounts.reduce((sum, { accountId }) => sum + bank.book(accountId).entries.length, 0)
    sandbox.main.clock.set(nowMs + 3 * 86_400_000)
    bank.catchUp()
    const before = count()
    sandbox.main.clock.set(nowMs + 63 * 86_400_000)
    bank.catchUp()
    await sandbox.close()
    return count() - before
  }
  expect(await grown(file)).toBe(0)
  expect(await grown(out)).toBeGreaterThan(30)
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

test('a file that cannot be written leaves no half of a scenario', async () => {
  const out = join(folder, 'full.yaml')
  mkdirSync(join(folder, '.full.yaml.writing'))
  await expect(pullScenario(options({ out }))).rejects.toThrow('full.yaml cannot be written')
  for (const left of [out, join(folder, 'full.data.json'), join(folder, '.full.data.json.writing')])
    expect([left, existsSync(left)]).toEqual([left, false])
})

test('with --force the former files stay unchanged when a new one cannot be written', async () => {
  const out = join(folder, 'former.yaml')
  writeFileSync(out, 'scenario')
  writeFileSync(join(folder, 'former.data.json'), 'data')
  mkdirSync(join(folder, '.former.yaml.writing'))
  await expect(pullScenario(options({ out, force: true }))).rejects.toThrow('former.yaml cannot be written')
  expect(readFileSync(out, 'utf8') + readFileSync(join(folder, 'former.data.json'), 'utf8')).toBe(
    'scenariodata',
  )
})

test('a service that answers like the live one is pulled, too', async () => {
  const { settings } = real.main
  real.main.settings = { ...settings, behaviour: 'observed' }
  try {
    const out = join(folder, 'observed.yaml')
    const { missing } = await pullScenario(options({ out }))
    expect(missing).toEqual([])
    const { accounts, books } = (await loadScenarioFile(out)).opening.bank!.state
    const bank = await real.main.open()
    expect(accounts.map(({ accountId }) => sumOf(books[accountId]!))).toEqual(
      bank.accounts.map(({ accountId }) => bank.book(accountId).balanceCents),
    )
  } finally {
    real.main.settings = settings
  }
})

const sumOf = ({ opening, entries }: BookState): number =>
  entries.reduce((sum, { cents }) => sum + cents, opening?.cents ?? 0)
