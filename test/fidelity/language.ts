// The language and its built-in objects.
import type { FidelityProgram } from './program.js'

export const language: readonly FidelityProgram[] = [
  [
    'comparators that return booleans',
    `const hook = () => [[3, 1, 2].sort((a, b) => a > b), [3, 1, 2].sort((a, b) => a < b), [5, 2, 8, 1].sort(() => 1), [5, 2, 8, 1].sort(() => -1), [3, 1, 2].toSorted((a, b) => a > b)]`,
  ],
  [
    'every comparison of sorts that contradict themselves',
    `const hook = () => {
    let seed = 7; const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648
    const results = []
    for (const length of [0, 1, 2, 3, 5, 10, 31, 32, 33, 64, 65, 100, 200, 500, 1000]) for (const kind of [0, 1, 2, 3, 4, 5]) {
      const list = Array.from({ length }, (_, i) => kind === 3 ? i % 50 : kind === 4 ? (i < length / 2 ? i : i - length / 2) : Math.floor(random() * 100))
      let calls = 0; let sum = 0
      const compare = (a, b) => { calls += 1; sum = (sum * 31 + a * 7 + b) % 1000003; return kind === 0 ? a - b : kind === 1 ? a > b : kind === 2 ? (a * 7 + b * 13) % 5 - 2 : kind === 5 ? random() - 0.5 : a - b }
      results.push(list.sort(compare).join(), calls, sum)
    }
    return results
  }`,
  ],
  [
    'sorting lists with holes and undefined',
    `const hook = () => { const a = [3, , undefined, 1, , 2]; a.sort((x, y) => x - y); return [a, a.length, 5 in a, Array.prototype.sort.call({ length: 2, 0: 'b', 1: 'a' }, (x, y) => (x < y ? -1 : 1))] }`,
  ],
  ['a comparator that is none', `const hook = () => { try { [1].sort(5) } catch (e) { return e.message } }`],
  ['the payload is the argument', 'const hook = async (authorization) => authorization'],
  [
    'numbers print as numbers',
    'const hook = async (authorization) => [0.1 + 0.2, 1e21, 1e-7, 123456789012345680000, -0, 0xff, 1_000].map(String)',
  ],
  [
    'toFixed, toPrecision, toExponential',
    'const hook = async (authorization) => [(1.005).toFixed(2), (1234.5678).toFixed(1), (0.000123).toPrecision(2), (123456).toExponential(2), (25).toString(2), (255).toString(16)]',
  ],
  [
    'parseInt and parseFloat',
    `const hook = async (authorization) => [parseInt('12px'), parseInt('0x1f'), parseInt('101', 2), parseFloat('3.14abc'), Number(''), Number(' 12 '), Number('1e3'), Number('abc') + '']`,
  ],
  [
    'integer arithmetic and bits',
    'const hook = async (authorization) => [7 % -3, -7 % 3, 5 / 2 | 0, 1 << 31, 1 >>> 0, -1 >>> 0, ~5, 2 ** 53, Math.round(-0.5) === 0, Math.round(2.5), Math.trunc(-4.7)]',
  ],
  [
    'Math functions',
    'const hook = async (authorization) => [Math.max(), Math.min(), Math.hypot(3, 4), Math.sign(-3), Math.cbrt(27), Math.log10(1000), Math.fround(5.5), Math.clz32(1), Math.imul(3, 4)].map(String)',
  ],
  [
    'BigInt arithmetic',
    `const hook = async (authorization) => [(2n ** 64n).toString(), (-7n / 2n).toString(), BigInt('123').toString(), BigInt.asUintN(8, 257n).toString(), typeof 1n]`,
  ],
  [
    'template literals and tags',
    `const hook = async (authorization) => { const tag = (parts, ...values) => parts.raw.join('|') + values.join(','); return [tag\`a\${1}b\\n\${2}c\`, \`x\${[1, 2]}y\${{}}\`] }`,
  ],
  [
    'structuredClone',
    `const hook = async (authorization) => { const source = { d: new Date(5), m: new Map([[1, { a: 1 }]]), s: new Set([1]), r: /x/gi, n: null, u: undefined, b: new Uint8Array([1, 2]), e: new TypeError('t') }; source.self = source; const copy = structuredClone(source); return [copy.d.getTime(), [...copy.m], [...copy.s], String(copy.r), copy.n, 'u' in copy, [...copy.b], copy.e.message, copy.self === copy, copy.d !== source.d] }`,
  ],
  [
    'crypto',
    'const hook = async (authorization) => { const id = crypto.randomUUID(); const bytes = crypto.getRandomValues(new Uint8Array(4)); return [/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id), bytes.length, bytes instanceof Uint8Array] }',
  ],
  [
    'promises run in their order',
    `const hook = async () => {
  const order = []
  const log = (x) => order.push(x)
  Promise.resolve().then(() => log('then 1')).then(() => log('then 2'))
  queueMicrotask(() => log('microtask'))
  ;(async () => {
    log('async start')
    await null
    log('async after await')
    await new Promise((resolve) => resolve())
    log('async end')
  })()
  log('sync')
  await new Promise((resolve) => setTimeout(resolve, 5))
  return order
}`,
  ],
  [
    'timers run in the order of their times',
    `const hook = async () => {
  const order = []
  setTimeout(() => order.push('20'), 20)
  setTimeout((a, b) => order.push(a + b), 5, 'a', 'b')
  const gone = setTimeout(() => order.push('never'), 1)
  clearTimeout(gone)
  let ticks = 0
  await new Promise((resolve) => {
    const timer = setInterval(() => {
      ticks += 1
      if (ticks === 3) {
        clearInterval(timer)
        resolve()
      }
    }, 2)
  })
  await new Promise((resolve) => setTimeout(resolve, 30))
  return [order, ticks]
}`,
  ],
  [
    'combined promises',
    `const hook = async () => {
  const settled = await Promise.allSettled([1, Promise.reject(new Error('no')), new Promise((r) => setTimeout(r, 1, 'late'))])
  const any = await Promise.any([Promise.reject(1), Promise.resolve(2)])
  const race = await Promise.race([new Promise((r) => setTimeout(r, 20, 'slow')), 'fast'])
  const none = await Promise.any([Promise.reject(1)]).catch((e) => [e.name, e.message, e.errors])
  return [settled.map((s) => s.status + ':' + (s.value ?? s.reason.message)), any, race, none]
}`,
  ],
  [
    'generators, iterators, destructuring, spread',
    `const hook = async () => {
  function* count(to) { for (let i = 0; i < to; i++) { const x = yield i; if (x) return x } }
  const it = count(3)
  const seen = [it.next(), it.next('stop'), it.next()]
  async function* slow() { yield 1; yield* [2, 3] }
  const all = []
  for await (const x of slow()) all.push(x)
  const { a, b: { c = 5 } = {}, ...rest } = { a: 1, d: 4, e: 5 }
  const [first, , third = 3, ...others] = 'abcdef'
  return [seen, all, a, c, rest, first, third, others, Math.max(...[1, 5, 3])]
}`,
  ],
  [
    'classes, private fields, accessors, symbols',
    `class Account {
  #cents = 0
  static count = 0
  static { Account.count = 10 }
  constructor(name) { this.name = name; Account.count++ }
  get rand() { return this.#cents / 100 }
  set rand(value) { this.#cents = Math.round(value * 100) }
  #secret() { return 's' + this.#cents }
  reveal() { return this.#secret() }
  [Symbol.toPrimitive](hint) { return hint === 'number' ? this.#cents : this.name }
  static { this.kind = 'x' }
}
class Savings extends Account { reveal() { return 'sub ' + super.reveal() } }
const hook = () => {
  const a = new Savings('n')
  a.rand = 12.345
  return [a.rand, a.reveal(), +a, \`\${a}\`, Account.count, a instanceof Account, Object.keys(a), Savings.kind, typeof Symbol.iterator]
}`,
  ],
  [
    'collections and array methods',
    `const hook = () => {
  const m = new Map([['a', 1], [NaN, 2]])
  const s = new Set([1, 1, 2])
  return [
    m.get(NaN), [...m.keys()].length, [...s], [3, 1, 2].toSorted(), [1, [2, [3, [4]]]].flat(Infinity), [1, 2, 3].findLast((x) => x < 3),
    Object.entries({ b: 1, a: 2, 1: 3 }), Array.from({ length: 3 }, (_, i) => i * i), [1, 2, 3, 4].copyWithin(0, 2), [..."ab"].entries().next(),
    [10, 9, 1].sort(), Object.fromEntries(new Map([['x', 1]])), [1, 2, 3].includes(NaN), [NaN].includes(NaN), new Array(3).fill().map((_, i) => i),
    [5, 1, 4].reduce((a, b) => a + b), structuredClone([1, , 3]).length,
  ]
}`,
  ],
  [
    'sloppy mode: undeclared names, this, arguments, with, octals',
    `limit = 5
function hook() {
  leaked = limit + 010
  const self = (function () { return this === globalThis })()
  const aliased = (function (a) { arguments[0] = 9; return a })(1)
  const deleted = delete globalThis.leaked
  var found
  with ({ inside: 7 }) { found = inside }
  return [self, aliased, deleted, typeof leaked, found, typeof undeclared, '\\101', hoisted(), this === globalThis]
  function hoisted() { return 'h' }
}`,
  ],
  [
    'a hook that is assigned, not declared',
    'hook = async function (a) { return a.centsAmount > Number(process.env.LIMIT) }',
  ],
  [
    'labels, switch, exceptions, finally',
    `const hook = () => {
  const out = []
  outer: for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) { if (j === 2) continue outer; if (i === 2) break outer; out.push(i * 10 + j) }
  switch (out.length) { case 4: out.push('four'); default: out.push('fallen') }
  const f = () => { try { throw new Error('a', { cause: 'c' }) } catch ({ message, cause }) { return [message, cause] } finally { out.push('finally') } }
  out.push(f(), (() => { try { return 1 } finally { return 2 } })())
  let n = null; n ??= 4; let o = {}; o.x ||= 5
  out.push(n, o?.y?.z, o.x, void 0 ?? 'd')
  return out
}`,
  ],
  [
    'getters, proxies, Reflect',
    `const hook = () => {
  const log = []
  const p = new Proxy({ a: 1 }, { get: (t, k) => { log.push(String(k)); return t[k] ?? 'none' }, has: () => true, ownKeys: () => ['z'] , getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 1 }) })
  const o = Object.freeze({ get x() { return 42 } })
  o.x = 1
  return [p.a, p.b, 'q' in p, Object.keys(p), log, o.x, Reflect.ownKeys({ b: 1, [Symbol.for('s')]: 2 }).map(String), Object.isFrozen(o)]
}`,
  ],
  [
    'what is taken apart is read once, and in order',
    `const hook = async (authorization) => {
  const seen = []
  const q = [{ v: 1 }, { v: 2 }]
  const o = { get head() { seen.push('head'); return q.shift() }, get x() { this.late = { b: 7 }; return 1 }, get list() { seen.push('list'); return [[1], [2]] } }
  const { head: { v } } = o
  const { x, late: { b } } = o
  const { list: [[first]] } = o
  const { y = (o.later = { c: 5 }), later: { c } } = o
  let d
  ({ late: { b: d } } = o)
  const take = ({ late: { b: e } }) => e
  const { deep: { er: { f = 3 } = {} } = {}, ...rest } = { z: 1 }
  try { const { p = seen.push('before'), none: { r } } = {} } catch (e) { seen.push(e.message) }
  try { (({ none: { s } }) => s)({}) } catch (e) { seen.push(e.message) }
  try { ({ none: { t: d } } = {}) } catch (e) { seen.push(e.message) }
  return [v, q.length, x, b, first, c, d, take(o), take.length, f, rest, seen]
}`,
  ],
  [
    'properties of the environment',
    'const hook = async (authorization) => [process.env.LIMIT, typeof process.env.LIMIT, process.env.NOPE, typeof globalThis, Object.keys(process.env)]',
  ],
  [
    'functions and their text',
    `const hook = async (authorization) => [((a, b = 1) => a + b).toString(), (function named(x) { return x }).name, ((a, b, ...c) => 0).length, (async () => {}).constructor.name, new Function('a', 'return a * 2')(4), eval('1 + 1'), typeof class {}]`,
  ],
  [
    'what is spread into an object',
    `const hook = (authorization) => [{ ...'hi' }, { a: 1, ...'ab', b: 2 }, { ...5, ...null, ...undefined, ...[1, 2], ...true }, { ...(0, 'x') }, { ...authorization, centsAmount: 1 }]`,
  ],
]
