// Code that does not end, and recursion without end.
import { type Escape, returned, stopped, threw, tooDeep } from './escape.js'

export const loops: readonly Escape[] = [
  stopped('while (true)', `while (true);`),
  stopped('a loop that catches everything', `for (;;) { try { for (;;); } catch {} finally { continue } }`),
  stopped('a loop in a getter', `return { get x() { for (;;); } }.x`),
  stopped('a loop in toJSON of what is returned', `return { toJSON() { for (;;); } }`),
  stopped(
    'a loop in toString of what is thrown',
    `throw { toString() { for (;;); }, get message() { for (;;); } }`,
  ),
  stopped('a loop in a promise', `await Promise.resolve().then(() => { for (;;); })`),
  stopped('a loop in a timer', `await new Promise(() => setTimeout(() => { for (;;); }))`),
  stopped('a loop in a generator', `function* g() { for (;;) yield 1 } for (const x of g()) x`),
  stopped('a loop in a proxy trap', `return new Proxy({}, { get() { for (;;); } }).x`),
  stopped('a loop in a sort', `return [1, 2, 3].sort(() => { for (;;); })`),
  stopped('a loop in a replace', `return 'aaa'.replace(/a/g, () => { for (;;); })`),
  stopped('catastrophic backtracking', `return /^(a+)+$/.test('a'.repeat(40) + 'b')`),
  stopped('catastrophic backtracking with alternatives', `return /^(a|a|b)*$/.test('a'.repeat(40) + 'c')`),
  stopped('endless microtasks', `const again = () => Promise.resolve().then(again); await again()`),
  stopped('endless awaits', `for (;;) await null`),
  stopped(
    'endless queueMicrotask',
    `const again = () => queueMicrotask(again); again(); await new Promise(() => {})`,
  ),
  stopped(
    'endless immediates',
    `const again = () => setImmediate(again); again(); await new Promise(() => {})`,
  ),
  stopped('endless timers', `const again = () => setTimeout(again); again(); await new Promise(() => {})`),
  stopped('an interval for ever', `setInterval(() => {}, 1); await new Promise(() => {})`),
  stopped('a promise that never settles', `await new Promise(() => {})`),
  stopped(
    'an async iterator that never ends',
    `for await (const x of { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }) x`,
  ),
  stopped('indexOf over a giant length', `return [].indexOf.call({ length: 2 ** 53 - 1 }, 1)`),
  stopped('lastIndexOf over a giant length', `return [].lastIndexOf.call({ length: 2 ** 53 - 1 }, 1)`),
  stopped('includes over a giant length', `return [].includes.call({ length: 2 ** 53 - 1 }, 1)`),
  stopped('reverse over a giant length', `return [].reverse.call({ length: 2 ** 53 - 1 })`),
  stopped(
    'fill over a giant length',
    `return [].fill.call(new Proxy({}, { get: () => 2 ** 53 - 1, set: () => true }), 1)`,
  ),
  stopped('a join of a sparse giant', `return new Array(2 ** 32 - 1).join('').length`),
  stopped('a sort of a sparse giant', `const a = []; a[2 ** 32 - 2] = 1; return a.sort().length`),
  stopped('copyWithin over a giant length', `return [].copyWithin.call({ length: 2 ** 53 - 1 }, 0, 1)`),
  stopped('every over a giant length', `return [].every.call({ length: 2 ** 53 - 1 }, () => true)`),
  stopped('parsing numbers for ever', `for (;;) parseFloat('1'.repeat(100000))`),
  stopped(
    'formatting for ever',
    `for (;;) (1234.5).toLocaleString('en-ZA', { style: 'currency', currency: 'ZAR' })`,
  ),
  stopped(
    'ever new formatters',
    `for (let i = 0; ; i++) new Intl.NumberFormat('en', { minimumFractionDigits: i % 20, maximumFractionDigits: 20, minimumIntegerDigits: 1 + (i % 21) }).format(i)`,
  ),
  stopped('compiling for ever', `for (let i = 0; ; i++) Function('return ' + i)`),
]

export const recursion: readonly Escape[] = [
  threw('endless recursion', `const f = () => f() + 1; f()`, tooDeep),
  threw('endless recursion through natives', `const f = () => [1].map(f); f()`, tooDeep),
  threw('endless recursion through toString', `const o = { toString: () => '' + o }; return '' + o`, tooDeep),
  threw('endless recursion through a getter', `const o = { get x() { return this.x } }; return o.x`, tooDeep),
  threw(
    'endless recursion through JSON',
    `const o = { toJSON: () => JSON.stringify(o) }; JSON.stringify(o)`,
    tooDeep,
  ),
  threw(
    'endless recursion through a proxy',
    `const p = new Proxy({}, { get: (t, k, r) => r[k] }); return p.x`,
    tooDeep,
  ),
  threw('endless recursion through the bridge', `const f = () => { new URL({ toString: f }) }; f()`, tooDeep),
  threw('endless recursion through replace', `const f = () => 'a'.replace(/a/, f); f()`, tooDeep),
  threw('endless recursion through sort', `const f = () => [2, 1].sort(f); f()`, tooDeep),
  threw('endless recursion through eval', `globalThis.f = () => eval('f()'); f()`, tooDeep),
  threw('endless recursion through a constructor', `class A { constructor() { new A() } } new A()`, tooDeep),
  threw(
    'endless recursion through async functions',
    `const f = async () => { await f() }; await f()`,
    tooDeep,
  ),
  stopped('recursion caught and begun again', `const f = () => { try { f() } catch { f() } }; f()`),
  threw('a deep expression', `return eval('('.repeat(1e5) + '1' + ')'.repeat(1e5))`, tooDeep),
  threw('a deep array literal', `return eval('['.repeat(1e5) + ']'.repeat(1e5)).length`, tooDeep),
  threw(
    'a deep regular expression',
    `return new RegExp('('.repeat(1e5) + ')'.repeat(1e5)).test('')`,
    'SyntaxError: too many captures',
  ),
  threw(
    'a deep nesting flattened',
    `let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a.flat(Infinity).length`,
    tooDeep,
  ),
  returned(
    'a deep nesting logged',
    `let a = []; for (let i = 0; i < 1e5; i++) a = [a]; console.log('x', a); return 1`,
    1,
  ),
]
