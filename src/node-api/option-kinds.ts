// The kinds of option values: how the text of a flag or a value of the Node API is read, and how a refusal describes
// it.

import { isJsonObject } from '../protocol/json.js'
import { cut } from '../protocol/quote.js'
import { types } from 'node:util'
import { isInRange, parseInstant } from '../determinism/day.js'
import { parseMs } from '../determinism/duration.js'

/** One kind of value. */
export interface Kind<T = unknown> {
  /** The valid values, after "must be". */
  readonly wanted: string
  /** The same for the Node API, which accepts more types. */
  readonly wantedInCode?: string
  /** The value to use; undefined when it is invalid. */
  readonly read: (value: unknown) => T | undefined
  /** Converts the text of a flag; by default the text itself. */
  readonly fromText?: (text: string) => unknown
  /** All possible values, if there are only a few. */
  readonly names?: readonly string[]
  /** Refusals do not repeat the value. */
  readonly isSecret?: boolean
}

/** A whole number within bounds, both included. */
export const wholeNumber = (min: number, max: number): Kind<number> => ({
  wanted: `a whole number from ${min} to ${max}`,
  read: (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max ? value : undefined,
  fromText: (text) => (/^\d{1,10}$/.test(text) ? Number(text) : text),
})

/** A text that is not blank. */
export const text = (wanted: string): Kind<string> => ({
  wanted,
  read: (value) => (typeof value === 'string' && value.trim() !== '' ? value : undefined),
})

/** A text that matches a pattern. */
export const pattern = (wanted: string, expression: RegExp): Kind<string> => ({
  wanted,
  read: (value) => (typeof value === 'string' && expression.test(value) ? value : undefined),
})

/** One of a few words. */
export const choice = <const T extends string>(names: readonly T[]): Kind<T> => ({
  wanted: names.length > 2 ? `one of ${names.join(', ')}` : names.join(' or '),
  names,
  read: (value) => names.find((name) => name === value),
})

/** On or off: a flag without a value, and 1 or 0 in the environment. */
export const yesOrNo: Kind<boolean> = {
  wanted: '1 or 0, true or false, yes or no',
  wantedInCode: 'true or false',
  read: (value) => (typeof value === 'boolean' ? value : undefined),
  fromText: (text) => {
    const word = text.toLowerCase()
    if (['1', 'true', 'yes'].includes(word)) return true
    return ['', '0', 'false', 'no'].includes(word) ? false : text
  },
}

/** An instant, read as epoch ms. */
export const instant: Kind<number> = {
  wanted: 'a date from 1980 to 2200, such as 2026-03-25 or 2026-03-25T08:00:00Z',
  wantedInCode: 'an instant from 1980 to 2200: a Date, epoch ms, 2026-03-25 or 2026-03-25T08:00:00Z',
  read: (value) => {
    if (typeof value === 'string') return parseInstant(value)
    const ms = types.isDate(value) ? value.getTime() : value
    return typeof ms === 'number' && Number.isInteger(ms) && isInRange(ms) ? ms : undefined
  },
}

/** A duration without years and months, of at least a minute, read as ms. */
export const duration: Kind<number> = {
  wanted: 'a duration of ISO 8601 of at least a minute, such as P30D',
  read: (value) => {
    const ms = typeof value === 'string' ? parseMs(value) : undefined
    return ms !== undefined && ms >= 60_000 ? ms : undefined
  },
}

/** The origin of web pages, exactly as browsers send it. */
export const origin: Kind<string> = {
  wanted: 'an origin such as http://localhost:5173, or *',
  read: (value) => {
    if (value === '*') return value
    if (typeof value !== 'string' || !URL.canParse(value)) return undefined
    const parsed = new URL(value)
    return parsed.origin === value && /^https?:$/.test(parsed.protocol) ? value : undefined
  },
}

/** A host name without port: only the name is compared, so a port or a scheme would never match. */
export const hostName: Kind<string> = pattern(
  'a host name such as bank.test, without a port',
  /^(?:[a-z0-9._-]+|(?=(?:[^:]*:){2})[0-9a-f:.]+)$/i,
)

/** A text that can be sent as a bearer token or a password, of at least 8 characters. */
export const secret: Kind<string> = {
  ...pattern('8 to 200 visible ASCII characters without a space', /^[\x21-\x7e]{8,200}$/),
  isSecret: true,
}

/** A callback function. */
export const callback = <F extends (...args: never[]) => void>(): Kind<F> => ({
  wanted: 'a function',
  read: (value) => (typeof value === 'function' ? (value as F) : undefined),
})

/** A scenario: a name, the path of a file, or in code the content of such a file. */
export const scenarioInput: Kind<string | object> = {
  wanted: 'a name, or the path of a file',
  wantedInCode: 'a name, the path of a file, or an object with the content of such a file',
  read: (value) => {
    if (typeof value === 'string') return value === '' ? undefined : value
    if (!isJsonObject(value)) return undefined
    // A copy, so that later changes by the caller do not change the scenario.
    return plain(value) as object | undefined
  },
}

/** The value as JSON represents it; undefined when JSON cannot. */
function plain(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value))
  } catch {
    return undefined
  }
}

/** A value of the Node API for a message, at most 60 characters of it. */
export const shownValue = (value: unknown): string => {
  const whole = types.isDate(value) ? String(value) : jsonOf(value)
  return cut(whole ?? typeof value)
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
