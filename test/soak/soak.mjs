// Uses a bank like a team, for minutes: payments, purchases with card code (some of it wasteful), documents,
// workspaces, resets. Its memory stays within a bound all the time, no answer is a 5xx, and no descriptor stays open.
// Run: npm run build && node test/soak/soak.mjs [--seed 1] [--seconds 600] [--clients 4] [--megabytes 300]

import {
  accounts,
  chanceOf,
  clientOf,
  descriptorsOf,
  everyday,
  must,
  numbers,
  rssMb,
  savings,
  startBank,
} from './bank.mjs'

const { seed, seconds, clients, megabytes } = numbers({ seed: 1, seconds: 600, clients: 4, megabytes: 300 })
const merchant = { name: 'Shop', city: 'Cape Town', countryCode: 'ZA', categoryCode: '5411' }
const programs = [
  'const beforeTransaction = async () => true',
  'const beforeTransaction = async (a) => { console.log(a); return a.centsAmount < 5000 }',
  'const beforeTransaction = async () => { const held = new Uint8Array(45 * 2 ** 20).fill(1); return held.length > 0 }',
  'const beforeTransaction = async () => { for (;;) {} }',
  "const beforeTransaction = async () => { throw new Error('no') }",
]
const references = { myReference: 'soak', theirReference: 'soak' }
const transfer = { beneficiaryAccountId: savings, amount: '0.01', ...references }

const steps = [
  (ask) => ask('GET', accounts),
  (ask) => ask('GET', `${accounts}/${everyday}/transactions`),
  (ask) => ask('POST', `${accounts}/${everyday}/transfermultiple`, { transferList: [transfer] }),
  (ask, chance) =>
    ask('POST', '/_sandbox/cards/700615/transactions', {
      centsAmount: 100 + chance.below(9_000),
      currencyCode: 'zar',
      merchant,
    }),
  (ask, chance) =>
    chance.below(10) === 0
      ? ask('POST', '/za/v1/cards/700615/code/execute', { simulationcode: chance.of(programs) })
      : ask('GET', '/za/v1/cards/700615/code/executions'),
  (ask, chance) =>
    chance.below(20) === 0 ? ask('GET', '/_sandbox/state') : ask('GET', '/_sandbox/requests?limit=20'),
  (ask, chance) =>
    chance.below(50) === 0 ? ask('POST', '/_sandbox/reset', {}) : ask('GET', '/_sandbox/health'),
  async (ask) => {
    const { json } = await ask('POST', '/_sandbox/workspaces', {})
    return ask('DELETE', `/_sandbox/workspaces/${json.name}`)
  },
  (ask, chance) =>
    ask('POST', '/_sandbox/faults', { match: { path: '/none' }, fault: { status: 400 + chance.below(99) } }),
  (ask) => ask('DELETE', '/_sandbox/faults'),
]

const bank = await startBank('--seed', String(seed))
const endMs = performance.now() + seconds * 1000
let calls = 0
let most = 0
const watch = setInterval(() => (most = Math.max(most, rssMb(bank.pid) ?? 0)), 100)

async function use(number) {
  const chance = chanceOf(seed * 1000 + number)
  const { ask } = await clientOf(bank)
  while (performance.now() < endMs) {
    const reply = await chance.of(steps)(ask, chance)
    must(reply.status < 500, `${reply.status}: ${reply.text.slice(0, 300)} (seed ${seed})`)
    calls++
  }
}

const { ask } = await clientOf(bank)
await ask('POST', '/za/v1/cards/700615/code', { code: programs[1] })
const first = descriptorsOf(bank.pid)
await Promise.all(Array.from({ length: clients }, (_, number) => use(number)))
clearInterval(watch)
const last = descriptorsOf(bank.pid)
must((await bank.end()) === 0, 'the bank did not end cleanly')
console.log(
  `soak: ${seconds} s, ${calls} calls of ${clients} clients, 0 of 5xx, RSS at most ${Math.round(most)} MB (bound ${megabytes} MB), descriptors ${first} at first, ${last} at the end`,
)
if (most > megabytes) process.exitCode = 1
