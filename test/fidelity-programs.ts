// The programs of the fidelity suite: a title, and a script whose `hook` is called with the payload.

export const programs: readonly (readonly [title: string, source: string])[] = [
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
    'string methods',
    `const hook = async (authorization) => ['abc'.padStart(5, '*'), 'a-b-c'.replaceAll('-', '+'), ' x '.trim(), 'abc'.at(-1), 'abcabc'.lastIndexOf('b'), 'a,b,,c'.split(','), 'x'.repeat(3), 'Hello'.substring(3, 1), 'Hello'.substr(-3, 2), 'Hello'.slice(-3, -1)]`,
  ],
  [
    'unicode strings',
    `const hook = async (authorization) => ['😀'.length, [...'😀a'].length, '😀'.codePointAt(0), String.fromCodePoint(128512), 'é'.normalize('NFD').length, 'ß'.toUpperCase(), 'İ'.toLowerCase().length, '\\ud800'.isWellFormed()]`,
  ],
  [
    'template literals and tags',
    `const hook = async (authorization) => { const tag = (parts, ...values) => parts.raw.join('|') + values.join(','); return [tag\`a\${1}b\\n\${2}c\`, \`x\${[1, 2]}y\${{}}\`] }`,
  ],
  [
    'regular expressions with groups',
    `const hook = async (authorization) => { const m = /(?<year>\\d{4})-(?<month>\\d{2})/u.exec('on 2024-05-17'); return [m.index, m.groups.year, m.groups.month, '2024-05'.replace(/(\\d+)-(\\d+)/, '$2/$1'), 'aBc'.replace(/b/i, (x) => x + x)] }`,
  ],
  [
    'regular expressions: lookbehind, sticky, matchAll',
    `const hook = async (authorization) => [...'R12.50 R3.99'.matchAll(/(?<=R)[\\d.]+/g)].map((m) => [m[0], m.index])`,
  ],
  [
    'regular expressions: unicode classes',
    `const hook = async (authorization) => ['Ünïcödé 1'.match(/\\p{L}+/gu), 'a\\nb'.match(/a.b/s) !== null, 'ab\\ncd'.match(/^c/m).index, 'x'.search(/y/), 'a1b2'.split(/\\d/), /[\\w-]+@[\\w.]+/.test('a-b@c.d')]`,
  ],
  [
    'JSON.stringify',
    `const hook = async (authorization) => [JSON.stringify({ a: [undefined, () => 1, Symbol('x')], b: undefined, c: NaN, d: new Date(0), e: -0, f: '\\u2028\\ud800' }), JSON.stringify([1, { a: 2 }], null, 2), JSON.stringify({ a: 1, b: 2 }, ['b']), JSON.stringify({ toJSON() { return 'j' } }), JSON.stringify('a\\u0007')]`,
  ],
  [
    'JSON.parse with a reviver',
    `const hook = async (authorization) => JSON.parse('{"a":1,"b":{"c":2}}', (key, value) => (typeof value === 'number' ? value * 10 : value))`,
  ],
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
    'dates: ISO and parts',
    `const hook = async (authorization) => { const d = new Date('2024-02-29T12:34:56.789Z'); return [d.toISOString(), d.getTime(), d.getDay(), d.getHours(), d.getTimezoneOffset(), d.toJSON(), d.valueOf() === +d] }`,
  ],
  [
    'dates: strings',
    'const hook = async (authorization) => { const d = new Date(1700000000000); return [String(d), d.toDateString(), d.toTimeString(), d.toUTCString(), d.toString(), `${d}`, d + 1] }',
  ],
  [
    'dates: arithmetic and overflow',
    `const hook = async (authorization) => [new Date(2024, 0, 31).toISOString(), new Date(2024, 1, 31).toISOString(), new Date(2024, 0, 1, 25, 61).toISOString(), new Date(Date.UTC(2020, 11, 31, 23, 59, 59, 999)).getTime(), new Date(8.64e15 + 1).getTime() + '', new Date(99, 0).getFullYear()]`,
  ],
  [
    'dates: parsing',
    `const hook = async (authorization) => ['2024-01-05', '2024-01-05T10:00', '2024-01-05T10:00:00+02:00', 'Jan 5, 2024', '5 January 2024 10:30', '2024/01/05', 'Fri, 05 Jan 2024 10:00:00 GMT', '01/05/2024', '2024-01-05 10:00:00', 'Fri Jan 05 2024 10:00:00 GMT+0200', 'nonsense', '2024-13-01'].map((text) => String(Date.parse(text)))`,
  ],
  [
    'dates: setters',
    'const hook = async (authorization) => { const d = new Date(0); d.setMonth(13); d.setDate(0); d.setHours(25, 61, 61, 1001); d.setUTCFullYear(2023, 1, 29); return d.toISOString() }',
  ],
  [
    'an invalid date refuses toISOString',
    `const hook = async (authorization) => new Date('nonsense').toISOString()`,
  ],
  [
    'toLocaleString of numbers',
    `const hook = async (authorization) => [(1234567.891).toLocaleString(), (1234.5).toLocaleString('en-ZA', { style: 'currency', currency: 'ZAR' }), (0.256).toLocaleString('en-US', { style: 'percent' }), (1234.5).toLocaleString('de-DE'), (12).toLocaleString('en-US', { minimumFractionDigits: 2 }), (123456789).toLocaleString('en-IN'), 12345678901234567890n.toLocaleString('en-US')]`,
  ],
  [
    'toLocaleString of dates',
    `const hook = async (authorization) => { const d = new Date(1700000000000); return [d.toLocaleString('en-ZA'), d.toLocaleDateString('en-GB'), d.toLocaleTimeString('en-US'), d.toLocaleDateString('en-US', { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' }), d.toLocaleString('en-ZA', { timeZone: 'Africa/Johannesburg' }), d.toLocaleDateString('af-ZA', { dateStyle: 'full' }), d.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' }), d.toLocaleString()] }`,
  ],
  [
    'toLocaleString of arrays',
    `const hook = async (authorization) => [[1234.5, new Date(0)].toLocaleString('en-US'), [null, undefined, 1].toLocaleString()]`,
  ],
  [
    'Intl.NumberFormat',
    `const hook = async (authorization) => { const f = new Intl.NumberFormat('en-ZA', { style: 'currency', currency: 'ZAR' }); return [f.format(1234.5), f.formatToParts(-1).map((p) => p.type), [1, 2].map(f.format), new Intl.NumberFormat('en', { notation: 'compact' }).format(1234567), f.resolvedOptions().currency, Object.prototype.toString.call(f)] }`,
  ],
  [
    'Intl.DateTimeFormat',
    `const hook = async (authorization) => { const f = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Africa/Johannesburg' }); return [f.format(new Date(0)), f.format(86400000), f.formatToParts(0).length, new Intl.DateTimeFormat('en-US').format(new Date(0)), f.formatRange(0, 864e5), f.resolvedOptions().timeZone, Intl.DateTimeFormat().resolvedOptions().timeZone] }`,
  ],
  [
    'Intl: plurals, lists, relative times, names, segments',
    `const hook = async (authorization) => [new Intl.PluralRules('en', { type: 'ordinal' }).select(2), new Intl.ListFormat('en').format(['a', 'b', 'c']), new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-1, 'day'), new Intl.DisplayNames('en', { type: 'region' }).of('ZA'), new Intl.DisplayNames(['af'], { type: 'currency' }).of('ZAR'), [...new Intl.Segmenter('en', { granularity: 'word' }).segment('Hi there')].map((s) => s.segment), Intl.getCanonicalLocales('EN-us')]`,
  ],
  [
    'Intl refuses a bad locale and a bad option',
    `const hook = async (authorization) => { const out = []; for (const make of [() => new Intl.NumberFormat('x-'), () => new Intl.NumberFormat('en', { style: 'currency' }), () => (1).toLocaleString('en', { minimumFractionDigits: 200 }), () => new Intl.DateTimeFormat('en', { timeZone: 'Mars' })]) { try { make(); out.push('none') } catch (e) { out.push([e.name, e.message]) } } return out }`,
  ],
  [
    'localeCompare and Intl.Collator',
    `const hook = async (authorization) => [['ä', 'a', 'z', 'Z', 'b'].sort((a, b) => a.localeCompare(b)), ['10', '9', '1'].sort(new Intl.Collator('en', { numeric: true }).compare), 'a'.localeCompare('A', 'en', { sensitivity: 'base' }), 'i'.toLocaleUpperCase('tr'), 'I'.toLocaleLowerCase('tr')]`,
  ],
  [
    'URL parts',
    `const hook = async (authorization) => { const u = new URL('https://user:pa%20ss@EXAMPLE.com:8443/a/../b/./c?q=1&q=2#frag'); return [u.href, u.origin, u.protocol, u.username, u.password, u.host, u.hostname, u.port, u.pathname, u.search, u.hash, u.searchParams.getAll('q'), JSON.stringify({ u })] }`,
  ],
  [
    'URL resolves and changes',
    `const hook = async (authorization) => { const u = new URL('../x?y#z', 'http://a.b/c/d/e'); u.searchParams.append('k', 'v w'); u.pathname = '/new path'; u.port = '80'; u.hash = ''; u.protocol = 'https'; return [u.toString(), String(new URL('//h/p', 'ftp://x')), URL.canParse('nope'), u instanceof URL] }`,
  ],
  ['URL refuses what is none', `const hook = async (authorization) => new URL('not a url')`],
  [
    'URLSearchParams',
    `const hook = async (authorization) => { const p = new URLSearchParams('?a=1&b=2&a=3&c=%20+x'); p.append('d', 'é&='); p.delete('b'); p.set('a', 'z'); p.sort(); return [p.toString(), [...p], p.has('c'), p.get('nope'), p.size, new URLSearchParams({ x: '1', y: 'two words' }).toString(), new URLSearchParams([['k', 'v']]).toString()] }`,
  ],
  [
    'Buffer: encodings',
    `const hook = async (authorization) => [Buffer.from('héllo').toString('hex'), Buffer.from('68656c6c6f', 'hex').toString(), Buffer.from('aGk=', 'base64').toString('utf8'), Buffer.from('hi').toString('base64'), Buffer.from('hi?>').toString('base64url'), Buffer.byteLength('€'), Buffer.from([256, 1.5, -1]), Buffer.from('ÿ', 'latin1').length, Buffer.from('hi', 'utf16le').toString('hex')]`,
  ],
  [
    'Buffer: numbers, slices, comparison',
    `const hook = async (authorization) => { const b = Buffer.alloc(8); b.writeUInt32BE(0xdeadbeef, 0); b.writeInt16LE(-2, 4); return [b.toString('hex'), b.readUInt32BE(0), b.readInt16LE(4), b.subarray(1, 3).toString('hex'), Buffer.concat([Buffer.from('a'), Buffer.from('b')]).toString(), Buffer.compare(Buffer.from('a'), Buffer.from('b')), b.equals(Buffer.from(b)), Buffer.isBuffer(b), Buffer.from('abc').indexOf('c'), JSON.stringify(Buffer.from('a'))] }`,
  ],
  [
    'Basic credentials as card code makes them',
    `const hook = async (authorization) => 'Basic ' + Buffer.from('id:secret').toString('base64') + btoa('id:secret') + atob('aWQ=')`,
  ],
  [
    'TextEncoder and TextDecoder',
    `const hook = async (authorization) => [[...new TextEncoder().encode('é€😀')], new TextDecoder().decode(new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0xff])), new TextDecoder('latin1').encoding, new TextDecoder('utf-16le').decode(new Uint8Array([0x61, 0])), new TextEncoder().encodeInto('é', new Uint8Array(1))]`,
  ],
  [
    'TextDecoder with a stream, and fatal',
    `const hook = async (authorization) => { const d = new TextDecoder(); const parts = d.decode(new Uint8Array([0xe2, 0x82]), { stream: true }) + d.decode(new Uint8Array([0xac])); let failed; try { new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([0xff])) } catch (e) { failed = [e.name, e.code] } return [parts, failed] }`,
  ],
  [
    'atob refuses what is not base64',
    `const hook = async (authorization) => { try { atob('*') } catch (e) { return [e.name, e.message] } }`,
  ],
  [
    'structuredClone',
    `const hook = async (authorization) => { const source = { d: new Date(5), m: new Map([[1, { a: 1 }]]), s: new Set([1]), r: /x/gi, n: null, u: undefined, b: new Uint8Array([1, 2]), e: new TypeError('t') }; source.self = source; const copy = structuredClone(source); return [copy.d.getTime(), [...copy.m], [...copy.s], String(copy.r), copy.n, 'u' in copy, [...copy.b], copy.e.message, copy.self === copy, copy.d !== source.d] }`,
  ],
  [
    'structuredClone refuses functions',
    'const hook = async (authorization) => { try { structuredClone({ f() {} }) } catch (e) { return [e.name, e.message] } }',
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
    'moment',
    `const hook = () => {
  const m = moment.utc('2024-02-29T10:00:00Z')
  return [m.format('YYYY-MM-DD HH:mm'), m.clone().add(1, 'year').format('ll'), m.isLeapYear(), moment.duration(90, 'minutes').humanize(), m.diff(moment.utc('2024-02-01'), 'days'), m.startOf('month').toISOString(), moment.isMoment(m), moment('05/06/2024', 'DD/MM/YYYY').month(), moment(0).format()]
}`,
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
    'caught: an unknown name',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    return missing
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: a property of undefined',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    return u.x
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: a property of null',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    return n.x.y
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: a deep property',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    return auth.card.limits.daily
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: a computed property of undefined',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    return auth.card['x']
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: setting a property of undefined',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    u.x = 1
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: calling what is no function',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    five()
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: calling a missing method',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    o.a.run(1, 2)
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: calling a missing method of a result',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    JSON.parse("{}").run()
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: calling undefined from an array',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    [1].first()
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: calling a computed member',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    o['a']()
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: constructing what is no constructor',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    new five()
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: assigning to a constant',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    five = 6
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: a name before its declaration',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    later; const later = 1
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: a bad array length',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    new Array(-1)
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: toFixed with too many digits',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    (1).toFixed(101)
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: a bad repeat count',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    'x'.repeat(-1)
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: a malformed URI',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    decodeURIComponent('%')
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: mixing bigint and number',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    1n + 1
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: a symbol as text',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    \`\${Symbol('x')}\`
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: a circular structure',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    const c = {}; c.c = c; try { JSON.stringify(c) } catch (e) { throw new TypeError(e.message.split("\\n")[0]) }
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: BigInt in JSON',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    JSON.stringify({ a: 1n })
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: a class called without new',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    class A {} A()
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: this before super',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    class B extends Object { constructor() { this.x = 1 } } new B()
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: an invalid date',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    new Date(NaN).toISOString()
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: an endless recursion',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    const f = () => f(); try { f() } catch (e) { throw new RangeError(e.message) }
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: a bad regular expression',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    new RegExp('(')
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: throwing one’s own error',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    throw new RangeError('mine')
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: an error with a cause',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    throw new Error('outer', { cause: o })
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: destructuring undefined',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    const { x } = u
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: iterating a number',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    for (const x of five) x
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: spreading undefined',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    return [...u]
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: reducing an empty array',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    [].reduce((a, b) => a)
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: Object.defineProperty on a primitive',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    Object.defineProperty(1, 'x', {})
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: a bad time zone',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    new Date(0).toLocaleString('en', { timeZone: 'Nowhere/Here' })
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: bad normal form',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    'a'.normalize('x')
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
  ],
  [
    'caught: bad radix',
    `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
    (1).toString(99)
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
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
    'Headers',
    `const hook = async (authorization) => { const h = new Headers({ 'X-One': '1', accept: 'a' }); h.append('accept', 'b'); h.set('X-Two', 2); return [[...h], h.get('ACCEPT'), h.has('nope'), h.get('nope'), Object.fromEntries(h)] }`,
  ],
  [
    'Response',
    `const hook = async (authorization) => { const r = new Response('{"a":1}', { status: 201, statusText: 'Made', headers: { 'content-type': 'application/json' } }); const copy = r.clone(); return [r.ok, r.status, r.statusText, await r.json(), r.bodyUsed, await copy.text(), (await new Response('x').arrayBuffer()).byteLength, await r.text().catch((e) => e.message), new Response('x').headers.get('content-type')] }`,
  ],
  [
    'Request',
    `const hook = async (authorization) => { const q = new Request('http://a.b/c', { method: 'post', body: new URLSearchParams({ a: '1' }), headers: { 'x-y': 'z' } }); return [q.method, q.url, q.redirect, [...q.headers], await q.text()] }`,
  ],
  [
    'requests that cannot be',
    `const hook = async (authorization) => { const out = []; for (const make of [() => new Request('nope'), () => new Request('http://a/', { body: 'x' }), () => new Request('http://u:p@a/'), () => new Headers({ 'a b': '1' })]) { try { make(); out.push('none') } catch (e) { out.push(e.name, e.message) } } return out }`,
  ],
  [
    'data URLs and unknown schemes',
    `const hook = async (authorization) => [await (await fetch('data:text/plain;base64,aGk=')).text(), await fetch('ftp://a/b').catch((e) => [e.name, e.message])]`,
  ],
  [
    'a refused connection',
    `const hook = async (authorization) => fetch('http://127.0.0.1:1/').catch((e) => [e.name, e.message, e.type, e.code, e.errno])`,
  ],
  [
    'AbortController',
    `const hook = async (authorization) => { const c = new AbortController(); const seen = []; c.signal.addEventListener('abort', (e) => seen.push(e.type)); c.signal.onabort = () => seen.push('on'); c.abort(); const made = AbortSignal.abort('why'); let thrown; try { made.throwIfAborted() } catch (e) { thrown = e } return [c.signal.aborted, seen.sort(), c.signal.reason.name, c.signal.reason.message, made.reason, thrown, await fetch('http://127.0.0.1:1/', { signal: c.signal }).catch((e) => [e.name, e.type, e.message])] }`,
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
    'the console beyond its levels',
    `const hook = async (authorization) => { console.count(); console.count('a'); console.count(); console.countReset(); console.count(); console.group('group', 1); console.log('one\\ntwo'); console.group(); console.error({ a: 1 }, 'deep'); console.groupEnd(); console.warn('back'); console.groupEnd(); console.groupEnd(); console.log('out'); console.table([{ a: 1, b: 'x' }, { a: 2, c: true }]); console.table([[1, 2], [3, 4]], ['0']); console.table(5); console.dirxml('d'); return Object.keys(console).includes('time') }`,
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
    'properties of the environment',
    'const hook = async (authorization) => [process.env.LIMIT, typeof process.env.LIMIT, process.env.NOPE, typeof globalThis, Object.keys(process.env)]',
  ],
  [
    'functions and their text',
    `const hook = async (authorization) => [((a, b = 1) => a + b).toString(), (function named(x) { return x }).name, ((a, b, ...c) => 0).length, (async () => {}).constructor.name, new Function('a', 'return a * 2')(4), eval('1 + 1'), typeof class {}]`,
  ],
]
