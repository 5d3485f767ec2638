// Random operations on the ledger against a model of integer cents: after each, every balance is the model's, and a refusal
// changes nothing. Run: npm run build && node test/soak/ledger.mjs [--seed 1] [--operations 20000]

import { Sandbox } from '../../dist/sandbox/sandbox.js'
import { accounts, chanceOf, must, numbers } from './bank.mjs'

const { seed, operations } = numbers({ seed: 1, operations: 20_000 })
const chance = chanceOf(seed)
const sandbox = new Sandbox({ seed, nowMs: Date.parse('2026-03-25T08:00:00Z') })

async function call(method, path, body) {
  const headers = path.startsWith('/_sandbox') ? {} : { authorization: `Bearer ${token}` }
  const given = body && {
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  const reply = await sandbox.handle({ method, path, headers, ...given })
  must(reply.status < 500, `${method} ${path}: ${reply.body} (seed ${seed})`)
  return { status: reply.status, json: JSON.parse(reply.body) }
}

async function tokenOf() {
  const reply = await sandbox.handle({
    method: 'POST',
    path: '/identity/v2/oauth2/token',
    headers: {
      authorization: `Basic ${Buffer.from('sandbox-client:sandbox-secret').toString('base64')}`,
      'x-api-key': 'sandbox-api-key',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  })
  return JSON.parse(reply.body).access_token
}

let token = await tokenOf()
const start = await sandbox.main.open()
const ids = start.accounts.map(({ accountId }) => accountId)
const beneficiaries = (await call('GET', `${accounts}/beneficiaries`)).json.data.map(
  ({ beneficiaryId }) => beneficiaryId,
)
const centsOf = () => new Map(ids.map((id) => [id, sandbox.main.bank.books.of(id).balanceCents]))
const rand = (cents) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
const amounts = [1, 99, 100, 12_345, 999_999, 50_000_000, 10_000_000_000]
const centsFor = () => chance.of(amounts) + chance.below(100)
const references = { myReference: 'soak', theirReference: 'soak' }

let model = centsOf()
let accepted = 0
let refused = 0
const kinds = [
  async () => {
    const [from, to] = [chance.of(ids), chance.of(ids)]
    const items = Array.from({ length: 1 + chance.below(3) }, () => ({ to, cents: centsFor() }))
    const transferList = items.map((item) => ({
      beneficiaryAccountId: item.to,
      amount: rand(item.cents),
      ...references,
    }))
    const before = model
    const reply = await call('POST', `${accounts}/${from}/transfermultiple`, { transferList })
    return moved(
      reply,
      before,
      items.flatMap(({ to, cents }) => [
        [from, -cents],
        [to, cents],
      ]),
    )
  },
  async () => {
    const from = chance.of(ids)
    const items = Array.from({ length: 1 + chance.below(3) }, () => ({ cents: centsFor() }))
    const paymentList = items.map(({ cents }) => ({
      beneficiaryId: chance.of(beneficiaries),
      amount: rand(cents),
      ...references,
    }))
    const reply = await call('POST', `${accounts}/${from}/paymultiple`, { paymentList })
    return moved(
      reply,
      model,
      items.map(({ cents }) => [from, -cents]),
    )
  },
  async () => {
    const id = chance.of(ids)
    const [type, cents] = [chance.of(['CREDIT', 'DEBIT']), centsFor()]
    const reply = await call('POST', `/_sandbox/accounts/${id}/entries`, {
      type,
      amount: rand(cents),
      description: 'SOAK',
    })
    return moved(reply, model, [[id, type === 'CREDIT' ? cents : -cents]])
  },
  // A transfer with one wrong item: all or nothing.
  async () => {
    const [from, to] = [chance.of(ids), chance.of(ids)]
    const good = { beneficiaryAccountId: to, amount: '1.00', ...references }
    const bad = chance.of([
      { amount: '-1' },
      { beneficiaryAccountId: 'x' },
      { myReference: '' },
      { amount: '0.001' },
    ])
    const reply = await call('POST', `${accounts}/${from}/transfermultiple`, {
      transferList: [good, { ...good, ...bad }],
    })
    must(reply.status === 400, `a bad item was taken: ${JSON.stringify(bad)} (seed ${seed})`)
    return model
  },
]

/** The model after a reply: all movements when every item was made, and no change when none was. */
function moved({ status, json }, before, movements) {
  if (status !== 200) return before
  if (json.data?.ErrorMessage) return before
  const after = new Map(before)
  for (const [id, cents] of movements) after.set(id, after.get(id) + cents)
  return after
}

for (let done = 0; done < operations; done++) {
  const next = await chance.of(kinds)()
  const now = centsOf()
  for (const id of ids)
    must(
      now.get(id) === next.get(id),
      `operation ${done} left ${now.get(id)} on ${id}, the model says ${next.get(id)} (seed ${seed})`,
    )
  if (next === model) refused++
  else accepted++
  model = next
  if (done % 5_000 === 4_999) {
    const { json } = await call('GET', '/_sandbox/state')
    must((await call('PUT', '/_sandbox/state', json)).status === 200, `the state is refused (seed ${seed})`)
    token = await tokenOf()
    must(
      [...model].every(([id, cents]) => sandbox.main.bank.books.of(id).balanceCents === cents),
      'balances changed',
    )
  }
}
for (const id of ids) {
  let sum = 0
  for (const { direction, cents, balanceCents } of sandbox.main.bank.books.of(id).entries) {
    sum += direction === 'CREDIT' ? cents : -cents
    must(sum === balanceCents, `the running balance of ${id} is wrong (seed ${seed})`)
  }
}
await sandbox.close()
console.log(
  `ledger: ${operations} operations, ${accepted} accepted, ${refused} refused, 0 balances that differ from the model`,
)
