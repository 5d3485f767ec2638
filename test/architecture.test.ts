// The structure of src/: which room may import which, one room for each vendor, time and chance in one place each.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import ts from 'typescript'

/** The rooms of src/. A room imports only rooms before it, types included. There are no exemptions. */
const rooms = [
  'determinism',
  'protocol',
  'bank',
  'card-code',
  'settings',
  'faults',
  'journal',
  'household',
  'scenario',
  'workspace',
  'endpoint',
  'hooks',
  'service',
  'control',
  'sandbox',
  'store',
  'page',
  'http',
  'node-api',
  'card-loop',
  'testing',
  'real-data',
  'team',
  'cli',
]

/** Rooms that never import each other, although one comes before the other. */
const strangers: readonly (readonly [string, string])[] = [
  ['bank', 'card-code'],
  ['service', 'control'],
]

/** Rooms within card-code/ that meet only in the files of card-code/ itself. */
const cardCodeParts = ['card-code/host', 'card-code/worker', 'card-code/guest']

/** The files of src/ itself: what package.json exports, and the command. They may import any room. */
const entries = ['index.ts', 'cli.ts', 'express.ts', 'msw.ts', 'jest.ts', 'vitest.ts', 'card.ts']

/** What may be named in a few files alone. */
const reserved: readonly (readonly [name: RegExp, where: RegExp])[] = [
  [/^process\.(argv|env)$/, /^cli\.ts$/],
  [/^(Date\.now|new Date\(\)|Date\(\))$/, /^determinism\/clock\.ts$/],
  [/^(performance\.now|process\.hrtime|process\.uptime)$/, /^determinism\/clock\.ts$/],
  [
    /^(Math\.random|.*\.randomUUID|randomUUID|.*\.randomBytes|randomBytes|.*\.getRandomValues)$/,
    /^determinism\/random\.ts$/,
  ],
]

/** The runner measures the windows of hooks and their permits; it knows nothing of the bank's clock. */
const measuring =
  /^card-code\/(cpu-permit|host\/outbound|worker\/event-queue|worker\/execution|worker\/run-window)\.ts$/

/** The guest has its own Date, Math.random and process, all defined there. */
const guest = 'card-code/guest/'

/** Loaded when they are first needed, never at the start. */
const loadedLater = ['ajv', 'pdfkit', '@faker-js/faker', 'acorn', 'quickjs-emscripten-core', 'msw', 'yaml']

interface Import {
  readonly from: string
  /** A path below src/ or the name of a package. */
  readonly to: string
  readonly typeOnly: boolean
  readonly later: boolean
}

type Sources = ReadonlyMap<string, string>

/** All faults of a set of sources, by path below src/. */
function errorsOf(sources: Sources): string[] {
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

const src = fileURLToPath(new URL('../src', import.meta.url))

const trees = new Map<string, ts.SourceFile>()

/** Each text is parsed once, however many sets of sources it is in. */
function treeOf(path: string, text: string): ts.SourceFile {
  let tree = trees.get(text)
  if (!tree) trees.set(text, (tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)))
  return tree
}

/** The source of a compiled file: the page has components (`.tsx`) beside modules. */
const sourceAt = (compiled: string): string => {
  const stem = compiled.replace(/\.js$/, '')
  return existsSync(join(src, `${stem}.tsx`)) ? `${stem}.tsx` : `${stem}.ts`
}

const isSource = (path: string): boolean => /\.tsx?$/.test(path)

function importsOf(path: string, tree: ts.SourceFile): Import[] {
  const found: Import[] = []
  const add = (name: string, typeOnly: boolean, later: boolean) => {
    const to = name.startsWith('.') ? sourceAt(join(dirname(path), name)) : packageOf(name)
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

const roomOf = (path: string): string =>
  path.includes('/') ? path.slice(0, path.indexOf('/')) : entries.includes(path) ? 'entry' : path

function nameFaults(path: string): string[] {
  const faults: string[] = []
  const room = roomOf(path)
  if (room !== 'entry' && !rooms.includes(room)) faults.push(`${path} is in no room`)
  for (const part of path.replace(/(\.d)?\.tsx?$/, '').split('/')) {
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

function directionFaults({ from, to }: Import): string[] {
  if (!isSource(to)) return []
  const source = roomOf(from)
  const target = roomOf(to)
  const fault = `${from} (${source}) imports ${to} (${target})`
  if (source === target) return partFaults(from, to) ? [fault] : []
  if (source === 'entry') return []
  const isBackward = rooms.indexOf(target) >= rooms.indexOf(source) || !rooms.includes(target)
  const areStrangers = strangers.some((pair) => pair.includes(source) && pair.includes(target))
  return isBackward || areStrangers ? [fault] : []
}

/** Whether an import inside card-code/ leads from one of its parts to another. */
function partFaults(from: string, to: string): boolean {
  const partOf = (path: string): string | undefined =>
    cardCodeParts.find((part) => path.startsWith(`${part}/`))
  const source = partOf(from)
  const target = partOf(to)
  return target !== undefined && source !== target
}

function vendorFaults(imports: readonly Import[]): string[] {
  const roomsOf = new Map<string, Set<string>>()
  for (const { from, to } of imports) {
    if (isSource(to) || to.startsWith('node:')) continue
    roomsOf.set(to, (roomsOf.get(to) ?? new Set()).add(roomOf(from)))
  }
  return [...roomsOf]
    .filter(([, at]) => at.size > 1)
    .map(([vendor, at]) => `${vendor} is imported in ${[...at].sort().join(' and ')}`)
}

/** Cycles of imports, those of types and `import()` included. */
function cycleFaults(imports: readonly Import[]): string[] {
  const next = new Map<string, string[]>()
  for (const { from, to } of imports) if (isSource(to)) next.set(from, [...(next.get(from) ?? []), to])
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
  // The command loads cli/run.ts at once, but after it has switched the cache of compiled code on.
  const seen = new Set(['cli.ts', 'cli/run.ts', 'index.ts'])
  for (const path of seen) for (const each of next.get(path) ?? []) seen.add(each)
  return loadedLater.filter((vendor) => seen.has(vendor)).map((vendor) => `${vendor} is loaded at the start`)
}

/** What is loaded together with a module: a type is never loaded, and an `import()` later. */
function graphOf(imports: readonly Import[]): Map<string, string[]> {
  const next = new Map<string, string[]>()
  for (const { from, to, typeOnly, later } of imports)
    if (!typeOnly && !later) next.set(from, [...(next.get(from) ?? []), to])
  return next
}

function sourcesOfSrc(): Map<string, string> {
  const paths = readdirSync(src, { recursive: true, encoding: 'utf8' }).map((path) =>
    path.replaceAll('\\', '/'),
  )
  return new Map(
    paths
      .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.test.ts'))
      .map((path) => [path, readFileSync(join(src, path), 'utf8')]),
  )
}

test('src/ keeps to the rules of the house', () => {
  const sources = sourcesOfSrc()
  expect(sources.size).toBeGreaterThan(50)
  expect(errorsOf(sources)).toEqual([])
})

test.each([
  [
    'bank/ledger/ledger.ts',
    "import { journal } from '../../journal/journal.js'",
    'imports journal/journal.ts (journal)',
  ],
  ['bank/bank.ts', "import type { Call } from '../card-code/host/job.js'", 'imports card-code/host/job.ts'],
  ['card-code/host/job.ts', "export { Bank } from '../../bank/bank.js'", 'imports bank/bank.ts'],
  [
    'card-code/host/job.ts',
    "import type { X } from '../worker/execution.js'",
    'imports card-code/worker/execution.ts',
  ],
  [
    'household/history.ts',
    "import type { Sandbox } from '../sandbox/sandbox.js'",
    'imports sandbox/sandbox.ts',
  ],
  ['control/clock.ts', "import { service } from '../service/index.js'", 'imports service/index.ts'],
  [
    'endpoint/endpoint.ts',
    "import type { Sandbox } from '../sandbox/sandbox.js'",
    'imports sandbox/sandbox.ts',
  ],
  ['http/app.ts', "import { banner } from '../cli/banner.js'", 'imports cli/banner.ts'],
  ['http/app.ts', "import { version } from '../index.js'", 'imports index.ts (entry)'],
  ['sandbox/sandbox.ts', "import express from 'express'", 'express is imported in http and sandbox'],
  ['sandbox/sandbox.ts', "import { Ajv } from 'ajv'", 'ajv is loaded at the start'],
  ['bank/ledger/log.ts', "import { Bank } from '../bank.js'", 'cycle: '],
  ['bank/ledger/log.ts', "import type { Bank } from '../bank.js'", 'cycle: '],
  ['bank/ledger/log.ts', 'export const now = Date.now()', 'bank/ledger/log.ts names Date.now'],
  ['bank/ledger/log.ts', 'export const now = globalThis.Date.now()', 'bank/ledger/log.ts names Date.now'],
  ['bank/ledger/log.ts', 'const { now } = Date', 'bank/ledger/log.ts names Date.now'],
  ['bank/ledger/log.ts', 'export const now = new Date()', 'bank/ledger/log.ts names new Date()'],
  ['bank/ledger/log.ts', 'export const now = performance.now', 'bank/ledger/log.ts names performance.now'],
  ['card-code/host/pool.ts', 'export const id = Math.random()', 'card-code/host/pool.ts names Math.random'],
  ['card-code/worker/worker.ts', 'export const at = Date.now()', 'card-code/worker/worker.ts names Date.now'],
  ['journal/journal.ts', "import { randomUUID } from 'node:crypto'", 'journal/journal.ts names randomUUID'],
  [
    'journal/journal.ts',
    'export const id = crypto.randomUUID()',
    'journal/journal.ts names crypto.randomUUID',
  ],
  ['node-api/options.ts', 'export const key = process.env.KEY', 'node-api/options.ts names process.env'],
  ['node-api/options.ts', 'const { argv } = process', 'node-api/options.ts names process.argv'],
  ['bank/utils.ts', '', 'bank/utils.ts: utils is no room'],
  ['helpers/day.ts', '', 'helpers/day.ts is in no room'],
  ['bank/BankBook.ts', '', 'bank/BankBook.ts is not in kebab-case'],
  ['bank-book.ts', '', 'bank-book.ts is in no room'],
])('%s with %p is reported', (path, text, fault) => {
  const sources = sourcesOfSrc()
  sources.set(path, `${sources.get(path) ?? ''}\n${text}\n`)
  expect(errorsOf(sources).join('\n')).toContain(fault)
})

test('what the rules allow is not reported', () => {
  const sources = sourcesOfSrc()
  const add = (path: string, text: string) => sources.set(path, `${sources.get(path)!}\n${text}\n`)
  add('endpoint/openapi.ts', "import type { Card } from '../card-code/messages.js'")
  add('bank/cards/cards.ts', 'export const at = (ms: number) => new Date(ms)')
  add('service/card-code.ts', "import { run } from '../card-code/host/runner.js'")
  add('jest.ts', "import { banner } from './cli/banner.js'")
  expect(errorsOf(sources)).toEqual([])
})
