// What the page costs: bytes, the time until it is ready, rows, memory, and how soon a swipe is seen.
// node bench/page.mjs, with Chromium (CHROMIUM_PATH names another one).

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { startSandbox } from '../dist/index.js'

const folder = path.resolve(import.meta.dirname, '../dist/page/client')
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
if (!existsSync(executablePath)) throw new Error('No Chromium: CHROMIUM_PATH names one.')
const card = '700615'
const everyday = '4675778129910189600000003'

const print = (name, value, bound) =>
  console.log(`${name.padEnd(44)} ${value.padStart(12)}   at most ${bound}`)
const packed = (names) =>
  names.reduce((sum, name) => sum + gzipSync(readFileSync(path.join(folder, name)), { level: 9 }).length, 0)
const kb = (bytes) => `${(bytes / 1024).toFixed(1)} KB`
const at = (values, part) => [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * part)]

const files = readdirSync(folder)
print('all files, packed', kb(packed(files)), '300 KB')
print('first load, packed', kb(packed(files.filter((name) => /^(index|app)/.test(name)))), '45 KB')

const sandbox = await startSandbox({ port: 0, now: '2026-03-25T08:00:00Z' })
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
})
const place = (name) => `${sandbox.url}/_sandbox/#/w/default/${name}`
const page = await browser.newPage()
const ready = []
for (let i = 0; i < 10; i++) {
  await page.goto('about:blank')
  const start = performance.now()
  await page.goto(place(`cards/${card}`))
  await page.locator('.status.live').waitFor()
  await page.getByRole('button', { name: 'Swipe', exact: true }).waitFor()
  ready.push(performance.now() - start)
}
print('ready: from the address to Swipe, median', `${at(ready, 0.5).toFixed(0)} ms`, '500 ms')

const { total } = await sandbox.accounts.entries(everyday, { limit: '1' })
for (let i = total; i < 10_000; i++)
  await sandbox.accounts.enter(everyday, { type: 'CREDIT', amount: '1.00', description: `ROW ${i}` })
await page.goto(place(`accounts/${everyday}`))
const statement = page.getByRole('table', { name: 'Statement' })
await statement.waitFor()
await page.waitForFunction(
  () => Number(document.querySelector('table').getAttribute('aria-rowcount')) > 10_000,
)
const filter = () =>
  page.evaluate(async () => {
    const field = document.querySelector('input[type=search]')
    const times = []
    for (const text of ['row 99', 'fuel', '']) {
      const start = performance.now()
      field.value = text
      field.dispatchEvent(new Event('input', { bubbles: true }))
      const before = document.querySelector('table')?.getAttribute('aria-rowcount')
      while (
        document.querySelector('table')?.getAttribute('aria-rowcount') === before &&
        performance.now() - start < 1000
      )
        await new Promise((resolve) => requestAnimationFrame(resolve))
      times.push(performance.now() - start)
    }
    return Math.max(...times)
  })
print('10,000 rows filtered and drawn', `${(await filter()).toFixed(0)} ms`, '50 ms')
const session = await page.context().newCDPSession(page)
await session.send('HeapProfiler.collectGarbage')
const { usedSize } = await session.send('Runtime.getHeapUsage')
print('heap with 10,000 rows', `${(usedSize / 1_048_576).toFixed(1)} MB`, '20 MB')

await page.goto(place(`cards/${card}`))
await page.locator('.status.live').waitFor()
const seen = []
for (let i = 1; i <= 60; i++) {
  const start = performance.now()
  await fetch(`${sandbox.url}/_sandbox/cards/${card}/transactions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ centsAmount: i }),
  })
  await page.waitForFunction((count) => document.querySelectorAll('.feed [data-item]').length === count, i)
  seen.push(performance.now() - start)
}
print('a swipe by another program to its row, p95', `${at(seen, 0.95).toFixed(0)} ms`, '100 ms')
await browser.close()
await sandbox.close()
