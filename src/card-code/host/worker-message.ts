// Reads the messages of a worker. Card code cannot send messages itself, but it runs in the worker's thread: so
// nothing in a message is trusted, and every field is bounded. An invalid message ends the run as `crashed`.
import type { End, Ending, FetchMessage, FromWorker, Level } from '../messages.js'

/** The longest returned value that is stored, in characters of JSON. */
export const maxJsonLength = 1_000_000
/** The longest log item, in characters. */
const maxLogLength = 1_200_000
const maxHeaders = 500
const maxHeaderLength = 70_000
const maxAddressLength = 65_536
/** The largest request body, in bytes. */
const maxRequestBytes = 16 * 1024 * 1024
const maxErrorLength = { name: 300, message: 11_000, stack: 40_000 }

const levels: readonly Level[] = ['info', 'warn', 'error', 'debug']
const ends: readonly End[] = [
  'returned',
  'threw',
  'timed-out',
  'missing-hook',
  'syntax-error',
  'out-of-memory',
  'crashed',
]
const types = ['undefined', 'object', 'boolean', 'number', 'bigint', 'string', 'symbol', 'function']
const redirectModes = ['follow', 'manual', 'error'] as const

/** Thrown inside this file alone. */
class Unreadable extends Error {}

type Fields = Readonly<Record<string, unknown>>

/** The message, with every field checked; undefined when it is not a message. */
export function parseWorkerMessage(message: unknown): FromWorker | undefined {
  try {
    return parse(fieldsOf(message))
  } catch {
    return undefined
  }
}

function parse(fields: Fields): FromWorker {
  const { kind } = fields
  if (kind === 'ready') return { kind }
  const run = count(fields.run)
  switch (kind) {
    case 'log':
      return {
        kind,
        run,
        atMs: instant(fields.atMs),
        level: oneOf(levels, fields.level),
        content: text(fields.content, maxLogLength),
      }
    case 'fetch':
      return { ...fetchOf(fields), run }
    case 'abort':
      return { kind, run, request: count(fields.request), atMs: instant(fields.atMs) }
    case 'taken':
      return { kind, run, bytes: count(fields.bytes) }
    case 'ending':
      return { kind, run, ending: endingOf(fieldsOf(fields.ending)) }
    case 'over':
      return { kind, run, isSpent: fields.isSpent === true, computedMs: duration(fields.computedMs) }
    default:
      throw new Unreadable()
  }
}

function fetchOf(fields: Fields): Omit<FetchMessage, 'run'> {
  const url = text(fields.url, maxAddressLength)
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw new Unreadable()
  const { body } = fields
  if (body !== undefined && (!(body instanceof Uint8Array) || body.length > maxRequestBytes))
    throw new Unreadable()
  return {
    kind: 'fetch',
    request: count(fields.request),
    atMs: instant(fields.atMs),
    method: text(fields.method, maxAddressLength),
    url,
    headers: headersOf(fields.headers),
    redirect: oneOf(redirectModes, fields.redirect),
    follow: count(fields.follow),
    body,
  }
}

function headersOf(value: unknown): [string, string][] {
  if (!Array.isArray(value) || value.length > maxHeaders) throw new Unreadable()
  let room = maxHeaderLength
  return value.map((pair: unknown) => {
    if (!Array.isArray(pair) || pair.length !== 2) throw new Unreadable()
    const header: [string, string] = [text(pair[0], room), text(pair[1], room)]
    room -= header[0].length + header[1].length
    if (room < 0) throw new Unreadable()
    return header
  })
}

function endingOf(fields: Fields): Ending {
  const end = oneOf(ends, fields.end)
  const error = fields.error === null ? null : errorOf(fieldsOf(fields.error))
  if ((end === 'returned') !== (error === null)) throw new Unreadable()
  const { json } = fields
  if (json !== undefined && typeof json !== 'string') throw new Unreadable()
  const kept = json !== undefined && json.length <= maxJsonLength ? json : undefined
  // The value is parsed again where it is used; here it is only checked that it can be.
  if (kept !== undefined) JSON.parse(kept)
  return {
    end,
    json: kept,
    returnedType: oneOf(types, fields.returnedType),
    error,
    completedMs: instant(fields.completedMs),
  }
}

function errorOf(fields: Fields): NonNullable<Ending['error']> {
  return {
    name: text(fields.name, maxErrorLength.name),
    message: text(fields.message, maxErrorLength.message),
    stack: text(fields.stack, maxErrorLength.stack),
    ...(fields.line !== undefined && { line: count(fields.line) }),
    afterMs: count(fields.afterMs),
  }
}

function fieldsOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null) throw new Unreadable()
  return value as Fields
}

function count(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new Unreadable()
  return value as number
}

/** An instant that a Date can represent. */
function instant(value: unknown): number {
  if (typeof value !== 'number' || Number.isNaN(new Date(value).getTime())) throw new Unreadable()
  return value
}

/** Milliseconds and their fractions. */
function duration(value: unknown): number {
  if (!Number.isFinite(value) || (value as number) < 0) throw new Unreadable()
  return value as number
}

function text(value: unknown, maxLength: number): string {
  if (typeof value !== 'string' || value.length > maxLength) throw new Unreadable()
  return value
}

function oneOf<T extends string>(known: readonly T[], value: unknown): T {
  const found = known.find((each) => each === value)
  if (found === undefined) throw new Unreadable()
  return found
}
