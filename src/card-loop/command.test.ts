import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { CardDesk } from '../../test/card-desk.js'

const now = '--now 2026-03-25T08:00:00Z'
const petrol = `const beforeTransaction = async (authorization) => {
  await fetch('https://api.example.com/limit')
  console.log('not petrol')
  return authorization.merchant.category.code === '5541'
}
`
const stubs = `- match: { url: 'https://api.example.com/**' }\n  respond: { json: { ok: true }, delayMs: 300 }\n`
const main = (source: string) => new CardDesk({ 'main.js': source })

test('run prints the decision, the time, logs and calls in their order', async () => {
  using desk = new CardDesk({ 'main.js': petrol, 'stubs.yaml': stubs })
  const line = `run main.js --rand 600 --mcc 5812 --stubs stubs.yaml ${now}`.split(' ')
  expect(await desk.card([...line, '--merchant', 'Ocean Grill'])).toEqual({
    code: 0,
    err: '',
    out: `DECLINED  Ocean Grill  R 600,00  eating places restaurants (5812)   false in 300 of 2 000 ms
     0  GET https://api.example.com/limit  200  300 ms  stub
   300  log   not petrol`,
  })
})

test('run --json prints one document and nothing else, also for a mistake', async () => {
  using desk = main(petrol)
  const { code, out, err } = await desk.card(`run main.js --rand 600 --network deny --json ${now}`)
  expect([code, err]).toEqual([1, ''])
  const document = JSON.parse(out) as Record<string, unknown>
  expect(document).toMatchObject({ decision: 'approved', reason: 'code-error', failed: true, ledger: null })
  const wrong = await desk.card('run main.js --rand zero --json')
  expect([wrong.code, wrong.err]).toEqual([2, ''])
  expect(JSON.parse(wrong.out)).toEqual({
    error: "--rand must be an amount above zero such as 600 or 84.95, not 'zero'.",
  })
})

test('a real purchase holds money, and the balance is shown', async () => {
  using desk = main('const beforeTransaction = async () => true')
  const { code, out } = await desk.card(`run main.js --rand 600 --real --json ${now}`)
  const { ledger, decision } = JSON.parse(out) as { decision: string; ledger: Record<string, number> }
  expect([code, decision, ledger.heldCents]).toEqual([0, 'approved', 60_000])
  expect(ledger.availableBeforeCents! - ledger.availableAfterCents!).toBe(60_000)
})

test('an error is shown with its line and a caret', async () => {
  using desk = main(
    'const beforeTransaction = async () => {\n  const limit = null\n  return limit.cents > 5\n}\n',
  )
  const { code, out } = await desk.card(`run main.js ${now}`)
  expect(code).toBe(1)
  expect(out).toContain(`  TypeError: Cannot read properties of null (reading 'cents')
  at main.js:3:16
     3 |   return limit.cents > 5
       |                ^`)
  expect(out).toContain('The code failed, so the bank approves the purchase.')
})

test('--expect decides the exit code', async () => {
  using desk = main('const beforeTransaction = async ({ centsAmount }) => centsAmount < 50000')
  expect((await desk.card(`run main.js --rand 600 --expect declined ${now}`)).code).toBe(0)
  const { code, out } = await desk.card(`run main.js --cents 60000 --expect approved ${now}`)
  expect([code, out.split('\n').at(-1)]).toEqual([1, 'Expected approved, got declined.'])
})

test('a purchase comes from the argument of a hook, from a body of the API, and from an execution', async () => {
  const source =
    'const beforeTransaction = async (a) => { console.log(a); return a.merchant.name === "Grocer" }'
  using desk = main(source)
  const argument = {
    centsAmount: 123,
    currencyCode: 'zar',
    merchant: { name: 'Grocer', city: 'Durban', category: { code: '5411' }, country: { code: 'ZA' } },
  }
  desk.write('argument.json', JSON.stringify(argument))
  desk.write('body.json', JSON.stringify({ centsAmount: '123', merchantName: 'Grocer', merchantCode: 5411 }))
  const content = JSON.stringify(argument)
  const executions = [
    { executionId: 'A1', type: 'before_transaction', createdAt: '2026-03-25T08:00:00Z', logs: [{ content }] },
  ]
  desk.write('executions.json', JSON.stringify({ data: { result: { executionItems: executions } } }))
  const asked = [
    '--purchase argument.json',
    '--purchase body.json',
    '--replay executions.json#a1',
    '--replay executions.json',
  ]
  for (const flags of asked) {
    const { code, out } = await desk.card(`run main.js --json ${flags} ${now}`)
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ decision: 'approved' })])
    expect(out).toContain('\\"centsAmount\\":123')
  }
  expect((await desk.card('run main.js --replay executions.json#B2')).err).toBe(
    'card: executions.json has no execution B2; it has A1.',
  )
})

test('variables come from env.json beside the code, or from a file of lines', async () => {
  using desk = main('const beforeTransaction = async () => process.env.MODE === "open"')
  desk.write('env.json', '{ "MODE": "open", "COUNT": 5 }')
  desk.write('.env', '# comment\nexport MODE="shut" \nOTHER=x # comment\n')
  expect((await desk.card(`run main.js --expect approved ${now}`)).code).toBe(0)
  expect((await desk.card(`run main.js --variables .env --expect declined ${now}`)).code).toBe(0)
})

test.each<[string, string | Uint8Array, number, string]>([
  ['empty', '', 2, 'card: main.js is empty: declare beforeTransaction in it.'],
  ['binary', new Uint8Array([0, 1, 2]), 2, 'card: main.js is not a text: it contains a zero byte.'],
  ['of 5 MB', 'x'.repeat(5 * 1024 * 1024), 2, 'card: main.js has 5242880 bytes; at most 4194304 are read.'],
  [
    'too long for a card',
    '//'.padEnd(300_000, 'x'),
    2,
    'card: main.js has 300000 characters; a card takes at most 262144.',
  ],
])('a main.js that is %s is refused in one sentence', async (_, source, code, sentence) => {
  using desk = new CardDesk()
  desk.write('main.js', source)
  expect(await desk.card('run main.js')).toEqual({ code, err: sentence, out: '' })
})

test.each([
  [
    'loops for ever',
    'const beforeTransaction = async () => { while (true); }',
    'timed-out',
    'ran past its window of 2000 ms',
  ],
  [
    'allocates for ever',
    'const beforeTransaction = async () => { const l = []; while (true) l.push(new Array(1e5).fill(l)) }',
    'out-of-memory',
    'out of memory',
  ],
  [
    'waits for ever',
    'const beforeTransaction = () => new Promise(() => {})',
    'timed-out',
    'ran past its window of 2000 ms',
  ],
  ['does not parse', 'const beforeTransaction = async () => {', 'syntax-error', 'SyntaxError'],
  ['has no hook', 'const before = 1', 'missing-hook', 'beforeTransaction is not a function of main.js'],
  [
    'returns a text',
    'const beforeTransaction = async () => "yes"',
    'non-boolean',
    'returned a string instead of true or false',
  ],
])('code that %s is reported, and ends with exit code 1', async (_, source, failure, sentence) => {
  using desk = main(source)
  const { code, out, err } = await desk.card(`run main.js ${now}`)
  expect([code, err]).toEqual([1, ''])
  expect(out).toContain(failure)
  expect(out).toContain(sentence)
})

test('code that logs endlessly is ended, and its lines are bounded', async () => {
  using desk = main('const beforeTransaction = async () => { for (;;) console.log("x".repeat(50)) }')
  const { code, out } = await desk.card(`run main.js ${now}`)
  expect(code).toBe(1)
  expect(out.length).toBeLessThan(500_000)
})

test.each([
  ['run none.js', 'card: There is no file none.js.'],
  ['run .', 'card: . is a directory.'],
  [
    'run main.js --mcc 58',
    "card: --mcc must be a merchant category code of four digits, such as 5812, not '58'.",
  ],
  ['run main.js --rand 5 --cents 5', 'card: Give --rand or --cents, not both.'],
  ['run main.js --rand -5', "card: --rand must be an amount above zero such as 600 or 84.95, not '-5'."],
  ['run main.js --amount 5', 'card: card run has no flag --amount'],
  ['run main.js --merchnt x', 'card: card run has no flag --merchnt: did you mean --merchant?'],
  ['run main.js --rand', 'card: --rand needs a value.'],
  ['run main.js --real=yes', 'card: --real takes no value.'],
  ['run main.js other.js', "card: card run takes no 'other.js'."],
  ['run main.js --card 1', 'card: There is no card 1; programmable cards are'],
  ['run main.js --expect maybe', "card: --expect must be approved or declined, not 'maybe'."],
  [
    'run main.js --now later',
    "card: --now must be a date from 1980 to 2200, such as 2026-03-25 or 2026-03-25T08:00:00Z, not 'later'.",
  ],
  ['run main.js --scenario none', "card: There is no scenario 'none'; known are"],
  ['run main.js --purchase none.json', 'card: There is no file none.json.'],
  ['run main.js --purchase main.js', 'card: main.js is not JSON:'],
  ['run main.js --stubs bad.yaml', 'card: bad.yaml:2: /0/respond/statu is not a known field'],
  ['run main.js --currency QQQ', 'card: /currencyCode is'],
  ['rnu main.js', 'card: There is no command card rnu: did you mean card run?'],
])('card %s is refused in one sentence, with exit code 2', async (line, sentence) => {
  using desk = new CardDesk({
    'main.js': 'const beforeTransaction = async () => true',
    'bad.yaml': '- respond:\n    statu: 200\n',
  })
  const real = line.includes('QQQ') ? `${line} --real` : line
  const { code, err, out } = await desk.card(real)
  expect([code, out]).toEqual([2, ''])
  expect(err.slice(0, sentence.length)).toBe(sentence)
  expect(err.split('\n')).toHaveLength(1)
})

test('a category of four digits that the bank does not know runs as 0000, with a warning', async () => {
  using desk = main('const beforeTransaction = async ({ merchant }) => merchant.category.code === "0000"')
  const { code, out } = await desk.card(`run main.js --mcc 0001 ${now}`)
  expect(code).toBe(0)
  expect(out).toContain('APPROVED')
  expect(out.split('\n').at(-1)).toBe('warning: The bank has no merchant category 0001: card code gets 0000.')
})

test('card and each command have a help', async () => {
  using desk = new CardDesk()
  const { code, out } = await desk.card('--help')
  expect(code).toBe(0)
  for (const name of ['run', 'test', 'lint', 'watch', 'backtest', 'init', 'record']) {
    expect(out).toContain(`\n  ${name} `)
    expect((await desk.card(`${name} --help`)).out).toContain(`sandbox-server card ${name} `)
  }
})

test('TypeScript and imports are bundled, and errors are shown in the source', async () => {
  using desk = new CardDesk({
    'main.ts': `import { limitOf } from './limits.js'\n\nexport const beforeTransaction = async (a: { centsAmount: number }): Promise<boolean> => a.centsAmount < limitOf(a.centsAmount)\n`,
    'limits.ts': `export const limitOf = (cents: number): number => {\n  if (cents > 70000) throw new Error('far too much')\n  return 50000\n}\n`,
  })
  const declined = await desk.card(`run main.ts --rand 600 ${now}`)
  // Without esbuild in the user's project there is one sentence.
  expect(declined).toEqual({
    code: 2,
    out: '',
    err: 'card: main.ts has to be bundled, since it is TypeScript or imports other files: npm install --save-dev esbuild.',
  })
  desk.write('node_modules/esbuild/package.json', '{ "name": "esbuild", "main": "index.js" }')
  const here = JSON.stringify(`${process.cwd()}/node_modules/esbuild/lib/main.js`)
  desk.write('node_modules/esbuild/index.js', `module.exports = require(${here})`)
  // In a separate process: Jest resolves packages differently.
  const card = async (line: string) => {
    const argv = [`${process.cwd()}/dist/cli.js`, 'card', ...line.split(' ')]
    return promisify(execFile)(process.execPath, argv, { cwd: desk.directory }).then(
      ({ stdout, stderr }) => ({ code: 0, out: stdout.trimEnd(), err: stderr.trimEnd() }),
      (error: unknown) => {
        const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
        return { code, out: stdout.trimEnd(), err: stderr.trimEnd() }
      },
    )
  }
  const bundled = await card(`run main.ts --rand 600 --expect declined ${now}`)
  expect(bundled).toMatchObject({ code: 0, err: '' })
  expect(bundled.out).toMatch(/\nbundle: \d+ characters of 2 files: limits.ts, main.ts$/)
  const thrown = await card(`run main.ts --rand 800 ${now}`)
  expect(thrown.code).toBe(1)
  expect(thrown.out).toContain(
    `  at limits.ts:2:28\n     2 |   if (cents > 70000) throw new Error('far too much')`,
  )
  desk.write('limits.ts', 'export const limitOf = (\n')
  const broken = await card('run main.ts')
  expect(broken).toMatchObject({ code: 2, out: '' })
  expect(broken.err).toMatch(/^card: limits\.ts:2:1: /)
})

test('a purchase comes from standard input, which may be empty or invalid', async () => {
  using desk = main('const beforeTransaction = async ({ centsAmount }) => centsAmount === 4711')
  const piped = (text: string): Promise<{ code: number; out: string; err: string }> =>
    new Promise((resolve) => {
      const argv = [`${process.cwd()}/dist/cli.js`, ...`card run main.js --purchase - ${now}`.split(' ')]
      const child = execFile(process.execPath, argv, { cwd: desk.directory }, (error, out, err) => {
        resolve({ code: error ? Number(error.code) : 0, out: out.trimEnd(), err: err.trimEnd() })
      })
      child.stdin!.end(text)
    })
  expect(await piped('{ "centsAmount": 4711, "merchantName": "Kiosk" }')).toEqual({
    code: 0,
    err: '',
    out: 'APPROVED  Kiosk  R 47,11  bakeries (5462)   true in 0 of 2 000 ms',
  })
  expect((await piped('')).err).toMatch(/^card: Standard input is not JSON: .+\.$/)
  expect(await piped('[1]')).toEqual({
    code: 2,
    out: '',
    err: 'card: Standard input must contain one JSON object: the argument of a hook.',
  })
})
