// The output of console.
import type { FidelityProgram } from './program.js'

export const consolePrograms: readonly FidelityProgram[] = [
  [
    'errors of every kind',
    `const hook = () => { for (const Kind of [Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError]) console.log(new Kind('x').stack.split('\\n')[0] === Kind.name + ': x', Kind.name, String(new Kind('y'))) }`,
  ],
  [
    'errors of built-in classes alone',
    `const hook = () => { const e = new TypeError('t'); e.stack = 'TypeError: t'; console.log(e); e.code = 'E'; console.log('x', e) }`,
  ],
  [
    'errors of classes of one’s own',
    `class BankError extends Error {} class Refused extends TypeError { constructor(m) { super(m); this.name = 'Refused' } }
const hook = () => { for (const e of [new BankError('b'), new Refused('r')]) { e.stack = e.stack.split('\\n')[0]; console.log(e); console.log('x', e) } }`,
  ],
  [
    'an aggregate of errors',
    `const hook = () => { const cut = (e) => { e.stack = e.stack.split('\\n')[0]; return e }; console.log('x', cut(new AggregateError([cut(new Error('a')), 1], 'all'))) }`,
  ],
  [
    'promises in every state',
    `const hook = async () => { console.log('p', new Promise(() => {}), Promise.resolve(4), (async () => {})(), Promise.resolve({ a: Promise.resolve(1) })); const no = Promise.reject('no'); no.catch(() => {}); console.log('p', no) }`,
  ],
  [
    'a call without its await',
    `const get = async () => ({ ok: true })\nconst hook = async () => { console.log('t', get()); const g = get(); console.log(g); await g; console.log(g) }`,
  ],
  [
    'subclasses of collections',
    `class Money extends Map {} class Cards extends Set {} class Rows extends Array {} const hook = () => console.log('x', new Money([['a', 1]]), new Cards([1]), Rows.of(1, 2), new Rows())`,
  ],
  [
    'large collections',
    `const hook = () => { const list = Array.from({ length: 120 }, (_, i) => i); console.log('x', new Set(list)); console.log('x', new Map(list.map((i) => [i, i]))); console.log('x', list) }`,
  ],
  [
    'functions with properties',
    `const hook = () => console.log('x', Object.assign(function f() {}, { a: 1 }), class A { static b = 2 }, Object.assign(() => {}, { c: { d: 1 } }))`,
  ],
  [
    '%s, %d, %j, %o',
    `class P { constructor() { this.a = 1 } toString() { return 'P!' } } const hook = () => { console.log('%s %s %s %s', new P(), { toString: () => 'mine' }, { a: { b: {} } }, [1, [2]]); console.log('%d %i %f %j %%', '12.5', '12.5', '1.5x', { a: 1 }); console.log('%s', new Date(0), 'more', { a: 1 }); console.log('%s %s', 1n, Symbol('s'), null) }`,
  ],
  [
    'one’s own way to be printed',
    `const inspect = Symbol.for('nodejs.util.inspect.custom'); const hook = () => { const one = { [inspect]: () => 'ONE' }; console.log(one); console.log('x', one, [one], { one }); console.log('x', { [inspect]: () => ({ shown: 1 }) }) }`,
  ],
  ['moments', `const hook = () => { const m = moment.utc(0); console.log('x', m, [m]); console.log(m) }`],
  [
    'generators and iterators of lists',
    `const hook = () => console.log('x', [1][Symbol.iterator](), (function* () {})())`,
  ],
  [
    'objects without a prototype, and with a tag',
    `const hook = () => console.log('x', Object.create(null), Object.assign(Object.create(null), { a: 1 }), { [Symbol.toStringTag]: 'Tag' }, new (class Foo { get [Symbol.toStringTag]() { return 'Bar' } })())`,
  ],
  [
    'headers',
    `const hook = () => { const headers = new Headers({ a: '1', b: '2' }); headers.append('a', '3'); console.log(headers); console.log('x', headers); console.log({ headers }) ; return JSON.stringify(headers) }`,
  ],
  [
    'console: one string, several values',
    `const hook = () => {
  console.log('plain'); console.log('a', 1, true, null, undefined); console.log(); console.log('x', 'y'); console.log(42); console.log('%s is %d and %i %f %j %o %O %%', 'a', 1.5, 2.9, '3.5', { a: 1 }, [1], { b: 2 }, 'rest')
}`,
  ],
  [
    'console: levels',
    `const hook = () => {
  console.info('i'); console.warn('w'); console.error('e'); console.debug('d')
}`,
  ],
  [
    'console: one object is compact JSON',
    `const hook = () => {
  console.log({ a: 1, b: { c: [1, 2] } }); console.log([1, 'a', null]); console.log(new Date(0)); console.log({ toJSON: () => ({ x: 1 }) })
}`,
  ],
  [
    'console: objects among others',
    `const hook = () => {
  console.log('x', { a: 1, b: { c: { d: { e: 1 } } }, 'k-l': 'it\\'s', [Symbol('s')]: 1 }, [1, , 3], { f() {}, g: () => 1, h: class Foo {}, i: class extends Date {}, async j() {}, *k() {} })
}`,
  ],
  [
    'console: special values among others',
    `const hook = () => {
  console.log('x', new Map([['a', { b: 1 }]]), new Set(['s', 1]), new Date(0), /re/g, Symbol('q'), 10n, -0, NaN, [undefined, null], Object.create(null), new (class Foo { x = 1 })())
}`,
  ],
  [
    'console: long arrays, long objects, nested arrays',
    `const hook = () => {
  console.log('x', Array.from({ length: 120 }, (_, i) => i)); console.log('y', { aaaaaaaaaaaaaaaaaaaa: 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', cccccccccccccccccccc: 'dddddddddddddddddddddddddddddddd' }, [[[[1]]]]); console.log('z', 'multi\\nline', ['multi\\nline'])
}`,
  ],
  [
    'console: cycles, getters, boxed values, typed arrays, buffers',
    `const hook = () => {
  const o = { n: 1 }; o.self = o; console.log('x', o); console.log('y', { get a() { return 1 }, set a(v) {}, get b() { return 2 } }, Object(1), Object('s'), new Uint8Array(3), new Float64Array([1.5]), Buffer.from('abc'), new ArrayBuffer(2))
}`,
  ],
  [
    'console: an object with a cycle alone',
    `const hook = () => {
  const o = { n: 1 }; o.self = o; console.log(o)
}`,
  ],
  [
    'console: a map, a set, a function, a symbol alone',
    `const hook = () => {
  console.log(new Map([[1, 2]])); console.log(new Set()); console.log(hook); console.log(Symbol('a')); console.log(1n); console.log(null); console.log(undefined); console.log(true)
}`,
  ],
  [
    'console: URLs and parameters among others',
    `const hook = () => {
  console.log('u', new URL('http://a.b/c?d=1'), new URLSearchParams('a=1'))
}`,
  ],
  [
    'console: promises among others',
    `const hook = () => {
  console.log('p', [new (class A extends Array {})(), Object.assign(() => {}, { a: 1 })].length, new WeakMap() instanceof WeakMap)
}`,
  ],
  [
    'console: errors print their stack',
    `const hook = () => {
  const e = new TypeError('bad')
  const first = e.stack.split('\\n').slice(0, 2)
  return [first, String(e), e.toString(), Object.keys(e), e.stack.includes('main.js:2:13')]
}`,
  ],
  [
    'the console beyond its levels',
    `const hook = async (authorization) => { console.count(); console.count('a'); console.count(); console.countReset(); console.count(); console.group('group', 1); console.log('one\\ntwo'); console.group(); console.error({ a: 1 }, 'deep'); console.groupEnd(); console.warn('back'); console.groupEnd(); console.groupEnd(); console.log('out'); console.table([{ a: 1, b: 'x' }, { a: 2, c: true }]); console.table([[1, 2], [3, 4]], ['0']); console.table(5); console.dirxml('d'); return Object.keys(console).includes('time') }`,
  ],
]
