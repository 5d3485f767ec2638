import { expect, test } from '@jest/globals'
import { createConnection } from 'node:net'
import { ControlClient } from './control-client.js'
import { control } from '../control/index.js'
import { service } from '../service/index.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { createSandbox, startSandbox, type LocalSandbox } from '../index.js'
import { testSandboxes } from '../testing/test-sandbox.js'
import { card, everyday } from '../../test/ids.js'

const tokenCall = ({ credentials }: LocalSandbox) => ({
  method: 'POST',
  path: '/identity/v2/oauth2/token',
  headers: {
    authorization: `Basic ${btoa(`${credentials.clientId}:${credentials.clientSecret}`)}`,
    'x-api-key': credentials.apiKey,
    'content-type': 'application/x-www-form-urlencoded',
  },
  body: 'grant_type=client_credentials&scope=accounts',
})

async function tokenOf(sandbox: LocalSandbox): Promise<string> {
  const { body } = await sandbox.handle(tokenCall(sandbox))
  return (JSON.parse(body as string) as { access_token: string }).access_token
}

test('a sandbox in the process answers its own credentials', async () => {
  await using sandbox = await createSandbox({ now: '2026-03-25' })
  const authorization = `Bearer ${await tokenOf(sandbox)}`
  const reply = await sandbox.handle({
    method: 'GET',
    path: '/za/pb/v1/accounts',
    headers: { authorization },
  })
  expect(reply.status).toBe(200)
})

test('fetch answers like the global fetch, whatever the host', async () => {
  const sandbox = await createSandbox({ now: '2026-03-25' })
  const { method, headers, body } = tokenCall(sandbox)
  const address = 'https://bank.example/identity/v2/oauth2/token'
  const response = await sandbox.fetch(address, { method, headers, body })
  expect(response.headers.get('cache-control')).toBe('no-store')
  const { access_token } = (await response.json()) as { access_token: string }
  const request = new Request('https://bank.example/za/pb/v1/accounts', {
    headers: { Authorization: `Bearer ${access_token}` },
  })
  const accounts = await sandbox.fetch(request)
  expect(await accounts.json()).toMatchObject({ links: { self: 'https://bank.example/za/pb/v1/accounts' } })
})

test('fetch accepts a path alone, and omits the body of HEAD', async () => {
  const { fetch } = await createSandbox()
  expect((await fetch('/_sandbox/health')).status).toBe(200)
  const head = await fetch('/_sandbox/health', { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
})

test('header names are read in any case', async () => {
  const sandbox = await createSandbox()
  const headers = { Authorization: `Bearer ${await tokenOf(sandbox)}` }
  const { status } = await sandbox.handle({ method: 'GET', path: '/za/pb/v1/accounts', headers })
  expect(status).toBe(200)
})

test('every form of now freezes the clock at the same instant', async () => {
  const instant = '2026-03-25T08:00:00.000Z'
  for (const now of [instant, '2026-03-25T10:00:00+02:00', Date.parse(instant), new Date(instant)]) {
    const { fetch } = await createSandbox({ now })
    expect(await (await fetch('/_sandbox/health')).json()).toMatchObject({
      clock: { now: instant, frozen: true },
    })
  }
})

test('an invalid option is named', async () => {
  const cases: [unknown, string][] = [
    [{ seed: -1 }, 'seed'],
    [{ seed: '1' }, 'seed'],
    [{ seed: 1.5 }, 'seed'],
    [{ now: '2026-02-30' }, 'now'],
    [{ now: new Date(NaN) }, 'now'],
    [{ now: Infinity }, 'now'],
    [{ now: '1492-10-12' }, 'now'],
    [{ scenario: '' }, 'scenario'],
    [{ sed: 1 }, 'sed'],
    [{ ['__proto__x']: 1 }, '__proto__x'],
    [{ toString: 1 }, 'toString'],
    [{ port: 1 }, 'port'],
    [null, 'options'],
    ['frozen', 'options'],
    [[], 'options'],
  ]
  for (const [options, option] of cases)
    await expect(createSandbox(options as never)).rejects.toMatchObject({ name: 'OptionError', option })
  for (const [options, option] of [
    [{ port: 65_536 }, 'port'],
    [{ port: '80' }, 'port'],
    [{ cors: '*' }, 'cors'],
    [{ allowHosts: [1] }, 'allowHosts'],
    [{ onRequest: true }, 'onRequest'],
  ] as const)
    await expect(startSandbox(options as never)).rejects.toMatchObject({ option })
})

test('an undefined option is ignored', async () => {
  const sandbox = await createSandbox({ seed: undefined, now: undefined, scenario: undefined })
  expect((await sandbox.fetch('/_sandbox/health')).status).toBe(200)
})

test('a started sandbox listens on a free port until it is closed, and closing again has no effect', async () => {
  const sandbox = await startSandbox()
  expect(sandbox.url).toBe(`http://127.0.0.1:${sandbox.port}`)
  expect((await fetch(`${sandbox.url}/_sandbox/health`)).status).toBe(200)
  await sandbox.close()
  await sandbox.close()
  await expect(fetch(`${sandbox.url}/_sandbox/health`)).rejects.toThrow('fetch failed')
})

test('closing ends connections that a client keeps open', async () => {
  const sandbox = await startSandbox()
  const socket = createConnection(sandbox.port, '127.0.0.1')
  await new Promise((resolve) => socket.once('connect', resolve))
  const ended = new Promise((resolve) => socket.once('close', resolve))
  socket.on('error', () => undefined)
  await sandbox.close()
  await ended
})

test('a port in use is an error that says so', async () => {
  await using first = await startSandbox()
  await expect(startSandbox({ port: first.port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

/** Endpoints for HTTP clients only: health, guide, and a stream. */
const withoutMethod = [
  '/_sandbox',
  '/_sandbox/health',
  '/_sandbox/openapi.json',
  '/_sandbox/control.json',
  '/_sandbox/events',
]

test('every endpoint of the control API has its method', async () => {
  const asked = new Set<string>()
  const probe = {
    handle: ({ method, path }: { method: string; path: string }) => {
      asked.add(`${method} ${path}`)
      return Promise.resolve({ status: 200, headers: {}, body: '{}' })
    },
  }
  const call = async (member: unknown): Promise<void> => {
    if (typeof member === 'function') await (member as (...values: string[]) => Promise<unknown>)('x', 'x')
    else for (const each of Object.values(member as object)) await call(each)
  }
  await call(new ControlClient(() => probe as unknown as Sandbox))
  for (const { method, path } of control)
    if (!withoutMethod.includes(path)) expect(asked).toContain(`${method} ${path.replace(/\{\w+\}/g, 'x')}`)
})

test('a refusal of the control API says what was wrong', async () => {
  const sandbox = await createSandbox()
  await expect(sandbox.clock.advance('-P1D')).rejects.toMatchObject({
    name: 'ControlError',
    status: 400,
    faults: [{ path: '/advance' }],
  })
  await expect(sandbox.requests.verify({ path: '/za/**' }, { exactly: 1 })).rejects.toMatchObject({
    status: 409,
  })
})

test('a missing scenario is an error of its option', async () => {
  await expect(createSandbox({ scenario: 'nowhere' })).rejects.toMatchObject({ option: 'scenario' })
})

test('the methods are those of the control API, and a balance can be read as soon as a scenario is used', async () => {
  await using sandbox = await createSandbox({ now: '2026-03-25' })
  const before = sandbox.balance(everyday)
  await sandbox.scenarios.use('overdrawn')
  expect(sandbox.balance(everyday).currentBalance).toBeLessThan(0)
  expect(sandbox.balance(everyday)).not.toEqual(before)
  await sandbox.reset()
  expect(sandbox.balance(everyday).currentBalance).toBeLessThan(0)

  const snapshot = await sandbox.snapshot()
  const { key } = await sandbox.apiKeys.create({ alias: 'One', accounts: 'all', permissions: ['accounts'] })
  expect((await sandbox.apiKeys.list()).map((each) => each.key)).toContain(key)
  const secret = sandbox.credentials.clientSecret
  await sandbox.rotateSecret()
  expect(sandbox.credentials.clientSecret).not.toBe(secret)
  const added = { beneficiaryName: 'Zanele', accountNumber: '62012345678' }
  const { beneficiaryId } = await sandbox.beneficiaries.add(added)
  await sandbox.beneficiaries.remove(beneficiaryId)
  await sandbox.restore(snapshot)
  expect(sandbox.credentials.clientSecret).toBe(secret)
  expect((await sandbox.apiKeys.list()).map((each) => each.key)).not.toContain(key)
})

test('a sandbox of a test file is reset after each test', async () => {
  let afterEach = (): Promise<void> => Promise.resolve()
  let afterAll = afterEach
  const before: (() => Promise<void>)[] = []
  const { useSandbox } = testSandboxes({
    beforeAll: (run) => before.push(run),
    afterEach: (run) => (afterEach = run),
    afterAll: (run) => (afterAll = run),
  })
  const sandbox = useSandbox({ now: '2026-03-25', seed: 4 })
  await afterEach()
  for (const run of before) await run()
  const start = [await sandbox.clock.get(), sandbox.balance(everyday), await sandbox.settings.get()]
  const isAtStart = async () => {
    await afterEach()
    expect([await sandbox.clock.get(), sandbox.balance(everyday), await sandbox.settings.get()]).toEqual(
      start,
    )
    expect(await sandbox.workspaces.list()).toHaveLength(1)
  }
  const snapshot = await sandbox.snapshot()
  await sandbox.clock.advance('P3D')
  await sandbox.workspaces.create({ name: 'other' })
  await isAtStart()
  await sandbox.scenarios.use('overdrawn')
  await isAtStart()
  await sandbox.scenarios.use('payday', 9)
  await sandbox.restore(snapshot)
  await sandbox.clock.advance('P1M')
  await isAtStart()
  await afterAll()
})

test('the client has a method for each endpoint of the service, typed and signed in', async () => {
  await using sandbox = await createSandbox({ now: '2026-03-25' })
  const client = sandbox.client()
  expect(Object.keys(client).sort()).toEqual(
    service
      .filter(({ auth }) => auth === 'token')
      .map(({ name }) => name)
      .sort(),
  )
  const { accounts } = await client.listAccounts()
  const [account] = accounts
  expect(await client.getBalance(account!.accountId)).toEqual(sandbox.balance(account!.accountId))
  const rows = await client.listTransactions(account!.accountId, { fromDate: '2026-03-20' })
  expect(rows.transactions.every(({ postingDate }) => postingDate! >= '2026-03-20')).toBe(true)
  const { cards } = await client.listCards()
  const saved = await client.saveCode(cards[0]!.CardKey, { code: 'const beforeTransaction = () => true' })
  expect(saved.result.code).toBe('const beforeTransaction = () => true')
  await expect(client.getBalance('1')).rejects.toMatchObject({
    name: 'ServiceError',
    status: 400,
    type: 'urn:sandbox-server:problem:unknown-account',
  })
})

test('the client signs in again when its token has expired or the sandbox was reset', async () => {
  await using sandbox = await createSandbox({ now: '2026-03-25' })
  const client = sandbox.client()
  await client.listAccounts()
  await sandbox.clock.advance('P1D')
  await client.listAccounts()
  await sandbox.reset()
  await client.listAccounts()
  await sandbox.requests.verify({ path: '/identity/**' }, { exactly: 1 })
})

test('a client may sign in with another key, and a refused sign-in says why', async () => {
  await using sandbox = await createSandbox({ now: '2026-03-25' })
  const { accounts } = await sandbox.client({ apiKey: 'sandbox-readonly-key' }).listAccounts()
  expect(accounts).toHaveLength(1)
  const { headers, expiresIn } = await sandbox.signIn()
  expect(expiresIn).toBe(1799)
  expect((await sandbox.fetch('/za/pb/v1/accounts', { headers })).status).toBe(200)
  await expect(sandbox.signIn({ clientSecret: 'wrong' })).rejects.toMatchObject({
    name: 'ServiceError',
    status: 401,
    type: 'invalid_client',
  })
})

test('code is published on a card in one step', async () => {
  await using sandbox = await createSandbox({ now: '2026-03-25' })
  const code = 'const beforeTransaction = ({ centsAmount }) => centsAmount <= Number(process.env.LIMIT)'
  const program = await sandbox.cards.publish(card, code, { variables: { LIMIT: '500' } })
  expect(program).toMatchObject({ publishedCode: code, enabled: true, variables: { LIMIT: '500' } })
  expect((await sandbox.cards.transact(card, { centsAmount: 600 })).decision).toBe('declined')
  expect((await sandbox.cards.transact(card, { centsAmount: 400 })).decision).toBe('approved')
  expect((await sandbox.cards.simulate(card, { code, centsAmount: 600 })).decision).toBe('declined')
})

test("a scenario without a clock uses the machine's, unless a time was given at the start", async () => {
  await using running = await createSandbox()
  await running.scenarios.use('payday')
  expect((await running.clock.get()).frozen).toBe(true)
  await running.scenarios.use('default')
  expect((await running.clock.get()).frozen).toBe(false)
  await running.reset()
  expect((await running.clock.get()).frozen).toBe(false)
  await using given = await createSandbox({ now: '2026-03-25' })
  await given.scenarios.use('payday')
  await given.scenarios.use('default')
  expect(await given.clock.get()).toEqual({ now: '2026-03-25T00:00:00.000Z', frozen: true })
})

test('the message of a failed verification names the nearest calls, that of bad input every error', async () => {
  await using sandbox = await createSandbox({ now: '2026-03-25' })
  await sandbox.client().listAccounts()
  await expect(sandbox.requests.verify({ method: 'POST', path: '/za/pb/v1/accounts' })).rejects.toThrow(
    'Expected at least 1, found 0 of 2 calls. Nearest:\n  GET /za/pb/v1/accounts → 200; differs in method',
  )
  await expect(sandbox.accounts.enter(everyday, {} as never)).rejects.toThrow(
    '/amount is missing; /description is missing.',
  )
})
