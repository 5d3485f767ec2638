// Card code in the styles of published code: each runs and decides, so the lint must find no error in it.

export const cardScripts: Readonly<Record<string, string>> = {
  'a function': `function beforeTransaction(authorization) { return authorization.centsAmount < 50000 }`,
  'an async function': `async function beforeTransaction(authorization) { return authorization.centsAmount < 50000 }`,
  'a constant arrow': `const beforeTransaction = async (authorization) => authorization.centsAmount < 50000`,
  'a constant function': `const beforeTransaction = async function (authorization) { return true }`,
  let: `let beforeTransaction = async (a) => { return a.centsAmount < 50000 }`,
  var: `var beforeTransaction = (a) => a.centsAmount < 50000;`,
  'an assignment': `beforeTransaction = async (authorization) => { return authorization.centsAmount <= 10000 }`,
  'an assignment to globalThis': `globalThis.beforeTransaction = async (authorization) => true`,
  'declared first, assigned later': `let beforeTransaction\nbeforeTransaction = async () => true`,
  'a hook that is another function': `const decide = async ({ centsAmount }) => centsAmount < 50000\nconst beforeTransaction = decide`,
  'a wrapped hook': `const guarded = (rule) => async (a) => { try { return await rule(a) } catch { return false } }
const beforeTransaction = guarded(async (a) => a.centsAmount < 50000)`,
  'all hooks': `const beforeTransaction = async (authorization) => { console.log(authorization); return true }
const afterTransaction = async (transaction) => { console.log(transaction) }
const afterDecline = async (transaction) => { console.log(transaction) }
const afterReversal = async (transaction) => { console.log(transaction) }
const afterAdjustment = async (transaction) => { console.log(transaction) }`,
  'only an after hook': `const afterTransaction = async (transaction) => { console.log(transaction.centsAmount) }`,
  'a list of categories': `const allowed = ['5541', '5542', '5172']
const beforeTransaction = async (authorization) => allowed.includes(authorization.merchant.category.code)`,
  'a set of categories': `const blocked = new Set(['5812', '5813', '5814'])
const beforeTransaction = async ({ merchant }) => !blocked.has(merchant.category.code)`,
  'a switch': `const beforeTransaction = async ({ merchant: { category } }) => {
  switch (category.code) { case '5541': case '5542': return true
    default: return false }
}`,
  'if and else': `async function beforeTransaction(authorization) {
  if (authorization.merchant.category.key === 'bakeries') { return true } else { return false }
}`,
  'a limit in the variables': `const beforeTransaction = async (a) => a.centsAmount < Number(process.env.LIMIT_CENTS || 50000)`,
  'a variable that is compared loosely': `const beforeTransaction = async (a) => { if (process.env.LIMIT == undefined) return true; return a.centsAmount < parseInt(process.env.LIMIT, 10) }`,
  'destructured variables': `const { LIMIT = '50000', MODE } = process.env
const beforeTransaction = async ({ centsAmount }) => MODE === 'open' || centsAmount < Number(LIMIT)`,
  'an await chain': `const getToken = async () => { const r = await fetch('https://api.example.com/token', { method: 'POST' }); return (await r.json()).token }
const getLimit = async (token) => { const r = await fetch('https://api.example.com/limit', { headers: { Authorization: 'Bearer ' + token } }); const { limit } = await r.json(); return limit }
const beforeTransaction = async (authorization) => { const token = await getToken(); const limit = await getLimit(token); return authorization.centsAmount <= limit }`,
  'then chains': `function beforeTransaction(authorization) {
  return fetch('https://api.example.com/limit').then((r) => r.json()).then((body) => authorization.centsAmount <= body.limit).catch(() => false)
}`,
  'a race with the clock': `const late = (ms) => new Promise((resolve) => setTimeout(() => resolve(null), ms))
const beforeTransaction = async (a) => { const r = await Promise.race([fetch('https://api.example.com/limit'), late(1000)]); return r !== null && r.ok }`,
  'several at once': `const beforeTransaction = async () => {
  const [one, other] = await Promise.all([fetch('https://api.example.com/a'), fetch('https://api.example.com/b')])
  return one.ok && other.ok
}`,
  'an abort controller': `const beforeTransaction = async () => {
  const controller = new AbortController(); const timer = setTimeout(() => controller.abort(), 1500)
  try { const r = await fetch('https://api.example.com/limit', { signal: controller.signal }); return r.status === 200 }
  catch (error) { console.error(error.message); return false } finally { clearTimeout(timer) }
}`,
  'options in a variable': `const options = { method: 'POST', headers: { 'Content-Type': 'application/json' } }
const beforeTransaction = async (a) => { const r = await fetch('https://api.example.com/ask', { ...options, body: JSON.stringify(a) }); return r.ok }`,
  'a webhook afterwards': `const beforeTransaction = async () => true
const afterTransaction = async (transaction) => { await fetch(process.env.HOOK || 'https://hooks.example.com', { method: 'POST', body: JSON.stringify({ amount: transaction.centsAmount / 100 }) }) }`,
  'a round-up': `const beforeTransaction = async () => true
const afterTransaction = async ({ centsAmount }) => { const spare = (1000 - (centsAmount % 1000)) % 1000; if (spare > 0) console.log('save', investec.helpers.format.decimal(spare)) }`,
  'helpers of the bank': `const beforeTransaction = async (authorization) => { console.log(investec.helpers.format.decimal(authorization.centsAmount, 100)); return true }`,
  moment: `const beforeTransaction = async (a) => { const hour = moment(a.dateTime).utcOffset(2).hour(); return hour >= 0 && hour < 24 }`,
  'office hours': `const beforeTransaction = async ({ dateTime }) => { const day = new Date(dateTime).getUTCDay(); return day >= 0 && day <= 6 }`,
  'a class': `class Rule { constructor(max) { this.max = max } allows({ centsAmount }) { return centsAmount <= this.max } }
const rule = new Rule(50000)
const beforeTransaction = async (authorization) => rule.allows(authorization)`,
  'rules as a list': `const rules = [(a) => a.centsAmount < 50000, (a) => a.merchant.country.code === 'ZA']
const beforeTransaction = async (authorization) => rules.every((rule) => rule(authorization))`,
  'a for loop with await': `const beforeTransaction = async (a) => { for (const url of ['https://api.example.com/a', 'https://api.example.com/b']) { const r = await fetch(url); if (!r.ok) return false } return true }`,
  'retries without end': `const beforeTransaction = async () => { let tries = 0; while (true) { tries++; if (tries > 3) return false; try { const r = await fetch('https://api.example.com/limit'); return r.ok } catch { continue } } }`,
  'a throw inside a try': `const check = (a) => { if (a.centsAmount > 50000) throw new Error('too much'); return true }
const beforeTransaction = async (a) => { try { return check(a) } catch (e) { console.log(e.message); return false } }`,
  'template text':
    'const beforeTransaction = async (a) => { console.log(`${a.merchant.name} in ${a.merchant.city}, ${a.merchant.country.alpha3}: ${a.centsAmount / 100}`); return true }',
  'JSON of an object': `const beforeTransaction = async (authorization) => { console.log('got ' + JSON.stringify(authorization)); return true }`,
  'node guards': `const beforeTransaction = async () => true
if (typeof module !== 'undefined') module.exports = { beforeTransaction }`,
  'a global that is set by itself': `count = 0
const beforeTransaction = async () => { count++; return count > 0 }`,
  'an optional field': `const beforeTransaction = async (a) => { const ref = a.extraReference ?? a.reference; return ref !== undefined && (a.card?.display ?? '') !== 'x' }`,
  'a buffer': `const beforeTransaction = async () => { const basic = Buffer.from('id:secret').toString('base64'); const r = await fetch('https://api.example.com/limit', { headers: { Authorization: \`Basic \${basic}\` } }); return r.ok }`,
  'a search': `const beforeTransaction = async (a) => { const query = new URLSearchParams({ cents: String(a.centsAmount) }); const r = await fetch('https://api.example.com/ask?' + query); const body = await r.json(); return body.ok === true }`,
  'a hook with a default': `const beforeTransaction = async (authorization = {}) => { const { centsAmount = 0 } = authorization; return centsAmount < 50000 }`,
  'booleans that are made': `const beforeTransaction = async (a) => !!(a.centsAmount < 50000 && a.merchant.name)`,
  'an arrow that waits': `const allowed = async (a) => a.centsAmount < 50000
const beforeTransaction = (a) => allowed(a)`,
  'sms of a decline': `const beforeTransaction = async (a) => a.centsAmount < 50000
const afterDecline = async (transaction) => { await fetch('https://sms.example.com', { method: 'POST', body: 'Declined: ' + transaction.merchant.name }) }`,
  'regular expressions': `const beforeTransaction = async ({ merchant: { name } }) => !/casino|bet/i.test(name)`,
  'a hook inside a block': `if (true) { var beforeTransaction = async () => true }`,
}
