// `card run`, `card test`, `card backtest`, the HTTP API and the Node API decide alike, because all of them use the
// same bank.

import { expect, test } from '@jest/globals'
import { CardDesk } from '../../test/card-desk.js'
import { startSandbox } from '../index.js'
import { card } from '../../test/ids.js'

const now = '2026-03-25T08:00:00Z'
const source = `const beforeTransaction = async ({ centsAmount, merchant }) => {
  if (merchant.category.code === '7995') throw new Error('no bets')
  if (merchant.category.code === '5813') return 'no'
  return centsAmount < 50000 && merchant.category.code !== '5812'
}
`
const purchases = [
  [10_000, '5411'],
  [60_000, '5411'],
  [10_000, '5812'],
  [10_000, '7995'],
  [10_000, '5813'],
] as const

test('a purchase is decided alike in every way', async () => {
  using desk = new CardDesk({ 'main.js': source })
  await using sandbox = await startSandbox({ now })
  const program = { code: source, publish: true, enabled: true }
  const asked = await fetch(`${sandbox.url}/_sandbox/cards/${card}/program`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(program),
  })
  expect(asked.status).toBe(200)
  const cases = purchases.map(
    ([cents, category], index) =>
      `  c${index}: { swipe: { cents: ${cents}, category: '${category}' }, expect: approved }`,
  )
  desk.write('card.test.yaml', `now: ${now}\ncases:\n${cases.join('\n')}\n`)
  const rows = purchases.map(([cents, category]) => `${cents},${category}`)
  desk.write('past.csv', `cents,mcc\n${rows.join('\n')}\n`)
  const tested = JSON.parse((await desk.card('test --json')).out) as {
    files: { cases: { steps: { decision: string }[] }[] }[]
  }
  await desk.card(`backtest main.js --from past.csv --csv out.csv --now ${now}`)
  const backtested = desk
    .read('out.csv')
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => row.split(',').at(-1))
  const decided: string[][] = []
  for (const [index, [centsAmount, categoryCode]] of purchases.entries()) {
    const body = { centsAmount, merchant: { categoryCode } }
    const over = await fetch(`${sandbox.url}/_sandbox/cards/${card}/transactions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const http = (await over.json()) as { decision: string }
    const own = await sandbox.cards.transact(card, body)
    const flags = `--cents ${centsAmount} --mcc ${categoryCode} --card ${card} --now ${now} --json`
    const simulated = JSON.parse((await desk.card(`run main.js ${flags}`)).out) as { decision: string }
    const real = JSON.parse((await desk.card(`run main.js --real ${flags}`)).out) as { decision: string }
    const inTest = tested.files[0]!.cases[index]!.steps[0]!.decision
    decided.push([http.decision, own.decision, simulated.decision, real.decision, inTest])
  }
  const all = (decision: string): string[] => Array<string>(5).fill(decision)
  expect(decided).toEqual([
    all('approved'),
    all('declined'),
    all('declined'),
    all('approved'),
    all('approved'),
  ])
  expect(backtested).toEqual(['approved', 'declined', 'declined', 'failed', 'failed'])
})

test('the same backtest gives the same bytes', async () => {
  using desk = new CardDesk({ 'main.js': source, 'old.js': 'const beforeTransaction = async () => true' })
  const run = () =>
    desk.card(`backtest main.js --against old.js --months 2 --now ${now} --html r.html --csv r.csv`)
  const first = [await run(), desk.read('r.html'), desk.read('r.csv')]
  expect([await run(), desk.read('r.html'), desk.read('r.csv')]).toEqual(first)
  expect(desk.read('r.html')).not.toMatch(/<script|https?:/)
})
