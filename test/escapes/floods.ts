// Hostile source text, and floods of timers, logs and requests.
import { type Escape, returned, stopped, threw } from './escape.js'

export const sources: readonly Escape[] = [
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

export const floods: readonly Escape[] = [
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
