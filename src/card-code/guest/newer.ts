// Built-in objects that came after Node 20, the oldest that the service may run: using one leaves a warning in the log, once an
// execution. Built-in objects that no Node has are removed.
import { override, tell } from './bridge.js'

const { apply } = Reflect

const warned: Record<string, true> = Object.create(null)

/** Leaves a warning in the log, once an execution. */
export const warnOnce = (text: string): void => {
  if (warned[text]) return
  warned[text] = true
  tell('log', { level: 'warn', text, depth: 0 })
}

const note = (target: any, owner: string, version: number, names: string[]): void => {
  const methods: Record<string, (...args: any[]) => unknown> = {}
  for (const name of names) {
    const native = target[name]
    if (typeof native !== 'function') continue
    const path = `${owner}.${name}`
    methods[name] = function (this: unknown, ...args: unknown[]) {
      warnOnce(
        `${path} came with Node ${version}: where the service runs an older Node, it is not a function (warning of the sandbox)`,
      )
      return apply(native, this, args)
    }
  }
  override(target, methods)
}

async function fromAsync(items: any, map?: any, self?: unknown): Promise<unknown[]> {
  if (map !== undefined && typeof map !== 'function') throw new TypeError(`${String(map)} is not a function`)
  const list: unknown[] = []
  const add = async (item: unknown): Promise<void> => {
    const at = list.length
    list[at] = map === undefined ? item : await apply(map, self, [item, at])
  }
  if (items[Symbol.asyncIterator] !== undefined || items[Symbol.iterator] !== undefined)
    for await (const item of items) await add(item)
  else for (let at = 0; at < items.length; at += 1) await add(await items[at])
  return list
}

const nativeToString = Object.prototype.toString

/** Installs the warnings for objects that are newer than Node 20, and removes those that no Node has. */
export const installNewer = (): void => {
  const all = globalThis as any
  for (const name of ['getOrInsert', 'getOrInsertComputed']) delete all.Map.prototype[name]
  for (const name of ['sumPrecise', 'f16round']) delete all.Math[name]
  for (const name of ['getFloat16', 'setFloat16']) delete all.DataView.prototype[name]
  delete all.Set.groupBy
  delete all.Iterator.concat
  delete all.Float16Array
  for (const name of ['dispose', 'asyncDispose'])
    if (!(name in Symbol)) Object.defineProperty(Symbol, name, { value: Symbol(`Symbol.${name}`) })
  override(all.Array, { fromAsync })
  override(all.Error, {
    isError: (value: unknown) =>
      typeof value === 'object' &&
      value !== null &&
      /Error|DOMException/.test(apply(nativeToString, value, [])),
  })

  note(all.Object, 'Object', 21, ['groupBy'])
  note(all.Map, 'Map', 21, ['groupBy'])
  note(all.Promise, 'Promise', 22, ['withResolvers'])
  note(all.Promise, 'Promise', 24, ['try'])
  note(all.Array, 'Array', 22, ['fromAsync'])
  note(all.Error, 'Error', 24, ['isError'])
  note(all.RegExp, 'RegExp', 24, ['escape'])
  note(all.URL, 'URL', 22, ['parse'])
  note(all.ArrayBuffer.prototype, 'ArrayBuffer.prototype', 22, ['transfer', 'transferToFixedLength'])
  const ofSets = ['union', 'intersection', 'difference', 'symmetricDifference']
  ofSets.push('isSubsetOf', 'isSupersetOf', 'isDisjointFrom')
  note(all.Set.prototype, 'Set.prototype', 22, ofSets)
  const ofIterators = ['map', 'filter', 'take', 'drop', 'flatMap', 'reduce', 'toArray', 'forEach']
  ofIterators.push('some', 'every', 'find')
  note(all.Iterator.prototype, 'Iterator.prototype', 22, ofIterators)
  note(all.Iterator, 'Iterator', 22, ['from'])
}
