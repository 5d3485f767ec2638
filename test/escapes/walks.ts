// Ways out of the guest: each returns what it could reach, which is nothing.
import { type Escape, returned, threw } from './escape.js'

export const walks: readonly Escape[] = [
  returned(
    'the constructor of this',
    `return typeof this?.constructor?.constructor('return typeof require')()`,
    'string',
  ),
  returned('Function for require', `return Function('return typeof require')()`, 'undefined'),
  returned('Function for process', `return Object.keys(Function('return process')()).join()`, 'env'),
  returned(
    'the constructor of a constructor',
    `return (() => {}).constructor('return typeof process.binding')()`,
    'undefined',
  ),
  returned(
    'AsyncFunction',
    `return await (async () => {}).constructor('return typeof module')()`,
    'undefined',
  ),
  returned(
    'GeneratorFunction',
    `return (function* () {}).constructor('yield typeof exports')().next().value`,
    'undefined',
  ),
  returned(
    'AsyncGeneratorFunction',
    `return (await (async function* () {}).constructor('yield typeof require')().next()).value`,
    'undefined',
  ),
  returned(
    'indirect eval',
    `return (0, eval)('typeof require + typeof Deno + typeof Bun')`,
    'undefinedundefinedundefined',
  ),
  returned(
    'process.mainModule',
    `return [typeof process.mainModule, typeof process.exit, typeof process.binding, typeof process.getBuiltinModule]`,
    ['undefined', 'undefined', 'undefined', 'undefined'],
  ),
  returned('the host environment', `return Object.keys(process.env)`, ['KNOWN']),
  returned(
    'the constructor of process.env',
    `return process.env.constructor === Object && process.env.constructor.constructor === Function`,
    true,
  ),
  returned(
    'the constructor of console',
    `return console.log.constructor === Function && typeof console.log.constructor('return this')().require`,
    'undefined',
  ),
  returned('the constructor of fetch', `return fetch.constructor('return typeof require')()`, 'undefined'),
  returned(
    'the constructor of a timer',
    `return typeof setTimeout(() => {}, 1).constructor.constructor('return this')().process.exit`,
    'undefined',
  ),
  returned(
    'the constructor of the payload',
    `return auth.constructor === Object && auth.constructor.constructor('return typeof require')()`,
    'undefined',
  ),
  returned('the prototype of the payload', `return Object.getPrototypeOf(auth) === Object.prototype`, true),
  returned(
    'callers and arguments',
    `return (function f() { return [typeof f.caller, typeof arguments.callee.caller] })().join().includes('function')`,
    false,
  ),
  returned(
    'the stack through prepareStackTrace',
    `let sites; Error.prepareStackTrace = (e, s) => { sites = s; return s }; try { null.x } catch (e) { e.stack } return typeof sites?.[0]?.getThis`,
    'undefined',
  ),
  returned(
    'the stack shows nothing of the host',
    `return /node:|file:|worker|prelude|node_modules|wasm/.test(new Error('x').stack)`,
    false,
  ),
  returned(
    'errors of the bridge',
    `try { new URL('x') } catch (e) { return [e.constructor === TypeError, e.constructor.constructor('return typeof require')()] }`,
    [true, 'undefined'],
  ),
  returned(
    'errors of formatters',
    `try { (1).toLocaleString('x-') } catch (e) { return e.constructor.constructor('return typeof process.exit')() }`,
    'undefined',
  ),
  returned(
    'an error of a promise',
    `return await fetch('http://127.0.0.1:1/').catch((e) => e.constructor.constructor('return typeof require')())`,
    'undefined',
  ),
  returned(
    'an error of the stack limit',
    `const f = () => f(); try { f() } catch (e) { return e.constructor.constructor('return typeof require')() }`,
    'undefined',
  ),
  returned(
    'Symbol.species',
    `class X extends Promise { static get [Symbol.species]() { return Function } } try { return typeof new X(() => {}).then(() => {}) } catch (e) { return e.name }`,
    'SyntaxError',
  ),
  returned(
    'Reflect.construct on natives',
    `return typeof Reflect.construct(Function, ['return this'])().require`,
    'undefined',
  ),
  returned('WebAssembly', `return typeof WebAssembly`, 'undefined'),
  returned(
    'workers and ports',
    `return [typeof Worker, typeof MessageChannel, typeof postMessage, typeof SharedWorker].join()`,
    'undefined,undefined,undefined,undefined',
  ),
  returned(
    'engine modules',
    `return [typeof std, typeof os, typeof scriptArgs, typeof print, typeof load].join()`,
    'undefined,undefined,undefined,undefined,undefined',
  ),
  threw('import()', `return await import('fs')`, "ReferenceError: could not load module 'fs'"),
  threw(
    'import() of a data URL',
    `return await import('data:text/javascript,1')`,
    "ReferenceError: could not load module 'data:text/javascript,1'",
  ),
  returned(
    'require by name',
    `try { return require('fs') } catch (e) { return e.message }`,
    'require is not defined',
  ),
]
