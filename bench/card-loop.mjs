// The figures of the card commands: run, 100 cases, the lint of 300 lines, backtests, watch. `npm run build` first.

import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lintCard } from '../dist/card-code/lint/lint.js'
import { figure, median } from './figures.mjs'

const command = fileURLToPath(new URL('../dist/command/cli.js', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'card-bench-'))
const card = (...args) =>
  execFileSync(process.execPath, [command, 'card', ...args], { cwd: directory, stdio: 'pipe' })

/** The median of several times, in ms. */
function medianMs(run, times = 5) {
  const all = Array.from({ length: times }, () => {
    const began = performance.now()
    run()
    return performance.now() - began
  })
  return median(all)
}

const rule = `const beforeTransaction = async ({ centsAmount, merchant }) => merchant.category.code !== '5812' || centsAmount <= 50000\n`
const cases = Array.from(
  { length: 100 },
  (_, index) => `  case ${index}: { swipe: { rand: ${index + 1}, category: '5812' }, expect: approved }`,
)
writeFileSync(join(directory, 'main.js'), rule)
writeFileSync(join(directory, 'old.js'), 'const beforeTransaction = async () => true\n')
writeFileSync(join(directory, 'card.test.yaml'), `now: 2026-03-25T08:00:00Z\ncases:\n${cases.join('\n')}\n`)
const long = Array.from(
  { length: 100 },
  (_, index) => `const allows${index} = async (a) => {\n  return a.centsAmount < ${index}\n}\n`,
).join('')
const now = ['--now', '2026-03-25T08:00:00Z']

figure(
  'card run',
  medianMs(() => card('run', 'main.js', ...now)),
  { unit: 'ms', atMost: 350 },
)
figure(
  'card test, 100 cases',
  medianMs(() => card('test')),
  { unit: 'ms', atMost: 1000 },
)
figure(
  'card lint, 300 lines, in a process that is warm',
  medianMs(() => lintCard(rule + long), 20),
  { unit: 'ms', atMost: 25 },
)
const backtest = () => card('backtest', 'main.js', '--against', 'old.js', '--months', '12', ...now)
figure('card backtest, 12 months', medianMs(backtest, 3), { unit: 'ms', atMost: 1500 })

// Purchases of a year at one shop after the other.
const purchases = Array.from(
  { length: 100_000 },
  (_, index) =>
    `2025-${String((index % 12) + 1).padStart(2, '0')}-11,${index},581${index % 10},Shop ${index % 97}`,
)
writeFileSync(
  join(directory, 'past.csv'),
  `date,cents,mcc,merchant\n${purchases.join('\n').replace(',0,', ',1,')}\n`,
)
const fromCsv = () => card('backtest', 'main.js', '--from', 'past.csv', ...now)
figure('card backtest, 100,000 purchases', medianMs(fromCsv, 1) / 1_000, {
  unit: 's',
  atMost: 60,
})

/** From each of several edits to the repainted screen of 20 cases, the median in ms. */
async function repaintMs() {
  writeFileSync(
    join(directory, 'card.test.yaml'),
    `now: 2026-03-25T08:00:00Z\ncases:\n${cases.slice(0, 20).join('\n')}\n`,
  )
  const watch = spawn(process.execPath, [command, 'card', 'watch', 'main.js'], { cwd: directory })
  watch.stdout.setEncoding('utf8')
  const screens = watch.stdout[Symbol.asyncIterator]()
  /** The end of the next screen: without a terminal it is an empty line. */
  const painted = async () => {
    let screen = ''
    while (!screen.endsWith('\n\n')) screen += (await screens.next()).value
  }
  await painted()
  const all = []
  for (let round = 0; round < 9; round++) {
    const began = performance.now()
    writeFileSync(join(directory, 'main.js'), `${rule}// ${round}\n`)
    await painted()
    all.push(performance.now() - began)
  }
  watch.kill()
  return median(all)
}
figure('card watch, 20 cases, from the write to the screen', await repaintMs(), { unit: 'ms', atMost: 150 })
figure(
  'node -e 0',
  medianMs(() => execFileSync(process.execPath, ['-e', '0'])),
  { unit: 'ms' },
)

rmSync(directory, { recursive: true, force: true })
