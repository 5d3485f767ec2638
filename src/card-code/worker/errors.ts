// The engine's errors in V8's words: QuickJS says "not a function" and where, V8 says what was called.
import { lackNote, lackingGlobals, lackingMembers } from '../lacking.js'
import { type Frame, framesOf } from './frames.js'
import type { Program } from './program.js'
import type { Place } from './syntax.js'

const wordings: [RegExp, string][] = [
  [
    /^too many arguments in function call.*$/,
    'Too many arguments in one call: the sandbox takes 65,534 (Node about 120,000); use a loop or reduce in place of the spread',
  ],
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
  [/^regexp not supported$/, 'First argument must not be a regular expression'],
  [/^invalid bigint literal$/, 'Cannot convert the text to a BigInt'],
  [
    /^cannot convert to BigInt: not an integer$/,
    'The number cannot be converted to a BigInt because it is not an integer',
  ],
  [/^cannot convert to BigInt$/, 'Cannot convert the value to a BigInt'],
  [/^invalid value used as (\w+) key$/, 'Invalid value used as weak map key'],
  [/^invalid target$/, 'WeakRef: invalid target'],
  [/^not a prototype$/, 'Object prototype may only be an Object or null'],
  [/^not a symbol$/, 'The value is not a symbol'],
  [
    /^cannot have setter\/getter and value or writable$/,
    'Invalid property descriptor. Cannot both specify accessors and a value or writable attribute, #<Object>',
  ],
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

/** What the engine reports about an error: its kind, its message and its raw stack. */
export interface RawError {
  kind: string
  message: string
  stack: string
}

/** The engine's message in V8's words. */
export const reword = (error: RawError, program: Program): { kind: string; message: string } => {
  const { kind, message } = error
  // The engine's parsers report it as a SyntaxError.
  if (message === 'stack overflow') return { kind: 'RangeError', message: 'Maximum call stack size exceeded' }
  if (message === 'string too long') return { kind: 'RangeError', message: 'Invalid string length' }
  const [top] = framesOf(error.stack)
  const at = top?.file === 'main.js' ? program.written(top) : undefined
  return { kind, message: byPlace(message, at, program) ?? byFrame(message, top) ?? byWording(message) }
}

const notDefined = /^'(.*)' is not defined$/

/** Messages that need the source. */
const byPlace = (message: string, at: Place | undefined, program: Program): string | undefined => {
  if (at === undefined) return undefined
  if (message === 'not a function') {
    const call = program.call(at)
    const callee = call?.callee() ?? 'object'
    return `${callee} is not a ${call?.constructs === true ? 'constructor' : 'function'}${lackNote(callee, lackingMembers)}`
  }
  const unread = /^cannot read property of (undefined|null)$/.exec(message)
  if (unread !== null) {
    const key = program.key(at)
    const reading = key === undefined ? '' : ` (reading '${key}')`
    return `Cannot read properties of ${unread[1]!}${reading}`
  }
  if (message === 'value is not iterable' || message.startsWith("cannot read property 'Symbol.iterator' of"))
    return notIterable(message, at, program)
  const destructured = message === 'cannot convert to object' ? notDestructured(at, program) : undefined
  if (destructured !== undefined) return destructured
  const constant = /^'(.*)' is read-only$/.exec(message)?.[1]
  if (constant !== undefined && program.isConstant(constant)) return 'Assignment to constant variable.'
  const called = message.endsWith(' is not a constructor') ? program.call(at) : undefined
  if (called === undefined) return undefined
  const callee = called.callee()
  return `${callee} is not a constructor${lackNote(callee, lackingMembers)}`
}

const notIterable = (message: string, at: Place, program: Program): string => {
  const iterated = program.iterated(at)
  if (iterated !== undefined) return `${iterated} is not iterable`
  const given = message.endsWith('undefined')
    ? 'undefined'
    : message.endsWith('null')
      ? 'object null'
      : 'object'
  return `${given} is not iterable (cannot read property Symbol(Symbol.iterator))`
}

const notDestructured = (at: Place, program: Program): string | undefined => {
  const first = program.parameter(at)
  if (first !== undefined) return `Cannot destructure property '${first}' of 'undefined' as it is undefined.`
  const item = program.ofItems(at.line)
  return item && `Cannot destructure property '${item}' of '.for' as it is undefined.`
}

/** Messages that depend on the function in which the error happened. */
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

/** The message of a native function for a value that is not an object. */
const refusals: Record<string, string> = {
  ...Object.fromEntries(
    ['Map', 'WeakMap', 'fromEntries'].map((name) => [name, 'Iterator value is not an entry object']),
  ),
  Proxy: 'Cannot create proxy with a non-object as target or handler',
  setPrototypeOf: 'Object prototype may only be an Object or null',
  ownKeys: 'Reflect.ownKeys called on non-object',
}

const byWording = (message: string): string => {
  const name = notDefined.exec(message)?.[1]
  if (name !== undefined) return `${name} is not defined${lackNote(name, lackingGlobals)}`
  for (const [pattern, wording] of wordings) {
    if (pattern.test(message)) return message.replace(pattern, wording)
  }
  return message
}
