// The reference of the fidelity suite: runs each program (JSON on stdin) in plain Node, with the globals that card code
// has, and prints what each returned, threw and logged.
import { Console } from 'node:console'
import { Writable } from 'node:stream'
import { createContext, runInContext } from 'node:vm'
import { format, inspect } from 'node:util'
import { text } from 'node:stream/consumers'
import fetch, { FetchError, Headers, Request, Response } from 'node-fetch'
import moment from 'moment'

const printed = (...args) => {
  const [only] = args
  if (args.length !== 1) return format(...args)
  if (typeof only === 'string') return only
  const tag = Object.prototype.toString.call(only).slice(8, -1)
  const data = (tag === 'Object' || tag === 'Array' || tag === 'Date') && !only[inspect.custom]
  try {
    if (data) return JSON.stringify(only)
  } catch {
    // A cycle: printed as Node prints it.
  }
  return format(only)
}

const contextFor = (logs) => {
  let level = 'info'
  const stdout = new Writable({
    write: (chunk, _, done) => {
      logs.push(`${level}: ${chunk.toString().trimEnd()}`)
      done()
    },
  })
  const real = new Console({ stdout })
  const levels = { log: 'info', info: 'info', warn: 'warn', error: 'error', debug: 'debug' }
  const through =
    (name) =>
    (...args) => {
      level = levels[name] ?? 'info'
      if (name in levels) real[name]('%s', printed(...args))
      else real[name](...args)
    }
  const others = ['count', 'countReset', 'group', 'groupEnd', 'table', 'dirxml', 'time']
  const console = Object.fromEntries([...Object.keys(levels), ...others].map((name) => [name, through(name)]))
  return createContext({
    ...{ console, fetch, FetchError, Headers, Request, Response, moment, process: { env: { LIMIT: '100' } } },
    ...{ Buffer, URL, URLSearchParams, TextEncoder, TextDecoder, atob, btoa, structuredClone, crypto },
    ...{
      AbortController,
      AbortSignal,
      CustomEvent,
      DOMException,
      Event,
      EventTarget,
      setTimeout,
      setInterval,
      setImmediate,
      queueMicrotask,
    },
    ...{ clearTimeout, clearInterval, clearImmediate },
  })
}

// Unhandled rejections of a program are ignored.
process.on('unhandledRejection', () => undefined)
process.on('uncaughtException', () => undefined)

const { programs, payload } = JSON.parse(await text(process.stdin))
const results = []
for (const source of programs) {
  const logs = []
  try {
    const context = contextFor(logs)
    runInContext(source, context, { filename: 'main.js' })
    const hook = runInContext('hook', context)
    const value = await hook(structuredClone(payload))
    results.push({ value: JSON.stringify(value) ?? 'undefined', logs })
  } catch (error) {
    // The column is omitted: V8 has no position for some expressions, and reports that of their statement.
    const at = /main\.js:\d+(?=:\d+)/.exec(String(error?.stack))?.[0] ?? ''
    results.push({ error: `${error?.name}: ${error?.message}`, at, logs })
  }
}
process.stdout.write(JSON.stringify(results))
