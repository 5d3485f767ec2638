// JSON.stringify names the way from a value back to itself, as V8 does; the engine only says that there is one.
import { override, ownValue } from './bridge.js'

const { stringify } = JSON
const { apply } = Reflect
const { isArray } = Array
const { keys } = Object
const NativeTypeError = TypeError
const NativeSet = Set
const { add, has } = Set.prototype

interface Step {
  /** The index or name under which the step before holds the value. */
  readonly key: string | number
  readonly value: object
}

/** A search ends after so many objects: then the message stays without the way. */
const maxObjects = 10_000

class Search {
  readonly path: Step[] = []
  readonly #seen = new NativeSet()
  #left = maxObjects

  /** The index in the path at which the circle starts, with the key that closes it. */
  from(key: string | number, value: unknown): { start: number; key: string | number } | undefined {
    if (typeof value !== 'object' || value === null) return undefined
    for (let at = 0; at < this.path.length; at += 1)
      if (this.path[at]!.value === value) return { start: at, key }
    if (apply(has, this.#seen, [value]) || typeof (value as any).toJSON === 'function') return undefined
    if ((this.#left -= 1) < 0) return undefined
    apply(add, this.#seen, [value])
    this.path[this.path.length] = { key, value }
    const isList = isArray(value)
    const names = isList ? value : keys(value)
    for (let at = 0; at < names.length; at += 1) {
      const name = isList ? at : (names[at] as string)
      const circle = this.from(name, ownValue(value, name))
      if (circle !== undefined) return circle
    }
    this.path.length -= 1
    return undefined
  }
}

const named = (key: string | number): string =>
  typeof key === 'number' ? 'index ' + key : key === '' ? '<anonymous>' : "property '" + key + "'"

const kindOf = (value: object): string => {
  const { constructor } = value
  const name: unknown = typeof constructor === 'function' ? ownValue(constructor, 'name') : undefined
  return "object with constructor '" + (typeof name === 'string' && name !== '' ? name : 'Object') + "'"
}

/** The lines of V8: the start, two steps, the last one, and what closes the circle. */
const wayOf = (value: unknown): string => {
  const search = new Search()
  const circle = search.from('', value)
  if (circle === undefined) return ''
  const { path } = search
  let text = '\n    --> starting at ' + kindOf(path[circle.start]!.value)
  const first = circle.start + 1
  const rest = Math.max(first + 2, path.length - 1)
  for (let at = first; at < path.length; at += 1) {
    if (at < first + 2 || at >= rest)
      text += '\n    |     ' + named(path[at]!.key) + ' -> ' + kindOf(path[at]!.value)
    else if (at === first + 2) text += '\n    |     ...'
  }
  return text + '\n    --- ' + named(circle.key) + ' closes the circle'
}

/** Installs JSON.stringify with V8's message for a value that contains itself. */
export const installCircular = (): void => {
  override(globalThis.JSON, {
    stringify(value: any, replacer?: any, space?: any) {
      try {
        return stringify(value, replacer, space)
      } catch (error) {
        if (!(error instanceof NativeTypeError) || ownValue(error, 'message') !== 'circular reference')
          throw error
        const way = typeof replacer === 'function' || isArray(replacer) ? '' : wayOf(value)
        throw new TypeError('Converting circular structure to JSON' + way)
      }
    },
  })
}
