// A parsed main.js with its parents, in source order. Nothing here recurses: card code may nest deeper than a stack.

import type { Node } from 'acorn'
import { parseSource } from '../source-parser.js'

export type Shape = Node & Record<string, unknown>

export interface Tree {
  readonly source: string
  readonly root: Shape
  /** Every node, a parent before its parts. */
  readonly nodes: readonly Shape[]
  readonly parents: ReadonlyMap<Shape, Shape>
}

/** Parses a script. Throws acorn's SyntaxError, or a RangeError for a source that nests too deeply. */
export const parseScript = (source: string): Shape =>
  parseSource(source, { ecmaVersion: 'latest', locations: true }) as unknown as Shape

/** Parses a module, to distinguish a module from a mistake. Undefined when it is not a module either. */
export const parseModule = (source: string): Shape | undefined => {
  try {
    return parseSource(source, {
      ecmaVersion: 'latest',
      sourceType: 'module',
      locations: true,
    }) as unknown as Shape
  } catch {
    return undefined
  }
}

export const treeOf = (source: string, root: Shape): Tree => {
  const nodes: Shape[] = []
  const parents = new Map<Shape, Shape>()
  const open = [root]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    nodes.push(next)
    const parts = partsOf(next)
    for (const part of parts) parents.set(part, next)
    open.push(...parts.reverse())
  }
  return { source, root, nodes, parents }
}

const isNode = (value: unknown): value is Shape =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

/** The nodes directly below a node, in source order. */
const partsOf = (node: Shape): Shape[] => {
  const parts: Shape[] = []
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) parts.push(...(value as unknown[]).filter(isNode))
    else if (isNode(value)) parts.push(value)
  }
  return parts
}

export const child = (node: Shape, field: string): Shape | undefined =>
  (node[field] as Shape | null | undefined) ?? undefined

export const children = (node: Shape, field: string): Shape[] =>
  ((node[field] as (Shape | null)[] | undefined) ?? []).filter((each) => each !== null)

export type FunctionShape = Shape & { readonly body: Shape }

export const isFunction = (node: Shape | undefined): node is FunctionShape =>
  node !== undefined &&
  (node.type === 'FunctionDeclaration' ||
    node.type === 'FunctionExpression' ||
    node.type === 'ArrowFunctionExpression')

/** The innermost function around a node; undefined at the top level. */
export const functionAround = ({ parents }: Tree, node: Shape): Shape | undefined => {
  for (let at = parents.get(node); at !== undefined; at = parents.get(at)) if (isFunction(at)) return at
  return undefined
}

/** All nodes of a function, except the function itself and those of functions inside it. */
export const ownNodes = (fn: Shape): Shape[] => {
  const found: Shape[] = []
  const open = partsOf(fn).reverse()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    found.push(next)
    if (!isFunction(next)) open.push(...partsOf(next).reverse())
  }
  return found
}

/** The name in `a.b` or `a['b']`; undefined for a computed one. */
export const memberName = (node: Shape): string | undefined => {
  if (node.type !== 'MemberExpression') return undefined
  const property = node.property as Shape
  if (node.computed !== true) return property.type === 'Identifier' ? (property.name as string) : undefined
  return property.type === 'Literal' && typeof property.value === 'string' ? property.value : undefined
}

/** The text of a literal, or of a template without expressions. */
export const literalText = (node: Shape): string | undefined => {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type !== 'TemplateLiteral' || children(node, 'expressions').length > 0) return undefined
  return (children(node, 'quasis')[0]!.value as { cooked: string }).cooked
}

export const unchained = (node: Shape): Shape =>
  node.type === 'ChainExpression' ? (node.expression as Shape) : node
