// Intl with Node's locale data. A formatter in the guest is a name, locales and options. The worker keeps the real
// formatter, finds it by those three, and answers each call. The default zone is UTC, as on the real service.
import { ask, askNumber, define, override } from './bridge.js'
import { type CollationOptions, collationOptions, comparePlain } from './collation.js'
import { segmentsOf } from './segments.js'

const plain = (value: unknown): unknown => {
  if (value instanceof Date) return { date: value.getTime() }
  if (typeof value === 'bigint') return { bigint: value.toString() }
  if (typeof value === 'number') return { number: Object.is(value, -0) ? '-0' : String(value) }
  if (typeof value === 'string') return { string: value }
  if (value === undefined) return { undefined: true }
  if (value === null) return { number: '0' }
  if (Array.isArray(value)) return { list: value.map(plain) }
  if (typeof value === 'object' && Symbol.iterator in value)
    return { list: Array.from(value as Iterable<unknown>, plain) }
  return plain((value as any)?.valueOf() === value ? String(value) : (value as any).valueOf())
}

// Options are read as the platform reads them: getters run here, and only plain values cross the bridge.
const copied = (options: any): Record<string, unknown> | undefined => {
  if (options === undefined) return undefined
  if (options === null) throw new TypeError('Cannot convert undefined or null to object')
  const copy: Record<string, unknown> = {}
  for (const name in Object(options)) {
    const value = options[name]
    if (value !== undefined)
      copy[name] = typeof value === 'boolean' || typeof value === 'number' ? value : String(value)
  }
  return copy
}

const { apply } = Reflect
const { test } = RegExp.prototype

// Languages that change letter case, and sort plain texts, as without any language.
const isPlainLocale = (given: unknown): boolean =>
  typeof given === 'string' && apply(test, /^(?:en|af|zu|xh|de|nl|pt)(?:-[A-Z]{2})?$|^fr(?:-FR)?$/, [given])

const locale = (locales: any): unknown =>
  locales === undefined || typeof locales === 'string'
    ? locales
    : Array.from(locales as Iterable<unknown>, String)

const call = (kind: string, locales: unknown, options: unknown, method: string, args: unknown[]): any =>
  ask('intl', { kind, locales: locale(locales), options: copied(options), method, args: args.map(plain) })

/** The methods of a formatter; `bound` ones are getters of functions that need no receiver. */
interface Shape {
  readonly methods: string[]
  readonly bound: string[]
}

const formatters: Record<string, Shape> = {
  NumberFormat: { methods: ['formatToParts', 'formatRange', 'formatRangeToParts'], bound: ['format'] },
  DateTimeFormat: { methods: ['formatToParts', 'formatRange', 'formatRangeToParts'], bound: ['format'] },
  PluralRules: { methods: ['select', 'selectRange'], bound: [] },
  RelativeTimeFormat: { methods: ['format', 'formatToParts'], bound: [] },
  ListFormat: { methods: ['format', 'formatToParts'], bound: [] },
  DisplayNames: { methods: ['of'], bound: [] },
  Collator: { methods: [], bound: ['compare'] },
  Segmenter: { methods: [], bound: [] },
}

/** One kind of formatter, and what its instances were made with: locales and options. */
interface Kind {
  readonly kind: string
  readonly state: WeakMap<object, readonly [unknown, unknown]>
  /** Collators that compare most texts here. */
  readonly plainly: WeakMap<object, CollationOptions>
}

/** The constructors that may be called without `new`. */
const callable = ['NumberFormat', 'DateTimeFormat', 'Collator']

const constructorOf = ({ kind, state, plainly }: Kind): any => {
  const make: any = function (this: unknown, locales?: unknown, options?: any): unknown {
    if (new.target === undefined && !callable.includes(kind))
      throw new TypeError(`Constructor Intl.${kind} requires 'new'`)
    const self = Object.create((new.target ?? make).prototype)
    const given = [locale(locales), copied(options)] as const
    call(kind, given[0], given[1], 'resolvedOptions', [])
    state.set(self, given)
    if (kind === 'Collator') {
      const known = collationOptions(given[1])
      if (known !== undefined && (given[0] === undefined || isPlainLocale(given[0]))) plainly.set(self, known)
    }
    return self
  }
  Object.defineProperty(make, 'name', { value: kind, configurable: true })
  Object.defineProperty(make, 'length', { value: 0, configurable: true })
  return make
}

/** What a method of an instance answers. */
const answer = ({ kind, state, plainly }: Kind, self: object, method: string, args: unknown[]): any => {
  const given = state.get(self)
  if (given === undefined) {
    throw new TypeError(
      `Method Intl.${kind}.prototype.${method} called on incompatible receiver ${String(self)}`,
    )
  }
  const isOfTime = kind === 'DateTimeFormat' && (method === 'format' || method === 'formatToParts')
  if (isOfTime && args[0] === undefined) return call(kind, given[0], given[1], method, [askNumber('now')])
  if (method === 'compare' && plainly.has(self)) {
    const plain = comparePlain(String(args[0]), String(args[1]), plainly.get(self)!)
    if (plain !== undefined) return plain
  }
  return call(kind, given[0], given[1], method, args)
}

const defineMethods = (prototype: object, of: Kind, { methods, bound }: Shape): void => {
  if (of.kind === 'Segmenter')
    define(
      'segment',
      function (this: object, text: unknown) {
        answer(of, this, 'resolvedOptions', [])
        const given = of.state.get(this)!
        return segmentsOf(String(text), { locales: given[0], options: given[1] })
      },
      prototype,
    )
  for (const method of [...methods, 'resolvedOptions']) {
    define(
      method,
      function (this: object, ...args: unknown[]) {
        return answer(of, this, method, args)
      },
      prototype,
    )
  }
  for (const method of bound) {
    Object.defineProperty(prototype, method, {
      configurable: true,
      get(this: object) {
        return (...args: unknown[]) => answer(of, this, method, args)
      },
    })
  }
  Object.defineProperty(prototype, Symbol.toStringTag, { value: `Intl.${of.kind}`, configurable: true })
}

const formatter = (kind: string, shape: Shape): any => {
  const of: Kind = { kind, state: new WeakMap(), plainly: new WeakMap() }
  const make = constructorOf(of)
  defineMethods(make.prototype, of, shape)
  define(
    'supportedLocalesOf',
    (locales: unknown) => call(kind, locales, undefined, 'supportedLocalesOf', []),
    make,
  )
  return make
}

const installFormatters = (): void => {
  const Intl: Record<string, unknown> = {}
  for (const [kind, shape] of Object.entries(formatters)) define(kind, formatter(kind, shape), Intl)
  define('getCanonicalLocales', (locales: unknown) => ask('intl-locales', locale(locales) ?? []), Intl)
  define('supportedValuesOf', (key: unknown) => ask('intl-values', String(key)), Intl)
  Object.defineProperty(Intl, Symbol.toStringTag, { value: 'Intl', configurable: true })
  define('Intl', Intl)
}

const installDates = (): void => {
  const dates = (style: string) =>
    function (this: Date, locales?: unknown, options?: unknown) {
      const time = this.getTime()
      if (Number.isNaN(time)) return 'Invalid Date'
      return ask('intl-date', { time, style, locales: locale(locales), options: copied(options) })
    }
  override(Date.prototype, {
    toLocaleString: dates('toLocaleString'),
    toLocaleDateString: dates('toLocaleDateString'),
    toLocaleTimeString: dates('toLocaleTimeString'),
  })
}

const installNumbers = (): void => {
  const numbers = function (this: unknown, locales?: unknown, options?: unknown) {
    return call('NumberFormat', locales, options, 'format', [(this as any).valueOf()])
  }
  override(Number.prototype, { toLocaleString: numbers })
  override(BigInt.prototype, { toLocaleString: numbers })
}

const installTexts = (): void => {
  const { toUpperCase, toLowerCase } = String.prototype
  const text = (operation: string, plainly: () => string) =>
    function (this: unknown, locales?: unknown) {
      const whole = String(this)
      if (locales === undefined || isPlainLocale(locales)) return apply(plainly, whole, [])
      return ask('intl-case', { text: whole, operation, locales: locale(locales) })
    }
  override(String.prototype, {
    localeCompare(this: unknown, other: unknown, locales?: unknown, options?: unknown) {
      const first = String(this)
      const second = String(other)
      const known = locales === undefined || isPlainLocale(locales) ? collationOptions(options) : undefined
      const plain = known === undefined ? undefined : comparePlain(first, second, known)
      return plain ?? call('Collator', locales, options, 'compare', [first, second])
    },
    toLocaleUpperCase: text('toLocaleUpperCase', toUpperCase),
    toLocaleLowerCase: text('toLocaleLowerCase', toLowerCase),
  })
}

/** Installs Intl and the locale-aware methods of the built-in types. */
export const installIntl = (): void => {
  installFormatters()
  installDates()
  installNumbers()
  installTexts()
  override(Array.prototype, {
    toLocaleString(this: any[], ...args: unknown[]) {
      return Array.from(this, (item) =>
        item === null || item === undefined ? '' : item.toLocaleString(...args),
      ).join()
    },
  })
}
