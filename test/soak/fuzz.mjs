// Sends requests over HTTP, any part of which may be broken: no 5xx, no answer that is neither JSON nor empty, no
// refusal that changes the bank, and the process survives. Run: npm run build && node test/soak/fuzz.mjs [--seed 1]
// [--requests 20000]

import { once } from 'node:events'
import { connect } from 'node:net'
import { endpoints } from '../../dist/sandbox/endpoints.js'
import { sampleOf } from '../../dist/endpoint/examples.js'
import { Sandbox } from '../../dist/sandbox/sandbox.js'
import { accounts, chanceOf, clientOf, everyday, must, numbers, signIn, startBank } from './bank.mjs'

const { seed, requests } = numbers({ seed: 1, requests: 20_000 })
const chance = chanceOf(seed)

const values = [
  null, true, -1, 0, 1e308, 1e-7, '', ' ', 'x', '\u0000', '\u202e', '\ud800', '٣', '0'.repeat(400), 'x'.repeat(5_000),
  '../../etc/passwd', '%00', '{{7*7}}', '9007199254740993', '1e5', [], [[]], {}, { length: 3 }, { toString: 1 },
  '2026-02-30', '2026-03-25T25:00:00Z', 'P1Y', 'http://127.0.0.1/', '__proto__', 'constructor',
] // prettier-ignore

/** A copy of a body with one of its values replaced, removed, doubled or renamed. */
function broken(node) {
  if (typeof node !== 'object' || node === null || chance.below(4) === 0) return chance.of(values)
  const names = Object.keys(node)
  if (names.length === 0) return chance.of(values)
  const copy = Array.isArray(node) ? [...node] : { ...node }
  const name = chance.of(names)
  const way = chance.below(6)
  if (way === 0) delete copy[name]
  else if (way === 1) copy[chance.of(['__proto__', 'x', name.toUpperCase(), `${name} `])] = copy[name]
  else copy[name] = broken(copy[name])
  return copy
}

const spoil = (text) => {
  const bytes = Buffer.from(text)
  for (let i = 0; i <= chance.below(3) && bytes.length > 0; i++)
    bytes[chance.below(bytes.length)] = chance.below(256)
  return chance.below(3) === 0 ? bytes.subarray(0, chance.below(bytes.length + 1)) : bytes
}

// Calls that would end the run or delete its data, and streams, which do not end.
const left = new Set(['PUT /_sandbox/state', 'GET /_sandbox/events'])
const samples = []
for (const endpoint of endpoints) {
  if (left.has(`${endpoint.method} ${endpoint.path}`)) continue
  const { call } = await sampleOf({ ...endpoint, example: endpoint.example ?? undefined }, new Sandbox())
  samples.push({ ...call, auth: endpoint.auth, headers: call.headers ?? {} })
}

const bank = await startBank('--seed', String(seed), '--now', '2026-03-25T08:00:00Z')
const { port } = new URL(bank.url)
let token = (await signIn(bank)).authorization
const statuses = new Map()

/** Sends bytes unchanged, and returns the status and body of the answer; no status when the connection ended. */
async function send(bytes) {
  const socket = connect(Number(port), '127.0.0.1')
  const parts = []
  socket.on('data', (part) => parts.push(part))
  socket.on('error', () => undefined)
  socket.end(bytes)
  const timer = setTimeout(() => socket.destroy(), 5_000)
  await once(socket, 'close')
  clearTimeout(timer)
  const text = Buffer.concat(parts).toString('latin1')
  const end = text.indexOf('\r\n\r\n')
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]), body: end < 0 ? '' : text.slice(end + 4) }
}

const asText = (body) => (typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body))

function requestOf({ method, path, headers, body, auth }) {
  const way = chance.below(10)
  let sent = asText(way < 6 && typeof body === 'object' ? broken(body) : body)
  let target = path
  if (way === 6)
    target = chance.of([
      `${path}?${JSON.stringify(chance.of(values))}=1`,
      `${path}/`,
      path.toUpperCase(),
      `/${path}`,
      `${path}%`,
    ])
  if (way === 7)
    method = chance.of(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'get'])
  if (way === 8) sent = spoil(sent)
  const all = {
    host: 'localhost',
    connection: 'close',
    'content-length': Buffer.byteLength(sent),
    ...headers,
    ...(typeof body === 'object' && { 'content-type': 'application/json' }),
    ...(auth === 'token' && { authorization: token }),
  }
  if (way === 9) {
    const name = chance.of([
      ...Object.keys(all),
      'accept',
      'expect',
      'content-encoding',
      'x-http-method-override',
      'cookie',
    ])
    all[name] = chance.of([
      '',
      'x',
      '\u00ff',
      'gzip',
      '100-continue',
      '0',
      '-1',
      'x'.repeat(3_000),
      'Bearer ',
      'Basic ====',
      '*/*',
    ])
  }
  const clean = target.replace(/[\r\n ]/g, '+')
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${String(value).replace(/[\r\n]/g, '')}`)
  const head = Buffer.from(`${method} ${clean} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  return way === 8 && chance.below(4) === 0
    ? spoil(Buffer.concat([head, Buffer.from(sent)]))
    : Buffer.concat([head, Buffer.from(sent)])
}

/** The rows of an account; an earlier request may have moved the clock, so that the token has expired. */
async function rowsOf(ask) {
  const path = `${accounts}/${everyday}/transactions?fromDate=2000-01-01`
  const reply = await ask('GET', path)
  return (reply.status === 401 ? await ask('GET', path) : reply).text
}

let refusals = 0
const { ask } = await clientOf(bank)
for (let done = 0; done < requests; done++) {
  const sample = chance.of(samples)
  const isChecked = done % 200 === 0
  const before = isChecked ? await rowsOf(ask) : ''
  const bytes = requestOf(sample)
  const shown = () => `${bytes.toString('latin1').slice(0, 500)} (seed ${seed}, request ${done})`
  const { status, body } = await send(bytes)
  must(bank.isUp(), 'the bank died after', shown())
  must(!(status >= 500), `${status} ${body.slice(0, 300)} for`, shown())
  // A fault that a request has injected would answer instead of the bank.
  if (/faults|scenario|checkpoints/.test(sample.path)) await ask('DELETE', '/_sandbox/faults')
  statuses.set(status || 0, (statuses.get(status || 0) ?? 0) + 1)
  if (status >= 400) refusals++
  if (isChecked && status >= 400 && (await rowsOf(ask)) !== before)
    throw new Error(`a refusal changed the ledger: ${shown()}`)
  if (done % 500 === 499) {
    // Settings of one request must not affect all later ones.
    await ask('DELETE', '/_sandbox/faults')
    const reset = await ask('POST', '/_sandbox/reset', {})
    must(reset.status === 200, `reset: ${reset.text}`)
    token = (await signIn(bank)).authorization
  }
}
await ask('DELETE', '/_sandbox/faults')
const health = await ask('GET', '/_sandbox/health')
must(health.status === 200, 'the bank is not healthy')
must((await bank.end()) === 0, 'the bank did not end cleanly')
const unanswered = statuses.get(0) ?? 0
console.log(
  `fuzz: ${requests} requests, ${refusals} refused, ${unanswered} without an answer, 0 of 5xx, 0 deaths, 0 refusals that changed the ledger`,
)
