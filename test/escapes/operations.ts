// Every host operation with the input that costs it most: native code cannot be interrupted, so each call has to be
// short. Refusals say so; a program that its window ends shows that the thread could be stopped.
import { type Escape, returned, starved, stopped, threw } from './escape.js'

const refusal = (characters: string): string =>
  `RangeError: Intl takes at most ${characters} characters at once here`

export const operations: readonly Escape[] = [
  returned(
    'segments of nine million characters, one by one',
    `let n = 0; for (const { segment } of new Intl.Segmenter('en').segment('ab '.repeat(3e6))) { n += segment.length; if (n > 5000) break } return n`,
    5001,
  ),
  starved(
    'segments of nine million characters, kept',
    `return [...new Intl.Segmenter('en').segment('ab '.repeat(3e6))].length`,
  ),
  stopped(
    'segments of words without end',
    `for (const x of new Intl.Segmenter('th', { granularity: 'word' }).segment('ก'.repeat(4e6))) x`,
  ),
  returned(
    'a sentence longer than any piece',
    `return [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment('a'.repeat(3e5))].reduce((n, { segment }) => n + segment.length, 0)`,
    300_000,
  ),
  returned(
    'a run of combining marks',
    `return 'a'.concat('\\u0301\\u0316'.repeat(20000)).localeCompare('a'.concat('\\u0316\\u0301'.repeat(20000), 'b'))`,
    -1,
  ),
  stopped(
    'normalize of a run of combining marks',
    `const run = 'a' + '\\u0301\\u0316'.repeat(3e5); for (;;) run.normalize('NFD')`,
  ),
  threw(
    'a collation of giants',
    `return 'é'.repeat(2e5).localeCompare('é'.repeat(2e5) + 'b')`,
    refusal('100000'),
  ),
  threw('a giant number', `return new Intl.NumberFormat('en').format('9'.repeat(2e5))`, refusal('100000')),
  threw('a giant bigint', `return (10n ** 200000n).toLocaleString('en')`, refusal('100000')),
  threw(
    'a giant list',
    `return new Intl.ListFormat('en').formatToParts(Array(20000).fill('a')).length`,
    'RangeError: Intl takes lists of at most 10000 items here',
  ),
  threw(
    'a giant option',
    `return new Intl.NumberFormat('en', { currency: 'X'.repeat(2e4) })`,
    refusal('1000'),
  ),
  threw(
    'a giant tag',
    `return Intl.getCanonicalLocales('en-x-' + 'abcde-'.repeat(1e4) + 'z')`,
    refusal('1000'),
  ),
  threw(
    'a giant list of tags',
    `return Intl.getCanonicalLocales(Array(20000).fill('en'))`,
    'RangeError: Intl takes at most 100 locales at once here',
  ),
  threw(
    'a giant zone',
    `return new Date(0).toLocaleString('en', { timeZone: 'A/'.repeat(4000) })`,
    refusal('1000'),
  ),
  threw(
    'a giant name',
    `return new Intl.DisplayNames('en', { type: 'region' }).of('a'.repeat(2e5))`,
    refusal('100000'),
  ),
  threw('a giant Turkish text', `return 'i'.repeat(2e5).toLocaleUpperCase('tr')`, refusal('100000')),
  threw(
    'a giant address',
    `return new URL('http://a/' + '%zz/../'.repeat(3e5)).href.length`,
    'RangeError: The sandbox takes at most 1048576 characters here, and was given 21000',
  ),
  returned('a giant query', `return new URLSearchParams('a=%zz&'.repeat(2e5)).size`, 200_000),
  returned('a date in brackets without end', `return Date.parse('1 Jan 2026 ' + 'z('.repeat(1e6))`, null),
  returned(
    'a giant data address',
    `return (await (await fetch('data:text/plain,' + 'a'.repeat(1e5) + '#'.repeat(9e5))).text()).length`,
    100_000,
  ),
  returned(
    'a pattern of many classes',
    `try { RegExp('['.concat('a-z\\\\p{L}'.repeat(1e4), ']('), 'u') } catch (e) { return e.name }`,
    'SyntaxError',
  ),
  returned(
    'a giant text that is no JSON',
    `try { JSON.parse('[' + '1,'.repeat(2e6)) } catch (e) { return e.name }`,
    'SyntaxError',
  ),
  returned(
    'giant encodings',
    `return [Buffer.alloc(1e6, 'a').toString('hex').length, btoa('a'.repeat(5e5)).length, new TextDecoder().decode(new Uint8Array(1e6)).length]`,
    [2_000_000, 666_668, 1_000_000],
  ),
  starved(
    'encodings beyond the memory',
    `let s = 'a'.repeat(6e6); for (;;) s = Buffer.from(s).toString('hex')`,
  ),
  returned(
    'a stack of one giant name',
    `const e = new Error('x'); e.stack = '    at ' + '('.repeat(1e6); e.message = 'x'.repeat(1e6); try { throw e } catch (caught) { return caught === e }`,
    true,
  ),
  returned(
    'a giant table',
    `const rows = Array.from({ length: 1500 }, () => ({ a: 1 })); for (let i = 0; i < 40; i++) rows[0]['k' + i] = 'x'.repeat(19000); console.table(rows); return 1`,
    1,
  ),
  returned(
    'a giant print',
    `console.log('%s', ...Array.from({ length: 3000 }, () => 'x'.repeat(19000))); console.log('x', { ['k'.repeat(1e6)]: Symbol('s'.repeat(1e6)) }, Object.defineProperty(() => 1, 'name', { value: 'f'.repeat(1e6) })); return 1`,
    1,
  ),
  returned(
    'a giant indentation',
    `for (let i = 0; i < 60; i++) console.group(); console.log('\\n'.repeat(900000)); return 1`,
    1,
  ),
]
