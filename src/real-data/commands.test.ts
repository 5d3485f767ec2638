// The commands as a terminal runs them: what is printed, and with which exit code they end.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { listen, type Listening } from '../http/server.js'
import { Sandbox } from '../sandbox/sandbox.js'
import { scenarioFromFile } from '../scenario/scenario.js'
import { runRealData } from './commands.js'
import { recordTraffic } from './recording-proxy.js'

let real: Sandbox
let listening: Listening
let folder: string
let environment: Record<string, string>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'real-data-'))
  real = new Sandbox({ nowMs: Date.parse('2026-03-25T08:00:00Z') })
  listening = await listen(real, { host: '127.0.0.1', port: 0 })
  const { clientId, clientSecret, apiKeys } = real.main.credentials.clients[0]!
  environment = { BANK_CLIENT_ID: clientId, BANK_CLIENT_SECRET: clientSecret, BANK_API_KEY: apiKeys[0]!.key }
})
afterAll(async () => {
  await listening.close()
  await real.close()
  rmSync(folder, { recursive: true })
})

async function run(name: string, args: string[], env: Record<string, string> = environment) {
  const printed: string[] = []
  const said: string[] = []
  const terminal = {
    print: (text: string) => void printed.push(text),
    say: (text: string) => void said.push(text),
  }
  const code = await runRealData(name, [...name.split(' '), ...args], env, terminal)
  return { code, printed: printed.join('\n'), said: said.join('\n') }
}

test('pull writes a scenario that loads, and prints neither secrets nor originals', async () => {
  const out = join(folder, 'mine.yaml')
  const { code, printed, said } = await run('pull', [
    '--url',
    listening.url,
    '--out',
    out,
    '--rate',
    '1000',
    '--from',
    '2026-01-01',
  ])
  expect([code, printed]).toEqual([0, expect.stringContaining('Replaced, different values by kind:')])
  expect(said).toContain('account 1 of 5')
  expect(printed + said).not.toContain(environment.BANK_CLIENT_SECRET)
  expect(printed + said).not.toMatch(/Naidoo/i)
  expect((await scenarioFromFile(out)).opening.bank?.state.accounts).toHaveLength(5)
})

test('credentials come from a file, too', async () => {
  const file = join(folder, 'bank.env')
  writeFileSync(
    file,
    Object.entries(environment)
      .map(([name, value]) => `export ${name}="${value}"`)
      .join('\n'),
  )
  const args = [
    '--url',
    listening.url,
    '--out',
    join(folder, 'env.yaml'),
    '--rate',
    '1000',
    '--from',
    '2026-03-01',
    '--env-file',
    file,
  ]
  const { code, printed } = await run('pull', [...args, '--json'], {})
  expect([code, JSON.parse(printed)]).toEqual([0, expect.objectContaining({ accounts: 5, missing: [] })])
})

test('compare ends with 0 without drift, writes a page, and prints one document with --json', async () => {
  const page = join(folder, 'drift.html')
  const args = ['--url', listening.url, '--rate', '1000']
  const plain = await run('compare', [...args, '--report', page])
  expect([plain.code, plain.printed]).toEqual([0, expect.stringMatching(/^No drift in \d+ endpoints\.$/)])
  expect(readFileSync(page, 'utf8')).toContain('No drift in')
  const json = await run('compare', [...args, '--json'])
  expect([json.code, json.said, JSON.parse(json.printed)]).toEqual([
    0,
    '',
    expect.objectContaining({ drifts: [] }),
  ])
})

test('a recording holds what was answered without its secrets; compare and from-har read it', async () => {
  const file = join(folder, 'traffic.har')
  const recording = await recordTraffic({
    upstream: listening.url,
    file,
    host: '127.0.0.1',
    port: 0,
    version: '1',
  })
  const basic = Buffer.from(`${environment.BANK_CLIENT_ID!}:${environment.BANK_CLIENT_SECRET!}`).toString(
    'base64',
  )
  const signedIn = await fetch(`${recording.url}/identity/v2/oauth2/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${basic}`,
      'x-api-key': environment.BANK_API_KEY!,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  })
  const { access_token: token } = (await signedIn.json()) as { access_token: string }
  const headers = { authorization: `Bearer ${token}` }
  const get = async (path: string) =>
    (await fetch(recording.url + path, { headers })).json() as Promise<{
      data: { accounts: { accountId: string }[] }
    }>
  const [{ accountId }] = (await get('/za/pb/v1/accounts')).data.accounts as [{ accountId: string }]
  await get(`/za/pb/v1/accounts/${accountId}/balance`)
  await get(`/za/pb/v1/accounts/${accountId}/transactions?includePending=true`)
  const refused = await fetch(`${recording.url}/za/pb/v1/accounts/${accountId}/paymultiple`, {
    method: 'POST',
    headers,
    body: '{}',
  })
  expect(refused.status).toBe(403)
  await recording.close()

  const text = readFileSync(file, 'utf8')
  for (const secret of [token, basic, environment.BANK_API_KEY!, environment.BANK_CLIENT_SECRET!])
    expect(text).not.toContain(secret)
  expect(recording.calls).toBe(4)
  const compared = await run('compare', ['--har', file])
  expect([compared.code, compared.printed]).toEqual([0, 'No drift in 4 endpoints.'])
  const out = join(folder, 'from-har.yaml')
  const built = await run('scenario from-har', [file, '--out', out])
  expect([built.code, built.printed]).toEqual([0, expect.stringContaining('5 accounts')])
  const rows = Object.values((await scenarioFromFile(out)).opening.bank!.state.books).map(
    ({ entries }) => entries.length,
  )
  const original = (await real.main.open()).book(accountId)
  const today = original.entries.last!.postingDay
  expect(Math.max(...rows)).toBe(original.between(today - 180, today).length)
})

test.each([
  ['pull', ['--out', 'x.yaml'], {}, '--url is missing'],
  ['pull', ['--url', 'http://127.0.0.1:1', '--out', 'x.yaml'], {}, 'BANK_CLIENT_ID is not set'],
  ['pull', ['--url', 'x', '--out', 'x.txt'], undefined, '--out must end in .yaml'],
  ['pull', ['--nope'], undefined, "Unknown option '--nope'"],
  ['pull', ['--url', 'x', '--out', 'x.yaml', '--from', 'yesterday'], undefined, '--from must be a date'],
  [
    'pull',
    ['--url', 'x', '--out', 'x.yaml', '--jitter-amounts', '900%'],
    undefined,
    '--jitter-amounts must be 0% to 50%',
  ],
  ['pull', ['--url', 'x', '--out', 'x.yaml', '--rate', 'fast'], undefined, '--rate must be a number'],
  ['compare', ['--har', 'missing.har'], undefined, 'cannot be read'],
  ['compare', ['--url', 'x', '--allow', 'all'], undefined, '--allow must be simulate or write'],
  ['record', ['x.har', '--upstream', 'nowhere'], undefined, '--upstream must be an address'],
  ['scenario from-har', ['--out', 'x.yaml'], undefined, 'Say which recording to read'],
])('%s %p is refused with one sentence and exit code 2', async (name, args, env, message) => {
  const { code, printed, said } = await run(name, args, env ?? environment)
  expect([code, printed, said]).toEqual([2, '', expect.stringContaining(message)])
  expect(said.split('\n')).toHaveLength(1)
  expect(existsSync('x.yaml')).toBe(false)
})

test('a service that cannot be reached ends with 3', async () => {
  const { code, said } = await run('compare', ['--url', 'http://127.0.0.1:1'])
  expect([code, said]).toEqual([3, expect.stringContaining('cannot be reached')])
})
