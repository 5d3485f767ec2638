// Programs that need more memory than an execution has.
import { type Escape, returned, starved, stopped, threw, tooDeep } from './escape.js'

export const memory: readonly Escape[] = [
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
  // A result of more than 1 MB is dropped; its type is kept.
  returned('a giant value to return', `return 'x'.repeat(2 ** 22)`),
  starved('a giant text for the host', `return new URLSearchParams('x'.repeat(2 ** 24)).size`),
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
