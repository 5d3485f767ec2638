// The engine's errors in V8's words: QuickJS says "not a function" and where, V8 says what was called.
import { Script } from 'node:vm'
import type { Place, Program } from './program.js'

const wordings: [RegExp, string][] = [
  [/^'(.*)' is not defined$/, '$1 is not defined'],
  [/^cannot read property '(.*)' of (undefined|null)$/, "Cannot read properties of $2 (reading '$1')"],
  [/^cannot read property of (undefined|null)$/, 'Cannot read properties of $1'],
  [/^cannot set property '(.*)' of (undefined|null)$/, "Cannot set properties of $2 (setting '$1')"],
  [/^'(\d+)' is read-only$/, "Cannot assign to read only property '$1' of object '[object Array]'"],
  [/^'(.*)' is read-only$/, "Cannot assign to read only property '$1' of object '#<Object>'"],
  [
    /^private class field '(.*)' does not exist$/,
    'Cannot read private member $1 from an object whose class did not declare it',
  ],
  [/^no setter for property$/, 'Cannot set property of #<Object> which has only a getter'],
  [/^invalid array length$/, 'Invalid array length'],
  [
    /^(?:cannot convert to object|Cannot convert undefined or null to object)$/,
    'Cannot convert undefined or null to object',
  ],
  [/^invalid number of digits$/, 'toFixed() digits argument must be between 0 and 100'],
  [/^expecting (hex digit|surrogate pair)$/, 'URI malformed'],
  [/^bigint argument with unary \+$/, 'Cannot convert a BigInt value to a number'],
  [/^cannot convert symbol to string$/, 'Cannot convert a Symbol value to a string'],
  [/^cannot convert symbol to number$/, 'Cannot convert a Symbol value to a number'],
  [/^cannot convert bigint to number$/i, 'Cannot mix BigInt and other types, use explicit conversions'],
  [/^circular reference$/, 'Converting circular structure to JSON'],
  [/^object is not extensible$/, 'Cannot add property, object is not extensible'],
  [/^Date value is NaN$/, 'Invalid time value'],
  [/^invalid 'in' operand$/, "Cannot use 'in' operator to search for a key in a value that is no object"],
  [/^invalid 'instanceof' right operand$/, "Right-hand side of 'instanceof' is not callable"],
  [/^value is not iterable$/, 'object is not iterable (cannot read property Symbol(Symbol.iterator))'],
  [/^empty array$/, 'Reduce of empty array with no initial value'],
  [/^bad normalization form$/, 'The normalization form should be one of NFC, NFD, NFKC, NFKD.'],
  [/^radix must be between 2 and 36$/, 'toString() radix argument must be between 2 and 36'],
  [/^invalid repeat count$/, 'Invalid count value: -1'],
  [
    /^this is not initialized$/,
    "Must call super constructor in derived class before accessing 'this' or returning from derived constructor",
  ],
  [/^(.*) is not initialized$/, "Cannot access '$1' before initialization"],
  [/^invalid code point$/, 'Invalid code point'],
  [/^invalid string length$/, 'Invalid string length'],
  [/^invalid array buffer length$/, 'Invalid array buffer length'],
  [/^invalid max array buffer length$/, 'Invalid array buffer max length'],
  [/^BigInt is too large( to allocate)?$/, 'Maximum BigInt size exceeded'],
]

/** What the engine reports of an error: the name of its kind, its message and its raw stack. */
export interface RawError {
  kind: string
  message: string
  stack: string
}

interface Frame extends Place {
  name: string
  file: string
}

const framePattern = /^ {4}at (?:(.*?) \()?([^()\s]*?)(?::(\d+):(\d+))?\)?$/

const framesOf = (stack: string): Frame[] =>
  stack.split('\n').flatMap((line) => {
    if (line.endsWith('(native)')) {
      return [{ name: line.slice(7, -9), file: 'native', line: 0, column: 0 }]
    }
    const found = framePattern.exec(line)
    if (found === null) return []
    return [
      { name: found[1] ?? '', file: found[2]!, line: Number(found[3] ?? 0), column: Number(found[4] ?? 0) },
    ]
  })

/** The engine's message in V8's words. */
export const reword = (error: RawError, program: Program): { kind: string; message: string } => {
  const { kind, message } = error
  // The parsers of the engine make a SyntaxError of it.
  if (message === 'stack overflow') return { kind: 'RangeError', message: 'Maximum call stack size exceeded' }
  if (message === 'string too long') return { kind: 'RangeError', message: 'Invalid string length' }
  const [top] = framesOf(error.stack)
  const at = top?.file === 'main.js' ? program.written(top) : undefined
  return { kind, message: byPlace(message, at, program) ?? byFrame(message, top) ?? byWording(message) }
}

/** What needs the source to be said. */
const byPlace = (message: string, at: Place | undefined, program: Program): string | undefined => {
  if (at === undefined) return undefined
  if (message === 'not a function') {
    const call = program.call(at)
    return `${call?.callee() ?? 'object'} is not a ${call?.constructs === true ? 'constructor' : 'function'}`
  }
  const unread = /^cannot read property of (undefined|null)$/.exec(message)
  if (unread !== null) {
    const key = program.key(at)
    const reading = key === undefined ? '' : ` (reading '${key}')`
    return `Cannot read properties of ${unread[1]!}${reading}`
  }
  if (
    message === 'value is not iterable' ||
    message.startsWith("cannot read property 'Symbol.iterator' of")
  ) {
    const iterated = program.iterated(at)
    if (iterated !== undefined) return `${iterated} is not iterable`
    const given = message.endsWith('undefined')
      ? 'undefined'
      : message.endsWith('null')
        ? 'object null'
        : 'object'
    return `${given} is not iterable (cannot read property Symbol(Symbol.iterator))`
  }
  if (message === 'cannot convert to object') {
    const first = program.parameter(at)
    if (first !== undefined)
      return `Cannot destructure property '${first}' of 'undefined' as it is undefined.`
  }
  const constant = /^'(.*)' is read-only$/.exec(message)?.[1]
  if (constant !== undefined && program.isConstant(constant)) return 'Assignment to constant variable.'
  const called = message.endsWith(' is not a constructor') ? program.call(at) : undefined
  return called === undefined ? undefined : `${called.callee()} is not a constructor`
}

/** What needs the function to be said in which it happened. */
const byFrame = (message: string, top: Frame | undefined): string | undefined => {
  const inside = top?.name ?? ''
  if (message === "class constructors must be invoked with 'new'") {
    return `Class constructor ${inside} cannot be invoked without 'new'`
  }
  if (top?.file !== 'native') return undefined
  switch (message) {
    case 'not an object':
      return refusals[inside] ?? `Object.${inside} called on non-object`
    case 'not a function':
      return inside === 'Promise' ? 'Promise resolver is not a function' : 'undefined is not a function'
    case 'invalid number of digits':
      return inside === 'toPrecision'
        ? 'toPrecision() argument must be between 1 and 100'
        : inside === 'toExponential'
          ? 'toExponential() argument must be between 0 and 100'
          : undefined
    case "regexp must have the 'g' flag":
      return `String.prototype.${inside} called with a non-global RegExp argument`
    case 'must be called with new':
      return inside === 'Promise'
        ? "Promise constructor cannot be invoked without 'new'"
        : `Constructor ${inside} requires 'new'`
    default:
      return undefined
  }
}

/** What a native function says of a value that is no object. */
const refusals: Record<string, string> = {
  ...Object.fromEntries(
    ['Map', 'WeakMap', 'fromEntries'].map((name) => [name, 'Iterator value is not an entry object']),
  ),
  Proxy: 'Cannot create proxy with a non-object as target or handler',
  setPrototypeOf: 'Object prototype may only be an Object or null',
  ownKeys: 'Reflect.ownKeys called on non-object',
}

const byWording = (message: string): string => {
  for (const [pattern, wording] of wordings) {
    if (pattern.test(message)) return message.replace(pattern, wording)
  }
  return message
}

/** A raw stack as V8 prints it: the prelude's own frames are left out, and main.js has its places as written. */
export const printFrames = (
  stack: string,
  program: Program,
  { limit = 10, skip = 0 }: { limit?: number; skip?: number } = {},
): string =>
  framesOf(stack)
    .filter(({ file }) => file !== 'prelude.js' && file !== '<input>')
    .slice(skip, skip + limit)
    .map((frame) => {
      if (frame.file === 'native') return `\n    at ${frame.name} (<anonymous>)`
      const { line, column } = program.v8(program.written(frame))
      const where = `${frame.file}:${line}:${column}`
      const named = frame.name !== '' && frame.name !== '<eval>' && frame.name !== '<anonymous>'
      return named ? `\n    at ${frame.name} (${where})` : `\n    at ${where}`
    })
    .join('')

const compile = (source: string): Script => new Script(source, { filename: 'main.js' })

/** What V8 says of a source that does not parse. The source is compiled, never run. */
export const syntaxError = (source: string): { message: string; line: number } | undefined => {
  try {
    compile(source)
    return undefined
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'SyntaxError') return undefined
    const line = /^main\.js:(\d+)/.exec(error.stack ?? '')?.[1]
    return { message: error.message, line: Number(line ?? 1) }
  }
}
