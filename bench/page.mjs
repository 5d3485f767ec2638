// The cost of the page: bytes, the time until it is ready, rows, memory, the delay of a swipe, and the load on the
// server. node bench/page.mjs, with Chromium (CHROMIUM_PATH names another one). Ends with 1 when a bound is exceeded.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { startSandbox } from '../dist/index.js'
import { figure, median, quantile } from './figures.mjs'

const folder = path.resolve(import.meta.dirname, '../dist/page/client')
const command = path.resolve(import.meta.dirname, '../dist/command/cli.js')
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
if (!existsSync(executablePath)) throw new Error('No Chromium: CHROMIUM_PATH names one.')
const card = '700615'
const everyday = '4675778129910189600000003'

const print = (what, value, atMost, unit) => figure(what, value, { unit, atMost })
const packed = (names) =>
  names.reduce((sum, name) => sum + gzipSync(readFileSync(path.join(folder, name)), { level: 9 }).length, 0) /
  1024
/** Ms of the machine's clock, which page and bench share. */
const machineMs = () => performance.timeOrigin + performance.now()

const files = readdirSync(folder)
print('the page: all files, packed', packed(files), 300, 'KB')
print('the page: first load, packed', packed(files.filter((name) => /^(index|app)/.test(name))), 45, 'KB')

/** Ms from the start of the command to its ready line. */
async function startMs(...flags) {
  const start = performance.now()
  const child = spawn(process.execPath, [command, '--port', '0', '--json', ...flags], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(createInterface(child.stdout), 'line')
  const ms = performance.now() - start
  child.kill()
  await once(child, 'exit')
  return ms
}
const starts = { with: [], without: [] }
for (let i = 0; i < 9; i++) {
  starts.with.push(await startMs())
  starts.without.push(await startMs('--no-page'))
}
const medians = [median(starts.with), median(starts.without)]
console.log(
  `start of the server, median: ${medians[0].toFixed(0)} ms, with --no-page ${medians[1].toFixed(0)} ms`,
)
print('start of the server: what the page adds', Math.max(0, medians[0] - medians[1]), 10, 'ms')

const sandbox = await startSandbox({ port: 0, now: '2026-03-25T08:00:00Z' })
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
})
const place = (name) => `${sandbox.url}/_sandbox/#/w/default/${name}`

const { clientId, clientSecret, apiKey } = sandbox.credentials
const answer = await fetch(`${sandbox.url}/identity/v2/oauth2/token`, {
  method: 'POST',
  headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`, 'x-api-key': apiKey },
  body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'accounts' }),
})
const headers = { authorization: `Bearer ${(await answer.json()).access_token}` }
/** Median ms of GET accounts, one after the other. */
async function accountsMs() {
  const times = []
  for (let i = 0; i < 1500; i++) {
    const start = performance.now()
    await (await fetch(`${sandbox.url}/za/pb/v1/accounts`, { headers })).text()
    times.push(performance.now() - start)
  }
  return median(times)
}
await accountsMs()
const alone = await accountsMs()

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
print('the page: from its address to Swipe, median of 10', median(ready), 500, 'ms')
const watched = await accountsMs()
console.log(`GET accounts, median: ${alone.toFixed(2)} ms, with a page open ${watched.toFixed(2)} ms`)
print('GET accounts: what an open page adds', Math.max(0, watched - alone), 0.2, 'ms')

const seen = []
await page.evaluate(() => {
  globalThis.rowsSeen = []
  new MutationObserver(() => {
    const count = document.querySelectorAll('.feed [data-item]').length
    const ms = performance.timeOrigin + performance.now()
    while (globalThis.rowsSeen.length < count) globalThis.rowsSeen.push(ms)
  }).observe(document.querySelector('main'), { childList: true, subtree: true })
})
for (let i = 1; i <= 60; i++) {
  const start = machineMs()
  await fetch(`${sandbox.url}/_sandbox/cards/${card}/transactions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ centsAmount: i }),
  })
  await page.waitForFunction((count) => globalThis.rowsSeen.length === count, i)
  seen.push((await page.evaluate(() => globalThis.rowsSeen.at(-1))) - start)
}
print('the page: a swipe by another program to its row, p95', quantile(seen, 0.95), 100, 'ms')

const { total } = await sandbox.accounts.entries(everyday, { limit: '1' })
for (let i = total; i < 10_000; i++)
  await sandbox.accounts.enter(everyday, { type: 'CREDIT', amount: '1.00', description: `ROW ${i}` })
await page.goto(place(`accounts/${everyday}`))
await page.getByRole('table', { name: 'Statement' }).waitFor()
await page.waitForFunction(
  () => Number(document.querySelector('table').getAttribute('aria-rowcount')) > 10_000,
)
const slowest = await page.evaluate(async () => {
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
print('the page: 10,000 rows filtered and drawn', slowest, 50, 'ms')
const session = await page.context().newCDPSession(page)
await session.send('HeapProfiler.collectGarbage')
const { usedSize } = await session.send('Runtime.getHeapUsage')
print('the page: heap with 10,000 rows', usedSize / 1_048_576, 20, 'MB')

await browser.close()
await sandbox.close()
