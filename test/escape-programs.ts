// The programs of the escape suite: what each tries, the body of its hook, and the one way it ends. They run with 64 MB.

export type Ending = 'returned' | 'threw' | 'timed-out' | 'out-of-memory'

export interface Escape {
  title: string
  body: string
  end: Ending
  /** What is returned. */
  value?: unknown
  /** How what is thrown begins: its name and its message. */
  error?: string
  windowMs: number
}

/** For what comes to an end by itself: the longest that a card has, so that a busy machine makes no difference. */
const ample = 15_000
/** For what does not. */
const short = 200

const returned = (title: string, body: string, value?: unknown): Escape => ({
  title,
  body,
  end: 'returned',
  value,
  windowMs: ample,
})
const threw = (title: string, body: string, error: string): Escape => ({
  title,
  body,
  end: 'threw',
  error,
  windowMs: ample,
})
const starved = (title: string, body: string): Escape => ({
  title,
  body,
  end: 'out-of-memory',
  error: 'RangeError: out of memory',
  windowMs: ample,
})
const stopped = (title: string, body: string): Escape => ({
  title,
  body,
  end: 'timed-out',
  error: 'TimeoutError: hook ran past its window of 200 ms',
  windowMs: short,
})

const tooDeep = 'RangeError: Maximum call stack size exceeded'

// What a way out would find: each returns what it could reach, which is nothing.
const walks: readonly Escape[] = [
  returned(
    'the constructor of this',
    `return typeof this?.constructor?.constructor('return typeof require')()`,
    'string',
  ),
  returned('Function for require', `return Function('return typeof require')()`, 'undefined'),
  returned('Function for process', `return Object.keys(Function('return process')()).join()`, 'env'),
  returned(
    'the constructor of a constructor',
    `return (() => {}).constructor('return typeof process.binding')()`,
    'undefined',
  ),
  returned(
    'AsyncFunction',
    `return await (async () => {}).constructor('return typeof module')()`,
    'undefined',
  ),
  returned(
    'GeneratorFunction',
    `return (function* () {}).constructor('yield typeof exports')().next().value`,
    'undefined',
  ),
  returned(
    'AsyncGeneratorFunction',
    `return (await (async function* () {}).constructor('yield typeof require')().next()).value`,
    'undefined',
  ),
  returned(
    'indirect eval',
    `return (0, eval)('typeof require + typeof Deno + typeof Bun')`,
    'undefinedundefinedundefined',
  ),
  returned(
    'process.mainModule',
    `return [typeof process.mainModule, typeof process.exit, typeof process.binding, typeof process.getBuiltinModule]`,
    ['undefined', 'undefined', 'undefined', 'undefined'],
  ),
  returned('the host environment', `return Object.keys(process.env)`, ['KNOWN']),
  returned(
    'the constructor of process.env',
    `return process.env.constructor === Object && process.env.constructor.constructor === Function`,
    true,
  ),
  returned(
    'the constructor of console',
    `return console.log.constructor === Function && typeof console.log.constructor('return this')().require`,
    'undefined',
  ),
  returned('the constructor of fetch', `return fetch.constructor('return typeof require')()`, 'undefined'),
  returned(
    'the constructor of a timer',
    `return typeof setTimeout(() => {}, 1).constructor.constructor('return this')().process.exit`,
    'undefined',
  ),
  returned(
    'the constructor of the payload',
    `return auth.constructor === Object && auth.constructor.constructor('return typeof require')()`,
    'undefined',
  ),
  returned('the prototype of the payload', `return Object.getPrototypeOf(auth) === Object.prototype`, true),
  returned(
    'callers and arguments',
    `return (function f() { return [typeof f.caller, typeof arguments.callee.caller] })().join().includes('function')`,
    false,
  ),
  returned(
    'the stack through prepareStackTrace',
    `let sites; Error.prepareStackTrace = (e, s) => { sites = s; return s }; try { null.x } catch (e) { e.stack } return typeof sites?.[0]?.getThis`,
    'undefined',
  ),
  returned(
    'the stack shows nothing of the host',
    `return /node:|file:|worker|prelude|node_modules|wasm/.test(new Error('x').stack)`,
    false,
  ),
  returned(
    'errors of the bridge',
    `try { new URL('x') } catch (e) { return [e.constructor === TypeError, e.constructor.constructor('return typeof require')()] }`,
    [true, 'undefined'],
  ),
  returned(
    'errors of formatters',
    `try { (1).toLocaleString('x-') } catch (e) { return e.constructor.constructor('return typeof process.exit')() }`,
    'undefined',
  ),
  returned(
    'an error of a promise',
    `return await fetch('http://127.0.0.1:1/').catch((e) => e.constructor.constructor('return typeof require')())`,
    'undefined',
  ),
  returned(
    'an error of the stack limit',
    `const f = () => f(); try { f() } catch (e) { return e.constructor.constructor('return typeof require')() }`,
    'undefined',
  ),
  returned(
    'Symbol.species',
    `class X extends Promise { static get [Symbol.species]() { return Function } } try { return typeof new X(() => {}).then(() => {}) } catch (e) { return e.name }`,
    'SyntaxError',
  ),
  returned(
    'Reflect.construct on natives',
    `return typeof Reflect.construct(Function, ['return this'])().require`,
    'undefined',
  ),
  returned('WebAssembly', `return typeof WebAssembly`, 'undefined'),
  returned(
    'workers and ports',
    `return [typeof Worker, typeof MessageChannel, typeof postMessage, typeof SharedWorker].join()`,
    'undefined,undefined,undefined,undefined',
  ),
  returned(
    'engine modules',
    `return [typeof std, typeof os, typeof scriptArgs, typeof print, typeof load].join()`,
    'undefined,undefined,undefined,undefined,undefined',
  ),
  threw('import()', `return await import('fs')`, "ReferenceError: could not load module 'fs'"),
  threw(
    'import() of a data URL',
    `return await import('data:text/javascript,1')`,
    "ReferenceError: could not load module 'data:text/javascript,1'",
  ),
  returned(
    'require by name',
    `try { return require('fs') } catch (e) { return e.message }`,
    'require is not defined',
  ),
]

const bridge: readonly Escape[] = [
  returned(
    'the bridge is no global',
    `return Object.getOwnPropertyNames(globalThis).filter((name) => /host|bridge|install|entries|begin|deliver/i.test(name))`,
    [],
  ),
  returned(
    'names of engine bridges',
    `return ['__host', '__bridge', 'host', 'std', 'os', 'scriptArgs', 'QTS'].filter((name) => name in globalThis)`,
    [],
  ),
  returned(
    'JSON.stringify watched',
    `const seen = []; const real = JSON.stringify; JSON.stringify = (...args) => { seen.push(...args.map((x) => typeof x)); return real(...args) }; console.log({ a: 1 }); new URL('http://a/'); return seen.includes('function')`,
    false,
  ),
  returned(
    'JSON.parse watched',
    `const seen = []; const real = JSON.parse; JSON.parse = (...args) => { seen.push(typeof args[0]); return real(...args) }; new URL('http://a/'); (1).toLocaleString(); return seen`,
    [],
  ),
  returned(
    'Function.prototype.call replaced',
    `const seen = []; const real = Function.prototype.call; Function.prototype.call = function (...args) { seen.push(this.name); return Reflect.apply(this, args[0], args.slice(1)) }; console.log('x'); new URL('http://a/'); new Date(); Function.prototype.call = real; return seen.includes('host')`,
    false,
  ),
  returned(
    'Function.prototype.apply replaced',
    `const seen = []; Function.prototype.apply = function () { seen.push(this.name) }; console.log('x'); Math.random(); return seen`,
    [],
  ),
  returned(
    'toJSON on every object',
    `Object.prototype.toJSON = () => 'spoofed'; try { console.log({ a: 1 }); return 'went on' } finally { delete Object.prototype.toJSON }`,
    'went on',
  ),
  returned('toJSON that throws', `return { toJSON() { throw new Error('no') } }`, undefined),
  returned('a getter that throws in what is returned', `return { get a() { throw new Error('no') } }`),
  returned(
    'a getter that loops for ever in what is logged',
    `let n = 0; console.log('x', { get a() { n += 1; return 1 } }); return n`,
    0,
  ),
  returned(
    'a proxy in what is logged',
    `const log = []; try { console.log('x', new Proxy({ a: 1 }, { get(t, k) { log.push(String(k)); return t[k] } })) } catch {} return 'went on'`,
    'went on',
  ),
  returned(
    'a proxy that throws in what is logged',
    `try { console.log('x', new Proxy({}, { ownKeys() { throw new Error('trap') }, getPrototypeOf() { throw new Error('trap') } })) } catch (e) { return e.message } return 'went on'`,
    'trap',
  ),
  stopped('a thenable that never calls back', `return { then() {} }`),
  returned(
    'a thenable that calls back twice',
    `return { then(ok, no) { ok(1); ok(2); no(new Error('x')) } }`,
    1,
  ),
  threw('a thenable that throws', `return { get then() { throw new Error('then') } }`, 'Error: then'),
  returned(
    'Array.prototype made hostile',
    `Array.prototype.push = Array.prototype.map = Array.prototype[Symbol.iterator] = () => { throw new Error('no') }; return 'went on'`,
    'went on',
  ),
  returned(
    'Promise.prototype.then replaced',
    `Promise.prototype.then = () => { throw new Error('no') }; return 'went on'`,
    'went on',
  ),
  returned(
    'Promise replaced',
    `globalThis.Promise = class { constructor() { throw new Error('no') } }; return 'went on'`,
    'went on',
  ),
  returned(
    'Map replaced',
    `Map.prototype.get = Map.prototype.set = Map.prototype.delete = () => { throw new Error('no') }; return 'went on'`,
    'went on',
  ),
  returned(
    'Object replaced',
    `globalThis.Object = globalThis.Array = globalThis.JSON = undefined; return 'went on'`,
    'went on',
  ),
  returned(
    'Symbol.toPrimitive as an operation',
    `try { setTimeout({ [Symbol.toPrimitive]: () => 'fetch' }) } catch (e) { return e.name }`,
    'TypeError',
  ),
  returned(
    'timer numbers that are none',
    `clearTimeout({ valueOf: () => -1 }); clearTimeout(NaN); clearTimeout('x'); clearTimeout(2 ** 60); setTimeout(() => {}, -Infinity); return 1`,
    1,
  ),
  returned(
    'hostile options of a formatter',
    `try { (1).toLocaleString('en', { get style() { throw new RangeError('mine') } }) } catch (e) { return e.message }`,
    'mine',
  ),
  returned(
    'hostile locales',
    `try { (1).toLocaleString({ length: 1, 0: 'en' }) + new Intl.NumberFormat(['__proto__', 'constructor']) } catch (e) { return e.name }`,
    'RangeError',
  ),
  returned(
    '__proto__ across the bridge',
    `console.log('x', JSON.parse('{"__proto__":{"polluted":1}}')); return [{}.polluted, new URLSearchParams({ __proto__: { a: 1 } }).toString()]`,
    [null, ''],
  ),
  returned(
    'NUL and lone surrogates across the bridge',
    `const s = 'a\\0b\\ud800c'; console.log(s); return [s, encodeURIComponent(new URLSearchParams({ s: 'a\\0b' }).get('s'))]`,
    ['a\0b\ud800c', 'a%00b'],
  ),
  returned(
    'a spoofed settlement',
    `const report = { type: 'boolean', json: 'false' }; globalThis.settle = report; globalThis.entries = { settle: report }; return true`,
    true,
  ),
  returned(
    'a fetch with a foreign body',
    `try { await fetch('http://127.0.0.1:1/', { method: 'POST', body: { byteLength: 2 ** 40 } }) } catch (e) { return e.name }`,
    'FetchError',
  ),
  returned(
    'a header that splits',
    `try { await fetch('http://127.0.0.1:1/', { headers: { 'x-a': 'b\\r\\nHost: evil' } }) } catch (e) { return e.name }`,
    'TypeError',
  ),
  returned(
    'a method that splits',
    `try { await fetch('http://127.0.0.1:1/', { method: 'GET / HTTP/1.1\\r\\nX: y\\r\\n' }) } catch (e) { return e.name }`,
    'FetchError',
  ),
  returned(
    'files by fetch',
    `try { await fetch('file:///etc/passwd') } catch (e) { return e.name }`,
    'TypeError',
  ),
  returned(
    'metadata by fetch',
    `const out = []; for (const host of ['169.254.169.254', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '[::ffff:169.254.169.254]', '[fd00:ec2::254]', '[64:ff9b::a9fe:a9fe]', '169.254.169.254.', 'metadata.google.internal', '100.100.100.200', '[fe80::1]', '[::ffff:0:a9fe:a9fe]', '[2002:a9fe:a9fe::1]']) { out.push(await fetch('http://' + host + '/').catch((e) => e.code)) } return [...new Set(out)]`,
    ['ERR_OUTBOUND_POLICY'],
  ),
]

const pollution: readonly Escape[] = [
  returned('Object.prototype', `Object.prototype.polluted = 'yes'; return {}.polluted`, 'yes'),
  returned('Array.prototype', `Array.prototype.polluted = 'yes'; return [].polluted`, 'yes'),
  returned('Function.prototype', `Function.prototype.polluted = 'yes'; return (() => {}).polluted`, 'yes'),
  returned('String.prototype', `String.prototype.trim = () => 'mine'; return ' x '.trim()`, 'mine'),
  returned(
    'globals',
    `globalThis.leaked = 1; undeclared = 2; var declared = 3; return leaked + undeclared`,
    3,
  ),
  returned(
    'replaced globals',
    `fetch = console.log = Date = Math.random = () => 'mine'; return Math.random()`,
    'mine',
  ),
  returned(
    'deleted globals',
    `for (const name of Object.getOwnPropertyNames(globalThis)) { try { delete globalThis[name] } catch {} } return 'gone'`,
    'gone',
  ),
  returned(
    'frozen globals',
    `Object.freeze(globalThis); Object.freeze(Object.prototype); Object.preventExtensions(Array.prototype); return 'frozen'`,
    'frozen',
  ),
  returned(
    'accessors on prototypes',
    `Object.defineProperty(Object.prototype, 'kind', { get: () => 'timer', set() {}, configurable: true }); return {}.kind`,
    'timer',
  ),
  returned(
    'prototype chains of natives',
    `Object.setPrototypeOf(Array.prototype, null); Object.setPrototypeOf(Promise.prototype, { mine: 1 }); return 'cut'`,
    'cut',
  ),
  returned(
    'the environment',
    `process.env.KNOWN = 'changed'; process.env.MORE = 'x'; process = null; return 'changed'`,
    'changed',
  ),
  returned(
    'moment',
    `moment.locale('xx', {}); moment.fn.format = () => 'mine'; moment.updateLocale('en', { months: ['mine'] }); return moment().format()`,
    'mine',
  ),
  returned('Buffer', `Buffer.from = () => 'mine'; Buffer.poolSize = 0; return Buffer.from('x')`, 'mine'),
  returned(
    'the symbol registry',
    `Symbol.for('mine').description; globalThis[Symbol.for('mine')] = 1; return typeof globalThis[Symbol.for('mine')]`,
    'number',
  ),
  returned(
    'regular expression statics',
    `/(a)(b)/.exec('ab'); RegExp.prototype.exec = () => ['mine']; return /x/.exec('y')[0]`,
    'mine',
  ),
  returned(
    'Error.stackTraceLimit',
    `Error.stackTraceLimit = Infinity; Error.prepareStackTrace = () => 'mine'; return typeof new Error('x').stack`,
    'string',
  ),
]

const memory: readonly Escape[] = [
  starved('typed arrays without end', `const all = []; for (;;) all.push(new Uint8Array(1 << 20).fill(1))`),
  threw(
    'one giant buffer',
    `return new ArrayBuffer(2 ** 32).byteLength`,
    'RangeError: Invalid array buffer length',
  ),
  threw(
    'a giant shared buffer',
    `return new SharedArrayBuffer(2 ** 31).byteLength`,
    'RangeError: Invalid array buffer length',
  ),
  threw(
    'a resizable buffer',
    `return new ArrayBuffer(8, { maxByteLength: 2 ** 40 }).resize(2 ** 39)`,
    'RangeError: Invalid array buffer max length',
  ),
  threw('strings that double', `let s = 'x'; for (;;) s += s`, 'RangeError: Invalid string length'),
  starved('a giant repeat', `return 'x'.repeat(2 ** 29).length`),
  threw('a giant padStart', `return 'x'.padStart(2 ** 30, 'ab').length`, 'RangeError: Invalid string length'),
  starved('a giant join', `return new Array(2 ** 20).join('x'.repeat(128)).length`),
  starved('arrays without end', `const all = []; for (;;) all.push([1, 2, 3])`),
  starved('a filled giant array', `return new Array(2 ** 30).fill(0).length`),
  threw(
    'Array.from of a giant',
    `return Array.from({ length: 2 ** 32 }).length`,
    'RangeError: Invalid array length',
  ),
  starved('objects without end', `const root = {}; let at = root; for (;;) at = at.next = { a: 1, b: 'x' }`),
  starved('a map without end', `const m = new Map(); for (let i = 0; ; i++) m.set(i, {})`),
  starved('properties without end', `const o = {}; for (let i = 0; ; i++) o['p' + i] = i`),
  starved('closures without end', `const all = []; for (;;) all.push(() => all)`),
  threw(
    'a giant BigInt',
    `return (2n ** (2n ** 30n)).toString().length`,
    'RangeError: Maximum BigInt size exceeded',
  ),
  threw('BigInts that double', `let n = 3n; for (;;) n *= n`, 'RangeError: Maximum BigInt size exceeded'),
  threw(
    'a giant regular expression',
    `return new RegExp('(a{1,1000}){1,1000}'.repeat(500)).test('a'.repeat(9999))`,
    'SyntaxError: too many captures',
  ),
  starved('a giant source for Function', `return Function('return "' + 'x'.repeat(2 ** 26) + '"')().length`),
  threw('a deep JSON text', `return JSON.parse('['.repeat(1e6) + ']'.repeat(1e6)).length`, tooDeep),
  starved('a giant JSON text', `return JSON.stringify(new Array(2 ** 24).fill({ a: 1 })).length`),
  stopped('a deep object to return', `let o = {}; for (let i = 0; i < 2e5; i++) o = { o }; return o`),
  returned('a giant value to return', `return 'x'.repeat(2 ** 22)`, 'x'.repeat(2 ** 22)),
  starved('a giant text for the host', `return new URL('http://a/' + 'x'.repeat(2 ** 24)).href.length`),
  returned(
    'giant formatting',
    `return (1).toLocaleString('en', { minimumIntegerDigits: 21, minimumFractionDigits: 20 }).length + 'x'.repeat(2 ** 22).toLocaleUpperCase().length`,
    4194352,
  ),
  stopped(
    'memory exhausted and caught',
    `const all = []; for (;;) { try { for (;;) all.push(new Uint8Array(1 << 20)) } catch {} }`,
  ),
  starved(
    'memory exhausted in a promise',
    `const all = []; await Promise.resolve().then(() => { for (;;) all.push(new Float64Array(1 << 16)) })`,
  ),
  starved(
    'memory exhausted in a timer',
    `await new Promise(() => setTimeout(() => { const all = []; for (;;) all.push('x'.repeat(1 << 20) + all.length) }))`,
  ),
  starved('a giant Buffer', `return Buffer.alloc(2 ** 31 - 1).length`),
  threw(
    'a structuredClone of a deep object',
    `let o = {}; for (let i = 0; i < 1e5; i++) o = { o }; return typeof structuredClone(o)`,
    tooDeep,
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

const recursion: readonly Escape[] = [
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
    'SyntaxError: Invalid regular expression: /(((',
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

const sources: readonly Escape[] = [
  returned(
    'a source of a hundred thousand chained calls',
    `try { eval('const f = () => f; f' + '()'.repeat(1e5) + '.x.y') } catch (e) { return e.name }`,
    'TypeError',
  ),
  returned(
    'a source of a hundred thousand chained members',
    `try { eval('undefined' + '.a'.repeat(1e5)) } catch (e) { return e.name }`,
    'TypeError',
  ),
  threw(
    'a comment without end',
    `return eval('/*' + 'x'.repeat(1e6))`,
    'SyntaxError: unexpected end of comment',
  ),
  returned(
    'names of the rewriting',
    `const __caught = 1; try { const { a } = 5; return [typeof a, __caught] } finally { }`,
    ['undefined', 1],
  ),
  returned(
    'rewriting functions called by hand',
    `return [__caught(1), __held(2, 'a', 'b'), __listed('x'), __floating({ then() { throw 1 } }) !== 1, (() => { try { __held(null, {}, Symbol.iterator) } catch (e) { return e.name } })()]`,
    [1, 2, 'x', true, 'TypeError'],
  ),
]

const floods: readonly Escape[] = [
  returned(
    'rejections of calls that nobody handles',
    `for (let i = 0; i < 3000; i++) (async () => { throw i })(); return 1`,
    1,
  ),
  stopped(
    'ten thousand timers',
    `let n = 0; for (let i = 0; i < 10000; i++) setTimeout(() => n++, i % 50); await new Promise(() => {})`,
  ),
  threw(
    'a hundred thousand timers',
    `for (let i = 0; i < 100000; i++) setTimeout(() => {}, 1); return 1`,
    'RangeError: more than 50000 timers in one execution',
  ),
  returned('a log flood of items', `for (let i = 0; i < 3000; i++) console.log(i); return 1`, 1),
  returned(
    'a log flood of bytes',
    `for (let i = 0; i < 30; i++) console.log('x'.repeat(1 << 17)); return 1`,
    1,
  ),
  stopped('a log flood without end', `for (;;) console.error('x')`),
  stopped(
    'a log flood of deep objects',
    `const wide = (d) => d === 0 ? 1 : Object.fromEntries(Array.from({ length: 30 }, (_, i) => ['k' + i, wide(d - 1)])); const o = wide(3); for (;;) console.log('x', o)`,
  ),
  stopped(
    'requests without end',
    `for (let i = 0; i < 5000; i++) fetch('http://127.0.0.1:1/').catch(() => {}); await new Promise(() => {})`,
  ),
  stopped('errors without end', `for (;;) { try { null.x } catch (e) { e.stack } }`),
  returned(
    'rejections that nobody handles',
    `for (let i = 0; i < 1000; i++) Promise.reject(new Error('x')); return 1`,
    1,
  ),
  returned(
    'errors in timers',
    `setTimeout(() => { throw new Error('later') }, 1); await new Promise((r) => setTimeout(r, 5)); return 1`,
    1,
  ),
  returned(
    'a FinalizationRegistry',
    `new FinalizationRegistry(() => { for (;;); }).register({}, 1); return 1`,
    1,
  ),
  returned('SharedArrayBuffer and Atomics', `return typeof Atomics`, 'undefined'),
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
