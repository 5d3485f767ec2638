// The platform besides the language: events, timers, bytes, addresses, and the codes of its errors.
import type { FidelityProgram } from './program.js'

/** A program that runs pieces of code one after the other and returns the result or the error of each. */
const tries = (title: string, pieces: readonly string[]): FidelityProgram => [
  title,
  `const attempts = [${pieces.map((piece) => `async () => { ${piece} }`).join(',\n')}]
const hook = async () => {
  const results = []
  for (const attempt of attempts) {
    try {
      const value = await attempt()
      results.push(value === undefined ? 'undefined' : value)
    } catch (e) {
      results.push([e.name, e.message, e.code, e.stack.split('\\n')[0]])
    }
  }
  return results
}`,
]

const returned = (title: string, expressions: readonly string[]): FidelityProgram =>
  tries(
    title,
    expressions.map((expression) => `return ${expression}`),
  )

export const platform: readonly FidelityProgram[] = [
  tries('an Object.prototype with get and set changes nothing', [
    `Object.prototype.get = () => 1; Object.prototype.set = 5`,
    `const request = new Request('https://bank.example/', { referrerPolicy: 'origin' }); return [request.referrerPolicy, Object.keys(request).length]`,
    `const error = structuredClone(new TypeError('x', { cause: 5 })); return [error.message, error.cause]`,
    `delete Object.prototype.get; delete Object.prototype.set`,
  ]),
  tries('bytes of chance are for arrays of integers, up to 65,536', [
    `crypto.getRandomValues(5)`,
    `crypto.getRandomValues(new Float32Array(2))`,
    `crypto.getRandomValues(new DataView(new ArrayBuffer(2)))`,
    `crypto.getRandomValues(new Uint8Array(65_537))`,
    `return crypto.getRandomValues(new Uint16Array(32_768)).length`,
    `return crypto.getRandomValues(new BigInt64Array(2)).length`,
  ]),
  tries('listeners and onabort in their order', [
    `const seen = []; const c = new AbortController(); c.signal.addEventListener('abort', () => seen.push(1)); c.signal.onabort = () => seen.push('on'); c.signal.addEventListener('abort', () => seen.push(2)); c.abort(); return seen`,
    `const seen = []; const c = new AbortController(); c.signal.onabort = () => seen.push('a'); c.signal.addEventListener('abort', () => seen.push(1)); c.signal.onabort = () => seen.push('b'); c.abort(); return seen`,
    `const c = new AbortController(); c.signal.onabort = 5; return [c.signal.onabort, AbortSignal.abort().onabort]`,
    `const seen = []; const t = new EventTarget(); const late = () => seen.push('late'); t.addEventListener('x', () => { t.removeEventListener('x', late); seen.push(1) }); t.addEventListener('x', late); t.dispatchEvent(new Event('x')); return seen`,
    `const seen = []; const t = new EventTarget(); t.addEventListener('x', () => { t.addEventListener('x', () => seen.push('late')); seen.push(1) }); t.dispatchEvent(new Event('x')); return seen`,
    `const t = new EventTarget(); let n = 0; const l = () => { n += 1 }; t.addEventListener('x', l); t.addEventListener('x', l); t.addEventListener('x', l, true); t.dispatchEvent(new Event('x')); t.removeEventListener('x', l); t.dispatchEvent(new Event('x')); t.removeEventListener('x', l, { capture: true }); t.dispatchEvent(new Event('x')); return n`,
  ]),
  tries('stopImmediatePropagation, once, signal and handleEvent', [
    `const seen = []; const t = new EventTarget(); t.addEventListener('x', (e) => { seen.push(1); e.stopImmediatePropagation() }); t.addEventListener('x', () => seen.push(2)); t.dispatchEvent(new Event('x')); return seen`,
    `const seen = []; const c = new AbortController(); const t = new EventTarget(); t.addEventListener('x', () => seen.push(1), { signal: c.signal }); t.dispatchEvent(new Event('x')); c.abort(); t.dispatchEvent(new Event('x')); return seen`,
    `const seen = []; const t = new EventTarget(); t.addEventListener('x', { handleEvent(e) { seen.push(this === e.currentTarget, e.eventPhase, e.type) } }, { once: true }); t.dispatchEvent(new Event('x')); t.dispatchEvent(new Event('x')); return seen`,
    `const t = new EventTarget(); const e = new Event('x', { cancelable: true }); t.addEventListener('x', (e) => e.preventDefault()); return [t.dispatchEvent(e), e.defaultPrevented, e.target === t, e.currentTarget]`,
  ]),
  tries('Event and CustomEvent', [
    `const e = new Event('x', { bubbles: true, cancelable: true, composed: true }); return [e.type, e.bubbles, e.cancelable, e.composed, e.defaultPrevented, e.eventPhase, e.isTrusted, e.returnValue, e.cancelBubble, e.target, e.currentTarget, e.srcElement, typeof e.timeStamp, e.composedPath(), Event.AT_TARGET, String(e), Object.keys(e)]`,
    `const e = new CustomEvent('x', { detail: { a: 1 } }); return [e.detail, e instanceof Event, String(e), new CustomEvent('y').detail]`,
    `const c = new AbortController(); let got; c.signal.addEventListener('abort', (e) => { got = [e.type, e.target === c.signal, e.isTrusted, String(e), e instanceof Event] }); c.abort(); return got`,
    ...['new Event()', 'new CustomEvent()', `new Event('x', 5)`, 'Event.prototype.type', 'new AbortSignal()'],
    ...['new EventTarget().dispatchEvent()', `new EventTarget().dispatchEvent({ type: 'x' })`],
    ...[`new EventTarget().addEventListener('x')`, `new EventTarget().addEventListener('x', 5)`],
    `EventTarget.prototype.addEventListener.call({}, 'x', () => 1)`,
  ]),
  tries('AbortSignal', [
    ...['AbortSignal.timeout()', 'AbortSignal.timeout(-1)', `AbortSignal.timeout('5')`],
    `const c = new AbortController(); c.abort(); c.abort('again'); const { name, message, code } = c.signal.reason; return [name, message, code, c.signal.reason instanceof DOMException, Object.keys(c.signal), String(c), String(c.signal)]`,
    `const a = new AbortController(), b = new AbortController(); const s = AbortSignal.any([a.signal, b.signal]); let n = 0; s.onabort = () => { n += 1 }; b.abort('b'); a.abort('a'); return [s.aborted, s.reason, n]`,
    `const c = new AbortController(); c.abort(null); return [c.signal.reason]`,
    `console.log('x', new AbortController(), AbortSignal.abort(), new EventTarget()); console.log(new AbortController().signal)`,
  ]),
  returned('DOMException', [
    `['IndexSizeError', 'NotFoundError', 'NotSupportedError', 'InvalidStateError', 'SyntaxError', 'SecurityError', 'NetworkError', 'AbortError', 'QuotaExceededError', 'TimeoutError', 'DataCloneError', 'EncodingError', 'Other'].map((name) => new DOMException('', name).code)`,
    `[new DOMException('m', 'NotFoundError')].map((e) => [e.name, e.message, String(e), Object.keys(e), JSON.stringify(e), Object.prototype.toString.call(e), DOMException.NOT_FOUND_ERR, e.ABORT_ERR])`,
    `[new DOMException('a', { name: 'AbortError', cause: 5 }).cause, new DOMException().message, DOMException('x')]`,
  ]),
  tries('timers: refresh, close, references', [
    `let n = 0; const t = setTimeout(() => { n += 1 }, 1); await new Promise((resolve) => setTimeout(resolve, 30)); t.refresh(); await new Promise((resolve) => setTimeout(resolve, 30)); return n`,
    `const t = setTimeout(() => 1, 5); return [t.hasRef(), t.unref() === t, t.hasRef(), t.ref() === t, t.hasRef(), typeof t[Symbol.toPrimitive](), t.close() === t, t.constructor.name]`,
    `let n = 0; const t = setTimeout(() => { n += 1 }, 1); t.close(); t.refresh(); await new Promise((resolve) => setTimeout(resolve, 30)); return n`,
    `let n = 0; const t = setTimeout(() => { n += 1 }, 1); clearTimeout(String(+t)); await new Promise((resolve) => setTimeout(resolve, 30)); return n`,
    `const i = setImmediate(() => 1); clearImmediate(i); return [i.constructor.name, i.hasRef()]`,
    ...['setTimeout()', `setTimeout('x')`, 'setInterval(null)', 'setImmediate({})', 'queueMicrotask(1)'],
  ]),
  returned('codes of Buffer: from, alloc, concat', [
    ...[
      'Buffer.from(5)',
      'Buffer.from(undefined)',
      'Buffer.from(null)',
      'Buffer.from({})',
      'Buffer.from(() => 1)',
    ],
    ...[`Buffer.from('a', 'nope')`, 'Buffer.from(new ArrayBuffer(2), 5)', `Buffer.from(Symbol('x'))`],
    ...['Buffer.alloc(-1)', `Buffer.alloc('a')`, 'Buffer.alloc(2 ** 60)', 'Buffer.allocUnsafe(NaN)'],
    ...['Buffer.concat(5)', 'Buffer.concat([1])', 'Buffer.byteLength(5)', 'Buffer.compare(1, 2)'],
    ...[`Buffer.alloc(2, 'a', 'nope')`, 'Buffer.isEncoding(5)', `Buffer.from([1, 2]).toJSON()`],
  ]),
  returned('codes of Buffer: reading and writing', [
    ...['Buffer.alloc(2).readUInt8(2)', 'Buffer.alloc(2).readUInt8(1.5)', `Buffer.alloc(2).readUInt8('a')`],
    ...[
      'Buffer.alloc(2).readUInt32LE(0)',
      'Buffer.alloc(2).readDoubleLE()',
      'Buffer.alloc(4).readBigInt64LE(0)',
    ],
    ...[
      'Buffer.alloc(4).writeUInt8(256, 0)',
      'Buffer.alloc(4).writeUInt8(-1)',
      'Buffer.alloc(4).writeUInt8(1, 9)',
    ],
    ...[
      'Buffer.alloc(8).writeBigInt64LE(2n ** 64n)',
      'Buffer.alloc(8).readUIntBE(0, 7)',
      'Buffer.alloc(8).readUIntBE(0)',
    ],
    ...[
      'Buffer.alloc(8).writeUIntBE(2 ** 40, 0, 5)',
      'Buffer.alloc(4).writeInt16BE(-2, 2)',
      'Buffer.alloc(8).writeDoubleBE(1.5)',
    ],
  ]),
  returned('codes of Buffer: text, search, copies', [
    ...[`Buffer.from('a').toString('nope')`, `Buffer.from('a').toString(null)`, 'Buffer.alloc(4).write(5)'],
    ...[
      `Buffer.alloc(4).write('a', 9)`,
      `Buffer.alloc(4).write('a', 0, 1, 'nope')`,
      `Buffer.alloc(4).fill('a', 'nope')`,
    ],
    ...[`Buffer.alloc(4).fill('a', 0, 9)`, 'Buffer.alloc(3).swap16()', `Buffer.alloc(3).equals('a')`],
    ...[
      `Buffer.alloc(3).compare('a')`,
      'Buffer.alloc(3).indexOf({})',
      `Buffer.alloc(3).indexOf('a', 0, 'nope')`,
    ],
    ...[
      `Buffer.alloc(3).copy('a')`,
      'Buffer.alloc(3).copy(Buffer.alloc(2), -1)',
      `Buffer.from('hello').fill('ab').toString()`,
    ],
  ]),
  returned('Buffer.toString in part', [
    ...[
      `'utf8', -2`,
      `'utf8', 1, -1`,
      `'utf8', 1, 99`,
      `'utf8', 'a', 3`,
      `'utf8', 1.9, 3.9`,
      `undefined, 1, 3`,
    ].map((range) => `Buffer.from('hello').toString(${range})`),
  ]),
  returned('atob and btoa', [
    ...[`atob('*')`, `atob('a')`, 'atob()', 'btoa()', `btoa('€')`, `atob(' aGk= ')`, 'btoa(undefined)'],
    `(() => { try { atob('*') } catch (e) { return e instanceof DOMException } })()`,
  ]),
  tries('TextDecoder over pieces, in several encodings', [
    `const d = new TextDecoder('utf-16le'); return d.decode(new Uint8Array([0x61]), { stream: true }) + d.decode(new Uint8Array([0, 0x3d]), { stream: true }) + d.decode(new Uint8Array([0xd8]), { stream: true }) + d.decode(new Uint8Array([0, 0xde])) + '|' + d.decode(new Uint8Array([0x61]))`,
    `const d = new TextDecoder('shift_jis'); return d.decode(new Uint8Array([0x83]), { stream: true }) + d.decode(new Uint8Array([0x41]))`,
    `const d = new TextDecoder(); return [d.decode(new Uint8Array([0xef, 0xbb]), { stream: true }) + d.decode(new Uint8Array([0xbf, 0x61]), { stream: true }) + d.decode(new Uint8Array([0xef, 0xbb, 0xbf, 0x62])).length]`,
    `const d = new TextDecoder('utf-8', { fatal: true }); return d.decode(new Uint8Array([0xe2, 0x82]))`,
    ...[
      `new TextDecoder('nope')`,
      'new TextDecoder().decode(5)',
      'new TextEncoder().encodeInto(5, new Uint8Array(3))',
    ],
    `return [new TextEncoder().encodeInto('a€b', new Uint8Array(3)), String(new TextEncoder()) + new TextDecoder()]`,
  ]),
  tries('codes of addresses and their parameters', [
    ...['new URL()', `new URL('x')`, `new URL('x', 'y')`, 'URL.canParse()', 'new URLSearchParams([1])'],
    ...[
      'new URLSearchParams().get()',
      `new URLSearchParams().append('a')`,
      'new URLSearchParams().forEach()',
    ],
    `const u = new URL('http://a/'); u.href = 'x'`,
    `const p = new URLSearchParams('a=1&b=2'); return [String(p.entries()), [...p.keys()], p.values().next(), p.size]`,
  ]),
  tries('weak references hold while a hook runs', [
    `const w = new WeakRef({ a: 1 }); await new Promise((resolve) => setTimeout(resolve, 5)); return w.deref()`,
  ]),
]
