// The programs of the escape suite: what each tries, the body of its hook, how it must end, and what it may return.
// They run with a window of 200 ms and 64 MB.

export type Ending = 'returned' | 'threw' | 'timed-out' | 'killed' | 'out-of-memory'

export interface Escape {
  title: string
  body: string
  /** One of these: where the engine or the watchdog may be first, both are right. */
  ends: readonly Ending[]
  value?: unknown
}

const nothing = (title: string, body: string, value: unknown): Escape => ({
  title,
  body,
  ends: ['returned'],
  value,
})
const stopped = (title: string, body: string): Escape => ({ title, body, ends: ['timed-out', 'killed'] })
const limited = (title: string, body: string): Escape => ({
  title,
  body,
  ends: ['threw', 'out-of-memory', 'timed-out', 'killed', 'returned'],
})

// What a way out would find: each returns what it could reach, which is nothing.
const walks: readonly Escape[] = [
  nothing(
    'the constructor of this',
    `return typeof this?.constructor?.constructor('return typeof require')()`,
    'string',
  ),
  nothing('Function for require', `return Function('return typeof require')()`, 'undefined'),
  nothing('Function for process', `return Object.keys(Function('return process')()).join()`, 'env'),
  nothing(
    'the constructor of a constructor',
    `return (() => {}).constructor('return typeof process.binding')()`,
    'undefined',
  ),
  nothing(
    'AsyncFunction',
    `return await (async () => {}).constructor('return typeof module')()`,
    'undefined',
  ),
  nothing(
    'GeneratorFunction',
    `return (function* () {}).constructor('yield typeof exports')().next().value`,
    'undefined',
  ),
  nothing(
    'AsyncGeneratorFunction',
    `return (await (async function* () {}).constructor('yield typeof require')().next()).value`,
    'undefined',
  ),
  nothing(
    'indirect eval',
    `return (0, eval)('typeof require + typeof Deno + typeof Bun')`,
    'undefinedundefinedundefined',
  ),
  nothing(
    'process.mainModule',
    `return [typeof process.mainModule, typeof process.exit, typeof process.binding, typeof process.getBuiltinModule]`,
    ['undefined', 'undefined', 'undefined', 'undefined'],
  ),
  nothing('the host environment', `return Object.keys(process.env)`, ['KNOWN']),
  nothing(
    'the constructor of process.env',
    `return process.env.constructor === Object && process.env.constructor.constructor === Function`,
    true,
  ),
  nothing(
    'the constructor of console',
    `return console.log.constructor === Function && typeof console.log.constructor('return this')().require`,
    'undefined',
  ),
  nothing('the constructor of fetch', `return fetch.constructor('return typeof require')()`, 'undefined'),
  nothing(
    'the constructor of a timer',
    `return typeof setTimeout(() => {}, 1).constructor.constructor('return this')().process.exit`,
    'undefined',
  ),
  nothing(
    'the constructor of the payload',
    `return auth.constructor === Object && auth.constructor.constructor('return typeof require')()`,
    'undefined',
  ),
  nothing('the prototype of the payload', `return Object.getPrototypeOf(auth) === Object.prototype`, true),
  nothing(
    'callers and arguments',
    `return (function f() { return [typeof f.caller, typeof arguments.callee.caller] })().join().includes('function')`,
    false,
  ),
  nothing(
    'the stack through prepareStackTrace',
    `let sites; Error.prepareStackTrace = (e, s) => { sites = s; return s }; try { null.x } catch (e) { e.stack } return typeof sites?.[0]?.getThis`,
    'undefined',
  ),
  nothing(
    'the stack shows nothing of the host',
    `return /node:|file:|worker|prelude|node_modules|wasm/.test(new Error('x').stack)`,
    false,
  ),
  nothing(
    'errors of the bridge',
    `try { new URL('x') } catch (e) { return [e.constructor === TypeError, e.constructor.constructor('return typeof require')()] }`,
    [true, 'undefined'],
  ),
  nothing(
    'errors of formatters',
    `try { (1).toLocaleString('x-') } catch (e) { return e.constructor.constructor('return typeof process.exit')() }`,
    'undefined',
  ),
  nothing(
    'an error of a promise',
    `return await fetch('http://127.0.0.1:1/').catch((e) => e.constructor.constructor('return typeof require')())`,
    'undefined',
  ),
  nothing(
    'an error of the stack limit',
    `const f = () => f(); try { f() } catch (e) { return e.constructor.constructor('return typeof require')() }`,
    'undefined',
  ),
  nothing(
    'Symbol.species',
    `class X extends Promise { static get [Symbol.species]() { return Function } } try { return typeof new X(() => {}).then(() => {}) } catch (e) { return e.name }`,
    'SyntaxError',
  ),
  nothing(
    'Reflect.construct on natives',
    `return typeof Reflect.construct(Function, ['return this'])().require`,
    'undefined',
  ),
  nothing('WebAssembly', `return typeof WebAssembly`, 'undefined'),
  nothing(
    'workers and ports',
    `return [typeof Worker, typeof MessageChannel, typeof postMessage, typeof SharedWorker].join()`,
    'undefined,undefined,undefined,undefined',
  ),
  nothing(
    'engine modules',
    `return [typeof std, typeof os, typeof scriptArgs, typeof print, typeof load].join()`,
    'undefined,undefined,undefined,undefined,undefined',
  ),
  { title: 'import()', body: `return await import('fs')`, ends: ['threw'] },
  { title: 'import() of a data URL', body: `return await import('data:text/javascript,1')`, ends: ['threw'] },
  nothing(
    'require by name',
    `try { return require('fs') } catch (e) { return e.message }`,
    'require is not defined',
  ),
]

const bridge: readonly Escape[] = [
  nothing(
    'the bridge is no global',
    `return Object.getOwnPropertyNames(globalThis).filter((name) => /host|bridge|install|entries|begin|deliver/i.test(name))`,
    [],
  ),
  nothing(
    'names of engine bridges',
    `return ['__host', '__bridge', 'host', 'std', 'os', 'scriptArgs', 'QTS'].filter((name) => name in globalThis)`,
    [],
  ),
  nothing(
    'JSON.stringify watched',
    `const seen = []; const real = JSON.stringify; JSON.stringify = (...args) => { seen.push(...args.map((x) => typeof x)); return real(...args) }; console.log({ a: 1 }); new URL('http://a/'); return seen.includes('function')`,
    false,
  ),
  nothing(
    'JSON.parse watched',
    `const seen = []; const real = JSON.parse; JSON.parse = (...args) => { seen.push(typeof args[0]); return real(...args) }; new URL('http://a/'); (1).toLocaleString(); return seen`,
    [],
  ),
  nothing(
    'Function.prototype.call replaced',
    `const seen = []; const real = Function.prototype.call; Function.prototype.call = function (...args) { seen.push(this.name); return Reflect.apply(this, args[0], args.slice(1)) }; console.log('x'); new URL('http://a/'); new Date(); Function.prototype.call = real; return seen.includes('host')`,
    false,
  ),
  nothing(
    'Function.prototype.apply replaced',
    `const seen = []; Function.prototype.apply = function () { seen.push(this.name) }; console.log('x'); Math.random(); return seen`,
    [],
  ),
  nothing(
    'toJSON on every object',
    `Object.prototype.toJSON = () => 'spoofed'; try { console.log({ a: 1 }); return 'went on' } finally { delete Object.prototype.toJSON }`,
    'went on',
  ),
  nothing('toJSON that throws', `return { toJSON() { throw new Error('no') } }`, undefined),
  {
    title: 'a getter that throws in what is returned',
    body: `return { get a() { throw new Error('no') } }`,
    ends: ['returned'],
  },
  nothing(
    'a getter that loops for ever in what is logged',
    `let n = 0; console.log('x', { get a() { n += 1; return 1 } }); return n`,
    0,
  ),
  nothing(
    'a proxy in what is logged',
    `const log = []; try { console.log('x', new Proxy({ a: 1 }, { get(t, k) { log.push(String(k)); return t[k] } })) } catch {} return 'went on'`,
    'went on',
  ),
  nothing(
    'a proxy that throws in what is logged',
    `try { console.log('x', new Proxy({}, { ownKeys() { throw new Error('trap') }, getPrototypeOf() { throw new Error('trap') } })) } catch (e) { return e.message } return 'went on'`,
    'trap',
  ),
  { title: 'a thenable that never calls back', body: `return { then() {} }`, ends: ['timed-out'] },
  {
    title: 'a thenable that calls back twice',
    body: `return { then(ok, no) { ok(1); ok(2); no(new Error('x')) } }`,
    ends: ['returned'],
    value: 1,
  },
  {
    title: 'a thenable that throws',
    body: `return { get then() { throw new Error('then') } }`,
    ends: ['threw'],
  },
  nothing(
    'Array.prototype made hostile',
    `Array.prototype.push = Array.prototype.map = Array.prototype[Symbol.iterator] = () => { throw new Error('no') }; return 'went on'`,
    'went on',
  ),
  nothing(
    'Promise.prototype.then replaced',
    `Promise.prototype.then = () => { throw new Error('no') }; return 'went on'`,
    'went on',
  ),
  nothing(
    'Promise replaced',
    `globalThis.Promise = class { constructor() { throw new Error('no') } }; return 'went on'`,
    'went on',
  ),
  nothing(
    'Map replaced',
    `Map.prototype.get = Map.prototype.set = Map.prototype.delete = () => { throw new Error('no') }; return 'went on'`,
    'went on',
  ),
  nothing(
    'Object replaced',
    `globalThis.Object = globalThis.Array = globalThis.JSON = undefined; return 'went on'`,
    'went on',
  ),
  nothing(
    'Symbol.toPrimitive as an operation',
    `try { setTimeout({ [Symbol.toPrimitive]: () => 'fetch' }) } catch (e) { return e.name }`,
    'TypeError',
  ),
  nothing(
    'timer numbers that are none',
    `clearTimeout({ valueOf: () => -1 }); clearTimeout(NaN); clearTimeout('x'); clearTimeout(2 ** 60); setTimeout(() => {}, -Infinity); return 1`,
    1,
  ),
  nothing(
    'hostile options of a formatter',
    `try { (1).toLocaleString('en', { get style() { throw new RangeError('mine') } }) } catch (e) { return e.message }`,
    'mine',
  ),
  nothing(
    'hostile locales',
    `try { (1).toLocaleString({ length: 1, 0: 'en' }) + new Intl.NumberFormat(['__proto__', 'constructor']) } catch (e) { return e.name }`,
    'RangeError',
  ),
  nothing(
    '__proto__ across the bridge',
    `console.log('x', JSON.parse('{"__proto__":{"polluted":1}}')); return [{}.polluted, new URLSearchParams({ __proto__: { a: 1 } }).toString()]`,
    [null, ''],
  ),
  nothing(
    'NUL and lone surrogates across the bridge',
    `const s = 'a\\0b\\ud800c'; console.log(s); return [s, encodeURIComponent(new URLSearchParams({ s: 'a\\0b' }).get('s'))]`,
    ['a\0b\ud800c', 'a%00b'],
  ),
  nothing(
    'a spoofed settlement',
    `const report = { type: 'boolean', json: 'false' }; globalThis.settle = report; globalThis.entries = { settle: report }; return true`,
    true,
  ),
  nothing(
    'a fetch with a foreign body',
    `try { await fetch('http://127.0.0.1:1/', { method: 'POST', body: { byteLength: 2 ** 40 } }) } catch (e) { return e.name }`,
    'FetchError',
  ),
  nothing(
    'a header that splits',
    `try { await fetch('http://127.0.0.1:1/', { headers: { 'x-a': 'b\\r\\nHost: evil' } }) } catch (e) { return e.name }`,
    'TypeError',
  ),
  nothing(
    'a method that splits',
    `try { await fetch('http://127.0.0.1:1/', { method: 'GET / HTTP/1.1\\r\\nX: y\\r\\n' }) } catch (e) { return e.name }`,
    'FetchError',
  ),
  nothing(
    'files by fetch',
    `try { await fetch('file:///etc/passwd') } catch (e) { return e.name }`,
    'TypeError',
  ),
  nothing(
    'metadata by fetch',
    `const out = []; for (const host of ['169.254.169.254', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '[::ffff:169.254.169.254]', '[fd00:ec2::254]', '[64:ff9b::a9fe:a9fe]', '169.254.169.254.', 'metadata.google.internal', '100.100.100.200', '[fe80::1]', '[::ffff:0:a9fe:a9fe]', '[2002:a9fe:a9fe::1]']) { out.push(await fetch('http://' + host + '/').catch((e) => e.code)) } return [...new Set(out)]`,
    ['ERR_OUTBOUND_POLICY'],
  ),
]

const pollution: readonly Escape[] = [
  nothing('Object.prototype', `Object.prototype.polluted = 'yes'; return {}.polluted`, 'yes'),
  nothing('Array.prototype', `Array.prototype.polluted = 'yes'; return [].polluted`, 'yes'),
  nothing('Function.prototype', `Function.prototype.polluted = 'yes'; return (() => {}).polluted`, 'yes'),
  nothing('String.prototype', `String.prototype.trim = () => 'mine'; return ' x '.trim()`, 'mine'),
  nothing(
    'globals',
    `globalThis.leaked = 1; undeclared = 2; var declared = 3; return leaked + undeclared`,
    3,
  ),
  nothing(
    'replaced globals',
    `fetch = console.log = Date = Math.random = () => 'mine'; return Math.random()`,
    'mine',
  ),
  nothing(
    'deleted globals',
    `for (const name of Object.getOwnPropertyNames(globalThis)) { try { delete globalThis[name] } catch {} } return 'gone'`,
    'gone',
  ),
  nothing(
    'frozen globals',
    `Object.freeze(globalThis); Object.freeze(Object.prototype); Object.preventExtensions(Array.prototype); return 'frozen'`,
    'frozen',
  ),
  nothing(
    'accessors on prototypes',
    `Object.defineProperty(Object.prototype, 'kind', { get: () => 'timer', set() {}, configurable: true }); return {}.kind`,
    'timer',
  ),
  nothing(
    'prototype chains of natives',
    `Object.setPrototypeOf(Array.prototype, null); Object.setPrototypeOf(Promise.prototype, { mine: 1 }); return 'cut'`,
    'cut',
  ),
  nothing(
    'the environment',
    `process.env.KNOWN = 'changed'; process.env.MORE = 'x'; process = null; return 'changed'`,
    'changed',
  ),
  nothing(
    'moment',
    `moment.locale('xx', {}); moment.fn.format = () => 'mine'; moment.updateLocale('en', { months: ['mine'] }); return moment().format()`,
    'mine',
  ),
  nothing('Buffer', `Buffer.from = () => 'mine'; Buffer.poolSize = 0; return Buffer.from('x')`, 'mine'),
  nothing(
    'the symbol registry',
    `Symbol.for('mine').description; globalThis[Symbol.for('mine')] = 1; return typeof globalThis[Symbol.for('mine')]`,
    'number',
  ),
  nothing(
    'regular expression statics',
    `/(a)(b)/.exec('ab'); RegExp.prototype.exec = () => ['mine']; return /x/.exec('y')[0]`,
    'mine',
  ),
  nothing(
    'Error.stackTraceLimit',
    `Error.stackTraceLimit = Infinity; Error.prepareStackTrace = () => 'mine'; return typeof new Error('x').stack`,
    'string',
  ),
]

const memory: readonly Escape[] = [
  limited('typed arrays without end', `const all = []; for (;;) all.push(new Uint8Array(1 << 20).fill(1))`),
  limited('one giant buffer', `return new ArrayBuffer(2 ** 32).byteLength`),
  limited('a giant shared buffer', `return new SharedArrayBuffer(2 ** 31).byteLength`),
  limited('a resizable buffer', `return new ArrayBuffer(8, { maxByteLength: 2 ** 40 }).resize(2 ** 39)`),
  limited('strings that double', `let s = 'x'; for (;;) s += s`),
  limited('a giant repeat', `return 'x'.repeat(2 ** 29).length`),
  limited('a giant padStart', `return 'x'.padStart(2 ** 30, 'ab').length`),
  limited('a giant join', `return new Array(2 ** 25).join('xxxxxxxx').length`),
  limited('arrays without end', `const all = []; for (;;) all.push([1, 2, 3])`),
  limited('a filled giant array', `return new Array(2 ** 30).fill(0).length`),
  limited('Array.from of a giant', `return Array.from({ length: 2 ** 32 }).length`),
  limited('objects without end', `const root = {}; let at = root; for (;;) at = at.next = { a: 1, b: 'x' }`),
  limited('a map without end', `const m = new Map(); for (let i = 0; ; i++) m.set(i, {})`),
  limited('properties without end', `const o = {}; for (let i = 0; ; i++) o['p' + i] = i`),
  limited('closures without end', `const all = []; for (;;) all.push(() => all)`),
  limited('a giant BigInt', `return (2n ** (2n ** 30n)).toString().length`),
  limited('BigInts that double', `let n = 3n; for (;;) n *= n`),
  limited(
    'a giant regular expression',
    `return new RegExp('(a{1,1000}){1,1000}'.repeat(500)).test('a'.repeat(9999))`,
  ),
  limited('a giant source for Function', `return Function('return "' + 'x'.repeat(2 ** 26) + '"')().length`),
  limited('a deep JSON text', `return JSON.parse('['.repeat(1e6) + ']'.repeat(1e6)).length`),
  limited('a giant JSON text', `return JSON.stringify(new Array(2 ** 24).fill({ a: 1 })).length`),
  limited('a deep object to return', `let o = {}; for (let i = 0; i < 2e5; i++) o = { o }; return o`),
  limited('a giant value to return', `return 'x'.repeat(2 ** 24)`),
  limited('a giant text for the host', `return new URL('http://a/' + 'x'.repeat(2 ** 24)).href.length`),
  limited(
    'giant formatting',
    `return (1).toLocaleString('en', { minimumIntegerDigits: 21, minimumFractionDigits: 20 }).length + 'x'.repeat(2 ** 22).toLocaleUpperCase().length`,
  ),
  limited(
    'memory exhausted and caught',
    `const all = []; for (;;) { try { for (;;) all.push(new Uint8Array(1 << 20)) } catch {} }`,
  ),
  limited(
    'memory exhausted in a promise',
    `const all = []; await Promise.resolve().then(() => { for (;;) all.push(new Float64Array(1 << 16)) })`,
  ),
  limited(
    'memory exhausted in a timer',
    `await new Promise(() => setTimeout(() => { const all = []; for (;;) all.push('x'.repeat(1 << 20) + all.length) }))`,
  ),
  limited('a giant Buffer', `return Buffer.alloc(2 ** 31 - 1).length`),
  limited(
    'a structuredClone of a deep object',
    `let o = {}; for (let i = 0; i < 1e5; i++) o = { o }; return typeof structuredClone(o)`,
  ),
]

const loops: readonly Escape[] = [
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
  limited('a join of a sparse giant', `return new Array(2 ** 32 - 1).join('').length`),
  limited('a sort of a sparse giant', `const a = []; a[2 ** 32 - 2] = 1; return a.sort().length`),
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

const recursion: readonly Escape[] = [
  { title: 'endless recursion', body: `const f = () => f() + 1; f()`, ends: ['threw'] },
  { title: 'endless recursion through natives', body: `const f = () => [1].map(f); f()`, ends: ['threw'] },
  {
    title: 'endless recursion through toString',
    body: `const o = { toString: () => '' + o }; return '' + o`,
    ends: ['threw'],
  },
  {
    title: 'endless recursion through a getter',
    body: `const o = { get x() { return this.x } }; return o.x`,
    ends: ['threw'],
  },
  {
    title: 'endless recursion through JSON',
    body: `const o = { toJSON: () => JSON.stringify(o) }; JSON.stringify(o)`,
    ends: ['threw'],
  },
  {
    title: 'endless recursion through a proxy',
    body: `const p = new Proxy({}, { get: (t, k, r) => r[k] }); return p.x`,
    ends: ['threw'],
  },
  {
    title: 'endless recursion through the bridge',
    body: `const f = () => { new URL({ toString: f }) }; f()`,
    ends: ['threw'],
  },
  {
    title: 'endless recursion through replace',
    body: `const f = () => 'a'.replace(/a/, f); f()`,
    ends: ['threw'],
  },
  { title: 'endless recursion through sort', body: `const f = () => [2, 1].sort(f); f()`, ends: ['threw'] },
  {
    title: 'endless recursion through eval',
    body: `globalThis.f = () => eval('f()'); f()`,
    ends: ['threw', 'timed-out'],
  },
  {
    title: 'endless recursion through a constructor',
    body: `class A { constructor() { new A() } } new A()`,
    ends: ['threw'],
  },
  {
    title: 'endless recursion through async functions',
    body: `const f = async () => { await f() }; await f()`,
    ends: ['threw'],
  },
  limited('recursion caught and begun again', `const f = () => { try { f() } catch { f() } }; f()`),
  limited('a deep expression', `return eval('('.repeat(1e5) + '1' + ')'.repeat(1e5))`),
  limited('a deep array literal', `return eval('['.repeat(1e5) + ']'.repeat(1e5)).length`),
  limited('a deep regular expression', `return new RegExp('('.repeat(1e5) + ')'.repeat(1e5)).test('')`),
  limited(
    'a deep nesting flattened',
    `let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a.flat(Infinity).length`,
  ),
  limited(
    'a deep nesting logged',
    `let a = []; for (let i = 0; i < 1e5; i++) a = [a]; console.log('x', a); return 1`,
  ),
]

const sources: readonly Escape[] = [
  limited(
    'a source of a hundred thousand chained calls',
    `try { eval('const f = () => f; f' + '()'.repeat(1e5) + '.x.y') } catch (e) { return e.name }`,
  ),
  limited(
    'a source of a hundred thousand chained members',
    `try { eval('undefined' + '.a'.repeat(1e5)) } catch (e) { return e.name }`,
  ),
  limited('a comment without end', `return eval('/*' + 'x'.repeat(1e6))`),
  nothing(
    'names of the rewriting',
    `const __caught = 1; try { const { a } = 5; return [typeof a, __caught] } finally { }`,
    ['undefined', 1],
  ),
  nothing(
    'rewriting functions called by hand',
    `return [__caught(1), __held(2, 'a', 'b'), (() => { try { __held(null, {}, Symbol.iterator) } catch (e) { return e.name } })()]`,
    [1, 2, 'TypeError'],
  ),
]

const floods: readonly Escape[] = [
  {
    title: 'ten thousand timers',
    body: `let n = 0; for (let i = 0; i < 10000; i++) setTimeout(() => n++, i % 50); await new Promise(() => {})`,
    ends: ['timed-out'],
  },
  {
    title: 'a hundred thousand timers',
    body: `for (let i = 0; i < 100000; i++) setTimeout(() => {}, 1); return 1`,
    ends: ['returned', 'timed-out'],
  },
  nothing('a log flood of items', `for (let i = 0; i < 3000; i++) console.log(i); return 1`, 1),
  nothing(
    'a log flood of bytes',
    `for (let i = 0; i < 30; i++) console.log('x'.repeat(1 << 17)); return 1`,
    1,
  ),
  { title: 'a log flood without end', body: `for (;;) console.error('x')`, ends: ['timed-out'] },
  {
    title: 'a log flood of deep objects',
    body: `const wide = (d) => d === 0 ? 1 : Object.fromEntries(Array.from({ length: 30 }, (_, i) => ['k' + i, wide(d - 1)])); const o = wide(3); for (;;) console.log('x', o)`,
    ends: ['timed-out'],
  },
  {
    title: 'requests without end',
    body: `for (let i = 0; i < 5000; i++) fetch('http://127.0.0.1:1/').catch(() => {}); await new Promise(() => {})`,
    ends: ['timed-out', 'killed'],
  },
  {
    title: 'errors without end',
    body: `for (;;) { try { null.x } catch (e) { e.stack } }`,
    ends: ['timed-out'],
  },
  nothing(
    'rejections that nobody handles',
    `for (let i = 0; i < 1000; i++) Promise.reject(new Error('x')); return 1`,
    1,
  ),
  nothing(
    'errors in timers',
    `setTimeout(() => { throw new Error('later') }, 1); await new Promise((r) => setTimeout(r, 5)); return 1`,
    1,
  ),
  nothing(
    'a FinalizationRegistry',
    `new FinalizationRegistry(() => { for (;;); }).register({}, 1); return 1`,
    1,
  ),
  nothing('SharedArrayBuffer and Atomics', `return typeof Atomics`, 'undefined'),
]

export const escapes: readonly Escape[] = [
  ...walks,
  ...bridge,
  ...pollution,
  ...memory,
  ...loops,
  ...recursion,
  ...sources,
  ...floods,
]
