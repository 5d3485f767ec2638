// How long a pulled bank of 100,000 rows takes from its files to the first answer, beside reading and parsing its JSON alone.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Sandbox } from '../dist/sandbox/sandbox.js'
import { figure, median } from './figures.mjs'

const rows = 100_000
const folder = mkdtempSync(join(tmpdir(), 'own-data-'))
const at = '2026-03-25T08:00:00Z'
const source = new Sandbox({ nowMs: Date.parse(at) })
const { state } = await source.main.open()
const [{ accountId }] = state.accounts
const entries = Array.from({ length: rows }, (_, index) => ({
  day: 20_000 + Math.floor(index / 300),
  cents: index % 30 === 0 ? 900_000 : -10_000 - (index % 977),
  transactionType: index % 30 === 0 ? 'Deposits' : 'CardPurchases',
  description: `CEDAR GROCER ${index % 997} ZA`,
  cardNumber: index % 30 === 0 ? '' : '402167xxxxxx1118',
}))
const books = {
  ...state.books,
  [accountId]: { opening: { cents: 5_000_000, postedOrder: 0 }, entries, holds: [] },
}
writeFileSync(join(folder, 'large.data.json'), JSON.stringify({ ...state, books }))
const file = join(folder, 'large.yaml')
writeFileSync(file, `name: large\ndescription: Large.\nclock: { now: '${at}' }\nbankFile: large.data.json\n`)

const times = []
const cpu = []
let parse = Infinity
for (let run = 0; run < 5; run++) {
  let start = performance.now()
  JSON.parse(readFileSync(join(folder, 'large.data.json'), 'utf8'))
  parse = Math.min(parse, performance.now() - start)
  start = performance.now()
  const before = process.cpuUsage()
  const sandbox = await Sandbox.create({ scenario: file })
  const bank = await sandbox.main.open()
  if (bank.book(accountId).entries.length !== rows) throw new Error('rows are missing')
  times.push(performance.now() - start)
  cpu.push(process.cpuUsage(before).user / 1000)
  await sandbox.close()
}
figure('load a pulled bank of 100,000 rows', median(times), { unit: 'ms', atMost: 1000 })
figure('the same in user CPU, to JSON.parse alone', median(cpu), { unit: 'ms', ratio: median(cpu) / parse })
await source.close()
rmSync(folder, { recursive: true })
