// Nobody else may use the page: foreign text, foreign sites, other names, tokens, other addresses.

import { spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from '@jest/globals'
import express from 'express'
import { chromium, type Browser } from 'playwright-core'
import { sandboxRouter } from '../src/express.js'
import { createSandbox } from '../src/index.js'
import {
  browser,
  button,
  card,
  detail,
  ends,
  everyday,
  executablePath,
  flags,
  goTo,
  hasItems,
  live,
  now,
  pageAt,
  rows,
  serve,
  test,
  visit,
} from './browser.js'

test('foreign text is shown as text', async () => {
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

/** A foreign site: another port of this machine, or another name for it. */
async function foreignSite(html: string): Promise<string> {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://localhost:${(server.address() as AddressInfo).port}/`
}

test('no other web page can use it: not in a frame, from another port, nor by a form', async () => {
  const sandbox = await serve()
  const context = await browser.newContext()
  ends.push(() => context.close())
  const page = await context.newPage()
  await page.goto(
    await foreignSite(`<!doctype html><title>other</title>
      <iframe src="${sandbox.url}/_sandbox/"></iframe>
      <a id="link" href="${sandbox.url}/_sandbox/#/w/default/cards/${card}">link</a>
      <a id="data" href="${sandbox.url}/_sandbox/accounts">data</a>
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
          fetch(`${url}/_sandbox/`),
        ].map((asked) =>
          asked.then(
            ({ status, type }) => `${type} ${status}`,
            () => 'refused',
          ),
        ),
      ),
    sandbox.url,
  )
  expect(tried).toEqual(['refused', 'opaque 0', 'refused', 'refused'])
  const { id } = (await sandbox.cards.transact(card, { centsAmount: 100 })).transaction
  await page.evaluate('document.forms[0].submit()')
  await page.getByText('origin-refused').waitFor()
  expect((await sandbox.transactions.get(id)).transaction.status).toBe('pending')
  await page.goBack()
  await page.locator('#data').click()
  await page.getByText('origin-refused').waitFor()
  await page.goBack()
  await page.locator('#link').click()
  await page.getByRole('heading', { level: 1, name: 'Cards' }).waitFor()
})

/** A browser for which these names are this machine. */
async function browserWith(...hosts: string[]): Promise<Browser> {
  const rules = hosts.map((host) => `MAP ${host} 127.0.0.1`).join(', ')
  const own = await chromium.launch({
    executablePath: executablePath!,
    args: [...flags, `--host-resolver-rules=${rules}`],
  })
  ends.push(() => own.close())
  return own
}

test('a name that resolves to this machine gets neither page nor data', async () => {
  const sandbox = await serve()
  const page = await (await browserWith('evil.test')).newPage()
  const answer = await page.goto(`http://evil.test:${sandbox.port}/_sandbox/`)
  expect([answer!.status(), await page.locator('#app').count()]).toEqual([401, 0])
  // For the browser, its page there has the same origin as the bank.
  const texts = await page.evaluate(() =>
    Promise.all(
      ['/_sandbox/accounts', '/_sandbox/state', '/za/pb/v1/accounts', '/_sandbox/events'].map((path) =>
        fetch(path).then((each) => each.text()),
      ),
    ),
  )
  for (const text of texts)
    expect(JSON.parse(text)).toMatchObject({ type: 'urn:sandbox-server:problem:host-refused' })
})

test('the page asks for a control token when the server requires one, and shares it with the other tabs', async () => {
  const sandbox = await serve({ controlToken: 'token-of-the-test', allowHosts: ['bank.test'] })
  const at = `http://bank.test:${sandbox.port}/_sandbox/`
  const remote = await browserWith('bank.test')
  const context = await remote.newContext()
  const page = await context.newPage()
  await page.goto(at)
  // A waiting tab, and a later one, get the token from the tab in which it was entered.
  const waiting = await context.newPage()
  await waiting.goto(at)
  await waiting.getByLabel('Control token').waitFor()
  await page.getByLabel('Control token').fill('token-of-the-test')
  await button(page, 'Continue').click()
  await live(page)
  await live(waiting)
  const later = await context.newPage()
  await later.goto(at)
  await live(later)
  const fresh = await (await remote.newContext()).newPage()
  await fresh.goto(at)
  await fresh.getByLabel('Control token').fill('another')
  await button(fresh, 'Continue').click()
  await fresh.getByLabel('Control token').waitFor()
  expect(await fresh.locator('.status.live').count()).toBe(0)
  const linked = await (await remote.newContext()).newPage()
  await linked.goto(`${at}#token=token-of-the-test`)
  await live(linked)
  expect(linked.url()).not.toContain('token-of-the-test')
  expect(await context.cookies()).toEqual([])
})

test('the page works below the path of an application, and on an IPv6 address', async () => {
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
  await hasItems(rows(mounted.page), 1)
  expect(mounted.complaints).toEqual([])
  if (
    spawnSync('cat', ['/proc/net/if_inet6']).stdout.toString().includes('00000000000000000000000000000001')
  ) {
    const six = await serve({ host: '::1' })
    const { page } = await visit(pageAt(six, 'cards'))
    await button(page, 'Swipe').click()
    await hasItems(rows(page), 1)
  }
})
