// Attacks on the bridge between guest and worker.
import { type Escape, returned, stopped, threw } from './escape.js'

export const bridge: readonly Escape[] = [
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
