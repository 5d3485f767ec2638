// The commands as a terminal runs them: their output and their exit codes.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { listen, type Listening } from '../http/server.js'
import { Sandbox } from '../sandbox/sandbox.js'
import { loadScenarioFile } from '../scenario/scenario.js'
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
    print: (line: string) => void printed.push(line),
    say: (line: string) => void said.push(line),
    program: 'npx sandbox-server',
  }
  const code = await runRealData(name, [...name.split(' '), ...args], env, terminal)
  return { code, printed: printed.join('\n'), said: said.join('\n') }
}

/** The flags of a pull that reads rows since `from`. */
const pullTo = (out: string, from: string): string[] => [
  '--url',
  listening.url,
  '--out',
  out,
  '--rate',
  '1000',
  '--from',
  from,
]

test('pull writes a scenario that loads, and prints neither secrets nor originals', async () => {
  const out = join(folder, 'mine.yaml')
  const { code, printed, said } = await run('pull', pullTo(out, '2026-01-01'))
  expect([code, printed]).toEqual([0, expect.stringContaining('Replaced, different values by kind:')])
  expect(said).toContain('account 1 of 5')
  expect(printed + said).not.toContain(environment.BANK_CLIENT_SECRET)
  expect(printed + said).not.toMatch(/Naidoo/i)
  expect((await loadScenarioFile(out)).opening.bank?.state.accounts).toHaveLength(5)
})

test('the test of the guide passes as printed, with the pulled files', async () => {
  const project = mkdtempSync(join(folder, 'project-'))
  const out = join(project, 'my-bank.yaml')
  const pulled = await run('pull', pullTo(out, '2026-03-01'))
  expect(pulled.code).toBe(0)
  const root = fileURLToPath(new URL('../..', import.meta.url))
  mkdirSync(join(project, 'node_modules'))
  symlinkSync(root, join(project, 'node_modules/sandbox-server'), 'dir')
  const guide = readFileSync(join(root, 'docs/own-data.md'), 'utf8')
  const [, indent, block] = /^( *)```js own-test\n([^]*?)```/m.exec(guide)!
  const lines = block!.split('\n').map((line) => line.slice(indent!.length))
  writeFileSync(join(project, 'accounts.test.mjs'), lines.join('\n'))
  const { stdout } = await promisify(execFile)(process.execPath, ['--test'], { cwd: project })
  expect(stdout).toMatch(/^(?:#|ℹ) pass 1$/m)
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

test('a recording contains the answers without secrets; compare and from-har read it', async () => {
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

  const archive = readFileSync(file, 'utf8')
  for (const secret of [token, basic, environment.BANK_API_KEY!, environment.BANK_CLIENT_SECRET!])
    expect(archive).not.toContain(secret)
  expect(recording.calls).toBe(4)
  const compared = await run('compare', ['--har', file])
  expect([compared.code, compared.printed]).toEqual([0, 'No drift in 4 endpoints.'])
  const out = join(folder, 'from-har.yaml')
  const built = await run('scenario from-har', [file, '--out', out])
  expect([built.code, built.printed]).toEqual([0, expect.stringContaining('5 accounts')])
  const rows = Object.values((await loadScenarioFile(out)).opening.bank!.state.books).map(
    ({ entries }) => entries.length,
  )
  const original = (await real.main.open()).book(accountId)
  const today = original.entries.last!.postingDay
  expect(Math.max(...rows)).toBe(original.between(today - 180, today).length)
})

/** The contents of a recording of these GETs. */
const recorded = (answers: Readonly<Record<string, unknown>>) => ({
  log: {
    entries: Object.entries(answers).map(([path, data]) => ({
      startedDateTime: '2026-03-25T08:00:00Z',
      request: { method: 'GET', url: `https://bank.example${path}` },
      response: { status: 200, headers: [], content: { text: JSON.stringify({ data }) } },
    })),
  },
})

test('from-har says what was not recorded, where balances start, and that there is nothing to review', async () => {
  const account = (accountId: string) => ({
    accountId,
    accountNumber: accountId,
    profileId: '7',
    productName: 'Private Bank Account',
    referenceName: 'Private Bank Account',
  })
  const file = join(folder, 'little.har')
  writeFileSync(
    file,
    JSON.stringify(
      recorded({ '/za/pb/v1/accounts': { accounts: [account('1234567890'), account('2234567890')] } }),
    ),
  )
  const out = join(folder, "little's.yaml")
  const { code, printed } = await run('scenario from-har', [file, '--out', out])
  expect([code, printed.replace(/.*(?=Nothing is left)/s, '').replaceAll(folder, '')]).toEqual([
    0,
    `Nothing is left to look at before you share the files.

Not read, or odd:
  GET /za/pb/v1/profiles was not recorded.
  GET /za/pb/v1/accounts/{accountId}/balance was not recorded (2 times).
  GET /za/pb/v1/accounts/{accountId}/transactions was not recorded (2 times).
  GET /za/pb/v1/profiles/{profileId}/accounts/{accountId}/authorisationsetupdetails was not recorded (2 times).
  GET /za/pb/v1/accounts/beneficiarycategories was not recorded.
  GET /za/pb/v1/accounts/beneficiaries was not recorded.
  GET /za/v1/cards was not recorded.
  GET /za/v1/cards/countries was not recorded.
  GET /za/v1/cards/currencies was not recorded.
  GET /za/v1/cards/merchants was not recorded.
  2 of 2 balances were not read: those accounts start at the running balance of their last row, or at 0 without rows.

Start it with: npx sandbox-server --scenario '/little'\\''s.yaml'`,
  ])
})

test('Ctrl-C during a pull ends it with 130, a sentence and no scenario', async () => {
  const out = join(folder, 'stopped.yaml')
  const listeners = process.listenerCount('SIGINT')
  const ended = run('pull', ['--url', listening.url, '--out', out, '--rate', '0.1'])
  while (process.listenerCount('SIGINT') === listeners) await new Promise(setImmediate)
  process.emit('SIGINT')
  const { code, printed, said } = await ended
  expect([code, printed, said.split('\n').at(-1)]).toEqual([
    130,
    '',
    expect.stringMatching(/^sandbox-server: Interrupted/),
  ])
  expect([existsSync(out), process.listenerCount('SIGINT')]).toEqual([false, listeners])
})

test('the command itself handles Ctrl-C: a pull says how to continue, a recording is written completely', async () => {
  const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
  const interrupted = async (args: string[], after: string) => {
    const program = spawn(process.execPath, [cli, ...args], { env: { ...process.env, ...environment } })
    let output = ''
    const hear = (chunk: Buffer): void => {
      const had = output.includes(after)
      output += chunk.toString()
      if (!had && output.includes(after)) program.kill('SIGINT')
    }
    program.stdout.on('data', hear)
    program.stderr.on('data', hear)
    const [code] = (await once(program, 'close')) as [number]
    return [code, output.trimEnd().split('\n').at(-1)]
  }
  const out = join(folder, 'ctrl-c.yaml')
  expect(await interrupted(['pull', '--url', listening.url, '--out', out], 'account 1 of')).toEqual([
    130,
    expect.stringMatching(/^sandbox-server: Interrupted; \d+ answers are kept in .*ctrl-c\.yaml\.partial/),
  ])
  const file = join(folder, 'ctrl-c.har')
  const recorder = ['--port', '0', `--record=${file}`, '--upstream', listening.url]
  expect(await interrupted(recorder, 'Recording at')).toEqual([0, `0 calls are in ${file}.`])
})

test('a recording that exists is kept unless it is forced, and a whole address goes to the upstream alone', async () => {
  const file = join(folder, 'kept.har')
  writeFileSync(file, 'mine')
  const { code, said } = await run('record', [file, '--upstream', listening.url])
  expect([code, said]).toEqual([2, expect.stringContaining('exists; --force replaces it')])
  expect(readFileSync(file, 'utf8')).toBe('mine')
  const recording = await recordTraffic({
    upstream: listening.url,
    file,
    force: true,
    host: '127.0.0.1',
    port: 0,
    version: '1',
  })
  const { port } = new URL(recording.url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(
    'GET http://elsewhere.example/za/pb/v1/accounts HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  )
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 401 /)
  await recording.close()
  expect(readFileSync(file, 'utf8')).toContain(`${listening.url}/za/pb/v1/accounts`)
})

test.each([
  ['pull', ['--url', 'https://x.example', 'https://y.example'], undefined, 'a word that belongs to no flag'],
  ['pull', ['--url', 'https://a:b@x.example', '--out', 'x.yaml'], undefined, '--url must hold no user name'],
  [
    'record',
    ['x.har', '--upstream', 'https://x.example/?a=b'],
    undefined,
    '--upstream must hold no user name',
  ],
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
  expect(['x.yaml', 'x.yaml.partial'].filter((file) => existsSync(file))).toEqual([])
})

test('a service that cannot be reached ends with 3', async () => {
  const { code, said } = await run('compare', ['--url', 'http://127.0.0.1:1'])
  expect([code, said]).toEqual([3, expect.stringContaining('cannot be reached')])
})
