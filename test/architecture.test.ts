// Holds the house together: who may import whom, one room for each vendor, time and chance in one place each.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import ts from 'typescript'

/** Rooms, and the rooms whose values and types each may import besides its own and the ground that all stand on. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  cli: ['express', 'sandbox', 'scenario', 'openapi', 'bank'],
  face: ['express', 'sandbox', 'endpoints', 'control', 'scenario', 'journal', 'bank', 'card-code'],
  express: ['sandbox', 'router', 'bank'],
  sandbox: [
    'router',
    'state',
    'validation',
    'endpoints',
    'control',
    'scenario',
    'journal',
    'faults',
    'openapi',
    'settings',
    'bank',
    'card-code',
  ],
  endpoints: ['control', 'hooks', 'bank', 'card-code'],
  control: [
    'state',
    'endpoints',
    'hooks',
    'scenario',
    'journal',
    'faults',
    'bank',
    'card-code',
    'openapi',
    'web',
    'settings',
  ],
  scenario: ['validation', 'faults', 'settings', 'bank'],
  validation: ['bank'],
  state: ['validation', 'faults', 'settings', 'bank'],
  hooks: ['router', 'settings', 'bank', 'card-code'],
  settings: ['bank'],
  router: [],
  openapi: ['bank'],
  journal: ['bank'],
  faults: ['settings', 'bank', 'card-code'],
  web: [],
  bank: [],
  'card-code': [],
  ground: [],
}

/** The room of each file at the top of src/; a folder is a room of its own name. */
const rooms: Readonly<Record<string, string>> = {
  'cli.ts': 'cli',
  'cli-options.ts': 'cli',
  'banner.ts': 'cli',
  'exec.ts': 'cli',
  'handover.ts': 'cli',
  'index.ts': 'face',
  'express-router.ts': 'face',
  'control-face.ts': 'face',
  'matchers.ts': 'face',
  'test-sandbox.ts': 'face',
  'vitest-module.d.ts': 'face',
  'jest.ts': 'face',
  'vitest.ts': 'face',
  'msw.ts': 'face',
  'local-sandbox.ts': 'face',
  'options.ts': 'face',
  'fetch.ts': 'face',
  'express.ts': 'express',
  'server.ts': 'express',
  'sandbox.ts': 'sandbox',
  'authenticate.ts': 'sandbox',
  'read-call.ts': 'sandbox',
  'respond.ts': 'sandbox',
  'workspace.ts': 'sandbox',
  'workspace-state.ts': 'state',
  'state-file.ts': 'sandbox',
  'router.ts': 'router',
  'validation.ts': 'validation',
  'openapi.ts': 'openapi',
  'examples.ts': 'openapi',
  'journal.ts': 'journal',
  'call-record.ts': 'journal',
  'har.ts': 'journal',
  'events.ts': 'journal',
  'faults.ts': 'faults',
  'rate-limit.ts': 'faults',
  'outbound-stubs.ts': 'faults',
  'glob.ts': 'ground',
  'basic-credentials.ts': 'ground',
  'redaction.ts': 'ground',
  'hooks.ts': 'hooks',
  'own-address.ts': 'hooks',
  'settings.ts': 'settings',
  'card-settings.ts': 'settings',
  'endpoint.ts': 'ground',
  'problem.ts': 'ground',
  'schema.ts': 'ground',
  'version.ts': 'ground',
}

/** Declarations, their handlers and their examples speak of the sandbox that they are given, in types alone. */
const upward = /^(endpoint\.ts$|examples\.ts$|own-address\.ts$|endpoints\/|control\/)/

/** What may be named in a few files alone. */
const reserved: readonly (readonly [name: RegExp, where: RegExp])[] = [
  [/^process\.(argv|env)$/, /^cli\.ts$/],
  [/^(Date\.now|new Date\(\)|Date\(\))$/, /^bank\/clock\.ts$/],
  [/^(performance\.now|process\.hrtime|process\.uptime)$/, /^bank\/clock\.ts$/],
  [
    /^(Math\.random|.*\.randomUUID|randomUUID|.*\.randomBytes|randomBytes|.*\.getRandomValues)$/,
    /^bank\/random\.ts$/,
  ],
]

/** The runner measures the windows of a hook and the turns of the machine; it knows nothing of the bank's clock. */
const measuring = /^card-code\/(agenda|execution|outbound|turns)\.ts$/

/** The world that card code sees has a Date, a Math.random and a process of its own, all defined there. */
const guest = 'card-code/guest/'

/** Loaded when they are first needed, never at the start. */
const loadedLater = [
  'ajv',
  'pdfkit',
  '@faker-js/faker',
  'node-fetch',
  'acorn',
  'quickjs-emscripten-core',
  'msw',
  'yaml',
]

interface Import {
  readonly from: string
  /** A path below src/ or the name of a package. */
  readonly to: string
  readonly typeOnly: boolean
  readonly later: boolean
}

type Sources = ReadonlyMap<string, string>

/** All faults of a set of sources, by path below src/. */
function faultsOf(sources: Sources): string[] {
  const files = [...sources].map(([path, text]) => ({
    path,
    tree: treeOf(path, text),
  }))
  const imports = files.flatMap(({ path, tree }) => importsOf(path, tree))
  return [
    ...files.flatMap(({ path }) => nameFaults(path)),
    ...files.flatMap(({ path, tree }) => reservedFaults(path, tree)),
    ...imports.flatMap((each) => directionFaults(each)),
    ...vendorFaults(imports),
    ...cycleFaults(imports),
    ...startFaults(imports),
  ]
}

const trees = new Map<string, ts.SourceFile>()

/** Each text is parsed once, however many sets of sources it is in. */
function treeOf(path: string, text: string): ts.SourceFile {
  let tree = trees.get(text)
  if (!tree) trees.set(text, (tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)))
  return tree
}

function importsOf(path: string, tree: ts.SourceFile): Import[] {
  const found: Import[] = []
  const add = (name: string, typeOnly: boolean, later: boolean) => {
    const to = name.startsWith('.') ? join(dirname(path), name).replace(/\.js$/, '.ts') : packageOf(name)
    found.push({ from: path, to, typeOnly, later })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier))
      add(node.moduleSpecifier.text, isTypeOnly(node.importClause), false)
    if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
      const named =
        node.exportClause && ts.isNamedExports(node.exportClause) ? node.exportClause.elements : []
      add(
        node.moduleSpecifier.text,
        node.isTypeOnly || (named.length > 0 && named.every((each) => each.isTypeOnly)),
        false,
      )
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [name] = node.arguments
      if (name && ts.isStringLiteral(name)) add(name.text, false, true)
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true
  const { name, namedBindings } = clause
  return (
    !name &&
    !!namedBindings &&
    ts.isNamedImports(namedBindings) &&
    namedBindings.elements.every((each) => each.isTypeOnly)
  )
}

const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')

const roomOf = (path: string): string | undefined =>
  path.includes('/') ? path.slice(0, path.indexOf('/')) : rooms[path]

function nameFaults(path: string): string[] {
  const faults: string[] = []
  const room = roomOf(path)
  if (room === undefined || !Object.hasOwn(mayImport, room)) faults.push(`${path} is in no room`)
  for (const part of path.replace(/(\.d)?\.ts$/, '').split('/')) {
    if (/^(utils?|helpers?|common|shared|misc|types|constants)$/.test(part))
      faults.push(`${path}: ${part} is no room`)
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(part)) faults.push(`${path} is not in kebab-case`)
  }
  return faults
}

function reservedFaults(path: string, tree: ts.SourceFile): string[] {
  if (path.startsWith(guest)) return []
  const faults: string[] = []
  const visit = (node: ts.Node): void => {
    let name = ''
    if (ts.isPropertyAccessExpression(node)) name = node.getText(tree).replace(/^globalThis\./, '')
    else if (ts.isNewExpression(node) && !node.arguments?.length)
      name = `new ${node.expression.getText(tree)}()`
    else if (ts.isCallExpression(node)) name = `${node.expression.getText(tree)}()`
    else if (ts.isImportSpecifier(node)) name = (node.propertyName ?? node.name).text
    else if (ts.isBindingElement(node)) {
      const source = node.parent.parent
      if (ts.isVariableDeclaration(source) && source.initializer)
        name = `${source.initializer.getText(tree)}.${(node.propertyName ?? node.name).getText(tree)}`
    }
    for (const [forbidden, where] of reserved)
      if (forbidden.test(name) && !where.test(path) && !(name === 'performance.now' && measuring.test(path)))
        faults.push(`${path} names ${name}`)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return faults
}

function directionFaults({ from, to, typeOnly }: Import): string[] {
  if (!to.endsWith('.ts')) return []
  const source = roomOf(from)
  const target = roomOf(to)
  if (source === undefined || target === undefined || source === target || target === 'ground') return []
  if (typeOnly && upward.test(from)) return []
  return mayImport[source]?.includes(target) ? [] : [`${from} (${source}) imports ${to} (${target})`]
}

function vendorFaults(imports: readonly Import[]): string[] {
  const roomsOf = new Map<string, Set<string>>()
  for (const { from, to } of imports) {
    if (to.endsWith('.ts') || to.startsWith('node:')) continue
    roomsOf.set(to, (roomsOf.get(to) ?? new Set()).add(roomOf(from) ?? from))
  }
  return [...roomsOf]
    .filter(([, at]) => at.size > 1)
    .map(([vendor, at]) => `${vendor} is imported in ${[...at].sort().join(' and ')}`)
}

/** Cycles of what is loaded at the same time; a type is loaded never and an `import()` later. */
function cycleFaults(imports: readonly Import[]): string[] {
  const next = graphOf(imports)
  const state = new Map<string, 'open' | 'done'>()
  const faults: string[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    if (state.get(path) === 'done') return
    if (state.get(path) === 'open') {
      faults.push(`cycle: ${[...trail.slice(trail.indexOf(path)), path].join(' → ')}`)
      return
    }
    state.set(path, 'open')
    for (const each of next.get(path) ?? []) visit(each, [...trail, path])
    state.set(path, 'done')
  }
  for (const path of next.keys()) visit(path, [])
  return faults
}

function startFaults(imports: readonly Import[]): string[] {
  const next = graphOf(imports)
  const seen = new Set(['cli.ts', 'index.ts'])
  for (const path of seen) for (const each of next.get(path) ?? []) seen.add(each)
  return loadedLater.filter((vendor) => seen.has(vendor)).map((vendor) => `${vendor} is loaded at the start`)
}

function graphOf(imports: readonly Import[]): Map<string, string[]> {
  const next = new Map<string, string[]>()
  for (const { from, to, typeOnly, later } of imports)
    if (!typeOnly && !later) next.set(from, [...(next.get(from) ?? []), to])
  return next
}

function sourcesOfSrc(): Map<string, string> {
  const src = fileURLToPath(new URL('../src', import.meta.url))
  const paths = readdirSync(src, { recursive: true, encoding: 'utf8' }).map((path) =>
    path.replaceAll('\\', '/'),
  )
  return new Map(
    paths
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
      .map((path) => [path, readFileSync(join(src, path), 'utf8')]),
  )
}

test('src/ keeps to the rules of the house', () => {
  const sources = sourcesOfSrc()
  expect(sources.size).toBeGreaterThan(50)
  expect(faultsOf(sources)).toEqual([])
})

test.each([
  [
    'bank/ledger.ts',
    "import { journal } from '../journal.js'",
    'bank/ledger.ts (bank) imports journal.ts (journal)',
  ],
  ['bank/ledger.ts', "import type { Call } from '../card-code/job.js'", 'imports card-code/job.ts'],
  ['card-code/job.ts', "export { Bank } from '../bank/bank.js'", 'imports bank/bank.ts'],
  ['scenario/world.ts', "import type { Sandbox } from '../sandbox.js'", 'imports sandbox.ts'],
  ['scenario/world.ts', "const late = import('../express.js')", 'imports express.ts'],
  ['endpoint.ts', "import { Bank } from './bank/bank.js'", 'imports bank/bank.ts'],
  ['express.ts', "import { banner } from './banner.js'", 'imports banner.ts'],
  ['sandbox.ts', "import express from 'express'", 'express is imported in express and sandbox'],
  ['sandbox.ts', "import { Ajv } from 'ajv'", 'ajv is loaded at the start'],
  ['bank/log.ts', "import { Bank } from './bank.js'", 'cycle: '],
  ['bank/log.ts', 'export const now = Date.now()', 'bank/log.ts names Date.now'],
  ['bank/log.ts', 'export const now = globalThis.Date.now()', 'bank/log.ts names Date.now'],
  ['bank/log.ts', 'const { now } = Date', 'bank/log.ts names Date.now'],
  ['bank/log.ts', 'export const now = new Date()', 'bank/log.ts names new Date()'],
  ['bank/log.ts', 'export const now = performance.now', 'bank/log.ts names performance.now'],
  ['card-code/pool.ts', 'export const id = Math.random()', 'card-code/pool.ts names Math.random'],
  ['card-code/worker.ts', 'export const at = Date.now()', 'card-code/worker.ts names Date.now'],
  ['journal.ts', "import { randomUUID } from 'node:crypto'", 'journal.ts names randomUUID'],
  ['journal.ts', 'export const id = crypto.randomUUID()', 'journal.ts names crypto.randomUUID'],
  ['options.ts', 'export const key = process.env.KEY', 'options.ts names process.env'],
  ['options.ts', 'const { argv } = process', 'options.ts names process.argv'],
  ['bank/utils.ts', '', 'bank/utils.ts: utils is no room'],
  ['helpers/day.ts', '', 'helpers/day.ts is in no room'],
  ['BankBook.ts', '', 'BankBook.ts is not in kebab-case'],
  ['bank-book.ts', '', 'bank-book.ts is in no room'],
])('%s with %p would be seen', (path, text, fault) => {
  const sources = sourcesOfSrc()
  sources.set(path, `${sources.get(path) ?? ''}\n${text}\n`)
  expect(faultsOf(sources).join('\n')).toContain(fault)
})

test('what the house allows is no fault', () => {
  const sources = sourcesOfSrc()
  sources.set(
    'endpoint.ts',
    `${sources.get('endpoint.ts')!}\nimport type { Card } from './card-code/job.js'\n`,
  )
  sources.set(
    'bank/cards.ts',
    "import { Problem } from '../problem.js'\nexport const at = (ms: number) => new Date(ms)",
  )
  sources.set(
    'endpoints/card-code.ts',
    "import { run } from '../card-code/runner.js'\nimport { Bank } from '../bank/bank.js'",
  )
  expect(faultsOf(sources)).toEqual([])
})
