// A guard against growing cost: it counts files, calls of functions and bytes, which are the same on every machine, however
// busy it is. Times are measured in bench/.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, expect, test } from '@jest/globals'

const root = fileURLToPath(new URL('..', import.meta.url))
const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

interface Script {
  readonly url: string
  readonly functions: readonly { readonly ranges: readonly [{ readonly count: number }] }[]
}

/** The scripts that a process has loaded, with the calls of their functions, as V8 counted them. */
function scriptsIn(folder: string): Script[] {
  return readdirSync(folder).flatMap(
    (name) => (JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: Script[] }).result,
  )
}

function coverageFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cost-'))
  folders.push(folder)
  return folder
}

test('the command loads few files until it answers', async () => {
  const folder = coverageFolder()
  const child = spawn(
    process.execPath,
    ['dist/command/cli.js', '--port', '0', '--json', '--now', '2026-03-25'],
    { cwd: root, env: { ...process.env, NODE_V8_COVERAGE: folder }, stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { url } = JSON.parse(line) as { url: string }
  expect((await fetch(`${url}/_sandbox/health`)).status).toBe(200)
  child.kill('SIGTERM')
  await once(child, 'exit')
  const files = scriptsIn(folder)
    .map((script) => script.url)
    .filter((each) => each.startsWith('file:'))
  const packages = files.filter((each) => /\/(?:vendor|node_modules)\//.test(each))
  expect(packages.map((each) => each.slice(each.lastIndexOf('/') + 1)).sort()).toEqual([
    'ipaddr.cjs',
    'ipaddr.mjs',
  ])
  expect(files.length).toBeGreaterThan(3)
  expect(files.length).toBeLessThanOrEqual(42)
})

const run = promisify(execFile)

async function cost(kind: string, count: number): Promise<{ calls: number; bytes: number }> {
  const folder = coverageFolder()
  const args = [
    '--max-semi-space-size=256',
    '--min-semi-space-size=256',
    'test/cost-of-calls.mjs',
    kind,
    String(count),
  ]
  const { stdout } = await run(process.execPath, args, {
    cwd: root,
    env: { ...process.env, NODE_V8_COVERAGE: folder },
  })
  const calls = scriptsIn(folder)
    .filter(({ url }) => url.includes('/dist/'))
    .flatMap(({ functions }) => functions.map(({ ranges }) => ranges[0].count))
    .reduce((sum, each) => sum + each, 0)
  return { calls, bytes: (JSON.parse(stdout) as { bytes: number }).bytes }
}

/**
 * Measured in November 2026: 61, 89, 107 and 218 calls; 7.2 to 8.5, 9.1 to 11.2 and 25.2 to 30.1 KB under Node 20, 22 and
 * 24. The bounds are about a tenth above.
 */
test.each([
  ['accounts', 68, 9_300],
  ['balance', 98, 12_300],
  // Its answer of 240 KB is kept, so only its calls say something.
  ['transactions', 118, Infinity],
  ['payment', 240, 33_000],
])('%s: at most %d calls of functions and %d bytes', async (kind, maxCalls, maxBytes) => {
  const [none, some] = [await cost(kind, 0), await cost(kind, 500)]
  const calls = (some.calls - none.calls) / 500
  expect(calls).toBeGreaterThan(maxCalls / 2)
  expect(calls).toBeLessThanOrEqual(maxCalls)
  expect(some.bytes).toBeLessThanOrEqual(maxBytes)
})
