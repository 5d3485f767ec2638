import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { CardDesk } from '../../test/card-desk.js'
import { checkOf } from '../protocol/validation.js'
import { RunSchema } from './run-schema.js'
import { templateNames } from './templates.js'

const code = `const petrol = ['5541', '5542']
const beforeTransaction = async (authorization) => {
  const response = await fetch('https://api.example.com/limit')
  const { ok } = await response.json()
  if (ok && petrol.includes(authorization.merchant.category.code)) return true
  console.log('not petrol')
  return false
}
`
const cases = `# The card of the fleet.
code: main.js
now: 2026-03-25T08:00:00Z
stubs:
  - match: { url: 'https://api.example.com/**' }
    respond: { json: { ok: true }, delayMs: 300 }
cases:
  petrol is paid: { swipe: { rand: 600, category: '5541' }, expect: approved }
  dinner is not:
    swipe: { rand: 600, category: '5812', merchant: Ocean Grill }
    expect: { decision: declined, log: not petrol, calls: 1, withinMs: 500, held: 0 }
  a slow service must not approve:
    stubs: [{ respond: { delayMs: 5000 } }]
    swipe: { rand: 600, category: '5812' }
    expect: declined
`

test('the transcript: run, test, lint and backtest as documented', async () => {
  using desk = new CardDesk({ 'main.js': code, 'card.test.yaml': cases })
  desk.write('stubs.json', JSON.stringify([{ respond: { json: { ok: true }, delayMs: 300 } }]))
  const run = 'run main.js --rand 600 --mcc 5812 --stubs stubs.json --now 2026-03-25T08:00:00Z'.split(' ')
  expect(await desk.card([...run, '--merchant', 'Ocean Grill'])).toEqual({
    code: 0,
    err: '',
    out: `DECLINED  Ocean Grill  R 600,00  eating places restaurants (5812)   false in 300 of 2 000 ms
     0  GET https://api.example.com/limit  200  300 ms  stub
   300  log   not petrol`,
  })
  const tested = await desk.card('test')
  expect(tested.code).toBe(1)
  expect(tested.out).toBe(`card.test.yaml
 ✓ petrol is paid                   approved     300 ms
 ✓ dinner is not                    declined     300 ms
 ✕ a slow service must not approve  APPROVED   2 000 ms
   decision
     expected  declined
     got       approved, since the code failed: code-timeout
        0  GET https://api.example.com/limit  200  5 000 ms  stub
   beforeTransaction timed-out
   TimeoutError: beforeTransaction ran past its window of 2000 ms
2 of 3 passed, 1 failed`)
  expect(await desk.card('lint')).toEqual({
    code: 0,
    err: '',
    out: `main.js:3:26  warning  This fetch has no deadline: give it { signal: AbortSignal.timeout(1500) } and decline when it fails.  fetch-without-deadline
1 file, 0 errors, 1 warning`,
  })
})

test('every template has passing tests and no lint finding', async () => {
  for (const name of templateNames) {
    using desk = new CardDesk()
    expect((await desk.card(`init card --template ${name}`)).code).toBe(0)
    const tested = await desk.card('test card')
    expect([name, tested.code, tested.out.split('\n').at(-1)]).toEqual([
      name,
      0,
      expect.stringMatching(/^(\d+) of \1 passed$/),
    ])
    expect((await desk.card('lint card/main.js')).out).toBe('1 file, 0 errors, 0 warnings')
    expect(desk.read('card/README.md').trim().split('\n').length).toBeLessThanOrEqual(10)
    // Existing files are not overwritten.
    expect((await desk.card('init card')).err).toBe(
      'card: card has README.md, card.test.yaml, env.json, jsconfig.json, main.js already; name another one: card init DIR.',
    )
  }
})

test('the schema that card init names is that of the package, seen from the new folder', async () => {
  using desk = new CardDesk()
  const schema = 'node_modules/sandbox-server/scenarios/card-test.schema.json'
  expect((await desk.card('init alone')).code).toBe(0)
  expect(desk.read('alone/card.test.yaml')).not.toContain('$schema')
  desk.write(schema, '{}')
  for (const [folder, up] of [
    ['.', './'],
    ['card', '../'],
    ['cards/petrol', '../../'],
  ] as const) {
    expect((await desk.card(`init ${folder}`)).code).toBe(0)
    const [line] = desk.read(`${folder}/card.test.yaml`).split('\n')
    expect(line).toBe(`# yaml-language-server: $schema=${up}${schema}`)
  }
})

const yes = 'const beforeTransaction = async () => true'
const ownCases = (text: string, source = yes) =>
  new CardDesk({ 'main.js': source, 'card.test.yaml': `now: 2026-03-25T08:00:00Z\n${text}` })

test.each([
  ['cases: {}', 'card.test.yaml:2: /cases must NOT have fewer than 1 properties'],
  [
    'case:\n  a: {}',
    'card.test.yaml:1: /cases is missing\ncard: card.test.yaml:2: /case is not a known key: did you mean cases?',
  ],
  [
    'cases:\n  a: { swpie: { rand: 5 } }',
    'card.test.yaml:3: /cases/a/swpie is not a known key: did you mean swipe?',
  ],
  [
    'cases:\n  a:\n    swipe: { rand: 5, mcc: 5812 }',
    'card.test.yaml:4: /cases/a/swipe/mcc is not a known key.',
  ],
  [
    'cases:\n  a:\n    swipe: { rand: 5, category: 58 }',
    "card.test.yaml:3: /cases/a category must be a merchant category code of four digits, such as 5812, not '58'.",
  ],
  [
    'cases:\n  a: { swipe: { rand: 5 }, expect: maybe }',
    'card.test.yaml:3: /cases/a/expect must be one of "approved", "declined"',
  ],
  ['cases:\n  a: { expect: approved }', 'card.test.yaml:3: /cases/a needs swipe, swipes or each'],
  ['cases:\n  a: [', 'card.test.yaml:3: '],
  ['cases:\n  a: { swipe: {}, now: later }', 'card.test.yaml:3: /cases/a/now must be a date'],
])('a test file with %j is refused with line and path', async (text, sentence) => {
  using desk = ownCases(text)
  const { code, err, out } = await desk.card('test')
  expect([code, out]).toEqual([2, ''])
  expect(err.slice('card: '.length, 'card: '.length + sentence.length)).toBe(sentence)
})

test('sequences, rows, balances, clock, bodies and the results of a purchase', async () => {
  const source = `const beforeTransaction = async (a) => a.centsAmount <= Number(process.env.LIMIT)
const afterTransaction = async (t) => { await fetch('https://hooks.example.com/spent', { method: 'POST', body: JSON.stringify({ cents: t.centsAmount, tags: [1, 2] }) }) }
const afterReversal = async () => console.log('reversed')
`
  using desk = ownCases(
    `env: { LIMIT: 50000 }
stubs: [{ respond: { status: 201 } }]
cases:
  sequence:
    swipes:
      - { rand: 100, expect: { decision: approved, held: 100 } }
      - { rand: 100, advance: P3D, then: reverse, expect: { decision: approved, log: reversed } }
      - { rand: 501, expect: { decision: declined, reason: declined-by-code, held: 0 } }
  rows:
    each: [{ rand: 500, expect: approved }, { name: too much, rand: 500.01, expect: declined }]
    swipe: { category: '5411' }
  bodies:
    swipe: { rand: 5 }
    expect: { calls: [{ match: { method: POST, url: 'https://hooks.example.com/*' }, times: 1, body: { cents: 500 } }] }
  wrong body: { swipe: { rand: 5 }, expect: { calls: [{ body: { cents: 1 } }] } }
  own variables: { env: { LIMIT: 1 }, swipe: { rand: 5 }, expect: declined }
  own time: { now: 2026-04-01T00:00:00Z, swipe: { rand: 5 }, expect: approved }
`,
    source,
  )
  const { out } = await desk.card('test --json')
  const document = JSON.parse(out) as {
    files: { cases: { name: string; status: string; steps: { mismatches: object[] }[] }[] }[]
  }
  const results = document.files[0]!.cases
  expect(results.map(({ name, status }) => `${name}: ${status}`)).toEqual([
    'sequence: passed',
    'rows [1] 500: passed',
    'rows [2] too much: passed',
    'bodies: passed',
    'wrong body: failed',
    'own variables: passed',
    'own time: passed',
  ])
  expect(results[4]!.steps[0]!.mismatches).toEqual([
    { what: 'body of calls of anything', expected: '{"cents":1}', got: '{"cents":500,"tags":[1,2]}' },
  ])
})

test('the network is denied in tests, and failing code does not count as an approval', async () => {
  using desk = ownCases(
    'cases:\n  a: { swipe: {}, expect: approved }\n  b: { swipe: {}, expect: { failure: threw } }\n',
    "const beforeTransaction = async () => (await fetch('http://127.0.0.1:9/')).ok",
  )
  const { code, out } = await desk.card('test --reporter github')
  expect(code).toBe(1)
  expect(out.split('\n')).toEqual([
    expect.stringMatching(
      /^::error file=card.test.yaml,line=3,title=a::failure: expected none, got threw%0A/,
    ),
    '1 of 2 passed, 1 failed',
  ])
})

test('--update writes the actual results, and keeps comments', async () => {
  using desk = ownCases(
    '# mine\ncases:\n  a: { swipe: { rand: 5 } } # why\n  b: { each: [{ rand: 1 }, { rand: 2, expect: approved }] }\n',
  )
  const first = await desk.card('test')
  expect([first.code, first.out.split('\n').at(-1)]).toEqual([0, '1 of 3 passed, 2 without expect'])
  await desk.card('test --update')
  expect(desk.read('card.test.yaml')).toBe(`now: 2026-03-25T08:00:00Z
# mine
cases:
  a: { swipe: { rand: 5 }, expect: approved } # why
  b: { each: [ { rand: 1, expect: approved }, { rand: 2, expect: approved } ] }
`)
  expect((await desk.card('test')).out.split('\n').at(-1)).toBe('3 of 3 passed')
})

test('coverage counts lines and branches, also of code that times out', async () => {
  const source = `const beforeTransaction = async ({ centsAmount }) => {
  if (centsAmount > 500) {
    while (true);
  }
  return centsAmount > 5 || centsAmount === 3
}
function unused() {
  return 1
}
`
  using desk = ownCases('cases:\n  a: { swipe: { cents: 6 }, expect: approved }\n', source)
  const { out, code } = await desk.card('test --coverage --min 60')
  expect(code).toBe(0)
  expect(out.split('\n')[2]).toBe(
    ' lines 3/5 (60 %), branches 1/3 (33.3 %) (missed main.js:3, main.js:8, main.js:2:26, main.js:5:29)',
  )
  expect((await desk.card('test --coverage --min 61')).code).toBe(1)
  desk.write('card.test.yaml', 'cases:\n  a: { swipe: { cents: 600 }, expect: { failure: timed-out } }\n')
  expect((await desk.card('test --coverage')).out.split('\n')[2]).toContain('branches 1/3')
})

test('the JUnit report is valid XML, whatever the names contain', async () => {
  using desk = ownCases('cases:\n  "<a> & \\"b\\"": { swipe: {}, expect: declined }\n')
  const { out } = await desk.card('test --reporter junit')
  expect(out.split('\n').slice(0, 5)).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="card" tests="1" failures="1">',
    '  <testsuite name="card.test.yaml" tests="1" failures="1">',
    expect.stringContaining('name="&lt;a&gt; &amp; &quot;b&quot;" file="card.test.yaml" line="3"'),
    expect.stringContaining('<failure message="decision: expected declined, got approved">'),
  ])
})

test('run --json fits its schema, and the schemas that are shipped are up to date', async () => {
  using desk = new CardDesk({ 'main.js': yes })
  const { out } = await desk.card('run main.js --real --json')
  expect((await checkOf(RunSchema))(JSON.parse(out))).toEqual([])
  await promisify(execFile)(process.execPath, ['scripts/schemas.mjs', '--check'])
})
