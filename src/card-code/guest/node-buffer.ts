// Buffer is the npm package of that name. The host's Buffer converts text to bytes and back: exactly as in Node, and
// many times as fast as interpreted code. It also checks arguments that may be wrong, and refuses them in Node's words.
import { Buffer } from 'buffer'
import { ask, askBytes, define, override } from './bridge.js'
import { describeArguments } from './description.js'
import { bytesOf } from './encoding.js'

type Method = (this: any, ...args: any[]) => unknown

const known = (encoding: unknown): boolean =>
  typeof encoding === 'string' &&
  /^(?:utf-?8|hex|base64(?:url)?|latin1|binary|ascii|ucs-?2|utf-?16le)$/i.test(encoding)

const bytesOfText = (text: string, encoding: string): Buffer =>
  Buffer.from(askBytes('buffer-bytes', { text, encoding }))

/** Throws what Node's Buffer throws for these arguments, if it does; `length` is that of the instance, null for a static. */
const check = (method: string, length: number | null, args: unknown[]): void => {
  ask('buffer-check', { method, length, args: describeArguments(args) })
}

const isBytes = (value: unknown): boolean => value instanceof Uint8Array
const isIndex = (value: unknown, max: number): boolean =>
  value === undefined || (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max)
const isEncoding = (value: unknown): boolean => value === undefined || known(value)

// Larger ones run out of memory before they are checked.
const maxSize = 1 << 30

/** Arguments of the static methods that are certainly valid. */
const staticFits: Record<string, (...args: any[]) => boolean> = {
  __proto__: null as never,
  alloc: (size, fill, encoding) =>
    size !== undefined &&
    isIndex(size, maxSize) &&
    (fill === undefined || typeof fill === 'number') &&
    isEncoding(encoding),
  allocUnsafe: (size) => size !== undefined && isIndex(size, maxSize),
  allocUnsafeSlow: (size) => size !== undefined && isIndex(size, maxSize),
  byteLength: (value) =>
    typeof value === 'string' || value instanceof ArrayBuffer || ArrayBuffer.isView(value),
  compare: (a, b) => isBytes(a) && isBytes(b),
  concat: (list, total) => Array.isArray(list) && list.every(isBytes) && isIndex(total, maxSize),
  // The package checks the contents of an object.
  from: (value, encoding) =>
    typeof value === 'string' ? isEncoding(encoding) : typeof value === 'object' && value !== null,
}

/** The same for the methods of an instance; `length` is the instance's. */
const fits: Record<string, (length: number, ...args: any[]) => boolean> = {
  __proto__: null as never,
  compare: (_, other, ...more) => isBytes(other) && more.length === 0,
  copy: (length, target, ...range) => isBytes(target) && range.every((at) => isIndex(at, length)),
  equals: (_, other) => isBytes(other),
  fill: (_, value, ...more) => typeof value === 'number' && more.length === 0,
  includes: (_, value, at, encoding) => isSought(value, at, encoding),
  indexOf: (_, value, at, encoding) => isSought(value, at, encoding),
  lastIndexOf: (_, value, at, encoding) => isSought(value, at, encoding),
  swap16: (length) => length % 2 === 0,
  swap32: (length) => length % 4 === 0,
  swap64: (length) => length % 8 === 0,
  write: (_, text, ...more) =>
    typeof text === 'string' && (more.length === 0 || (more.length === 1 && known(more[0]))),
}

const isSought = (value: unknown, at: unknown, encoding: unknown): boolean =>
  (typeof value === 'string' || typeof value === 'number' || isBytes(value)) &&
  (at === undefined || typeof at === 'number') &&
  isEncoding(encoding)

const numeric = /^(read|write)(Big)?(U?)[Ii]nt(8|16|32|64)?(?:LE|BE)?$/
const floating = /^(read|write)(Float|Double)(?:LE|BE)$/

/** The valid arguments of a method that reads or writes one number; undefined for another method. */
const numberFits = (name: string): ((length: number, ...args: any[]) => boolean) | undefined => {
  const float = floating.exec(name)
  const whole = numeric.exec(name)
  const verb = (float ?? whole)?.[1]
  if (verb === undefined) return undefined
  const bits = float !== null ? (float[2] === 'Float' ? 32 : 64) : whole![4]
  const inside = (length: number, at: unknown, size: number): boolean =>
    length >= size && isIndex(at, length - size)
  // readUIntLE and similar methods get the number of bytes: the host checks the rest.
  if (bits === undefined) return () => false
  const size = Number(bits) / 8
  if (verb === 'read') return (length, at) => inside(length, at, size)
  if (whole?.[2] !== undefined) return () => false
  const [least, most] =
    whole === null
      ? [-Infinity, Infinity]
      : whole[3] === ''
        ? [-(2 ** (size * 8 - 1)), 2 ** (size * 8 - 1) - 1]
        : [0, 2 ** (size * 8) - 1]
  return (length, value, at) =>
    typeof value === 'number' && value >= least && value <= most && inside(length, at, size)
}

const checked = (name: string, method: Method, fit: (length: number, ...args: any[]) => boolean): Method =>
  function (this: any, ...args: any[]) {
    const length: unknown = this?.length
    if (typeof length === 'number' && !fit(length, ...args)) check(name, length, args)
    return method.apply(this, args)
  }

const checkedStatic = (name: string, method: Method): Method =>
  function (...args: any[]) {
    if (!staticFits[name]!(...args)) check(name, null, args)
    try {
      return method.apply(Buffer, args)
    } catch (error) {
      check(name, null, args)
      throw error
    }
  }

const overrideText = (): void => {
  const { from, byteLength } = Buffer as any
  const { toString } = Buffer.prototype as any
  override(Buffer, {
    from: checkedStatic('from', (value: any, encoding: any = 'utf8', length?: any) => {
      if (typeof value === 'string' && known(encoding)) return bytesOfText(value, encoding)
      return typeof value === 'string'
        ? from(value, encoding)
        : from(value, encoding === 'utf8' ? undefined : encoding, length)
    }),
    isEncoding: known,
    byteLength: checkedStatic('byteLength', (value: any, encoding: any = 'utf8') =>
      typeof value === 'string' && known(encoding)
        ? bytesOfText(value, encoding).length
        : byteLength(value, encoding),
    ),
  })
  override(Buffer.prototype, {
    toString(this: Buffer, encoding: any = 'utf8', start?: any, end?: any) {
      if (!known(encoding)) {
        check('toString', this.length, [encoding])
        return toString.call(this, encoding, start, end)
      }
      const { length } = this
      const first = start === undefined || start <= 0 ? 0 : Math.trunc(start) || 0
      const last = end === undefined || end > length ? length : Math.trunc(end) || 0
      if (first >= length || last <= first) return ''
      const view = first === 0 && last === length ? this : this.subarray(first, last)
      return ask('buffer-text', encoding, bytesOf(view).buffer as ArrayBuffer)
    },
  })
}

/** Installs Buffer. */
export const installBuffer = (): void => {
  const { prototype } = Buffer as any
  const methods: Record<string, Method> = {}
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const fit = fits[name] ?? numberFits(name)
    if (fit !== undefined && typeof prototype[name] === 'function')
      methods[name] = checked(name, prototype[name], fit)
  }
  override(prototype, methods)
  const statics: Record<string, Method> = {}
  for (const name of ['alloc', 'allocUnsafe', 'allocUnsafeSlow', 'compare', 'concat'])
    statics[name] = checkedStatic(name, (Buffer as any)[name])
  override(Buffer, statics)
  overrideText()
  define('Buffer', Buffer)
}
