// Changes to globals and prototypes: the next execution is clean.
import { type Escape, returned } from './escape.js'

export const pollution: readonly Escape[] = [
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
