// Text, dates, formats and encodings.
import type { FidelityProgram } from './program.js'

export const textAndDates: readonly FidelityProgram[] = [
  [
    'localeCompare of plain texts',
    `const hook = () => {
    let seed = 3; const random = (n) => Math.floor((seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648 * n)
    const text = () => Array.from({ length: random(6) }, () => String.fromCharCode(32 + random(random(3) ? 95 : 300))).join('')
    const collator = new Intl.Collator()
    return Array.from({ length: 3000 }, () => { const a = text(), b = random(3) ? text() : a.toUpperCase() + (random(2) ? 'x' : ''); return a.localeCompare(b) + ',' + collator.compare(b, a) + ',' + a.localeCompare(b, 'en-ZA') }).join()
  }`,
  ],
  [
    'Intl.DateTimeFormat without an argument',
    `const hook = () => [new Intl.DateTimeFormat('en-ZA').format().length, new Intl.DateTimeFormat('en-ZA').formatToParts().length]`,
  ],
  [
    'segments',
    `const hook = () => { const s = new Intl.Segmenter('en', { granularity: 'word' }).segment('Hi there, you'); return [[...s], s.containing(4), s.containing(99) === undefined, [...new Intl.Segmenter('en').segment('a\u0301b👨‍👩‍👧')], [...new Intl.Segmenter('en').segment('ab '.repeat(3000))].length] }`,
  ],
  ['negative zero', `const hook = () => [(-0).toLocaleString(), new Intl.NumberFormat('en').format(-0)]`],
  [
    'moment in other languages',
    `const hook = () => ['en-gb', 'af', 'de', 'fr', 'nl', 'pt', 'en'].map((name) => [moment.locale(name), moment.utc(0).format('LLLL')]).concat(moment.utc(0).locale('af').format('MMMM'))`,
  ],
  [
    'digests and HMAC',
    `const hook = async () => {
    const hex = (b) => Buffer.from(b).toString('hex'); const data = new TextEncoder().encode('abc')
    const key = await crypto.subtle.importKey('raw', new TextEncoder().encode('secret'), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
    const signature = await crypto.subtle.sign('HMAC', key, data)
    return [hex(await crypto.subtle.digest('SHA-256', data)), hex(await crypto.subtle.digest({ name: 'sha-512' }, data)), hex(signature), await crypto.subtle.verify('HMAC', key, signature, data), await crypto.subtle.verify('HMAC', key, signature, new Uint8Array(1))]
  }`,
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
    'localeCompare and Intl.Collator',
    `const hook = async (authorization) => [['ä', 'a', 'z', 'Z', 'b'].sort((a, b) => a.localeCompare(b)), ['10', '9', '1'].sort(new Intl.Collator('en', { numeric: true }).compare), 'a'.localeCompare('A', 'en', { sensitivity: 'base' }), 'i'.toLocaleUpperCase('tr'), 'I'.toLocaleLowerCase('tr')]`,
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
    'TextEncoder and TextDecoder',
    `const hook = async (authorization) => [[...new TextEncoder().encode('é€😀')], new TextDecoder().decode(new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0xff])), new TextDecoder('latin1').encoding, new TextDecoder('utf-16le').decode(new Uint8Array([0x61, 0])), new TextEncoder().encodeInto('é', new Uint8Array(1))]`,
  ],
  [
    'TextDecoder with a stream, and fatal',
    `const hook = async (authorization) => { const d = new TextDecoder(); const parts = d.decode(new Uint8Array([0xe2, 0x82]), { stream: true }) + d.decode(new Uint8Array([0xac])); let failed; try { new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([0xff])) } catch (e) { failed = [e.name, e.code] } return [parts, failed] }`,
  ],
  [
    'moment',
    `const hook = () => {
  const m = moment.utc('2024-02-29T10:00:00Z')
  return [m.format('YYYY-MM-DD HH:mm'), m.clone().add(1, 'year').format('ll'), m.isLeapYear(), moment.duration(90, 'minutes').humanize(), m.diff(moment.utc('2024-02-01'), 'days'), m.startOf('month').toISOString(), moment.isMoment(m), moment('05/06/2024', 'DD/MM/YYYY').month(), moment(0).format()]
}`,
  ],
  [
    'dates: forms that only V8 reads, or refuses',
    `const hook = () => ['12/2026', '2026-01-15+02:00', '2026-1-5', '2026', '1/2', '13/12/2026', '2026-02-30', '2026-02-30T00:00:00', '2026-01-15T10', '2026-01-15T10:00+0200', '2026-01-15T10:00:00.1234567Z', '20260115', '15 Jan', 'Jan 2026', '2026-01-15 10:00 +02:00', '2026/01/15 10:00', '15.01.2026', '2026-01-15T24:00:00', '', 'today', '0', '99', '+002026-01-15T00:00:00Z', '-000000-01-01T00:00:00Z', '2026-01-15Z', '10:00 2026-01-15', '2026-01-15t10:00:00z', 'Jan 32 2026', 'Feb 30 2026', '12-2026', 'Jan 1 2026 10:00 EST', 'Jan 1 2026 13:00 pm', '1/1/49', '1/1/50', 'foo 2026', '2026-01-15T10:00:00+02', '2026-01-15T10:00:00+2', '2026-01-15 10:00:00+02', '31 December 2025', '2026-06'].map((text) => [text, +new Date(text), Date.parse(text)])`,
  ],
  ...(
    [
      ['undefined', 'undefined'],
      ["'de-DE'", "{ sensitivity: 'base' }"],
      ["'fr'", "{ sensitivity: 'accent' }"],
      ["'af-ZA'", "{ sensitivity: 'case' }"],
      ["'en'", '{ numeric: true }'],
      ['undefined', "{ numeric: true, sensitivity: 'base' }"],
    ] as const
  ).map(([locale, options]): FidelityProgram => [
    `texts with accents compared in ${locale} with ${options}`,
    `const hook = () => {
  let seed = 7
  const random = (n) => Math.floor(((seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648) * n)
  const letters = [...Array.from({ length: 0x250 - 0x20 }, (_, at) => String.fromCharCode(at + 0x20)), ...'‘’“”–—‹›«»•€…ﬁ\u0301', ...'eéèêEÉÈaàâAÀñçøØ019-'.repeat(12)]
  const text = () => Array.from({ length: random(6) }, () => letters[random(letters.length)]).join('')
  const collator = new Intl.Collator(${locale}, ${options})
  return Array.from({ length: 3000 }, () => {
    const a = text()
    const b = random(3) ? text() : [...a].map((x) => (random(3) ? x : random(2) ? x.toUpperCase() : x.normalize('NFD')[0])).join('')
    return [a, b, collator.compare(a, b), a.localeCompare(b, ${locale}, ${options})].join()
  })
}`,
  ]),
]
