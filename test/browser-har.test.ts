// A recording that a real browser exports, of a page that calls the API. CHROMIUM_PATH names a browser; without one the
// test is skipped with a notice, but never when CI=true.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test as each } from '@jest/globals'
import { chromium } from 'playwright-core'
import { startSandbox } from '../src/index.js'
import { runRealData } from '../src/real-data/commands.js'
import { loadScenarioFile } from '../src/scenario/scenario.js'

const executablePath = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path !== undefined && existsSync(path),
)
const isSkipped = executablePath === undefined && process.env.CI !== 'true'
if (isSkipped)
  process.stderr.write('test/browser-har.test.ts: no Chromium; CHROMIUM_PATH names one. Skipped.\n')
const test = isSkipped ? each.skip : each

/** The script of the page: it signs in, and reads what a scenario needs. It runs in the browser. */
const page = (given: object): string => `(async ({ clientId, clientSecret, apiKey }) => {
  const signedIn = await fetch('/identity/v2/oauth2/token', {
    method: 'POST',
    headers: { authorization: 'Basic ' + btoa(clientId + ':' + clientSecret), 'x-api-key': apiKey },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const headers = { authorization: 'Bearer ' + (await signedIn.json()).access_token }
  const get = async (path) => (await (await fetch(path, { headers })).json()).data
  const { accounts } = await get('/za/pb/v1/accounts')
  for (const { accountId } of accounts)
    for (const rest of ['balance', 'transactions?includePending=true'])
      await get('/za/pb/v1/accounts/' + accountId + '/' + rest)
  await get('/za/pb/v1/profiles')
  await get('/za/v1/cards')
  return accounts.length
})(${JSON.stringify(given)})`

async function run(name: string, args: readonly string[]) {
  const lines: string[] = []
  const print = (line: string): void => void lines.push(line)
  const code = await runRealData(
    name,
    [...name.split(' '), ...args],
    {},
    { print, say: print, program: 'sandbox-server' },
  )
  return { code, output: lines.join('\n') }
}

test('compare and from-har read what a browser has recorded', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'browser-har-'))
  const real = await startSandbox({ port: 0, now: '2026-03-25T08:00:00Z', seed: 4 })
  const browser = await chromium.launch({
    executablePath: executablePath!,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  })
  try {
    const file = join(folder, 'browser.har')
    const context = await browser.newContext({ recordHar: { path: file, content: 'embed' } })
    const tab = await context.newPage()
    await tab.goto(`${real.url}/_sandbox/health`)
    expect(await tab.evaluate(page(real.credentials))).toBe(5)
    await context.close()
    expect((JSON.parse(readFileSync(file, 'utf8')) as { log: object }).log).toMatchObject({
      browser: { name: 'chromium' },
    })

    const compared = await run('compare', ['--har', file])
    expect(compared).toEqual({ code: 0, output: 'No drift in 6 endpoints.' })
    const out = join(folder, 'browser.yaml')
    const built = await run('scenario from-har', [file, '--out', out])
    expect([built.code, built.output]).toEqual([
      0,
      expect.stringMatching(/^5 accounts, \d+ rows and 4 cards /m),
    ])
    const bank = (await loadScenarioFile(out)).opening.bank!.state
    expect(Object.values(bank.books).map(({ entries }) => entries.length > 0)).toContain(true)
    const text = JSON.stringify(bank) + readFileSync(out, 'utf8')
    expect(text).not.toMatch(/Naidoo/i)
  } finally {
    await browser.close()
    await real.close()
    rmSync(folder, { recursive: true })
  }
}, 60_000)
