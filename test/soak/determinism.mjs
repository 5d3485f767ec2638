// The same seed, clock and calls give the same bytes: runs of mixed calls, some with card code that leaves work behind, each
// in a fresh process, several at once so that they delay each other. Prints a digest, which must be the same under
// every version of Node. Run: npm run build && node test/soak/determinism.mjs [--seed 1] [--runs 50] [--calls 1000]
// [--atonce 4]

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { accounts, chanceOf, everyday, must, numbers, savings, signIn, startBank } from './bank.mjs'

const { seed, runs, calls, atonce } = numbers({ seed: 1, runs: 50, calls: 1_000, atonce: 4 })
const merchant = { name: 'Shop', city: 'Cape Town', countryCode: 'ZA', categoryCode: '5411' }
const simulationcode = readFileSync(new URL('../chance-card.js', import.meta.url), 'utf8')

const callOf = (chance, number) =>
  chance.of([
    ['GET', accounts],
    ['GET', `${accounts}/${everyday}/transactions?includePending=true`],
    [
      'POST',
      `${accounts}/${everyday}/transfermultiple`,
      {
        transferList: [
          {
            beneficiaryAccountId: savings,
            amount: `${1 + chance.below(99)}.25`,
            myReference: `t${number}`,
            theirReference: 'y',
          },
        ],
      },
    ],
    [
      'POST',
      '/_sandbox/cards/700615/transactions',
      { centsAmount: 1000 + number, currencyCode: 'zar', merchant },
    ],
    ['POST', '/za/v1/cards/700615/code/execute', { simulationcode, centsAmount: '100', currencyCode: 'zar' }],
    ['GET', '/za/v1/cards/700615/code/executions'],
    ['GET', '/_sandbox/outbound'],
    ['POST', '/_sandbox/clock', { advance: chance.of(['P1D', 'PT7M']) }],
    ['GET', '/_sandbox/requests?limit=5'],
    ['GET', '/nothing/here'],
    ...(chance.below(20) === 0 ? [['GET', '/_sandbox/state']] : []),
  ])

async function run() {
  const bank = await startBank('--seed', String(seed), '--now', '2026-03-25T08:00:00Z')
  const chance = chanceOf(seed)
  const answers = []
  let headers = await signIn(bank)
  for (let number = 0; number < calls; number++) {
    if (number % 50 === 49) headers = await signIn(bank)
    const [method, path, body] = callOf(chance, number)
    const response = await fetch(bank.url + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    // The port is that of the process; nothing else may differ.
    const text = (await response.text()).replaceAll(new URL(bank.url).host, 'bank')
    answers.push(`${method} ${path}: ${response.status} ${response.headers.get('date')} ${text}`)
  }
  must((await bank.end()) === 0, 'the bank did not end cleanly')
  return answers
}

/** The first difference of a run from the first run: the call, and both answers around the position. */
function differenceOf(one, other) {
  const at = one.findIndex((answer, index) => answer !== other[index])
  if (at < 0) return undefined
  let from = 0
  while (one[at][from] === other[at][from]) from++
  const part = (answer) => answer.slice(Math.max(0, from - 150), from + 100)
  return `call ${at}, ${one[at].slice(0, 100)}\n  ${part(one[at])}\n  ${part(other[at])}`
}

let first
let different = 0
for (let done = 0; done < runs; done += atonce) {
  const made = await Promise.all(Array.from({ length: Math.min(atonce, runs - done) }, run))
  first ??= made[0]
  for (const difference of made.map((answers) => differenceOf(first, answers))) {
    if (difference === undefined) continue
    different++
    console.log(difference)
  }
}
const digest = createHash('sha256').update(first.join('\n')).digest('hex').slice(0, 16)
console.log(
  `determinism: ${runs} runs of ${calls} calls, ${atonce} at once, Node ${process.version}: ${different} different, ${digest}`,
)
if (different > 0) process.exitCode = 1
