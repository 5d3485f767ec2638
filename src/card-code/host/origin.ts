// Recognises calls of card code, however they come back: over the network by a header that only calls to local
// addresses carry; inside the process (under MSW) by their asynchronous context.
import { AsyncLocalStorage } from 'node:async_hooks'
import { processSecret } from '../../determinism/random.js'
import type { CardCodeOrigin } from '../../protocol/call.js'

/** The header that marks a call of card code. Card code cannot set it, and it is never sent to public addresses. */
export const originHeader = 'x-sandbox-card-code'

// A process may load the package twice, as ES modules and as CommonJS: both share the mark.
interface Shared {
  readonly secret: string
  readonly context: AsyncLocalStorage<CardCodeOrigin>
  /** The external calls whose card code calls over the network, by number; the oldest are dropped. */
  readonly roots: Map<number, CardCodeOrigin['root']>
  readonly numbers: WeakMap<CardCodeOrigin['root'], number>
  count: number
}
const key = Symbol.for('sandbox-server.card-code')
const store = globalThis as { [key]?: Shared | undefined }
const shared = (): Shared =>
  (store[key] ??= {
    secret: processSecret(),
    context: new AsyncLocalStorage(),
    roots: new Map(),
    numbers: new WeakMap(),
    count: 0,
  })

const maxRoots = 10_000

/** Runs `work` so that its calls to the sandbox inside this process are recognised as calls of card code. */
export const runAsCardCode = <T>(origin: CardCodeOrigin | undefined, work: () => T): T =>
  origin === undefined ? work() : shared().context.run(origin, work)

/** Runs `work` outside any call of card code: what it starts outlives the call. */
export const outsideCardCode = <T>(work: () => T): T => shared().context.exit(work)

/** The header's value for the calls of an execution. */
export function originText({ depth, root }: CardCodeOrigin): string {
  const { secret, roots, numbers } = shared()
  let number = numbers.get(root)
  if (number === undefined) {
    number = shared().count += 1
    numbers.set(root, number)
    roots.set(number, root)
    if (roots.size > maxRoots) roots.delete(roots.keys().next().value!)
  }
  return `${depth} ${number} ${secret}`
}

/**
 * The origin of a call that card code makes. A mark of another process counts too, and its depth is believed, because
 * a mark can only restrict its call.
 */
export function originOf(
  headers: Readonly<Record<string, string | readonly string[] | undefined>> = {},
): CardCodeOrigin | undefined {
  const inside = shared().context.getStore()
  if (inside !== undefined) return inside
  const value = headers[originHeader]
  if (value === undefined) return undefined
  const [depth = '', number = '', secret] = (typeof value === 'string' ? value : value.join()).split(' ', 3)
  const known = secret === shared().secret ? shared().roots.get(Number(number)) : undefined
  return {
    depth: /^[1-9]\d{0,3}$/.test(depth) ? Number(depth) : 1,
    root: known ?? { executions: 0 },
  }
}

/** Headers without the mark, which only the sandbox itself may see. */
export function withoutOrigin<T>(headers: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  if (!(originHeader in headers)) return headers
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== originHeader))
}
