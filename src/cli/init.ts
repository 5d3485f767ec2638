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

/** What is known about a project. */
interface Project {
  readonly manifest: Manifest
  readonly runner: Runner
  /** Whether its test runner supports TypeScript. */
  readonly isTyped: boolean
  /** Whether its test runner supports ES modules. */
  readonly isModule: boolean
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

const workflow = (command: string): string => `name: sandbox
on: [push, pull_request]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 22 }
      - run: npm ci
      - run: ${command}
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

const nodeTest = `import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { createSandbox } from 'sandbox-server'

const sandbox = await createSandbox({ scenario: './${scenarioFile}' })
beforeEach(() => sandbox.reset())
after(() => sandbox.close())

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

/** The first test: its path and its text. */
function firstTest({ runner, isTyped, isModule, manifest }: Project): readonly [file: string, text: string] {
  if (runner === 'node:test') return ['test/sandbox.test.mjs', nodeTest]
  const use = `const sandbox = useSandbox({ scenario: './${scenarioFile}' })\n`
  const library = runner === 'jest' ? '@jest/globals' : 'vitest'
  if (isTyped || isModule) {
    const imports = `import { expect, test } from '${library}'\nimport { useSandbox } from 'sandbox-server/${runner}'\n`
    return [`test/sandbox.test.${isTyped ? 'ts' : 'js'}`, `${imports}\n${use}${sandboxTest}`]
  }
  const requires = `const { useSandbox } = require('sandbox-server/jest')\n`
  return [
    `test/sandbox.test.${manifest.type === 'module' ? 'cjs' : 'js'}`,
    `${requires}\n${use}${sandboxTest}`,
  ]
}

function projectIn(folder: string, manifest: Manifest): Project {
  const packages = { ...manifest.dependencies, ...manifest.devDependencies }
  const scripts = Object.values(manifest.scripts ?? {}).join('\n')
  const has = (...names: string[]): boolean => names.some((name) => name in packages)
  const runner: Runner =
    has('vitest') || /\bvitest\b/.test(scripts)
      ? 'vitest'
      : has('jest') || manifest.jest !== undefined || /\bjest\b/.test(scripts)
        ? 'jest'
        : 'node:test'
  const hasTypes = has('typescript') || existsSync(join(folder, 'tsconfig.json'))
  return {
    manifest,
    runner,
    isTyped: hasTypes && (runner === 'vitest' || has('ts-jest', '@swc/jest', '@babel/preset-typescript')),
    isModule:
      runner === 'vitest' || (manifest.type === 'module' && scripts.includes('experimental-vm-modules')),
  }
}

/** The command that runs the tests, and whether `npm test` is that command already. */
function testCommand({ manifest, runner }: Project): { command: string; isThere: boolean } {
  const { test } = manifest.scripts ?? {}
  if (test !== undefined && !test.includes('no test specified')) return { command: 'npm test', isThere: true }
  const commands = { jest: 'npx jest', vitest: 'npx vitest run', 'node:test': 'node --test' }
  return { command: commands[runner], isThere: false }
}

/** Adds a script to package.json, and keeps its indentation. Returns false when there is one of that name. */
function addScript(folder: string, manifest: Manifest, name: string, command: string): boolean {
  if (manifest.scripts?.[name] !== undefined) return false
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
 * @returns the exit code: 2 when there is no project
 */
export function init(folder: string, print: (text: string) => void, say: (text: string) => void): number {
  let manifest: Manifest
  try {
    manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const why = isMissing ? 'there is none here; npm init makes one' : (error as Error).message
    say(`sandbox-server: init needs a package.json: ${why}.`)
    return 2
  }
  const project = projectIn(folder, manifest)
  const { command, isThere } = testCommand(project)
  const { runner } = project
  print(`This project tests with ${runner}.`)
  const write = ([file, text]: readonly [string, string], what: string): void => {
    if (existsSync(join(folder, file))) {
      print(`  kept   ${file}, which is there already`)
      return
    }
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
    print(`  wrote  ${file}: ${what}`)
  }
  write([scenarioFile, scenario], 'the bank that the tests begin with')
  write(firstTest(project), 'a first test')
  if (existsSync(join(folder, '.github/workflows')))
    write(['.github/workflows/sandbox.yml', workflow(command)], 'runs the tests')
  const added = addScript(folder, manifest, 'bank', bankScript)
  print(
    added ? `  added  the script bank: ${bankScript}` : '  kept   the script bank, which is there already',
  )
  if (!existsSync(join(folder, 'node_modules/sandbox-server')))
    print('The package sandbox-server is not installed in this project yet.')
  print(`Run the test with ${isThere ? 'npm test' : command}, and the bank with npm run bank.`)
  return 0
}
