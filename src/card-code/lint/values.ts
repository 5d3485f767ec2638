// What an expression is, as far as the source alone shows: the hook's argument and its parts, promises, variables.

import type { Names } from './scope.js'
import {
  child,
  children,
  functionAround,
  isFunction,
  memberName,
  type Shape,
  type Tree,
  unchained,
} from './tree.js'

/** A record of the hook's argument. */
export interface KnownObject {
  readonly type: 'object'
  /** Its name in messages: `merchant.category`; empty for the argument itself. */
  readonly path: string
  readonly fields: Readonly<Record<string, Value>>
}

export type Value =
  | KnownObject
  | { readonly type: 'text'; readonly field?: string }
  | { readonly type: 'number'; readonly field?: string }
  | { readonly type: 'boolean' }
  | { readonly type: 'nothing' }
  | { readonly type: 'thing' }
  | { readonly type: 'function' }
  | { readonly type: 'response' }
  | { readonly type: 'environment' }
  | { readonly type: 'variable'; readonly name: string }
  | { readonly type: 'promise'; readonly of: Value | undefined }

const text = (field: string): Value => ({ type: 'text', field })
const object = (path: string, fields: Readonly<Record<string, Value>>): KnownObject => ({
  type: 'object',
  path,
  fields,
})

/** The argument of every hook. */
export const hookArgument = object('', {
  accountNumber: text('accountNumber'),
  dateTime: text('dateTime'),
  centsAmount: { type: 'number', field: 'centsAmount' },
  currencyCode: text('currencyCode'),
  type: text('type'),
  reference: text('reference'),
  card: object('card', { id: text('card.id'), display: text('card.display') }),
  merchant: object('merchant', {
    category: object('merchant.category', {
      code: text('merchant.category.code'),
      key: text('merchant.category.key'),
      name: text('merchant.category.name'),
    }),
    name: text('merchant.name'),
    city: text('merchant.city'),
    country: object('merchant.country', {
      code: text('merchant.country.code'),
      alpha3: text('merchant.country.alpha3'),
      name: text('merchant.country.name'),
    }),
  }),
})

const maxDepth = 60

/** Reads the values of one program; `hookFunctions` get the hook's argument as their first parameter. */
export class Values {
  readonly #known = new Map<Shape, Value | undefined>()

  constructor(
    readonly tree: Tree,
    readonly names: Names,
    readonly hookFunctions: ReadonlySet<Shape>,
  ) {}

  of(node: Shape, depth = 0): Value | undefined {
    if (depth > maxDepth) return undefined
    if (this.#known.has(node)) return this.#known.get(node)
    // A circular definition is unknown.
    this.#known.set(node, undefined)
    const value = this.#read(node, depth + 1)
    this.#known.set(node, value)
    return value
  }

  /** The function that a call calls, when it is declared here. */
  calledFunction(call: Shape): Shape | undefined {
    const callee = unchained(call.callee as Shape)
    return isFunction(callee) ? callee : this.functionOf(callee)
  }

  /** The function that a name refers to. */
  functionOf(node: Shape): Shape | undefined {
    if (isFunction(node)) return node
    if (node.type !== 'Identifier') return undefined
    const binding = this.names.of(node)
    if (!binding || binding.writes > 0) return undefined
    if (isFunction(binding.holder) && binding.kind === 'function') return binding.holder
    const init = binding.holder.type === 'VariableDeclarator' ? child(binding.holder, 'init') : undefined
    return isFunction(init) && (binding.holder.id as Shape) === binding.node ? init : undefined
  }

  #read(node: Shape, depth: number): Value | undefined {
    switch (node.type) {
      case 'Literal':
        return literal(node)
      case 'TemplateLiteral':
        return { type: 'text' }
      case 'ArrayExpression':
      case 'ObjectExpression':
      case 'NewExpression':
        return { type: 'thing' }
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return { type: 'function' }
      case 'ChainExpression':
        return this.of(node.expression as Shape, depth)
      case 'AwaitExpression': {
        const value = this.of(node.argument as Shape, depth)
        return value?.type === 'promise' ? value.of : value
      }
      case 'AssignmentExpression':
        return node.operator === '=' ? this.of(node.right as Shape, depth) : undefined
      case 'UnaryExpression':
        if (node.operator === '!') return { type: 'boolean' }
        if (node.operator === 'void') return { type: 'nothing' }
        return node.operator === 'typeof' ? { type: 'text' } : { type: 'number' }
      case 'BinaryExpression':
        return this.#binary(node, depth)
      case 'ConditionalExpression': {
        const [one, other] = [
          this.of(node.consequent as Shape, depth),
          this.of(node.alternate as Shape, depth),
        ]
        return one?.type === other?.type ? one : undefined
      }
      case 'Identifier':
        return this.#named(node, depth)
      case 'MemberExpression':
        return this.#member(node, depth)
      case 'CallExpression':
        return this.#called(node, depth)
      default:
        return undefined
    }
  }

  #binary(node: Shape, depth: number): Value | undefined {
    const operator = node.operator as string
    if (/^(===?|!==?|[<>]=?|in|instanceof)$/.test(operator)) return { type: 'boolean' }
    if (operator !== '+') return { type: 'number' }
    const sides = [this.of(node.left as Shape, depth), this.of(node.right as Shape, depth)]
    if (sides.some((side) => side?.type === 'text')) return { type: 'text' }
    return sides.every((side) => side?.type === 'number') ? { type: 'number' } : undefined
  }

  #named(node: Shape, depth: number): Value | undefined {
    const binding = this.names.of(node)
    if (!binding) return node.name === 'undefined' ? { type: 'nothing' } : undefined
    if (binding.writes > 0) return undefined
    const { holder } = binding
    if (binding.kind === 'function') return { type: 'function' }
    if (binding.kind === 'param') return this.#parameter(binding.node, holder, depth)
    if (holder.type !== 'VariableDeclarator') return undefined
    const init = child(holder, 'init')
    if (!init) return undefined
    return within(holder.id as Shape, binding.node, this.of(init, depth))
  }

  /** A parameter: the hook's argument, or what every call of the function passes. */
  #parameter(identifier: Shape, pattern: Shape, depth: number): Value | undefined {
    const fn = functionOfPattern(this.tree, pattern)
    const index = children(fn, 'params').indexOf(pattern)
    if (this.hookFunctions.has(fn)) return index === 0 ? within(pattern, identifier, hookArgument) : undefined
    const declared = this.#nameOf(fn)
    const binding = declared && this.names.declaredBy(declared)
    if (!binding || binding.writes > 0 || binding.references.length === 0 || pattern.type === 'RestElement')
      return undefined
    let common: Value | undefined
    for (const reference of binding.references) {
      const call = this.tree.parents.get(reference)!
      if (call.type !== 'CallExpression' || call.callee !== reference) return undefined
      const given = children(call, 'arguments')
      const argument = given[index]
      if (!argument || given.slice(0, index + 1).some(({ type }) => type === 'SpreadElement'))
        return undefined
      const value = this.of(argument, depth)
      if (value?.type !== 'object' || (common !== undefined && common !== value)) return undefined
      common = value
    }
    return within(pattern, identifier, common)
  }

  /** The identifier that names a function for its callers. */
  #nameOf(fn: Shape): Shape | undefined {
    if (fn.type === 'FunctionDeclaration') return child(fn, 'id')
    const parent = this.tree.parents.get(fn)
    const id = parent?.type === 'VariableDeclarator' ? (parent.id as Shape) : undefined
    return id?.type === 'Identifier' ? id : undefined
  }

  #member(node: Shape, depth: number): Value | undefined {
    const target = node.object as Shape
    const name = memberName(node)
    if (name === undefined) return undefined
    if (target.type === 'Identifier' && target.name === 'process' && name === 'env' && !this.names.of(target))
      return { type: 'environment' }
    return memberOf(this.of(target, depth), name)
  }

  #called(node: Shape, depth: number): Value | undefined {
    const callee = unchained(node.callee as Shape)
    if (callee.type === 'Identifier' && !this.names.of(callee))
      return resultsOfGlobals.get(callee.name as string)
    if (callee.type === 'MemberExpression')
      return this.#isPromiseOf(callee, depth) ? { type: 'promise', of: undefined } : undefined
    const fn = this.calledFunction(node)
    return fn?.async === true && fn.generator !== true ? { type: 'promise', of: undefined } : undefined
  }

  /** Whether a method returns a promise: of a response, of a promise, or of `Promise`. */
  #isPromiseOf(callee: Shape, depth: number): boolean {
    const name = memberName(callee) ?? ''
    const target = callee.object as Shape
    const on = this.of(target, depth)
    if (on?.type === 'response' && /^(json|text|arrayBuffer|buffer)$/.test(name)) return true
    if (on?.type === 'promise' && /^(then|catch|finally)$/.test(name)) return true
    return target.type === 'Identifier' && target.name === 'Promise' && !this.names.of(target)
  }
}

/** What global functions return. */
const resultsOfGlobals = new Map<string, Value>([
  ['fetch', { type: 'promise', of: { type: 'response' } }],
  ['Number', { type: 'number' }],
  ['parseInt', { type: 'number' }],
  ['parseFloat', { type: 'number' }],
  ['String', { type: 'text' }],
  ['Boolean', { type: 'boolean' }],
])

const literal = ({ value, regex }: Shape): Value | undefined => {
  if (regex) return { type: 'thing' }
  if (typeof value === 'string') return { type: 'text' }
  if (typeof value === 'number') return { type: 'number' }
  if (typeof value === 'boolean') return { type: 'boolean' }
  return value === null ? { type: 'nothing' } : undefined
}

const memberOf = (value: Value | undefined, name: string): Value | undefined => {
  if (value?.type === 'environment') return { type: 'variable', name }
  return value?.type === 'object' && Object.hasOwn(value.fields, name) ? value.fields[name] : undefined
}

/** The value that an identifier of a pattern gets when the pattern is given a value. */
const within = (pattern: Shape, identifier: Shape, value: Value | undefined): Value | undefined => {
  if (pattern === identifier) return value
  if (value === undefined || pattern.type !== 'ObjectPattern') return undefined
  for (const property of children(pattern, 'properties')) {
    if (property.type !== 'Property' || property.computed === true) continue
    const key = property.key as Shape
    const name = key.type === 'Identifier' ? (key.name as string) : String(key.value)
    const found = within(property.value as Shape, identifier, memberOf(value, name))
    if (found) return found
  }
  return undefined
}

const functionOfPattern = (tree: Tree, pattern: Shape): Shape => {
  const parent = tree.parents.get(pattern)!
  return isFunction(parent) ? parent : functionAround(tree, pattern)!
}
