// Kills a bank with --state again and again while it takes payments: changes that were acknowledged more than a second
// before survive, the file is always complete, and with --always 1 (--state-sync always) nothing acknowledged is lost.
// Run: npm run build && node test/soak/kill.mjs [--seed 1] [--kills 40] [--always 0]

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accounts, chanceOf, clientOf, everyday, must, numbers, savings, startBank } from './bank.mjs'

const { seed, kills, always } = numbers({ seed: 1, kills: 40, always: 0 })
const chance = chanceOf(seed)
const folder = await mkdtemp(join(tmpdir(), 'kill-'))
const file = join(folder, 'bank.json')
const flags = ['--state', file, ...(always ? ['--state-sync', 'always'] : [])]
/** How long before a kill a change must be acknowledged to be guaranteed. */
const windowMs = always ? 0 : 1_000

let acknowledged = []
let operations = 0
let lost = 0
let oldestLostMs = 0
try {
  for (let round = 0; round < kills; round++) {
    const bank = await startBank(...flags)
    const { ask } = await clientOf(bank)
    const { data } = (await ask('GET', `${accounts}/${everyday}/transactions?fromDate=2020-01-01`)).json
    const kept = new Set(data.transactions.map(({ description }) => description))
    for (const { reference, agoMs } of acknowledged) {
      if (kept.has(reference)) continue
      must(agoMs <= windowMs, `lost ${reference}, acknowledged ${agoMs} ms before the kill (seed ${seed})`)
      lost++
      oldestLostMs = Math.max(oldestLostMs, agoMs)
    }
    acknowledged = []
    const killMs = performance.now() + 300 + chance.below(2_500)
    const killing = new Promise((resolve) => setTimeout(resolve, killMs - performance.now())).then(() =>
      bank.end('SIGKILL'),
    )
    for (let i = 0; bank.isUp(); i++) {
      const reference = `${seed} ${round} ${i}`
      const item = {
        beneficiaryAccountId: savings,
        amount: '0.01',
        myReference: reference,
        theirReference: 'k',
      }
      const reply = await ask('POST', `${accounts}/${everyday}/transfermultiple`, {
        transferList: [item],
      }).catch(() => undefined)
      if (!reply) break
      must(reply.status === 200, reply.text)
      acknowledged.push({ reference, atMs: performance.now() })
      operations++
    }
    await killing
    const diedMs = performance.now()
    acknowledged = acknowledged.map(({ reference, atMs }) => ({
      reference,
      agoMs: Math.round(diedMs - atMs),
    }))
    JSON.parse(await readFile(file, 'utf8'))
  }
  console.log(
    `kill: ${kills} kills, ${operations} acknowledged transfers, ${lost} lost, the oldest ${oldestLostMs} ms before its kill (promise ${windowMs} ms), 0 broken files`,
  )
} finally {
  await rm(folder, { recursive: true, force: true })
}
