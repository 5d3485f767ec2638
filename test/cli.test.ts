import { expect, test } from '@jest/globals'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, open } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { createConnection, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const cli = fileURLToPath(new URL('../dist/command/cli.js', import.meta.url))

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

async function run(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const child = start(args, env)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ])
  return { code, stdout, stderr }
}

const start = (args: readonly string[], env: Record<string, string> = {}) =>
  spawn(process.execPath, [cli, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

async function text(stream: AsyncIterable<Buffer>): Promise<string> {
  let all = ''
  for await (const chunk of stream) all += chunk.toString()
  return all
}

const script = (source: string): string[] => [process.execPath, '-e', source]

test('exec runs a command while a bank answers, and ends with its exit code', async () => {
  const program = `fetch(process.env.SANDBOX_URL + '/_sandbox/health').then(async (response) => {
    console.log(JSON.stringify([response.status, process.env.SANDBOX_CLIENT_ID, process.env.BANK_KEY]))
    process.exit(3)
  })`
  const { code, stdout, stderr } = await run(['exec', '--env', 'BANK_KEY=apiKey', '--', ...script(program)])
  expect([code, stderr]).toEqual([3, ''])
  const { stdout: json } = await run(['env', '--format', 'json'])
  const variables = JSON.parse(json) as Record<string, string>
  expect(JSON.parse(stdout)).toEqual([200, variables.SANDBOX_CLIENT_ID, variables.SANDBOX_API_KEY])
})

test('with --tls a program that exec runs trusts the bank', async () => {
  const program = `const { existsSync } = require('node:fs')
  fetch(process.env.SANDBOX_URL + '/_sandbox/ca.pem').then(async (response) => {
    const { NODE_EXTRA_CA_CERTS: file, SANDBOX_URL: url } = process.env
    console.log(JSON.stringify([response.status, new URL(url).protocol, file, existsSync(file)]))
  })`
  const { code, stdout, stderr } = await run(['exec', '--tls', '--', ...script(program)])
  expect([code, stderr]).toEqual([0, ''])
  const [status, protocol, file, isThere] = JSON.parse(stdout) as [number, string, string, boolean]
  expect([status, protocol, isThere]).toEqual([200, 'https:', true])
  expect(existsSync(file)).toBe(false)
  const { stdout: json } = await run(['env', '--tls', '--format', 'json'])
  expect(JSON.parse(json)).toMatchObject({ SANDBOX_URL: 'https://127.0.0.1:3300' })
})

test('invalid certificate and key files give one sentence, and exit code 2', async () => {
  expect(await run(['--tls-cert', cli, '--tls-key', cli])).toEqual({
    code: 2,
    stdout: '',
    stderr: `sandbox-server: --tls-cert: ${cli} contains no certificate in PEM.\n`,
  })
  expect(await run(['--tls-cert', cli])).toEqual({
    code: 2,
    stdout: '',
    stderr: 'sandbox-server: --tls-cert needs --tls-key as well.\n',
  })
})

test('flags after -- are those of the command', async () => {
  const { code, stdout } = await run(['exec', '--', process.execPath, '--version', '--', '--port'])
  expect([code, stdout.trim()]).toEqual([0, process.version])
})

test('exec passes a signal on and waits for the command to end', async () => {
  const program = `process.on('SIGTERM', () => { console.log('tidied up'); process.exit(7) })
    console.log('up'); setInterval(() => {}, 1000)`
  const child = start(['exec', '--', ...script(program)])
  let stdout = ''
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
    if (stdout === 'up\n') child.kill('SIGTERM')
  })
  const [code] = (await once(child, 'exit')) as [number]
  expect([code, stdout]).toEqual([7, 'up\ntidied up\n'])
})

test('exec ends like a shell when a signal ends the command, or when it cannot be run', async () => {
  expect((await run(['exec', '--', ...script("process.kill(process.pid, 'SIGKILL')")])).code).toBe(137)
  const missing = await run(['exec', '--', 'no-such-command-here'])
  expect([missing.code, missing.stderr]).toEqual([
    127,
    "sandbox-server: there is no command 'no-such-command-here'.\n",
  ])
  expect((await run(['exec', '--', fileURLToPath(new URL('.', import.meta.url))])).code).toBe(126)
})

test('env prints what a bank with the same flags answers to', async () => {
  const variables = ['SANDBOX_URL', 'SANDBOX_CLIENT_ID', 'SANDBOX_CLIENT_SECRET', 'SANDBOX_API_KEY']
  const dotenv = await run(['env', '--port', '4000', '--env', 'BANK=url'])
  expect(dotenv.stdout.split('\n').map((line) => line.split('=')[0])).toEqual([...variables, 'BANK', ''])
  expect(dotenv.stdout).toContain("BANK='http://127.0.0.1:4000'")
  const shell = await run(['env', '--format', 'sh', '--host', '::1'])
  expect(shell.stdout).toContain("export SANDBOX_URL='http://[::1]:3300'\n")
  expect(Object.keys(JSON.parse((await run(['env', '--format', 'json'])).stdout) as object)).toEqual(
    variables,
  )
})

test.each([['service', '/za/pb/v1/accounts'] as const, ['control', '/_sandbox/health'] as const])(
  'openapi prints the document of the %s API',
  async (api, path) => {
    const { code, stdout } = await run(['openapi', api])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ openapi: '3.1.0', paths: { [path]: {} } })
  },
)

test('a mistake in a command line gives one sentence and exit code 2', async () => {
  const cases: [string[], string][] = [
    [['exec'], 'exec needs -- COMMAND.'],
    [['exec', '--env', 'A', '--', 'true'], '--env must be NAME=FIELD'],
    [['exec', '--env', 'A=toString', '--', 'true'], '--env must be NAME=FIELD'],
    [['env', '--format', 'xml'], "--format must be one of dotenv, sh, json, powershell, not 'xml'."],
    [['env', '--port', '0'], 'env: --port 0'],
    [['env', 'more'], "env takes no 'more'"],
    [['start', '--format', 'sh'], '--format is for env alone.'],
    [['openapi', 'all'], "openapi prints service or control, not 'all'."],
    [['toString'], "There is no command 'toString'"],
  ]
  const ended = await Promise.all(cases.map(([args]) => run(args)))
  for (const [index, { code, stderr, stdout }] of ended.entries()) {
    expect([code, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1])
    expect(stderr).toContain(cases[index]![1])
  }
})

test('a bank whose output is no longer read stays open, and two signals end it once', async () => {
  const child = start(['--port', '0', '--json'])
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const { url } = JSON.parse(line.toString()) as { url: string }
  child.stdout.destroy()
  for (let i = 0; i < 5; i++) expect((await fetch(`${url}/_sandbox/health`)).status).toBe(200)
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

test('an unknown scenario, and a port in use, give one sentence and exit code 2', async () => {
  const unknown = await run(['--scenario', 'nowhere'])
  expect(unknown).toMatchObject({ code: 2, stdout: '' })
  expect(unknown.stderr).toMatch(/^sandbox-server: There is no scenario 'nowhere'; known are: [^\n]+\.\n$/)
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const { port } = holder.address() as AddressInfo
  const inUse = await run([], { SANDBOX_PORT: String(port) })
  holder.close()
  const stderr = `sandbox-server: port ${port} is in use; choose another with --port, or 0 for a free one.\n`
  expect(inUse).toEqual({ code: 2, stdout: '', stderr })
})

// Windows keeps the id of a parent that has ended.
const testOnUnix = process.platform === 'win32' ? test.skip : test

testOnUnix('a bank that npm started ends with the shell of npm, which passes no signal on', async () => {
  // The program behind the bank keeps shells from becoming the bank, which some do for the last one.
  const command = `"${process.execPath}" "${cli}" --port 0 --json; true`
  const shell = spawn('sh', ['-c', command], {
    env: { PATH: process.env.PATH, npm_lifecycle_script: "'sandbox-server'" },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface(shell.stdout)[Symbol.asyncIterator]()
  expect(JSON.parse((await lines.next()).value)).toMatchObject({ event: 'ready' })
  shell.kill('SIGTERM')
  // The bank has the pipe open until it ends.
  expect(JSON.parse((await lines.next()).value)).toMatchObject({ event: 'stopped' })
  expect((await lines.next()).done).toBe(true)
})

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends a bank cleanly, after a ready line, one line for each request, and one at the end',
  async (signal) => {
    const child = start(['--port', '0', '--json', '--seed', '7'])
    const lines: unknown[] = []
    const reader = createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line)))
    await once(reader, 'line')
    const { url } = lines[0] as { url: string }
    const health = await (await fetch(`${url}/_sandbox/health`)).json()
    expect(health).toMatchObject({ status: 'ok', seed: 7, scenario: 'default', clock: { frozen: false } })
    child.kill(signal)
    expect(await once(child, 'close')).toEqual([0, null])
    const { event, clientId, clientSecret, apiKey } = lines[0] as Record<string, string>
    expect([event, clientId, clientSecret, apiKey]).toEqual([
      'ready',
      'sandbox-client',
      'sandbox-secret',
      'sandbox-api-key',
    ])
    expect(lines.slice(1)).toMatchObject([
      { event: 'request', method: 'GET', path: '/_sandbox/health', status: 200 },
      { event: 'stopped', state: null, workspaces: 1 },
    ])
  },
)

test('output that cannot be written ends the bank with one sentence and exit code 1', async () => {
  const full = await open('/dev/full', 'w').catch(() => undefined)
  // Only Linux has a device that is always full.
  if (!full) return
  const child = spawn(process.execPath, [cli, '--port', '0'], { stdio: ['ignore', full.fd, 'pipe'] })
  const [stderr, [code]] = await Promise.all([
    text(child.stderr!),
    once(child, 'exit') as Promise<[number | null]>,
  ])
  await full.close()
  expect(code).toBe(1)
  expect(stderr).toMatch(/^sandbox-server: the output cannot be written: ENOSPC[^\n]+\n$/)
})

test('a bank runs in a working directory that has been deleted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gone-'))
  const child = spawn(
    'sh',
    ['-c', `cd ${folder} && rmdir ${folder} && exec "$0" "$@"`, process.execPath, cli, 'env'],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  expect([stdout.includes('SANDBOX_URL'), stderr]).toEqual([true, ''])
})

test('SIGHUP lets a request in flight finish, and ends the bank with exit code 0', async () => {
  const child = start(['--port', '0', '--json'])
  const reader = createInterface(child.stdout)
  const [line] = (await once(reader, 'line')) as [string]
  const { url } = JSON.parse(line) as { url: string }
  const rule = { match: { path: '/za/pb/v1/accounts' }, delayMs: 400 }
  const headers = { 'content-type': 'application/json' }
  await fetch(`${url}/_sandbox/faults`, { method: 'POST', headers, body: JSON.stringify(rule) })
  const slow = fetch(`${url}/za/pb/v1/accounts`)
  const isStruck = async () => (await (await fetch(`${url}/_sandbox/faults`)).text()).includes('"applied":1')
  for (let i = 0; i < 1000 && !(await isStruck()); i++);
  const ended = once(child, 'exit')
  child.kill('SIGHUP')
  expect((await slow).status).toBe(401)
  expect(await ended).toEqual([0, null])
})

test('a bank that other machines can reach says so in one line, and has random credentials', async () => {
  const child = start(['--port', '0', '--json', '--host', '0.0.0.0'])
  const stderr = text(child.stderr)
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { url, clientId, clientSecret } = JSON.parse(line) as Record<string, string>
  expect([clientId, url]).toEqual(['sandbox-client', expect.stringMatching(/^http:\/\/localhost:\d+$/)])
  expect(clientSecret).toMatch(/^[0-9a-f]{32}$/)
  expect((await fetch(`${url!}/_sandbox/health`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await stderr).toMatch(/^sandbox-server: other machines can reach this bank[^\n]+--outbound[^\n]+\n$/)
  const env = await run(['env', '--host', '0.0.0.0'])
  expect(env).toMatchObject({ code: 2, stdout: '' })
  const given = ['--client-secret', 'my-secret-1', '--api-key', 'my-api-key']
  expect((await run(['env', '--host', '0.0.0.0', ...given])).stdout).toContain('my-secret-1')
})

test('a flood of sockets takes no descriptor that a feature needs', async () => {
  const limited = [
    '-c',
    'ulimit -n 96 && exec "$0" "$@"',
    process.execPath,
    cli,
    '--port',
    '0',
    '--json',
    '--quiet',
  ]
  const child = spawn('sh', limited, { stdio: ['ignore', 'pipe', 'pipe'] })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { url } = JSON.parse(line) as { url: string }
  const { hostname, port } = new URL(url)
  // One connection is opened before the flood, and requests what is loaded only then: YAML and a scenario.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = (method: string, path: string, body = '') =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': body.length }
      request({ hostname, port, method, path, headers, agent }, (response) =>
        response.resume().on('end', () => resolve(response.statusCode)),
      )
        .on('error', reject)
        .end(body)
    })
  expect(await ask('GET', '/_sandbox/health')).toBe(200)
  const sockets = Array.from({ length: 150 }, () => createConnection(Number(port), hostname))
  for (const socket of sockets) socket.on('error', () => undefined)
  await Promise.allSettled(sockets.map((socket) => once(socket, 'connect')))
  expect(await ask('POST', '/_sandbox/scenario', '{"scenario":"payday"}')).toBe(200)
  expect(await ask('GET', '/_sandbox/health')).toBe(200)
  for (const socket of sockets) socket.destroy()
  agent.destroy()
  child.kill('SIGTERM')
})

test('tail follows a bank until Ctrl-C, and prints one sentence when there is none', async () => {
  const bank = start(['--port', '0', '--json', '--now', '2026-03-25T08:00:00Z'])
  const [line] = (await once(createInterface(bank.stdout), 'line')) as [string]
  const { url } = JSON.parse(line) as { url: string }
  const tail = start(['tail'], { SANDBOX_URL: url })
  const [said] = (await once(createInterface(tail.stderr), 'line')) as [string]
  expect(said).toBe(`sandbox-server: following the workspace default of ${url}; Ctrl-C ends it.`)
  const printed = once(createInterface(tail.stdout), 'line') as Promise<[string]>
  await fetch(`${url}/za/pb/v1/accounts`)
  expect((await printed)[0]).toMatch(/^08:00:00 {2}GET {2}\/za\/pb\/v1\/accounts {2}401 {2}[\d.]+ ms$/)
  const ended = once(tail, 'exit')
  tail.kill('SIGINT')
  expect(await ended).toEqual([0, null])
  bank.kill('SIGTERM')
  await once(bank, 'exit')
  expect(await run(['tail', '--url', url])).toEqual({
    code: 1,
    stdout: '',
    stderr: `sandbox-server: No bank answers at ${url} (ECONNREFUSED): start one, or name another with --url.\n`,
  })
})

test('flags without effect are named at the start, and the end says what was stored', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kept-'))
  const file = join(folder, 'bank.json')
  const stop = async (...flags: string[]): Promise<Ended> => {
    const child = start(['--port', '0', '--quiet', ...flags])
    const [stdout, stderr] = [text(child.stdout), text(child.stderr)]
    await once(child.stdout, 'data')
    child.kill('SIGINT')
    const [code] = (await once(child, 'exit')) as [number | null]
    return { code, stdout: await stdout, stderr: await stderr }
  }
  const first = await stop('--state', file, '--seed', '2')
  expect([first.code, first.stderr]).toEqual([0, ''])
  expect(first.stdout).toMatch(/\nsandbox-server: stopped\. The bank is kept in .*bank\.json\.\n$/)
  const again = await stop('--state', file, '--seed', '3', '--now', '2026-01-01', '--verbose')
  expect(again.stderr.split('\n')).toEqual([
    `sandbox-server: --seed and --now are ignored: ${file} holds a bank that has begun. Another file, or none, begins a new one.`,
    'sandbox-server: --verbose is ignored: --quiet prints no lines.',
    '',
  ])
  expect(again.stdout).toMatch(/ seed +2\n/)
  const without = await stop('--state-sync', 'always')
  expect(without.stderr).toBe(
    'sandbox-server: --state-sync is ignored: no --state says which file to write.\n',
  )
  expect(without.stdout).toMatch(/\nsandbox-server: stopped\. Nothing is kept; --state FILE keeps[^\n]+\n$/)
})
