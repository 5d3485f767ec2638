// Errors in a catch clause, in V8's words.
import type { FidelityProgram } from './program.js'

/** A program that catches the statement's error, and returns its properties. */
const catching = (name: string, statement: string): FidelityProgram => [
  `caught: ${name}`,
  `const hook = (auth) => {
  const o = { a: {} }
  const n = null
  let u
  const five = 5
  try {
${statement}
  } catch (e) {
    return [e.name, e.message, e instanceof Error, e.stack.split('\\n')[0], (e.stack.match(/main\\.js:\\d+/) ?? [])[0]]
  }
}`,
]

export const caught: readonly FidelityProgram[] = [
  catching('an unknown name', `    return missing`),
  catching('a property of undefined', `    return u.x`),
  catching('a property of null', `    return n.x.y`),
  catching('a deep property', `    return auth.card.limits.daily`),
  catching('a computed property of undefined', `    return auth.card['x']`),
  catching('setting a property of undefined', `    u.x = 1`),
  catching('calling what is no function', `    five()`),
  catching('calling a missing method', `    o.a.run(1, 2)`),
  catching('calling a missing method of a result', `    JSON.parse("{}").run()`),
  catching('calling undefined from an array', `    [1].first()`),
  catching('calling a computed member', `    o['a']()`),
  catching('constructing what is no constructor', `    new five()`),
  catching('assigning to a constant', `    five = 6`),
  catching('a name before its declaration', `    later; const later = 1`),
  catching('a bad array length', `    new Array(-1)`),
  catching('toFixed with too many digits', `    (1).toFixed(101)`),
  catching('a bad repeat count', `    'x'.repeat(-1)`),
  catching('a malformed URI', `    decodeURIComponent('%')`),
  catching('mixing bigint and number', `    1n + 1`),
  catching('a symbol as text', `    \`\${Symbol('x')}\``),
  catching('a circular structure', `    const c = {}; c.c = c; JSON.stringify(c)`),
  catching(
    'a circle of two',
    `    class Card {}; const c = new Card(); c.account = { cards: [c] }; JSON.stringify({ a: 1, of: { c } })`,
  ),
  catching(
    'a circle of many',
    `    const c = {}; c.a = { b: { c: { d: { e: [5, c] } } } }; JSON.stringify([c], null, 2)`,
  ),
  catching(
    'a circle of three',
    `    const c = Object.create(null); c.a = { b: { c } }; c.z = { toJSON: () => 1 }; JSON.stringify(c)`,
  ),
  catching('a circle of four', `    const c = []; c[1] = { b: { '': [c] } }; JSON.stringify(c)`),
  catching('BigInt in JSON', `    JSON.stringify({ a: 1n })`),
  catching('a class called without new', `    class A {} A()`),
  catching('this before super', `    class B extends Object { constructor() { this.x = 1 } } new B()`),
  catching('an invalid date', `    new Date(NaN).toISOString()`),
  catching(
    'an endless recursion',
    `    const f = () => f(); try { f() } catch (e) { throw new RangeError(e.message) }`,
  ),
  catching('a bad regular expression', `    new RegExp('(')`),
  catching('throwing one’s own error', `    throw new RangeError('mine')`),
  catching('an error with a cause', `    throw new Error('outer', { cause: o })`),
  catching('destructuring undefined', `    const { x } = u`),
  catching('iterating a number', `    for (const x of five) x`),
  catching('spreading undefined', `    return [...u]`),
  catching('reducing an empty array', `    [].reduce((a, b) => a)`),
  catching('Object.defineProperty on a primitive', `    Object.defineProperty(1, 'x', {})`),
  catching('a bad time zone', `    new Date(0).toLocaleString('en', { timeZone: 'Nowhere/Here' })`),
  catching('bad normal form', `    'a'.normalize('x')`),
  catching('bad radix', `    (1).toString(99)`),
]
