// The page in a real browser. CHROMIUM_PATH names one; without any the tests are skipped with a notice, but never where
// CI=true.

import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { AxeBuilder } from '@axe-core/playwright'
import { afterAll, afterEach, beforeAll, expect, test as each } from '@jest/globals'
import express from 'express'
import { chromium, type Browser, type BrowserContext, type Locator, type Page } from 'playwright-core'
import { sandboxRouter } from '../src/express.js'
import { createSandbox, startSandbox, type StartedSandbox } from '../src/index.js'

const candidates = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
const executablePath = candidates.find((path) => path !== undefined && existsSync(path))
if (executablePath === undefined && process.env.CI !== 'true')
  process.stderr.write(
    'test/page.test.ts: no Chromium; CHROMIUM_PATH names one. The tests of the page are skipped.\n',
  )
const test = executablePath === undefined && process.env.CI !== 'true' ? each.skip : each

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const now = '2026-03-25T08:00:00Z'
const card = '700615'
const everyday = '4675778129910189600000003'

const screens = [
  'Accounts',
  'Cards',
  'Code',
  'Requests',
  'Payments',
  'Faults',
  'Settings',
  'Workspaces',
] as const

const petrolOnly = `const beforeTransaction = async (authorization) => {
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

let browser: Browser
const ends: (() => Promise<unknown>)[] = []

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

async function serve(options: Parameters<typeof startSandbox>[0] = {}): Promise<StartedSandbox> {
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

async function visit(url: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Visit> {
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
async function open(place = 'cards', options: Parameters<Browser['newContext']>[0] = {}) {
  const sandbox = await serve()
  return { sandbox, ...(await visit(pageAt(sandbox, place), options)) }
}

const pageAt = ({ url }: { url: string }, place: string, workspace = 'default'): string =>
  `${url}/_sandbox/#/w/${workspace}/${place}`

const live = (page: Page): Promise<void> => page.locator('.status.live').waitFor()
const button = (at: Page | Locator, name: string): Locator => at.getByRole('button', { name, exact: true })
const rows = (page: Page): Locator => page.getByRole('list', { name: 'Transactions' }).getByRole('listitem')
const goTo = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('link', { name, exact: true }).first().click()
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  await page.locator('main > :nth-child(2)').first().waitFor()
}
const clipboard = (page: Page): Promise<string> => page.evaluate('navigator.clipboard.readText()')
const detail = (page: Page): Locator => page.getByRole('region', { name: 'Transaction', exact: true })
const said = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByRole('status').filter({ hasText: text }).first().waitFor()

async function token({ url, credentials }: StartedSandbox): Promise<string> {
  const { clientId, clientSecret, apiKey } = credentials
  const answer = await fetch(`${url}/identity/v2/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`, 'x-api-key': apiKey },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'accounts' }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

/** A bank in which every screen has something to show. */
async function filled(options: Parameters<typeof startSandbox>[0] = {}): Promise<StartedSandbox> {
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
    beneficiaryAccountId: '4675778129910189600000004',
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

test('no screen says anything on the console, nor asks another origin', async () => {
  const sandbox = await filled()
  const { page, complaints } = await visit(pageAt(sandbox, 'cards'))
  for (const name of screens) {
    await goTo(page, name)
    if (name === 'Code') await page.locator('.editor .cm-content').waitFor()
  }
  await goTo(page, 'Requests')
  await page.getByRole('list', { name: 'Requests' }).getByRole('link').first().click()
  await goTo(page, 'Cards')
  await rows(page).first().getByRole('link').click()
  await detail(page).waitFor()
  expect(complaints).toEqual([])
})

test.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 375],
] as const)('no screen breaks a rule of accessibility: %s, %d pixels wide', async (colorScheme, width) => {
  const sandbox = await filled()
  const { page, context } = await visit(pageAt(sandbox, 'cards'), {
    colorScheme,
    viewport: { width, height: 800 },
  })
  const check = async (where: string): Promise<void> => {
    const { violations } = await new AxeBuilder({ page }).analyze()
    const told = violations.map(
      ({ id, nodes }) => `${where}: ${id} ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
    )
    expect(told).toEqual([])
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect([where, overflow]).toEqual([where, 0])
  }
  for (const name of screens) {
    await goTo(page, name)
    if (name === 'Code') await page.locator('.editor .cm-content').waitFor()
    if (name === 'Accounts') await page.getByRole('table', { name: 'Statement' }).waitFor()
    if (name === 'Cards') {
      await rows(page).first().getByRole('link').click()
      await detail(page).waitFor()
    }
    await check(name)
  }
  await context.close()
})

test('each task takes no more clicks than it is worth', async () => {
  const sandbox = await filled()
  const { page } = await visit(pageAt(sandbox, `cards/${card}`))
  await rows(page).nth(1).waitFor()

  // A preset: one click. The same again: one click.
  await page.getByRole('button', { name: /^Dinner/ }).click()
  await said(page, /^Declined: Ocean Grill, R\s900,00/)
  await button(page, 'Swipe again').click()
  await expect4(rows(page), 4)

  // Why was it declined: one click. To the line of code: two.
  await page.goto(pageAt(sandbox, `cards/${card}`))
  await rows(page).first().getByRole('link').click()
  await detail(page).getByText('beforeTransaction returned false').waitFor()
  await detail(page).getByRole('link', { name: 'main.js:3', exact: true }).click()
  await page.locator('.editor .cm-activeLine').filter({ hasText: 'not petrol' }).waitFor()

  // Simulate the draft: one. Publish: two.
  await button(page, 'Simulate').click()
  await page.getByRole('heading', { name: 'Declined by the draft' }).waitFor()
  await button(page, 'Publish').click()
  await page.getByRole('dialog').getByText('This is what is published already.').waitFor()
  await button(page, 'Publish').click()
  await said(page, 'is published: it decides the next purchase')

  // A month ahead: one.
  await button(page, 'Advance 1 month').click()
  await said(page, 'It is Sat, 25 Apr 2026')
  await button(page, 'Undo').click()
  await said(page, 'Undone: Advance 1 month')
  expect((await sandbox.clock.get()).now).toBe('2026-03-25T08:00:00.000Z')

  // Settle a pending row: two, from any screen.
  await goTo(page, 'Accounts')
  const statement = page.getByRole('table', { name: 'Statement' })
  await button(statement, 'Settle').first().click()
  await said(page, /^Settled: HARBOUR FUEL/)

  // Lose the answer of the next payment: two, from its request.
  await goTo(page, 'Requests')
  await page.getByRole('link', { name: /POST .*transfermultiple/ }).click()
  await button(page, 'Fault…').click()
  await button(page, 'Add fault').click()
  await said(page, 'lose the answer after commit, once')
  const { match, fault, times } = (await sandbox.faults.list()).at(-1)!
  expect([match, fault, times]).toEqual([
    { method: 'POST', path: `/za/pb/v1/accounts/${everyday}/transfermultiple` },
    { kind: 'reset', when: 'afterCommit' },
    1,
  ])

  // Payments: one each.
  await goTo(page, 'Payments')
  await button(page, 'Authorise').click()
  await said(page, 'Authorised: R')
  expect((await sandbox.payments.list())[0]!.status).toBe('authorised')
  await button(page, 'Undo').click()
  await button(page, 'Decline').click()
  await said(page, 'Declined: nothing moved')

  // A new workspace with its .env: two.
  await goTo(page, 'Workspaces')
  await button(page, 'New workspace').click()
  await said(page, 'Copied the .env of the new workspace w1')
  const { clientId } = await sandbox.workspaces.get('w1')
  expect(await clipboard(page)).toContain(`SANDBOX_CLIENT_ID=${clientId}\n`)

  // Another scenario: two, a list and its entry; and back.
  await goTo(page, 'Cards')
  await page.getByLabel('Scenario').selectOption('payday')
  await said(page, 'Started anew from payday')
  await button(page, 'Undo').click()
  await expect4(rows(page), 4)
})

/** Waits until a list has so many items. */
async function expect4(items: Locator, count: number): Promise<void> {
  await items.nth(count - 1).waitFor()
  expect(await items.count()).toBe(count)
}

test('each task can be done by the keyboard alone', async () => {
  const sandbox = await filled()
  const { page } = await visit(pageAt(sandbox, `cards/${card}`))
  const { keyboard } = page
  await rows(page).nth(1).waitFor()
  await keyboard.press('s')
  await expect4(rows(page), 3)
  await keyboard.press('r')
  await expect4(rows(page), 4)
  await keyboard.press('Escape')
  await detail(page).waitFor({ state: 'detached' })
  await keyboard.press('j')
  await keyboard.press('j')
  await keyboard.press('k')
  await keyboard.press('Enter')
  await detail(page).waitFor()
  await keyboard.press('Escape')
  await detail(page).waitFor({ state: 'detached' })
  expect(await page.evaluate(`document.activeElement?.hasAttribute('data-item')`)).toBe(true)
  for (const [letter, name] of [
    ['a', 'Accounts'],
    ['o', 'Code'],
    ['r', 'Requests'],
    ['p', 'Payments'],
    ['f', 'Faults'],
    ['s', 'Settings'],
    ['w', 'Workspaces'],
    ['c', 'Cards'],
  ] as const) {
    await keyboard.press('g')
    await keyboard.press(letter)
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  }
  await keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  await keyboard.press('Escape')
  await keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Commands' }).waitFor()
  await keyboard.type('accounts')
  await keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()

  await keyboard.press('g')
  await keyboard.press('o')
  await page.locator('.editor .cm-content').click()
  await keyboard.press('Control+End')
  await keyboard.type('// end')
  await keyboard.press('Control+Enter')
  await page.getByRole('heading', { name: 'Declined by the draft' }).waitFor()
  await keyboard.press('Control+s')
  await said(page, 'Saved as version 3')
  await keyboard.press('Control+Shift+Enter')
  await page.getByRole('dialog', { name: 'Publish this?' }).waitFor()
  await keyboard.press('Enter')
  await said(page, 'Version 3 is published')
  expect((await sandbox.cards.program(card)).publishedCode).toBe(`${petrolOnly}// end`)
  await page.getByRole('dialog', { name: 'Publish this?' }).waitFor({ state: 'detached' })

  // The editor is left by Escape, then Tab.
  await page.locator('.editor .cm-content').focus()
  await keyboard.press('Escape')
  await keyboard.press('Tab')
  expect(await page.evaluate(`document.activeElement?.closest('.editor')`)).toBeNull()
})

test('a swipe by another program becomes a row without anybody doing anything', async () => {
  const { sandbox, page } = await open(`cards/${card}`)
  await page.getByText('No transaction yet.').waitFor()
  await sandbox.cards.transact(card, { centsAmount: 8_500, merchant: { name: 'Corner Bakery' } })
  await expect4(rows(page), 1)
  expect(await rows(page).first().innerText()).toMatch(/^Approved/)
})

test('twelve tabs are live; the leader closes, the server is restarted: all recover and say so', async () => {
  const first = await startSandbox({ port: 0, now })
  const { page, context } = await visit(pageAt(first, `cards/${card}`))
  const pages = [page]
  while (pages.length < 12) {
    const next = await context.newPage()
    await next.goto(pageAt(first, `cards/${card}`))
    await live(next)
    pages.push(next)
  }
  await first.cards.transact(card, { centsAmount: 100 })
  for (const each of pages) await expect4(rows(each), 1)
  await page.close()
  const left = pages.slice(1)
  await first.cards.transact(card, { centsAmount: 200 })
  for (const each of left) await expect4(rows(each), 2)
  const { port } = first
  await first.close()
  for (const each of left) await said(each, 'The server does not answer')
  const second = await startSandbox({ port, now })
  ends.push(() => second.close())
  await second.cards.transact(card, { centsAmount: 300 })
  for (const each of left) {
    await said(each, 'The server was restarted')
    await expect4(rows(each), 1)
  }
})

test('of five hundred swipes at once none is lost or doubled', async () => {
  const { sandbox, page } = await open(`cards/${card}`)
  await page.getByText('No transaction yet.').waitFor()
  const made = await Promise.all(
    Array.from({ length: 500 }, (_, i) => sandbox.cards.transact(card, { centsAmount: i + 1 })),
  )
  await page.getByText('500 transactions').waitFor()
  const shown = await page.evaluate<string[]>(
    `[...document.querySelectorAll('.feed [data-item]')].map((item) => item.getAttribute('data-item'))`,
  )
  expect(new Set(shown)).toEqual(new Set(made.map(({ transaction }) => transaction.id)))
  expect(shown).toHaveLength(500)
})

test('what somebody does on the page is not in the journal', async () => {
  const sandbox = await filled()
  const before = await sandbox.requests.list()
  const { page } = await visit(pageAt(sandbox, 'cards'))
  for (const name of screens) {
    await goTo(page, name)
    const buttons = page.locator('main button:visible')
    const count = await buttons.count()
    for (let i = 0; i < count; i++) {
      // A click may open a dialog or change the screen: both are left again.
      if (i >= (await buttons.count())) break
      await buttons
        .nth(i)
        .click({ timeout: 2_000 })
        .catch(() => undefined)
      await page.keyboard.press('Escape')
    }
    await page.keyboard.press('Escape')
  }
  expect(await sandbox.requests.list()).toEqual(before)
})

test('foreign text stays text', async () => {
  const evil = `"><img src=x onerror="document.title='owned'"><script>document.title='owned'</script>\u202e{{7*7}}`
  const sandbox = await serve()
  const code = `const beforeTransaction = async () => { console.log(${JSON.stringify(evil)}); throw new Error(${JSON.stringify(evil)}) }`
  await sandbox.cards.setProgram(card, { code, variables: { EVIL: evil }, publish: true })
  await sandbox.cards.transact(card, { centsAmount: 100, merchant: { name: evil, city: evil } })
  await sandbox.accounts.enter(everyday, { type: 'CREDIT', amount: '1.00', description: evil })
  await fetch(`${sandbox.url}/za/${encodeURIComponent(evil)}?${encodeURIComponent(evil)}=1`, {
    method: 'POST',
    headers: { 'x-evil': evil.replace('\u202e', '') },
    body: evil,
  })
  const { page, complaints } = await visit(pageAt(sandbox, `cards/${card}`))
  await rows(page).first().getByRole('link').click()
  await detail(page).locator('.log', { hasText: 'onerror' }).first().waitFor()
  await goTo(page, 'Requests')
  await page.getByRole('list', { name: 'Requests' }).getByRole('link').first().click()
  await page.getByText('onerror').first().waitFor()
  await goTo(page, 'Accounts')
  await page.getByRole('table', { name: 'Statement' }).getByText('onerror').first().waitFor()
  await goTo(page, 'Code')
  await page.locator('.editor .cm-content').waitFor()
  await page.goto(pageAt(sandbox, `cards/${encodeURIComponent(evil)}/t/${encodeURIComponent(evil)}`))
  await page.getByText('There is no card').waitFor()
  expect(await page.locator('img, main script').count()).toBe(0)
  expect(await page.title()).toBe('Cards · sandbox-server')
  expect(complaints.filter((text) => !text.startsWith('error: Failed to load resource'))).toEqual([])
})

/** A site of somebody else: another port of this machine, or another name for it. */
async function foreignSite(html: string): Promise<string> {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://localhost:${(server.address() as AddressInfo).port}/`
}

test('no other web page can use it: not in a frame, from another port, by a form, nor under another name', async () => {
  const sandbox = await serve()
  const context = await browser.newContext()
  ends.push(() => context.close())
  const page = await context.newPage()
  await page.goto(
    await foreignSite(`<!doctype html><title>other</title>
      <iframe src="${sandbox.url}/_sandbox/"></iframe>
      <a id="link" href="${sandbox.url}/_sandbox/#/w/default/cards/${card}">link</a>
      <form method="post" action="${sandbox.url}/_sandbox/reset"></form>`),
  )
  const frame = page.frames()[1]!
  expect(await frame.evaluate(`document.getElementById('app')`).catch(() => null)).toBeNull()
  const tried = await page.evaluate(
    (url) =>
      Promise.all(
        [
          fetch(`${url}/_sandbox/accounts`),
          fetch(`${url}/_sandbox/reset`, { method: 'POST', mode: 'no-cors' }),
          fetch(`${url}/_sandbox/events`),
        ].map((asked) =>
          asked.then(
            ({ status, type }) => `${type} ${status}`,
            () => 'refused',
          ),
        ),
      ),
    sandbox.url,
  )
  expect(tried).toEqual(['refused', 'opaque 0', 'refused'])
  const { id } = (await sandbox.cards.transact(card, { centsAmount: 100 })).transaction
  await page.evaluate('document.forms[0].submit()')
  await page.getByText('origin-refused').waitFor()
  expect((await sandbox.transactions.get(id)).transaction.status).toBe('pending')
  await page.goBack()
  await page.locator('#link').click()
  await page.getByRole('heading', { level: 1, name: 'Cards' }).waitFor()
  const rebound = await fetch(`${sandbox.url}/_sandbox/`, { headers: { host: 'evil.example' } }).catch(
    () => undefined,
  )
  expect(rebound?.status ?? 401).not.toBe(500)
})

test('a command that was copied runs, and a case that was copied passes', async () => {
  const sandbox = await filled()
  const { page } = await visit(pageAt(sandbox, `cards/${card}`))
  const run = promisify(execFile)
  const copied = async (): Promise<{ readonly text: string; readonly json: Record<string, unknown> }> => {
    const text = await clipboard(page)
    return { text, json: JSON.parse((await run('bash', ['-c', text])).stdout) as Record<string, unknown> }
  }
  await rows(page).nth(1).waitFor()
  await button(page, 'Copy as curl').first().click()
  await said(page, 'Copied the purchase as a command')
  expect((await copied()).json).toMatchObject({ decision: 'declined', transaction: { cardKey: card } })
  await goTo(page, 'Requests')
  await page.getByRole('link', { name: /GET \/za\/pb\/v1\/accounts/ }).click()
  await button(page, 'Copy as curl').click()
  await said(page, 'Copied the request as a command')
  expect((await copied()).json).toMatchObject({ data: { accounts: expect.any(Array) } })
  await goTo(page, 'Cards')
  await rows(page).first().getByRole('link').click()
  await button(page, 'Copy as test case').click()
  await said(page, 'Copied a case for card test')
  expect(await clipboard(page)).toContain('expect: declined')
})

test('a control token is asked for where the server wants one, and shared with the other tabs', async () => {
  const name = 'bank.localhost'
  const sandbox = await serve({ controlToken: 'token-of-the-test', allowHosts: ['bank.test'] })
  const at = `http://bank.test:${sandbox.port}/_sandbox/`
  const remote = await chromium.launch({
    executablePath: executablePath!,
    args: [...flags, `--host-resolver-rules=MAP bank.test 127.0.0.1, MAP ${name} 127.0.0.1`],
  })
  ends.push(() => remote.close())
  const context = await remote.newContext()
  const page = await context.newPage()
  await page.goto(at)
  await page.getByLabel('Control token').fill('token-of-the-test')
  await button(page, 'Continue').click()
  await live(page)
  const other = await context.newPage()
  await other.goto(at)
  await live(other)
  const fresh = await (await remote.newContext()).newPage()
  await fresh.goto(`${at}#token=token-of-the-test`)
  await live(fresh)
  expect(fresh.url()).not.toContain('token-of-the-test')
  expect(await context.cookies()).toEqual([])
})

test('it works below the path at which an application mounts it, and on an IPv6 address', async () => {
  const sandbox = await createSandbox({ now })
  ends.push(() => sandbox.close())
  const app = express()
  app.use('/bank', sandboxRouter(sandbox))
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  ends.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  const mounted = await visit(`http://localhost:${port}/bank/_sandbox`)
  await button(mounted.page, 'Swipe').click()
  await expect4(rows(mounted.page), 1)
  expect(mounted.complaints).toEqual([])
  if (
    spawnSync('cat', ['/proc/net/if_inet6']).stdout.toString().includes('00000000000000000000000000000001')
  ) {
    const six = await serve({ host: '::1' })
    const { page } = await visit(pageAt(six, 'cards'))
    await button(page, 'Swipe').click()
    await expect4(rows(page), 1)
  }
})
