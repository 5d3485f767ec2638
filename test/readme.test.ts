// The README stays correct: its session runs as printed, its tables match the declarations.

import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { shownLine } from './shown-line.js'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { LocalSandbox } from '../src/node-api/local-sandbox.js'
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
  sandbox = new Sandbox({ nowMs: Date.parse('2026-03-25T08:00:00Z') })
  listening = await listen(sandbox, { host: '127.0.0.1', port: 0 })
  folder = await mkdtemp(join(tmpdir(), 'readme-'))
})

afterAll(async () => {
  await listening.close()
  await sandbox.close()
  await rm(folder, { recursive: true })
})

/** The blocks of one kind by name, in the order of the README. */
const blocksOf = (kind: string): Map<string, string> =>
  new Map(
    [...readme.matchAll(new RegExp(`\`\`\`${kind} (\\w+)\\n([^]*?)\`\`\``, 'g'))].map((each) => [
      each[1]!,
      each[2]!,
    ]),
  )

test('The sessions of the README run as printed, with the shown output', async () => {
  const sessions = blocksOf('sh session')
  const outputs = blocksOf('text output')
  expect([...sessions.keys()]).toEqual(['first', 'money', 'connection', 'card', 'time'])
  expect([...outputs.keys()]).toEqual([...sessions.keys()])
  expect(sessions.get('first')).toContain('URL=http://127.0.0.1:3300\n')
  const script = [...sessions].map(([name, text]) => `printf '== ${name}\\n'\n${text}`).join('\n')
  const { stdout } = await run(
    'bash',
    ['-uo', 'pipefail', '-c', script.replace('http://127.0.0.1:3300', listening.url)],
    { cwd: folder, maxBuffer: 10_000_000 },
  )
  const [, ...parts] = stdout.split(/^== (\w+)$/m)
  for (const [name, shown] of outputs) {
    const printed = parts[parts.indexOf(name) + 1]!.split('\n').filter((line) => line !== '')
    const wanted = shown.trimEnd().split('\n')
    expect([name, printed.length]).toEqual([name, wanted.length])
    wanted.forEach((line, index) => expect(printed[index]).toMatch(shownLine(line)))
  }
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

test('The tables of docs/ match the declarations', async () => {
  await run(process.execPath, ['scripts/docs.mjs', '--check'], { cwd: root })
})

test('The README has at most 180 lines', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(180)
})

test('The shown fault is accepted', async () => {
  const page = await readFile(join(root, 'docs/faults.md'), 'utf8')
  const fault = /```json fault\n([^]*?)```/.exec(page)![1]!
  const fresh = new Sandbox()
  const headers = { 'content-type': 'application/json' }
  const { status } = await fresh.handle({ method: 'POST', path: '/_sandbox/faults', headers, body: fault })
  expect(status).toBe(200)
})

/** The rows of the table of methods: the code in each of the first two cells. */
async function methodRows(): Promise<[string[], string[]][]> {
  const text = await readFile(join(root, 'docs/node-api.md'), 'utf8')
  return /<!-- methods -->([^]*?)<!-- \/methods -->/
    .exec(text)![1]!
    .trim()
    .split('\n')
    .slice(2)
    .map((row) => {
      const [, first, second] = row
        .split('|')
        .map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map((each) => each[1]!))
      return [first!, second!]
    })
}

test('The table of methods names the path of each', async () => {
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
  const rows = await methodRows()
  expect(rows.length).toBeGreaterThan(10)
  for (const [methods, [path]] of rows)
    for (const method of methods) {
      const wanted = path === 'DELETE' ? `DELETE ${method.replace('.clear', '').replaceAll('.', '/')}` : path!
      expect(await ask(method)).toBe(wanted.replace(' ', ' /_sandbox/').replace(/\{\w+\}/g, 'x'))
    }
})
