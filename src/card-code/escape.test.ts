// Hostile card code: whatever it tries, the outcome is the documented one within the window and half a second, the next
// execution is clean, and the main thread continues to serve.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { escapes } from '../../test/escape-programs.js'
import { type Outcome, createRunner } from './host/runner.js'

const runner = createRunner({ maxWorkers: 1 })
afterAll(() => runner.close())

const run = async (source: string, windowMs: number): Promise<Outcome> => {
  const { settled } = await runner.run({
    hook: 'hook',
    source,
    variables: { KNOWN: 'yes' },
    payload: { centsAmount: 1 },
    windowMs,
    time: { nowMs: 1_700_000_000_000, frozen: false },
    seed: 1,
    policy: 'allow',
  })
  return settled
}

// What a clean guest looks like: its names, its prototypes, and that its functions work.
const census = `const hook = () => {
  const names = (o) => Reflect.ownKeys(o).map(String).sort().join()
  const kinds = [Object, Array, Function, String, Number, Promise, Map, Date, RegExp, Error, Buffer, URL, moment, Math, JSON]
  return [
    names(globalThis), kinds.map((kind) => names(kind) + names(kind.prototype ?? {})), names(process.env),
    ' x '.trim(), typeof Math.random(), Buffer.from('a').toString('hex'), moment.utc(0).format('MMM'), Error.stackTraceLimit,
    Object.isFrozen(globalThis), Object.isExtensible(Array.prototype), Object.getPrototypeOf(Array.prototype) === Object.prototype,
    new URL('http://a/b').pathname, /x/.exec('y'), process.env.KNOWN, typeof fetch, [3, 1].map(String).join(), Date.name,
  ]
}`
let clean: unknown

beforeAll(async () => {
  clean = (await run(census, 15_000)).value
})

test('a clean guest is complete', () => {
  expect(clean).toEqual(
    expect.arrayContaining(['x', 'number', '61', 'Jan', 'yes', 'function', '3,1', 'Date']),
  )
})

test.each(escapes.map((escape) => ({ ...escape })))(
  'holds: $title',
  async ({ source, end, value, error, windowMs }) => {
    let turns = 0
    const ticking = setInterval(() => (turns += 1), 5)
    const began = performance.now()
    const outcome = await run(source, windowMs)
    const took = performance.now() - began
    clearInterval(ticking)

    expect(outcome.end).toBe(end)
    if (error === undefined) expect(outcome.error).toBeNull()
    else expect(`${outcome.error?.name}: ${outcome.error?.message}`.slice(0, error.length)).toBe(error)
    expect(JSON.stringify(outcome.value)).toBe(JSON.stringify(value))
    expect(took).toBeLessThan(windowMs + 500)
    // The event loop of this thread was never blocked for long while the code ran.
    expect(turns).toBeGreaterThanOrEqual(Math.floor(took / 100) - 1)
    expect(outcome.logs.length).toBeLessThanOrEqual(1_001)

    expect((await run(census, 15_000)).value).toEqual(clean)
  },
)

test('there are at least a hundred cases', () => {
  expect(escapes.length).toBeGreaterThanOrEqual(100)
})
