// The prelude builds the guest once: everything that card code sees. Every execution starts from a copy of that
// memory. The prelude's value is a function that takes the bridge and returns the entries that the worker calls.
import moment from 'moment'
// Languages that card code asks for. Importing one selects it; `install` goes back to English.
import 'moment/dist/locale/af.js'
import 'moment/dist/locale/en-au.js'
import 'moment/dist/locale/en-ca.js'
import 'moment/dist/locale/en-gb.js'
import 'moment/dist/locale/en-ie.js'
import 'moment/dist/locale/en-il.js'
import 'moment/dist/locale/en-in.js'
import 'moment/dist/locale/en-nz.js'
import 'moment/dist/locale/en-sg.js'
import 'moment/dist/locale/de.js'
import 'moment/dist/locale/fr.js'
import 'moment/dist/locale/nl.js'
import 'moment/dist/locale/pt.js'
import { type Host, connect, define, override, tell } from './bridge.js'
import { installAbort } from './abort.js'
import { installCircular } from './circular.js'
import { fire, installClock, seed } from './clock.js'
import { installClone } from './clone.js'
import { installConsole } from './console.js'
import { noteBuiltIns } from './description.js'
import { installEncoding } from './encoding.js'
import {
  describe,
  floating,
  held,
  installErrors,
  listed,
  mend,
  missing,
  spread,
  syntaxErrorOf,
} from './errors.js'
import { arrive, installFetch } from './fetch.js'
import { installIntl } from './intl.js'
import { installSort } from './sort.js'
import { installDigests } from './digests.js'
import { installDomException } from './dom-exception.js'
import { installEvents } from './events.js'
import { installBuffer } from './node-buffer.js'
import { installNewer, warnOnce } from './newer.js'
import { installNodeErrors, invalidType } from './node-errors.js'
import { installUrl } from './url.js'

const { parse, stringify } = JSON
const { then } = Promise.prototype
const resolve = Promise.resolve.bind(Promise)
const { apply, defineProperty } = Reflect

const digits = (precision: number): number =>
  Math.min(Math.max(Math.round(Math.log10(precision)) || 0, 0), 20)

const installBank = (): void => {
  // The name that published card code calls.
  const decimal = (value: number, precision = 100): string => Number(value).toFixed(digits(precision))
  const helpers = { format: { decimal } }
  define('investec', { helpers })
  define('helpers', helpers)
}

// Throws for a symbol, as Node does.
const text = (value: any): string => '' + value

const installProcess = (variables: Record<string, string>): void => {
  const env = new Proxy<Record<string, unknown>>({ ...variables }, {
    __proto__: null,
    // As in Node, every value that is written becomes text.
    defineProperty: (target, key, { value }) =>
      defineProperty(target, key, {
        __proto__: null,
        value: text(value),
        writable: true,
        enumerable: true,
        configurable: true,
      } as PropertyDescriptor),
  } as ProxyHandler<Record<string, unknown>>)
  const process: Record<string, unknown> = { env }
  const nextTick = (run: unknown, ...args: unknown[]): void => {
    if (typeof run !== 'function') throw invalidType('callback', 'of type function', run)
    void apply(then, resolve(), [() => void apply(run, undefined, args)])
  }
  define('nextTick', nextTick, process)
  // Reading a missing member leaves a warning: otherwise code would only find `undefined`.
  for (const name of ['version', 'versions', 'platform', 'arch', 'pid', 'argv', 'release', 'title'])
    defineProperty(process, name, {
      __proto__: null,
      configurable: true,
      get: () =>
        warnOnce(`process.${name} is undefined: of \`process\` card code has \`env\` and \`nextTick\` alone`),
      set: (value: unknown) => define(name, value, process, true),
    } as PropertyDescriptor)
  define('process', process)
}

/** moment falls back silently when it lacks the requested language. */
const warnOfLanguages = (target: any): void => {
  const { locale } = target
  override(target, {
    locale(this: any, asked?: any, ...more: any[]) {
      const answer: unknown = apply(locale, this, [asked, ...more])
      const used = typeof answer === 'string' ? answer : (answer as any)?.locale?.()
      const isOther = (name: string): boolean =>
        name.toLowerCase().replace('_', '-').split('-')[0] !== used.split('-')[0]
      if (typeof asked === 'string' && typeof used === 'string' && more.length === 0 && isOther(asked))
        warnOnce(
          `moment: the sandbox has not the language ${asked}, and goes on in ${used}: use Intl.DateTimeFormat`,
        )
      return answer
    },
  })
}

/** Calls the hook and reports its result: only its promise decides. */
const start = (hook: (payload: unknown) => unknown, payload: string): void => {
  const threw = (error: unknown): void => tell('settle', { threw: describe(error), nothing: error === null })
  const returned = (value: unknown): void => {
    let json: string | undefined
    try {
      json = stringify(value) as string | undefined
    } catch {
      // A cycle or a bigint has no JSON: the type is all that can be told.
    }
    tell('settle', { type: typeof value, json })
  }
  try {
    const result = hook(parse(payload))
    void apply(then, resolve(result), [returned, threw])
  } catch (error) {
    threw(error)
  }
}

const entries = {
  /** Prepares the guest for one run. */
  begin: (json: string): void => {
    const run = parse(json) as { seed: number; variables: Record<string, string> }
    seed(run.seed)
    installProcess(run.variables)
  },
  start,
  /** Delivers the host's events: a timer that is due, or news of a request. */
  deliver: (json: string, bytes?: ArrayBuffer): void => {
    try {
      // Without a prototype, so that a missing member is not looked up on Object.prototype.
      const news = Object.setPrototypeOf(parse(json), null)
      if (news.kind === 'timer') fire(news.id)
      else arrive(news, bytes)
    } catch (error) {
      tell('uncaught', { threw: describe(error), nothing: error === null })
    }
  },
  /** Reports an error of the script's top level, or of reading the hook. */
  fail: (error: unknown): void => {
    const syntax = syntaxErrorOf(error)
    if (syntax !== undefined) tell('syntax-error', syntax)
    else tell('settle', { threw: describe(error), nothing: error === null })
  },
}

export const install = (host: Host): typeof entries => {
  connect(host)
  installErrors()
  installCircular()
  installNodeErrors()
  installDomException()
  installClock()
  installEvents()
  installAbort()
  installEncoding()
  installBuffer()
  installUrl()
  installNewer()
  installIntl()
  installSort()
  installDigests()
  installConsole()
  installClone()
  installFetch()
  installBank()
  define('global', globalThis)
  moment.locale('en')
  warnOfLanguages(moment)
  warnOfLanguages((moment as any).fn)
  define('moment', moment)
  noteBuiltIns()
  // The names that rewritten source calls; card code never has them by chance.
  Object.defineProperty(globalThis, '__caught', { value: mend })
  Object.defineProperty(globalThis, '__held', { value: held })
  Object.defineProperty(globalThis, '__listed', { value: listed })
  Object.defineProperty(globalThis, '__missing', { value: missing })
  Object.defineProperty(globalThis, '__spread', { value: spread })
  Object.defineProperty(globalThis, '__floating', { value: floating })
  return entries
}
