// Which declaration a name refers to, as JavaScript resolves it in a sloppy script.

import { child, children, isFunction, type Shape, type Tree } from './tree.js'

export interface Binding {
  readonly name: string
  readonly kind: 'var' | 'let' | 'const' | 'function' | 'param' | 'class' | 'catch'
  /** The identifier that declares it. */
  readonly node: Shape
  /** The declarator, function, class or parameter that the identifier stands in. */
  readonly holder: Shape
  readonly isTopLevel: boolean
  readonly references: Shape[]
  /** Assignments besides the declaration's own. */
  writes: number
}

export interface Names {
  readonly bindings: readonly Binding[]
  /** The declaration of an identifier that refers to one. */
  of(identifier: Shape): Binding | undefined
  /** The declaration that an identifier makes. */
  declaredBy(identifier: Shape): Binding | undefined
  /** Identifiers that nothing declares, in source order. */
  readonly unbound: readonly Shape[]
}

/** Hostile code may nest scopes and names so that looking them up takes the square of its length. */
const maxSteps = 5_000_000

/** The code is too large or too nested to be analysed. */
export class TooComplex extends Error {}

type Scope = Map<string, Binding>

export const namesOf = (tree: Tree): Names => {
  const scopes = new Map<Shape, Scope>()
  for (const node of tree.nodes) if (opensScope(node)) scopes.set(node, new Map())
  const bindings: Binding[] = []
  const byNode = new Map<Shape, Binding>()
  const declarations = new Set<Shape>()
  let steps = 0

  const scopeAround = (node: Shape, ofFunction: boolean): Shape => {
    let at = tree.parents.get(node)
    for (; at !== undefined; at = tree.parents.get(at)) {
      if (++steps > maxSteps) throw new TooComplex()
      if (scopes.has(at) && (!ofFunction || isFunction(at) || at === tree.root)) return at
    }
    return tree.root
  }
  const declare = (identifier: Shape, kind: Binding['kind'], holder: Shape, at: Shape): void => {
    declarations.add(identifier)
    const scope = scopes.get(at)!
    const name = identifier.name as string
    if (scope.has(name)) {
      scope.get(name)!.writes++
      return
    }
    const isTopLevel = at === tree.root
    const binding: Binding = { name, kind, node: identifier, holder, isTopLevel, references: [], writes: 0 }
    scope.set(name, binding)
    bindings.push(binding)
    byNode.set(identifier, binding)
  }

  for (const node of tree.nodes) {
    if (node.type === 'VariableDeclaration') {
      const kind = node.kind as 'var' | 'let' | 'const'
      const at = scopeAround(node, kind === 'var')
      for (const declarator of children(node, 'declarations'))
        for (const identifier of identifiersIn(declarator.id as Shape))
          declare(identifier, kind, declarator, at)
    } else if (node.type === 'FunctionDeclaration') {
      const id = child(node, 'id')
      const near = scopeAround(node, false)
      if (id) declare(id, 'function', node, near)
      // A function in a block is seen outside it too, once the block has run.
      const far = scopeAround(node, true)
      if (id && far !== near && !scopes.get(far)!.has(id.name as string)) declare(id, 'function', node, far)
    } else if (node.type === 'ClassDeclaration') {
      const id = child(node, 'id')
      if (id) declare(id, 'class', node, scopeAround(node, false))
    } else if (node.type === 'FunctionExpression' || node.type === 'ClassExpression') {
      const id = child(node, 'id')
      if (id) declare(id, node.type === 'FunctionExpression' ? 'function' : 'class', node, node)
    } else if (node.type === 'CatchClause') {
      const param = child(node, 'param')
      for (const identifier of param ? identifiersIn(param) : []) declare(identifier, 'catch', node, node)
    }
    if (isFunction(node))
      for (const param of children(node, 'params'))
        for (const identifier of identifiersIn(param)) declare(identifier, 'param', param, node)
  }

  const resolved = new Map<Shape, Binding>()
  const unbound: Shape[] = []
  for (const node of tree.nodes) {
    if (node.type !== 'Identifier' || declarations.has(node) || !isReference(tree, node)) continue
    const name = node.name as string
    let found: Binding | undefined
    for (let at = tree.parents.get(node); at !== undefined && !found; at = tree.parents.get(at)) {
      if (++steps > maxSteps) throw new TooComplex()
      found = scopes.get(at)?.get(name)
      if (!found && name === 'arguments' && isFunction(at) && at.type !== 'ArrowFunctionExpression') break
    }
    if (found) {
      resolved.set(node, found)
      found.references.push(node)
      if (isWritten(tree, node)) found.writes++
    } else unbound.push(node)
  }
  return {
    bindings,
    of: (identifier) => resolved.get(identifier),
    declaredBy: (identifier) => byNode.get(identifier),
    unbound,
  }
}

const scopeTypes = new Set([
  'Program',
  'BlockStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'SwitchStatement',
  'CatchClause',
  'StaticBlock',
  'ClassExpression',
])
const opensScope = (node: Shape): boolean => isFunction(node) || scopeTypes.has(node.type)

/** The identifiers that a pattern declares or assigns to. */
export const identifiersIn = (pattern: Shape): Shape[] => {
  const found: Shape[] = []
  const open = [pattern]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.type === 'Identifier') found.push(next)
    else if (next.type === 'AssignmentPattern') open.push(next.left as Shape)
    else if (next.type === 'RestElement') open.push(next.argument as Shape)
    else if (next.type === 'ArrayPattern') open.push(...children(next, 'elements').reverse())
    else if (next.type === 'ObjectPattern') open.push(...children(next, 'properties').reverse())
    else if (next.type === 'Property') open.push(next.value as Shape)
  }
  return found
}

/** Whether an identifier stands for a value, and not for the name of a member, a key or a label. */
const isReference = ({ parents }: Tree, node: Shape): boolean => {
  const parent = parents.get(node)!
  switch (parent.type) {
    case 'MemberExpression':
      return parent.object === node || parent.computed === true
    case 'Property':
      return parent.value === node || parent.computed === true
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return parent.value === node || parent.computed === true
    case 'LabeledStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'MetaProperty':
      return false
    default:
      return true
  }
}

/** Whether an identifier is assigned to where it stands, also as part of a pattern. */
export const isWritten = ({ parents }: Tree, node: Shape): boolean => {
  let at = node
  for (let parent = parents.get(at); parent !== undefined; at = parent, parent = parents.get(at)) {
    if (parent.type === 'AssignmentExpression') return parent.left === at
    if (parent.type === 'UpdateExpression') return true
    if (parent.type === 'ForInStatement' || parent.type === 'ForOfStatement') return parent.left === at
    const isPattern =
      parent.type === 'ArrayPattern' ||
      parent.type === 'ObjectPattern' ||
      parent.type === 'RestElement' ||
      (parent.type === 'AssignmentPattern' && parent.left === at) ||
      (parent.type === 'Property' && parent.value === at)
    if (!isPattern) return false
  }
  return false
}
