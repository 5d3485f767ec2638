// `init`: a first test, a scenario and a script for the project in a folder. It asks nothing and overwrites nothing.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface Manifest {
  readonly type?: string
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly jest?: unknown
}

type Runner = 'jest' | 'vitest' | 'node:test'

/** How the tests of a project are run, and what its first test is written in. */
interface Project {
  readonly runner: Runner
  /** What to write: TypeScript only where something runs it, with what is installed. */
  readonly language: 'typescript' | 'module' | 'commonjs'
  /** The ending of the first test. */
  readonly ending: string
  /** The script `test`, for a project that has none. */
  readonly command: string
  /** Why a project with TypeScript gets a test in JavaScript. */
  readonly remark?: string
}

const account = '4675778129910189600000003'
const scenarioFile = 'sandbox/scenario.yaml'
const bankScript = `sandbox-server --scenario ./${scenarioFile}`

const scenario = `# yaml-language-server: $schema=../node_modules/sandbox-server/scenarios/scenario.schema.json
name: my-bank
description: The bank that the tests of this project begin with.
clock: { now: '2026-03-24T08:00:00Z' }
accounts:
  - accountId: '${account}'
    balance: 1000
`

const workflow = `name: sandbox
on: [push, pull_request]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 22 }
      - run: npm ci
      - run: npm test
`

const sandboxTest = `const account = '${account}'

test('a signed-in client sees the balance of the scenario', async () => {
  const { currentBalance } = await sandbox.client().getBalance(account)
  expect(currentBalance).toBe(1000)
})

test('the salary comes on the 25th', async () => {
  await sandbox.clock.advance('P1D')
  expect(sandbox.balance(account).currentBalance).toBeGreaterThan(50_000)
})
`

const nodeTests = `
const account = '${account}'

test('a signed-in client sees the balance of the scenario', async () => {
  const { currentBalance } = await sandbox.client().getBalance(account)
  assert.equal(currentBalance, 1000)
})

test('the salary comes on the 25th', async () => {
  await sandbox.clock.advance('P1D')
  assert.ok(sandbox.balance(account).currentBalance > 50_000)
})
`

const nodeTest = `import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { createSandbox } from 'sandbox-server'

const sandbox = await createSandbox({ scenario: './${scenarioFile}' })
beforeEach(() => sandbox.reset())
after(() => sandbox.close())
${nodeTests}`

/** Without `await` at the top level: what runs TypeScript may make CommonJS of it. */
const typedNodeTest = `import * as assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { createSandbox, type LocalSandbox } from 'sandbox-server'

let sandbox: LocalSandbox
before(async () => {
  sandbox = await createSandbox({ scenario: './${scenarioFile}' })
})
beforeEach(() => sandbox.reset())
after(() => sandbox.close())
${nodeTests}`

/** The text of the first test. */
function firstTest({ runner, language }: Project): string {
  if (runner === 'node:test') return language === 'typescript' ? typedNodeTest : nodeTest
  const use = `const sandbox = useSandbox({ scenario: './${scenarioFile}' })\n`
  if (language === 'commonjs')
    return `const { useSandbox } = require('sandbox-server/jest')\n\n${use}${sandboxTest}`
  const library = runner === 'jest' ? '@jest/globals' : 'vitest'
  const imports = `import { expect, test } from '${library}'\nimport { useSandbox } from 'sandbox-server/${runner}'\n`
  return `${imports}\n${use}${sandboxTest}`
}

function projectIn(folder: string, manifest: Manifest, stripsTypes: boolean): Project {
  const packages = { ...manifest.dependencies, ...manifest.devDependencies }
  const scripts = Object.values(manifest.scripts ?? {}).join('\n')
  const has = (...names: string[]): boolean => names.some((name) => name in packages)
  const isTyped = has('typescript') || existsSync(join(folder, 'tsconfig.json'))
  const isModule = manifest.type === 'module'
  if (has('vitest') || /\bvitest\b/.test(scripts)) {
    const command = 'vitest run'
    return isTyped
      ? { runner: 'vitest', language: 'typescript', ending: 'ts', command }
      : { runner: 'vitest', language: 'module', ending: 'js', command }
  }
  if (has('jest') || manifest.jest !== undefined || /\bjest\b/.test(scripts)) {
    const command = 'jest'
    if (isTyped && has('ts-jest', '@swc/jest', '@babel/preset-typescript'))
      return { runner: 'jest', language: 'typescript', ending: 'ts', command }
    if (isModule && scripts.includes('experimental-vm-modules'))
      return { runner: 'jest', language: 'module', ending: 'js', command }
    return { runner: 'jest', language: 'commonjs', ending: isModule ? 'cjs' : 'js', command }
  }
  return isTyped ? typedNodeProject(has, isModule, stripsTypes) : plainNodeProject
}

const plainNodeProject = {
  runner: 'node:test',
  language: 'module',
  ending: 'mjs',
  command: 'node --test',
} as const

/** A project with TypeScript and `node:test`: what runs it decides. */
function typedNodeProject(has: (name: string) => boolean, isModule: boolean, stripsTypes: boolean): Project {
  const typed = { runner: 'node:test', language: 'typescript' } as const
  if (has('tsx')) return { ...typed, ending: 'ts', command: 'node --import tsx --test test/*.test.ts' }
  // ts-node makes CommonJS of .cts, whatever tsconfig.json says; with ES modules it fails on Node 20 and newer.
  if (has('ts-node') && has('@types/node') && !isModule)
    return { ...typed, ending: 'cts', command: 'node --require ts-node/register --test test/*.test.cts' }
  if (stripsTypes) return { ...typed, ending: isModule ? 'ts' : 'mts', command: 'node --test' }
  return {
    ...plainNodeProject,
    remark:
      'The test is JavaScript, since nothing here runs TypeScript: tsx does (npm install --save-dev tsx), and Node from 22.18 on.',
  }
}

/** What `npm init` writes for a project without tests. */
const placeholder = 'echo "Error: no test specified" && exit 1'

/** Adds a script to package.json, and keeps its indentation. Returns false when the user has one of that name. */
function addScript(folder: string, manifest: Manifest, name: string, command: string): boolean {
  const { [name]: existing = placeholder } = manifest.scripts ?? {}
  if (existing !== placeholder) return false
  const file = join(folder, 'package.json')
  const text = readFileSync(file, 'utf8')
  const indent = /^[\t ]+/m.exec(text)?.[0] ?? '  '
  const parsed = JSON.parse(text) as Manifest
  const changed = { ...parsed, scripts: { ...parsed.scripts, [name]: command } }
  writeFileSync(file, JSON.stringify(changed, null, indent) + (text.endsWith('\n') ? '\n' : ''))
  return true
}

/**
 * Writes the missing files into the project of a folder, and reports each step.
 *
 * @param stripsTypes whether Node runs TypeScript by itself
 * @returns the exit code: 2 when there is no project
 */
export function init(
  folder: string,
  print: (text: string) => void,
  say: (text: string) => void,
  stripsTypes = 'typescript' in process.features && process.features.typescript !== false,
): number {
  let manifest: Manifest
  try {
    manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const why = isMissing ? 'there is none here; npm init makes one' : (error as Error).message
    say(`sandbox-server: init needs a package.json: ${why}.`)
    return 2
  }
  const project = projectIn(folder, manifest, stripsTypes)
  print(`This project tests with ${project.runner}.`)
  if (project.remark) print(project.remark)
  const write = (file: string, text: string, what: string): void => {
    if (existsSync(join(folder, file))) {
      print(`  kept   ${file}, which is there already`)
      return
    }
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
    print(`  wrote  ${file}: ${what}`)
  }
  write(scenarioFile, scenario, 'the bank that the tests begin with')
  write(`test/sandbox.test.${project.ending}`, firstTest(project), 'a first test')
  if (existsSync(join(folder, '.github/workflows')))
    write('.github/workflows/sandbox.yml', workflow, 'runs the tests')
  for (const [name, command] of [
    ['test', project.command],
    ['bank', bankScript],
  ] as const) {
    const isAdded = addScript(folder, manifest, name, command)
    const replaced =
      isAdded && manifest.scripts?.[name] !== undefined ? ", in place of npm's placeholder" : ''
    print(
      isAdded
        ? `  added  the script ${name}: ${command}${replaced}`
        : `  kept   the script ${name}, which is there already`,
    )
  }
  if (!existsSync(join(folder, 'node_modules/sandbox-server')))
    print('The package sandbox-server is not installed in this project yet.')
  print('Run the test with npm test, and the bank with npm run bank.')
  return 0
}
