// `pull`, `compare` and `record` as a shell runs them: the program that is published, against a sandbox as the service.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startSandbox, type StartedSandbox } from '../src/index.js'
import { changedService, type Change } from './changed-service.js'

const cli = fileURLToPath(new URL('../dist/command/cli.js', import.meta.url))
const fast = ['--rate', '10000']
let real: StartedSandbox
let folder: string
let environment: Record<string, string>
let flags: string[]

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'own-data-'))
  real = await startSandbox({ port: 0, now: '2026-03-25T08:00:00Z', seed: 5 })
  const { clientId, clientSecret, apiKey } = real.credentials
  environment = { BANK_CLIENT_ID: clientId, BANK_CLIENT_SECRET: clientSecret, BANK_API_KEY: apiKey }
  flags = ['--client-id', clientId, '--client-secret', clientSecret, '--api-key', apiKey]
})
afterAll(async () => {
  await real.close()
  rmSync(folder, { recursive: true })
})

const start = (args: readonly string[], env: Record<string, string> = environment) =>
  spawn(process.execPath, [cli, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

async function run(args: readonly string[], env?: Record<string, string>) {
  const child = start(args, env)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number]>,
  ])
  return { code, stdout, stderr }
}

async function withChanges<T>(
  changes: Readonly<Record<string, Change>>,
  work: (url: string, sent: readonly string[]) => Promise<T>,
): Promise<T> {
  const { url, sent, close } = await changedService(real.url, changes)
  try {
    return await work(url, sent)
  } finally {
    close()
  }
}

test('compare ends with 1 on drift, with 0 when a report of --json accepts it, and with 1 on new drift', async () => {
  const changes: Record<string, Change> = {
    'GET /za/pb/v1/accounts$': ({ body }) => (body.data.accounts[1].branch = 'Sandton 42'),
  }
  await withChanges(changes, async (url) => {
    const report = await run(['compare', '--url', url, ...fast, '--json'])
    expect([report.code, report.stderr]).toEqual([1, ''])
    const { drifts } = JSON.parse(report.stdout) as { drifts: unknown[] }
    expect(drifts).toEqual([
      {
        endpoint: 'GET /za/pb/v1/accounts',
        situation: '',
        kind: 'unknown',
        path: '/data/accounts/*/branch',
        expected: 'nothing',
        seen: '"Xxxxxxx 99"',
      },
    ])
    writeFileSync(join(folder, 'drift.json'), report.stdout)
    const accepted = await run(['compare', '--url', url, ...fast, '--accept', 'drift.json'])
    expect([accepted.code, accepted.stdout]).toEqual([
      0,
      expect.stringMatching(/^No drift in \d+ endpoints \(1 more are accepted\)\.\n$/),
    ])
    changes['GET /za/v1/cards$'] = ({ body }) => (body.extra = 'Jane')
    const table = await run(['compare', '--url', url, ...fast, '--accept', 'drift.json'])
    expect([table.code, table.stdout]).toEqual([
      1,
      expect.stringMatching(
        /^GET \/za\/v1\/cards\n {2}unknown {4}\/extra {2}expected nothing, seen "Xxxx"\n\n1 differences in \d+ endpoints \(1 more are accepted\)\.\n$/,
      ),
    ])
  })
})

test('compare ends with 3 when an endpoint keeps failing, and with 1 when there is drift besides', async () => {
  const changes: Record<string, Change> = {
    'accounts/beneficiaries$': (answer) => {
      answer.status = 500
      answer.headers['retry-after'] = '0'
    },
  }
  await withChanges(changes, async (url) => {
    const unfinished = await run(['compare', '--url', url, ...fast])
    expect([unfinished.code, unfinished.stdout]).toEqual([
      3,
      expect.stringContaining(
        'unfinished: GET /za/pb/v1/accounts/beneficiaries could not be compared: it kept answering 500.',
      ),
    ])
    changes['GET /za/v1/cards$'] = ({ body }) => (body.extra = 1)
    expect((await run(['compare', '--url', url, ...fast])).code).toBe(1)
  })
})

test.each(['documented', 'observed'] as const)(
  'a sandbox shows no drift against itself in the %s behaviour, with credentials by flags',
  async (behaviour) => {
    const same = await startSandbox({ port: 0, now: '2026-03-25T08:00:00Z', behaviour })
    try {
      const { clientId, clientSecret, apiKey } = same.credentials
      const given = ['--client-id', clientId, '--client-secret', clientSecret, '--api-key', apiKey]
      const { code, stdout, stderr } = await run(['compare', '--url', same.url, ...fast, ...given], {})
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^No drift in \d+ endpoints\.\n$/)])
      expect(stderr).not.toContain(clientSecret)
    } finally {
      await same.close()
    }
  },
)

test('a flag overrides the environment', async () => {
  const wrong = { ...environment, BANK_CLIENT_SECRET: 'wrong' }
  const refused = await run(['compare', '--url', real.url, ...fast], wrong)
  expect([refused.code, refused.stdout]).toEqual([3, ''])
  expect(refused.stderr).toContain('refused to sign in (401)')
  expect((await run(['compare', '--url', real.url, ...fast, ...flags], wrong)).code).toBe(0)
})

test('record forwards writes with --upstream-writes, says so, and masks their secrets', async () => {
  const file = join(folder, 'writes.har')
  const recording = async (more: string[], work: (url: string) => Promise<void>) => {
    const child = start(['--port', '0', `--record=${file}`, '--upstream', real.url, '--force', ...more])
    const ended = once(child, 'exit') as Promise<[number]>
    let output = ''
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      const isNew = !output.includes('\n')
      output += chunk.toString()
      const url = /Recording at (\S+):/.exec(output)?.[1]
      if (!isNew || url === undefined) continue
      await work(url)
      child.kill('SIGINT')
    }
    return { code: (await ended)[0], output }
  }
  const { clientId, clientSecret, apiKey } = real.credentials
  const statuses: number[] = []
  const secrets = [clientSecret, apiKey]
  const call = async (url: string) => {
    const signedIn = await fetch(`${url}/identity/v2/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`, 'x-api-key': apiKey },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    })
    const { access_token: token } = (await signedIn.json()) as { access_token: string }
    secrets.push(token)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const list = await fetch(`${url}/za/v1/cards`, { headers })
    const { data } = (await list.json()) as {
      data: { cards: { CardKey: string; IsProgrammable: boolean }[] }
    }
    const own = `${url}/za/v1/cards/${data.cards.find(({ IsProgrammable }) => IsProgrammable)!.CardKey}`
    const body = JSON.stringify({ code: 'const beforeTransaction = async () => false' })
    statuses.push((await fetch(`${own}/code`, { method: 'POST', headers, body })).status)
  }
  const refused = await recording([], call)
  expect([refused.code, statuses]).toEqual([0, [403]])
  expect(refused.output).toContain('GET and token requests only')
  const passed = await recording(['--upstream-writes'], call)
  expect([passed.code, statuses]).toEqual([0, [403, 200]])
  expect(passed.output).toContain(`all calls are passed on to ${real.url}`)
  const archive = readFileSync(file, 'utf8')
  expect(archive).toContain('beforeTransaction')
  expect(secrets.filter((secret) => archive.includes(secret))).toEqual([])
})

test('a disk that is full at the last write leaves no scenario, reports it, and keeps the read data', async () => {
  const full = mkdtempSync(join(folder, 'full-'))
  symlinkSync('/dev/full', join(full, '.bank.yaml.writing'))
  const args = ['pull', '--url', real.url, ...fast, '--out', join(full, 'bank.yaml')]
  const { code, stdout, stderr } = await run(args)
  expect([code, stdout]).toEqual([3, ''])
  expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
    /^sandbox-server: .*bank\.yaml cannot be written: ENOSPC.*; \d+ answers are kept in .*bank\.yaml\.partial \(real data, readable by you alone\), and the same command goes on from there\.$/,
  )
  expect(readdirSync(full)).toEqual(['bank.yaml.partial'])
  expect((await run(args)).code).toBe(0)
  expect(readdirSync(full).sort()).toEqual(['bank.data.json', 'bank.yaml'])
})
