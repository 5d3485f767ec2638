// console: one log item for each call. A string stays as it is, and plain data becomes compact JSON. Anything else is
// described as plain data, and the worker prints it with Node's own util.format, so that it reads as in Node.
import { askNumber, define, tell } from './bridge.js'
import { describeArguments, isCustom, tagOf } from './description.js'

// Where JSON says too little ({} for an error or a map), Node's own format is printed instead.
const asData = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null || isCustom(value)) return false
  const tag = tagOf(value)
  return (tag === 'Object' || tag === 'Array' || tag === 'Date') && !(value instanceof Error)
}

const { stringify } = JSON

let depth = 0

const write = (level: string, args: unknown[]): void => {
  const [only] = args
  if (args.length === 1 && typeof only === 'string') {
    tell('log', { level, text: only, depth })
    return
  }
  if (args.length === 1 && asData(only)) {
    try {
      const text: unknown = stringify(only)
      if (typeof text === 'string') {
        tell('log', { level, text, depth })
        return
      }
    } catch {
      // Cycles and bigints have no JSON: printed like the rest.
    }
  }
  tell('log', { level, args: describeArguments(args), depth })
}

const counts = new Map<string, number>()
const { get, set, delete: remove } = Map.prototype
const count = (label: string, change: number): number => {
  const now = ((get.call(counts, label) as number | undefined) ?? 0) + change
  set.call(counts, label, now)
  return now
}

const begun = new Map<string, number>()
const spent = (label: string, args: unknown[]): void => {
  const since = get.call(begun, label) as number | undefined
  if (since === undefined) {
    write('warn', [`Warning: No such label '${label}' for console.timeEnd()`])
    return
  }
  const ms = askNumber('now') - since
  const shown = ms >= 1000 ? `${(ms / 1000).toFixed(3)}s` : `${Number(ms.toFixed(3))}ms`
  write('info', [`${label}: ${shown}`, ...args])
}

/** Installs console. */
export const installConsole = (): void => {
  const levels = {
    log: 'info',
    info: 'info',
    warn: 'warn',
    error: 'error',
    debug: 'debug',
    trace: 'error',
    dir: 'info',
    dirxml: 'info',
  }
  const methods: Record<string, (...args: any[]) => void> = {
    assert: (holds?: unknown, ...args: unknown[]) => {
      if (holds) return
      const [first, ...rest] = args
      if (typeof first === 'string') write('warn', [`Assertion failed: ${first}`, ...rest])
      else write('warn', ['Assertion failed', ...args])
    },
    count: (label: unknown = 'default') => write('info', [`${label}: ${count(`${label}`, 1)}`]),
    countReset: (label: unknown = 'default') => void remove.call(counts, `${label}`),
    group: (...args: unknown[]) => {
      if (args.length > 0) write('info', args)
      depth += 1
    },
    groupEnd: () => {
      depth = depth > 0 ? depth - 1 : 0
    },
    time: (label: unknown = 'default') => void set.call(begun, `${label}`, askNumber('now')),
    timeLog: (label: unknown = 'default', ...args: unknown[]) => spent(`${label}`, args),
    timeEnd: (label: unknown = 'default') => {
      spent(`${label}`, [])
      remove.call(begun, `${label}`)
    },
    table: (data: unknown, columns?: unknown) => {
      if (typeof data !== 'object' || data === null) write('info', [data])
      else tell('log', { level: 'info', args: describeArguments([data, columns]), table: true, depth })
    },
  }
  methods.groupCollapsed = methods.group!
  for (const [name, level] of Object.entries(levels)) methods[name] = (...args) => write(level, args)
  const console: Record<string, unknown> = {}
  for (const [name, method] of Object.entries(methods)) {
    Object.defineProperty(method, 'name', { value: name })
    console[name] = method
  }
  define('console', console)
}
