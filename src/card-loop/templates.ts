// The four cards of `card init`. A test runs their tests.

export const templateNames = ['petrol', 'limit', 'notify', 'round-up'] as const
export type TemplateName = (typeof templateNames)[number]

export interface Template {
  readonly about: string
  readonly code: string
  readonly variables: Readonly<Record<string, string>>
  readonly cases: string
}

const now = 'now: 2026-03-25T08:00:00Z'

export const templates: Readonly<Record<TemplateName, Template>> = {
  petrol: {
    about: 'A card that pays only for petrol',
    code: `
const petrol = ['5541', '5542']

/** @type {BeforeTransaction} */
const beforeTransaction = async (authorization) => {
  if (petrol.includes(authorization.merchant.category.code)) return true
  console.log('not petrol')
  return false
}
`,
    variables: {},
    cases: `code: main.js
${now}
cases:
  petrol is paid: { swipe: { rand: 600, category: '5541', merchant: Harbour Fuel }, expect: approved }
  dinner is not:
    swipe: { rand: 600, category: '5812', merchant: Ocean Grill }
    expect: { decision: declined, log: not petrol, held: 0 }
  nothing else is paid:
    each:
      - { category: '5411', merchant: Grocer }
      - { category: '5912', merchant: Chemist }
    swipe: { rand: 100 }
    expect: declined
`,
  },
  limit: {
    about: 'A card with a limit for each purchase and one for restaurants',
    code: `
const restaurants = ['5811', '5812', '5813', '5814']

/** @type {BeforeTransaction} */
const beforeTransaction = async ({ centsAmount, merchant }) => {
  const isRestaurant = restaurants.includes(merchant.category.code)
  const limit = Number(isRestaurant ? process.env.RESTAURANT_CENTS : process.env.LIMIT_CENTS)
  if (centsAmount <= limit) return true
  console.log('above the limit of ' + limit + ' cents')
  return false
}
`,
    variables: { LIMIT_CENTS: '200000', RESTAURANT_CENTS: '50000' },
    cases: `code: main.js
env: env.json
${now}
cases:
  restaurants:
    each:
      - { rand: 500, expect: approved }
      - { rand: 500.01, expect: { decision: declined, log: above the limit } }
    swipe: { category: '5812', merchant: Ocean Grill }
  other shops:
    each:
      - { rand: 2000, expect: approved }
      - { rand: 2000.01, expect: declined }
    swipe: { category: '5411', merchant: Grocer }
`,
  },
  notify: {
    about: 'A card that posts each purchase to a webhook',
    code: `
/** @type {BeforeTransaction} */
const beforeTransaction = async () => true

/** @param {Authorization} transaction @param {string} outcome */
const notify = async (transaction, outcome) => {
  const response = await fetch(process.env.WEBHOOK ?? '', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ outcome, merchant: transaction.merchant.name, cents: transaction.centsAmount }),
  })
  if (!response.ok) console.error('the webhook answered ' + response.status)
}

/** @type {AfterTransaction} */
const afterTransaction = async (transaction) => notify(transaction, 'approved')

/** @type {AfterDecline} */
const afterDecline = async (transaction) => notify(transaction, 'declined')
`,
    variables: { WEBHOOK: 'https://hooks.example.com/card' },
    cases: `code: main.js
env: env.json
${now}
stubs:
  - match: { method: POST, url: 'https://hooks.example.com/**' }
    respond: { json: { ok: true }, delayMs: 200 }
cases:
  a purchase is posted:
    swipe: { rand: 84.95, merchant: Corner Bakery }
    expect:
      decision: approved
      calls:
        - match: { method: POST, url: 'https://hooks.example.com/card' }
          body: { outcome: approved, merchant: Corner Bakery, cents: 8495 }
  a broken webhook is logged:
    stubs: [{ respond: { status: 503 } }]
    swipe: { rand: 84.95 }
    expect: { decision: approved, log: the webhook answered 503 }
`,
  },
  'round-up': {
    about: 'A card that rounds each purchase up, and saves the change',
    code: `
/** @param {number} cents */
const changeOf = (cents) => {
  const step = Number(process.env.ROUND_TO_CENTS)
  return (step - (cents % step)) % step
}

/** @type {BeforeTransaction} */
const beforeTransaction = async () => true

/** @type {AfterTransaction} */
const afterTransaction = async ({ centsAmount, reference }) => {
  const change = changeOf(centsAmount)
  if (change === 0) return
  console.log('saving ' + change + ' cents')
  await fetch(process.env.SAVE_URL ?? '', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ cents: change, reference }),
  })
}
`,
    variables: { ROUND_TO_CENTS: '1000', SAVE_URL: 'https://savings.example.com/deposits' },
    cases: `code: main.js
env: env.json
${now}
stubs:
  - match: { method: POST, url: 'https://savings.example.com/**' }
    respond: { status: 201 }
cases:
  change is saved:
    swipe: { rand: 84.95 }
    expect: { decision: approved, log: saving 505 cents, calls: [{ body: { cents: 505 } }] }
  a round amount saves nothing: { swipe: { rand: 80 }, expect: { decision: approved, calls: 0 } }
`,
  },
}
