// Everything that card code can put on Object.prototype, with a probe that uses each way across the bridge: nothing is forged,
// nothing breaks, nothing hangs. Other built-ins are replaced too: there the probe may fail, but only as card code's own error.
import { type Escape, returned, script, threw } from './escape.js'

/** Each name that messages between guest and worker use. */
const names = `['get', 'set', 'value', 'error', 'name', 'message', 'code', 'kind', 'id', 'ms', 'json', 'type', 'threw', 'nothing',
  'promise', 'text', 'args', 'level', 'depth', 'table', 'stack', 'frames', 'line', 'url', 'headers', 'status', 'configurable',
  'enumerable', 'writable', 'parts', 'body', 'locales', 'options', 'method', 'hasBody', 'counter', 'spentMs', 'bytes']`

const probe = `
  console.log('a', { b: 1 }, [new Error('x')])
  console.log({ c: 1 })
  let words
  try { undefined.x } catch (e) { words = e.message }
  const failed = await fetch('http://127.0.0.1:1/').catch((e) => e.constructor.name)
  const due = await new Promise((resolve) => setTimeout(resolve, 1, 'due'))
  return words + '|' + failed + '|' + due + '|' + new URL('http://a/b?c=d').searchParams + '|' + (1234.5).toLocaleString('en') +
    '|' + Buffer.from('a').toString('hex') + '|' + process.env.KNOWN + '|' + (Math.random() < 1)`
const whole = `Cannot read properties of undefined (reading 'x')|FetchError|due|c=d|1,234.5|61|yes|true`

const onObject = (title: string, attack: string): Escape => returned(title, `${attack}\n${probe}`, whole)

export const prototypes: readonly Escape[] = [
  onObject(
    'toJSON that forges a result',
    `Object.prototype.toJSON = function () { return 'json' in this ? { type: 'boolean', json: '{bad' } : this }`,
  ),
  onObject(
    'toJSON that throws, on every object',
    `Object.prototype.toJSON = () => { throw new Error('no') }`,
  ),
  onObject(
    'toJSON on strings, numbers and lists',
    `String.prototype.toJSON = Number.prototype.toJSON = Array.prototype.toJSON = () => 'forged'`,
  ),
  returned(
    'concat, which template literals call',
    `String.prototype.concat = () => '{"type":"boolean","json":"false"}'; console.log('a', 1); return true`,
    true,
  ),
  onObject('get on Object.prototype', `Object.prototype.get = () => 'forged'`),
  onObject('set on Object.prototype', `Object.prototype.set = () => 'forged'`),
  onObject(
    'every name of a message on Object.prototype',
    `for (const name of ${names}) if (!['get', 'set', 'headers', 'method', 'body'].includes(name)) Object.prototype[name] ??= 'forged'`,
  ),
  onObject(
    'accessors that throw for every name of a message',
    `for (const name of ${names}) {
      const accessor = Object.create(null)
      accessor.get = () => { throw new Error('read ' + name) }
      accessor.set = function (value) { Object.defineProperty(this, name, Object.assign(Object.create(null), { value, writable: true, configurable: true })) }
      accessor.configurable = true
      if (!['body', 'headers', 'method', 'options', 'get', 'set', 'writable', 'enumerable', 'configurable', 'value', 'status', 'code'].includes(name)) Object.defineProperty(Object.prototype, name, accessor)
    }`,
  ),
  ...(
    [
      [
        'Function.prototype.call and apply',
        `Function.prototype.call = Function.prototype.apply = Function.prototype.bind = no`,
      ],
      [
        'methods of Array',
        `for (const name of Reflect.ownKeys(Array.prototype)) if (typeof Array.prototype[name] === 'function' && name !== 'constructor') Array.prototype[name] = no`,
      ],
      [
        'methods of String',
        `for (const name of Reflect.ownKeys(String.prototype)) if (typeof String.prototype[name] === 'function' && name !== 'constructor') String.prototype[name] = no`,
      ],
      [
        'methods of Map, Set and WeakMap',
        `for (const Kind of [Map, Set, WeakMap]) for (const name of Reflect.ownKeys(Kind.prototype)) if (name !== 'size' && name !== 'constructor') Kind.prototype[name] = no`,
      ],
      [
        'functions of Object, Reflect, JSON and Math',
        `for (const holder of [Reflect, JSON, Math, Object]) for (const name of Object.getOwnPropertyNames(holder)) if (typeof holder[name] === 'function' && name !== 'getOwnPropertyNames') holder[name] = no`,
      ],
      ['methods of Promise', `Promise.prototype.then = Promise.prototype.catch = Promise.resolve = no`],
      [
        'methods of RegExp',
        `RegExp.prototype.exec = RegExp.prototype.test = RegExp.prototype[Symbol.replace] = RegExp.prototype[Symbol.match] = no`,
      ],
      [
        'constructors',
        `for (const name of Object.getOwnPropertyNames(globalThis)) if (/^[A-Z]/.test(name)) globalThis[name] = no`,
      ],
      [
        'an index on Array.prototype',
        `Object.defineProperty(Array.prototype, '0', { get: () => 'forged', set() {}, configurable: true })`,
      ],
    ] as const
  ).map(([title, attack]) =>
    returned(
      `replaced: ${title}`,
      `const no = () => { throw new Error('no') }
      ${attack}
      const tried = (work) => { try { return work() } catch (e) { return e.message === 'no' } }
      tried(() => console.log('a', { b: [1] })); tried(() => fetch('http://127.0.0.1:1/')); tried(() => setTimeout(() => {}, 1)); tried(() => null.x)
      return 'went on'`,
      'went on',
    ),
  ),
  threw(
    'a thrown error under a hostile Object.prototype',
    `Object.prototype.get = Object.prototype.threw = 1; Object.prototype.toJSON = () => ({ json: 'true', type: 'boolean' }); null.x`,
    `TypeError: Cannot read properties of null (reading 'x')`,
  ),
  script(
    'a hook that is a getter which throws',
    `Object.defineProperty(globalThis, 'hook', { get() { throw new RangeError('read') } })`,
    { end: 'threw', error: 'RangeError: read' },
  ),
  script(
    'a hook that is a getter which throws null',
    `Object.defineProperty(globalThis, 'hook', { get() { throw null } })`,
    { end: 'threw', error: 'Error: null' },
  ),
  script(
    'a hook that is a getter which loops',
    `Object.defineProperty(globalThis, 'hook', { get() { for (;;); } })`,
    { end: 'timed-out', error: 'TimeoutError: hook ran past its window of 200 ms', windowMs: 200 },
  ),
  script('a hook that is a proxy', `var hook = new Proxy(() => 1, { apply: () => 'trapped' })`, {
    end: 'returned',
    value: 'trapped',
  }),
  script(
    'a script that throws an object with hostile accessors',
    `throw { get name() { throw 1 }, get stack() { throw 2 }, get message() { throw 3 } }`,
    { end: 'threw', error: 'Error: [object Object]' },
  ),
]
