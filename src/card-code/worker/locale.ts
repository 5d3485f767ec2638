// The worker's side of Intl: real formatters, cached by kind, locales and options. ICU cannot be interrupted, so
// every text, list and tag has a maximum length at which the slowest call takes a few milliseconds.
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
  'resolvedOptions',
])
// A hostile run could create formatters without end: beyond this many, the oldest are dropped.
const maxKept = 200
const maxText = 100_000
const maxItems = 10_000
const maxLocales = 100
const maxTag = 1_000

const bounded = (text: string, max: number): string => {
  if (text.length > max) throw new RangeError(`Intl takes at most ${max} characters at once here`)
  return text
}
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
  if (given === undefined) return given
  if (isText(given)) return bounded(given, maxTag)
  if (Array.isArray(given) && given.length > maxLocales)
    throw new RangeError(`Intl takes at most ${maxLocales} locales at once here`)
  if (Array.isArray(given) && given.every(isText)) return given.map((tag) => bounded(tag, maxTag))
  throw new TypeError('Incorrect locale information provided')
}

const optionsOf = (given: unknown): Options =>
  typeof given === 'object' && given !== null && !Array.isArray(given)
    ? Object.fromEntries(
        Object.entries(given).map(([name, value]) => [name, isText(value) ? bounded(value, maxTag) : value]),
      )
    : {}

// ICU sorts a run of combining marks in quadratic time. U+034F ends a run and has no weight.
const withoutLongRuns = (text: string): string => text.replace(/\p{M}{30}/gu, '$&\u034f')

const argumentOf = (given: unknown): unknown => {
  if (typeof given !== 'object' || given === null) return undefined
  const { date, number, string, bigint, list } = given as Record<string, unknown>
  if ('date' in given) return new Date(date === null ? Number.NaN : Number(date))
  if (isText(number)) return Number(number)
  if (isText(bigint)) return BigInt(bounded(bigint, maxText))
  if (isText(string)) return bounded(string, maxText)
  if (!Array.isArray(list)) return undefined
  if (list.length > maxItems) throw new RangeError(`Intl takes lists of at most ${maxItems} items here`)
  return list.map(argumentOf)
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
  const given = args.slice(0, 2).map(argumentOf)
  if (kind === 'Collator')
    return call.apply(
      formatter,
      given.map((item) => (isText(item) ? withoutLongRuns(item) : item)),
    )
  return call.apply(formatter, given)
}

/** The boundaries of the segments of a piece of text: where each ends, and whether it is a word if requested. */
export const segmentEnds = (data: Record<string, unknown>): { ends: number[]; words: boolean[] | null } => {
  const segmenter = formatterOf('Segmenter', localesOf(data.locales), optionsOf(data.options))
  if (!isText(data.text)) throw new TypeError('Bad Intl call')
  const text = bounded(data.text, maxText)
  const ends: number[] = []
  const words: boolean[] = []
  for (const { index, segment, isWordLike } of (segmenter as unknown as Intl.Segmenter).segment(text)) {
    ends.push(index + segment.length)
    if (isWordLike !== undefined) words.push(isWordLike)
  }
  return { ends, words: words.length === ends.length ? words : null }
}

/** `toLocaleString` and similar methods of a Date, in UTC by default. */
export const formatDate = (data: Record<string, unknown>): string => {
  const options = { timeZone: 'UTC', ...optionsOf(data.options) } as Intl.DateTimeFormatOptions
  const date = new Date(Number(data.time))
  const locales = localesOf(data.locales)
  // The plain methods create a formatter for every call: the usual styles use a cached one.
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
  const text = bounded(String(data.text), maxText)
  const locales = localesOf(data.locales)
  return data.operation === 'toLocaleUpperCase'
    ? text.toLocaleUpperCase(locales)
    : text.toLocaleLowerCase(locales)
}

/** `Intl.getCanonicalLocales`. */
export const canonicalLocales = (data: unknown): string[] => Intl.getCanonicalLocales(localesOf(data))

/** `Intl.supportedValuesOf`. */
export const supportedValues = (data: unknown): string[] => Intl.supportedValuesOf(data as 'currency')

const isAccented = (character: string): boolean =>
  /^[A-Za-z]\p{M}+$/u.test(character.normalize('NFD')) || 'ØøĐđĦħŁł'.includes(character)

interface Collation {
  characters: string
  letters: number[]
  accents: number[]
  cases: number[]
}

let collation: Collation | undefined

/**
 * The weights of ASCII, of Latin letters with accents and of common signs at the three levels of the root collation, found by
 * sorting them: characters that are one letter each, so that comparing weights one after the other is comparing texts.
 */
export const rootCollation = (): Collation => (collation ??= rankCharacters())

const rankCharacters = (): Collation => {
  const characters = Array.from('\t\n\r‘’“”‚„–—‹›«»¡¿§¶©®°±×÷€£¥¢·•')
  for (let code = 0x20; code < 0x7f; code += 1) characters.push(String.fromCharCode(code))
  for (let code = 0xc0; code < 0x250; code += 1)
    if (isAccented(String.fromCharCode(code))) characters.push(String.fromCharCode(code))
  const [base, accent, variant] = (['base', 'accent', 'variant'] as const).map(
    (sensitivity) => new Intl.Collator('en', { sensitivity }).compare,
  ) as [Compare, Compare, Compare]
  characters.sort(variant)
  const found: Collation = { characters: '', letters: [], accents: [], cases: [] }
  let [letter, accented, letterCase] = [0, 0, 0]
  characters.forEach((character, at) => {
    const before = characters[at - 1]
    if (before === undefined || base(before, character) !== 0)
      [letter, accented, letterCase] = [letter + 1, 1, 1]
    else if (accent(before, character) !== 0) [accented, letterCase] = [accented + 1, 1]
    else if (variant(before, character) !== 0) letterCase += 1
    found.characters += character
    found.letters.push(letter)
    found.accents.push(accented)
    found.cases.push(letterCase)
  })
  return found
}

type Compare = (a: string, b: string) => number
