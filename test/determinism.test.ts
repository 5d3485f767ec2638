// With a seed and a frozen clock, the same calls give the same bytes: fresh processes get 1,000 mixed calls over HTTP,
// also in parallel, and every byte of every answer is compared, headers included.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from '@jest/globals'
import { Stream } from '../src/determinism/random.js'
import { everyday, savings, tokenCall } from './client.js'
import { describeStore, freshStore } from './team-store.js'

const children: ChildProcess[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

async function start(...more: string[]): Promise<number> {
  const flags = ['--port', '0', '--json', '--quiet', '--seed', '42', '--now', '2026-03-25T08:00:00Z', ...more]
  const stdio = ['ignore', 'pipe', 'inherit'] as ['ignore', 'pipe', 'inherit']
  const child = spawn(process.execPath, ['dist/command/cli.js', ...flags], { stdio })
  children.push(child)
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return Number(new URL((JSON.parse(line) as { url: string }).url).port)
}

/** Every byte that the server sends for one request, on a connection of its own. */
async function ask(
  port: number,
  method: string,
  path: string,
  headers: object,
  body: string,
): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  // The port differs between processes: texts that contain it are not compared.
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    'connection: close',
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${String(value)}`)
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
  const parts: Buffer[] = []
  socket.on('data', (part: Buffer) => parts.push(part))
  await Promise.race([once(socket, 'close'), once(socket, 'error')])
  return Buffer.concat(parts).toString('latin1')
}

type Step = readonly [method: string, path: string, body?: object]

const accounts = '/za/pb/v1/accounts'
const merchant = { name: 'Shop', city: 'Cape Town', countryCode: 'ZA', categoryCode: '5411' }
const code = readFileSync(new URL('chance-card.js', import.meta.url), 'utf8')

/** Thirty-two calls, which are repeated. */
function round(number: number): Step[] {
  const amount = `${number + 1}.25`
  const payment = {
    beneficiaryId: 'MTAxODc2NTQzMjAwMDE=',
    amount,
    myReference: `p${number}`,
    theirReference: 'x',
  }
  const transfer = { beneficiaryAccountId: savings, amount, myReference: `t${number}`, theirReference: 'y' }
  const purchase = { centsAmount: 1000 + number, currencyCode: 'zar', merchant }
  return [
    ['GET', accounts],
    ['GET', `${accounts}/${everyday}/balance`],
    ['GET', `${accounts}/${everyday}/transactions?includePending=true`],
    ['GET', `${accounts}/${everyday}/pending-transactions`],
    ['GET', `${accounts}/beneficiaries`],
    ['GET', '/za/pb/v1/profiles'],
    ['GET', '/za/v1/cards'],
    ['GET', '/za/v1/cards/700615/code'],
    ['POST', `${accounts}/${everyday}/paymultiple`, { paymentList: [payment] }],
    ['POST', `${accounts}/${everyday}/transfermultiple`, { transferList: [transfer] }],
    ['POST', `${accounts}/${everyday}/paymultiple`, { paymentList: [{ ...payment, amount: '-1' }] }],
    ['POST', '/za/v1/cards/700615/code', { code: `${code}\n// ${number}` }],
    ['POST', '/za/v1/cards/700615/publish', { codeid: 'CODE-ID', code: ' ' }],
    ['POST', '/za/v1/cards/700615/environmentvariables', { variables: { A: String(number) } }],
    [
      'POST',
      '/za/v1/cards/700615/code/execute',
      {
        simulationcode: code,
        centsAmount: '100',
        currencyCode: 'zar',
        merchantCode: 5411,
        merchantCity: 'x',
        countryCode: 'ZA',
      },
    ],
    ['GET', '/za/v1/cards/700615/code/executions'],
    ['GET', '/_sandbox/outbound'],
    ['POST', '/za/v1/cards', { AccountNumber: '10011234567', EmbossName: `CARD ${number}` }],
    ['POST', '/_sandbox/cards/700615/transactions', purchase],
    ['POST', '/_sandbox/cards/700622/transactions', { ...purchase, type: 'refund' }],
    ['POST', '/_sandbox/clock', { advance: number % 3 === 0 ? 'P1D' : 'PT7M' }],
    ['GET', `${accounts}/${everyday}/balance`],
    ['POST', '/_sandbox/accounts', { referenceName: `N${number}` }],
    [
      'POST',
      `/_sandbox/accounts/${everyday}/entries`,
      { type: 'CREDIT', amount: '10', description: `E${number}` },
    ],
    ['POST', '/_sandbox/beneficiaries', { beneficiaryName: `B${number}`, accountNumber: '123456' }],
    ['POST', '/_sandbox/api-keys', { alias: `K${number}`, accounts: 'all', permissions: ['accounts'] }],
    [
      'POST',
      '/_sandbox/faults',
      { match: { path: '**/profiles' }, fault: { status: 500 }, probability: 0.5 },
    ],
    ['POST', '/_sandbox/workspaces', { seed: number }],
    ['GET', '/_sandbox/requests?limit=5'],
    ['GET', '/nothing/here'],
    ['POST', number === 6 ? '/_sandbox/reset' : '/_sandbox/requests/verify', { match: { method: 'POST' } }],
    ['GET', '/_sandbox/state'],
  ]
}

/** The answers of a fresh process, or of several that share a store: each call goes to one of them by chance. */
async function session(rounds = 32, given?: readonly number[]): Promise<string[]> {
  const ports = given ?? [await start()]
  const chance = Stream.of(1, 'ports')
  const answers: string[] = []
  let token = ''
  let codeId = ''
  const next = () => chance.pick(ports)
  for (let number = 0; number < rounds; number++) {
    const { method, path, headers, body } = tokenCall()
    const signedIn = await ask(next(), method, path, headers!, body as string)
    answers.push(signedIn)
    token = /"access_token":"(\w+)"/.exec(signedIn)![1]!
    for (const [method, path, body] of round(number)) {
      const given = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
      const text = body ? JSON.stringify(body).replace('CODE-ID', codeId) : ''
      const answer = await ask(next(), method, path, given, text)
      codeId = /"codeId":"([0-9A-F-]+)"/.exec(answer)?.[1] ?? codeId
      answers.push(answer)
    }
  }
  return answers
}

test('1,000 mixed calls to three fresh processes give the same bytes, under load too', async () => {
  const first = await session()
  // Two at once, so that they delay each other.
  const others = await Promise.all([session(), session()])
  expect(first.length).toBeGreaterThanOrEqual(1_000)
  for (const status of ['200', '400', '404'])
    expect(first.some((answer) => answer.startsWith(`HTTP/1.1 ${status}`))).toBe(true)
  expect(first.some((answer) => answer.includes('declined-by-code'))).toBe(true)
  expect(first.filter((answer) => answer.startsWith('HTTP/1.1 200')).length).toBeGreaterThan(200)
  expect(first.some((answer) => answer.includes('ERR_OUTBOUND_POLICY'))).toBe(true)
  for (const other of others)
    for (const [index, answer] of first.entries())
      if (answer !== other[index]) expect(other[index]).toBe(answer)
}, 120_000)

/** Without the control token of a new workspace, which comes from chance and not from the seed. */
const masked = (answer: string): string =>
  answer.replace(
    /content-length: (\d+)([^]*),"controlToken":"[0-9a-f]{32}"/,
    (_, length: string, between: string) => `content-length: ${Number(length) - 50}${between}`,
  )

describeStore('with a store', () => {
  test('mixed calls to three replicas give the bytes of one process', async () => {
    const store = await freshStore()
    const flags = ['--store', store]
    const ports = [await start(...flags), await start(...flags), await start(...flags)]
    const [alone, shared] = [await session(5), await session(5, ports)]
    expect(alone.length).toBeGreaterThanOrEqual(150)
    for (const [index, answer] of alone.entries()) expect(masked(shared[index]!)).toBe(answer)
  }, 60_000)
})
