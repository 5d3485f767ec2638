import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { cardScripts } from '../../../test/card-scripts.js'
import { createSandbox, type LocalSandbox } from '../../index.js'
import { lackingGlobals, lackingMembers } from '../lacking.js'
import { globals } from './globals.js'
import { lintCard, maxFindings, rules } from './lint.js'

const page = readFileSync(new URL('../../../docs/card-lint.md', import.meta.url), 'utf8')
const variables = { LIMIT_CENTS: '50000', OVERRIDE: 'false' }
const examples = page
  .split(/^## /m)
  .slice(1)
  .map((section): [string, string, string] => {
    const [bad, good] = Array.from(section.matchAll(/^```js\n(.*?)^```$/gms), ([, code]) => code!)
    return [section.slice(0, section.indexOf('\n')), bad!, good!]
  })

const ruleIds = (source: string) => lintCard(source, { variables }).map(({ rule }) => rule)

test('the page describes every rule, in the order of the table, with its severity', () => {
  expect(examples.map(([rule]) => rule)).toEqual(Object.keys(rules))
  const rows = Array.from(page.matchAll(/^\| \[([a-z-]+)\]\(#\1\)\s*\| (\w+)\s*\| (.*?)\s*\|$/gm), (row) =>
    row.slice(1),
  )
  expect(rows).toEqual(Object.entries(rules).map(([id, { severity, summary }]) => [id, severity, summary]))
})

test.each(examples)('%s: the bad example has the finding, the good one has none', (rule, bad, good) => {
  expect(ruleIds(bad)).toContain(rule)
  expect(lintCard(good, { variables })).toEqual([])
})

describe('scripts that run well', () => {
  let sandbox: LocalSandbox
  let token = ''
  beforeAll(async () => {
    sandbox = await createSandbox({ now: '2026-03-25T08:00:00Z' })
    const { clientId, clientSecret, apiKey } = sandbox.credentials
    const body = new URLSearchParams({ grant_type: 'client_credentials' })
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    const headers = { authorization, 'x-api-key': apiKey }
    const answer = await sandbox.fetch('/identity/v2/oauth2/token', { method: 'POST', headers, body })
    token = ((await answer.json()) as { access_token: string }).access_token
    await sandbox.outbound.stubs.add({ respond: { json: { ok: true, limit: 50_000, token: 't' } } })
  })
  afterAll(() => sandbox.close())

  test('there are at least forty', () => {
    expect(Object.keys(cardScripts).length).toBeGreaterThanOrEqual(40)
  })

  test.each(Object.entries(cardScripts))('%s has no error, and decides', async (_, source) => {
    expect(lintCard(source).filter(({ severity }) => severity === 'error')).toEqual([])
    const answer = await sandbox.fetch('/za/v1/cards/700615/code/execute', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ simulationcode: source }),
    })
    const { data } = (await answer.json()) as {
      data: {
        result: { type: string; authorizationApproved: boolean | null; Error: { code: string } | null }[]
      }
    }
    const before = data.result.find(({ type }) => type === 'before_transaction')!
    const codes = data.result.flatMap(({ Error: error }) => (error ? [error.code] : []))
    expect(codes.filter((code) => code !== 'missing-hook')).toEqual([])
    expect(typeof before.authorizationApproved).toBe('boolean')
  })

  test('the globals are those of the guest, and none is listed as lacking', async () => {
    const source = `const beforeTransaction = async () => {
      console.log('names ' + Object.getOwnPropertyNames(globalThis).join(' '))
      console.log('names ' + ${JSON.stringify([...lackingMembers.keys()])}.filter((path) => eval(path) !== undefined).join(' '))
      return true
    }`
    const answer = await sandbox.fetch('/za/v1/cards/700615/code/execute', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ simulationcode: source }),
    })
    const { data } = (await answer.json()) as {
      data: { result: { logs: { content: string; level?: string }[] }[] }
    }
    const [names, there] = data.result[0]!.logs.flatMap(
      ({ content }) => /^names (.*)$/.exec(content)?.[1] ?? [],
    )
    const own = names!.split(' ').filter((name) => !name.startsWith('__') && name !== 'beforeTransaction')
    expect([...globals].sort()).toEqual(own.sort())
    expect(there).toBe('')
    expect([...lackingGlobals.keys()].filter((name) => globals.has(name))).toEqual([])
  })
})

const errors = (source: string) =>
  lintCard(source)
    .filter(({ severity }) => severity === 'error')
    .map(({ rule, line, column }) => `${rule} ${line}:${column}`)

test.each([
  ['a name that differs in case', 'const beforetransaction = async () => true', ['misspelt-hook 1:7']],
  [
    'a misspelt hook beside the right one',
    'const _beforeTransaction = (a) => true\nconst beforeTransaction = async (a) => _beforeTransaction(a)',
    [],
  ],
  [
    'a misspelt hook beside another hook',
    'const BeforeTransaction = () => true\nconst afterTransaction = () => {}',
    ['misspelt-hook 1:7'],
  ],
  [
    'properties through helpers',
    'const amount = (a) => a.cents\nconst beforeTransaction = async (a) => amount(a) < 5',
    ['unknown-property 1:25'],
  ],
  [
    'properties through constants',
    'const beforeTransaction = async (a) => { const { merchant } = a; const c = merchant.category; return c.mcc === "5541" }',
    ['unknown-property 1:104'],
  ],
  [
    'properties in the parameters',
    'const beforeTransaction = async ({ merchant: { mcc } }) => mcc === "5541"',
    ['unknown-property 1:48'],
  ],
  [
    'methods that a text has not',
    'const beforeTransaction = async (a) => a.dateTime.getHours() > 5',
    ['unknown-property 1:51'],
  ],
  [
    'properties of something else',
    'const beforeTransaction = async (a) => { const b = { ...a, x: 1 }; return b.x === 1 }',
    [],
  ],
  [
    'an argument that is given another value',
    'const beforeTransaction = async (a) => { a = { ...a, x: 1 }; return a.x === 1 }',
    [],
  ],
  [
    'two names, each told once',
    'const beforeTransaction = async () => foo(bar) && foo(bar)',
    ['unknown-global 1:39', 'unknown-global 1:43'],
  ],
  [
    'a name inside a try',
    'const beforeTransaction = async () => { try { return foo() } catch { return false } }',
    [],
  ],
  [
    'return without a value',
    'const beforeTransaction = async (a) => { if (a.centsAmount > 5) return; return true }',
    ['non-boolean-return 1:65'],
  ],
  [
    'the returns of functions inside',
    'const beforeTransaction = async (a) => [1, 2].map((n) => { return n * 2 }).includes(2)',
    [],
  ],
  [
    'import',
    'import moment from "moment"\nconst beforeTransaction = async () => true',
    ['module-syntax 1:1'],
  ],
  ['an empty file', '', ['no-hook 1:1']],
  ['a file of comments', '// nothing yet\n', ['no-hook 1:1']],
])('%s', (_, source, expected) => {
  expect(errors(source)).toEqual(expected)
})

test('a comment hides the findings of the rules that it names, on the next line', () => {
  const source = (ids: string) =>
    `const beforeTransaction = async (a) => {\n  // card-lint-disable-next-line ${ids}\n  return a.cents_amount === foo\n}`
  expect(errors(source('unknown-property'))).toEqual(['unknown-global 3:29'])
  expect(errors(source('unknown-property, unknown-global'))).toEqual([])
  expect(errors(source('no-hook'))).toHaveLength(2)
})

test('variables are checked only when they are known and the code has no default', () => {
  const source =
    'const beforeTransaction = async () => process.env.MODE === "x" || (process.env.CITY ?? "y") === "y"'
  expect(lintCard(source)).toEqual([])
  expect(lintCard(source, { variables: {} }).map(({ rule, message }) => [rule, message])).toEqual([
    ['missing-variable', 'The variable MODE is not set: it is undefined. Add it to env.json.'],
  ])
})

test('no text makes the lint throw, and the number of findings is bounded', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (source) => {
      expect(lintCard(source).length).toBeLessThanOrEqual(maxFindings)
    }),
  )
  const parts = fc.constantFrom(
    'async ',
    'a',
    '=>',
    '(',
    ')',
    '{',
    '}',
    'await ',
    'return ',
    '.',
    ';',
    'if',
    'for',
    '`',
    '${',
    '=',
    'function ',
    'class ',
    '...',
    ',',
    '[',
    ']',
  )
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 40 }), (words) => {
      lintCard(`const beforeTransaction = async (a) => { ${words.join('')} }`)
    }),
  )
})

test.each([
  ['nested brackets', '('.repeat(100_000)],
  ['nested arrays', `x = ${'['.repeat(50_000)}${']'.repeat(50_000)}`],
  ['nested blocks', `${'{'.repeat(3_000)}${'a;'.repeat(30_000)}${'}'.repeat(3_000)}`],
  ['a long chain', `a${'.b'.repeat(60_000)}`],
  ['a long sum', `x = 1${'+a'.repeat(60_000)}`],
  ['many functions', 'function f(){}\n'.repeat(15_000)],
  ['many constants', Array.from({ length: 9_000 }, (_, n) => `const a${n + 1} = a${n}`).join('\n')],
  ['many calls', `const f = (a) => a.x\n${'f(1);'.repeat(40_000)}`],
  ['many comparisons', `const l = [${'1,'.repeat(3_000)}]\n${'l.includes(a);'.repeat(10)}`],
])('hostile code is analysed in bounded steps: %s', (_, source) => {
  expect(lintCard(source).length).toBeLessThanOrEqual(maxFindings)
})
