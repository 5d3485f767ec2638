// Which declaration a name refers to, as JavaScript resolves it in a sloppy script.

import { child, children, isFunction, type Shape, type Tree } from './tree.js'

export interface Binding {
  readonly name: string
  readonly kind: 'var' | 'let' | 'const' | 'function' | 'param' | 'class' | 'catch'
  /** The identifier that declares it. */
  readonly node: Shape
  /** The declarator, function, class or parameter that contains the identifier. */
  readonly holder: Shape
  readonly isTopLevel: boolean
  readonly references: Shape[]
  /** Assignments other than the declaration's own. */
  writes: number
}

export interface Names {
  readonly bindings: readonly Binding[]
  /** The declaration that an identifier refers to. */
  of(identifier: Shape): Binding | undefined
  /** The declaration that an identifier makes. */
  declaredBy(identifier: Shape): Binding | undefined
  /** Undeclared identifiers, in source order. */
  readonly unbound: readonly Shape[]
}

/** Hostile code may nest scopes and names so that looking them up takes quadratic time. */
const maxSteps = 5_000_000

/** The code is too large or too nested to be analysed. */
export class TooComplex extends Error {}

type Scope = Map<string, Binding>

export const namesOf = (tree: Tree): Names => {
  const scopes = new Scopes(tree)
  for (const node of tree.nodes) declareNamesOf(node, scopes)
  return scopes.resolve()
}

/** The scopes of a program, with their declarations. */
class Scopes {
  readonly #tree: Tree
  readonly #scopes = new Map<Shape, Scope>()
  readonly #bindings: Binding[] = []
  readonly #byNode = new Map<Shape, Binding>()
  readonly #declarations = new Set<Shape>()
  #steps = 0

  constructor(tree: Tree) {
    this.#tree = tree
    for (const node of tree.nodes) if (opensScope(node)) this.#scopes.set(node, new Map())
  }

  /** The node of the nearest scope around a node; with `ofFunction` only functions and the program count. */
  around(node: Shape, ofFunction: boolean): Shape {
    const { parents, root } = this.#tree
    for (let at = parents.get(node); at !== undefined; at = parents.get(at)) {
      this.#step()
      if (this.#scopes.has(at) && (!ofFunction || isFunction(at) || at === root)) return at
    }
    return root
  }

  has(at: Shape, name: string): boolean {
    return this.#scopes.get(at)!.has(name)
  }

  /** Declares an identifier in the scope of `at`; a second declaration of a name counts as an assignment. */
  declare(identifier: Shape, kind: Binding['kind'], holder: Shape, at: Shape): void {
    this.#declarations.add(identifier)
    const scope = this.#scopes.get(at)!
    const name = identifier.name as string
    const known = scope.get(name)
    if (known) {
      known.writes++
      return
    }
    const isTopLevel = at === this.#tree.root
    const binding: Binding = { name, kind, node: identifier, holder, isTopLevel, references: [], writes: 0 }
    scope.set(name, binding)
    this.#bindings.push(binding)
    this.#byNode.set(identifier, binding)
  }

  /** Finds the declaration of every identifier, once all names are declared. */
  resolve(): Names {
    const resolved = new Map<Shape, Binding>()
    const unbound: Shape[] = []
    for (const node of this.#tree.nodes) {
      if (node.type !== 'Identifier' || this.#declarations.has(node) || !isReference(this.#tree, node))
        continue
      const found = this.#bindingOf(node)
      if (!found) {
        unbound.push(node)
        continue
      }
      resolved.set(node, found)
      found.references.push(node)
      if (isWritten(this.#tree, node)) found.writes++
    }
    return {
      bindings: this.#bindings,
      of: (identifier) => resolved.get(identifier),
      declaredBy: (identifier) => this.#byNode.get(identifier),
      unbound,
    }
  }

  #bindingOf(node: Shape): Binding | undefined {
    const { parents } = this.#tree
    const name = node.name as string
    for (let at = parents.get(node); at !== undefined; at = parents.get(at)) {
      this.#step()
      const found = this.#scopes.get(at)?.get(name)
      if (found) return found
      if (name === 'arguments' && isFunction(at) && at.type !== 'ArrowFunctionExpression') return undefined
    }
    return undefined
  }

  #step(): void {
    if (++this.#steps > maxSteps) throw new TooComplex()
  }
}

function declareNamesOf(node: Shape, scopes: Scopes): void {
  const id = child(node, 'id')
  switch (node.type) {
    case 'VariableDeclaration':
      declareVariables(node, scopes)
      break
    case 'FunctionDeclaration':
      if (id) declareFunction(id, node, scopes)
      break
    case 'ClassDeclaration':
      if (id) scopes.declare(id, 'class', node, scopes.around(node, false))
      break
    case 'FunctionExpression':
      if (id) scopes.declare(id, 'function', node, node)
      break
    case 'ClassExpression':
      if (id) scopes.declare(id, 'class', node, node)
      break
    case 'CatchClause': {
      const param = child(node, 'param')
      for (const identifier of param ? identifiersIn(param) : [])
        scopes.declare(identifier, 'catch', node, node)
    }
  }
  if (isFunction(node))
    for (const param of children(node, 'params'))
      for (const identifier of identifiersIn(param)) scopes.declare(identifier, 'param', param, node)
}

function declareVariables(node: Shape, scopes: Scopes): void {
  const kind = node.kind as 'var' | 'let' | 'const'
  const at = scopes.around(node, kind === 'var')
  for (const declarator of children(node, 'declarations'))
    for (const identifier of identifiersIn(declarator.id as Shape))
      scopes.declare(identifier, kind, declarator, at)
}

function declareFunction(id: Shape, node: Shape, scopes: Scopes): void {
  const near = scopes.around(node, false)
  scopes.declare(id, 'function', node, near)
  // A function in a block is also visible outside it, once the block has run.
  const far = scopes.around(node, true)
  if (far !== near && !scopes.has(far, id.name as string)) scopes.declare(id, 'function', node, far)
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
const identifiersIn = (pattern: Shape): Shape[] => {
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

/** Whether an identifier is a value, and not the name of a member, a key or a label. */
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

/** Whether an identifier is assigned to at this place, also as part of a pattern. */
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
