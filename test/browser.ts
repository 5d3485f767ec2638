// A real browser for the tests of the page. CHROMIUM_PATH names one; without one the tests are skipped with a notice,
// but never when CI=true.

import { existsSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, expect, jest, test as each } from '@jest/globals'
import { chromium, type Browser, type BrowserContext, type Locator, type Page } from 'playwright-core'
import { card, everyday, savings } from './ids.js'
import { startSandbox, type StartedSandbox } from '../src/index.js'

const candidates = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
export const executablePath = candidates.find((path) => path !== undefined && existsSync(path))
if (executablePath === undefined && process.env.CI !== 'true')
  process.stderr.write(
    'test/browser.ts: no Chromium; CHROMIUM_PATH names one. The tests of the page are skipped.\n',
  )
export const test = executablePath === undefined && process.env.CI !== 'true' ? each.skip : each

export const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const now = '2026-03-25T08:00:00Z'
export { card, everyday } from './ids.js'

export const screens = [
  'Accounts',
  'Cards',
  'Code',
  'Requests',
  'Payments',
  'Faults',
  'Settings',
  'Workspaces',
] as const

export const petrolOnly = `const beforeTransaction = async (authorization) => {
  if (authorization.merchant.category.code !== '5541') {
    console.log('not petrol')
    return false
  }
  return true
}
const afterTransaction = async () => {}
const afterDecline = async () => {
  throw new Error('no mail')
}
`

export let browser: Browser
export const ends: (() => Promise<unknown>)[] = []

// A busy machine starts a browser slowly.
jest.setTimeout(120_000)

beforeAll(async () => {
  if (executablePath === undefined && process.env.CI !== 'true') return
  browser = await chromium.launch({ executablePath: executablePath!, args: flags })
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})
afterAll(async () => {
  await (browser as Browser | undefined)?.close()
})

export async function serve(options: Parameters<typeof startSandbox>[0] = {}): Promise<StartedSandbox> {
  const sandbox = await startSandbox({ port: 0, now, ...options })
  ends.push(() => sandbox.close())
  return sandbox
}

interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  /** Console messages, errors, and requests to other origins. */
  readonly complaints: string[]
}

export async function visit(url: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Visit> {
  const context = await browser.newContext({ ...options, permissions: ['clipboard-read', 'clipboard-write'] })
  ends.push(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  const { origin } = new URL(url)
  page.on('request', (request) => {
    const target = request.url()
    if (!target.startsWith(origin) && !target.startsWith('data:') && !target.startsWith('blob:'))
      complaints.push(`request: ${target}`)
  })
  await page.goto(url)
  await live(page)
  return { page, context, complaints }
}

/** The sandbox and its page at a place, such as `cards/700615`. */
export async function open(place = 'cards', options: Parameters<Browser['newContext']>[0] = {}) {
  const sandbox = await serve()
  return { sandbox, ...(await visit(pageAt(sandbox, place), options)) }
}

export const pageAt = ({ url }: { url: string }, place: string, workspace = 'default'): string =>
  `${url}/_sandbox/#/w/${workspace}/${place}`

export const live = (page: Page): Promise<void> => page.locator('.status.live').waitFor()
export const button = (at: Page | Locator, name: string): Locator =>
  at.getByRole('button', { name, exact: true })
export const rows = (page: Page): Locator =>
  page.getByRole('list', { name: 'Transactions' }).getByRole('listitem')
/** Waits until the newest transaction has this text; the browser may omit a row's text until it is drawn. */
export const firstRow = (page: Page, text: RegExp): Promise<void> =>
  rows(page).first().filter({ hasText: text }).waitFor()
export const goTo = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('link', { name, exact: true }).first().click()
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  await page.locator('main > :nth-child(2)').first().waitFor()
}
export const clipboard = (page: Page): Promise<string> => page.evaluate('navigator.clipboard.readText()')
export const detail = (page: Page): Locator => page.getByRole('region', { name: 'Transaction', exact: true })
export const said = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByRole('status').filter({ hasText: text }).first().waitFor()

export async function token({ url, credentials }: StartedSandbox): Promise<string> {
  const { clientId, clientSecret, apiKey } = credentials
  const answer = await fetch(`${url}/identity/v2/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`, 'x-api-key': apiKey },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'accounts' }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

/** A bank in which every screen has contents. */
export async function filled(options: Parameters<typeof startSandbox>[0] = {}): Promise<StartedSandbox> {
  const sandbox = await serve(options)
  await sandbox.cards.setProgram(card, { code: petrolOnly, publish: true })
  await sandbox.cards.transact(card, {
    centsAmount: 60_000,
    merchant: { name: 'Harbour Fuel', categoryCode: '5541' },
  })
  await sandbox.cards.transact(card, {
    centsAmount: 60_000,
    merchant: { name: 'Ocean Grill', categoryCode: '5812' },
  })
  const authorization = `Bearer ${await token(sandbox)}`
  await sandbox.accounts.setAuthorisation(everyday, {
    numberOfAuthorisationRequired: '1',
    authorisersListA: [{ authoriserId: '501', name: 'T Naidoo' }],
  })
  const transfer = {
    beneficiaryAccountId: savings,
    amount: '100',
    myReference: 'a',
    theirReference: 'b',
  }
  await fetch(`${sandbox.url}/za/pb/v1/accounts/${everyday}/transfermultiple`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ transferList: [transfer] }),
  })
  await fetch(`${sandbox.url}/za/pb/v1/accounts`, { headers: { authorization } })
  await sandbox.faults.add({ match: { path: '/za/v1/cards' }, fault: { status: 503 } })
  await sandbox.outbound.stubs.add({ match: { url: 'https://api.example/**' }, respond: { json: {} } })
  return sandbox
}

/** Waits until a list has this many items. */
export async function hasItems(items: Locator, count: number): Promise<void> {
  await items.nth(count - 1).waitFor()
  expect(await items.count()).toBe(count)
}
