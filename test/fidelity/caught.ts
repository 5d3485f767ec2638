// What a catch clause sees, in V8's words.
import type { FidelityProgram } from './program.js'

export const caught: readonly FidelityProgram[] = [
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
]
