// Takes the pictures of the page that the README shows: node scripts/page-pictures.mjs writes docs/pictures/*.png.
// CHROMIUM_PATH names the browser.

import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { startSandbox } from '../dist/index.js'
import { smallPng } from './small-png.mjs'

const target = path.resolve(import.meta.dirname, '../docs/pictures')
const card = '700615'

const code = `// Only petrol, and no more than the limit that the service tells.
const beforeTransaction = async (authorization) => {
  const response = await fetch('https://api.example/limit')
  const { limit } = await response.json()
  if (authorization.merchant.category.code !== '5541') {
    console.log('not petrol')
    return false
  }
  return authorization.centsAmount <= limit
}

const afterTransaction = async (transaction) => {
  console.log('paid', transaction.merchant.name)
}
`

mkdirSync(target, { recursive: true })
const sandbox = await startSandbox({ port: 0, now: '2026-03-25T08:00:00Z' })
await sandbox.outbound.stubs.add({ respond: { json: { limit: 100_000 }, delayMs: 300 } })
await sandbox.cards.setProgram(card, { code, publish: true })
const swipe = (name, categoryCode, centsAmount) =>
  sandbox.cards.transact(card, { centsAmount, merchant: { name, categoryCode } })
await swipe('Harbour Fuel', '5541', 60_000)
await swipe('Corner Bakery', '5462', 8_500)
const { transaction } = await swipe('Ocean Grill', '5812', 60_000)

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
})
for (const [name, colorScheme, place, ready, height] of [
  ['page-card', 'light', `cards/${card}/t/${transaction.id}`, '.timeline', 560],
  ['page-code', 'dark', `code/${card}`, '.editor .cm-content', 776],
]) {
  const page = await browser.newPage({ colorScheme, viewport: { width: 1200, height } })
  await page.goto(`${sandbox.url}/_sandbox/#/w/default/${place}`)
  await page.locator(ready).waitFor()
  if (name === 'page-code') {
    await page.getByRole('button', { name: 'Simulate' }).click()
    await page.locator('.timeline').waitFor()
  }
  writeFileSync(path.join(target, `${name}.png`), smallPng(await page.screenshot()))
}
await browser.close()
await sandbox.close()
