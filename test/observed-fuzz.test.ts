// Thousands of requests of all kinds under `behaviour: observed`: each refusal keeps its declared form (every answer is held against
// its contract, see every-answer.ts), names its code in a header, and keeps its detail in the journal and the log.

import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { card, everyday } from './ids.js'
import { Stream } from '../src/determinism/random.js'
import { sampleOf } from '../src/endpoint/examples.js'
import type { Call } from '../src/protocol/call.js'
import type { Sandbox } from '../src/sandbox/sandbox.js'
import { endpoints } from '../src/sandbox/endpoints.js'
import { Client, sandboxAt, standardSignIn, testMs } from './client.js'

const ofService = endpoints.filter(({ auth }) => auth !== 'control')

let sandbox: Sandbox
let samples: Call[] = []
let tokens: string[] = []

beforeAll(async () => {
  sandbox = sandboxAt(testMs, { behaviour: 'observed' })
  for (const endpoint of ofService) samples.push((await sampleOf(endpoint, sandbox)).call)
  // Another test runs card code a thousand times.
  samples = samples.map((call) =>
    call.path.includes('execute') ? { ...call, body: { simulationcode: 'const a = 1' } } : call,
  )
  const readonly = await Client.of(sandbox, { ...standardSignIn, apiKey: 'sandbox-readonly-key' })
  tokens = [(await Client.of(sandbox)).token, readonly.token, 'nobody']
})
afterAll(() => sandbox.close())

const values: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1,
    0.005,
    1e308,
    '',
    ' ',
    '0',
    '-1',
    '1.005',
    'null',
    'True',
    'x'.repeat(300),
  ],
  ...['2026-03-25', '2026-02-30', '2026-03-25T00:00:00Z', everyday, card, 'ZA', 'zar'],
  ...['\u0000', '\ud800', '__proto__', 'constructor', '../..', '%2e%2e', "' OR 1=1 --", '<b>', 'é', '💥'],
  ...[[], {}, [[]], [null], { a: 1 }, { length: 1e9 }, [{ amount: 'x' }]],
]
const names = [
  ...[
    'fromDate',
    'toDate',
    'transactionType',
    'includePending',
    'profileId',
    'page',
    'extended',
    'x',
    '',
    'FROMDATE',
  ],
  ...[
    '__proto__',
    'toString',
    'transferList',
    'paymentList',
    'Amount',
    'code',
    'variables',
    'Enabled',
    'simulationCode',
  ],
]

/** A value with one part replaced, removed or extended. */
function spoiled(value: unknown, chance: Stream, depth = 0): unknown {
  if (depth > 5 || chance.chance(250)) return chance.pick(values)
  if (Array.isArray(value)) {
    if (value.length === 0 || chance.chance(200)) return [...(value as unknown[]), chance.pick(values)]
    const at = chance.between(0, value.length - 1)
    return value.with(at, spoiled(value[at], chance, depth + 1))
  }
  if (typeof value !== 'object' || value === null) return chance.pick(values)
  const keys = Object.keys(value)
  if (keys.length === 0 || chance.chance(200)) return { ...value, [chance.pick(names)]: chance.pick(values) }
  const key = chance.pick(keys)
  const { [key]: held, ...rest } = value as Record<string, unknown>
  if (chance.chance(200)) return rest
  if (chance.chance(200)) return { ...rest, [key.toUpperCase()]: held }
  return { ...rest, [key]: spoiled(held, chance, depth + 1) }
}

const pathOf = (path: string, chance: Stream): string => {
  const [way = '', search = ''] = path.split('?')
  const parts = way.split('/')
  if (chance.chance(400)) {
    const text = String(chance.pick(values.filter((value) => typeof value !== 'object')))
    parts[chance.between(1, parts.length - 1)] = encodeURIComponent(Buffer.from(text).toString())
  }
  if (chance.chance(100)) parts.push('')
  const query = new URLSearchParams(search)
  for (let more = chance.between(0, 2); more > 0; more -= 1)
    query.append(chance.pick(names), String(chance.pick(values)))
  const text = chance.chance(150) ? chance.pick(['?', '?%', '?=&=', '?a=%zz', '?&&']) : `?${query.toString()}`
  return parts.join(chance.chance(50) ? '//' : '/') + (text === '?' ? '' : text)
}

const bodyOf = (body: unknown, chance: Stream): Call['body'] => {
  if (chance.chance(150))
    return chance.pick(['', '{', 'null', '[]', '"x"', '{"a":1}{', '\ufeff{}', 'a=b', '[[[[[['])
  return JSON.stringify(typeof body === 'object' ? spoiled(body, chance) : chance.pick(values))
}

const callOf = (sample: Call, chance: Stream): Call => {
  const type = chance.pick(['application/json', 'application/json; charset=utf-8', 'text/plain', ''])
  const ofSample = sample.headers ?? {}
  const authorization = chance.chance(850)
    ? ofSample.authorization?.toString().startsWith('Bearer ')
      ? `Bearer ${chance.chance(800) ? tokens[0]! : chance.pick(tokens)}`
      : ofSample.authorization
    : chance.pick([
        '',
        'Basic',
        'Basic !!!',
        `Basic ${btoa('a:b:c')}`,
        'Bearer',
        'bearer x',
        `Bearer ${'x'.repeat(5_000)}`,
      ])
  const isForm = ofSample['content-type'] === 'application/x-www-form-urlencoded'
  const form = chance.pick([
    ...[
      'grant_type=client_credentials',
      'grant_type=password',
      'grant_type=client_credentials&scope=nope',
      '',
    ],
    ...[
      'grant_type=client_credentials&client_id=x',
      'grant_type=client_credentials&client_secret=x',
      '%',
      'a=%zz',
    ],
    'grant_type=client_credentials&client_id=sandbox-client&client_secret=sandbox-secret&scope=accounts',
  ])
  const body = isForm ? form : sample.method === 'GET' ? undefined : bodyOf(sample.body, chance)
  return {
    method: chance.chance(30)
      ? chance.pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD'])
      : sample.method,
    path: pathOf(sample.path, chance),
    headers: {
      ...ofSample,
      authorization,
      ...(!isForm && chance.chance(900) ? { 'content-type': type } : {}),
    },
    ...(body !== undefined && { body }),
  }
}

test.each([1, 2])('a thousand requests from the seed %d', async (seed) => {
  const statuses = new Map<number, number>()
  for (let at = 0; at < 1_000; at += 1) {
    const chance = Stream.of(seed, `fuzz/${at}`)
    const call = callOf(chance.pick(samples), chance)
    const reply = await sandbox.handle(call)
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
    const said = `${call.method} ${call.path} ${JSON.stringify(call.body)}`
    if (reply.status >= 500) throw new Error(`${said} was answered ${reply.status} ${String(reply.body)}`)
    const entry = sandbox.main.journal.entries.at(-1)!
    const code = reply.headers['sandbox-problem']
    if (reply.status === 200) expect([said, code]).toEqual([said, undefined])
    else {
      expect([said, code]).toEqual([said, reply.problem?.code])
      expect([said, reply.problem?.detail]).toEqual([said, expect.stringMatching(/\S.*[.?]$/s)])
      expect([said, entry.problem]).toEqual([said, reply.problem])
    }
  }
  // Every kind occurred: answers, bad requests, missing credentials, missing permissions, unknown paths and methods.
  expect([...statuses.keys()].sort()).toEqual(expect.arrayContaining([200, 400, 401, 403, 404]))
  expect(statuses.get(200)!).toBeGreaterThan(100)
})
