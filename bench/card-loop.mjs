// The figures of the card commands: run, 100 cases, the lint of 300 lines, a year of purchases. `npm run build` first.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lintCard } from '../dist/card-code/lint/lint.js'

const command = fileURLToPath(new URL('../dist/command/cli.js', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'card-bench-'))
const card = (...args) =>
  execFileSync(process.execPath, [command, 'card', ...args], { cwd: directory, stdio: 'pipe' })

/** The median of several times, in ms. */
function median(run, times = 5) {
  const all = Array.from({ length: times }, () => {
    const began = performance.now()
    run()
    return performance.now() - began
  })
  return all.sort((a, b) => a - b)[Math.floor(times / 2)]
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

console.log(`load ${loadavg()[0].toFixed(1)}, Node ${process.version}`)
const bare = median(() => execFileSync(process.execPath, ['-e', '0']))
console.log(`node -e 0                ${bare.toFixed(0)} ms`)
console.log(`card run                 ${median(() => card('run', 'main.js', ...now)).toFixed(0)} ms`)
console.log(`card test, 100 cases     ${median(() => card('test')).toFixed(0)} ms`)
console.log(`lint, 300 lines          ${median(() => lintCard(rule + long), 20).toFixed(1)} ms`)
const backtest = () => card('backtest', 'main.js', '--against', 'old.js', '--months', '12', ...now)
console.log(`card backtest, 12 months ${median(backtest, 3).toFixed(0)} ms`)
rmSync(directory, { recursive: true, force: true })
