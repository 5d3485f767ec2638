import { expect, test } from '@jest/globals'
import { request } from 'node:http'
import { Client, everyday, sandboxAt, standardSignIn, tokenCall } from '../../test/client.js'
import { createSandbox } from '../node-api/local-sandbox.js'
import { listen } from '../http/server.js'

const accounts = '/za/pb/v1/accounts'
const payments = `/za/pb/v1/accounts/${everyday}/paymultiple`
const payment = {
  paymentList: [
    { beneficiaryId: 'MTAxODc2NTQzMjAwMDE=', amount: '100.00', myReference: 'rent', theirReference: 'rent' },
  ],
}

test('a status fault answers instead of the bank, with its headers and body', async () => {
  const client = await Client.of(sandboxAt())
  const fault = { status: 503, headers: { 'Retry-After': '7' }, body: { message: 'later' } }
  const set = await client.control('POST', 'faults', { match: { path: '/za/**' }, fault, times: 1 })
  expect(set.json).toMatchObject({ id: 'f1', seen: 0, applied: 0 })
  const refused = await client.get(accounts)
  expect(refused).toMatchObject({ status: 503, json: { message: 'later' }, fault: 'f1' })
  expect(refused.headers['retry-after']).toBe('7')
  expect((await client.get(accounts)).status).toBe(200)
  expect((await client.control('GET', 'faults')).json.faults[0]).toMatchObject({ seen: 2, applied: 1 })
})

test('the first rule that matches wins; skip and times count matching calls', async () => {
  const client = await Client.of(sandboxAt())
  await client.control('POST', 'faults', {
    match: { path: '**/balance' },
    fault: { status: 500 },
    skip: 1,
    times: 2,
  })
  await client.control('POST', 'faults', { match: { method: 'get' }, fault: { status: 429 } })
  const balance = `${accounts}/${everyday}/balance`
  const statuses: number[] = []
  for (let i = 0; i < 4; i++) statuses.push((await client.get(balance)).status)
  expect(statuses).toEqual([429, 500, 500, 429])
  await client.control('DELETE', 'faults/f2')
  expect((await client.get(balance)).status).toBe(200)
  expect((await client.control('DELETE', 'faults/f2')).status).toBe(404)
  expect((await client.control('DELETE', 'faults')).json).toEqual({ deleted: 1 })
})

test("probabilities use the sandbox's random numbers, so the same sandbox fails at the same calls", async () => {
  const run = async () => {
    const client = await Client.of(sandboxAt())
    await client.control('POST', 'faults', { fault: { status: 500 }, probability: 0.5 })
    const statuses: number[] = []
    for (let i = 0; i < 40; i++) statuses.push((await client.get(accounts)).status)
    return statuses
  }
  const first = await run()
  expect(await run()).toEqual(first)
  expect(first).toContain(200)
  expect(first).toContain(500)
})

test('before, the operation does not happen; afterCommit, it happens and the answer is lost', async () => {
  const client = await Client.of(sandboxAt())
  const balance = async () => (await client.get(`${accounts}/${everyday}/balance`)).json.data.currentBalance
  const start = await balance()
  const match = { method: 'POST', path: '/za/pb/v1/accounts/*/paymultiple' }
  await client.control('POST', 'faults', { match, fault: { status: 500 }, times: 1 })
  expect((await client.post(payments, payment)).status).toBe(500)
  expect(await balance()).toBe(start)
  await client.control('POST', 'faults', { match, fault: { kind: 'reset', when: 'afterCommit' }, times: 1 })
  expect((await client.post(payments, payment)).disturbance).toBe('reset')
  expect(await balance()).toBeCloseTo(start - 100, 2)
})

test('a token expires in the middle of a sync, and stays expired', async () => {
  const client = await Client.of(sandboxAt())
  await client.control('POST', 'faults', {
    match: { path: '/za/**' },
    fault: { kind: 'expire-token' },
    skip: 2,
    times: 1,
  })
  const statuses: number[] = []
  for (let i = 0; i < 4; i++) statuses.push((await client.get(accounts)).status)
  expect(statuses).toEqual([200, 200, 401, 401])
  expect((await (await Client.of(client.sandbox)).get(accounts)).status).toBe(200)
})

test("the sandbox's own API is unaffected unless a rule names it", async () => {
  const client = await Client.of(sandboxAt())
  await client.control('POST', 'faults', { match: { path: '**' }, fault: { status: 500 } })
  await client.control('POST', 'faults', { fault: { kind: 'hang' } })
  expect((await client.control('GET', 'clock')).status).toBe(200)
  await client.control('POST', 'faults', { match: { path: '/_sandbox/clock' }, fault: { status: 500 } })
  expect((await client.control('GET', 'clock')).status).toBe(500)
})

test.each([
  [{}, '/fault'],
  [{ fault: {} }, '/fault'],
  [{ fault: { status: 500, kind: 'reset' } }, '/fault'],
  [{ fault: { kind: 'explode' } }, '/fault/kind'],
  [{ fault: { status: 99 } }, '/fault/status'],
  [{ fault: { status: 500, headers: { 'a b': 'c' } } }, '/fault/headers/a b'],
  [{ fault: { status: 500, headers: { a: 'b\r\nc: d' } } }, '/fault/headers/a'],
  [{ fault: { status: 500, headers: { 'Content-Length': '5' } } }, '/fault/headers/Content-Length'],
  [{ fault: { status: 500 }, times: 0 }, '/times'],
  [{ fault: { status: 500 }, probability: 2 }, '/probability'],
  [{ fault: { status: 500 }, match: { path: 'accounts' } }, '/match/path'],
  [{ fault: { status: 500 }, match: { url: '/x' } }, '/match/url'],
])('an invalid fault is refused: %j', async (rule, path) => {
  const client = await Client.of(sandboxAt())
  const refused = await client.control('POST', 'faults', rule)
  expect(refused.status).toBe(400)
  expect(refused.json.errors).toContainEqual(expect.objectContaining({ path }))
  expect((await client.control('GET', 'faults')).json.faults).toEqual([])
})

test('over HTTP resets, cuts and broken answers are real', async () => {
  const sandbox = sandboxAt()
  const client = await Client.of(sandbox)
  const listening = await listen(sandbox, { host: '127.0.0.1', port: 0 })
  const ask = () =>
    new Promise<string>((resolve) => {
      const headers = { authorization: `Bearer ${client.token}` }
      const asked = request(listening.url + accounts, { headers }, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () => resolve(`${response.statusCode!} ${Buffer.concat(parts).toString()}`))
        response.on('error', (error: NodeJS.ErrnoException) =>
          resolve(`${error.code!} after ${Buffer.concat(parts).length > 0}`),
        )
      })
      asked.on('error', (error: NodeJS.ErrnoException) => resolve(error.code!)).end()
    })
  try {
    for (const kind of ['reset', 'truncate', 'malformed'])
      await client.control('POST', 'faults', { fault: { kind }, times: 1 })
    expect(await ask()).toBe('ECONNRESET')
    expect(await ask()).toBe('ECONNRESET after true')
    const broken = await ask()
    expect(broken).toMatch(/^200 /)
    expect(() => JSON.parse(broken.slice(4)) as unknown).toThrow(SyntaxError)
    expect(await ask()).toMatch(/^200 \{"data".*\}$/)
  } finally {
    await listening.close()
  }
})

test('a call that hangs ends when its client gives up or the server closes', async () => {
  const sandbox = sandboxAt()
  const client = await Client.of(sandbox)
  await client.control('POST', 'faults', { fault: { kind: 'hang' } })
  const listening = await listen(sandbox, { host: '127.0.0.1', port: 0 })
  // The journal records a hanging call when its client is gone; the fault counts it when it arrives.
  const arrived = async (calls: number): Promise<void> => {
    while (sandbox.main.faults.list[0]!.applied < calls) await new Promise((resolve) => setImmediate(resolve))
  }
  const patience = new AbortController()
  const asked = expect(fetch(listening.url + accounts, { signal: patience.signal })).rejects.toThrow(/abort/i)
  await arrived(1)
  patience.abort()
  await asked
  const hanging = expect(fetch(listening.url + accounts)).rejects.toThrow('fetch failed')
  await arrived(2)
  await listening.close()
  await hanging
})

test('in the process, fetch rejects as it does on a real connection', async () => {
  await using sandbox = await createSandbox({ now: '2026-03-25' })
  for (const fault of [{ kind: 'reset' }, { kind: 'hang' }, { kind: 'truncate' }])
    await sandbox.fetch('/_sandbox/faults', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ match: { path: '/identity/**' }, fault, times: 1 }),
    })
  const { path, method, headers, body } = tokenCall(standardSignIn)
  const init = { method, headers: headers as Record<string, string>, body: body as string }
  await expect(sandbox.fetch(path, init)).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
  const gaveUp = sandbox.fetch(path, { ...init, signal: AbortSignal.timeout(10) })
  await expect(gaveUp).rejects.toThrow(/timeout/i)
  await expect((await sandbox.fetch(path, init)).text()).rejects.toThrow()
})

test('a delay delays the call, and ends when the sandbox is closed', async () => {
  const sandbox = sandboxAt()
  const client = await Client.of(sandbox)
  await client.control('POST', 'faults', { delayMs: 600_000 })
  const late = client.get(accounts)
  await client.control('GET', 'clock')
  await sandbox.close()
  expect((await late).status).toBe(200)
})

test('the rate limit counts by token and by the clock', async () => {
  const sandbox = sandboxAt()
  const client = await Client.of(sandbox)
  const other = await Client.of(sandbox)
  await client.control('PUT', 'settings', { rateLimit: { requests: 3, per: 'PT1M' } })
  for (let i = 0; i < 3; i++) expect((await client.get(accounts)).status).toBe(200)
  await client.control('POST', 'clock', { advance: 'PT20.5S' })
  const refused = await client.get(accounts)
  expect(refused.status).toBe(429)
  expect(refused.headers['retry-after']).toBe('40')
  expect(refused.json.type).toBe('urn:sandbox-server:problem:rate-limited')
  expect((await other.get(accounts)).status).toBe(200)
  await client.control('POST', 'clock', { advance: 'PT40S' })
  expect((await client.get(accounts)).status).toBe(200)
})
