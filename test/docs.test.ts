// The documents stay correct: links have targets, scenarios load, pictures and shown answers are those of a real run.

import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { shownLine } from './shown-line.js'
import { parse } from 'yaml'
import { listen } from '../src/http/server.js'
import { Sandbox } from '../src/sandbox/sandbox.js'
import { ScenarioFile } from '../src/scenario/scenario-file.js'
import { loadScenarioFile } from '../src/scenario/scenario.js'
import { card, CardHolder } from './card-holder.js'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const now = Date.parse('2026-03-25T08:00:00Z')

const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...['docs', 'docs/cookbook', 'bench'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  ),
]
const texts = new Map(pages.map((page) => [page, readFileSync(join(root, page), 'utf8')]))
const textOf = (page: string): string => texts.get(page) ?? ''

/** A page without its code, in which nothing is a link. */
const prose = (text: string): string => text.replace(/^```[^]*?^```/gm, '').replace(/`[^`\n]*`/g, '')

/** The anchors of a page's headings, as on the repository's web page. */
const anchorsOf = (text: string): Set<string> =>
  new Set(
    Array.from(text.replace(/^```[^]*?^```/gm, '').matchAll(/^#+ (.+)$/gm), ([, heading]) =>
      heading!
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )

/** Node's runner does nothing below another one. */
const outsideOfTests = { ...process.env, NODE_OPTIONS: '', NODE_TEST_CONTEXT: undefined }

const folders: string[] = []
let folder: string
let sandbox: Sandbox

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docs-'))
  folders.push(folder)
  sandbox = new Sandbox({ nowMs: now })
})

afterAll(async () => {
  await sandbox.close()
  for (const each of folders) await rm(each, { recursive: true })
})

test.each(pages)('the links of %s have targets', (page) => {
  const dead: string[] = []
  for (const [, target] of prose(textOf(page)).matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(target!)) continue
    const [path, anchor] = target!.split('#') as [string, string | undefined]
    const file = path === '' ? page : relative(root, resolve(root, dirname(page), path))
    const isThere = existsSync(join(root, file))
    const hasAnchor = anchor === undefined || !file.endsWith('.md') || anchorsOf(textOf(file)).has(anchor)
    if (!isThere || !hasAnchor) dead.push(target!)
  }
  expect(dead).toEqual([])
})

test('the index of docs/ names every page', () => {
  const index = textOf('docs/README.md')
  const missing = pages
    .filter((page) => /^docs\/[^/]+\.md$/.test(page) && page !== 'docs/README.md')
    .filter((page) => !index.includes(`](${page.slice('docs/'.length)})`))
  expect(missing).toEqual([])
})

const scenarios = Array.from(
  textOf('docs/scenarios.md').matchAll(/^```yaml scenario(?: file=\S+)?\n([^]*?)^```/gm),
  ([, text]) => text!,
)

test('every scenario that is shown loads', async () => {
  expect(scenarios.length).toBeGreaterThan(5)
  const bank = await sandbox.main.open()
  const { bank: state } = sandbox.main.state(bank)
  await writeFile(join(folder, 'my-bank.data.json'), JSON.stringify(state))
  await writeFile(join(folder, 'main.js'), 'const beforeTransaction = async () => true\n')
  for (const text of scenarios) {
    const { name } = parse(text) as { name: string }
    const file = join(folder, `${name}.yaml`)
    await writeFile(file, text)
    const scenario = await loadScenarioFile(file)
    expect(scenario.name).toBe(name)
    const started = new Sandbox({ scenario })
    await started.main.open()
    await started.close()
  }
})

test('the first scenario passes the test beside it, which runs as printed', async () => {
  const project = await mkdtemp(join(tmpdir(), 'docs-'))
  folders.push(project)
  await mkdir(join(project, 'node_modules'))
  await symlink(root, join(project, 'node_modules/sandbox-server'), 'junction')
  const files = textOf('docs/scenarios.md').matchAll(/^```\w+.* file=(\S+)\n([^]*?)^```/gm)
  for (const [, file, text] of files) await writeFile(join(project, file!), text!)
  expect(readdirSync(project).toSorted()).toEqual([
    'node_modules',
    'tight-month.test.mjs',
    'tight-month.yaml',
  ])
  const [, command, shown] =
    /^```sh example\nnpx sandbox-server (.*)\n```\n\n```text output\n([^]*?)^```/m.exec(
      textOf('docs/scenarios.md'),
    )!
  const node = (...args: string[]) => run(process.execPath, args, { cwd: project, env: outsideOfTests })
  expect((await node(join(root, 'dist/command/cli.js'), ...command!.split(' '))).stdout).toBe(shown)
  expect((await node('--test')).stdout).toMatch(/^(#|ℹ) pass 1$/m)
})

test('the scenarios that are shown use every key', () => {
  const used = new Set<string>()
  const note = (path: string, value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) note(path, each)
    else if (typeof value === 'object' && value !== null)
      for (const [key, part] of Object.entries(value)) {
        used.add(`${path}${key}`)
        note(`${path}${key}.`, part)
      }
  }
  for (const text of scenarios) note('', parse(text))
  const { properties } = ScenarioFile
  const items = (name: 'accounts' | 'beneficiaries' | 'cards' | 'timeline'): string[] =>
    Object.keys(properties[name].items.properties).map((key) => `${name}.${key}`)
  const keys = [
    ...Object.keys(properties),
    ...(['accounts', 'beneficiaries', 'cards', 'timeline'] as const).flatMap(items),
    ...Object.keys(properties.clock.properties).map((key) => `clock.${key}`),
    ...Object.keys(properties.limits.properties).map((key) => `limits.${key}`),
    ...Object.keys(properties.without.properties).map((key) => `without.${key}`),
  ]
  // `bank` is the content of a data file: too long to show.
  expect(keys.filter((key) => !used.has(key))).toEqual(['bank'])
})

/** Real milliseconds differ in every run. */
const timed = (text: string): string => text.replace(/ +[\d.]+(?: \d{3})* ms/g, ' N ms')

test('the picture of the terminal, and the log in cli.md, are those of a real run', async () => {
  const { stdout } = await run(process.execPath, ['scripts/terminal-picture.mjs', '--print'], { cwd: root })
  const lines = stdout.trimEnd().split('\n').map(timed)
  const svg = readFileSync(join(root, 'docs/pictures/terminal.svg'), 'utf8')
  const rows = new Map<string, string>()
  for (const [, y, text] of svg.matchAll(/<text [^>]*y="(\d+)"[^>]*>([^<]*)</g))
    rows.set(
      y!,
      (rows.get(y!) ?? '') + text!.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
    )
  const plain = (text: string): string => timed(text).replace(/\s+/g, ' ').trim()
  expect([...rows.values()].map(plain)).toEqual(lines.map(plain).filter((line) => line !== ''))
  const [, log] = /^```text log\n([^]*?)^```/m.exec(textOf('docs/cli.md'))!
  for (const line of log!.trimEnd().split('\n')) expect(lines).toContain(timed(line))
})

const sessions = /^```sh session\n([^]*?)^```\n\n```text output\n([^]*?)^```/gm

test('every session shows its output', () => {
  for (const [page, text] of texts)
    if (page.startsWith('docs/'))
      expect([page, text.match(/^```sh session$/gm)?.length]).toEqual([page, text.match(sessions)?.length])
})

test.each(pages.filter((page) => page.startsWith('docs/') && textOf(page).match(sessions)))(
  'the sessions of %s run as printed, and print what is shown',
  async (page) => {
    const fresh = new Sandbox({ nowMs: now })
    const server = await listen(fresh, { host: '127.0.0.1', port: 0 })
    try {
      for (const [, script, shown] of textOf(page).matchAll(sessions)) {
        const command = script!
          .replaceAll('http://127.0.0.1:3300', server.url)
          .replaceAll('npx sandbox-server', `"${process.execPath}" "${join(root, 'dist/command/cli.js')}"`)
        const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', command], { cwd: folder })
        const printed = stdout.replaceAll(server.url, 'http://127.0.0.1:3300').trimEnd().split('\n')
        const wanted = shown!.trimEnd().split('\n')
        const seen = printed.map((line, index) =>
          shownLine(wanted[index] ?? '').test(line) ? wanted[index] : line,
        )
        expect([page, seen]).toEqual([page, wanted])
      }
    } finally {
      await server.close()
      await fresh.close()
    }
  },
)

test('the programs of node-api.md run as printed', async () => {
  const [msw, app] = Array.from(
    textOf('docs/node-api.md').matchAll(/^```js file=\S+\n([^]*?)^```/gm),
    ([, program]) => program!,
  )
  const node = async (program: string): Promise<string> =>
    (await run(process.execPath, ['--input-type=module', '-e', program], { cwd: root })).stdout
  expect(await node(msw!)).toMatch(/^(#|ℹ) pass 2$/m)
  // A free port, which the program asks the system for and then calls.
  const free = app!
    .replace('3000, ', '0, ')
    .replace("'http://127.0.0.1:3000/", '`http://127.0.0.1:${server.address().port}/')
  const printed = await node(free.replace("/health')", '/health`)'))
  expect(textOf('docs/node-api.md')).toContain(`\`\`\`text output\n${printed}\`\`\``)
})

test('the argument of a hook is the one that is shown, and the table names each of its fields', async () => {
  const text = textOf('docs/cards.md')
  const [, shown] = /^```json argument\n([^]*?)^```/m.exec(text)!
  const holder = await CardHolder.of()
  await holder.publish(
    'const beforeTransaction = async (a) => { console.log(JSON.stringify(a)); return true }\nconst afterTransaction = async () => {}',
  )
  const { json } = await holder.buy({
    centsAmount: 60_000,
    merchant: { name: 'Ocean Grill', city: 'Cape Town', categoryCode: '5812' },
  })
  const [execution] = json.executions as { logs: { content: string }[] }[]
  const argument = JSON.parse(execution!.logs[0]!.content) as Record<string, unknown>
  expect(JSON.parse(shown!)).toEqual({ ...argument, reference: expect.stringMatching(/^\d{8}$/) as unknown })
  const paths = (value: unknown, before = ''): string[] =>
    Object.entries(value as object).flatMap(([key, part]) =>
      typeof part === 'object' ? paths(part, `${before}${key}.`) : [`${before}${key}`],
    )
  for (const path of paths(argument)) expect(text).toContain(`| \`${path}\` `)
  expect(card).toBe((argument.card as { id: string }).id)
})
