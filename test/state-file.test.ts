// `--state FILE`: what was acknowledged is there after the process was killed, and the file is whole at every moment.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
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
  const child = spawn(process.execPath, ['dist/cli.js', '--port', '0', '--json', '--quiet', ...flags], {
    stdio,
  })
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

test('what was acknowledged more than a second before a kill is there after it, and the file is whole', async () => {
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
        // From time to time the file is read as it is: never a part of one.
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
      // What was younger may be lost or not; what is there now stays there.
      acknowledged = acknowledged.filter(({ reference }) => there.has(reference))
      await kill(again, 'SIGTERM')
    }
    expect(await readdir(folder)).toEqual(['bank.json'])
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('what a killed process left beside the file is removed, and nothing else', async () => {
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

test('after an orderly end everything is there; a file that is no state is refused in one sentence', async () => {
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
      const child = spawn(process.execPath, ['dist/cli.js', '--port', '0', '--state', file])
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
