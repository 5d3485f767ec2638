// The README cannot rot: its session runs as printed, its tables are those of the declarations.

import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { commands } from '../src/cli/options.js'
import { LocalSandbox } from '../src/node-api/local-sandbox.js'
import { optionTable, type OptionRow } from '../src/node-api/options.js'
import { Sandbox } from '../src/sandbox/sandbox.js'
import { listen, type Listening } from '../src/http/server.js'

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
  expect(toggled).toMatchObject({ Enabled: true, data: { result: { Enabled: true } } })
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
  const command = script.replace('npx sandbox-server', `"${process.execPath}" dist/command/cli.js`)
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', command], { cwd: root })
  expect(stdout).toBe('ok sandbox-client\n')
})

test('The tables of endpoints are those of the declarations', async () => {
  await run(process.execPath, ['scripts/readme-endpoints.mjs', '--check'], { cwd: root })
})

test('The table of differences between the behaviours is that of the declarations', async () => {
  await run(process.execPath, ['scripts/fidelity.mjs', '--check'], { cwd: root })
})

/** The rows of a table between two markers of the README: the code in each of the first two cells. */
const rowsOf = (name: string): [string[], string[]][] =>
  new RegExp(`<!-- ${name} -->([^]*?)<!-- /${name} -->`)
    .exec(readme)![1]!
    .trim()
    .split('\n')
    .slice(2)
    .map((row) => {
      const [, first, second] = row
        .split('|')
        .map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map((each) => each[1]!))
      return [first!, second!]
    })

test('The table of settings has every setting with its default', async () => {
  const fresh = new Sandbox()
  const { body } = await fresh.handle({ method: 'GET', path: '/_sandbox/settings' })
  const defaults: [string, unknown][] = []
  for (const [name, value] of Object.entries(JSON.parse(String(body)) as Record<string, unknown>))
    if (name === 'hooks')
      for (const [hook, decision] of Object.entries(value as object))
        defaults.push([`hooks.${hook}`, decision])
    else defaults.push([name, value])
  expect(rowsOf('settings').map(([[name], [value]]) => [name, JSON.parse(value!)])).toEqual(defaults)
})

test('The table of methods says which path each asks', async () => {
  let asked = ''
  const probe = {
    handle: ({ method, path }: { method: string; path: string }) => {
      asked = `${method} ${path}`
      return Promise.resolve({ status: 200, headers: {}, body: '{}' })
    },
  }
  const bank = new LocalSandbox(probe as unknown as Sandbox)
  const ask = async (name: string): Promise<string> => {
    let member: unknown = bank
    for (const part of name.split('.')) member = (member as Record<string, unknown>)[part]
    await (member as (...values: string[]) => Promise<unknown>)('x', 'x')
    return asked
  }
  expect(rowsOf('methods').length).toBeGreaterThan(10)
  for (const [methods, [path]] of rowsOf('methods'))
    for (const method of methods) {
      const wanted = path === 'DELETE' ? `DELETE ${method.replace('.clear', '').replaceAll('.', '/')}` : path!
      expect(await ask(method)).toBe(wanted.replace(' ', ' /_sandbox/').replace(/\{\w+\}/g, 'x'))
    }
})

test('Every command stands in the README', () => {
  for (const name of Object.keys(commands))
    expect(readme).toMatch(new RegExp(`\\| \`sandbox-server \\[?${name}`))
})

test('Every flag of the command stands in the README with its environment twin', () => {
  for (const [name, { flag, where }] of Object.entries(optionTable) as [string, OptionRow][]) {
    if (flag === undefined || name === 'help' || name === 'version') continue
    expect(readme).toContain(`\`--${flag}`)
    if (where.includes('start'))
      expect(readme).toContain(`SANDBOX_${flag.toUpperCase().replaceAll('-', '_')}`)
  }
})
