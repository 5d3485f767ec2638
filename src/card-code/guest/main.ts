// The prelude: builds the world that card code sees, once; a copy of the memory that holds it is what every execution
// starts from. Its value is a function that takes the bridge and gives back the four entries that the worker calls.
import moment from 'moment'
import { type Host, connect, define, tell } from './bridge.js'
import { installAbort } from './abort.js'
import { fire, installClock, seed } from './clock.js'
import { installClone } from './clone.js'
import { installConsole } from './console.js'
import { installEncoding } from './encoding.js'
import { describe, floating, held, installErrors, listed, mend, missing } from './errors.js'
import { arrive, installFetch } from './fetch.js'
import { installIntl } from './intl.js'
import { installUrl } from './url.js'

const { parse, stringify } = JSON
const { then } = Promise.prototype
const resolve = Promise.resolve.bind(Promise)

const installBank = (): void => {
  // The name is the one that published card code calls.
  const helpers = { format: { decimal: (value: number, divisor = 100) => (value / divisor).toFixed(2) } }
  define('investec', { helpers })
  define('helpers', helpers)
}

const installProcess = (variables: Record<string, string>): void => {
  const env = new Proxy<Record<string, unknown>>(
    { ...variables },
    {
      // As in Node, whatever is written there becomes text.
      defineProperty: (target, key, { value }) =>
        Reflect.defineProperty(target, key, {
          value: `${value}`,
          writable: true,
          enumerable: true,
          configurable: true,
        }),
    },
  )
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
    void then.call(resolve(result), returned, threw)
  } catch (error) {
    threw(error)
  }
}

const entries = {
  /** Sets the world up for one run. */
  begin: (json: string): void => {
    const run = parse(json) as { seed: number; variables: Record<string, string> }
    seed(run.seed)
    installProcess(run.variables)
  },
  start,
  /** Delivers what the host has for the box: a timer that is due, or news of a request. */
  deliver: (json: string, bytes?: ArrayBuffer): void => {
    const news = parse(json)
    if (news.kind !== 'timer') {
      arrive(news, bytes)
      return
    }
    try {
      fire(news.id)
    } catch (error) {
      tell('uncaught', { threw: describe(error), nothing: error === null })
    }
  },
  /** Tells what an uncaught error of the script's own top level was. */
  fail: (error: unknown): void => tell('settle', { threw: describe(error), nothing: error === null }),
}

export const install = (host: Host): typeof entries => {
  connect(host)
  installErrors()
  installClock()
  installAbort()
  installEncoding()
  installUrl()
  installIntl()
  installConsole()
  installClone()
  installFetch()
  installBank()
  define('global', globalThis)
  define('moment', moment)
  // What rewritten source calls; names that no card code will have by chance.
  Object.defineProperty(globalThis, '__caught', { value: mend })
  Object.defineProperty(globalThis, '__held', { value: held })
  Object.defineProperty(globalThis, '__listed', { value: listed })
  Object.defineProperty(globalThis, '__missing', { value: missing })
  Object.defineProperty(globalThis, '__floating', { value: floating })
  return entries
}
