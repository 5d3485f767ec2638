// Differences from Node that the engine cannot avoid are named in the execution that meets them.
import { afterAll, expect, test } from '@jest/globals'
import { type Outcome, createRunner } from './host/runner.js'

const runner = createRunner({ maxWorkers: 1 })
afterAll(() => runner.close())

const run = async (body: string, before = ''): Promise<Outcome> => {
  const { settled } = await runner.run({
    hook: 'hook',
    source: `${before}\nconst hook = async () => {\n${body}\n}`,
    variables: {},
    payload: null,
    windowMs: 5_000,
    time: { nowMs: 0, frozen: true },
    seed: 1,
    policy: 'deny',
  })
  return settled
}

const contents = ({ logs }: Outcome): string[] => logs.map(({ level, content }) => `${level}: ${content}`)

test.each([
  ['new Blob([])', "Blob is not defined (Node has it, the sandbox's card code does not: use Buffer)"],
  [
    'new FormData()',
    "FormData is not defined (Node has it, the sandbox's card code does not: use URLSearchParams, or build the body as text)",
  ],
  [
    'new Intl.Locale("en")',
    "Intl.Locale is not a constructor (Node has it, the sandbox's card code does not: use Intl.getCanonicalLocales or Intl.NumberFormat)",
  ],
  [
    'process.exit(1)',
    "process.exit is not a function (Node has it, the sandbox's card code does not: of `process` card code has `env` and `nextTick` alone)",
  ],
  [
    'Math.max(...Array(70000).fill(1))',
    'Too many arguments in one call: the sandbox takes 65,534 (Node about 120,000); use a loop or reduce in place of the spread',
  ],
  [
    'new Response("x").body.pipe()',
    'body.pipe() is not there in the sandbox: read the body with text(), or with for await (const chunk of body)',
  ],
  ['await new Response("x").blob()', 'blob() is not there in the sandbox: use arrayBuffer() or buffer()'],
  [
    'await new Response("x").formData()',
    'formData() is not there in the sandbox: use new URLSearchParams(await response.text())',
  ],
  [
    'await crypto.subtle.encrypt()',
    'crypto.subtle.encrypt is not supported by the sandbox: only digest and HMAC are',
  ],
])('%s is refused by name', async (code, message) => {
  const { end, error } = await run(code)
  expect(end).toBe('threw')
  expect(error?.message).toBe(message)
})

test('a name that Node lacks too keeps the words of V8', async () => {
  expect((await run('nowhere()')).error?.message).toBe('nowhere is not defined')
  expect((await run('require("fs")')).error?.message).toBe('require is not defined')
})

test.each([
  ['Object.groupBy([1], () => "a")', 'Object.groupBy', 21],
  ['Map.groupBy([1], () => "a")', 'Map.groupBy', 21],
  ['new Set([1]).union(new Set([2]))', 'Set.prototype.union', 22],
  ['[1].values().map((x) => x).toArray()', 'Iterator.prototype.map', 22],
  ['await Array.fromAsync([Promise.resolve(1)])', 'Array.fromAsync', 22],
  ['Promise.withResolvers()', 'Promise.withResolvers', 22],
  ['URL.parse("x")', 'URL.parse', 22],
  ['Promise.try(() => 1)', 'Promise.try', 24],
  ['Error.isError(1)', 'Error.isError', 24],
  ['RegExp.escape("a.b")', 'RegExp.escape', 24],
])('%s warns once that it came after Node 20', async (code, name, version) => {
  const outcome = await run(`${code}; ${code}`)
  expect(outcome.error).toBeNull()
  const text = `warn: ${name} came with Node ${version}: where the service runs an older Node, it is not a function (warning of the sandbox)`
  expect(contents(outcome).filter((content) => content === text)).toHaveLength(1)
})

test('newer built-in objects work, and those that no Node has are absent', async () => {
  const { value } = await run(`
    const later = async function* () { yield 1; yield 2 }
    const { promise, resolve } = Promise.withResolvers()
    resolve(3)
    return [await Array.fromAsync(later(), (x) => x * 2), await Array.fromAsync({ length: 2, 0: 'a', 1: Promise.resolve('b') }), Error.isError(new TypeError('x')), Error.isError({ message: 'x' }), await promise, RegExp.escape('a.b') !== 'a.b', typeof Symbol.dispose, typeof Math.sumPrecise, typeof Map.prototype.getOrInsert, typeof Float16Array]`)
  expect(value).toEqual([
    [2, 4],
    ['a', 'b'],
    true,
    false,
    3,
    true,
    'symbol',
    'undefined',
    'undefined',
    'undefined',
  ])
})

test('members of `process` that are only undefined warn when they are read', async () => {
  const outcome = await run('return [process.platform, process.platform, Object.keys(process)]')
  expect(outcome.value).toEqual([null, null, ['env']])
  expect(contents(outcome)).toEqual([
    'warn: process.platform is undefined: of `process` card code has `env` and `nextTick` alone',
  ])
})

test('options of fetch that are ignored leave a warning', async () => {
  const outcome = await run(`
    for (const options of [{ agent: {}, compress: false }, { agent: {} }])
      await fetch('http://bank.example/', options).catch(() => undefined)`)
  expect(contents(outcome)).toEqual([
    'warn: fetch: the sandbox ignores the option agent, which node-fetch has (warning of the sandbox)',
    'warn: fetch: the sandbox ignores the option compress: false, which node-fetch has (warning of the sandbox)',
  ])
})

test('a value that cannot be printed is replaced by a note', async () => {
  const outcome = await run(
    `console.log('x', new Map([['a', 1]]).keys()); console.log('x', [new Response('x')])`,
  )
  const [iterator, response] = contents(outcome)
  expect(iterator).toBe(
    'info: x [Map Iterator] { … the sandbox cannot print the items of an iterator: log [...iterator] }',
  )
  expect(response).toContain(
    'stream: <a stream, whose insides the sandbox does not print: read it, as with text()>',
  )
})

test('a stack says where the awaiting function is unknown', async () => {
  const before = `async function get() { await null; throw new Error('deep') }
    const first = async () => { await get() }
    const second = async () => { await get() }`
  const { error } = await run('await first()\nreturn second', before)
  expect(error?.stack).toMatch(
    /^Error: deep\n {4}at get \(main\.js:1:\d+\)\n {4}at async <one of 2 awaits of get: the sandbox cannot tell which>$/,
  )
})

test('nextTick runs before timers', async () => {
  const { value } = await run(`
    const seen = []
    await new Promise((resolve) => { setTimeout(() => { seen.push('timer'); resolve() }, 0); process.nextTick((a) => seen.push(a), 'tick') })
    return seen`)
  expect(value).toEqual(['tick', 'timer'])
})

test('a language that moment lacks leaves a warning', async () => {
  const outcome = await run(
    `return [moment.locale('es-mx'), moment.utc(0).locale('zu').format('MMM'), moment.locale('en-in'), moment.locale('af')]`,
  )
  expect(outcome.value).toEqual(['en', 'Jan', 'en-in', 'af'])
  expect(contents(outcome)).toEqual([
    'warn: moment: the sandbox has not the language es-mx, and goes on in en: use Intl.DateTimeFormat',
    'warn: moment: the sandbox has not the language zu, and goes on in en: use Intl.DateTimeFormat',
  ])
})
