// The page during events: many tabs, floods, and no traces in the journal.

import { expect } from '@jest/globals'
import { startSandbox } from '../src/index.js'
import {
  button,
  card,
  detail,
  ends,
  everyday,
  filled,
  firstRow,
  goTo,
  hasItems,
  live,
  now,
  open,
  pageAt,
  rows,
  said,
  screens,
  test,
  visit,
} from './browser.js'

test('no screen writes to the console or calls another origin', async () => {
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

test('a swipe by another program appears as a row by itself', async () => {
  const { sandbox, page } = await open(`cards/${card}`)
  await page.getByText('No transaction yet.').waitFor()
  await sandbox.cards.transact(card, { centsAmount: 8_500, merchant: { name: 'Corner Bakery' } })
  await hasItems(rows(page), 1)
  await firstRow(page, /^Approved/)
})

test('payments and workspaces of other programs appear, and a declined payment no longer waits', async () => {
  const sandbox = await filled()
  const { page } = await visit(pageAt(sandbox, 'payments'))
  await button(page, 'Decline').waitFor()
  const count = page.getByRole('link', { name: 'Payments', exact: true }).locator('.count')
  expect(await count.innerText()).toBe('1')
  const [payment] = await sandbox.payments.list()
  await sandbox.payments.decline(payment!.reference)
  await button(page, 'Decline').waitFor({ state: 'detached' })
  await count.waitFor({ state: 'detached' })
  await goTo(page, 'Workspaces')
  await sandbox.workspaces.create({ name: 'worker-1' })
  await page.getByRole('link', { name: 'worker-1' }).waitFor()
  await sandbox.workspaces.delete('worker-1')
  await page.getByRole('link', { name: 'worker-1' }).waitFor({ state: 'detached' })
})

test('new rows wait while the list is scrolled', async () => {
  const { sandbox, page } = await open(`cards/${card}`)
  for (let i = 1; i <= 40; i++) await sandbox.cards.transact(card, { centsAmount: i })
  await hasItems(rows(page), 40)
  const list = page.getByRole('list', { name: 'Transactions' })
  await list.evaluate((element) => element.scrollTo({ top: 400 }))
  const topOf = () =>
    rows(page)
      .nth(20)
      .evaluate((element) => element.getBoundingClientRect().top)
  const before = await topOf()
  for (let i = 1; i <= 3; i++) await sandbox.cards.transact(card, { centsAmount: 100 * i })
  await page.getByRole('button', { name: '3 new' }).waitFor()
  expect(await topOf()).toBe(before)
  await page.getByRole('button', { name: '3 new' }).click()
  await hasItems(rows(page), 43)
  await firstRow(page, /3,00/)
})

test('a link only shows something', async () => {
  const sandbox = await filled()
  const [newest] = await sandbox.cards.transactions(card)
  const before = JSON.stringify(await sandbox.snapshot())
  const { page } = await visit(pageAt(sandbox, `cards/${card}/t/${newest!.id}`))
  await detail(page).getByText('declined-by-code').waitFor()
  for (const place of [
    `accounts/${everyday}`,
    `code/${card}/3`,
    'requests/1',
    'payments',
    'faults',
    'settings',
    'workspaces',
    'reset',
  ])
    await page.goto(pageAt(sandbox, place))
  expect(JSON.stringify(await sandbox.snapshot())).toBe(before)
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
  for (const each of pages) await hasItems(rows(each), 1)
  await page.close()
  const left = pages.slice(1)
  await first.cards.transact(card, { centsAmount: 200 })
  for (const each of left) await hasItems(rows(each), 2)
  const { port } = first
  await first.close()
  for (const each of left) await said(each, 'The server does not answer')
  const second = await startSandbox({ port, now })
  ends.push(() => second.close())
  await second.cards.transact(card, { centsAmount: 300 })
  for (const each of left) {
    await said(each, 'The server was restarted')
    // The page reports the restart first, and then reads the data of the new server.
    await rows(each).nth(1).waitFor({ state: 'detached' })
    await hasItems(rows(each), 1)
  }
})

test('none of five hundred simultaneous swipes is lost or doubled', async () => {
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

test('a late answer to a swipe does not change the screen of a user who has moved on', async () => {
  const { page } = await open(`cards/${card}`)
  let answer = (): void => undefined
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/_sandbox/cards/*/transactions*', async (call) => {
    if (call.request().method() === 'POST') await held
    await call.continue()
  })
  await page.getByLabel('Amount in rand').fill('84,95')
  await button(page, 'Swipe').click()
  await goTo(page, 'Requests')
  answer()
  await page
    .getByText(/^(Approved|Declined): /)
    .first()
    .waitFor()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Requests')
})

test('actions on the page are not in the journal', async () => {
  const sandbox = await filled()
  const before = await sandbox.requests.list()
  const { page } = await visit(pageAt(sandbox, 'cards'))
  for (const name of screens) {
    await goTo(page, name)
    const buttons = page.locator('main button:visible')
    const count = await buttons.count()
    for (let i = 0; i < count; i++) {
      // A click may open a dialog or change the screen: both are closed again.
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
