import { execFileSync } from 'node:child_process'
import { expect, test } from '@jest/globals'
import { card } from '../../test/ids.js'
import { CardDesk } from '../../test/card-desk.js'
import { createSandbox } from '../index.js'

const now = '--now 2026-03-25T08:00:00Z'
const upTo = (limit: number) =>
  `const beforeTransaction = async ({ centsAmount, merchant }) => {
  if (merchant.category.code === '7995') throw new Error('no bets')
  return centsAmount <= ${limit}
}
`
const past = `date,cents,mcc,merchant,city
2026-01-05,10000,5411,Grocer,Durban
2026-01-06,60000,5812,Ocean Grill,Cape Town
2026-02-01T10:00:00Z,90000,5812,"Ocean Grill, Harbour",Cape Town
2026-02-03,45000,5541,Harbour Fuel,
`

/** A directory that is a git repository with one commit of these files. */
function repository(files: Readonly<Record<string, string>>): CardDesk {
  const desk = new CardDesk(files)
  const git = (...args: string[]) =>
    execFileSync('git', [
      '-C',
      desk.directory,
      '-c',
      'user.name=t',
      '-c',
      'user.email=t@example.com',
      ...args,
    ])
  git('init', '-q')
  git('add', '.')
  git('commit', '-q', '-m', 'first')
  return desk
}

test("the transcript: the current file compared with git's version", async () => {
  using desk = repository({ 'main.js': upTo(90_000), 'past.csv': past })
  desk.write('main.js', upTo(50_000))
  expect(await desk.card(`backtest main.js --against git:HEAD --from past.csv ${now}`)).toEqual({
    code: 0,
    err: '',
    out: `4 purchases, 2 months, 1 card
        approved  declined  failed        declined amount
 old           4         0       0                 R 0,00
 new           2         2       0             R 1 500,00
 2 decisions changed: R 1 500,00 now declined
  2026-01-06  Ocean Grill                         R 600,00  ✓→✕
  2026-02-01  Ocean Grill, Harbour                R 900,00  ✓→✕

 category                            purchases  declined
 eating places restaurants (5812)            2       0→2  ████████████████████
 grocery stores supermarkets (5411)          1       0→0
 service stations (5541)                     1       0→0

 month    purchases  declined
 2026-01          2       0→1  ████████████████████
 2026-02          2       0→1  ████████████████████`,
  })
})

test.each([
  ['backtest main.js --against git:none', /^card: git has no main\.js at none: .+\.$/],
  [
    'backtest main.js --against git:-x',
    /^card: --against git:REF needs a ref such as git:HEAD, not 'git:-x'\.$/,
  ],
  ['backtest fresh.js --against git:HEAD', /^card: git has no fresh\.js at HEAD: .+\.$/],
  ['backtest main.js --against none.js', /^card: There is no file none\.js\.$/],
  ['backtest main.js --from none.csv', /^card: There is no file none\.csv\.$/],
  ['backtest main.js --from main.js', /^card: main\.js is not JSON: /],
  [
    'backtest main.js --from empty.csv',
    /^card: empty\.csv has no rows: it needs a header and one line for each/,
  ],
  [
    'backtest main.js --from env.json',
    /^card: env\.json is neither a state file nor a list of executions whose/,
  ],
  ['backtest main.js --months 0', /^card: --months must be a whole number from 1 to 120, not '0'\.$/],
  ['backtest main.js --columns cents=X', /^card: --columns goes with a CSV file in --from\.$/],
  [
    'backtest main.js --from odd.csv',
    /^card: odd\.csv needs a column cents or rand; --columns cents=NAME says which it is\. It has Amount, When\.$/,
  ],
  [
    'backtest main.js --from odd.csv --columns cents=Sum',
    /^card: odd\.csv has no column 'Sum'; it has Amount, When\.$/,
  ],
  [
    'backtest main.js --from odd.csv --columns amount=Amount',
    /^card: --columns must be PART=COLUMN with commas between, where PART is one of cents, .* not 'amount=Amount'\.$/,
  ],
  [
    'backtest main.js --from odd.csv --columns cents=Amount --html no/where.html',
    /^card: no\/where\.html cannot be/,
  ],
])('card %s is refused in one sentence, with exit code 2', async (line, sentence) => {
  using desk = repository({
    'main.js': upTo(1),
    'env.json': '{}',
    'empty.csv': 'cents\n',
    'odd.csv': 'Amount,When\n500,2026-01-01\n',
  })
  desk.write('fresh.js', upTo(1))
  const { code, out, err } = await desk.card(`${line} ${now}`)
  expect([code, out]).toEqual([2, ''])
  expect(err).toMatch(sentence)
  expect(err.split('\n')).toHaveLength(1)
})

test('columns are mapped; amounts with a minus, semicolons and short codes are read; all errors are reported', async () => {
  using desk = new CardDesk({ 'main.js': upTo(50_000) })
  desk.write(
    'bank.csv',
    'Wanneer;Bedrag;MCC;Naam\n2026-01-05;-100,50;742;Vet\n2026-01-06;-600,00;5812;Grill\n',
  )
  const flags = `--from bank.csv --columns date=Wanneer,rand=Bedrag,mcc=mcc,merchant=naam --csv out.csv ${now}`
  expect((await desk.card(`backtest main.js ${flags}`)).code).toBe(0)
  expect(desk.read('out.csv')).toBe(`id,dateTime,card,merchant,category,cents,currency,new
1,2026-01-05T00:00:00.000Z,700615,Vet,0742,10050,ZAR,approved
2,2026-01-06T00:00:00.000Z,700615,Grill,5812,60000,ZAR,declined
`)
  desk.write('bad.csv', 'cents,mcc,date\n0,5812,2026-01-01\n5,58,yesterday\n5,58120,2026-01-01\n')
  expect((await desk.card(`backtest main.js --from bad.csv ${now}`)).err.split('\n')).toEqual([
    expect.stringMatching(
      /^card: bad\.csv:2: the column of cents must be a whole number of cents above zero/,
    ),
    'card: bad.csv:3: the date must be written as 2026-03-25 or 2026-03-25T08:00:00Z.',
    expect.stringMatching(
      /^card: bad\.csv:4: the column of category must be a merchant category code of four/,
    ),
  ])
})

test('the purchases of a state file are the recorded ones', async () => {
  using desk = new CardDesk({ 'main.js': upTo(50_000) })
  await using sandbox = await createSandbox({ now: '2026-03-25T08:00:00Z' })
  await sandbox.cards.transact(card, { centsAmount: 77_777, merchant: { name: 'Only Here' } })
  const state = await sandbox.fetch('/_sandbox/state')
  desk.write('state.json', await state.text())
  const { code } = await desk.card(`backtest main.js --from state.json --months 1 --csv out.csv ${now}`)
  expect(code).toBe(0)
  const rows = desk.read('out.csv').trim().split('\n')
  expect(rows.filter((row) => row.includes('Only Here'))).toEqual([
    expect.stringMatching(/,2026-03-25T08:00:00\.000Z,700615,Only Here,5462,77777,ZAR,declined$/),
  ])
  // The household's purchases of the month are there too.
  expect(rows.length).toBeGreaterThan(50)
})

test('recorded executions are purchases: the code sees their time and reference', async () => {
  const argument = {
    dateTime: '2026-01-02T03:04:05.000Z',
    centsAmount: 4_200,
    currencyCode: 'zar',
    card: { id: card },
    merchant: { name: 'Grocer', city: 'Durban', category: { code: '5411' }, country: { code: 'ZA' } },
  }
  const execution = (executionId: string, type: string, content: string) => ({
    executionId,
    type,
    createdAt: '2026-01-02T03:04:05Z',
    logs: [{ content: 'hello' }, { content }],
  })
  using desk = new CardDesk({
    'main.js': `const beforeTransaction = async (a) => a.dateTime === '2026-01-02T03:04:05.000Z' && a.reference === 'E1' && new Date().toISOString() === a.dateTime`,
    'executions.json': JSON.stringify({
      executions: [
        execution('E1', 'before_transaction', JSON.stringify(argument)),
        execution('E2', 'after_transaction', JSON.stringify(argument)),
        execution('E3', 'before_transaction', 'nothing to see'),
      ],
    }),
  })
  const { code, out } = await desk.card(`backtest main.js --from executions.json --json ${now}`)
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({
    file: 'main.js',
    against: null,
    purchases: 1,
    months: 1,
    cards: 1,
    old: null,
    new: { approved: 1, declined: 0, failed: 0, declinedCents: 0 },
    changed: [],
    byMonth: [{ name: '2026-01', purchases: 1 }],
  })
})

test('--fail-on-change ends with 1 for a change; code that fails more often does so without the flag', async () => {
  using desk = new CardDesk({ 'main.js': upTo(50_000), 'old.js': upTo(90_000), 'past.csv': past })
  const line = `backtest main.js --against old.js --from past.csv ${now}`
  expect((await desk.card(line)).code).toBe(0)
  expect((await desk.card(`${line} --fail-on-change`)).code).toBe(1)
  expect((await desk.card(`${line.replace('old.js', 'main.js')} --fail-on-change`)).code).toBe(0)
  desk.write('past.csv', `${past}2026-02-04,100,7995,Lucky Star,\n`)
  const failing = await desk.card(`backtest main.js --from past.csv --json ${now}`)
  expect(failing.code).toBe(1)
  expect(JSON.parse(failing.out)).toMatchObject({ new: { failed: 1 } })
  // Both fail: nothing has become worse.
  expect((await desk.card(line)).code).toBe(0)
})

test('the report is one page without scripts, and foreign text is escaped', async () => {
  using desk = new CardDesk({ 'main.js': upTo(50_000), 'old.js': upTo(90_000) })
  desk.write('past.csv', 'cents,merchant\n60000,<img src=x onerror=alert(1)> & Sons\n')
  await desk.card(`backtest main.js --against old.js --from past.csv --html report.html --csv out.csv ${now}`)
  const page = desk.read('report.html')
  expect(page).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; Sons')
  expect(page).not.toMatch(/<(?:script|img|link|iframe)|https?:|url\(/)
  expect(page).toContain('<svg role="img"')
  expect(page).toMatch(/^<!doctype html>/i)
  // A cell that a spreadsheet would take for a formula.
  desk.write('past.csv', 'cents,merchant\n1,=1+1\n')
  await desk.card(`backtest main.js --from past.csv --csv out.csv ${now}`)
  expect(desk.read('out.csv')).toContain(",'=1+1,")
})

test('a long backtest shows its progress, and clears the line', async () => {
  using desk = new CardDesk({ 'main.js': upTo(50_000) })
  desk.write('past.csv', `cents\n${'5\n'.repeat(2_000)}`)
  const shown: string[] = []
  const { code, out } = await desk.card(`backtest main.js --from past.csv ${now}`, (text) => shown.push(text))
  expect([code, out.split('\n')[0]]).toEqual([0, '2 000 purchases, 1 month, 1 card'])
  expect(shown.length).toBeLessThanOrEqual(102)
  expect(shown.at(-2)).toBe(`${'█'.repeat(25)} 100 %  2 000 of 2 000`)
  expect(shown.at(-1)).toBe('')
})

test('the network is denied, and stubs answer', async () => {
  const source = `const beforeTransaction = async () => (await (await fetch('https://api.example.com/')).json()).ok`
  using desk = new CardDesk({ 'main.js': source, 'past.csv': past })
  desk.write('stubs.json', JSON.stringify([{ respond: { json: { ok: false } } }]))
  const totals = async (flags: string) =>
    (
      JSON.parse((await desk.card(`backtest main.js --from past.csv --json ${flags} ${now}`)).out) as {
        new: object
      }
    ).new
  expect(await totals('--months 1')).toMatchObject({ declined: 0, failed: 4 })
  expect(await totals('--stubs stubs.json')).toMatchObject({ declined: 4, failed: 0 })
})
