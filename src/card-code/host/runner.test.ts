import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, expect, test } from '@jest/globals'
import { type Outcome, type Run, type RunResult, createRunner, startRunner, takeRunner } from './runner.js'

const nowMs = Date.UTC(2024, 4, 17, 10)
const frozen = { nowMs, frozen: true }
const runner = createRunner({ maxWorkers: 2 })
afterAll(() => runner.close())

const execute = (source: string, given: Partial<Run> = {}): Promise<RunResult> =>
  runner.run({
    hook: 'hook',
    source,
    variables: {},
    payload: { centsAmount: 100 },
    windowMs: 2_000,
    time: { nowMs, frozen: false },
    seed: 1,
    policy: 'deny',
    ...given,
  })
const outcomeOf = async (source: string, given?: Partial<Run>): Promise<Outcome> =>
  (await execute(source, given)).outcome
const settledOf = async (source: string, given?: Partial<Run>): Promise<Outcome> =>
  (await execute(source, given)).settled

test('a hook gets its payload and the variables, and its value comes back', async () => {
  const source = 'const hook = async (auth) => auth.centsAmount + Number(process.env.EXTRA)'
  const outcome = await outcomeOf(source, { variables: { EXTRA: '5' }, time: frozen })
  expect(outcome).toEqual({
    ...{ end: 'returned', value: 105, returnedType: 'number', error: null, logs: [], outbound: [] },
    ...{ startedMs: nowMs, completedMs: nowMs },
  })
})

test.each([
  ['const', 'const hook = () => 1'],
  ['let', 'let hook = () => 1'],
  ['function', 'function hook() { return 1 }'],
  ['async function', 'async function hook() { return 1 }'],
  ['assignment', 'hook = () => 1'],
  ['a property of the global object', 'globalThis.hook = () => 1'],
])('a hook is found that is declared by %s', async (_how, source) => {
  expect(await outcomeOf(source)).toMatchObject({ end: 'returned', value: 1 })
})

test('a runner that was started before there is a bank is taken by the first one alone', async () => {
  startRunner({ isShared: false })
  const [first, second] = [takeRunner(), takeRunner()]
  expect(first).not.toBe(second)
  const run = { hook: 'hook', variables: {}, payload: {}, windowMs: 2_000, seed: 1, policy: 'deny' } as const
  const { outcome } = await first.run({ ...run, time: frozen, source: 'const hook = () => 1' })
  expect(outcome).toMatchObject({ end: 'returned', value: 1 })
  await Promise.all([first.close(), second.close()])
})

test('a value without JSON is reported by its type', async () => {
  const cycle = 'const hook = () => { const o = {}; o.o = o; return o }'
  expect(await outcomeOf(cycle)).toMatchObject({ end: 'returned', value: undefined, returnedType: 'object' })
  expect(await outcomeOf('const hook = () => undefined')).toMatchObject({ returnedType: 'undefined' })
  expect(await outcomeOf('const hook = () => () => 1')).toMatchObject({ returnedType: 'function' })
})

test('a missing hook is distinguished from one that fails', async () => {
  expect(await outcomeOf('const other = 1')).toMatchObject({ end: 'missing-hook' })
  expect(await outcomeOf('const hook = 1')).toMatchObject({ end: 'missing-hook' })
  expect(await outcomeOf('const hook = () => 1', { hook: 'a;b' })).toMatchObject({ end: 'missing-hook' })
})

test('a source that does not parse names the line, in Node’s words', async () => {
  const { end, error } = await outcomeOf('const a = 1\nconst hook = () => {\n  return a +\n}\n')
  expect({ end, error }).toMatchObject({
    end: 'syntax-error',
    error: { name: 'SyntaxError', message: "Unexpected token '}'", line: 4 },
  })
})

test('an error says what went wrong, where and after how long', async () => {
  const source =
    'const limits = {}\nconst hook = async (auth) => {\n  await new Promise((r) => setTimeout(r, 40))\n  return limits.daily.cents\n}\n'
  const { end, error } = await outcomeOf(source, { time: frozen })
  expect(end).toBe('threw')
  expect(error).toEqual({
    name: 'TypeError',
    message: "Cannot read properties of undefined (reading 'cents')",
    stack: "TypeError: Cannot read properties of undefined (reading 'cents')\n    at hook (main.js:4:23)",
    line: 4,
    afterMs: 40,
  })
})

test('an error at the top of main.js is the outcome', async () => {
  expect(await outcomeOf('missing()\nconst hook = () => 1')).toMatchObject({
    end: 'threw',
    error: { message: 'missing is not defined', line: 1 },
  })
})

test.each([
  ["throw 'text'", 'text'],
  ['throw { code: 1 }', '{"code":1}'],
  ['throw null', 'null'],
  ['throw undefined', 'undefined'],
])('whatever is thrown has a message: %s', async (body, message) => {
  expect(await outcomeOf(`const hook = () => { ${body} }`)).toMatchObject({
    end: 'threw',
    error: { message },
  })
})

test('logs keep their level and their time in the guest', async () => {
  const source = `const hook = async () => {
    console.log('a'); await new Promise((r) => setTimeout(r, 100)); console.warn('b'); console.error('c'); console.debug('d')
  }`
  const { logs } = await outcomeOf(source, { time: frozen })
  expect(logs).toEqual([
    { atMs: nowMs, level: 'info', content: 'a' },
    { atMs: nowMs + 100, level: 'warn', content: 'b' },
    { atMs: nowMs + 100, level: 'error', content: 'c' },
    { atMs: nowMs + 100, level: 'debug', content: 'd' },
  ])
})

test('logs are bounded by number, and one more item says so', async () => {
  const { logs } = await outcomeOf('const hook = () => { for (let i = 0; i < 1200; i++) console.log(i) }')
  expect(logs).toHaveLength(1_001)
  expect(logs[999]?.content).toBe('999')
  expect(logs[1_000]).toMatchObject({ level: 'warn', content: expect.stringContaining('The log is full') })
})

test('logs are bounded by length', async () => {
  const { logs } = await outcomeOf(
    'const hook = () => { for (let i = 0; i < 20; i++) console.log("x".repeat(100000)) }',
  )
  expect(logs).toHaveLength(11)
  expect(logs.at(-1)?.content).toContain('The log is full')
})

test('logs are kept when the code has to be stopped', async () => {
  const source = 'const hook = () => { console.log("before"); [].indexOf.call({ length: 2 ** 53 - 1 }, 1) }'
  const { end, logs, error } = await outcomeOf(source, { windowMs: 100 })
  expect(end).toBe('timed-out')
  expect(logs.map(({ content }) => content)).toEqual(['before'])
  expect(error?.message).toContain('past its window of 100 ms')
})

test('what is written to the environment becomes text, and ends with the run', async () => {
  const source = `const hook = async () => {
  process.env.N = 5; process.env.U = undefined; process.env.O = { a: 1 }; Object.assign(process.env, { B: true })
  Object.defineProperty(process.env, 'D', { value: 1 })
  delete process.env.A
  return process.env
}`
  const { value } = await outcomeOf(source, { variables: { A: 'a', C: 'c' } })
  expect(value).toEqual({ C: 'c', N: '5', U: 'undefined', O: '[object Object]', B: 'true', D: '1' })
  const again = await outcomeOf('const hook = () => process.env', { variables: { A: 'a' } })
  expect(again.value).toEqual({ A: 'a' })
})

test('console measures time by the clock of the run', async () => {
  const source = `const hook = async () => {
  console.time('t'); await new Promise((done) => setTimeout(done, 1500)); console.timeLog('t', 'and', 1)
  await new Promise((done) => setTimeout(done, 20)); console.timeEnd('t'); console.timeEnd('t'); console.time()
  console.timeEnd(); console.assert(true); console.assert(false, 'no %s', 'way'); console.assert(0)
}`
  const { logs } = await outcomeOf(source, { time: { nowMs, frozen: true } })
  expect(logs.map(({ level, content }) => `${level}: ${content}`)).toEqual([
    'info: t: 1.500s and 1',
    'info: t: 1.520s',
    "warn: Warning: No such label 't' for console.timeEnd()",
    'info: default: 0ms',
    'warn: Assertion failed: no way',
    'warn: Assertion failed',
  ])
})

test('the stored error is bounded', async () => {
  const long = `'x'.repeat(2e6)`
  const source = `const hook = () => { throw { name: ${long}, message: ${long}, stack: ${long} } }`
  const { error } = await outcomeOf(source)
  expect([error?.name.length, error?.message.length, error?.stack.length]).toEqual([201, 10_001, 20_001])
})

test('an unhandled rejection is logged, whichever call it comes from', async () => {
  const source = `const hook = async () => {
  Promise.reject(new Error('floating'))
  ;(async () => { throw new TypeError('iife') })()
  later()
  later().catch(() => console.log('looked at'))
  later().then(() => {}, () => {})
  await later().catch(() => {})
  return true
}
const later = async () => { await null; throw 'later' }`
  const { end, value, logs } = await outcomeOf(source)
  expect([end, value]).toEqual(['returned', true])
  expect(logs.map(({ level, content }) => [level, content.split('\n').slice(0, 2).join(' ')])).toEqual([
    ['error', 'Uncaught (in promise) Error: floating     at hook (main.js:2:18)'],
    ['error', 'Uncaught (in promise) TypeError: iife     at main.js:3:25'],
    ['error', 'Uncaught (in promise) later'],
    ['info', 'looked at'],
  ])
})

test('a hook that waits beyond its window times out when the window closes', async () => {
  const began = performance.now()
  const { end, completedMs, error } = await outcomeOf('const hook = () => new Promise(() => {})', {
    windowMs: 150,
  })
  expect(end).toBe('timed-out')
  expect(completedMs).toBe(nowMs + 150)
  expect(error?.message).toBe('hook ran past its window of 150 ms')
  expect(performance.now() - began).toBeGreaterThan(145)
})

test('the outcome does not wait for what the hook left running', async () => {
  const source = `const hook = () => { setTimeout(() => console.log('stray'), 60); return 'decided' }`
  const { outcome, settled } = await execute(source)
  expect(outcome).toMatchObject({ value: 'decided', logs: [] })
  expect(outcome.completedMs - nowMs).toBeLessThan(60)
  expect((await settled).logs.map(({ content }) => content)).toEqual(['stray'])
})

test('what still runs when the window closes is dropped', async () => {
  const source = `const hook = () => { setInterval(() => console.log('tick'), 400); return 1 }`
  const { logs, end } = await settledOf(source, { time: frozen })
  expect(end).toBe('returned')
  expect(logs.map(({ atMs }) => atMs - nowMs)).toEqual([400, 800, 1_200, 1_600])
})

test('waiting moves frozen time, at no cost of real time', async () => {
  const source = `const hook = async () => {
    const times = [Date.now()]
    await new Promise((r) => setTimeout(r, 700)); times.push(Date.now())
    await new Promise((r) => setTimeout(r, 700)); times.push(+new Date(), moment().valueOf())
    return times.map((time) => time - ${nowMs})
  }`
  const began = performance.now()
  const { value, completedMs } = await outcomeOf(source, { time: frozen })
  expect(value).toEqual([0, 700, 1_400, 1_400])
  expect(completedMs).toBe(nowMs + 1_400)
  expect(performance.now() - began).toBeLessThan(700)
})

test('in frozen time, a wait beyond the window times out at once', async () => {
  const source = 'const hook = async () => { await new Promise((r) => setTimeout(r, 3000)); return 1 }'
  const began = performance.now()
  const { end, completedMs, error } = await outcomeOf(source, { time: frozen })
  expect({ end, completedMs }).toEqual({ end: 'timed-out', completedMs: nowMs + 2_000 })
  expect(error?.afterMs).toBe(2_000)
  expect(performance.now() - began).toBeLessThan(1_000)
})

test('in frozen time the window is work: code that takes long in real time still returns', async () => {
  // Few steps of the engine, each of which takes milliseconds.
  const source = `const hook = () => {
    const text = JSON.stringify(Array.from({ length: 20000 }, (_, i) => 'item ' + i))
    let sum = 0
    for (let i = 0; i < 40; i++) sum += JSON.parse(text).length
    return sum
  }`
  const began = performance.now()
  const { end, value, completedMs } = await outcomeOf(source, { time: frozen, windowMs: 20 })
  expect({ end, value, completedMs }).toEqual({ end: 'returned', value: 800_000, completedMs: nowMs })
  expect(performance.now() - began).toBeGreaterThan(20)
})

test.each([
  ['a loop', 'for (;;) total += 1'],
  ['calls', 'const next = () => (total += 1); for (;;) next()'],
  ['a pattern', "/^(a+)+$/.test('a'.repeat(40) + '!')"],
  ['promises', 'const turn = () => Promise.resolve().then(turn); return turn()'],
  ['timers', 'return new Promise(() => { const turn = () => setImmediate(turn); turn() })'],
])('in frozen time endless code ends by its work, at the same place: %s', async (_name, body) => {
  const source = `let total = 0\nconst hook = async () => { console.log('begun'); ${body} }`
  const [one, other] = await Promise.all([1, 2].map(() => outcomeOf(source, { time: frozen, windowMs: 200 })))
  expect(one).toMatchObject({ end: 'timed-out', completedMs: nowMs + 200, error: { afterMs: 200 } })
  expect(other).toEqual(one)
})

test('time that is not frozen begins at the given instant and follows real time', async () => {
  const source =
    'const hook = async () => { const a = Date.now(); await new Promise((r) => setTimeout(r, 50)); return [a, Date.now() - a] }'
  const [start, waited] = (await outcomeOf(source)).value as [number, number]
  expect(start - nowMs).toBeGreaterThanOrEqual(0)
  expect(start - nowMs).toBeLessThan(1_000)
  expect(waited).toBeGreaterThanOrEqual(50)
})

test('chance derives from the seed alone', async () => {
  const source =
    'const hook = () => [Math.random(), Math.random(), crypto.randomUUID(), [...crypto.getRandomValues(new Uint8Array(4))]]'
  const one = await outcomeOf(source, { seed: 7 })
  const same = await outcomeOf(source, { seed: 7 })
  const other = await outcomeOf(source, { seed: 8 })
  expect(same.value).toEqual(one.value)
  expect(other.value).not.toEqual(one.value)
})

test('nothing is left for the next execution', async () => {
  await settledOf(
    'globalThis.count = (globalThis.count ?? 0) + 1; Object.prototype.x = 1; const hook = () => count',
  )
  const source = 'globalThis.count = (globalThis.count ?? 0) + 1; const hook = () => [count, {}.x ?? null]'
  for (let i = 0; i < 4; i += 1) expect((await outcomeOf(source)).value).toEqual([1, null])
})

test('money is formatted by the helper that published card code calls', async () => {
  const source =
    'const hook = () => [investec.helpers.format.decimal(51, 100), helpers.format.decimal(0.5, 100), helpers.format.decimal(1.234, 1000)]'
  expect((await outcomeOf(source)).value).toEqual(['51.00', '0.50', '1.234'])
})

test('memory ends at its limit', async () => {
  const source = 'const hook = () => { const all = []; for (;;) all.push(new Uint8Array(1 << 20)) }'
  expect(await outcomeOf(source)).toMatchObject({ end: 'out-of-memory', error: { name: 'RangeError' } })
  expect(await outcomeOf('const hook = () => 1')).toMatchObject({ value: 1 })
})

test('executions beyond the number of threads wait, and their windows begin when they start', async () => {
  const source = 'const hook = async () => { await new Promise((r) => setTimeout(r, 120)); return 1 }'
  const all = await Promise.all(Array.from({ length: 8 }, () => outcomeOf(source, { windowMs: 1_000 })))
  expect(all.map(({ value }) => value)).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
})

test('closing rejects current and later runs, and leaves no handle', async () => {
  const before = process.getActiveResourcesInfo().filter((name) => /Worker|MessagePort/.test(name)).length
  const own = createRunner()
  const run: Run = {
    ...{ hook: 'hook', source: 'const hook = () => new Promise(() => {})', variables: {}, payload: null },
    ...{ windowMs: 10_000, time: { nowMs, frozen: false }, seed: 1, policy: 'deny' },
  }
  const pending = own.run(run)
  const decided = await own.run({ ...run, source: 'const hook = () => { setInterval(() => {}, 10) }' })
  const rejected = expect(pending).rejects.toThrow('closed')
  await own.close()
  await rejected
  await expect(decided.settled).rejects.toThrow('closed')
  await expect(own.run(run)).rejects.toThrow('closed')
  const after = process.getActiveResourcesInfo().filter((name) => /Worker|MessagePort/.test(name)).length
  expect(after).toBeLessThanOrEqual(before)
})

const inNode = async (script: string, env: Record<string, string> = {}): Promise<string> => {
  const args = [
    '--input-type=module',
    '-e',
    `import { createRunner } from './dist/card-code/host/runner.js'\n${script}`,
  ]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } })
  return stdout.trim()
}
const child = `const runner = createRunner()
const run = (source) => runner.run({ hook: 'hook', source, variables: {}, payload: null, windowMs: 2000,
  time: { nowMs: ${nowMs}, frozen: true }, seed: 1, policy: 'deny' })
`

test('an idle runner keeps no process alive', async () => {
  expect(await inNode(`${child}console.log((await run('const hook = () => 42')).outcome.value)`)).toBe('42')
})

test('memory that a run has taken is given back when the run is over', async () => {
  const greedy = 'const hook = () => new Uint8Array(45 * 2 ** 20).fill(1).length'
  const script = `${child}const before = process.memoryUsage.rss()
  let most = 0
  for (let i = 0; i < 12; i += 1) {
    const { outcome, settled } = await run(${JSON.stringify(greedy)})
    await settled
    if (outcome.value !== 45 * 2 ** 20) throw new Error(outcome.end)
    most = Math.max(most, process.memoryUsage.rss() - before)
  }
  console.log(Math.round(most / 2 ** 20))`
  // Twelve times 45 MB are 540 MB; one or two threads are alive at a time.
  expect(Number(await inNode(script))).toBeLessThan(300)
}, 60_000)

test('a runner keeps the process alive while a run waits for a thread', async () => {
  const greedy = 'const hook = () => { const all = []; for (;;) all.push(new Uint8Array(1 << 20)) }'
  const script = `${child}for (let i = 0; i < 3; i += 1) console.log((await run(${JSON.stringify(greedy)})).outcome.end)`
  expect(await inNode(script)).toBe('out-of-memory\nout-of-memory\nout-of-memory')
})

test('a runner that is never used starts nothing', async () => {
  const script = `const before = process.getActiveResourcesInfo().length; createRunner()
  console.log(process.getActiveResourcesInfo().length - before)`
  expect(await inNode(script)).toBe('0')
})

test('the guest runs in UTC whatever the zone of the machine', async () => {
  const source =
    'const hook = () => [new Date(2024, 0, 1).toISOString(), new Date(0).toString(), new Date(0).toLocaleString("en-GB"), Date.parse("5 January 2024 10:30"), moment(0).format()]'
  const script = `${child}console.log(JSON.stringify((await run(${JSON.stringify(source)})).outcome.value))`
  expect(JSON.parse(await inNode(script, { TZ: 'Africa/Johannesburg' }))).toEqual([
    '2024-01-01T00:00:00.000Z',
    'Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)',
    '01/01/1970, 00:00:00',
    Date.UTC(2024, 0, 5, 10, 30),
    '1970-01-01T00:00:00+00:00',
  ])
})

test('twenty thousand executions leave memory constant and no handle behind', async () => {
  // Ends with 1 when a check fails.
  const args = ['--expose-gc', 'bench/card-code-memory.mjs']
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout).toMatch(/memory of the second half to the first +[\d.]+ MB +ratio \d\.\d\d +\(≤ 1\.05\)\n/)
  expect(stdout).toMatch(/left when the runner is closed +0\.00 +\(≤ 0\)\n/)
}, 120_000)

test('a run tells how long it computed, and not how long it waited', async () => {
  const computedOf = async (source: string): Promise<number> => {
    const told: number[] = []
    await settledOf(source, { windowMs: 200, onComputed: (ms) => told.push(ms) })
    expect(told).toHaveLength(1)
    return told[0]!
  }
  const spinning = await computedOf('const hook = () => { for (;;); }')
  const waiting = await computedOf('const hook = () => new Promise((done) => setTimeout(done, 150))')
  expect(waiting).toBeGreaterThan(0)
  expect(spinning).toBeGreaterThan(waiting)
})
