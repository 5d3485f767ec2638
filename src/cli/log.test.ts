import { expect, test } from '@jest/globals'
import { card, CardHolder } from '../../test/card-holder.js'
import { Client, everyday, sandboxAt } from '../../test/client.js'
import type { RequestLine } from '../http/http-options.js'
import type { EventOnWire } from '../journal/events.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { isColoured, painter } from './colours.js'
import { Entries } from './log-entry.js'
import { Log } from './log.js'
import { textOf, type LogStyle } from './log-text.js'

const plain: LogStyle = { paint: painter(false), isVerbose: false }

interface Printed {
  readonly log: Log
  readonly lines: string[]
  /** What was printed since the last call. */
  readonly next: () => Promise<string>
}

function logOf(sandbox: Sandbox, style: Partial<LogStyle> = {}, isJson = false): Printed {
  const lines: string[] = []
  const log = new Log({
    ask: async (path) => JSON.parse(String((await sandbox.handle({ method: 'GET', path })).body)) as unknown,
    print: (text) => lines.push(text),
    style: () => ({ ...plain, ...style }),
    isJson,
  })
  sandbox.workspaces.watch((event, workspace) => log.take(event, workspace))
  const next = async (): Promise<string> => {
    await log.finish()
    return lines.splice(0).join('\n')
  }
  return { log, lines, next }
}

/** Real milliseconds differ in every run. */
const timed = (text: string): string => text.replace(/ {2}[\d.]+(?: \d{3})* ms$/gm, '  N ms')

const code = (body: string): string => `const beforeTransaction = async (authorization) => { ${body} }
const afterTransaction = async () => {}`

test('a request is a line of time, method, path, status and milliseconds; a refusal says why', async () => {
  const client = await Client.of(sandboxAt())
  const { next } = logOf(client.sandbox)
  await client.get(`/za/pb/v1/accounts/${everyday}/balance`)
  expect(timed(await next())).toBe(`08:00:00  GET  /za/pb/v1/accounts/${everyday}/balance  200  N ms`)
  await client.get(`/za/pb/v1/accounts/${everyday}/transactions?fromDate=2026-02-30`)
  expect(timed(await next())).toBe(
    [
      `08:00:00  GET  /za/pb/v1/accounts/${everyday}/transactions?fromDate=2026-02-30  400  N ms`,
      '          invalid-request: /fromDate must be a date that exists, written as 2026-03-25.',
    ].join('\n'),
  )
})

test('warnings are below their request, at most three unless the log is verbose', async () => {
  const client = await Client.of(sandboxAt())
  const { next } = logOf(client.sandbox)
  const path = '/za/pb/v1/accounts?a=1&b=2&c=3&d=4'
  const warnings = ['a', 'b', 'c', 'd'].map(
    (name) => `          warning unknown-parameter: /${name} is not a parameter of this endpoint`,
  )
  await client.get(path)
  const line = `08:00:00  GET  ${path}  200  N ms`
  const more = '          and 1 more warnings; --verbose lists them'
  expect(timed(await next())).toBe([line, ...warnings.slice(0, 3), more].join('\n'))
  const verbose = logOf(client.sandbox, { isVerbose: true })
  await client.get(path)
  expect(timed(await verbose.next())).toContain([line, ...warnings, '          < {"data":'].join('\n'))
})

test('a fault that struck is named, and a call without an answer has no status', async () => {
  const client = await Client.of(sandboxAt())
  const { next } = logOf(client.sandbox)
  for (const fault of [{ kind: 'reset' }, { status: 503 }])
    await client.control('POST', 'faults', { match: { path: '/za/**' }, times: 1, fault })
  await client.get('/za/pb/v1/accounts')
  await client.get('/za/pb/v1/accounts')
  expect(timed(await next()).split('\n')).toEqual([
    '08:00:00  GET  /za/pb/v1/accounts  ---  N ms',
    '          fault f1 struck: no answer was sent',
    '08:00:00  GET  /za/pb/v1/accounts  503  N ms',
    '          fault f2 struck',
    '          injected-fault: Fault f2 of the sandbox answers 503 here.',
  ])
})

test('a workspace that is not the main one is named, also one that was added later', async () => {
  const client = await Client.of(sandboxAt())
  const { next } = logOf(client.sandbox)
  await client.control('POST', 'workspaces', { name: 'w1' })
  await client.sandbox.handle({ method: 'GET', path: '/za/pb/v1/accounts' })
  const [, w1] = client.sandbox.workspaces.all
  await client.sandbox.handle({ method: 'GET', path: '/za/pb/v1/accounts' }, w1)
  const lines = (await next()).split('\n').filter((line) => line.includes('GET'))
  expect(lines.map(timed)).toEqual([
    '08:00:00  GET  /za/pb/v1/accounts  401  N ms',
    '08:00:00  [w1]  GET  /za/pb/v1/accounts  401  N ms',
  ])
})

test("a card transaction is a line, with the hook's logs and errors below", async () => {
  const holder = await CardHolder.of()
  const { next } = logOf(holder.client.sandbox)
  const body = `console.log('cents', authorization.centsAmount); console.error('two\\nlines\\u001b[31m')
    return authorization.centsAmount < 50000`
  await holder.publish(code(body))
  await next()
  await holder.buy({ centsAmount: 60_000, merchant: { categoryCode: '5812' } })
  expect(await next()).toBe(
    [
      `08:00:00  card ${card}  R 600,00  5812  declined-by-code  0 ms`,
      '          cents 60000',
      '          error: two',
      '          lines\\u001b[31m',
    ].join('\n'),
  )
  await holder.publish(code('throw new TypeError("no rule")'))
  await next()
  await holder.buy({ centsAmount: 100, currencyCode: 'usd', merchant: { categoryCode: '5462' } })
  expect(await next()).toBe(
    [`08:00:00  card ${card}  USD 1,00  5462  approved  0 ms`, '          threw in line 1: no rule'].join(
      '\n',
    ),
  )
})

test('a simulation has a line for each hook; an after hook of a purchase only when it has output', async () => {
  const holder = await CardHolder.of()
  const { next } = logOf(holder.client.sandbox)
  await holder.simulate(code('return false'))
  expect((await next()).split('\n').slice(0, 2)).toEqual([
    `08:00:00  card ${card}  simulation  beforeTransaction  false  0 ms`,
    `08:00:00  card ${card}  simulation  afterTransaction  0 ms`,
  ])
  await holder.publish(code('return true').replace('{}', '{ console.warn("late") }'))
  await next()
  await holder.buy({ centsAmount: 100, merchant: { categoryCode: '5462' } })
  expect(await next()).toBe(
    [
      `08:00:00  card ${card}  R 1,00  5462  approved  0 ms`,
      `08:00:00  card ${card}  afterTransaction  0 ms`,
      '          warn: late',
    ].join('\n'),
  )
})

test('lint findings in saved code are warnings of the call', async () => {
  const holder = await CardHolder.of()
  const { sandbox } = holder.client
  sandbox.listensAt.add({ address: '127.0.0.1', port: 1 })
  const { next } = logOf(sandbox)
  await holder.post(`/${card}/code`, { code: 'const beforetransaction = async () => true\n' })
  expect(timed(await next())).toMatch(
    new RegExp(
      `^08:00:00 {2}POST {2}/za/v1/cards/${card}/code {2}200 {2}N ms\n {10}warning card-lint: /code main\\.js:1:7 .*is called beforeTransaction`,
    ),
  )
})

test("a move of the clock and a reset have lines, and the log uses the sandbox's clock", async () => {
  const client = await Client.of(sandboxAt())
  const { next } = logOf(client.sandbox)
  await client.control('POST', 'clock', { advance: 'PT90M' })
  await client.control('POST', 'reset')
  expect(await next()).toBe(
    [
      '09:30:00  the clock stands still at 2026-03-25T09:30:00.000Z',
      '08:00:00  reset to the scenario default',
    ].join('\n'),
  )
})

test('a checkpoint and an imported state that are restored have lines, at their time', async () => {
  const client = await Client.of(sandboxAt())
  const { next } = logOf(client.sandbox)
  const state = (await client.control('GET', 'state')).json
  await client.control('POST', 'clock', { advance: 'PT90M' })
  await client.control('POST', 'checkpoints', { name: 'later' })
  await client.control('PUT', 'state', state)
  await client.control('POST', 'checkpoints/c1/restore')
  expect(await next()).toBe(
    [
      '09:30:00  the clock stands still at 2026-03-25T09:30:00.000Z',
      '08:00:00  restored from a state',
      '09:30:00  restored from a checkpoint',
    ].join('\n'),
  )
})

test('with --verbose the log has the bodies, without their secrets', async () => {
  const client = await Client.of(sandboxAt())
  const { next } = logOf(client.sandbox, { isVerbose: true })
  await client.post(`/za/pb/v1/accounts/${everyday}/paymultiple`, {
    paymentList: [],
    client_secret: 'abcdefgh',
  })
  const [line, problem, , sent, answered] = (await next()).split('\n')
  expect([line, problem]).toEqual([expect.stringContaining('paymultiple  400'), expect.anything()])
  expect(sent).toBe('          > {"paymentList":[],"client_secret":"***"}')
  expect(answered).toMatch(/^ {10}< \{"type":"urn:sandbox-server:problem:invalid-request"/)
})

const line: RequestLine = {
  method: 'GET',
  path: '/_sandbox/health',
  status: 200,
  ms: 1.26,
  isInJournal: false,
}

test('requests that the journal does not keep have lines, except reads of the control API', () => {
  const { log, lines } = logOf(sandboxAt())
  const at = '2026-03-25T08:00:00.000Z'
  for (const each of [
    line,
    { ...line, isInJournal: true, path: '/za/pb/v1/accounts' },
    { ...line, method: 'POST', path: '/_sandbox/reset' },
    {
      ...line,
      path: '/za/pb/v1/accounts',
      status: 401,
      problem: { code: 'host-refused', detail: 'Use --allow-host bank.' },
    },
  ])
    log.takeLine(each, at, 'default')
  expect(lines).toEqual([
    '08:00:00  POST  /_sandbox/reset  200  1.3 ms',
    '08:00:00  GET  /za/pb/v1/accounts  401  1.3 ms\n          host-refused: Use --allow-host bank.',
  ])
  const verbose = logOf(sandboxAt(), { isVerbose: true })
  verbose.log.takeLine(line, at, 'default')
  expect(verbose.lines).toEqual(['08:00:00  GET  /_sandbox/health  200  1.3 ms'])
})

test('an entry is one line, whatever its path contains', () => {
  const { log, lines } = logOf(sandboxAt())
  const path = `/\u001b[31m\r\n\u{1f600}${'a'.repeat(9999)}`
  log.takeLine({ ...line, path, status: 404 }, '2026-03-25T08:00:00.000Z', 'default')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(
    /^08:00:00 {2}GET {2}\/\\u001b\[31m\\u000d\\u000a\u{1f600}a{280,300}… {2}404 {2}1\.3 ms$/u,
  )
  const json = logOf(sandboxAt(), {}, true)
  json.log.takeLine({ ...line, path }, '2026-03-25T08:00:00.000Z', 'default')
  expect(json.lines[0]).not.toMatch(/[\n\r\u001b]/)
  expect(JSON.parse(json.lines[0]!)).toMatchObject({ event: 'request', path, status: 200, ms: 1.3 })
})

test('on a terminal of 80 columns no line is wider, and the path keeps its ends', async () => {
  const holder = await CardHolder.of()
  const { client } = holder
  const { next } = logOf(client.sandbox, { width: 80 })
  await client.get(`/za/pb/v1/accounts/${everyday}/balance`)
  const [short] = (await next()).split('\n')
  expect(short).toMatch(
    /^08:00:00 {2}GET {4}\/za\/pb\/v1\/accounts\/4675…0003\/balance {12} {2}200 +[\d.]+ ms$/,
  )
  expect(short).toHaveLength(80)
  await client.get(
    `/za/pb/v1/accounts/${everyday}/transactions?fromDate=2026-02-30&toDate=2026-13-01&${'x'.repeat(400)}=1`,
  )
  await holder.publish(code(`console.log('${'word '.repeat(60)}'); return ${'x'.repeat(300)}`))
  await holder.buy({ centsAmount: 100, merchant: { categoryCode: '5462' } })
  const lines = (await next()).split('\n')
  expect(lines.length).toBeGreaterThan(8)
  expect(lines.filter((each) => each.length > 80)).toEqual([])
})

test('colours mark the status, and there are none without them', () => {
  const at = '2026-03-25T08:00:00.000Z'
  const entry = {
    event: 'request',
    at,
    workspace: 'default',
    method: 'GET',
    path: '/',
    status: 500,
    ms: 1,
  } as const
  expect(textOf(entry, plain)).toBe('08:00:00  GET  /  500  1.0 ms')
  expect(textOf(entry, { ...plain, paint: painter(true) })).toBe(
    '\u001b[2m08:00:00  \u001b[0mGET  /  \u001b[31m500  1.0 ms\u001b[0m',
  )
})

test.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '' }, true, true],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
  [{ TERM: 'dumb' }, true, false],
])('with %j and a terminal: %j, output is coloured: %j', (environment, isTerminal, expected) => {
  expect(isColoured(environment, isTerminal)).toBe(expected)
})

test('events that are not from a sandbox make no entry that cannot be printed', () => {
  const entries = new Entries()
  const odd = [
    { type: 'call', at: 5, warnings: [null, 3], problem: 7, status: 'x', ms: {} },
    { type: 'execution', sandbox: true, logs: [null], error: [], hook: 9 },
    { type: 'card-transaction', centsAmount: 'x', currencyCode: null },
    { type: 'clock' },
    { type: '__proto__' },
  ] as unknown as EventOnWire[]
  const texts = odd.flatMap((event) => entries.of(event, '').map((entry) => textOf(entry, plain)))
  expect(texts).toHaveLength(4)
  for (const text of texts) expect(text).toMatch(/^--:--:--/)
})

test('hooks that wait for a transaction that never comes are printed after a while', () => {
  const entries = new Entries()
  const told = Array.from({ length: 130 }, (_, index) =>
    entries.of(
      { type: 'execution', at: '', hook: 'before_transaction', rootCodeFunctionId: String(index), ms: index },
      'default',
    ),
  ).flat()
  expect(told).toMatchObject([{ ms: 0 }, { ms: 1 }])
})
