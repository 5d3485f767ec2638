// The host's side of Intl: real formatters, kept for the next call, found by kind, locales and options.
const kinds = {
  NumberFormat: Intl.NumberFormat,
  DateTimeFormat: Intl.DateTimeFormat,
  PluralRules: Intl.PluralRules,
  RelativeTimeFormat: Intl.RelativeTimeFormat,
  ListFormat: Intl.ListFormat,
  DisplayNames: Intl.DisplayNames,
  Collator: Intl.Collator,
  Segmenter: Intl.Segmenter,
} as const

type Kind = keyof typeof kinds
type Options = Record<string, unknown>
type Formatter = Record<string, (...args: unknown[]) => unknown>

const methods = new Set([
  'format',
  'formatToParts',
  'formatRange',
  'formatRangeToParts',
  'select',
  'selectRange',
  'of',
  'compare',
  'segment',
  'resolvedOptions',
])
// A hostile run could ask for ever new formatters: beyond this many, the oldest go.
const maxKept = 200
const kept = new Map<string, Formatter>()

const isKind = (kind: unknown): kind is Kind => typeof kind === 'string' && Object.hasOwn(kinds, kind)

const formatterOf = (kind: Kind, locales: string | string[] | undefined, options: Options): Formatter => {
  const key = JSON.stringify([kind, locales, options])
  const before = kept.get(key)
  if (before !== undefined) return before
  const Constructor = kinds[kind] as unknown as new (locales: unknown, options: unknown) => Formatter
  const zoned = kind === 'DateTimeFormat' ? { timeZone: 'UTC', ...options } : options
  const made = new Constructor(locales, zoned)
  if (kept.size >= maxKept) kept.delete(kept.keys().next().value!)
  kept.set(key, made)
  return made
}

const isText = (value: unknown): value is string => typeof value === 'string'

const localesOf = (given: unknown): string | string[] | undefined => {
  if (given === undefined || isText(given)) return given
  if (Array.isArray(given) && given.every(isText)) return given
  throw new TypeError('Incorrect locale information provided')
}

const optionsOf = (given: unknown): Options =>
  typeof given === 'object' && given !== null && !Array.isArray(given) ? { ...given } : {}

const argumentOf = (given: unknown): unknown => {
  if (typeof given !== 'object' || given === null) return undefined
  const { date, number, string, bigint, list } = given as Record<string, unknown>
  if ('date' in given) return new Date(date === null ? Number.NaN : Number(date))
  if (isText(number)) return Number(number)
  if (isText(bigint)) return BigInt(bigint)
  if (isText(string)) return string
  return Array.isArray(list) ? list.map(argumentOf) : undefined
}

/** Calls a method of a formatter. Throws what the real one throws. */
export const callIntl = (data: Record<string, unknown>): unknown => {
  const { kind, method, args } = data
  if (!isKind(kind) || typeof method !== 'string' || !Array.isArray(args))
    throw new TypeError('Bad Intl call')
  const locales = localesOf(data.locales)
  if (method === 'supportedLocalesOf') {
    const constructor = kinds[kind] as { supportedLocalesOf: (locales: string | string[]) => string[] }
    return constructor.supportedLocalesOf(locales ?? [])
  }
  if (!methods.has(method)) throw new TypeError('Bad Intl call')
  const formatter = formatterOf(kind, locales, optionsOf(data.options))
  const call = formatter[method]
  if (call === undefined) throw new TypeError('Bad Intl call')
  const given = args.map(argumentOf)
  if (kind === 'DateTimeFormat' && method !== 'resolvedOptions' && given[0] === undefined) {
    throw new TypeError('Bad date')
  }
  const value = call.apply(formatter, given)
  return method === 'segment' ? [...(value as Iterable<unknown>)] : value
}

/** `toLocaleString` and its kin of a Date, in UTC unless the options say otherwise. */
export const formatDate = (data: Record<string, unknown>): string => {
  const options = { timeZone: 'UTC', ...optionsOf(data.options) } as Intl.DateTimeFormatOptions
  const date = new Date(Number(data.time))
  const locales = localesOf(data.locales)
  // The plain methods cost a new formatter a call: the usual styles are asked of a kept one.
  const parts = [
    'weekday',
    'year',
    'month',
    'day',
    'dayPeriod',
    'hour',
    'minute',
    'second',
    'fractionalSecondDigits',
  ]
  const styled = Object.keys(options).some((name) => name.endsWith('Style') || parts.includes(name))
  if (!styled) {
    const day = { year: 'numeric', month: 'numeric', day: 'numeric' } as const
    const time = { hour: 'numeric', minute: 'numeric', second: 'numeric' } as const
    const usual =
      data.style === 'toLocaleDateString'
        ? day
        : data.style === 'toLocaleTimeString'
          ? time
          : { ...day, ...time }
    return formatterOf('DateTimeFormat', locales, { ...options, ...usual }).format!(date) as string
  }
  if (data.style === 'toLocaleDateString') return date.toLocaleDateString(locales, options)
  if (data.style === 'toLocaleTimeString') return date.toLocaleTimeString(locales, options)
  return date.toLocaleString(locales, options)
}

/** `toLocaleUpperCase` and `toLocaleLowerCase`. */
export const changeCase = (data: Record<string, unknown>): string => {
  const text = String(data.text)
  const locales = localesOf(data.locales)
  return data.operation === 'toLocaleUpperCase'
    ? text.toLocaleUpperCase(locales)
    : text.toLocaleLowerCase(locales)
}

/** `Intl.getCanonicalLocales`. */
export const canonicalLocales = (data: unknown): string[] => Intl.getCanonicalLocales(localesOf(data))

/** `Intl.supportedValuesOf`. */
export const supportedValues = (data: unknown): string[] => Intl.supportedValuesOf(data as 'currency')
