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
let sandbox: Sandbox
let listening: Listening
let folder: string

beforeAll(async () => {
  readme = await readFile(join(root, 'README.md'), 'utf8')
  sandbox = new Sandbox({ nowMs: Date.parse('2026-03-15T08:00:00Z') })
  listening = await listen(sandbox, { host: '127.0.0.1', port: 0 })
  folder = await mkdtemp(join(tmpdir(), 'readme-'))
})

afterAll(async () => {
  await listening.close()
  await sandbox.close()
  await rm(folder, { recursive: true })
})

type Answer = { data?: Record<string, unknown>; [member: string]: unknown }

/** What the sessions of the README print, one after the other in the same shell: the JSON answers of each. */
async function runSessions(): Promise<Record<string, Answer[]>> {
  const sessions = [...readme.matchAll(/```sh session (\w+)\n([^]*?)```/g)].map(([, name, script]) => ({
    name: name!,
    script: script!,
  }))
  expect(sessions.map(({ name }) => name)).toEqual(['first', 'money', 'card', 'time'])
  expect(sessions[0]!.script).toContain('URL=http://127.0.0.1:3300\n')
  const script = sessions.map(({ name, script }) => `printf '\\n== ${name}\\n'\n${script}`).join('\n')
  const { stdout } = await run(
    'bash',
    ['-euo', 'pipefail', '-c', script.replace('http://127.0.0.1:3300', listening.url)],
    {
      cwd: folder,
      maxBuffer: 10_000_000,
    },
  )
  const parts = stdout
    .replaceAll('}{', '}\n{')
    .split(/^== (\w+)$/m)
    .slice(1)
  const answers: Record<string, Answer[]> = {}
  for (let i = 0; i < parts.length; i += 2)
    answers[parts[i]!] = parts[i + 1]!.split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Answer)
  return answers
}

test('The sessions of the README run as printed', async () => {
  const { first, money, card, time } = await runSessions()
  const [token, accounts, balance, transactions, pending, refusal] = first!
  expect(first).toHaveLength(6)
  expect(token).toMatchObject({ token_type: 'Bearer', expires_in: 1799, scope: 'accounts' })
  expect(accounts!.data!.accounts).toHaveLength(5)
  const rows = transactions!.data!.transactions as { runningBalance: number }[]
  expect(rows.length).toBeGreaterThan(500)
  expect(balance!.data!.currentBalance).toBe(rows.at(-1)!.runningBalance)
  expect(pending!.data!.transactions).not.toHaveLength(0)
  expect(refusal).toMatchObject({ status: 400, errors: [{ path: '/fromDate' }] })

  expect(money).toMatchObject([
    { data: { TransferResponses: [{ BeneficiaryName: 'From everyday' }], ErrorMessage: null } },
    { data: { accountId: '4675778129910189600000004', currentBalance: 145_688.06 } },
    { data: { TransferResponses: [{ BeneficiaryName: 'Nomsa Dlamini' }], ErrorMessage: null } },
  ])

  const [saved, published, toggled, bakery, petrol] = card!
  const { codeId } = saved!.data!.result as { codeId: string }
  expect(published!.data!.result).toMatchObject({ codeId, publishedAt: '2026-03-15T08:00:00.000Z' })
  expect(toggled).toEqual({ Enabled: true })
  expect(bakery).toMatchObject({ decision: 'approved', reason: 'approved' })
  expect(petrol).toMatchObject({ decision: 'declined', reason: 'declined-by-code' })

  expect(time).toEqual([{ now: '2026-04-15T08:00:00.000Z', frozen: true }])
})

test('The quick start in a test file runs as printed', async () => {
  const program = /```js test-file\n([^]*?)```/.exec(readme)![1]!
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: root })
  expect(stdout).toMatch(/^(#|ℹ) pass 1$/m)
})

test('The quick start in a pipeline runs as printed', async () => {
  const script = /```sh pipeline\n([^]*?)```/.exec(readme)![1]!
  const command = script.replace('npx sandbox-server', `"${process.execPath}" dist/cli.js`)
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', command], { cwd: root })
  expect(stdout).toBe('ok sandbox-client\n')
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
