// Tasks on the page: each task of the design, by pointer and by keyboard, without accessibility errors.

import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { AxeBuilder } from '@axe-core/playwright'
import { expect } from '@jest/globals'
import type { Locator, Page } from 'playwright-core'
import {
  button,
  card,
  clipboard,
  detail,
  everyday,
  filled,
  firstRow,
  goTo,
  hasItems,
  pageAt,
  petrolOnly,
  rows,
  said,
  screens,
  serve,
  test,
  token,
  visit,
} from './browser.js'

const cli = fileURLToPath(new URL('../dist/command/cli.js', import.meta.url))

/**
 * Fails for each broken accessibility rule, and when the page is wider than its window. The dark page is the
 * same document in other colours: there, only the rules about colours run.
 */
async function isAccessible(page: Page, where: string, colorScheme: 'light' | 'dark'): Promise<void> {
  const axe = new AxeBuilder({ page })
  if (colorScheme === 'dark') axe.withRules(['color-contrast', 'link-in-text-block'])
  const { violations } = await axe.analyze()
  const told = violations.map(
    ({ id, nodes }) => `${where}: ${id} ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
  )
  expect(told).toEqual([])
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  expect([where, overflow]).toEqual([where, 0])
}

test.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 375],
  ['dark', 375],
] as const)('every screen is accessible: %s, %d pixels wide', async (colorScheme, width) => {
  const sandbox = await filled()
  const { page } = await visit(pageAt(sandbox, 'cards'), { colorScheme, viewport: { width, height: 800 } })
  for (const name of screens) {
    await goTo(page, name)
    if (name === 'Code') await page.locator('.editor .cm-content').waitFor()
    if (name === 'Accounts') await page.getByRole('table', { name: 'Statement' }).waitFor()
    if (name === 'Requests')
      await page.getByRole('list', { name: 'Requests' }).getByRole('link').first().click()
    if (name === 'Cards') {
      await rows(page).last().getByRole('link').click()
      await button(detail(page), 'Adjust…').click()
    }
    await isAccessible(page, name, colorScheme)
  }
})

test.each(['light', 'dark'] as const)(
  'dialogs, empty views and failures are accessible: %s',
  async (colorScheme) => {
    const sandbox = await filled()
    await sandbox.workspaces.create({ name: 'nothing', scenario: 'empty' })
    const { page } = await visit(pageAt(sandbox, `code/${card}`), { colorScheme })
    await button(page, 'Publish').click()
    await page.getByRole('dialog').waitFor()
    await isAccessible(page, 'publish', colorScheme)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Commands' }).waitFor()
    await isAccessible(page, 'commands', colorScheme)
    await page.keyboard.press('Escape')
    for (const name of ['accounts', 'cards', 'code', 'requests', 'payments', 'faults']) {
      await page.goto(pageAt(sandbox, name, 'nothing'))
      await page.locator('.empty').first().waitFor()
      await isAccessible(page, `empty ${name}`, colorScheme)
    }
    await page.goto(pageAt(sandbox, 'cards', 'nowhere'))
    await page.getByText('This server has no workspace nowhere.').waitFor()
    await isAccessible(page, 'no workspace', colorScheme)
  },
)

test('each task needs few clicks', async () => {
  const sandbox = await filled()
  const { page } = await visit(pageAt(sandbox, `cards/${card}`))
  await rows(page).nth(1).waitFor()

  // A preset: one click. The same again: one click.
  await page.getByRole('button', { name: /^Dinner/ }).click()
  await said(page, /^Declined: Ocean Grill, R\s900,00/)
  await button(page, 'Swipe again').click()
  await hasItems(rows(page), 4)

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
  await hasItems(rows(page), 4)
})

test('a new user finds out why a card was declined, and publishes code that approves it', async () => {
  const sandbox = await serve()
  await sandbox.cards.setProgram(card, { code: petrolOnly, publish: true })
  await sandbox.cards.transact(card, {
    centsAmount: 60_000,
    merchant: { name: 'Ocean Grill', categoryCode: '5812' },
  })
  const { page } = await visit(`${sandbox.url}/`)

  // The address of the bank leads to the page, and the page to the card and its transaction.
  await firstRow(page, /^Declined/)
  await rows(page).first().getByRole('link').click()
  await detail(page).getByText('beforeTransaction returned false').waitFor()
  await detail(page).getByText('not petrol').waitFor()
  await detail(page).getByRole('link', { name: 'main.js:3' }).click()

  // The line is marked; restaurants are approved as well.
  await page.locator('.editor .cm-activeLine').filter({ hasText: 'not petrol' }).waitFor()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+End')
  await page.keyboard.insertText(`if (!['5541', '5812'].includes(authorization.merchant.category.code)) {`)

  // The fields hold the purchase that the code is to approve: the same as the one that was declined.
  await button(page, 'Simulate').click()
  await page.getByRole('heading', { name: 'Approved by the draft' }).waitFor()
  await button(page, 'Publish').click()
  await button(page.getByRole('dialog'), 'Publish').click()
  await said(page, 'is published: it decides the next purchase')
  await button(page, 'Swipe').click()
  await detail(page)
    .getByRole('heading', { name: /^Approved.*Ocean Grill/ })
    .waitFor()
  await hasItems(rows(page), 2)
  await firstRow(page, /^Approved/)
})

test('a purchase is adjusted, reversed, and made again with another amount', async () => {
  const sandbox = await filled()
  const { page } = await visit(pageAt(sandbox, `cards/${card}`))
  await rows(page).last().getByRole('link').click()
  await button(detail(page), 'Adjust…').click()
  await detail(page).getByLabel('Adjust to, in rand').fill('612,50')
  await button(detail(page), 'Adjust').click()
  await said(page, /^Adjusted: it is over R\s612,50 now/)
  await detail(page)
    .getByText(/R\s612,50 on hold/)
    .waitFor()
  const [purchase] = (await sandbox.cards.transactions(card)).slice(-1)
  expect(purchase).toMatchObject({ centsAmount: 61_250, status: 'pending' })
  await button(page, 'Undo').click()
  await detail(page)
    .getByText(/R\s600,00 on hold/)
    .waitFor()

  await button(detail(page), 'Refund').click()
  await hasItems(rows(page), 3)
  const [refund] = await sandbox.cards.transactions(card)
  expect(refund).toMatchObject({ type: 'refund', centsAmount: 60_000, merchant: purchase!.merchant })

  await rows(page).nth(1).getByRole('link').click()
  await detail(page).getByText('declined-by-code').waitFor()
  await button(detail(page), 'Edit + again').click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('84,95')
  await page.keyboard.press('Enter')
  await said(page, /^Declined: Ocean Grill, R\s84,95/)
})

test('a request shows why it was refused, and where it deviates from the declarations', async () => {
  const sandbox = await filled()
  const authorization = `Bearer ${await token(sandbox)}`
  const ask = (path: string) =>
    fetch(`${sandbox.url}/za/pb/v1/accounts${path}`, { headers: { authorization } })
  await ask(`/${everyday}/transactions?fromDate=2026-03-18&colour=red`)
  await ask('/nowhere/balance')
  const { page } = await visit(pageAt(sandbox, 'requests'))
  const list = page.getByRole('list', { name: 'Requests' })
  await list.getByRole('link', { name: /1 warning/ }).click()
  const request = page.getByRole('region', { name: 'Request', exact: true }).first()
  await request.getByText('unknown-parameter').waitFor()
  await list.getByRole('link', { name: /unknown-account/ }).click()
  await request.locator('.why', { hasText: 'unknown-account' }).waitFor()
})

test('the commands of empty views run unchanged', async () => {
  const sandbox = await serve({ scenario: 'empty' })
  const { page } = await visit(pageAt(sandbox, 'cards'))
  const run = promisify(execFile)
  const copied = async (place: string): Promise<void> => {
    // Cleared first, so that the message is about this copy.
    await page.goto('about:blank')
    await page.goto(pageAt(sandbox, place))
    await button(page.locator('.empty'), 'Copy as curl').click()
    await said(page, 'Copied the command')
    const { stdout } = await run('bash', ['-c', await clipboard(page)])
    expect(stdout).not.toContain('urn:sandbox-server:problem')
  }
  for (const place of ['accounts', 'cards', 'requests', 'payments', 'faults']) await copied(place)
  const [issued] = await sandbox.cards.list()
  await copied(`cards/${issued!.CardKey}`)
  expect(await sandbox.cards.transactions(issued!.CardKey)).toHaveLength(1)
  expect((await sandbox.requests.list()).at(-1)).toMatchObject({ path: '/za/pb/v1/accounts', status: 200 })
})

test('each task can be done with the keyboard alone', async () => {
  const sandbox = await filled()
  const { page } = await visit(pageAt(sandbox, `cards/${card}`))
  const { keyboard } = page
  await rows(page).nth(1).waitFor()
  await keyboard.press('s')
  await hasItems(rows(page), 3)
  await keyboard.press('r')
  await hasItems(rows(page), 4)
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

test('controls without a shortcut are reached by Tab', async () => {
  const sandbox = await filled()
  const { page } = await visit(pageAt(sandbox, `cards/${card}`))
  const { keyboard } = page
  const press = async (target: Locator, key = 'Enter'): Promise<void> => {
    await target.waitFor()
    await (await target.elementHandle()).waitForElementState('enabled')
    for (let i = 0; i < 120; i++) {
      if (await target.evaluate((element) => element.matches(':focus'))) break
      await keyboard.press('Tab')
    }
    expect(await target.evaluate((element) => element.matches(':focus'))).toBe(true)
    await keyboard.press(key)
  }
  await rows(page).nth(1).waitFor()

  // Why, and the line of code.
  await keyboard.press('j')
  await keyboard.press('Enter')
  await press(detail(page).getByRole('link', { name: 'main.js:3' }))
  await page.locator('.editor .cm-activeLine').filter({ hasText: 'not petrol' }).waitFor()
  await keyboard.press('Escape')

  await press(button(page, 'Advance 1 month'))
  await said(page, 'It is Sat, 25 Apr 2026')
  await press(button(page, 'Undo'))
  await said(page, 'Undone')
  await press(page.getByRole('link', { name: 'Accounts', exact: true }))
  await press(button(page.getByRole('table', { name: 'Statement' }), 'Settle').first())
  await said(page, /^Settled: HARBOUR FUEL/)
  await press(page.getByRole('link', { name: 'Requests', exact: true }))
  await press(page.getByRole('link', { name: /POST .*transfermultiple/ }))
  await press(button(page, 'Copy as curl'))
  await said(page, 'Copied the request')
  await press(button(page, 'Fault…'))
  await press(button(page, 'Add fault'))
  await said(page, 'lose the answer after commit, once')
  await press(page.getByRole('link', { name: 'Payments', exact: true }))
  await press(button(page, 'Authorise'))
  await said(page, 'Authorised: R')
  await press(page.getByRole('link', { name: 'Workspaces', exact: true }))
  await press(button(page, 'New workspace'))
  await said(page, 'Copied the .env of the new workspace w1')
  await press(page.getByLabel('Scenario'), 'p')
  await said(page, 'Started anew from payday')
})

test('copied commands run, and copied cases pass', async () => {
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
  const folder = await mkdtemp(join(tmpdir(), 'case-'))
  await writeFile(join(folder, 'main.js'), petrolOnly)
  const file = join(folder, 'card.test.yaml')
  const checked = async (text: string): Promise<string> => {
    await writeFile(file, text)
    const { status, stdout } = spawnSync(process.execPath, [cli, 'card', 'test', file], {
      cwd: folder,
      encoding: 'utf8',
    })
    return `exit ${status!}: ${stdout}`
  }
  const text = await clipboard(page)
  // The case knows that afterDecline fails.
  expect(text).toContain('"failure":"threw"')
  expect(await checked(text)).toMatch(/^exit 0: [^]*✓ Ocean Grill is declined/)
  expect(await checked(text.replace('"declined"', '"approved"'))).toMatch(/^exit 1/)
})
