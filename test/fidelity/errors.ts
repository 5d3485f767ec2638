// Errors in V8's words, with V8's places.
import type { FidelityProgram } from './program.js'

export const errors: readonly FidelityProgram[] = [
  [
    'JSON.parse refuses {a',
    `const hook = () => {
  try {
    JSON.parse("{a")
  } catch (e) {
    return [e.name, e.message]
  }
}`,
  ],
  [
    'JSON.parse refuses an empty text',
    `const hook = () => {
  try {
    JSON.parse("")
  } catch (e) {
    return [e.name, e.message]
  }
}`,
  ],
  [
    'JSON.parse refuses {"a":1,}',
    `const hook = () => {
  try {
    JSON.parse("{\\"a\\":1,}")
  } catch (e) {
    return [e.name, e.message]
  }
}`,
  ],
  [
    'JSON.parse refuses [1,2',
    `const hook = () => {
  try {
    JSON.parse("[1,2")
  } catch (e) {
    return [e.name, e.message]
  }
}`,
  ],
  [
    'JSON.parse refuses undefined',
    `const hook = () => {
  try {
    JSON.parse("undefined")
  } catch (e) {
    return [e.name, e.message]
  }
}`,
  ],
  [
    'JSON.parse refuses {"a":tru}',
    `const hook = () => {
  try {
    JSON.parse("{\\"a\\":tru}")
  } catch (e) {
    return [e.name, e.message]
  }
}`,
  ],
  [
    'JSON.parse refuses "abc',
    `const hook = () => {
  try {
    JSON.parse("\\"abc")
  } catch (e) {
    return [e.name, e.message]
  }
}`,
  ],
  [
    'JSON.parse refuses {"a" 1}',
    `const hook = () => {
  try {
    JSON.parse("{\\"a\\" 1}")
  } catch (e) {
    return [e.name, e.message]
  }
}`,
  ],
  [
    'JSON.parse refuses nul',
    `const hook = () => {
  try {
    JSON.parse("nul")
  } catch (e) {
    return [e.name, e.message]
  }
}`,
  ],
  [
    'JSON.parse refuses 1 2',
    `const hook = () => {
  try {
    JSON.parse("1 2")
  } catch (e) {
    return [e.name, e.message]
  }
}`,
  ],
  [
    'JSON.parse refuses {"a":"\\x"}',
    `const hook = () => {
  try {
    JSON.parse("{\\"a\\":\\"\\\\x\\"}")
  } catch (e) {
    return [e.name, e.message]
  }
}`,
  ],
  [
    'JSON.parse refuses <html>',
    `const hook = () => {
  try {
    JSON.parse("<html>")
  } catch (e) {
    return [e.name, e.message]
  }
}`,
  ],
  [
    'an invalid date refuses toISOString',
    `const hook = async (authorization) => new Date('nonsense').toISOString()`,
  ],
  [
    'Intl refuses a bad locale and a bad option',
    `const hook = async (authorization) => { const out = []; for (const make of [() => new Intl.NumberFormat('x-'), () => new Intl.NumberFormat('en', { style: 'currency' }), () => (1).toLocaleString('en', { minimumFractionDigits: 200 }), () => new Intl.DateTimeFormat('en', { timeZone: 'Mars' })]) { try { make(); out.push('none') } catch (e) { out.push([e.name, e.message]) } } return out }`,
  ],
  ['URL refuses what is none', `const hook = async (authorization) => new URL('not a url')`],
  [
    'atob refuses what is not base64',
    `const hook = async (authorization) => { try { atob('*') } catch (e) { return [e.name, e.message] } }`,
  ],
  [
    'structuredClone refuses functions',
    'const hook = async (authorization) => { try { structuredClone({ f() {} }) } catch (e) { return [e.name, e.message] } }',
  ],
  [
    'error: uncaught, of the engine',
    `const hook = async (auth) => {
  const a = 1
  return auth.a.b.c(a)
}`,
  ],
  [
    'error: uncaught, of one’s own',
    `const hook = async (auth) => {
  const make = () => new TypeError('own ' + auth.currencyCode)
  throw make()
}`,
  ],
  [
    'error: uncaught, rejected later',
    `const hook = async (auth) => {
  await new Promise((resolve) => setTimeout(resolve, 1))
  await Promise.reject(new Error('later'))
}`,
  ],
  [
    'error: a class of one’s own',
    `class Declined extends Error {
  constructor(message, code) {
    super(message)
    this.name = 'Declined'
    this.code = code
  }
}
const check = () => {
  throw new Declined('too much', 42)
}
const hook = () => {
  try {
    check()
  } catch (e) {
    return [e.name, e.message, e.code, e instanceof Declined, e instanceof Error, String(e), e.stack.split('\\n').slice(0, 3), Object.keys(e)]
  }
}`,
  ],
  [
    'error: captureStackTrace',
    `function Custom(message) {
  this.message = message
  Error.captureStackTrace(this)
}
Custom.prototype = Object.create(Error.prototype)
Custom.prototype.name = 'Custom'
const hook = () => {
  const e = new Custom('m')
  return [e.stack.split('\\n')[0], String(e), Error.stackTraceLimit, typeof Error('x').stack, Error('y') instanceof Error]
}`,
  ],
  [
    'error: caught by a promise',
    'const hook = () => Promise.resolve().then(() => missing.thing).catch((e) => [e.name, e.message])',
  ],
  [
    'error: an aggregate',
    `const hook = () => {
  const e = new AggregateError([new Error('a')], 'all')
  return [e.name, e.message, e.errors[0].message, e.stack.split('\\n')[0]]
}`,
  ],
  [
    'lists that are none',
    `const hook = async (authorization) => { const out = []; const none = undefined; const o = { list: 5, nothing: null, f() {}, o: {} }; const make = () => {}; const tries = [() => { const [a] = none }, () => { const [a] = o.list }, () => { const [a, b] = o.nothing }, () => { const [a] = o.missing }, () => { const [a] = o.o }, () => { const [a] = o.f() }, () => { const [a] = make() }, () => { const [a] = [1].find((x) => x > 1) }, () => { for (const x of o.o) x }, () => [...none], () => Math.min(...o.list), () => new Map(o.o)]; for (const run of tries.slice(0, 10)) { try { run(); out.push('none') } catch (e) { out.push(e.name + ': ' + e.message) } } const [a, , ...rest] = 'abcd'; const [d = 7] = []; return [...out, a, rest, d] }`,
  ],
  [
    'objects that are none',
    `const hook = async (authorization) => { const out = []; const o = { list: 5, nothing: null, f() {} }; const one = ({ a }) => a; function two(x, { a, b }) {} const tries = [() => { const { a } = o.nothing }, () => { const { a: { b } } = o }, () => { const { list, missing: { c: d } } = o }, () => one(), () => two(1), () => [undefined].map(({ a }) => a), () => ({ m({ z }) {} }).m(), () => new (class { constructor({ q }) {} })(), () => (async ({ a }) => a)()]; for (const run of tries) { try { await run(); out.push('none') } catch (e) { out.push(e.name + ': ' + e.message) } } const { a = 1, ...rest } = { b: 2 }; const { list: l, f: { name } } = o; return [...out, a, rest, l, name] }`,
  ],
  [
    'what cannot be written',
    `const hook = async (authorization) => { const out = []; const c = 1; const tries = [() => { c = 2 }, () => { c++ }, () => { 'use strict'; Object.freeze({ a: 1 }).a = 2 }, () => { 'use strict'; Object.freeze([1])[0] = 2 }, () => { 'use strict'; 'text'[0] = 'x' }]; for (const run of tries.slice(0, 4)) { try { run(); out.push('none') } catch (e) { out.push(e.name + ': ' + e.message) } } Object.freeze(out.slice()).length; return out }`,
  ],
  [
    'refusals of native functions',
    `const hook = async (authorization) => { const out = []; class A { static s() {} static get(o) { return o.#p } #p = 1 } const tries = [() => (1).toPrecision(0), () => (1).toExponential(-1), () => (1).toFixed(101), () => encodeURIComponent('\\ud800'), () => +1n, () => 1n + 1, () => new Proxy({}, null), () => Reflect.ownKeys(1), () => 'abc'.replaceAll(/a/, 'b'), () => 'abc'.matchAll(/a/), () => Promise(), () => Map(), () => new A.s(), () => new out.push(1), () => A.get({}), () => new Date(NaN).toISOString(), () => [].reduce((a, b) => a)]; for (const run of tries) { try { run(); out.push('none') } catch (e) { out.push(e.name + ': ' + e.message) } } return out }`,
  ],
  [
    'the line of what cannot be taken apart',
    'const list = undefined\nconst hook = async (authorization) => {\n  const o = {}\n  if (authorization) {\n    const [a] = list\n  }\n}',
  ],
  [
    'the line of what cannot be taken apart further in',
    'const hook = async (authorization) => {\n  const o = { a: {} }\n  const { a: { b }, c: { d } } = o\n}',
  ],
  [
    'statements that are calls',
    `const order = []
const later = async (x) => { await null; order.push(x); return x }
class Base { constructor(x) { order.push('base' + x) } }
class Derived extends Base { constructor() { super(1); this.go() } go() { order.push('go') } static { order.push('static') } }
function* twice() { yield order.push('y') }
const hook = async (authorization) => {
  later('floating')
  ;(async () => { await later('iife') })()
  if (authorization) later('if'); else later('else')
  for (const x of [1, 2]) later('for' + x)
  label: for (;;) { later('loop'); break label }
  do order.push('do'); while (false)
  switch (1) { case 1: order.push('case') }
  new Derived()
  order?.push('chain')
  eval('order.push(typeof authorization)')
  ;[1].forEach((x) => { order.push(x) })
  ;\`\${order.push('template')}\`.toString()
  ;(() => order.push('comma'), order.push('last'))
  const g = twice(); g.next()
  const caught = later('held').then(() => { throw new Error('caught') })
  caught.catch((e) => order.push(e.message))
  await caught.catch(() => {})
  try { (() => { null.x })() } catch (e) { order.push(e.stack.split('\\n').slice(0, 3).map((l) => l.replace(/:\\d+\\)?$/, ''))) }
  return order
}`,
  ],
  [
    'callbacks that are none',
    `const hook = async (authorization) => { const out = []; for (const start of [setTimeout, setInterval, setImmediate, queueMicrotask]) for (const given of [undefined, null, 5, 5n, true, 'x', 'a text of more than twenty-five characters', {}, [], new Map(), Object.create(null)]) { try { start(given) } catch (e) { out.push([e.name, e.code, e.message]) } } return out }`,
  ],
  [
    'what is too large or too deep',
    `const hook = async (authorization) => { const deep = () => deep() + 1; const out = []; for (const make of [() => 'x'.padStart(2 ** 30), () => { let s = 'x'; for (;;) s += s }, () => new Array(-1), () => 2n ** (2n ** 30n), () => Array.from({ length: 2 ** 32 }), deep, () => eval('('.repeat(1e5) + '1' + ')'.repeat(1e5))]) { try { make(); out.push('none') } catch (e) { out.push([e.name, e.message, e instanceof RangeError, e.stack.split('\\n')[0]]) } } return out }`,
  ],
  [
    'what is not there',
    'const hook = async (authorization) => [typeof require, typeof module, typeof exports, typeof __dirname, typeof window, typeof document]',
  ],
  [
    'a catch clause that takes the error apart',
    `const hook = () => {
  const out = []
  let u
  try { u.x } catch ({ message, name }) { out.push(message, name) }
  try { missing } catch ({ message: text, stack, ...rest }) { out.push(text, stack.split('\\n')[0], rest) }
  try { u() } catch ({ message = 'none' }) { try { u.y } catch ({ message: inner }) { out.push(message, inner) } }
  try { try { throw null } catch ({ message }) { out.push('no') } } catch ({ message }) { out.push(message) }
  try { JSON.parse('{') } catch ({ constructor: { name } }) { var kind = name; out.push(kind) }
  try { throw [1, 2] } catch ([first, second]) { out.push(first, second) } finally { out.push('end') }
  return out
}`,
  ],
  [
    'who was called, in a stack',
    `class Bank {
  constructor(fails) { if (fails) throw new Error('c') }
  pay() { throw new Error('p') }
  static make() { throw new Error('s') }
  async later() { throw new Error('l') }
}
class Sub extends Bank {}
const o = { pay() { throw new Error('o') }, arrow: () => { throw new Error('a') } }
function plain() { throw new Error('pl') }
const hook = async () => {
  const tries = [() => new Bank(1), () => new Bank().pay(), () => Bank.make(), () => o.pay(), () => o.arrow(), () => plain(), () => new Sub(1), () => [1].map(() => { throw new Error('m') }), () => new Bank().later(), () => plain.call({}), () => [2, 1].sort(() => plain()), () => new Promise((_, no) => no(new Error('n')))]
  const out = []
  for (const attempt of tries) await Promise.resolve().then(attempt).catch((e) => out.push(e.stack.split('\\n').slice(1, 3).map((line) => line.trim().split(' (')[0].replace(/main.js:.*/, ''))))
  return out.map((lines) => lines[0])
}`,
  ],
  [
    'who awaited, in a stack',
    `const bank = { async get() { await null; throw new Error('deep') } }
class Desk { async ask() { return 1 + (await bank.get()) } }
async function middle() {
  return await new Desk().ask()
}
const hook = async () => {
  try { await middle() } catch (e) { return e.stack.split('\\n').filter((line) => /main.js/.test(line)).map((line) => line.trim().replace(/main.js:(\\d+):.*/, '$1')) }
}`,
  ],
  [
    'functions as they were written',
    `const run = async () => { try { await run() } catch ({ message }) { run() } const { a: { b } } = run; const [d] = run; return { ...run, ...d } }
class A { m() { this.x() } }
const hook = () => [run.toString(), A + '', String(A.prototype.m), Math.max.toString(), Function.prototype.toString + '', JSON.parse.name, Object.getOwnPropertyNames(Function.prototype).includes('fileName')]`,
  ],
]
