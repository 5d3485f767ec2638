// What the import of a large state takes: a sandbox in a container must not be killed by it.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from '@jest/globals'
import { everyday, sandboxAt } from './client.js'

const cli = 'dist/command/cli.js'
let child: ReturnType<typeof spawn> | undefined
afterEach(() => void child?.kill('SIGKILL'))

/** Megabytes: a field of the process's status. */
const memoryMb = (field: 'VmRSS' | 'VmHWM'): number =>
  Number(
    new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${child!.pid}/status`, 'utf8'))![1],
  ) / 1024

interface Document {
  workspaces: [{ bank: { books: Record<string, { entries: { day: number; description: string }[] }> } }]
}

const largeState = async (megabytes: number): Promise<Buffer> => {
  const sandbox = sandboxAt()
  const { body } = await sandbox.handle({ method: 'GET', path: '/_sandbox/state' })
  await sandbox.close()
  const document = JSON.parse(body as string) as Document
  const { entries } = document.workspaces[0].bank.books[everyday]!
  // A single character beyond Latin-1 makes a text as a whole take twice its length.
  const first = { ...entries[0]!, description: 'Bread €' }
  const many = Math.ceil((megabytes * 2 ** 20) / JSON.stringify(first).length)
  document.workspaces[0].bank.books[everyday]!.entries = Array.from({ length: many }, () => first)
  return Buffer.from(JSON.stringify(document))
}

const onLinux = existsSync('/proc/self/status') ? test : test.skip

onLinux(
  'the import of a state takes at most four times its text',
  async () => {
    const text = await largeState(48)
    const flags = ['--port', '0', '--json', '--quiet', '--now', '2026-03-25']
    child = spawn(process.execPath, [cli, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = (await once(createInterface(child.stdout!), 'line')) as [string]
    const { url } = JSON.parse(line) as { url: string }
    const put = async (body: Buffer): Promise<number> => {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
      return (await fetch(`${url}/_sandbox/state`, { method: 'PUT', headers, body: gzipSync(body) })).status
    }
    // Once with a small one: what is loaded for it stays.
    expect(await put(await largeState(0.1))).toBe(200)
    const before = memoryMb('VmRSS')
    expect(await put(text)).toBe(200)
    expect(memoryMb('VmHWM') - before).toBeLessThan((4 * text.length) / 2 ** 20)
  },
  60_000,
)
