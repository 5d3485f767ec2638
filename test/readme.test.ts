// The README cannot rot: its session runs as printed, its tables are those of the declarations.

import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { flags } from '../src/cli-options.js'
import { Sandbox } from '../src/sandbox.js'
import { listen, type Listening } from '../src/server.js'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
let readme: string
let listening: Listening
let folder: string

beforeAll(async () => {
  readme = await readFile(join(root, 'README.md'), 'utf8')
  listening = await listen(new Sandbox({ nowMs: Date.parse('2026-03-15T08:00:00Z') }), {
    host: '127.0.0.1',
    port: 0,
  })
  folder = await mkdtemp(join(tmpdir(), 'readme-'))
})

afterAll(async () => {
  await listening.close()
  await rm(folder, { recursive: true })
})

test('The first session of the README runs as printed', async () => {
  const session = /```sh session\n([^]*?)```/.exec(readme)![1]!
  expect(session).toContain('URL=http://127.0.0.1:3300\n')
  const script = session.replace('http://127.0.0.1:3300', listening.url)
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    maxBuffer: 10_000_000,
  })
  const answers = stdout
    .replaceAll('}{', '}\n{')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { data?: Record<string, unknown>; [member: string]: unknown })
  expect(answers).toHaveLength(6)
  const [token, accounts, balance, transactions, pending, refusal] = answers
  expect(token).toMatchObject({ token_type: 'Bearer', expires_in: 1799, scope: 'accounts' })
  expect(accounts!.data!.accounts).toHaveLength(5)
  const rows = transactions!.data!.transactions as { runningBalance: number }[]
  expect(rows.length).toBeGreaterThan(500)
  expect(balance!.data!.currentBalance).toBe(rows.at(-1)!.runningBalance)
  expect(pending!.data!.transactions).not.toHaveLength(0)
  expect(refusal).toMatchObject({ status: 400, errors: [{ path: '/fromDate' }] })
})

test('The tables of endpoints are those of the declarations', async () => {
  await run(process.execPath, ['scripts/readme-endpoints.mjs', '--check'], { cwd: root })
})

test('Every flag of the command stands in the README with its environment twin', () => {
  for (const [name, flag] of Object.entries(flags)) {
    if (name === 'help' || name === 'version') continue
    expect(readme).toContain(`\`--${name}`)
    if (!('only' in flag)) expect(readme).toContain(`SANDBOX_${name.toUpperCase().replaceAll('-', '_')}`)
  }
})
