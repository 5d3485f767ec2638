// The prelude builds the guest, which is everything that card code sees, once. Every execution starts from a copy of that
// memory. Its value is a function that takes the bridge and returns the entries that the worker calls.
import moment from 'moment'
// Languages that card code asks for. Importing one selects it: `install` goes back to English.
import 'moment/dist/locale/af.js'
import 'moment/dist/locale/en-au.js'
import 'moment/dist/locale/en-ca.js'
import 'moment/dist/locale/en-gb.js'
import 'moment/dist/locale/en-ie.js'
import 'moment/dist/locale/en-nz.js'
import 'moment/dist/locale/de.js'
import 'moment/dist/locale/fr.js'
import 'moment/dist/locale/nl.js'
import 'moment/dist/locale/pt.js'
import { type Host, connect, define, tell } from './bridge.js'
import { installAbort } from './abort.js'
import { fire, installClock, seed } from './clock.js'
import { installClone } from './clone.js'
import { installConsole } from './console.js'
import { noteBuiltIns } from './description.js'
import { installEncoding } from './encoding.js'
import { describe, floating, held, installErrors, listed, mend, missing, syntaxErrorOf } from './errors.js'
import { arrive, installFetch } from './fetch.js'
import { installIntl } from './intl.js'
import { installSort } from './sort.js'
import { installDigests } from './digests.js'
import { installUrl } from './url.js'

const { parse, stringify } = JSON
const { then } = Promise.prototype
const resolve = Promise.resolve.bind(Promise)
const { apply, defineProperty } = Reflect

const digits = (precision: number): number =>
  Math.min(Math.max(Math.round(Math.log10(precision)) || 0, 0), 20)

const installBank = (): void => {
  // The name is the one that published card code calls.
  // The second argument is the precision: 100 stands for two decimals, not for a division.
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
    // As in Node, whatever is written there becomes text.
    defineProperty: (target, key, { value }) =>
      defineProperty(target, key, {
        __proto__: null,
        value: text(value),
        writable: true,
        enumerable: true,
        configurable: true,
      } as PropertyDescriptor),
  } as ProxyHandler<Record<string, unknown>>)
  define('process', { env })
}

/** Calls the hook and reports what becomes of it: its promise alone decides. */
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
  /** Delivers what the host has for the guest: a timer that is due, or news of a request. */
  deliver: (json: string, bytes?: ArrayBuffer): void => {
    try {
      // Without a prototype: what the host left out is not looked for on Object.prototype.
      const news = Object.setPrototypeOf(parse(json), null)
      if (news.kind === 'timer') fire(news.id)
      else arrive(news, bytes)
    } catch (error) {
      tell('uncaught', { threw: describe(error), nothing: error === null })
    }
  },
  /** Reports what the script's own top level, or reading the hook, threw. */
  fail: (error: unknown): void => {
    const syntax = syntaxErrorOf(error)
    if (syntax !== undefined) tell('syntax-error', syntax)
    else tell('settle', { threw: describe(error), nothing: error === null })
  },
}

export const install = (host: Host): typeof entries => {
  connect(host)
  installErrors()
  installClock()
  installAbort()
  installEncoding()
  installUrl()
  installIntl()
  installSort()
  installDigests()
  installConsole()
  installClone()
  installFetch()
  installBank()
  define('global', globalThis)
  moment.locale('en')
  define('moment', moment)
  noteBuiltIns()
  // What rewritten source calls; names that no card code will have by chance.
  Object.defineProperty(globalThis, '__caught', { value: mend })
  Object.defineProperty(globalThis, '__held', { value: held })
  Object.defineProperty(globalThis, '__listed', { value: listed })
  Object.defineProperty(globalThis, '__missing', { value: missing })
  Object.defineProperty(globalThis, '__floating', { value: floating })
  return entries
}
