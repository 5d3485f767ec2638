// The functions of main.js: which one a place is in, how V8 names it in a stack, and where it is awaited.
import { type Place, type Shape, isFunction, visit } from './syntax.js'

/** One function of the source. */
export interface SourceFunction {
  /** Its own or its inferred name; empty for none. */
  name: string
  /** Its owner: the name of its class, or `Object` for a property of an object literal. */
  owner: string | undefined
  kind: 'function' | 'constructor' | 'method' | 'accessor' | 'private' | 'property'
  isAsync: boolean
}

/** An await of a call, and the function that it is in. */
interface Awaiting {
  place: Place
  by: SourceFunction | undefined
}

export interface Functions {
  /** The innermost function around a place. */
  at(place: Place): SourceFunction | undefined
  /** Whether a class of this name is around a place. */
  isClass(name: string): boolean
  /**
   * Where a function is awaited. `only` when it is used in a single place, which awaits a call of it; otherwise
   * `places` counts the possible awaits.
   */
  awaits(fn: SourceFunction): { only: Awaiting } | { places: number }
}

interface Range {
  fn: SourceFunction
  start: number
  end: number
  parent: Range | undefined
}

/** Reads the functions of a tree; its time is linear in the source. */
export const functionsOf = (root: Shape | undefined, source: string): Functions => {
  const parents = new Map<Shape, Shape | undefined>()
  const ranges: Range[] = []
  const classes = new Set<string>()
  visit(root, (node, parent) => {
    parents.set(node, parent)
    if (isFunction(node)) {
      const fn = described(node, parents)
      ranges.push({ fn, start: node.start, end: node.end, parent: undefined })
    } else if (node.type === 'ClassDeclaration' || node.type === 'ClassExpression') {
      const name = nameOf(node, parent)
      if (name !== '') classes.add(name)
    }
  })
  ranges.sort((a, b) => a.start - b.start || b.end - a.end)
  let open: Range | undefined
  for (const range of ranges) {
    while (open !== undefined && open.end <= range.start) open = open.parent
    range.parent = open
    open = range
  }
  const lineStarts = [0]
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) lineStarts.push(at + 1)
  const around = (offset: number): SourceFunction | undefined => {
    let low = 0
    let high = ranges.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (ranges[middle]!.start <= offset) low = middle + 1
      else high = middle
    }
    let range = ranges[low - 1]
    while (range !== undefined && range.end <= offset) range = range.parent
    return range?.fn
  }
  let uses: Map<string, Shape[]> | undefined
  return {
    at: ({ line, column }) => around((lineStarts[line - 1] ?? 0) + column - 1),
    isClass: (name) => classes.has(name),
    awaits: ({ name, owner }) => {
      uses ??= usesIn(parents)
      const found = uses.get(owner === undefined ? name : `.${name}`) ?? []
      const awaits = found.flatMap((use) => awaitOf(use, parents) ?? [])
      const [first] = awaits
      if (first === undefined || found.length !== 1) return { places: awaits.length }
      const { line, column } = first.loc!.start
      return { only: { place: { line, column: column + 1 }, by: around(first.start) } }
    },
  }
}

const textOf = (key: Shape): string =>
  key.type === 'Identifier' || key.type === 'PrivateIdentifier'
    ? (key.name as string)
    : String((key as { value?: string | number }).value)

/** The name of a function or a class: its own, or that of what it is assigned to. */
const nameOf = (node: Shape, parent: Shape | undefined): string => {
  const own = node.id as Shape | null | undefined
  if (own) return own.name as string
  const target =
    parent?.type === 'VariableDeclarator'
      ? (parent.id as Shape)
      : parent?.type === 'AssignmentExpression'
        ? (parent.left as Shape)
        : undefined
  if (target?.type === 'MemberExpression' && target.computed !== true) return textOf(target.property as Shape)
  return target?.type === 'Identifier' ? (target.name as string) : ''
}

const described = (node: Shape, parents: ReadonlyMap<Shape, Shape | undefined>): SourceFunction => {
  const parent = parents.get(node)
  const isAsync = node.async === true
  const plain = { name: nameOf(node, parent), owner: undefined, kind: 'function', isAsync } as const
  if (parent?.value !== node) return plain
  const key = parent.key as Shape
  const name = parent.computed === true ? '' : textOf(key)
  if (parent.type === 'MethodDefinition' || parent.type === 'PropertyDefinition') {
    const made = parents.get(parents.get(parent)!)!
    const owner = nameOf(made, parents.get(made))
    const kind =
      parent.kind === 'constructor'
        ? 'constructor'
        : key.type === 'PrivateIdentifier'
          ? 'private'
          : parent.kind === 'get' || parent.kind === 'set'
            ? 'accessor'
            : 'method'
    return { name: kind === 'constructor' ? owner : name, owner, kind, isAsync }
  }
  if (parent.type !== 'Property') return plain
  const kind = parent.kind === 'get' || parent.kind === 'set' ? 'accessor' : 'property'
  return { name: plain.name || name, owner: 'Object', kind, isAsync }
}

/** Where names are used, not declared: identifiers by their name, members by `.name`. */
const usesIn = (parents: ReadonlyMap<Shape, Shape | undefined>): Map<string, Shape[]> => {
  const uses = new Map<string, Shape[]>()
  const add = (name: string, node: Shape): void => {
    const before = uses.get(name)
    if (before === undefined) uses.set(name, [node])
    else before.push(node)
  }
  for (const [node, parent] of parents) {
    if (node.type === 'MemberExpression' && node.computed !== true)
      add(`.${textOf(node.property as Shape)}`, node)
    else if (node.type === 'Identifier' && parent !== undefined && isUse(node, parent))
      add(node.name as string, node)
  }
  return uses
}

const isUse = (node: Shape, parent: Shape): boolean =>
  parent.id !== node &&
  !(parent.key === node && parent.computed !== true) &&
  !(parent.type === 'MemberExpression' && parent.property === node && parent.computed !== true) &&
  !(parent.type === 'AssignmentExpression' && parent.left === node)

/** The await of a call of the used function. */
const awaitOf = (use: Shape, parents: ReadonlyMap<Shape, Shape | undefined>): Shape | undefined => {
  const call = parents.get(use)
  if (call?.type !== 'CallExpression' || call.callee !== use) return undefined
  const awaiting = parents.get(call)
  return awaiting?.type === 'AwaitExpression' ? awaiting : undefined
}
