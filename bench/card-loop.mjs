// The figures of the card commands: run, 100 cases, the lint of 300 lines, a year of purchases. `npm run build` first.

import { execFileSync } from 'node:child_process'
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
figure(
  'node -e 0',
  medianMs(() => execFileSync(process.execPath, ['-e', '0'])),
  { unit: 'ms' },
)

rmSync(directory, { recursive: true, force: true })
