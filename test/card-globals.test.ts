// The globals that editors know (types/card-globals.d.ts) are those of the guest, member by member.

import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from '@jest/globals'
import ts from 'typescript'
import { createRunner } from '../src/card-code/host/runner.js'
import { lackingMembers } from '../src/card-code/lacking.js'
import { templateNames, templates } from '../src/card-loop/templates.js'
import { jsConfig } from '../src/card-loop/init.js'

const declarations = fileURLToPath(new URL('../types/card-globals.d.ts', import.meta.url))

const runner = createRunner({ maxWorkers: 1 })
afterAll(() => runner.close())

/** The members of each global by its name; `prototype.` comes before those of instances. */
type World = Record<string, string[]>

/** Everything that card code sees, listed by card code. */
const question = `const hook = async () => {
  const own = (of) => Object.getOwnPropertyNames(of).filter((name) => name !== 'constructor')
  const all = (of) => of === null || of === Object.prototype ? [] : [...own(of), ...all(Object.getPrototypeOf(of))]
  const plain = ['length', 'name', 'prototype', 'arguments', 'caller']
  const ends = [Function.prototype, Error, Uint8Array]
  const statics = (of) => ends.includes(of) ? [] : [...own(of), ...statics(Object.getPrototypeOf(of))]
  const membersOf = (value) => {
    if (typeof value === 'object' && value !== null) return all(value)
    if (typeof value !== 'function') return []
    const isError = value.prototype instanceof Error
    const instance = value.prototype ? (isError ? own(value.prototype) : all(value.prototype)) : []
    return [...statics(value).filter((name) => !plain.includes(name)), ...instance.map((name) => 'prototype.' + name)]
  }
  const world = {}
  for (const name of own(globalThis)) world[name] = membersOf(globalThis[name])
  return { ...world, 'crypto.subtle': own(crypto.subtle) }
}`

async function world(): Promise<World> {
  const { settled } = await runner.run({
    hook: 'hook',
    source: question,
    variables: {},
    payload: null,
    windowMs: 5_000,
    time: { nowMs: 0, frozen: true },
    seed: 1,
    policy: 'deny',
  })
  return (await settled).value as World
}

/** A program with the declarations alone, and the library of card code. */
function programOf(files: Readonly<Record<string, string>> = {}): ts.Program {
  const { compilerOptions } = jsConfig
  const { options, errors } = ts.convertCompilerOptionsFromJson({ ...compilerOptions, types: [] }, '.')
  expect(errors).toEqual([])
  const host = ts.createCompilerHost({ ...options, skipLibCheck: false })
  const before = { ...host }
  host.getSourceFile = (name, ...rest) =>
    name in files
      ? ts.createSourceFile(name, files[name]!, ts.ScriptTarget.ES2022, true)
      : before.getSourceFile(name, ...rest)
  host.fileExists = (name) => name in files || before.fileExists(name)
  host.readFile = (name) => files[name] ?? before.readFile(name)
  return ts.createProgram([declarations, ...Object.keys(files)], { ...options, skipLibCheck: false }, host)
}

/** The declarations, in the form of the guest's list. */
function declared(program: ts.Program): World {
  const checker = program.getTypeChecker()
  const file = program.getSourceFile(declarations)!
  const named = (type: ts.Type): string[] =>
    checker
      .getPropertiesOfType(type)
      .map(({ name }) => name)
      .filter((name) => !name.startsWith('__@') && name !== 'prototype')
  const found: World = {}
  for (const symbol of checker.getSymbolsInScope(file, ts.SymbolFlags.Value)) {
    const isOurs = symbol.declarations?.some((each) => each.getSourceFile() === file)
    if (!isOurs) continue
    const type = checker.getTypeOfSymbolAtLocation(symbol, file)
    const instance = type.getProperty('prototype')
    const ofInstance = instance ? named(checker.getTypeOfSymbolAtLocation(instance, file)) : []
    const ofFunction = ['apply', 'call', 'bind', 'toString', 'length', 'name', 'arguments', 'caller']
    found[symbol.name] = [
      ...named(type).filter((name) => !ofFunction.includes(name)),
      ...ofInstance.map((name) => `prototype.${name}`),
    ]
    const subtle = symbol.name === 'crypto' ? type.getProperty('subtle') : undefined
    if (subtle) found['crypto.subtle'] = named(checker.getTypeOfSymbolAtLocation(subtle, file))
  }
  return found
}

/** Names that the library `es2023` of TypeScript declares. */
const ofLibrary = (program: ts.Program): Set<string> =>
  new Set(
    program
      .getTypeChecker()
      .getSymbolsInScope(program.getSourceFile(declarations)!, ts.SymbolFlags.Value)
      .filter(
        ({ declarations: at }) => at?.[0]?.getSourceFile().fileName.includes('/typescript/lib/') ?? true,
      )
      .map(({ name }) => name),
  )

/** Present, but not for card code. */
const untold: Readonly<Record<string, readonly string[]>> = {
  // Names that published code may use by mistake: they are refused or warned of, by name.
  process: ['version', 'versions', 'platform', 'arch', 'pid', 'argv', 'release', 'title'],
  Response: ['prototype.blob', 'prototype.formData'],
  Request: ['prototype.blob', 'prototype.formData'],
  'crypto.subtle': ['encrypt', 'decrypt', 'generateKey', 'deriveKey', 'deriveBits', 'wrapKey', 'unwrapKey'],
  // Internals of the package buffer.
  Buffer: [
    'TYPED_ARRAY_SUPPORT',
    'poolSize',
    ...['parent', 'offset', '_isBuffer', 'inspect'].map((name) => `prototype.${name}`),
  ],
  // Newer than Node 20.
  URL: ['parse'],
  DOMException: ['isError'],
}

/** Instances have these as own fields, not on the prototype. */
const fields: Readonly<Record<string, readonly string[]>> = {
  Response: ['size'],
  Request: [
    ...['size', 'follow', 'compress', 'counter', 'agent', 'highWaterMark'],
    ...['insecureHTTPParser', 'referrerPolicy'],
  ],
  DOMException: ['stack', 'cause'],
}

test('every global of card code is declared, and nothing else is', async () => {
  const program = programOf()
  const library = ofLibrary(program)
  const there = Object.keys(await world()).filter((name) => !name.startsWith('__') && name !== 'hook')
  // Iterator came with Node 22, and the library of ES2023 has none.
  const own = there.filter((name) => !library.has(name) && name !== 'Iterator')
  expect(own.length).toBeGreaterThan(30)
  expect(Object.keys(declared(program)).sort()).toEqual(own.sort())
})

test('their members are declared too', async () => {
  const there = await world()
  for (const [name, members] of Object.entries(declared(programOf()))) {
    // moment declares no members: its own types are large, and any.
    if (name === 'moment' || name === 'global' || name === 'globalThis') continue
    const hidden = new Set(untold[name])
    const ofInstances = (fields[name] ?? []).map((field) => `prototype.${field}`)
    const real = [...new Set([...there[name]!, ...ofInstances])].filter((member) => !hidden.has(member))
    // Members of typed arrays that are newer than the library.
    const isOfLibrary = (member: string) => name === 'Buffer' && !there.Buffer!.includes(member)
    const told = members.filter((member) => !isOfLibrary(member))
    expect({ [name]: told.sort() }).toEqual({ [name]: real.sort() })
  }
})

test('nothing that card code lacks is declared', () => {
  const told = declared(programOf())
  const lacking = [...lackingMembers.keys()].filter((path) => {
    const [name, member] = path.split('.') as [string, string]
    return told[name]?.includes(member)
  })
  expect(lacking).toEqual([])
})

const errorsOf = (program: ts.Program): string[] =>
  ts
    .getPreEmitDiagnostics(program)
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`)

test.each(templateNames)('the template %s has no error in a strict editor', (name) => {
  expect(errorsOf(programOf({ 'main.js': `// @ts-check\n${templates[name].code}` }))).toEqual([])
})

test('code of every kind has no error in a strict editor, and mistakes have one', () => {
  const good = `
const afterTransaction = async (/** @type {Authorization} */ transaction) => {
  const key = await crypto.subtle.importKey('raw', Buffer.from('k'), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const signature = Buffer.from(await crypto.subtle.sign('HMAC', key, Buffer.from('text'))).toString('hex')
  const body = JSON.stringify({ amount: investec.helpers.format.decimal(transaction.centsAmount / 100, 100) })
  const signal = AbortSignal.any([AbortSignal.timeout(1500), new AbortController().signal])
  const response = await fetch(new URL('/hook', 'https://example.com'), { method: 'POST', body, headers: { signature }, signal })
  for (const [name, value] of response.headers) console.log(name, value)
  for await (const chunk of response.body ?? []) console.log(chunk.readUInt16BE(0), chunk.readBigInt64LE())
  process.nextTick((text) => console.log(text), 'later')
  const timer = setTimeout((text) => console.log(text), 10, 'then')
  clearTimeout(timer.refresh())
  try {
    structuredClone(() => 1)
  } catch (error) {
    if (error instanceof DOMException) console.log(error.code === DOMException.DATA_CLONE_ERR)
  }
  const target = new EventTarget()
  target.addEventListener('paid', ({ detail }) => console.log(detail), { once: true })
  target.dispatchEvent(new CustomEvent('paid', { detail: transaction.centsAmount }))
  console.log(moment.utc().add(1, 'day').format('YYYY-MM-DD'), new URLSearchParams({ a: undefined, b: 1 }).size)
}`
  expect(errorsOf(programOf({ 'main.js': `// @ts-check\n${good}` }))).toEqual([])
  const bad = [
    'require("fs")',
    'process.exit(1)',
    'new Blob([])',
    'document.title',
    'fetch()',
    'console.clear()',
  ]
  const source = `// @ts-check\n${bad.join('\n')}`
  expect(errorsOf(programOf({ 'main.js': source }))).toHaveLength(bad.length)
})
