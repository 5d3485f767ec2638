// What the guest may ask for without waiting: text, URLs, locale data, wording. Every operation checks its own input, and none
// touches a file, the network or the process. Each takes time in proportion to its input, whose length the table bounds: native
// code cannot be interrupted.
import { constants } from 'node:buffer'
import { createHash, createHmac } from 'node:crypto'
import { reword } from './errors.js'
import { printFrames } from './frames.js'
import {
  callIntl,
  canonicalLocales,
  changeCase,
  formatDate,
  rootCollation,
  segmentEnds,
  supportedValues,
} from './locale.js'
import { print, revived } from './print.js'
import type { Program } from './program.js'

type Data = Record<string, unknown>

const record = (data: unknown): Data => {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) throw new TypeError('Bad call')
  return data as Data
}

const text = (data: unknown): string => {
  if (typeof data !== 'string') throw new TypeError('Bad call')
  return data
}

const urlParts = [
  'href',
  'origin',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const

const partsOf = (url: URL): Data => Object.fromEntries(urlParts.map((name) => [name, url[name]]))

const setPart = (data: Data): Data => {
  const url = new URL(text(data.url))
  const name = urlParts.find((part) => part === data.name)
  if (name === undefined || name === 'origin') throw new TypeError('Bad call')
  url[name] = text(data.value)
  return partsOf(url)
}

const pairs = (data: unknown): [string, string][] => {
  if (!Array.isArray(data)) throw new TypeError('Bad call')
  return data.map((pair: unknown) => {
    if (!Array.isArray(pair)) throw new TypeError('Bad call')
    return [text(pair[0]), text(pair[1])]
  })
}

/** V8's wording for a text that is not JSON; null when V8 accepts it. */
const jsonError = (data: unknown): string | null => {
  try {
    JSON.parse(text(data))
    return null
  } catch (error) {
    return (error as Error).message
  }
}

const maxPattern = 2_000

/** V8's wording for an invalid regular expression. It is compiled, never run. */
const patternError = (pattern: string, flags: string): string | null => {
  try {
    // Classes such as \p{L} cost a quarter of a millisecond each.
    if (pattern.length > maxPattern) return null
    RegExp(pattern, flags)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

// Longer than any date that V8 reads; a pattern tries it at many places.
const maxDate = 1_000

// V8 parses local forms in its own zone; naming the zone shows what the same text means in UTC.
const parseDate = (data: unknown): number | null => {
  const given = text(data)
  if (given.length > maxDate) return null
  const zoned =
    /(?::\d\d(?:[.,]\d+)?\s*[+-]\d{1,2}(?::?\d\d)?|z|utc|gmt|[+-]\d{2}:?\d{2}|\b[ecmp][sd]t)\s*(?:\(.*\))?$/i.test(
      given.trim(),
    )
  const time = Date.parse(zoned ? given : `${given} UTC`)
  return Number.isNaN(time) ? null : time
}

const dataUrl = (data: unknown): Data => {
  const given = text(data)
  const end = given.indexOf('#')
  const found = /^data:([^,]*?)(;base64)?,([\s\S]*)$/.exec(end < 0 ? given : given.slice(0, end))
  if (found === null) throw new TypeError('Invalid data URL')
  const body = decodeURIComponent(found[3]!)
  const bytes = Buffer.from(body, found[2] === undefined ? 'utf8' : 'base64')
  return {
    type: found[1] === '' ? 'text/plain;charset=US-ASCII' : found[1]!,
    base64: bytes.toString('base64'),
  }
}

const decode = (data: Data, bytes: Uint8Array | undefined): string =>
  new TextDecoder(text(data.label), {
    fatal: data.fatal === true,
    ignoreBOM: data.ignoreBOM === true,
  }).decode(bytes)

/** How many bytes at the end of a stream begin a character that more bytes may end. */
const undecoded = (data: Data, bytes: Uint8Array): number => {
  const options = { ignoreBOM: data.ignoreBOM === true }
  const decoded = new TextDecoder(text(data.label), options).decode(bytes, { stream: true })
  // Characters have four bytes at most.
  for (let kept = 0; kept <= 4 && kept <= bytes.length; kept += 1) {
    const whole = new TextDecoder(text(data.label), options).decode(bytes.subarray(0, bytes.length - kept))
    if (whole === decoded) return kept
  }
  return 0
}

const maxAllocated = 1 << 20
const maxInstance = 1 << 26
const bufferMethods =
  /^(?:alloc|allocUnsafe|allocUnsafeSlow|byteLength|compare|concat|copy|equals|fill|from|includes|indexOf|lastIndexOf|swap(?:16|32|64)|toString|write|(?:read|write)(?:Big)?(?:U?[Ii]nt\d*|Float|Double)(?:LE|BE)?)$/

const isLarge = (value: unknown): boolean =>
  (typeof value === 'number' && value > maxAllocated) ||
  (typeof value === 'object' && value !== null && 'length' in value && Number(value.length) > maxAllocated)

/** Calls a method of Buffer for its error: null when there is none. */
const checkBuffer = ({ method, length, args }: Data): null => {
  const name = text(method)
  if (!bufferMethods.test(name)) throw new TypeError('Bad call')
  const given = revived(args)
  const isStatic = typeof length !== 'number'
  // No large buffer is made for this; sizes that are too large for Node are refused before.
  const isPossible = !(typeof given[0] === 'number' && given[0] > constants.MAX_LENGTH)
  if (isStatic ? isPossible && given.some(isLarge) : length > maxInstance) return null
  const target = (isStatic ? Buffer : Buffer.alloc(length)) as unknown as Record<string, unknown>
  ;(target[name] as (...values: unknown[]) => unknown).apply(target, given)
  return null
}

const encodingOf = (data: unknown): BufferEncoding => {
  const encoding = text(data)
  if (!Buffer.isEncoding(encoding)) throw new TypeError(`Unknown encoding: ${encoding}`)
  return encoding
}

/** The bytes of a text in an encoding of Buffer; UTF-8 by default. */
export const bytesOfText = (data: unknown): ArrayBuffer => {
  if (typeof data === 'string') return new TextEncoder().encode(data).buffer
  const { text: given, encoding } = record(data)
  return Uint8Array.from(Buffer.from(text(given), encodingOf(encoding))).buffer
}

// The engine itself writes shorter texts; card code can forge longer ones.
const maxMessage = 10_000
const maxStack = 50_000

const algorithms: Record<string, string> = {
  'SHA-1': 'sha1',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
}

/** A digest, or an HMAC when a key is given: base64. */
const digestOf = ({ algorithm, key }: Data, bytes: Uint8Array): string => {
  const name = text(algorithm)
  const hash = Object.hasOwn(algorithms, name) ? algorithms[name]! : undefined
  if (hash === undefined) throw new TypeError('Bad call')
  const made = key === null ? createHash(hash) : createHmac(hash, Buffer.from(text(key), 'base64'))
  return made.update(bytes).digest('base64')
}

const rawError = (data: Data): { kind: string; message: string; stack: string } => ({
  kind: text(data.kind).slice(0, maxMessage),
  message: text(data.message).slice(0, maxMessage),
  stack: text(data.stack).slice(0, maxStack),
})

const operations: Record<
  string,
  (data: unknown, program: Program, bytes: Uint8Array | undefined) => unknown
> = {
  url: (data) => {
    const { url, base } = record(data)
    return partsOf(base === undefined ? new URL(text(url)) : new URL(text(url), text(base)))
  },
  'url-set': (data) => setPart(record(data)),
  'params-parse': (data) => [...new URLSearchParams(text(data))],
  'params-text': (data) => new URLSearchParams(pairs(data)).toString(),
  intl: (data) => callIntl(record(data)),
  'intl-date': (data) => formatDate(record(data)),
  'intl-segments': (data) => segmentEnds(record(data)),
  collation: rootCollation,
  'intl-case': (data) => changeCase(record(data)),
  'intl-locales': canonicalLocales,
  'intl-values': supportedValues,
  encoding: (data) => new TextDecoder(text(data)).encoding,
  decode: (data, _program, bytes) => decode(record(data), bytes),
  undecoded: (data, _program, bytes) => undecoded(record(data), bytes ?? new Uint8Array()),
  'buffer-check': (data) => checkBuffer(record(data)),
  // Throws V8's error for a comparator that is not a function.
  comparator: (data) => [].sort(revived(data)[0] as () => number),
  'buffer-text': (data, _program, bytes) => Buffer.from(bytes ?? []).toString(encodingOf(data)),
  atob: (data) => atob(text(data)),
  btoa: (data) => btoa(text(data)),
  'json-error': jsonError,
  'pattern-error': (data) => {
    const { pattern, flags } = record(data)
    return patternError(text(pattern), text(flags))
  },
  digest: (data, _program, bytes) => digestOf(record(data), bytes ?? new Uint8Array()),
  'date-parse': parseDate,
  // The source of a function; null for one that main.js does not contain.
  original: (data, program) => program.original(text(data)) ?? null,
  'data-url': dataUrl,
  print: (data) => print(data),
  mend: (data, program) => {
    const error = rawError(record(data))
    return { ...reword(error, program), frames: printFrames(error.stack, program) }
  },
  frames: (data, program) => {
    const { stack, limit, skip } = record(data)
    return printFrames(text(stack).slice(0, maxStack), program, { limit: Number(limit), skip: Number(skip) })
  },
}

// The longest JSON, in characters, that an operation accepts.
const [short, medium, long] = [20_000, 1 << 20, 1 << 25]
const maxInput: Record<string, number> = {
  intl: medium,
  'intl-date': short,
  'intl-case': medium,
  'intl-segments': medium,
  'intl-locales': medium,
  'intl-values': short,
  encoding: short,
  url: medium,
  'url-set': medium,
  'date-parse': long,
}

/** Answers one operation as JSON: `{value}`, or `{error}` for the guest to throw. */
export const answerOperation = (
  name: string,
  json: string,
  program: Program,
  bytes: Uint8Array | undefined,
): string => {
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined
  if (operation === undefined) throw new TypeError('Unknown operation')
  try {
    const max = maxInput[name] ?? long
    if (json.length > max)
      throw new RangeError(`The sandbox takes at most ${max} characters here, and was given ${json.length}`)
    return JSON.stringify({ value: operation(JSON.parse(json), program, bytes) })
  } catch (error) {
    const { name: kind, message, code, stack, input, base } = error as Error & Data
    // Every field is present: the guest must not look for one on Object.prototype.
    return JSON.stringify({
      error: {
        name: kind,
        message,
        code: typeof code === 'string' ? code : null,
        headed: String(stack).startsWith(`${kind} [${String(code)}]`),
        ...(typeof input === 'string' && { input, base }),
      },
    })
  }
}
