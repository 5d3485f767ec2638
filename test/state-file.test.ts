// `--state FILE`: acknowledged changes survive a kill, and the file is complete at every moment.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from '@jest/globals'
import { everyday, tokenCall } from './client.js'

const children: ChildProcess[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

interface Running {
  readonly child: ChildProcess
  readonly url: string
}

async function start(...flags: string[]): Promise<Running> {
  const stdio = ['ignore', 'pipe', 'inherit'] as ['ignore', 'pipe', 'inherit']
  const child = spawn(
    process.execPath,
    ['dist/command/cli.js', '--port', '0', '--json', '--quiet', ...flags],
    {
      stdio,
    },
  )
  children.push(child)
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { child, url: (JSON.parse(line) as { url: string }).url }
}

async function kill({ child }: Running, signal: NodeJS.Signals): Promise<void> {
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

async function signIn(url: string): Promise<Record<string, string>> {
  const { path, headers, body } = tokenCall()
  const init = { method: 'POST', headers: headers as Record<string, string>, body: body as string }
  const { access_token: token } = (await (await fetch(url + path, init)).json()) as { access_token: string }
  return { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
}

async function referencesOf(url: string, headers: Record<string, string>): Promise<Set<string>> {
  const response = await fetch(`${url}/za/pb/v1/accounts/${everyday}/transactions`, { headers })
  const { data } = (await response.json()) as { data: { transactions: { description: string }[] } }
  return new Set(data.transactions.map(({ description }) => description))
}

test('changes acknowledged more than a second before a kill survive it, and the file is complete', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'state-'))
  const file = join(folder, 'bank.json')
  let acknowledged: { reference: string; atMs: number }[] = []
  try {
    for (let round = 0; round < 3; round++) {
      const running = await start('--state', file)
      const headers = await signIn(running.url)
      let killing: Promise<number> | undefined
      let isUp = true
      const first = acknowledged.length
      for (let i = 0; (isUp as boolean) && i < 100_000; i++) {
        const reference = `r${round} ${i}`
        const payment = {
          beneficiaryId: 'MTAxODc2NTQzMjAwMDE=',
          amount: '0.01',
          myReference: reference,
          theirReference: 'x',
        }
        const body = JSON.stringify({ paymentList: [payment] })
        const url = `${running.url}/za/pb/v1/accounts/${everyday}/paymultiple`
        const paid = await fetch(url, { method: 'POST', headers, body }).catch(() => undefined)
        if (paid?.status === 200) acknowledged.push({ reference, atMs: performance.now() })
        // From time to time the file is read: it is never incomplete.
        if (i % 50 === 49) JSON.parse(await readFile(file, 'utf8'))
        // Some payments are old enough by then, some are not, and the file may be in the middle of being written.
        if (performance.now() - (acknowledged[first]?.atMs ?? Infinity) > 1400 + round * 130)
          killing ??= kill(running, 'SIGKILL').then(() => {
            isUp = false
            return performance.now()
          })
      }
      const killedMs = (await killing)!
      const again = await start('--state', file)
      const there = await referencesOf(again.url, headers)
      const due = acknowledged.filter(({ atMs }) => atMs < killedMs - 1000)
      expect(due.length).toBeGreaterThan(0)
      expect(due.filter(({ reference }) => !there.has(reference))).toEqual([])
      // Later changes may be lost or not; those in the file stay.
      acknowledged = acknowledged.filter(({ reference }) => there.has(reference))
      await kill(again, 'SIGTERM')
    }
    expect(await readdir(folder)).toEqual(['bank.json'])
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('files that a killed process left beside the state file are removed, and no others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'state-'))
  const others = [
    `bank.json.${process.pid}.tmp`,
    'bank.json.note.tmp',
    'bank.json.tmp',
    'bank_json.99999999.tmp',
  ]
  try {
    for (const name of [...others, 'bank.json.99999999.tmp']) await writeFile(join(folder, name), 'x')
    await kill(await start('--state', join(folder, 'bank.json')), 'SIGTERM')
    expect((await readdir(folder)).sort()).toEqual(['bank.json', ...others].sort())
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('after a normal end everything is stored; a file that is not a state is refused with one sentence', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'state-'))
  const file = join(folder, 'bank.json')
  try {
    const first = await start('--state', file, '--seed', '5', '--now', '2026-03-25')
    const headers = await signIn(first.url)
    const before = await (await fetch(`${first.url}/_sandbox/state`)).text()
    await kill(first, 'SIGTERM')
    const second = await start('--state', file)
    expect(await (await fetch(`${second.url}/_sandbox/state`)).text()).toBe(before)
    expect((await fetch(`${second.url}/za/pb/v1/accounts`, { headers })).status).toBe(200)
    await kill(second, 'SIGTERM')

    for (const [text, said] of [
      ['{"format":', 'is not JSON'],
      ['{}', '/format is missing'],
      [
        before.replace(/"(createdAt|savedAt|dateTime|updatedAt)":"[^"]*"/, '"$1":"March 7, 2026"'),
        'must be an instant',
      ],
      [before.replace('"version":1', '"version":7'), '/version must be 1'],
    ] as const) {
      await writeFile(file, text)
      const child = spawn(process.execPath, ['dist/command/cli.js', '--port', '0', '--state', file])
      const parts: Buffer[] = []
      child.stderr.on('data', (part: Buffer) => parts.push(part))
      const [code] = (await once(child, 'close')) as [number]
      expect(code).toBe(2)
      expect(Buffer.concat(parts).toString()).toContain(said)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})

/** Runs with a folder of its own, which is removed afterwards. */
async function inFolder(run: (folder: string, file: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'state-'))
  try {
    await run(folder, join(folder, 'bank.json'))
  } finally {
    for (const child of children.splice(0)) child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
}

/** Repeats until the condition is true; the test's own time limit ends it. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** The exit code and the errors of a bank that must not start, or that ends. */
async function ending(child: ChildProcess): Promise<{ code: number; stderr: string }> {
  const parts: Buffer[] = []
  child.stderr!.on('data', (part: Buffer) => parts.push(part))
  const [code] = (await once(child, 'close')) as [number]
  return { code, stderr: Buffer.concat(parts).toString() }
}

const command = (...flags: string[]): ChildProcess => {
  const child = spawn(process.execPath, ['dist/command/cli.js', '--port', '0', '--json', '--quiet', ...flags])
  children.push(child)
  return child
}

const namesIn = async (file: string): Promise<string[]> =>
  (JSON.parse(await readFile(file, 'utf8')) as { workspaces: { name: string }[] }).workspaces.map(
    ({ name }) => name,
  )

const json = { 'content-type': 'application/json' }

test('a new workspace is in the file at once, and is removed from it when it is deleted', () =>
  inFolder(async (_, file) => {
    const { url } = await start('--state', file)
    await fetch(`${url}/_sandbox/workspaces`, { method: 'POST', headers: json, body: '{"name":"pull-7"}' })
    await until(async () => (await namesIn(file)).includes('pull-7'))
    await fetch(`${url}/_sandbox/workspaces/pull-7`, { method: 'DELETE' })
    await until(async () => !(await namesIn(file)).includes('pull-7'))
  }))

test('the file contains the counts of the rate limit', () =>
  inFolder(async (_, file) => {
    const running = await start('--state', file, '--now', '2026-03-25')
    const headers = await signIn(running.url)
    const body = JSON.stringify({ rateLimit: { requests: 1, per: 'PT1H' } })
    await fetch(`${running.url}/_sandbox/settings`, { method: 'PATCH', headers: json, body })
    await fetch(`${running.url}/_sandbox/settings`, { method: 'PUT', headers: json, body })
    const accounts = (url: string) => fetch(`${url}/za/pb/v1/accounts`, { headers })
    await accounts(running.url)
    expect((await accounts(running.url)).status).toBe(429)
    await kill(running, 'SIGTERM')
    const again = await start('--state', file)
    expect((await accounts(again.url)).status).toBe(429)
  }))

test('a failed write is shown by health and retried, and nothing is lost', () =>
  inFolder(async (folder) => {
    const inside = join(folder, 'inside')
    await mkdir(inside)
    const file = join(inside, 'bank.json')
    const child = command('--state', file)
    const [line] = (await once(createInterface(child.stdout!), 'line')) as [string]
    const { url } = JSON.parse(line) as { url: string }
    const health = async () =>
      (await (await fetch(`${url}/_sandbox/health`)).json()) as {
        stateFile: { file: string; error: string | null }
      }
    expect((await health()).stateFile).toEqual({ file, error: null })
    await rename(inside, `${inside}-away`)
    await fetch(`${url}/_sandbox/workspaces`, { method: 'POST', headers: json, body: '{"name":"late"}' })
    await until(async () => (await health()).stateFile.error !== null)
    expect((await health()).stateFile.error).toContain('ENOENT')
    await mkdir(inside)
    await until(async () => (await health()).stateFile.error === null)
    expect(await namesIn(file)).toEqual(['default', 'late'])
    // At the end it cannot be written at all.
    await fetch(`${url}/_sandbox/workspaces`, { method: 'POST', headers: json, body: '{"name":"lost"}' })
    await rm(inside, { recursive: true })
    child.kill('SIGTERM')
    const { code, stderr } = await ending(child)
    expect(code).toBe(1)
    expect(stderr).toContain(`sandbox-server: ${file} could not be written at the end: ENOENT`)
  }))

test('a file that is deleted while the bank runs is written again', () =>
  inFolder(async (_, file) => {
    await start('--state', file)
    await rm(file)
    await until(() =>
      stat(file).then(
        () => true,
        () => false,
      ),
    )
    expect(await namesIn(file)).toEqual(['default'])
  }))

test('a second process on the same file refuses to start and names the first', () =>
  inFolder(async (folder, file) => {
    const { child } = await start('--state', file)
    const second = await ending(command('--state', file))
    expect(second.code).toBe(1)
    expect(second.stderr).toContain(`${file} is in use: process ${child.pid} on ${hostname()} holds it.`)
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
    expect(await readdir(folder)).toEqual(['bank.json'])
  }))

test.each([
  ['a process that is gone', { host: hostname(), pid: 99_999_999, started: '1' }, 0, true],
  ['a process that began at another time', { host: hostname(), pid: process.pid, started: '1' }, 0, true],
  ['another host that is silent', { host: 'elsewhere', pid: 1, started: '1' }, 11_000, true],
  ['another host that is alive', { host: 'elsewhere', pid: 1, started: '1' }, 0, false],
])('the lock of %s', (_, holder, silentMs, isStale) =>
  inFolder(async (_folder, file) => {
    await writeFile(`${file}.lock`, JSON.stringify(holder))
    const at = (await stat(`${file}.lock`)).mtimeMs - silentMs
    await utimes(`${file}.lock`, at / 1000, at / 1000)
    if (isStale) await kill(await start('--state', file), 'SIGTERM')
    else expect((await ending(command('--state', file))).stderr).toContain('process 1 on elsewhere holds it')
  }),
)

test('a symbolic link is followed and kept; only the owner can read the file', () =>
  inFolder(async (folder, file) => {
    await mkdir(join(folder, 'deep'))
    await symlink('deep/real.json', file)
    await kill(await start('--state', file), 'SIGTERM')
    expect((await lstat(file)).isSymbolicLink()).toBe(true)
    const real = join(folder, 'deep', 'real.json')
    expect(await namesIn(real)).toEqual(['default'])
    expect((await stat(real)).mode & 0o777).toBe(0o600)
    expect(await readdir(join(folder, 'deep'))).toEqual(['real.json'])
  }))

test('with --state-sync always an answered payment survives a kill at that moment', () =>
  inFolder(async (_, file) => {
    const running = await start('--state', file, '--state-sync', 'always')
    const headers = await signIn(running.url)
    const payment = {
      beneficiaryId: 'MTAxODc2NTQzMjAwMDE=',
      amount: '0.01',
      myReference: 'kept',
      theirReference: 'x',
    }
    const init = { method: 'POST', headers, body: JSON.stringify({ paymentList: [payment] }) }
    expect((await fetch(`${running.url}/za/pb/v1/accounts/${everyday}/paymultiple`, init)).status).toBe(200)
    await kill(running, 'SIGKILL')
    const again = await start('--state', file)
    expect([...(await referencesOf(again.url, headers))]).toContain('kept')
  }))

test('what a hook logs after its answer is in the file', () =>
  inFolder(async (_, file) => {
    const { url } = await start('--state', file)
    const simulationcode = `
      const beforeTransaction = async () => { setTimeout(() => console.log('late'), 700); return true }
      const afterTransaction = async () => {}`
    const response = await fetch(`${url}/za/v1/cards/700615/code/execute`, {
      method: 'POST',
      headers: { ...(await signIn(url)), ...json },
      body: JSON.stringify({ simulationcode }),
    })
    expect(response.status).toBe(200)
    await until(async () => (await readFile(file, 'utf8')).includes('"content":"late"'))
  }))
