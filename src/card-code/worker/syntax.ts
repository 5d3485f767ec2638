// The syntax tree of main.js, as far as the rewriting and the wording of errors need it.
import type { Function as AcornFunction, Node } from 'acorn'
import { parseSource } from '../source-parser.js'

export interface Place {
  line: number
  column: number
}

export type Shape = Node & Record<string, unknown>

export const parserOptions = { ecmaVersion: 'latest', locations: true } as const

/** Undefined for a source that does not parse. */
export const parsed = (source: string): Shape | undefined => {
  try {
    return parseSource(source, parserOptions) as unknown as Shape
  } catch {
    return undefined
  }
}

/** The nodes right below a node, in the order of the source. */
const partsOf = (node: Shape): Shape[] => {
  const parts: Shape[] = []
  for (const value of Object.values(node)) {
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (typeof item === 'object' && item !== null && 'type' in item) parts.push(item as Shape)
    }
  }
  return parts
}

/** Visits every node with its parent. */
export const visit = (
  root: Shape | undefined,
  see: (node: Shape, parent: Shape | undefined) => void,
): void => {
  // An explicit stack: card code may nest deeper than a recursive walk could follow.
  const open: { node: Shape; parent: Shape | undefined }[] = []
  if (root !== undefined) open.push({ node: root, parent: undefined })
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, parent } = next
    see(node, parent)
    for (const part of partsOf(node)) open.push({ node: part, parent: node })
  }
}

export type FunctionNode = Shape & AcornFunction

export const isFunction = (node: Shape): node is FunctionNode =>
  node.type === 'ArrowFunctionExpression' ||
  node.type === 'FunctionExpression' ||
  node.type === 'FunctionDeclaration'

/** The names that a pattern declares. */
export const namesIn = (pattern: Shape): string[] => {
  const names: string[] = []
  visit(pattern, (node) => {
    if (node.type === 'Identifier') names.push(node.name as string)
  })
  return names
}

/** V8's name for the member that a pattern takes. */
export const keyOf = ({ key, computed }: Shape): string => {
  const { type, name } = key as Shape
  return type === 'Identifier' && computed !== true ? (name as string) : '(intermediate value)'
}

/** The key of the first member that an object pattern takes; undefined for one that takes none by name. */
export const firstKeyOf = (pattern: Shape): string | undefined => {
  const [first] = pattern.properties as Shape[]
  return first?.type === 'Property' ? keyOf(first) : undefined
}

// Card code may chain longer than a message needs to show.
const maxDepth = 20

/** A node as V8's messages print it: names, member chains and calls; what has no name is an intermediate value. */
export const shown = (node: Shape, depth = 0): string => {
  if (depth > maxDepth) return '(intermediate value)'
  const part = (name: string): string => shown(node[name] as Shape, depth + 1)
  switch (node.type) {
    case 'Identifier':
      return node.name as string
    case 'ThisExpression':
      return 'this'
    case 'Super':
      return 'super'
    case 'Literal':
      return typeof node.value === 'string' ? `"${node.value}"` : (node.raw as string)
    case 'ArrayExpression':
      return `[${(node.elements as (Shape | null)[]).map((item) => (item === null ? '' : shown(item, depth + 1))).join(',')}]`
    case 'ObjectExpression':
      return (node.properties as Shape[]).length === 0 ? '{}' : '(intermediate value)'
    case 'ChainExpression':
      return part('expression')
    case 'PrivateIdentifier':
      return `#${node.name as string}`
    case 'CallExpression':
      return `${part('callee')}(...)`
    case 'MemberExpression': {
      const property = node.property as Shape
      if (node.computed !== true) return `${part('object')}.${part('property')}`
      if (property.type === 'Literal' && typeof property.value === 'string')
        return `${part('object')}.${property.value}`
      return `${part('object')}[${part('property')}]`
    }
    default:
      return '(intermediate value)'
  }
}
